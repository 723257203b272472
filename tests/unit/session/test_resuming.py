"""A peer that crashed goes on from its disk: the same bytes, the same game, a log that verifies."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from p2p_davinci.rules.moves import Draw, Resign
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.events import Append, Keep, LinkDown, LinkUp, Play, Stage, Sync
from p2p_davinci.session.game import view
from p2p_davinci.session.play import start
from p2p_davinci.session.resuming import CannotResume, first_contract, read_damaged
from p2p_davinci.session.secrets import fresh_secrets, keep_round
from p2p_davinci.session.wire import Chained, read
from p2p_davinci.session.work import Who
from protocol import (
    HEADER,
    SECRETS_HEADER,
    Record,
    encode,
    encode_record,
    read_envelope,
    read_log,
    seal_aside,
)
from tests.support.reborn import Disk, disk_of, reborn
from tests.support.table import Table, contract_for, each_proof_checked_once, new_table, signers


class Killed(Exception):  # noqa: N818 - it is an event
    pass


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def spoken_by(table: Table, seat: int) -> list[bytes]:
    """The envelopes of a seat that went out, each once."""
    sent = [read(data) for data in table.peers[seat].sent]
    raws = [message.raw for message in sent if isinstance(message, Chained)]
    return [raw for raw in raws if read_envelope(raw).payload.seat == seat]


def meet(table: Table, seat: int) -> None:
    """Let a seat that came back link to all others."""
    for other in range(len(table.peers)):
        if other != seat:
            table.give(other, LinkDown(seat=seat))
            table.give(other, LinkUp(seat=seat))
            table.give(seat, LinkUp(seat=other))


def crash_before_sending(table: Table, seat: int, when: Callable[[bytes], bool]) -> None:
    """Let a peer die between the disk and the network, whenever ``when`` says so."""
    peer = table.peers[seat]
    outlets = peer.driver._outlets
    send = outlets.send

    if getattr(send, "deadly", False):
        return

    def dying(data: bytes, to: int | None) -> None:
        if when(data):
            raise Killed
        send(data, to)

    dying.deadly = True  # type: ignore[attr-defined]
    object.__setattr__(outlets, "send", dying)


def next_thing(table: Table) -> None:
    peer = table.due()
    if table.mail or peer is None:
        table.deliver_one()
    else:
        table.play(peer.seat, table.bot_move(peer))


def killed_and_back(table: Table, seat: int, act: Callable[[], None]) -> bool:
    try:
        act()
    except Killed:
        reborn(table, seat)
        meet(table, seat)
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), [("classic", 2), ("advanced", 3)])
def test_a_peer_killed_between_writing_and_sending_sends_the_same_bytes(
    preset: str, seats: int
) -> None:
    table = new_table(seats, preset, {"rounds": "1"}, seed=("killed", preset))
    kept: list[bytes] = []

    def fatal(data: bytes) -> bool:
        message = read(data)
        mine = isinstance(message, Chained) and read_envelope(message.raw).payload.seat == 0
        if not mine or data in kept:
            return False
        kept.append(data)
        return len(kept) % 5 == 1

    def start(seat: int) -> None:
        table.peers[seat].driver.start(table.contract, seat, 0.0)

    for seat in range(1, seats):
        start(seat)
    crash_before_sending(table, 0, fatal)
    crashes = int(killed_and_back(table, 0, lambda: start(0)))
    while table.mail or table.due() is not None:
        crash_before_sending(table, 0, fatal)
        crashes += killed_and_back(table, 0, lambda: next_thing(table))
    assert set(table.stages) == {Stage.OVER}
    assert crashes >= 4
    assert len({peer.game.round.chain.step.head for peer in table.peers}) == 1
    for peer in table.peers:
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.receipts_missing) == (Status.FINISHED, ())
    steps = [read_envelope(read(data).raw).payload for data in kept]  # type: ignore[union-attr]
    assert len({(p.session, p.step) for p in steps}) == len(steps), "something new was said"


def half_way(seats: int = 3, **rules: str) -> Table:
    """A game whose deal is done and in which some turns have been played."""
    table = new_table(seats, "classic", rules, seed=("half way", seats)).start()
    return table.run_until(lambda now: len(now.peers[0].log.records) > 60 and now.due() is not None)


@pytest.fixture(scope="module")
def played() -> Table:
    with each_proof_checked_once():
        return half_way()


def test_all_peers_killed_at_once_go_on_together() -> None:
    table = half_way()
    table.mail.clear()
    for seat in range(3):
        reborn(table, seat)
    table.mail.clear()
    for seat in range(3):
        meet(table, seat)
    table.run()
    assert set(table.stages) == {Stage.OVER}
    assert verify_log(table.peers[2].log_bytes).status is Status.FINISHED


def test_a_step_that_is_only_partly_in_the_log_is_taken_out_and_written_anew() -> None:
    table = half_way()
    disk = disk_of(table.peers[0])
    takes = [record for record in envelopes(disk.log) if kind_of(record) == "take"]
    assert len(takes) == 3
    half = Disk(log=disk.log[: takes[1].offset], secrets=disk.secrets)
    peer = reborn(table, 0, half)
    assert peer.game.round.step == "take"
    assert takes[0].data not in [record.data for record in envelopes(peer.log_bytes)]
    assert takes[0].data in [record.data for record in disk_of(peer).secret_records]
    meet(table, 0)
    table.deliver()
    assert peer.log_bytes == disk.log


def envelopes(log: bytes) -> list[Record]:
    return [record for record in read_log(log)[0] if record.kind == "envelope"]


def kind_of(record: Record) -> str:
    return read_envelope(record.data).payload.kind


def test_a_contract_that_the_log_lost_is_written_again() -> None:
    table = new_table(2, "classic", {"scoring": "revealed", "rounds": "2"}, seed="rounds").start()
    table.run_until(lambda now: len(now.peers[0].game.past) == 1)
    disk = disk_of(table.peers[0])
    (_, second) = [r for r in disk.log_records if r.kind == "contract"]
    lost = [r for r in disk.secret_records if r.kind == "round"][1]
    cut = Disk(log=disk.log[: second.offset], secrets=disk.secrets[: lost.offset])
    recalled = cut.recall(table.who[0].public)
    assert recalled.lacks_contract
    assert recalled.secrets is None
    fresh = new_table(2, "classic", {"scoring": "revealed", "rounds": "2"}, seed="rounds")
    peer = reborn(fresh, 0, cut)
    assert [r.kind for r in read_log(peer.log_bytes)[0]].count("contract") == 2
    assert disk_of(peer).recall(table.who[0].public).secrets is not None


def test_a_game_that_had_stopped_goes_on_and_its_log_forgets_why_it_stopped() -> None:
    table = half_way(2)
    table.mail.clear()
    note = encode_record("note", encode(("halted", "left", 1)))
    stopped = [disk_of(peer) for peer in table.peers]
    for seat, disk in enumerate(stopped):
        disk.log += note
        assert verify_log(disk.log).notes[-1].kind == "halted"
        reborn(table, seat, disk)
    table.mail.clear()
    meet(table, 0)
    table.run()
    assert set(table.stages) == {Stage.OVER}
    verdict = verify_log(table.peers[0].log_bytes)
    assert (verdict.status, verdict.notes) == (Status.FINISHED, ())


def test_a_resignation_that_waits_outlives_the_program() -> None:
    table = new_table(3, seed="resigning").start()
    table.run_until(lambda table: table.peers[0].game.round.step == "draw")
    turn = view(table.peers[0].game).awaited[0]
    tired = (turn + 1) % 3
    table.give(tired, Play(move=Resign()))
    assert view(table.peers[tired].game).resigning
    back = reborn(table, tired)
    meet(table, tired)
    assert view(back.game).resigning
    table.play(turn, Draw(deck=0))
    table.deliver()
    assert all(peer.game.round.board.out == (tired,) for peer in table.peers)
    assert not view(reborn(table, tired).game).resigning


def test_only_the_same_identity_goes_on(played: Table) -> None:
    disk = disk_of(played.peers[0])
    with pytest.raises(CannotResume) as refused:
        disk.recall(signers(1)[0].public)
    assert refused.value.reason == "stranger"


def test_a_secrets_file_that_is_not_what_was_written_is_refused(played: Table) -> None:
    log = disk_of(played.peers[0]).log
    spoiled = Disk(log=log, secrets=SECRETS_HEADER + encode_record("openings", encode(())))
    with pytest.raises(CannotResume) as refused:
        spoiled.recall(played.who[0].public)
    assert (refused.value.reason, refused.value.detail) == ("secrets", "secrets.record")


def test_secrets_of_another_game_are_refused(played: Table) -> None:
    """What this seat signed elsewhere does not go with this log."""
    other = new_table(3, "classic", seed=("half way", "other")).start()
    strange = Disk(log=disk_of(played.peers[0]).log, secrets=disk_of(other.peers[0]).secrets)
    with pytest.raises(CannotResume) as refused:
        reborn(played.fork(played.rng.randbytes), 0, strange)
    assert refused.value.reason == "secrets"


def test_a_finished_game_and_a_void_one_are_not_resumed() -> None:
    table = half_way(2)
    cheat = disk_of(table.peers[0])
    table.run()
    disk = disk_of(table.peers[0])
    with pytest.raises(CannotResume) as over:
        disk.recall(table.who[0].public)
    assert over.value.reason == "finished"
    fault = encode_record("fault", encode((b"nonsense",)))
    with pytest.raises(CannotResume) as spoiled:
        Disk(log=cheat.log + fault, secrets=cheat.secrets).recall(table.who[0].public)
    assert spoiled.value.reason == "log"


@pytest.mark.parametrize("log", [HEADER, HEADER + encode_record("contract", b"x")])
def test_a_log_without_a_contract_is_none(log: bytes) -> None:
    with pytest.raises(CannotResume) as refused:
        first_contract(read_log(log)[0])
    assert refused.value.reason == "log"


def test_another_seats_secrets_are_refused_though_the_identity_plays_in_the_game(
    played: Table,
) -> None:
    for table in (played, new_table(2, "classic", seed="begun").start()):
        mine, other = (disk_of(table.peers[seat]) for seat in (0, 1))
        with pytest.raises(CannotResume) as refused:
            Disk(log=mine.log, secrets=other.secrets).recall(table.who[0].public)
        assert refused.value.reason == "stranger"
        assert mine.recall(table.who[0].public).seat == 0


def test_secrets_to_which_a_seat_has_not_committed_are_refused(played: Table) -> None:
    disk, public = disk_of(played.peers[0]), played.who[0].public
    round_ = played.peers[0].game.round
    fresh = keep_round(round_, fresh_secrets(os.urandom))
    for secrets in (disk.secrets + fresh, SECRETS_HEADER):
        with pytest.raises(CannotResume) as refused:
            Disk(log=disk.log, secrets=secrets).recall(public)
        assert (refused.value.reason, refused.value.detail) == ("secrets", "commit.mismatch")


def test_what_a_damaged_log_lost_is_asked_for_again_and_nothing_new_is_said() -> None:
    table = half_way()
    disk = disk_of(table.peers[0])
    records = envelopes(disk.log)
    go_on_from(table, disk.log[: records[-12].offset])


def go_on_from(table: Table, log: bytes) -> None:
    """Let seat 0 come back with a shorter log of its own, and find that it says nothing anew."""
    before = spoken_by(table, 0)
    disk = disk_of(table.peers[0])
    table.mail.clear()
    peer = reborn(table, 0, Disk(log=log, secrets=disk.secrets))
    meet(table, 0)
    table.deliver()
    assert peer.log_bytes.startswith(disk.log)
    table.run()
    assert set(table.stages) == {Stage.OVER}
    assert verify_log(peer.log_bytes).status is Status.FINISHED
    said: dict[tuple[bytes, int], bytes] = {}
    for raw in (*before, *spoken_by(table, 0)):
        payload = read_envelope(raw).payload
        assert said.setdefault((payload.session, payload.step), raw) == raw


def test_a_log_cut_back_into_an_earlier_round_is_refused() -> None:
    table = new_table(2, "classic", {"scoring": "revealed", "rounds": "2"}, seed="rounds").start()
    table.run_until(lambda now: len(now.peers[0].game.past) == 1)
    disk = disk_of(table.peers[0])
    first = Disk(log=disk.log[: envelopes(disk.log)[40].offset], secrets=disk.secrets)
    with pytest.raises(CannotResume) as refused:
        first.recall(table.who[0].public)
    assert (refused.value.reason, refused.value.detail) == ("log", "log.short")


def test_secrets_show_that_the_log_has_the_contract_of_their_round() -> None:
    who = signers(2)
    ana = Who(signer=who[0], entropy=os.urandom)
    _, effects = start(contract_for(who), 0, 0.0, ana)
    assert [type(effect) for effect in effects[:3]] == [Append, Sync, Keep]


@pytest.mark.parametrize("damage", ["zeros", "noise", "length", "torn"])
def test_of_a_damaged_log_the_part_is_read_that_was_written_whole(
    played: Table, damage: str
) -> None:
    log = disk_of(played.peers[0]).log
    records = read_log(log)[0]
    half = (records[-2].offset + records[-1].offset) // 2
    tails = {
        "zeros": log[:half] + bytes(len(log) - half),
        "noise": log + b"\xff" * 9,
        "length": log + b"\x05\0\0\0abc",
        "torn": log[:-3],
    }
    lost = {"zeros": 2, "torn": 1}.get(damage, 0)
    found, rest_bytes = read_damaged(tails[damage])
    kept = records[: len(records) - lost]
    if damage in ("noise", "length"):
        assert found == kept
    assert [record.data for record in found] == [record.data for record in kept]
    end = records[-lost].offset if lost else len(log)
    assert rest_bytes == len(tails[damage]) - end


def flipped(log: bytes, from_end: int) -> bytes:
    """A log in which the disk has lost one bit."""
    at = len(log) - from_end
    return log[:at] + bytes((log[at] ^ 4,)) + log[at + 1 :]


@pytest.mark.parametrize("from_end", [1, 40, 100])
def test_a_last_envelope_that_lost_a_bit_is_cut_off_though_its_record_can_be_read(
    played: Table, from_end: int
) -> None:
    log = disk_of(played.peers[0]).log
    records = read_log(log)[0]
    assert (records[-1].kind, read_log(flipped(log, from_end))[1]) == ("envelope", 0)
    found, rest_bytes = read_damaged(flipped(log, from_end))
    assert (found, rest_bytes) == (records[:-1], len(log) - records[-1].offset)
    assert read_damaged(log) == (records, 0)


def test_a_last_note_that_lost_a_bit_is_cut_off_with_what_is_damaged_before_it(
    played: Table,
) -> None:
    log = disk_of(played.peers[0]).log
    records = read_log(log)[0]
    note = encode_record("note", encode(("halted", "saved", 0)))
    kept = (*records, Record(kind="note", data=encode(("halted", "saved", 0)), offset=len(log)))
    assert read_damaged(log + note) == (kept, 0)
    spoiled = note.replace(b"halted", b"hAlted")
    assert read_damaged(log + spoiled) == (records, len(note))
    lost = len(log) - records[-1].offset + len(note)
    assert read_damaged(flipped(log, 40) + spoiled) == (records[:-1], lost)


def test_what_lost_a_bit_before_the_end_and_what_a_seat_may_have_claimed_is_not_cut_off(
    played: Table,
) -> None:
    log, public = disk_of(played.peers[0]).log, played.who[0].public
    secrets = disk_of(played.peers[0]).secrets
    middle = flipped(log, len(log) - read_log(log)[0][-2].offset - 60)
    claim = seal_aside(
        session=played.peers[0].game.round.chain.session,
        seat=0,
        counter=0,
        head=played.peers[0].game.round.chain.step.head,
        kind="claim",
        body=None,
        signer=played.who[0],
    )
    claimed = flipped(log + encode_record("aside", claim.encode()), 40)
    for spoiled in (middle, claimed):
        assert read_damaged(spoiled)[1] == 0
        with pytest.raises(CannotResume) as refused:
            Disk(log=spoiled, secrets=secrets).recall(public)
        assert refused.value.reason == "log"


@pytest.mark.parametrize("speaker", [0, 1])
def test_a_seat_whose_log_lost_a_bit_at_its_end_says_nothing_anew(speaker: int) -> None:
    table = half_way()
    table.run_until(lambda now: last_speaker(now) == speaker)
    log = disk_of(table.peers[0]).log
    spoiled = flipped(log, 40)
    _, rest_bytes = read_damaged(spoiled)
    assert rest_bytes
    go_on_from(table, spoiled[: len(spoiled) - rest_bytes])


def last_speaker(table: Table) -> int | None:
    """Whose envelope is the last record of seat 0's log, if one is."""
    last = disk_of(table.peers[0]).log_records[-1]
    return read_envelope(last.data).payload.seat if last.kind == "envelope" else None
