"""Cheats with the tiles: taking, shares, draws, guesses, answers, and what is turned up."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_davinci.rules.moves import Draw, Move, Stop
from p2p_davinci.rules.state import Phase
from p2p_davinci.session import deal, turns
from p2p_davinci.session.messages import Body, order_fields, read_body
from p2p_davinci.session.rows import NO_ORDER
from protocol import Payload, as_bytes, prove_miss
from protocol.group import edwards25519
from tests.support.cheating import Cheat, Scene, expect_found_out, expect_twin_passes
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import (
    Moment,
    Recording,
    patient,
    record,
    recording,
    right_guess,
    spent,
)
from tests.support.table import Peer, Table, new_table, seeded

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
PILE = "b6 w3 b11 w4"

Says = Callable[[Scene], Payload]


@functools.cache
def game() -> Recording:
    """Seat 0 hits, misses and places; seat 1 hits and stops; seat 2 misses and places."""
    moves = (
        Draw(deck=0),
        guess("2.1", "b1"),
        guess("2.2", "b4"),
        Draw(deck=0),
        guess("3.1", "w0"),
        Stop(),
        Draw(deck=0),
        guess("1.1", "w9"),
        Draw(deck=0),
        guess("2.2", "b2"),
    )
    return record_dealt(dealt_table(HANDS, PILE), HANDS, PILE, moves)


def at(
    kind: str,
    *,
    seat: int | None = None,
    nth: int = 0,
    of: Callable[[], Recording] = game,
    where: Callable[[Moment], bool] = lambda _: True,
) -> Callable[[], Moment]:
    return lambda: of().find(kind, seat=seat, nth=nth, where=where)


# --- taking, and shares ----------------------------------------------------------------------


def before_the_first_turn(moment: Moment) -> bool:
    return moment.table.peers[0].game.round.state is None


def in_a_turn(moment: Moment) -> bool:
    return not before_the_first_turn(moment)


def points(change: Callable[[list[bytes]], list[bytes]]) -> Says:
    """Change the shares in the honest message, and leave its proof as it is."""

    def says(scene: Scene) -> Payload:
        blob = as_bytes(scene.body.fields[0], "shares")
        shares = [blob[k : k + 32] for k in range(0, len(blob), 32)]
        return scene.with_field(0, b"".join(change(shares)))

    return says


def said_before(kind: str, nth: int = 0) -> Says:
    """Say again what the same seat said in an earlier step."""

    def says(scene: Scene) -> Payload:
        return scene.says(read_body(game().find(kind, seat=scene.seat, nth=nth).payload.body))

    return says


SHARING = [
    Cheat(
        name="a tile too many",
        moment=at("take", of=lambda: recording("classic")),
        says=lambda scene: scene.with_field(0, (4, 1)),
        check="take.size",
    ),
    Cheat(
        name="more tiles of a colour than a hand has",
        moment=at("take", of=lambda: recording("classic")),
        says=lambda scene: scene.with_field(0, (5, 0)),
        check="take.shape",
    ),
    Cheat(
        name="tiles of a third colour",
        moment=at("take", of=lambda: recording("classic")),
        says=lambda scene: scene.with_field(0, (2, 1, 1)),
        check="take.shape",
    ),
    Cheat(
        name="shares made with another key",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=lambda scene: scene.says(
            deal.make_shares_sent(scene.round, scene.me_with_another_key)
        ),
        check="sigma.equation",
    ),
    Cheat(
        name="one share wrong",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=points(lambda shares: [edwards25519.generator, *shares[1:]]),
        check="sigma.equation",
    ),
    Cheat(
        name="a share missing",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=points(lambda shares: shares[1:]),
        check="point.length",
    ),
    Cheat(
        name="a share too many",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=points(lambda shares: [*shares, shares[0]]),
        check="point.length",
    ),
    Cheat(
        name="one share twice",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=points(lambda shares: [shares[1], *shares[1:]]),
        check="sigma.equation",
    ),
    Cheat(
        name="two shares swapped",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=points(lambda shares: [shares[1], shares[0], *shares[2:]]),
        check="sigma.equation",
    ),
    Cheat(
        name="shares without a proof",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=lambda scene: scene.with_proofs(),
        check="shares.shape",
    ),
    Cheat(
        name="the share of another turn",
        moment=at("shares", seat=2, nth=2),
        says=said_before("shares", 1),
        check="sigma.equation",
    ),
    Cheat(
        name="somebody else's share",
        moment=at("shares", seat=1, where=in_a_turn),
        says=lambda scene: scene.says(
            read_body(game().find("shares", seat=2, where=in_a_turn).payload.body)
        ),
        check="sigma.equation",
    ),
    Cheat(
        name="an identity for a share",
        moment=at("shares", seat=1, where=in_a_turn),
        says=lambda scene: scene.with_field(0, edwards25519.identity),
        check="point.identity",
    ),
    Cheat(
        name="a share of one's own drawn tile",
        moment=at("shares", seat=1, where=in_a_turn),
        seat=0,
        says=lambda scene: scene.says(
            deal.make_shares_sent(scene.round, replace(scene.me, seat=1))
        ),
        check="chain.speaker",
    ),
]


# --- drawing and guessing --------------------------------------------------------------------


def says(kind: str, *fields: int | str | None) -> Says:
    return lambda scene: scene.says(Body(fields=fields), kind)


def no_black_left(moment: Moment) -> bool:
    pile = moment.table.peers[1 - moment.payload.seat].game.round.board.pile
    return pile[0] == 0 and pile[1] > 0


def after_a_hit(moment: Moment) -> bool:
    return moment.table.peers[2].game.round.step == "more"


DRAWING = [
    Cheat(
        name="drawing twice",
        moment=at("guess", seat=0),
        says=says("draw", 0),
        check="chain.kind",
    ),
    Cheat(
        name="drawing out of turn",
        moment=at("draw", seat=1),
        seat=2,
        says=says("draw", 0),
        check="chain.speaker",
    ),
    Cheat(
        name="guessing out of turn",
        moment=at("draw", seat=1),
        seat=0,
        says=says("guess", 2, 1, "b4"),
        check="chain.speaker",
    ),
    Cheat(
        name="guessing before the draw",
        moment=at("draw", seat=1),
        says=says("guess", 0, 1, "b0"),
        check="chain.kind",
    ),
    Cheat(
        name="drawing from a deck that is not there",
        moment=at("draw", seat=1),
        says=says("draw", 1),
        check="draw.shape",
    ),
    Cheat(
        name="drawing a colour that is used up",
        moment=at("draw", of=spent, where=no_black_left),
        says=says("draw", 0),
        check="rules.colour_used_up",
    ),
    Cheat(
        name="stopping without a guess",
        moment=at("guess", seat=0),
        says=says("stop", None),
        check="chain.kind",
    ),
    Cheat(
        name="pointing at one's own tile",
        moment=at("guess", seat=0),
        says=says("guess", 0, 1, "b0"),
        check="rules.own_tile",
    ),
    Cheat(
        name="pointing at nobody",
        moment=at("guess", seat=0),
        says=says("guess", 3, 1, "b1"),
        check="guess.shape",
    ),
    Cheat(
        name="pointing beside the row",
        moment=at("guess", seat=0),
        says=says("guess", 1, 5, "b1"),
        check="rules.no_such_slot",
    ),
    Cheat(
        name="pointing at an open tile",
        moment=at("guess", seat=0, where=after_a_hit),
        says=says("guess", 1, 1, "b2"),
        check="rules.face_up",
    ),
    Cheat(
        name="calling a tile that is not in the game",
        moment=at("guess", seat=0),
        says=says("guess", 1, 1, "b12"),
        check="rules.no_such_tile",
    ),
    Cheat(
        name="calling nonsense",
        moment=at("guess", seat=0),
        says=says("guess", 1, 1, "x1"),
        check="guess.call",
    ),
    Cheat(
        name="answering for somebody else",
        moment=at("answer", seat=1),
        seat=2,
        says=lambda scene: scene.says(scene.body),
        check="chain.speaker",
    ),
]


@functools.cache
def stopped_with_nothing_drawn() -> Recording:
    """Seat 0 hits with an empty pile and stops."""
    table = new_table(2, "standard", seed="stopped")
    state = {"stopping": False}

    def script(table: Table, peer: Peer) -> Move | None:
        board = peer.game.round.board
        if board.drawn is not None or board.phase is Phase.DRAW:
            return patient(table, peer)
        if board.phase is Phase.MORE:
            return None if state["stopping"] else stop()
        return right_guess(table, peer.seat)

    def stop() -> Move:
        state["stopping"] = True
        return Stop()

    return record(table, script)


STOPPING = [
    Cheat(
        name="standing a tile although none was drawn",
        moment=at("stop", of=stopped_with_nothing_drawn),
        says=lambda scene: scene.with_field(0, 1),
        check="stop.shape",
    ),
    Cheat(
        name="standing a tile with all its fields although none was drawn",
        moment=at("stop", of=stopped_with_nothing_drawn),
        says=lambda scene: scene.says(Body(fields=(1, b"", b"", b""), proofs=(b"", b""))),
        check="stop.shape",
    ),
]

# --- answers ---------------------------------------------------------------------------------


def is_hit(hit: bool) -> Callable[[Moment], bool]:
    return lambda moment: read_body(moment.payload.body).fields[0] is hit


def opens(slot: int) -> Says:
    """Answer with the opening of the tile at a slot of one's own row, whatever was asked."""

    def says(scene: Scene) -> Payload:
        held = scene.round.hands[scene.seat][slot - 1]
        opening = turns.make_opening(scene.round, scene.me, held, (True,))
        return scene.says(Body(fields=(True, opening.field), proofs=opening.proofs))

    return says


def denies(slot: int | None = None, called: int | None = None) -> Says:
    """Say that it was a miss, proving that another tile is not the called one, or not another."""

    def says(scene: Scene) -> Payload:
        question = turns.asked(scene.round)
        held = question.held if slot is None else scene.round.hands[scene.seat][slot - 1]
        code = scene.me.secrets.code_of(held)
        wrong = question.called.code if called is None else called
        tag = scene.round.tag(scene.seat, "answer.miss", (False,))
        pretended = code if code != wrong else code + 1
        key = scene.me.secrets.key
        proof = prove_miss(key, held.cipher, pretended, wrong, tag, seeded(0))
        return scene.says(Body(fields=(False,), proofs=(proof,)))

    return says


def opened_with_another_key(scene: Scene) -> Payload:
    held = turns.asked(scene.round).held
    opening = turns.make_opening(scene.round, scene.me_with_another_key, held, (True,))
    return scene.says(Body(fields=(True, opening.field), proofs=opening.proofs))


def shared_not_opened(scene: Scene) -> Payload:
    """Open the last tile as if it were any other."""
    held = replace(turns.asked(scene.round).held, value=None)
    opening = turns.make_opening(scene.round, scene.me, held, (True,))
    return scene.says(Body(fields=(True, opening.field), proofs=opening.proofs))


def last_tile(moment: Moment) -> bool:
    return not read_body(moment.payload.body).proofs


ANSWERING = [
    Cheat(
        name="a false miss",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=denies(),
        check="sigma.equation",
    ),
    Cheat(
        name="a miss of another tile",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=denies(slot=2),
        check="sigma.equation",
    ),
    Cheat(
        name="a miss of another call",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=denies(called=24),
        check="sigma.equation",
    ),
    Cheat(
        name="a miss without proof",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=lambda scene: scene.says(Body(fields=(False,), proofs=(b"",))),
        check="sigma.length",
    ),
    Cheat(
        name="the miss of an earlier guess",
        moment=at("answer", seat=1, nth=2),
        says=said_before("answer", 1),
        check="sigma.equation",
    ),
    Cheat(
        name="a false hit",
        moment=at("answer", seat=1, where=is_hit(False)),
        says=opens(2),
        check="answer.code",
    ),
    Cheat(
        name="a hit that opens another tile",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=opens(3),
        check="sigma.equation",
    ),
    Cheat(
        name="a hit opened with another key",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=opened_with_another_key,
        check="sigma.equation",
    ),
    Cheat(
        name="a hit without proof",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=lambda scene: scene.with_proofs(),
        check="answer.shape",
    ),
    Cheat(
        name="neither hit nor miss",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=lambda scene: scene.with_field(0, 1),
        check="answer.shape",
    ),
    Cheat(
        name="no key with the last tile",
        moment=at("answer", of=lambda: recording("standard"), where=last_tile),
        says=shared_not_opened,
        check="answer.shape",
    ),
    Cheat(
        name="a wrong key with the last tile",
        moment=at("answer", of=lambda: recording("standard"), where=last_tile),
        says=lambda scene: scene.with_field(1, scene.me_with_another_key.secrets.key),
        check="key.secret",
    ),
    Cheat(
        name="no key but zero with the last tile",
        moment=at("answer", of=lambda: recording("standard"), where=last_tile),
        says=lambda scene: scene.with_field(1, bytes(32)),
        check="key.zero",
    ),
]


# --- turning up ------------------------------------------------------------------------------


def places(slot: int, *, shown: int | None = None, order: bool = True) -> Says:
    """Place the drawn tile at a slot with the honest order proof, or without.

    ``shown`` is the slot of the tile that is turned up instead of the drawn one.
    """

    def says(scene: Scene) -> Payload:
        round_ = scene.round
        held = round_.drawn if shown is None else round_.hands[scene.seat][shown - 1]
        assert held is not None
        before = (slot, *(scene.body.fields[1:3] if order else order_fields(NO_ORDER)))
        opening = turns.make_opening(round_, scene.me, replace(held, value=None), before)
        proof = scene.body.proofs[1] if order else b""
        return scene.says(Body(fields=(*before, opening.field), proofs=(*opening.proofs, proof)))

    return says


def turns_up(slot: int, shown: int) -> Says:
    """Name one slot, and open the tile at another."""

    def says(scene: Scene) -> Payload:
        held = scene.round.hands[scene.seat][shown - 1]
        opening = turns.make_opening(scene.round, scene.me, held, (slot,))
        return scene.says(Body(fields=(slot, opening.field), proofs=opening.proofs))

    return says


def slots(scene: Scene, *, standing: bool) -> list[int]:
    row = scene.round.board.rows[scene.seat]
    return [slot for slot, piece in enumerate(row, 1) if piece.standing is standing]


TURNING_UP = [
    Cheat(
        name="keeping the drawn tile hidden after a miss",
        moment=at("place", seat=0),
        says=says("stop", None),
        check="chain.kind",
    ),
    Cheat(
        name="turning up another tile than the drawn one",
        moment=at("place", seat=0),
        says=places(4, shown=1),
        check="sigma.equation",
    ),
    Cheat(
        name="placing it elsewhere than opened",
        moment=at("place", seat=0),
        says=lambda scene: scene.with_field(0, 3),
        check="sigma.equation",
    ),
    Cheat(
        name="placing it elsewhere than proved",
        moment=at("place", seat=0),
        says=places(3),
        check="sigma.equation",
    ),
    Cheat(
        name="placing it at an end, where one gap less is to be proved",
        moment=at("place", seat=0),
        says=places(1),
        check="point.length",
    ),
    Cheat(
        name="placing it nowhere",
        moment=at("place", seat=0),
        says=places(6),
        check="rules.slot_illegal",
    ),
    Cheat(
        name="placing it without an order proof",
        moment=at("place", seat=0),
        says=places(4, order=False),
        check="point.length",
    ),
    Cheat(
        name="turning up a tile that lies open",
        moment=at("turn-up", of=spent),
        says=lambda scene: turns_up(slots(scene, standing=False)[0], 1)(scene),
        check="rules.face_up",
    ),
    Cheat(
        name="turning up another tile than named",
        moment=at("turn-up", of=spent),
        says=lambda scene: turns_up(*slots(scene, standing=True)[:2])(scene),
        check="sigma.equation",
    ),
    Cheat(
        name="turning up nothing",
        moment=at("turn-up", of=spent),
        says=lambda scene: scene.with_field(0, 0),
        check="rules.face_up",
    ),
    Cheat(
        name="drawing instead of turning up",
        moment=at("turn-up", of=spent),
        says=says("draw", 0),
        check="chain.kind",
    ),
]

CHEATS = SHARING + DRAWING + STOPPING + ANSWERING + TURNING_UP


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_a_cheat_with_tiles_is_found_out(cheat: Cheat) -> None:
    expect_found_out(cheat)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_the_honest_message_passes(cheat: Cheat) -> None:
    expect_twin_passes(cheat)
