"""A window of tmux with a program in it: the screen as a person sees it, line by line."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.term.terminal import PATIENCE_S, ROOT, environment


class Window:
    """One window on a tmux server of its own."""

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

    def start(self, command: Sequence[str], columns: int, rows: int) -> None:
        size = ("-x", str(columns), "-y", str(rows))
        self.tmux("-u", "new-session", "-d", *size, f"exec {shlex.join(command)}")
        # What the program leaves behind stays to be read after it has ended.
        self.tmux("set-option", "remain-on-exit", "on")

    def resize(self, columns: int, rows: int) -> None:
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def lines(self) -> list[str]:
        """Return the rows of the screen, without blanks at their ends."""
        return [row.rstrip() for row in self.tmux("capture-pane", "-p").split("\n")[:-1]]

    def text(self) -> str:
        return "\n".join(self.lines())

    def ended(self) -> bool:
        return self.tmux("list-panes", "-F", "#{pane_dead}").strip() == "1"

    def exit_code(self) -> int:
        self.until(self.ended)
        return int(self.tmux("list-panes", "-F", "#{pane_dead_status}"))

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names for them."""
        self.tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type a line and enter it."""
        self.tmux("send-keys", "-l", text)
        self.press("Enter")

    def until(self, seen: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not seen():
            if time.monotonic() > end:
                raise AssertionError(self.text())
            time.sleep(0.03)

    def expect(self, *texts: str) -> str:
        """Wait until one of the texts is on the screen; return which."""
        found: list[str] = []

        def seen() -> bool:
            shown = self.text()
            found[:] = [text for text in texts if text in shown]
            return bool(found)

        self.until(seen)
        return found[0]


@contextlib.contextmanager
def window(
    folder: Path, command: Sequence[str], columns: int = 80, rows: int = 24
) -> Iterator[Window]:
    """Run ``command`` in a window; its server is ended whatever happens."""
    opened = Window(folder / "tmux")
    opened.start(command, columns, rows)
    try:
        yield opened
    finally:
        opened.tmux("kill-server")
