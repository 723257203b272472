"""The verifier's reading of a log record by record; what it makes of each is in the vectors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p_davinci.session.audit import Audit, Status, go_on, verify_log
from protocol import Record, encode, read_log
from tests.support.faults import expect_fault
from tests.support.recorded import recording
from tests.support.table import each_proof_checked_once


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def records() -> tuple[Record, ...]:
    return read_log(recording("standard").end.peers[0].log_bytes)[0]


def test_no_record_at_all_is_no_log() -> None:
    with expect_fault("log.contract"):
        go_on(Audit(), ())


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
