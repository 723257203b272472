"""Liars who tell different players different games: each log is good, two of them convict."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p_davinci.rules.moves import Draw
from p2p_davinci.session.comparing import Together, account_of, compare
from p2p_davinci.session.events import VoteOut
from p2p_davinci.session.work import WAIT_S
from protocol import read_log
from tests.support.cheating import verdict_of
from tests.support.table import Table, each_proof_checked_once, seeded

from .test_silence import four, late, say

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def together(*logs: bytes) -> Together:
    return compare([account_of(verdict_of(log), read_log(log)[0]) for log in logs])


def convicted(found: Together) -> list[tuple[int, str]]:
    return [(one.blamed.seat, one.blamed.check) for one in found.convicted]


def test_a_promise_held_by_who_accepted_late_convicts_the_liar_and_nobody_else() -> None:
    """Seat 1 has voted and accepts late; seat 2 follows the votes of all, the liar's too."""
    case = late()
    table = case.table
    say(table, 3, 1, case.draw)
    say(table, 3, 1, case.promise(3))
    table.give(2, VoteOut(seat=0))
    for by in (1, 3):
        say(table, by, 2, case.vote(by))
    logs = (table.peers[1].log_bytes, table.peers[2].log_bytes)
    assert all(verdict_of(log).check is None for log in logs)
    found = together(*logs)
    assert convicted(found) == [(3, "drop.contradiction")]
    (difference,) = found.differences
    assert (difference.behind, difference.lost) == (0, 0)


def test_before_the_liar_has_voted_nobody_is_convicted() -> None:
    case = late()
    table = case.table
    say(table, 3, 1, case.draw)
    say(table, 3, 1, case.promise(3))
    table.give(2, VoteOut(seat=0))
    say(table, 1, 2, case.vote(1))
    found = together(table.peers[1].log_bytes, table.peers[2].log_bytes)
    assert (found.convicted, found.differences, found.unexplained) == ((), (), False)


def without(lost: int) -> Table:
    """Four seats; the others play on without one that owes its share of a draw."""
    table = four().fork(seeded(("without", lost)))
    others = [peer.seat for peer in table.peers if peer.seat != lost]
    table.tamper = lambda sender, _to, data: None if sender == lost else data
    table.play(0, Draw(deck=0))
    table.deliver()
    for seat in others:
        table.disconnect(lost, seat)
    table.wait(int(WAIT_S))
    for seat in others:
        table.give(seat, VoteOut(seat=lost))
    table.deliver()
    assert table.peers[0].game.round.dropped == (lost,)
    return table


def test_who_voted_for_two_drops_at_one_head_is_convicted_and_neither_of_the_dropped() -> None:
    logs = [without(lost).peers[0].log_bytes for lost in (2, 3)]
    found = together(*logs)
    assert convicted(found) == [(0, "drop.contradiction"), (1, "drop.contradiction")]
    (difference,) = found.differences
    assert (difference.behind, difference.lost) == (None, None)
    assert not found.unexplained
