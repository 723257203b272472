"""Logs that are forged by lot: a seed repeats them, and they reach most of what can be wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from tests.support.forged_logs import logs
from tests.support.forged_pairs import pairs
from tests.support.table import each_proof_checked_once

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def test_a_seed_repeats_every_log_and_verdict() -> None:
    first, again = (list(logs(7, 15)) for _ in range(2))
    assert first == again
    assert [one.data for one in first] == [one.data for one in again]


def test_another_seed_makes_other_logs() -> None:
    first, other = ({one.data for one in logs(seed, 5)} for seed in (7, 8))
    assert not first & other


def test_many_logs_have_every_status_and_reach_many_names() -> None:
    seen: Counter[str] = Counter()
    for logged in logs(3, 120):
        seen.update(logged.names)
    assert {"finished", "unfinished", "void"} <= seen.keys()
    assert len({name.split()[-1] for name in seen}) >= 50


def test_pairs_repeat_and_some_contradict_while_others_do_not() -> None:
    first, again = (list(islice(pairs(2, 7), 7)) for _ in range(2))
    assert [(one.logs, one.expected) for one in first] == [
        (one.logs, one.expected) for one in again
    ]
    assert {one.expected["contradict"] for one in first} == {True, False}
