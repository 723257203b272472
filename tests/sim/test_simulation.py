"""Whole tables on virtual time under seeded faults: see :mod:`.world` and :mod:`.runs`."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.support.table import each_proof_checked_once

from .runs import FIRST_BRISK, FIRST_MESHED, Broken, Outcome, run
from .small_group import small_group

pytestmark = pytest.mark.slow

GROUP = 20
SEEDS = range(0, 60, GROUP)
MESHED_SEEDS = range(FIRST_MESHED, FIRST_MESHED + 100, GROUP)
"""Where peers dial each other and clocks jump."""
BRISK_SEEDS = range(FIRST_BRISK, FIRST_BRISK + 120, GROUP)
"""The same, in games that most guesses bring nearer to their end."""
FAILED_ONCE = (104, 129, 100108, 100110, 100414, 100561, 100578, 200490, 1000455)
"""Seeds that once found something wrong."""
REAL_SEEDS = (0, 3, FIRST_MESHED, FIRST_MESHED + 1)


@pytest.fixture(autouse=True)
def checked_once() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def broken(seeds: range | tuple[int, ...]) -> dict[int, str]:
    """Return the seeds whose games break what must be true, and how."""
    found = {}
    gc.collect()
    gc.disable()  # a game leaves few cycles and many small values
    try:
        for seed in seeds:
            try:
                outcome = run(seed)
                if not all(outcome.ends):
                    found[seed] = str(outcome)
            except Broken as error:
                found[seed] = str(error)
    finally:
        gc.enable()
    return found


@pytest.mark.parametrize("first", [*SEEDS, *MESHED_SEEDS, *BRISK_SEEDS])
def test_tables_in_trouble_play_one_game_each_and_come_to_an_end(first: int) -> None:
    with small_group():
        assert broken(range(first, first + GROUP)) == {}


def test_tables_that_failed_once_do_not_fail_again() -> None:
    with small_group():
        assert broken(FAILED_ONCE) == {}


def test_the_same_over_the_real_group() -> None:
    assert broken(REAL_SEEDS) == {}


@pytest.mark.parametrize("seed", [5, FIRST_MESHED + 5])
def test_a_seed_repeats_exactly(seed: int) -> None:
    with small_group():
        first, second = run(seed), run(seed)
    assert isinstance(first, Outcome)
    assert first == second
    assert first.crashes > 0
    assert Counter(first.ends).total() == len(first.ends)
