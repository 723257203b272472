"""Players who leave for good: when a game goes on without them, and when it cannot."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from p2p_davinci.rules.moves import Draw
from p2p_davinci.session import wire
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.events import (
    GameOver,
    Halted,
    Left,
    Offered,
    Received,
    SaveAndStop,
    Stage,
)
from p2p_davinci.session.game import view
from p2p_davinci.session.play import RECEIPT_WAIT_S
from p2p_davinci.session.work import WAIT_S
from tests.support.dealt import dealt_table, record_dealt
from tests.support.recorded import decided, finish, recording, resigns
from tests.support.table import Table, seeded

FAREWELL = wire.write(wire.Farewell())


def before(kind: str, *, seat: int | None = None, nth: int = 0) -> Table:
    where = decided if kind == "key" else lambda _: True
    moment = recording("standard").find(kind, seat=seat, nth=nth, where=where)
    return moment.table.fork(seeded("leaving"))


def leave(table: Table, seat: int) -> None:
    """A seat says farewell; nothing of it arrives any more, nor does it hear anything."""
    for peer in table.peers:
        if peer.seat != seat:
            table.give(peer.seat, Received(seat=seat, data=FAREWELL))
            table.cut.add(frozenset({seat, peer.seat}))
    for sender, to, data in list(table.mail):
        if seat in (sender, to):
            table.mail.remove((sender, to, data))


@pytest.mark.parametrize("kind", ["commit", "open", "shuffle", "shares", "arrange"])
def test_who_leaves_before_the_deal_is_complete_stops_the_game(kind: str) -> None:
    table = before(kind)
    leave(table, 1)
    for seat in (0, 2):
        assert table.peers[seat].game.stopped == Halted(reason="left", seat=1)
        verdict = verify_log(table.peers[seat].log_bytes)
        assert verdict.status is Status.UNFINISHED
        assert [(note.reason, note.seat) for note in verdict.notes] == [("left", 1)]


def test_a_peer_may_be_given_up_by_the_program_too() -> None:
    table = before("shuffle")
    table.give(0, Left(seat=1, reason="unreachable"))
    assert table.peers[0].game.stopped == Halted(reason="unreachable", seat=1)


@pytest.mark.parametrize("kind", ["draw", "guess", "answer", "stop", "place"])
def test_who_leaves_in_the_round_is_missed_when_it_is_awaited(kind: str) -> None:
    table = before(kind)
    leave(table, 1)
    table.deliver()
    while (peer := table.due()) is not None and peer.seat != 1:
        table.play(peer.seat, table.bot_move(peer))
        table.deliver()
    for seat in (0, 2):
        shown = view(table.peers[seat].game)
        assert shown.stage is Stage.PLAY
        assert shown.awaited == (1,)
        (offered,) = table.peers[seat].told(Offered)
        assert (offered.seat, offered.vote, offered.claim) == (1, True, False)


def resigned(preset: str = "standard", overrides: Mapping[str, str] | None = None) -> Table:
    """Seat 0 has drawn, and seat 1 has resigned."""
    hands = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
    events = (resigns(1), Draw(deck=0))
    table = record_dealt(dealt_table(hands, "", preset, overrides), hands, "", events).end
    table = table.fork(seeded("leaving"))
    assert table.peers[0].game.round.board.out == (1,)
    return table


def test_who_is_out_may_leave_without_harm() -> None:
    table = resigned()
    leave(table, 1)
    finish(table)
    for seat in (0, 2):
        assert view(table.peers[seat].game).stage is Stage.OVER
        verdict = verify_log(table.peers[seat].log_bytes)
        assert (verdict.status, verdict.receipts_missing) == (Status.FINISHED, (1,))
        assert table.peers[seat].told(GameOver)[0].winners == verdict.winners


def test_who_is_out_may_be_silent_without_harm() -> None:
    table = resigned()
    table.disconnect(0, 1)
    table.disconnect(1, 2)
    table.tick(60)
    assert [table.peers[seat].game.stopped for seat in (0, 2)] == [None, None]
    finish(table)
    table.tick(RECEIPT_WAIT_S)
    assert [view(table.peers[seat].game).stage for seat in (0, 2)] == [Stage.OVER] * 2


def test_who_saves_and_stops_has_a_game_to_go_on_with() -> None:
    table = before("guess")
    table.deliver()
    peer = table.peers[1]
    table.give(1, SaveAndStop())
    assert peer.game.stopped == Halted(reason="saved", seat=1)
    shown = view(peer.game)
    assert (shown.stage, shown.due) == (Stage.HALTED, False)
    verdict = verify_log(peer.log_bytes)
    assert verdict.status is Status.UNFINISHED
    assert [(note.kind, note.reason, note.seat) for note in verdict.notes] == [
        ("halted", "saved", 1)
    ]


# --- at the end ------------------------------------------------------------------------------


def test_a_winner_who_leaves_without_his_key_has_won_all_the_same() -> None:
    table = before("key")
    (winner,) = view(table.peers[0].game).awaited or (table.mail[0][0],)
    others = [peer for peer in table.peers if peer.seat != winner]
    leave(table, winner)
    for peer in others:
        (over,) = peer.told(GameOver)
        assert over.winners == (winner,)
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.winners) == (Status.FINISHED, (winner,))
        assert verdict.receipts_missing == (0, 1, 2)


def test_a_winner_whose_bonus_is_not_counted_has_not_won_yet() -> None:
    game = recording("tournament", 3, 2, rounds="1")
    table = game.find("key", where=decided).table.fork(seeded("leaving"))
    winner = table.mail[0][0]
    leave(table, winner)
    for peer in table.peers:
        if peer.seat != winner:
            assert peer.game.stopped == Halted(reason="left", seat=winner)
            verdict = verify_log(peer.log_bytes)
            assert (verdict.status, verdict.awaited) == (Status.UNFINISHED, (winner,))


def test_who_leaves_before_the_key_although_it_is_not_his_does_no_harm() -> None:
    table = before("key")
    winner = table.mail[0][0]
    leave(table, (winner + 1) % 3)
    assert all(peer.game.stopped is None for peer in table.peers)
    table.deliver()
    stages = [view(p.game).stage for p in table.peers if p.seat != (winner + 1) % 3]
    assert stages == [Stage.OVER] * 2


def test_a_receipt_that_never_comes_blocks_nobody() -> None:
    table = before("receipt")
    table.tamper = lambda sender, _to, data: None if sender == 2 else data
    table.deliver()
    assert view(table.peers[0].game).stage is Stage.ENDING
    assert RECEIPT_WAIT_S in table.peers[0].wakes
    table.tick(RECEIPT_WAIT_S - 0.1)
    assert view(table.peers[0].game).stage is Stage.ENDING
    table.tick(0.1)
    for seat in (0, 1):
        assert view(table.peers[seat].game).stage is Stage.OVER
        verdict = verify_log(table.peers[seat].log_bytes)
        assert (verdict.status, verdict.receipts_missing) == (Status.FINISHED, (2,))


def test_who_leaves_before_the_receipts_is_not_waited_for() -> None:
    table = before("receipt")
    leave(table, 2)
    table.deliver()
    for seat in (0, 1):
        assert view(table.peers[seat].game).stage is Stage.OVER
    assert {peer.game.round.chain.step.head for peer in table.peers[:2]} == {
        table.peers[0].told(GameOver)[0].head
    }


# --- with a round to come --------------------------------------------------------------------


@pytest.mark.parametrize("nth", [0, 2])
def test_who_leaves_between_rounds_stops_the_game(nth: int) -> None:
    game = recording("tournament", 3, 2, rounds="2")
    table = game.find("receipt", nth=nth).table.fork(seeded("leaving"))
    leave(table, 1)
    table.deliver()
    for seat in (0, 2):
        assert table.peers[seat].game.stopped == Halted(reason="left", seat=1)
        assert verify_log(table.peers[seat].log_bytes).status is Status.UNFINISHED


def test_who_left_when_out_is_missed_in_the_next_round() -> None:
    table = resigned("tournament", {"jokers": "no", "rounds": "2"})
    leave(table, 1)
    finish(table)
    for seat in (0, 2):
        assert table.peers[seat].game.stopped == Halted(reason="left", seat=1)


def test_receipts_are_not_hurried_while_a_round_is_to_come() -> None:
    game = recording("tournament", 3, 2, rounds="2")
    table = game.find("receipt").table.fork(seeded("leaving"))
    table.tamper = lambda sender, _to, data: None if sender == 2 else data
    table.deliver()
    table.tick(RECEIPT_WAIT_S)
    assert table.peers[0].game.stopped is None
    assert view(table.peers[0].game).awaited == (2,)


# --- linked, but mute ------------------------------------------------------------------------


def muted(kind: str, *, seat: int, nth: int = 0, preset: str = "standard") -> Table:
    """A table at which nothing that ``seat`` says arrives from now on; its links stand."""
    found = recording(preset).find(kind, seat=seat, nth=nth)
    table = found.table.fork(seeded("mute"))
    table.tamper = lambda sender, _to, data: None if sender == seat else data
    return table


@pytest.mark.parametrize("kind", ["commit", "open", "shuffle", "shares", "arrange"])
def test_whose_program_says_nothing_before_the_deal_is_complete_stops_the_game(kind: str) -> None:
    table = muted(kind, seat=1)
    table.wait(2 * int(WAIT_S) - 1)
    assert [table.peers[seat].game.stopped for seat in (0, 2)] == [None, None]
    table.wait(2)
    for seat in (0, 2):
        assert table.peers[seat].game.stopped == Halted(reason="silent", seat=1)


def test_a_player_who_has_to_choose_may_take_longer_than_a_program() -> None:
    table = muted("take", seat=1, preset="classic")
    table.wait(3 * int(WAIT_S))
    assert [table.peers[seat].game.stopped for seat in (0, 2)] == [None, None]


def test_a_winner_who_keeps_its_key_has_won_without_it() -> None:
    winner = recording("standard").find("key", where=decided).payload.seat
    table = muted("key", seat=winner)
    table.wait(2 * int(WAIT_S) + 1)
    for peer in table.peers:
        if peer.seat != winner:
            assert [over.winners for over in peer.told(GameOver)] == [(winner,)]


def test_a_receipt_that_the_next_round_needs_is_not_awaited_for_ever() -> None:
    game = recording("tournament", 3, 2, rounds="2")
    table = game.find("receipt", seat=1).table.fork(seeded("mute"))
    table.tamper = lambda sender, _to, data: None if sender == 1 else data
    table.wait(2 * int(WAIT_S) + 1)
    for seat in (0, 2):
        assert table.peers[seat].game.stopped == Halted(reason="silent", seat=1)
