"""A pseudo-terminal with a program on it, driven by bytes."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PATIENCE_S = 20.0
"""A hang guard: far longer than anything here takes."""
QUIET_S = 1.0

ASK_CURSOR = b"\x1b[6n"

_ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")


def talker(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tests.term.talker", *arguments]


def environment(**changes: str) -> dict[str, str]:
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return {**kept, "TERM": "xterm", "LANG": "C.UTF-8", "PYTHONUTF8": "1", **changes}


class Terminal:
    """What a program on a terminal shows, and the keys pressed there."""

    def __init__(self, master: int, slave: int, process: subprocess.Popen[bytes]) -> None:
        self.master, self.slave, self.process = master, slave, process
        self.output = b""
        self.found = self.modes()
        """The settings before the program changed them."""
        self.seen = 0
        self.answers = True
        """Whether the terminal tells where its cursor is, as real ones do."""
        self.column = 2
        """What it tells: where the cursor is after one box-drawing character."""

    @property
    def shown(self) -> bytes:
        """All output without escape sequences."""
        return _ESCAPES.sub(b"", self.output)

    def press(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def event(self) -> None:
        self.process.send_signal(signal.SIGUSR1)

    def pump(self, seconds: float) -> None:
        """Take what is shown within so many seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self._take(left):
                return

    def settle(self) -> None:
        """Wait until nothing has been shown for a while."""
        end = time.monotonic() + PATIENCE_S
        before = -1
        while len(self.output) != before:
            assert time.monotonic() < end, self.shown
            before = len(self.output)
            self.pump(QUIET_S)

    def expect(self, text: bytes) -> None:
        """Wait until ``text`` is shown after what was expected last."""
        end = time.monotonic() + PATIENCE_S
        while (at := self.shown.find(text, self.seen)) < 0:
            left = end - time.monotonic()
            if left <= 0 or not self._take(left):
                raise AssertionError(f"{text!r} is not shown in {self.shown[self.seen :]!r}")
        self.seen = at + len(text)

    def _take(self, seconds: float) -> bool:
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.output += data
        for _ in range(data.count(ASK_CURSOR) if self.answers else 0):
            self.press(b"\x1b[12;%dR" % self.column)
        return bool(data)

    def ready(self) -> Terminal:
        """Wait until the program has told that it is ready and reads keys itself."""
        self.expect(b"ready\r\n")
        end = time.monotonic() + PATIENCE_S
        while self.modes() == self.found:
            if time.monotonic() > end:
                raise AssertionError("the program does not read keys")
            self.pump(0.01)
        return self

    def ready_screen(self) -> Terminal:
        """Wait until the program has the whole screen and reads keys."""
        self.expect(b"ready")
        return self

    def modes(self) -> list[object]:
        """Return the terminal's settings."""
        return list(termios.tcgetattr(self.slave))


@contextlib.contextmanager
def terminal(command: Sequence[str], **environ: str) -> Iterator[Terminal]:
    """Run ``command`` on a terminal of its own; it is killed if it does not end by itself."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    process = subprocess.Popen(
        command,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=ROOT,
        env=environment(**environ),
        start_new_session=True,
    )
    try:
        yield Terminal(master, slave, process)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE_S)
        for end in (master, slave):
            with contextlib.suppress(OSError):
                os.close(end)
