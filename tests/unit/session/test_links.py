"""Links that break and come back: who lacks something gets it, who stays away is waited for."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from p2p_davinci.rules.moves import Arrange, Draw
from p2p_davinci.session import wire
from p2p_davinci.session.arriving import BEAT_S, RELAY_BEAT_S
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.events import (
    GameOver,
    Halted,
    Input,
    Left,
    LinkDown,
    LinkUp,
    Offered,
    Received,
    Refused,
    Stage,
)
from p2p_davinci.session.game import view
from p2p_davinci.session.work import WAIT_S
from protocol import seal
from tests.support.dealt import dealt_table, record_dealt
from tests.support.recorded import decided, finish, payload_in, recording, resigns
from tests.support.table import Table, new_table, seeded

PAIRS = list(itertools.combinations(range(3), 2))


def before(kind: str, nth: int = 0) -> Table:
    """The table when a message has been sent and is under way."""
    return recording("standard").find(kind, nth=nth).table.fork(seeded("links"))


def expect_together(table: Table) -> None:
    """Check that all have read the same, and nobody is blamed."""
    assert all(peer.blamed is None for peer in table.peers)
    assert len({peer.game.round.chain.step.head for peer in table.peers}) == 1


# --- catching up -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize(
    ("kind", "nth"),
    [("commit", 0), ("open", 2), ("shuffle", 1), ("shares", 1), ("arrange", 1), ("guess", 3)],
)
def test_what_was_lost_with_a_link_is_sent_again(
    kind: str, nth: int, pair: tuple[int, int]
) -> None:
    table = before(kind, nth)
    table.disconnect(*pair)
    table.deliver()
    table.connect(*pair)
    table.deliver()
    expect_together(table)
    finish(table)
    assert set(table.stages) == {Stage.OVER}
    assert len({peer.log_bytes for peer in table.peers}) == 1


def test_a_game_goes_on_over_links_that_keep_breaking() -> None:
    table = new_table(3, seed="breaking").start()
    pairs = itertools.cycle(PAIRS)
    while table.mail or table.due() is not None:
        for _ in range(20):
            if table.mail:
                table.deliver_one()
            elif (peer := table.due()) is not None:
                table.play(peer.seat, table.bot_move(peer))
        pair = next(pairs)
        table.disconnect(*pair)
        table.connect(*pair)
    assert set(table.stages) == {Stage.OVER}
    assert len({peer.log_bytes for peer in table.peers}) == 1


def test_a_seat_that_is_out_and_cut_off_catches_up_with_many_steps() -> None:
    hands = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
    events = (resigns(1), Draw(deck=0))
    table = record_dealt(dealt_table(hands), hands, "", events).end.fork(seeded("links"))
    away = table.peers[1]
    table.disconnect(1, 0)
    table.disconnect(1, 2)
    behind = away.game.round.chain.step.number
    for _ in range(12):
        if (peer := table.due()) is not None:
            table.play(peer.seat, table.bot_move(peer))
            table.deliver()
    assert away.game.round.chain.step.number == behind
    table.connect(1, 0)
    table.deliver()
    expect_together(table)
    assert away.game.round.chain.step.number > behind + 12


@pytest.mark.parametrize("kind", ["key", "receipt"])
def test_a_link_that_breaks_between_rounds_loses_nothing(kind: str) -> None:
    game = recording("tournament", 3, 2, rounds="2")
    table = game.find(kind, where=decided).table.fork(seeded("links"))
    for pair in PAIRS:
        table.disconnect(*pair)
    table.deliver()
    for pair in PAIRS:
        table.connect(*pair)
    table.deliver()
    expect_together(table)
    assert len(table.peers[0].game.past) == 1


def test_who_is_a_round_behind_gets_the_rest_of_both() -> None:
    game = recording("tournament", 3, 2, rounds="2")
    table = game.find("receipt", nth=2).table.fork(seeded("links"))
    table.disconnect(0, 2)
    table.disconnect(1, 2)
    table.deliver()
    for seat in (0, 1):
        table.connect(seat, 2)
    table.deliver()
    expect_together(table)
    finish(table)
    assert set(table.stages) == {Stage.OVER}
    assert len({peer.log_bytes for peer in table.peers}) == 1


def test_who_missed_the_end_is_told_by_those_who_saw_it() -> None:
    table = recording("standard").find("key", where=decided).table.fork(seeded("links"))
    winner = table.mail[0][0]
    away, other = (winner + 1) % 3, (winner + 2) % 3
    table.disconnect(winner, away)
    table.disconnect(other, away)
    table.deliver()
    table.tick(10)
    assert view(table.peers[away].game).kind == "key"
    assert {view(table.peers[seat].game).stage for seat in (winner, other)} == {Stage.OVER}
    table.connect(other, away)
    table.deliver()
    table.tick(10)
    assert table.peers[away].told(GameOver) == table.peers[other].told(GameOver)


def test_nothing_is_sent_twice_to_somebody_who_lacks_nothing() -> None:
    table = before("guess")
    table.deliver()
    table.mail.clear()
    table.give(0, LinkUp(seat=1))
    ((_, to, data),) = table.mail
    assert to == 1
    assert isinstance(wire.read(data), wire.Standing)
    table.deliver()
    assert not table.mail


def standing(table: Table, step: int, head: bytes, game: bytes | None = None) -> bytes:
    """Where a seat says that it stands in the first round of a game."""
    first = table.contract.hash
    there = wire.Standing(game=game or first, contract_hash=first, step=step, head=head)
    return wire.write(there)


@pytest.mark.parametrize("step", [0, 5, 2**64 - 1])
def test_any_standing_is_answered_from_that_step_on(step: int) -> None:
    table = before("guess")
    table.deliver()
    round_ = table.peers[0].game.round
    head = round_.transcript[step][0].payload.head if step < 6 else bytes(32)
    there = standing(table, step, head)
    table.give(0, Received(seat=1, data=there))
    steps = [payload.step for *_, data in table.mail if (payload := payload_in(data))]
    assert steps == sorted(steps)
    said = {s for s in steps if s < round_.chain.step.number}
    assert said == set(range(min(step, len(round_.transcript)), len(round_.transcript)))


def test_who_stands_at_another_head_is_sent_everything() -> None:
    table = before("guess")
    table.deliver()
    round_ = table.peers[0].game.round
    table.give(0, Received(seat=1, data=standing(table, 5, bytes(32))))
    steps = {payload.step for *_, data in table.mail if (payload := payload_in(data))}
    assert steps >= set(range(len(round_.transcript)))


def test_who_stands_in_another_game_is_sent_nothing() -> None:
    table = before("guess")
    table.deliver()
    elsewhere = standing(table, 0, bytes(32), game=bytes(32))
    table.give(0, Received(seat=1, data=elsewhere))
    assert not table.mail


def test_a_farewell_to_another_game_is_none_to_this_one() -> None:
    table = before("guess")
    farewells = [wire.write(wire.Farewell(game=game)) for game in (bytes(32), table.contract.hash)]
    table.give(0, Received(seat=1, data=farewells[0]))
    assert 1 not in table.peers[0].game.gone
    table.give(0, Received(seat=1, data=farewells[1]))
    assert 1 in table.peers[0].game.gone


@pytest.mark.parametrize("parts", ["farewell", "link"])
def test_what_somebody_said_of_another_game_is_doubted_no_more_once_it_is_not_here(
    parts: str,
) -> None:
    def part(seat: int) -> Input:
        farewell = Received(seat=seat, data=wire.write(wire.Farewell()))
        return farewell if parts == "farewell" else LinkDown(seat=seat)

    table = before("guess")
    table.deliver()
    said = table.peers[1].game.round.transcript[0][1].payload
    envelope = seal(replace(said, session=bytes(32)), table.who[1])
    table.give(0, Received(seat=1, data=wire.write(wire.Chained(raw=envelope.encode()))))
    assert [doubt.check for doubt in table.peers[0].game.doubts] == ["chain.session"]
    table.give(0, part(2))
    assert len(table.peers[0].game.doubts) == 1
    table.give(0, part(1))
    assert not table.peers[0].game.doubts


def test_who_plays_another_game_is_away_until_its_link_comes_up_anew() -> None:
    table = before("guess")
    table.give(0, LinkDown(seat=1, elsewhere=True))
    shown = view(table.peers[0].game)
    assert (shown.down, shown.elsewhere) == ((1,), (1,))
    table.give(0, LinkUp(seat=1))
    shown = view(table.peers[0].game)
    assert (shown.down, shown.elsewhere) == ((), ())
    for away in (True, False):
        table.give(0, LinkDown(seat=1, elsewhere=away))
    assert view(table.peers[0].game).elsewhere == ()


# --- beats -----------------------------------------------------------------------------------


def test_a_seat_tells_where_it_stands_every_few_seconds() -> None:
    table = before("guess")
    table.deliver()
    peer = table.peers[0]
    assert BEAT_S in peer.wakes
    said = len(peer.sent)
    table.tick(BEAT_S)
    (beat,) = peer.sent[said:]
    now = peer.game.round.chain.step
    assert beat == standing(table, now.number, now.head)
    assert peer.wakes[-1] == table.now_s + BEAT_S
    table.tick(BEAT_S / 2)
    assert len(peer.sent) == said + 1


def test_a_seat_goes_on_telling_where_it_stands_once_a_link_is_back() -> None:
    table = before("guess")
    table.deliver()
    table.disconnect(0, 1)
    table.tick(RELAY_BEAT_S)
    table.connect(0, 1)
    table.deliver()
    back_s, peer = table.now_s, table.peers[0]
    assert peer.wakes[-1] == back_s + BEAT_S
    said = len(peer.sent)
    table.tick(RELAY_BEAT_S)
    assert len(peer.sent) == said
    table.tick(BEAT_S - RELAY_BEAT_S)
    assert len(peer.sent) == said + 1
    assert peer.wakes[-1] == back_s + 2 * BEAT_S


# --- silence ---------------------------------------------------------------------------------


def in_the_deal() -> Table:
    """Everybody is asked to arrange his tiles."""
    return recording("advanced").find("arrange").table.fork(seeded("links"))


def test_a_peer_lost_before_the_deal_is_complete_is_waited_for_a_while() -> None:
    table = in_the_deal()
    table.disconnect(0, 1)
    assert view(table.peers[0].game).down == (1,)
    assert WAIT_S in table.peers[0].wakes
    table.wait(int(WAIT_S) - 1)
    assert view(table.peers[0].game).stage is Stage.SETUP
    table.wait(1)
    for seat, lost in ((0, 1), (1, 0)):
        peer = table.peers[seat]
        assert peer.game.stopped == Halted(reason="silent", seat=lost)
        verdict = verify_log(peer.log_bytes)
        assert verdict.status is Status.UNFINISHED
        ((kind, reason, named),) = [(n.kind, n.reason, n.seat) for n in verdict.notes]
        assert (kind, reason, named) == ("halted", "silent", lost)


def test_a_peer_that_comes_back_in_time_is_not_lost() -> None:
    table = in_the_deal()
    table.disconnect(0, 1)
    table.wait(int(WAIT_S) - 1)
    table.connect(0, 1)
    table.deliver()
    table.wait(1)
    assert view(table.peers[0].game).down == ()
    assert table.peers[0].game.stopped is None


def test_silence_is_counted_from_when_the_link_broke_last() -> None:
    table = in_the_deal()
    table.disconnect(0, 1)
    table.wait(int(WAIT_S) - 1)
    table.connect(0, 1)
    table.disconnect(0, 1)
    table.wait(int(WAIT_S) - 1)
    assert table.peers[0].game.stopped is None


def test_a_move_at_a_table_that_has_stopped_comes_to_nothing() -> None:
    table = in_the_deal()
    table.give(0, Left(seat=1, reason="left"))
    stopped, sent = table.peers[0].game.stopped, len(table.peers[0].sent)
    table.play(0, Arrange(order=(0, 1, 2, 3)))
    assert (table.peers[0].game.stopped, len(table.peers[0].sent)) == (stopped, sent)
    assert table.peers[0].told(Refused) == []


def test_a_peer_lost_in_the_round_is_missed_when_it_is_awaited() -> None:
    table = before("guess")
    table.deliver()
    (awaited,) = view(table.peers[0].game).awaited
    waiting = table.peers[(awaited + 1) % 3]
    table.disconnect(awaited, waiting.seat)
    table.wait(int(WAIT_S) - 1)
    assert waiting.told(Offered) == []
    table.wait(1)
    (offered,) = waiting.told(Offered)
    assert (offered.seat, offered.waited_s) == (awaited, WAIT_S)
    assert waiting.game.stopped is None
