"""A person at a terminal plays: the real program, a bot, and keys."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_davinci.app.seat import verify_file
from p2p_davinci.app.settings import Exit
from tests.net.processes import HANG_S, command
from tests.support.typist import Typist

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")

if sys.platform != "win32":
    from tests.term.terminal import Terminal, terminal

ALONE = ("play", "--bots", "1", "--rules", "standard", "--name", "ana")
YOUR_TURN = b"\x1b]2;* your turn"
_LOG = re.compile(rb"(/\S+\.log)\r?\n\s*$")


def lines(screen: Terminal) -> Iterator[str]:
    """Yield what is shown line by line, as it comes."""
    end_s = time.monotonic() + HANG_S
    while time.monotonic() < end_s:
        *whole, _ = screen.shown[screen.seen :].split(b"\r\n")
        for line in whole:
            screen.seen += len(line) + 2
            yield line.decode()
        if not whole and screen.process.poll() is not None:
            return
        screen.pump(0.05)


def await_output(screen: Terminal, data: bytes, count: int) -> None:
    """Wait until ``data`` has come ``count`` times, escape sequences included."""
    end_s = time.monotonic() + HANG_S
    while screen.output.count(data) < count:
        assert time.monotonic() < end_s, screen.shown
        screen.pump(0.05)


def check_left(screen: Terminal, code: int, status: str) -> None:
    """The program has given the terminal back, and its last line names the log."""
    end_s = time.monotonic() + HANG_S
    while screen.process.poll() is None and time.monotonic() < end_s:
        screen.pump(0.1)
    screen.pump(0.3)
    assert screen.process.poll() == code, screen.shown.decode()[-1500:]
    assert screen.modes() == screen.found
    named = _LOG.search(screen.shown)
    assert named is not None, screen.shown
    assert verify_file(Path(named[1].decode())).status == status
    assert b"Traceback" not in screen.output


@pytest.mark.slow
def test_a_whole_game_is_typed_line_by_line_in_chinese(tmp_path: Path) -> None:
    typist = Typist(seed=1)
    with terminal(command(tmp_path, *ALONE, "--plain")) as screen:
        screen.press(b"nonsense\rlanguage zh\rdraw\r\x1b[A\x7f\x7f\rready\r")
        for line in lines(screen):
            if "这一局的日志" in line:
                break
            answer = typist.answer(line)
            if answer is not None:
                screen.press(f"{answer}\r".encode())
        assert b"I do not know what to do with" in screen.shown
        # At a terminal there may be another game.
        screen.press("退出\r是\r".encode())
        check_left(screen, Exit.OK, "finished")


@pytest.mark.slow
def test_a_few_moves_are_played_on_the_whole_screen_and_the_game_is_left(tmp_path: Path) -> None:
    with terminal(command(tmp_path, *ALONE)) as screen:
        await_output(screen, YOUR_TURN, 1)
        screen.press(b"2.1 = what\r")
        screen.pump(0.3)
        screen.press(b"draw\r")
        # The others uncover the tile, and it is our turn again.
        await_output(screen, YOUR_TURN, 2)
        screen.press(b"quit\r")
        screen.pump(0.5)
        screen.press(b"yes\r")
        check_left(screen, Exit.UNFINISHED, "unfinished")
