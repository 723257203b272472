"""Whole tables on virtual time under seeded faults: see :mod:`.world` and :mod:`.runs`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.support.table import each_proof_checked_once

from .runs import Outcome, run
from .small_group import small_group

pytestmark = pytest.mark.slow

SEEDS = range(16)
FAILED_ONCE = (104, 129, 100108, 100110, 100414)
"""Seeds that once found something wrong."""
REAL_SEEDS = (0, 3)


@pytest.fixture(autouse=True)
def checked_once() -> Iterator[None]:
    with each_proof_checked_once():
        yield


@pytest.mark.parametrize("seed", sorted({*SEEDS, *FAILED_ONCE}))
def test_a_table_in_trouble_plays_one_game_and_comes_to_an_end(seed: int) -> None:
    with small_group():
        outcome = run(seed)
    assert all(outcome.ends)


@pytest.mark.parametrize("seed", REAL_SEEDS)
def test_the_same_over_the_real_group(seed: int) -> None:
    assert all(run(seed).ends)


def test_a_seed_repeats_exactly() -> None:
    with small_group():
        first, second = run(SEEDS[5]), run(SEEDS[5])
    assert isinstance(first, Outcome)
    assert first == second
    assert first.crashes > 0
    assert Counter(first.ends).total() == len(first.ends)
