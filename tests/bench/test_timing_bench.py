"""Whatever is secret, the same operations are done; how long they take is for :mod:`.timing`."""

from __future__ import annotations

import math

import pytest

from protocol.elgamal import check_secret
from tests.bench.timing import CASES, KEY, SECRET, welch
from tests.support.crypto import counted


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.leaks])
def test_both_classes_of_secrets_take_the_same_operations(name: str) -> None:
    seen = []
    for kind in (0, 1):
        job = CASES[name].prepare(kind)
        with counted() as counts:
            job()
        seen.append(counts)
    assert seen[0] == seen[1]


def test_one_case_is_there_to_be_caught() -> None:
    check_secret(KEY, SECRET)
    assert [case.leaks for case in CASES.values()].count(True) == 1


def test_welch_compares_means_in_units_of_their_error() -> None:
    assert welch([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]) == 0
    assert welch([4.0, 6.0], [1.0, 3.0]) == pytest.approx(3 / math.sqrt(2))
    assert welch([2.0, 2.0], [1.0, 1.0]) == math.inf
    assert welch([1.0, 1.0], [2.0, 2.0]) == -math.inf
    assert welch([1.0, 1.0], [1.0, 1.0]) == 0
