"""The program as people run it: processes with data folders of their own, ended by their id."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
HANG_S = 90.0
"""A hang guard: many times what anything here takes on a busy machine."""
LOOPBACK = "127.0.0.1"

_OPENED = re.compile(r"Table (\S+) is open\..* at: (\S+?)(?:,|$)")


def command(*arguments: str) -> list[str]:
    """Return what runs the program with these words."""
    return [sys.executable, "-m", "p2p_davinci", *arguments]


def environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("P2P_", "LC_", "LANG"))}
    return {**kept, "LANG": "C.UTF-8", "USER": "ana", "PYTHONDONTWRITEBYTECODE": "1"}


class Program:
    """A running program: what it tells is read by a thread, line by line."""

    def __init__(self, process: subprocess.Popen[str], data: Path) -> None:
        self.process = process
        self.data = data
        self.lines: list[str] = []
        self._seen = 0
        self._news = threading.Condition()
        self._over = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError):
            for line in self.process.stdout:
                with self._news:
                    self.lines.append(line.rstrip("\n"))
                    self._news.notify_all()
        with self._news:
            self._over = True
            self._news.notify_all()

    # --- telling it something -------------------------------------------------------------------

    def type(self, *lines: str) -> None:
        """Type whole lines; that nobody reads them any more is no error here."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write("".join(f"{line}\n" for line in lines))
            self.process.stdin.flush()

    def close_input(self) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def freeze(self) -> None:
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)

    # --- hearing from it ------------------------------------------------------------------------

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def expect(self, words: str, within_s: float = HANG_S) -> str:
        """Wait for a line with these words after the one expected last, and return it."""
        end_s = time.monotonic() + within_s
        with self._news:
            while True:
                while self._seen < len(self.lines):
                    self._seen += 1
                    if words in self.lines[self._seen - 1]:
                        return self.lines[self._seen - 1]
                left_s = end_s - time.monotonic()
                if self._over or left_s <= 0:
                    raise AssertionError(f"{words!r} was not told:\n{self.text}\n{self.errors}")
                self._news.wait(left_s)

    def opened(self) -> tuple[str, str]:
        """Wait until a table is open; return its name and the first address."""
        match = _OPENED.search(self.expect(" is open. "))
        assert match is not None, self.text
        return match[1], match[2]

    def end(self, within_s: float = HANG_S) -> int:
        """Wait until the program has ended by itself; return its exit code."""
        try:
            code = self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it hangs:\n{self.text}\n{self.errors}") from None
        self._reader.join(within_s)
        return code

    @property
    def errors(self) -> str:
        """What it wrote to its standard error."""
        path = self.data / "stderr.txt"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    @property
    def log(self) -> Path:
        """The log that its last line names."""
        path = Path(self.lines[-1])
        assert path.is_file(), self.text
        return path

    def children(self) -> list[int]:
        """Return the ids of the processes it has started and that still run (Linux)."""
        pid = self.process.pid
        with contextlib.suppress(OSError):
            return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return []

    def kill(self) -> None:
        """Kill it, whatever it does, and whatever it has started."""
        children = self.children()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pid in children:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class Programs:
    """The programs of one test, each with a folder of its own; all are ended when it is left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._stack.close()

    def start(self, player: str, *arguments: str, prefix: Sequence[str] = ()) -> Program:
        """Start the program with a folder named after its player; ``prefix`` is put before it."""
        data = self.folder / player
        data.mkdir(parents=True, exist_ok=True)
        words = command(*arguments, "--data", str(data), "--lang", "en")
        with (data / "stderr.txt").open("wb") as errors:
            process = subprocess.Popen(
                [*prefix, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                cwd=ROOT,
                env=environment(),
            )
        program = Program(process, data)
        self._stack.callback(program.kill)
        return program


def gone(pid: int, within_s: float = HANG_S) -> bool:
    """Tell whether a process that is no child of ours ends by itself in time."""
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        try:
            os.kill(pid, 0)
        except OSError:
            return True
        time.sleep(0.05)
    return False
