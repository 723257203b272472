"""What a person really sees: the prompt shell in tmux, its screen read back line by line."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("tmux") is None, reason="there is no tmux"
)

if sys.platform != "win32":
    from tests.term.terminal import PATIENCE_S, ROOT, environment, talker


class Screen:
    """A window of 40 columns and 10 lines on a tmux server of its own."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    def tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), "-f", os.devnull, *arguments],
            env=environment(),
            cwd=ROOT,
            capture_output=True,
            check=True,
            timeout=PATIENCE_S,
        )
        return done.stdout.decode()

    def start(self, command: list[str]) -> None:
        self.tmux("-u", "new-session", "-d", "-x", "40", "-y", "10", shlex.join(command))

    def lines(self) -> list[str]:
        return self.tmux("capture-pane", "-p").rstrip("\n").split("\n")

    def until(self, *last: str) -> list[str]:
        """Wait until the screen ends with these lines; return all of it."""
        end = time.monotonic() + PATIENCE_S
        while (shown := self.lines())[-len(last) :] != list(last):
            if time.monotonic() > end:
                raise AssertionError(f"the screen shows {shown}")
            time.sleep(0.02)
        return shown

    def event(self) -> None:
        os.kill(int(self.tmux("list-panes", "-F", "#{pane_pid}")), signal.SIGUSR1)

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    window = Screen(tmp_path / "tmux")
    window.start(talker("prompt"))
    try:
        window.until("ready", ">")
        yield window
    finally:
        window.tmux("kill-server")


def test_events_scroll_by_above_the_line_that_is_being_typed(screen: Screen) -> None:
    screen.type("2.3 = 黑")
    screen.until("> 2.3 = 黑")
    screen.event()
    screen.until("ready", "event 1 牌", "> 2.3 = 黑")
    for number in range(2, 13):
        screen.event()
        screen.until(f"event {number} 牌", "> 2.3 = 黑")
    assert screen.lines()[0] == "event 4 牌"
    screen.type("7")
    screen.tmux("send-keys", "Enter")
    screen.until("> 2.3 = 黑7", "typed: 2.3 = 黑7", ">")


def test_a_line_longer_than_the_window_stays_whole(screen: Screen) -> None:
    text = "say " + "long " * 9 + "end"
    screen.type(text)
    screen.until(f"> {text}"[:40], f"> {text}"[40:])
    screen.event()
    screen.until("ready", "event 1 牌", f"> {text}"[:40], f"> {text}"[40:])


def test_editing_goes_on_where_it_was(screen: Screen) -> None:
    screen.type("drw")
    screen.until("> drw")
    screen.tmux("send-keys", "Left")
    screen.event()
    screen.until("event 1 牌", "> drw")
    screen.type("a")
    screen.until("> draw")
