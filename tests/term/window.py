"""A window of tmux with a program in it: the screen as a person sees it, line by line."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.term.terminal import PATIENCE_S, ROOT, environment

EXITED = "exit code "


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
        # What the program leaves behind stays to be read, and its exit code below it.
        script = f'{shlex.join(command)}; echo "{EXITED}$?"; read -r _'
        self.tmux("-u", "new-session", "-d", *size, shlex.join(("sh", "-c", script)))

    def resize(self, columns: int, rows: int) -> None:
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def lines(self) -> list[str]:
        """Return the rows of the screen, without blanks at their ends."""
        return [row.rstrip() for row in self.tmux("capture-pane", "-p").split("\n")[:-1]]

    def text(self) -> str:
        return "\n".join(self.lines())

    def exit_code(self) -> int:
        """Wait for the program's end, and return how it ended."""
        self.expect(EXITED)
        return int(self.text().rpartition(EXITED)[2].split()[0])

    def left(self) -> list[str]:
        """Return the lines that the program has left on the normal screen."""
        return [line for line in self.lines() if line and not line.startswith(EXITED)]

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

    def find(self, pattern: str) -> None:
        """Wait until what matches ``pattern`` is on the screen."""
        self.until(lambda: re.search(pattern, self.text()) is not None)

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
