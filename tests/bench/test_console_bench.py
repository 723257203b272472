"""The screen at work: time until a key is echoed, CPU while nothing happens, bytes for a change.

``pytest tests/bench/test_console_bench.py -o addopts= --benchmark-only`` measures; ``extra_info``
holds what a benchmark's own clock does not show.
"""

from __future__ import annotations

import itertools
import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from p2p_davinci.console.screen import BELOW_HEIGHT, FeedLine, Ui, paint, turned_to
from tests.unit.console.crowds import ROOMY, crowded
from tests.unit.console.scenes import model_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and a pty")

if sys.platform == "linux":
    from tests.term.terminal import PATIENCE_S, Terminal, terminal
    from tests.term.test_rendered import GUESS, RIGHT, Stage, play

IDLE_S: Final = 10.0
KEYS: Final = 60
PRESSED: Final = (b"~", b"^")
"""Two by turns: in a line that is full of one, another would not show."""
ECHO_S_MAX: Final = 0.05
ASKED: Final = b"\x1b]2;* your turn"
"""The title of the terminal, which is always written whole."""


def program(folder: Path, bots: int) -> list[str]:
    typed = ["play", "--bots", str(bots), "--name", "ana", "--lang", "en", "--data", str(folder)]
    return [sys.executable, "-m", "p2p_davinci", *typed]


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU that a process has used (Linux: proc(5))."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_whole_screen_is_painted_in_a_few_milliseconds(benchmark: Any) -> None:
    model = model_of(crowded((7, 7, 7, 7)), ROOMY, "zh")
    told = tuple(
        FeedLine(text="ana 猜你的 1.1 是：白 3。" * 3, round=1, turn=1) for _ in range(500)
    )
    ui = turned_to(model, Ui(feed=told))
    lines = benchmark(lambda: paint(model, ui, 80, 24 - BELOW_HEIGHT))
    assert len(lines) == 24 - BELOW_HEIGHT


def test_a_key_is_echoed_at_once_while_four_programs_set_up_a_game(
    benchmark: Any, tmp_path: Path
) -> None:
    """Setting up begins when the bots sit down and ends when the deal asks the player."""
    with terminal(program(tmp_path, 3)) as screen:
        screen.expect(b"F10 Quit")
        waits = list(echoes(screen))
        benchmark.extra_info["keys"] = len(waits)
        benchmark.extra_info["median_ms"] = round(1000 * statistics.median(waits), 2)
        benchmark.extra_info["slowest_ms"] = round(1000 * max(waits), 2)
        screen.press(b"\x15")
        screen.pump(0.5)
        keys = itertools.cycle(PRESSED)
        benchmark.pedantic(lambda: echo_s(screen, next(keys)), rounds=KEYS)
    assert statistics.median(waits) < ECHO_S_MAX


def echo_s(screen: Terminal, key: bytes) -> float:
    """Press a key that nothing else shows; return the seconds until it is echoed."""
    before, begun_s = len(screen.output), time.perf_counter()
    screen.press(key)
    while key not in screen.output[before:]:
        assert time.perf_counter() - begun_s < PATIENCE_S, screen.shown
        screen.pump(0.001)
    return time.perf_counter() - begun_s


def echoes(screen: Terminal) -> Iterator[float]:
    """Press a key again and again until the deal asks; yield how long each echo takes."""
    keys = itertools.cycle(PRESSED)
    while ASKED not in screen.shown:
        yield echo_s(screen, next(keys))
        screen.pump(0.02)


def test_next_to_no_cpu_is_used_while_nothing_happens(benchmark: Any, tmp_path: Path) -> None:
    with terminal(program(tmp_path, 1)) as screen:
        screen.expect(ASKED)
        screen.pump(1.0)

        def idle() -> float:
            before_s, written = cpu_s(screen.process.pid), len(screen.output)
            screen.pump(IDLE_S)
            assert len(screen.output) == written
            return cpu_s(screen.process.pid) - before_s

        used_s = benchmark.pedantic(idle, rounds=1)
        benchmark.extra_info["cpu_percent"] = round(100 * used_s / IDLE_S, 2)
    assert used_s < 0.05 * IDLE_S


def test_few_bytes_are_written_for_a_change(benchmark: Any) -> None:
    written: dict[str, int] = {}

    async def scene(on: Stage) -> None:
        for name, keys in (("key", "x"), ("enter", "\r"), ("mark", RIGHT), ("moved mark", RIGHT)):
            before = len(on.written.getvalue().encode())
            await on.press(keys)
            written[name] = len(on.written.getvalue().encode()) - before
        before = len(on.written.getvalue().encode())
        count = on.app.render_counter
        on.shell.tell("ada draws a white tile; 17 tiles left in the pile (12 black, 5 white).")
        await on.until(lambda: on.app.render_counter > count)
        written["line told"] = len(on.written.getvalue().encode()) - before

    benchmark.pedantic(lambda: play(GUESS, scene), rounds=1)
    benchmark.extra_info.update({f"{name}_bytes": count for name, count in written.items()})
    assert max(written.values()) < 2000
