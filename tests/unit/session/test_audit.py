"""The verifier's reading of a log record by record; what it makes of each is in the vectors."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import pytest

from p2p_davinci.session.audit import Audit, Status, go_on, take, verify_log
from protocol import HEADER, Record, encode, encode_record, read_log
from tests.support.faults import expect_fault
from tests.support.recorded import recording
from tests.support.table import each_proof_checked_once


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def records() -> tuple[Record, ...]:
    return read_log(recording("standard").end.peers[0].log_bytes)[0]


@pytest.mark.parametrize("rest", [b"", b"\0", bytes(99), b"\0\0\1\0contract"])
def test_a_log_that_ends_before_its_first_contract_does_is_unfinished(rest: bytes) -> None:
    verdict = verify_log(HEADER + rest)
    assert (verdict.status, verdict.rounds) == (Status.UNFINISHED, ())
    assert (verdict.points, verdict.totals, verdict.convicted) == ((), (), ())
    assert verdict.torn_bytes == len(rest)


def test_a_first_record_that_declares_too_much_is_no_torn_one() -> None:
    with expect_fault("log.record"):
        verify_log(HEADER + (2**16 + 33).to_bytes(4, "big"))


@pytest.mark.parametrize("first", [None, encode(("halted", "x", 0)), b""])
def test_what_does_not_begin_with_a_contract_is_no_log(first: bytes | None) -> None:
    before = () if first is None else (Record(kind="note", data=first, offset=0),)
    with expect_fault("log.contract"):
        go_on(Audit(), (*before, *records()[1:]))


def test_a_log_read_record_by_record_has_no_torn_end_unless_it_is_told_so() -> None:
    assert go_on(Audit(), records()[:3]).torn_bytes == 0
    assert go_on(Audit(), records()[:3], torn_bytes=7).torn_bytes == 7


def test_every_later_round_has_its_contract() -> None:
    log = recording("tournament", 2, 1, rounds="3").end.peers[0].log_bytes
    verdict = verify_log(log)
    assert (verdict.status, verdict.check, len(verdict.rounds)) == (Status.FINISHED, None, 3)
    assert verdict.torn_bytes == 0


HALTED = encode(("halted", "saved", 0))
SUSPICION = encode(("suspicion", 1, 3, "chain.session"))


def note(data: bytes) -> Record:
    return Record(kind="note", data=data, offset=0)


def test_each_of_many_notes_is_told_in_the_order_of_the_log() -> None:
    contract, *_ = records()
    noted = [encode(("suspicion", k % 2, k, f"check.{k}")) for k in range(2000)]
    data = HEADER + encode_record("contract", contract.data)
    verdict = verify_log(data + b"".join(encode_record("note", one) for one in noted))
    assert [one.reason for one in verdict.notes] == [f"check.{k}" for k in range(2000)]
    assert [one.seat for one in verdict.notes] == [0, 1] * 1000


def test_why_a_game_stopped_that_went_on_is_told_no_longer_but_suspicions_are() -> None:
    contract, first, second, *_ = records()
    before = (contract, note(SUSPICION), note(HALTED), first, note(HALTED))
    assert [one.kind for one in go_on(Audit(), before).notes] == ["suspicion", "halted"]
    after = go_on(Audit(), (*before, second, note(SUSPICION)))
    assert [one.kind for one in after.notes] == ["suspicion", "suspicion"]


def read_so_far(count: int) -> Audit:
    """An audit of a log that begins with ``count`` notes."""
    audit = take(Audit(), records()[0])
    for _ in range(count):
        audit = take(audit, note(SUSPICION))
    return audit


def taken_bytes(audit: Audit, record: Record) -> int:
    """How much memory the audit after one more record takes beside the one before."""
    tracemalloc.start()
    try:
        _after = take(audit, record)
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["note", "envelope"])
def test_a_record_takes_as_much_memory_after_many_notes_as_after_few(kind: str) -> None:
    """Else a log of notes takes time with the square of their number."""
    record = note(HALTED) if kind == "note" else records()[1]
    few, many = read_so_far(1), read_so_far(5000)
    taken_bytes(few, record)
    assert taken_bytes(many, record) < taken_bytes(few, record) + 5000


def test_an_audit_of_many_notes_can_be_shown_and_let_go() -> None:
    audit = read_so_far(5000)
    assert len(repr(audit)) < 10_000
    del audit
