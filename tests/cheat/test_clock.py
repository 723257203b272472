"""Cheats with the clock: turns that run out without a call, or with one that does not count."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from p2p_davinci.rules.moves import Draw, Move, Resign
from p2p_davinci.session.messages import Body
from p2p_davinci.session.placing import CLOCK_KIND
from protocol import Payload, Value, seal_aside
from tests.support.cheating import (
    Cheat,
    Scene,
    expect_found_out,
    expect_twin_passes,
    scene_at,
)
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import (
    Event,
    Moment,
    Recording,
    calls_clock,
    passes,
)

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
CLOCK = {"clock": "60+20"}
RUNS_OUT = (passes(60), calls_clock(1), passes(20))

Says = Callable[[Scene], Payload]


@functools.cache
def before_the_draw() -> Recording:
    """Seat 2 hits all of seat 1, then seat 0 lets its time run out before the draw."""
    table = dealt_table(HANDS, "w11", overrides=CLOCK, first=2)
    hits = [guess(f"2.{slot}", tile) for slot, tile in enumerate(HANDS[1].split(), 1)]
    runs_out = (passes(60), calls_clock(2), passes(20))
    moves: list[Move | Event] = [Draw(deck=0), *hits, guess("1.1", "w9"), *runs_out]
    return record_dealt(table, HANDS, "w11", moves)


@functools.cache
def after_the_draw() -> Recording:
    table = dealt_table(HANDS, "w11", overrides=CLOCK)
    return record_dealt(table, HANDS, "w11", (Draw(deck=0), *RUNS_OUT))


@functools.cache
def after_a_hit() -> Recording:
    table = dealt_table(HANDS, "b6", overrides=CLOCK)
    return record_dealt(table, HANDS, "b6", (Draw(deck=0), guess("2.1", "b1"), *RUNS_OUT))


@functools.cache
def resigned_after_a_call() -> Recording:
    """Seat 0 is called and resigns instead; seat 1 draws."""
    table = dealt_table(HANDS, "w11", overrides=CLOCK)
    moves = (passes(60), calls_clock(2), Resign(), Draw(deck=0))
    return record_dealt(table, HANDS, "w11", moves)


@functools.cache
def plain() -> Recording:
    return record_dealt(dealt_table(HANDS), HANDS, "", (Draw(deck=0),))


def overdue(game: Callable[[], Recording]) -> Callable[[], Moment]:
    return lambda: game().find("overdue", seat=0)


def called(
    *,
    by: int,
    head: bytes | None = None,
    session: bytes | None = None,
    kind: str = CLOCK_KIND,
    signed_by: int | None = None,
) -> Says:
    """Show a call by some accomplice, for the current step unless told otherwise."""

    def says(scene: Scene) -> Payload:
        chain = scene.round.chain
        aside = seal_aside(
            session=chain.session if session is None else session,
            seat=by,
            counter=9,
            head=chain.step.head if head is None else head,
            kind=kind,
            body=None,
            signer=scene.table.who[by if signed_by is None else signed_by],
        )
        return scene.with_field(0, aside.encode())

    return says


def says(*fields: Value) -> Says:
    return lambda scene: scene.says(Body(fields=fields), "overdue")


def old_call(scene: Scene) -> Payload:
    """Use the call that was made on the seat before."""
    (call,) = (peer.game.call for peer in called_moment().table.peers[2:])
    assert call is not None
    return scene.says(Body(fields=(call.raw, 0)), "overdue")


def called_moment() -> Moment:
    return resigned_after_a_call().find("resign")


CHEATS = [
    Cheat(
        name="no call",
        moment=overdue(before_the_draw),
        says=lambda scene: scene.with_field(0, b""),
        check="codec.canonical",
    ),
    Cheat(
        name="a call for another head",
        moment=overdue(before_the_draw),
        says=called(by=2, head=bytes(32)),
        check="overdue.call",
    ),
    Cheat(
        name="a call from before a hit",
        moment=overdue(after_a_hit),
        says=lambda scene: called(by=1, head=scene.round.transcript[-1][0].payload.head)(scene),
        check="overdue.call",
    ),
    Cheat(
        name="a call at another table",
        moment=overdue(before_the_draw),
        says=called(by=2, session=bytes(32)),
        check="overdue.call",
    ),
    Cheat(
        name="a call by the thinker himself",
        moment=overdue(before_the_draw),
        says=called(by=0),
        check="overdue.call",
    ),
    Cheat(
        name="a call by somebody who is out",
        moment=overdue(before_the_draw),
        says=called(by=1),
        check="overdue.call",
    ),
    Cheat(
        name="a call that was said, not called",
        moment=overdue(before_the_draw),
        says=called(by=2, kind="say"),
        check="overdue.call",
    ),
    Cheat(
        name="a call that nobody signed",
        moment=overdue(before_the_draw),
        says=called(by=2, signed_by=0),
        check="aside.signature",
    ),
    Cheat(
        name="a call on the player before, who resigned",
        moment=lambda: resigned_after_a_call().find("draw", seat=1),
        says=old_call,
        check="overdue.call",
    ),
    Cheat(
        name="an overdue turn that draws nothing",
        moment=overdue(before_the_draw),
        says=lambda scene: scene.with_field(1, None),
        check="rules.deck_needed",
    ),
    Cheat(
        name="an overdue turn that draws again",
        moment=overdue(after_the_draw),
        says=lambda scene: scene.with_field(1, 0),
        check="rules.deck_unwanted",
    ),
    Cheat(
        name="an overdue turn after a hit that keeps the drawn tile",
        moment=overdue(after_a_hit),
        says=lambda scene: scene.says(Body(fields=scene.body.fields[:2])),
        check="overdue.shape",
    ),
    Cheat(
        name="an overdue turn after a hit that stands the tile elsewhere",
        moment=overdue(after_a_hit),
        says=lambda scene: scene.with_field(2, 2),
        check="sigma.equation",
    ),
    Cheat(
        name="an overdue turn of somebody else",
        moment=overdue(before_the_draw),
        seat=2,
        says=lambda scene: called(by=2)(scene),
        check="chain.speaker",
    ),
    Cheat(
        name="an overdue turn where no clock runs",
        moment=lambda: plain().find("draw"),
        says=says(b"", 0),
        check="chain.kind",
    ),
]


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_a_cheat_with_the_clock_is_found_out(cheat: Cheat) -> None:
    expect_found_out(cheat)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_the_honest_message_passes(cheat: Cheat) -> None:
    expect_twin_passes(cheat)


@pytest.mark.parametrize("game", [before_the_draw, after_the_draw])
def test_any_other_player_still_in_may_call(game: Callable[[], Recording]) -> None:
    scene = scene_at(overdue(game)())
    scene.tell(called(by=2)(scene))
    scene.expect_accepted()


def test_a_call_counts_from_the_beginning_of_the_thinking() -> None:
    scene = scene_at(overdue(after_the_draw)())
    draw = after_the_draw().find("draw").payload
    scene.tell(called(by=1, head=draw.head)(scene))
    scene.expect_accepted()
