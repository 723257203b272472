"""The clock option at one seat: who may call, from when, and what the thinker's program does."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest

from p2p_davinci.rules.moves import (
    Draw,
    Move,
    Overdue,
    Overran,
    Place,
    Placed,
    Resign,
    Revealed,
)
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session import wire
from p2p_davinci.session.arriving import BEAT_S
from p2p_davinci.session.clock import RETURNS_MAX, TOLERANCE_S
from p2p_davinci.session.events import (
    CallClock,
    ClockCalled,
    ClockIgnored,
    Offered,
    Play,
    Received,
    Refused,
    Say,
    Slept,
    Tick,
    VoteOut,
)
from p2p_davinci.session.game import own_faces, view
from p2p_davinci.session.placing import CLOCK_KIND
from p2p_davinci.session.work import WAIT_S
from protocol import Value, read_aside, seal_aside
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.reborn import reborn
from tests.support.recorded import Event
from tests.support.table import Table, seeded

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
THINK_S, CALL_S = 60.0, 20.0


@functools.cache
def stage(clock: str, *moves: Move | Event) -> Table:
    table = dealt_table(HANDS, "b6 w3", overrides={"clock": clock})
    return record_dealt(table, HANDS, "b6 w3", moves).end


def after(*moves: Move | Event, clock: str = "60+20") -> Table:
    """The table after these moves of whoever is asked; seat 0 begins."""
    return stage(clock, *moves).fork(seeded("clock"))


def dealt(*moves: Move | Event, hands: tuple[str, ...] = HANDS, **overrides: str) -> Table:
    """Such a table under other rules, or with other hands."""
    table = dealt_table(hands, "b6 w3", overrides={"clock": "60+20", **overrides})
    return record_dealt(table, hands, "b6 w3", moves).end.fork(seeded("clock"))


def call(table: Table, seat: int) -> list[Refused]:
    before = len(table.peers[seat].told(Refused))
    table.give(seat, CallClock())
    table.deliver()
    return table.peers[seat].told(Refused)[before:]


def facts(table: Table) -> list[object]:
    return [fact for _, fact in table.peers[0].game.round.board.history]


# --- calling ---------------------------------------------------------------------------------


def test_a_call_is_told_to_all_and_counts_down() -> None:
    table = after()
    table.tick(THINK_S)
    assert call(table, 1) == []
    for peer in table.peers:
        assert peer.told(ClockCalled) == [ClockCalled(by=1, seat=0, call_s=20)]
        assert peer.game.call is not None
        assert peer.game.call.deadline_s == THINK_S + CALL_S
    assert THINK_S + CALL_S in table.peers[0].wakes
    assert THINK_S + CALL_S + TOLERANCE_S in table.peers[2].wakes


@pytest.mark.parametrize(
    ("seat", "early_s", "reason", "values"),
    [
        (0, 0.0, "refused.own_clock", ()),
        (1, 10.5, "refused.clock_early", (("seconds", "11"),)),
    ],
)
def test_a_call_that_may_not_be_is_refused(
    seat: int, early_s: float, reason: str, values: tuple[tuple[str, str], ...]
) -> None:
    table = after()
    table.tick(THINK_S - early_s)
    assert call(table, seat) == [Refused(reason=reason, values=values)]
    assert all(peer.game.call is None for peer in table.peers)


def test_a_clock_is_called_once() -> None:
    table = after()
    table.tick(THINK_S)
    assert call(table, 1) == []
    (refused,) = call(table, 2)
    assert refused.reason == "refused.clock_called"


def test_nobody_calls_where_no_clock_runs() -> None:
    table = after(clock="off")
    table.tick(THINK_S)
    (refused,) = call(table, 1)
    assert refused.reason == "refused.no_clock"


def test_who_is_out_does_not_call() -> None:
    hits = [guess(f"2.{slot}", tile) for slot, tile in enumerate(HANDS[1].split(), 1)]
    table = after(Draw(deck=0), *hits)
    table.tick(THINK_S)
    (refused,) = call(table, 1)
    assert refused.reason == "refused.clock_out"


def test_a_watcher_calls_nothing() -> None:
    table = after()
    table.tick(THINK_S)
    peer = table.peers[1]
    peer.driver._who = None
    assert call(table, 1) == []
    assert peer.game.call is None


# --- running out -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "fact"),
    [
        ((), Overran(deck=0)),
        ((Draw(deck=0),), Overran()),
        ((Draw(deck=0), guess("2.1", "b1")), Overran(slot=4)),
    ],
)
def test_the_thinkers_program_admits_that_time_is_up(
    moves: tuple[Move, ...], fact: Overran
) -> None:
    table = after(*moves)
    table.tick(THINK_S)
    call(table, 1)
    table.tick(CALL_S - 0.1)
    assert fact not in facts(table)
    table.tick(0.1)
    table.deliver()
    assert fact in facts(table)
    assert all(peer.game.call is None for peer in table.peers)
    assert all(peer.blamed is None for peer in table.peers)


def test_a_move_within_the_called_time_ends_the_call() -> None:
    table = after(Draw(deck=0))
    table.tick(THINK_S)
    call(table, 1)
    table.tick(CALL_S - 1)
    table.play(0, guess("2.1", "b1"))
    table.deliver()
    assert all(peer.game.call is None for peer in table.peers)
    table.tick(1)
    assert view(table.peers[0].game).kind == "more"


def test_drawing_does_not_stop_the_clock() -> None:
    table = after()
    table.tick(THINK_S)
    call(table, 1)
    table.play(0, Draw(deck=0))
    table.deliver()
    assert all(peer.game.call is not None for peer in table.peers)
    table.tick(CALL_S)
    table.deliver()
    assert facts(table)[-2] == Overran()


def test_time_is_counted_from_the_beginning_of_the_turn_not_from_the_draw() -> None:
    table = after()
    table.tick(THINK_S - 1)
    table.play(0, Draw(deck=0))
    table.deliver()
    table.tick(1)
    assert call(table, 1) == []


def test_time_begins_anew_after_a_hit() -> None:
    table = after(Draw(deck=0))
    table.tick(THINK_S)
    table.play(0, guess("2.1", "b1"))
    table.deliver()
    (refused,) = call(table, 1)
    assert refused == Refused(reason="refused.clock_early", values=(("seconds", "61"),))


def test_a_call_that_runs_out_while_shares_are_awaited_is_admitted_after_them() -> None:
    table = after()
    table.tick(THINK_S)
    call(table, 1)
    table.play(0, Draw(deck=0))
    table.tick(CALL_S)
    assert view(table.peers[0].game).kind == "shares"
    asked = len(table.peers[0].wakes)
    table.deliver()
    assert table.now_s in table.peers[0].wakes[asked:]
    table.tick(0)
    table.deliver()
    assert facts(table)[-2] == Overran()


def test_a_call_made_while_the_thinker_draws_reaches_him() -> None:
    table = after()
    table.tick(THINK_S)
    table.play(0, Draw(deck=0))
    table.give(1, CallClock())
    table.deliver()
    assert [peer.game.call is not None for peer in table.peers] == [True] * 3


def test_a_player_may_not_give_his_turn_up_as_overdue_without_a_call() -> None:
    table = after()
    table.play(0, Overdue(deck=0))
    (refused,) = table.peers[0].told(Refused)
    assert refused.reason == "refused.not_now"


def test_a_program_that_does_not_obey_is_reported_once() -> None:
    table = after()
    table.tick(THINK_S)
    call(table, 1)
    table.tamper = lambda sender, _to, data: None if sender == 0 else data
    table.tick(CALL_S)
    table.tick(TOLERANCE_S)
    table.tick(1)
    for peer in table.peers[1:]:
        assert peer.told(ClockIgnored) == [ClockIgnored(seat=0)]
    assert table.peers[0].told(ClockIgnored) == []


# --- calls that come over the line -----------------------------------------------------------


def said_by(table: Table, seat: int, **changes: Value) -> bytes:
    chain = table.peers[0].game.round.chain
    fields: dict[str, Value] = {
        "session": chain.session,
        "head": chain.step.head,
        "kind": CLOCK_KIND,
        "body": None,
        **changes,
    }
    aside = seal_aside(seat=seat, counter=1, signer=table.who[seat], **fields)  # type: ignore[arg-type]
    return wire.write(wire.Remark(raw=aside.encode()))


def test_an_early_call_counts_from_when_thinking_time_is_over() -> None:
    table = after()
    table.give(0, Received(seat=1, data=said_by(table, 1)))
    game = table.peers[0].game
    assert game.call is not None
    assert game.call.deadline_s == THINK_S + CALL_S


@pytest.mark.parametrize("changes", [{"head": bytes(32)}, {"body": 1}, {"session": bytes(32)}])
def test_a_call_for_something_else_does_not_count(changes: dict[str, Value]) -> None:
    table = after()
    table.tick(THINK_S)
    table.give(0, Received(seat=1, data=said_by(table, 1, **changes)))
    assert table.peers[0].game.call is None


def test_a_call_by_the_thinker_does_not_count() -> None:
    table = after()
    table.tick(THINK_S)
    table.give(1, Received(seat=0, data=said_by(table, 0)))
    assert table.peers[1].game.call is None


def test_a_call_before_the_first_turn_is_no_call() -> None:
    table = dealt_table(HANDS, overrides={"clock": "60+20"}).start()
    table.give(0, Received(seat=1, data=said_by(table, 1)))
    assert table.peers[0].game.call is None
    assert table.peers[0].blamed is None


def test_a_call_while_a_tile_is_placed_is_no_call() -> None:
    table = dealt_table(HANDS, "b6", "advanced", {"clock": "60+20"})
    table = record_dealt(table, HANDS, "b6", [Draw(deck=0), guess("2.1", "b11")]).end
    table = table.fork(seeded("clock"))
    assert view(table.peers[0].game).kind == "place"
    table.give(1, Received(seat=2, data=said_by(table, 2)))
    assert table.peers[1].game.call is None
    table.play(0, Place())
    assert table.peers[0].told(Refused) == []


def test_a_call_outlives_another_whose_caller_is_out_whoever_heard_which_first() -> None:
    table = after()
    table.tick(THINK_S)
    table.give(1, CallClock())
    table.give(2, CallClock())
    table.deliver()
    assert [peer.game.call and peer.game.call.by for peer in table.peers] == [1, 1, 2]
    table.give(1, Play(move=Resign()))
    table.play(0, Draw(deck=0))
    table.deliver()
    assert table.peers[0].game.round.board.out == (1,)
    assert [peer.game.call and peer.game.call.by for peer in table.peers] == [2] * 3
    table.tick(CALL_S)
    table.deliver()
    assert Overran(deck=None, slot=None) in facts(table)


def is_call(data: bytes) -> bool:
    said = wire.read(data)
    return isinstance(said, wire.Remark) and read_aside(said.raw).kind == CLOCK_KIND


def obeyed(table: Table, within_s: float) -> bool:
    """Whether the thinker's program admits that its time is up, and nobody was told otherwise."""
    table.wait(int(within_s))
    ignored = [event for peer in table.peers for event in peer.told(ClockIgnored)]
    return Overran(deck=0) in facts(table) and not ignored


def test_a_call_that_its_caller_keeps_from_the_thinker_is_passed_on() -> None:
    table = after()
    table.tick(THINK_S)

    def tamper(sender: int, to: int, data: bytes) -> bytes | None:
        return None if (sender, to) == (2, 0) and is_call(data) else data

    table.tamper = tamper
    table.give(2, CallClock())
    table.deliver()
    assert table.peers[0].told(ClockCalled) == [ClockCalled(by=2, seat=0, call_s=20)]
    assert obeyed(table, CALL_S + 1)


@pytest.mark.parametrize("hands", [HANDS, HANDS[:2]], ids=["three", "two"])
def test_a_call_that_the_network_lost_is_sent_again(hands: tuple[str, ...]) -> None:
    table = dealt(hands=hands)
    table.tick(THINK_S)
    table.tamper = lambda _from, to, data: None if to == 0 and is_call(data) else data
    table.give(1, CallClock())
    table.deliver()
    assert table.peers[0].game.call is None
    table.tamper = lambda _from, _to, data: data
    assert obeyed(table, CALL_S + BEAT_S + 1)


def test_a_call_that_overtakes_what_it_is_about_counts_once_that_is_there() -> None:
    table = after()
    table.tick(THINK_S)
    late: list[bytes] = []

    def tamper(sender: int, to: int, data: bytes) -> bytes | None:
        if (sender, to) != (1, 0):
            return data
        late.append(data)
        return None

    table.tamper = tamper
    table.play(0, Draw(deck=0))
    table.deliver()
    table.give(2, CallClock())
    table.deliver()
    assert [peer.game.call is not None for peer in table.peers] == [False, True, True]
    table.tamper = lambda _from, _to, data: data
    for data in late:
        table.give(0, Received(seat=1, data=data))
    table.wait(int(CALL_S + BEAT_S) + 1)
    assert Overran() in facts(table)


def test_a_call_heard_late_is_logged_only_in_its_order() -> None:
    table = after()
    table.tick(THINK_S)
    called = said_by(table, 1)
    table.tamper = lambda _from, to, data: None if to == 0 and is_call(data) else data
    table.give(1, CallClock())
    table.give(1, Say(text="hurry"))
    table.deliver()
    before = len(table.peers[0].log.records)
    table.give(0, Received(seat=1, data=called))
    assert table.peers[0].game.call is not None
    assert len(table.peers[0].log.records) == before


def decide_late(table: Table, kind: str) -> Placed | Revealed:
    """Return how a turn ends in which a decision of this kind is left once it was overdue."""
    assert view(table.peers[0].game).kind == kind
    (refused,) = call(table, 1)
    assert refused.reason == "refused.clock_rests"
    ends_s = table.peers[0].game.opened_s + CALL_S
    assert ends_s in table.peers[0].wakes
    table.wait(int(ends_s - table.now_s) - 1)
    assert view(table.peers[0].game).kind == kind
    table.wait(2)
    assert all(peer.blamed is None for peer in table.peers)
    *_, ends = [fact for fact in facts(table) if isinstance(fact, Placed | Revealed)]
    return ends


def test_a_tile_that_an_overdue_turn_leaves_in_the_hand_is_placed_after_another_while() -> None:
    table = dealt(jokers="yes")
    table.tick(THINK_S)
    call(table, 1)
    table.wait(int(CALL_S) + 1)
    assert decide_late(table, "place") == Placed(tile=parse_tile("b6"), slot=4)


def test_a_tile_to_turn_up_in_an_overdue_turn_is_turned_up_after_another_while() -> None:
    table = dealt(empty_miss="reveal")
    for other in (0, 1):
        table.disconnect(other, 2)
    table.play(0, Draw(deck=0))
    table.wait(int(WAIT_S) + 1)
    for other in (0, 1):
        table.give(other, VoteOut(seat=2))
    table.deliver()
    assert set(table.peers[0].game.round.board.pile) == {0}
    table.wait(int(THINK_S))
    assert call(table, 1) == []
    table.wait(int(CALL_S) + 1)
    row, _ = own_faces(table.peers[0].game)
    shown = decide_late(table, "turn-up")
    assert shown == Revealed(slot=shown.slot, tile=row[shown.slot - 1])


def test_who_was_in_time_places_its_tile_at_leisure() -> None:
    moves: list[Move | Event] = [Draw(deck=0), guess("2.1", "b11")]
    table = dealt(*moves, jokers="yes")
    assert view(table.peers[0].game).kind == "place"
    table.wait(int(CALL_S) * 3)
    assert view(table.peers[0].game).kind == "place"


def test_nobody_is_held_to_a_call_while_a_tile_is_placed() -> None:
    table = dealt(jokers="yes")
    table.tick(THINK_S)
    call(table, 1)
    table.wait(int(CALL_S) + 1)
    assert view(table.peers[0].game).kind == "place"
    table.wait(int(WAIT_S) + 2)
    assert [event for peer in table.peers for event in peer.told(Offered)] == []


def test_who_is_away_is_not_told_to_ignore_the_clock() -> None:
    table = after()
    table.tick(THINK_S)
    for other in (1, 2):
        table.disconnect(0, other)
    call(table, 1)
    table.wait(int(CALL_S + TOLERANCE_S) + 1)
    assert [event for peer in table.peers for event in peer.told(ClockIgnored)] == []


def test_who_has_just_woken_tells_nobody_to_ignore_the_clock() -> None:
    table = after()
    table.tick(THINK_S)
    call(table, 1)
    table.now_s += CALL_S + TOLERANCE_S + 1
    table.give(2, Slept())
    table.give(2, Tick())
    assert table.peers[2].told(ClockIgnored) == []


def test_who_comes_back_has_the_whole_time_of_a_call_but_not_again_and_again() -> None:
    table = after()
    table.tick(THINK_S)
    call(table, 1)
    for times in range(1, RETURNS_MAX + 3):
        table.wait(int(CALL_S) - 1)
        for other in (1, 2):
            table.disconnect(0, other)
        table.peers[0].driver._game = replace(table.peers[0].game, calls=())
        for other in (1, 2):
            table.connect(0, other)
        held = table.peers[1].game.call
        assert held is not None
        anew = min(times, RETURNS_MAX)
        assert held.returns == anew
        assert held.deadline_s == THINK_S + anew * (CALL_S - 1) + CALL_S


def test_a_thinker_who_comes_back_has_thought_while_it_was_away() -> None:
    table = after()
    table.tick(THINK_S + 5)
    reborn(table, 0)
    call(table, 1)
    assert [peer.game.call and peer.game.call.deadline_s for peer in table.peers] == [
        THINK_S + 5 + CALL_S
    ] * 3


def test_a_thinker_who_comes_back_is_told_of_the_call_that_it_had_heard() -> None:
    table = after()
    table.tick(THINK_S)
    call(table, 1)
    back = reborn(table, 0)
    assert back.told(ClockCalled) == [ClockCalled(by=1, seat=0, call_s=20)]
    assert table.now_s + CALL_S in back.wakes
    table.deliver()
    assert len(back.told(ClockCalled)) == 1


def test_a_call_counts_no_more_once_its_caller_is_out() -> None:
    table = after()
    table.tick(THINK_S)
    call(table, 1)
    table.give(1, Play(move=Resign()))
    table.play(0, Draw(deck=0))
    table.deliver()
    assert table.peers[0].game.round.board.out == (1,)
    assert [peer.game.call for peer in table.peers] == [None] * 3
    table.tick(CALL_S + TOLERANCE_S)
    table.deliver()
    assert table.peers[0].game.round.step == "guess"
    assert call(table, 2) == []
    assert [peer.game.call is not None for peer in table.peers] == [True] * 3
