"""The verifier's reading of a log record by record; what it makes of each is in the vectors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p_davinci.session.audit import Audit, Status, go_on, verify_log
from protocol import Record, read_log
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


def test_what_does_not_begin_with_a_contract_is_no_log() -> None:
    with expect_fault("log.contract"):
        go_on(Audit(), records()[1:])


def test_every_later_round_has_its_contract() -> None:
    log = recording("tournament", 2, 1, rounds="3").end.peers[0].log_bytes
    verdict = verify_log(log)
    assert (verdict.status, verdict.check, len(verdict.rounds)) == (Status.FINISHED, None, 3)
    assert verdict.torn_bytes == 0
