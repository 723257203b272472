"""What it costs to start the program, against an interpreter that does nothing.

``pytest tests/bench/test_cli_bench.py -o addopts= --benchmark-only`` measures; ``extra_info`` holds
the ratio of the medians.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from p2p_davinci.app.reports import referee
from p2p_davinci.text import Words

ROUNDS: Final = 20
RATIO_MAX: Final = 3.0
RECORDS: Final = 300
RECORD: Final = (
    '{"hands": [["b0", "w1", "b2", "w3"], ["w0", "b1", "w2", "b3"]], "moves": ['
    '["draw", "b5"], ["guess", 1, 1, "b11"], ["place"], '
    '["draw", "w5"], ["guess", 0, 1, "w11"], ["place"]]}\n'
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """An environment in which modules are compiled once, as they are after an installation."""
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("compiled"))}


def running(environ: Mapping[str, str], *words: str) -> Callable[[], None]:
    def run() -> None:
        command = [sys.executable, *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environ)

    return run


def seconds(deed: Callable[[], None]) -> float:
    begun_s = time.perf_counter()
    deed()
    return time.perf_counter() - begun_s


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_starts_within_three_bare_interpreters(
    benchmark: Any, option: str, installed: Mapping[str, str]
) -> None:
    bare = running(installed, "-c", "pass")
    ours = running(installed, "-m", "p2p_davinci", option)
    ours()
    # In turns, so that a busy moment of the machine falls on both.
    pairs = [(seconds(bare), seconds(ours)) for _ in range(ROUNDS)]
    ratio = statistics.median(o for _, o in pairs) / statistics.median(b for b, _ in pairs)
    benchmark.extra_info["ratio"] = round(ratio, 2)
    benchmark.pedantic(ours, rounds=ROUNDS)
    assert ratio <= RATIO_MAX


def test_referee_judges_many_records_a_second(
    benchmark: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("records") / "records.jsonl"
    file.write_text(RECORD * RECORDS, "ascii")
    results: list[str] = []

    def judge() -> None:
        results.clear()
        referee(str(file), Words("en"), results.append, results.append)

    benchmark.pedantic(judge, rounds=3)
    assert len(results) == RECORDS
    assert all('"ok"' in result for result in results)
    benchmark.extra_info["records_per_s"] = round(RECORDS / benchmark.stats.stats.median)
