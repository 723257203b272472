"""What several logs of one game prove together: who spoke with two tongues, who was only behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest

from p2p_davinci.rules.moves import Resign
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.comparing import Account, Proof, Together, account_of, compare
from p2p_davinci.session.events import Play
from protocol import HEADER, Aside, Envelope, encode, encode_record, read_log, seal
from tests.support.table import Table, each_proof_checked_once, new_table, seeded

from .test_voting import at, in_turn, play_on, vote_out

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def account(log: bytes) -> Account:
    return account_of(verify_log(log), read_log(log)[0])


def together(*logs: bytes) -> Together:
    return compare([account(log) for log in logs])


def proved(found: Together, logs: Sequence[bytes]) -> list[tuple[int, str]]:
    """Return who is convicted by two logs, and check that the records named do it."""
    shown = []
    for conviction in found.convicted:
        proof, blamed = conviction.proof, conviction.blamed
        assert isinstance(proof, Proof)
        items = []
        for log, record in zip(proof.logs, proof.records, strict=True):
            held = {
                (spoken.signed.seat, spoken.record): spoken.signed
                for spoken in account(logs[log]).spoken
            }
            items.append(held[blamed.seat, record].encode())
        assert convicts(logs[proof.logs[0]], items, blamed.seat) or convicts(
            logs[proof.logs[1]], items, blamed.seat
        )
        shown.append((blamed.seat, blamed.check))
    return shown


def convicts(log: bytes, items: Sequence[bytes], seat: int) -> bool:
    """Whether a fault record of these items at the end of a log convicts a seat."""
    verdict = verify_log(log + encode_record("fault", encode(tuple(items))))
    return verdict.check is None and seat in verdict.convicted


# --- one step, two payloads ------------------------------------------------------------------


@cache
def forked() -> tuple[Table, Table, int]:
    """A game played to its end, the same in which a player resigned early, and that player."""
    before = at("draw")
    resigned, played = before.fork(seeded("resigned")), before.fork(seeded("played"))
    seat = in_turn(before)
    resigned.give(seat, Play(move=Resign()))
    return played.run(), resigned.run(), seat


def test_logs_of_honest_peers_agree_however_far_they_go() -> None:
    played, _, _ = forked()
    whole = [peer.log_bytes for peer in played.peers]
    part = HEADER + b"".join(
        encode_record(record.kind, record.data) for record in read_log(whole[0])[0][:40]
    )
    found = together(*whole, part)
    assert (found.convicted, found.differences, found.unexplained) == ((), (), False)
    assert found.winners == verify_log(whole[0]).winners


def test_who_said_two_things_in_one_step_is_convicted_by_the_two_logs() -> None:
    played, resigned, seat = forked()
    logs = (played.peers[0].log_bytes, resigned.peers[0].log_bytes)
    assert [verify_log(log).status for log in logs] == [Status.FINISHED] * 2
    for pair in (logs, logs[::-1]):
        found = together(*pair)
        assert (seat, "chain.doubled") in proved(found, pair)
        (difference,) = found.differences
        step = at("draw").peers[0].game.round.chain.step.number
        assert (difference.round, difference.step, difference.behind) == (0, step, None)
        assert not found.unexplained


def test_logs_that_say_the_same_are_compared_once() -> None:
    played, resigned, _ = forked()
    log = played.peers[0].log_bytes
    found = together(log, resigned.peers[0].log_bytes, log)
    assert [one.logs for one in found.differences] == [(0, 1)]


def test_who_is_convicted_in_one_log_has_lost_in_all() -> None:
    played, _, _ = forked()
    log = played.peers[0].log_bytes
    (winner,) = verify_log(log).winners
    commit = next(spoken.signed for spoken in account(log).spoken if spoken.signed.seat == winner)
    assert isinstance(commit, Envelope)
    other = seal(replace(commit.payload, body=((bytes(32),), ())), played.who[winner])
    fault = encode_record("fault", encode((commit.encode(), other.encode())))
    found = together(log, log + fault)
    (conviction,) = found.convicted
    assert conviction.blamed.seat == winner
    assert conviction.proof == (1, len(read_log(log)[0]))
    assert found.winners == ()


# --- a drop here, playing on there -----------------------------------------------------------


@cache
def dropped() -> tuple[Table, Table, int]:
    """Three play on without the one in turn; in a fork of the game nobody is missing."""
    before = at("guess", seats=4)
    lost = in_turn(before)
    without, with_it = before.fork(seeded("without")), before.fork(seeded("with"))
    vote_out(without, lost)
    play_on(without, lost)
    return without, with_it.run(), lost


def test_who_voted_for_a_drop_and_played_on_elsewhere_is_convicted_and_the_dropped_is_not() -> None:
    without, with_it, lost = dropped()
    others = [seat for seat in range(4) if seat != lost]
    logs = (without.peers[others[0]].log_bytes, with_it.peers[lost].log_bytes)
    found = together(*logs)
    assert [seat for seat, _ in proved(found, logs)] == others
    assert [one.behind for one in found.differences] == [None]
    assert not found.unexplained
    won = [verify_log(log).winners for log in logs]
    assert found.winners == ((lost,) if (lost,) in won else ())


def test_a_vote_alone_convicts_who_had_played_on() -> None:
    """No step is closed in two ways: one log ends with a vote, the other goes further."""
    before = at("guess", seats=4)
    lost = in_turn(before)
    _, with_it, _ = dropped()
    voter = before.peers[(lost + 1) % 4]
    without, _, _ = dropped()
    votes = [
        spoken.signed
        for spoken in account(without.peers[voter.seat].log_bytes).spoken
        if isinstance(spoken.signed, Aside) and spoken.signed.seat == voter.seat
    ]
    log = before.peers[lost].log_bytes + encode_record("aside", votes[0].encode())
    logs = (log, with_it.peers[lost].log_bytes)
    found = together(*logs)
    assert proved(found, logs) == [(voter.seat, "drop.contradiction")]
    assert found.differences == ()


def test_who_spoke_and_was_not_heard_before_the_others_left_it_is_only_behind() -> None:
    before = at("guess", seats=3)
    lost = in_turn(before)
    table = before.fork(seeded("unheard"))
    table.tamper = lambda sender, _to, data: None if sender == lost else data
    table.play(lost, table.bot_move(table.peers[lost]))
    table.deliver()
    others = vote_out(table, lost)
    play_on(table, lost)
    logs = (others[0].log_bytes, table.peers[lost].log_bytes)
    found = together(*logs)
    (difference,) = found.differences
    assert (difference.behind, difference.lost) == (1, lost)
    assert (found.convicted, found.unexplained) == ((), False)
    assert found.winners == verify_log(logs[0]).winners


def test_nothing_is_to_be_compared_before_the_first_contract() -> None:
    with pytest.raises(ValueError, match="nothing"):
        account_of(verify_log(HEADER), ())


def test_a_game_of_others_is_another_game() -> None:
    played, _, _ = forked()
    other = new_table(3, "standard", seed=2).start()
    assert account(played.peers[0].log_bytes).id != account(other.peers[0].log_bytes).id
