"""How long people wait: for four programs to deal, and for one to verify a finished game.

Real processes over loopback. The first figure is told as a ratio to the work itself, the same deal
by the same four peers in one process, so that it can be compared between machines: with enough
cores it falls below 1, because what one has proved the others check at the same time.
"""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.net.processes import HANG_S, Programs, command, programs

from .test_rounds_bench import set_up

SEATS = 4
ALONE = ("play", "--auto", "--plain", "--rules", "standard")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Programs]:
    with programs(tmp_path) as started:
        yield started


def deal_s(running: Programs, number: int) -> float:
    """Return the seconds from the moment when all are ready to the first turn."""
    player = running.start(f"player {number}", *ALONE, "--bots", str(SEATS - 1), "--pace", "60")
    player.await_text("Sealing the keys: 1")
    since_s = time.perf_counter()
    player.await_text("The tiles stand.")
    taken_s = time.perf_counter() - since_s
    player.signal(signal.SIGTERM)
    player.ended()
    return taken_s


def test_bench_deal_between_four_programs(benchmark: Any, running: Programs) -> None:
    taken = [deal_s(running, number) for number in range(3)]
    benchmark.extra_info["seconds until the tiles stand"] = min(taken)
    benchmark(set_up, "standard", SEATS)
    benchmark.extra_info["ratio to the work"] = min(taken) / benchmark.stats.stats.min
    assert max(taken) < HANG_S


def test_bench_verify_command(benchmark: Any, running: Programs) -> None:
    player = running.start("player", *ALONE, "--bots", "1")
    assert player.ended() == 0
    typed = command(player.data, "verify", player.lines[-1])

    def verify() -> int:
        return subprocess.run(typed, check=False, capture_output=True, timeout=HANG_S).returncode

    assert benchmark.pedantic(verify, rounds=5, warmup_rounds=1) == 0
