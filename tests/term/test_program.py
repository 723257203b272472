"""The program itself on a terminal: quiet while nothing happens, and gone without a trace."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")

if sys.platform != "win32":
    from tests.term.terminal import PATIENCE_S, Terminal, terminal
    from tests.term.test_fullscreen import LEAVE_SCREEN, assert_given_back

IDLE_S = 10.0
ASKED = b"\x1b]2;* your turn"
"""The title of the terminal, which is always written whole."""
CRASHING = """
import sys
from p2p_davinci import cli
from p2p_davinci.app import desk
real = desk.read_line
def read_line(model, line):
    if line == "crash":
        raise RuntimeError("as asked")
    return real(model, line)
desk.read_line = read_line
sys.exit(cli.main())
"""
"""The program with a mistake in it."""


@contextlib.contextmanager
def at_a_table(folder: Path, *program: str) -> Iterator[Terminal]:
    """Run the program until a bot has sat down and the deal asks something."""
    typed = ("play", "--bots", "1", "--name", "ana", "--lang", "en", "--data", str(folder))
    run = program or ("-m", "p2p_davinci")
    with terminal([sys.executable, *run, *typed], P2P_DAVINCI_DATA="") as screen:
        screen.expect(ASKED)
        yield screen


def ends(screen: Terminal, code: int) -> bytes:
    """Wait for the end; return what was left on the normal screen."""
    end = time.monotonic() + PATIENCE_S
    while screen.process.poll() is None and time.monotonic() < end:
        screen.pump(0.05)
    screen.pump(0.2)
    assert screen.process.wait(PATIENCE_S) == code
    assert_given_back(screen)
    return screen.output[screen.output.rfind(LEAVE_SCREEN) :]


@pytest.mark.slow
def test_nothing_is_written_in_ten_idle_seconds_and_every_way_out_gives_the_terminal_back(
    tmp_path: Path,
) -> None:
    ways: list[tuple[int, Callable[[Terminal], None]]] = [
        (143, lambda screen: screen.process.send_signal(signal.SIGTERM)),
        (129, lambda screen: screen.process.send_signal(signal.SIGHUP)),
        (3, lambda screen: screen.press(b"\x03\x03")),
    ]
    with contextlib.ExitStack() as stack:
        screens = [stack.enter_context(at_a_table(tmp_path / str(code))) for code, _ in ways]
        for screen in screens:
            screen.settle()
        written = [len(screen.output) for screen in screens]
        time.sleep(IDLE_S)
        for screen, before in zip(screens, written, strict=True):
            screen.pump(0.01)
            assert len(screen.output) == before
        for screen, (code, way) in zip(screens, ways, strict=True):
            way(screen)
            left = ends(screen, code)
            (log,) = (tmp_path / str(code) / "logs").glob("*.log")
            assert left.strip().endswith(os.fsencode(log))


@pytest.mark.slow
def test_a_crash_gives_the_terminal_back_and_names_the_file_that_tells_why(tmp_path: Path) -> None:
    with at_a_table(tmp_path, "-c", CRASHING) as screen:
        screen.press(b"crash\r")
        left = ends(screen, 1)
        report = tmp_path / "crash.txt"
        assert b"crash.txt" in left
        assert b"Traceback" not in left
        assert "RuntimeError: as asked" in report.read_text("utf-8")
