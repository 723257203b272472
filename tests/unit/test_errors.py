from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from protocol.errors import Evidence, Misuse, PeerFault, ProtocolError


def _through_pickle(fault: PeerFault) -> PeerFault:
    again = pickle.loads(pickle.dumps(fault))  # noqa: S301 - our own bytes
    assert isinstance(again, PeerFault)
    return again


def test_leaf_fault_names_check_and_detail_but_no_seat() -> None:
    fault = PeerFault("codec.length", "9 bytes")
    assert (fault.check, fault.detail) == ("codec.length", "9 bytes")
    assert (fault.seat, fault.step) == (None, None)
    assert fault.evidence is Evidence.SUSPICION
    assert str(fault) == "codec.length (9 bytes)"


def test_fault_without_detail_reads_as_its_check_alone() -> None:
    assert str(PeerFault("chain.kind")) == "chain.kind"


def test_session_adds_seat_step_and_evidence_without_changing_the_leaf() -> None:
    leaf = PeerFault("sigma.equation", "leaf 2")
    placed = leaf.at(3, 41, Evidence.PROOF)
    assert (placed.check, placed.detail) == ("sigma.equation", "leaf 2")
    assert (placed.seat, placed.step, placed.evidence) == (3, 41, Evidence.PROOF)
    assert str(placed) == "seat 3, step 41: sigma.equation (leaf 2)"
    assert leaf.seat is None


def test_seat_zero_is_a_seat() -> None:
    assert str(PeerFault("chain.kind").at(0, 0, Evidence.PROOF)) == "seat 0, step 0: chain.kind"


def test_misuse_and_fault_are_two_families_with_one_base() -> None:
    assert issubclass(Misuse, ProtocolError)
    assert issubclass(PeerFault, ProtocolError)
    assert not issubclass(Misuse, PeerFault)
    assert not issubclass(PeerFault, Misuse)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, _through_pickle])
def test_copied_fault_says_the_same(again: Callable[[PeerFault], PeerFault]) -> None:
    fault = again(PeerFault("log.record", "at 17").at(1, 2, Evidence.PROOF))
    assert str(fault) == "seat 1, step 2: log.record (at 17)"
    assert fault.evidence is Evidence.PROOF
    assert str(again(PeerFault(check="log.record", detail="x"))) == "log.record (x)"
