"""Programs as people start them: processes of their own that meet over loopback."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

HANG_S = 120.0
OPENED = re.compile(r"Table (\S+) is open\..* (\S+:\d+)$")


def command(data: Path, *typed: str) -> list[str]:
    return [sys.executable, "-m", "p2p_davinci", *typed, "--data", str(data), "--lang", "en"]


class Program:
    """One running program; what it prints is read all the time, so that it never has to wait."""

    def __init__(
        self, data: Path, *typed: str, before: Sequence[str] = (), stdin: int = subprocess.DEVNULL
    ) -> None:
        self.data = data
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [*before, *command(data, *typed)],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def await_line(self, wanted: Callable[[str], object], timeout_s: float = HANG_S) -> str:
        """Wait until a line is told that is wanted, and return it."""
        read, end_s = 0, time.monotonic() + timeout_s
        while time.monotonic() < end_s:
            for line in self.lines[read:]:
                read += 1
                if wanted(line):
                    return line
            if self.process.poll() is not None and read == len(self.lines):
                self._reader.join(1)
                if read == len(self.lines):
                    break
            time.sleep(0.02)
        raise AssertionError(f"never told; instead:\n{self.text}")

    def await_text(self, text: str, timeout_s: float = HANG_S) -> str:
        return self.await_line(lambda line: text in line, timeout_s)

    def opened(self) -> tuple[str, str]:
        """The table that it opened, and where."""
        found = OPENED.match(self.await_line(OPENED.match))
        assert found is not None
        return found[1], found[2].split(", ")[-1]

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()
        self._reader.join(5)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def ended(self, timeout_s: float = HANG_S) -> int:
        """Wait for its end and return its exit code."""
        code = self.process.wait(timeout_s)
        self._reader.join(5)
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


class Programs:
    """The programs of one test, all ended with it; folders are below ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._all: list[Program] = []

    def start(self, name: str, *typed: str, **options: Any) -> Program:
        program = Program(self.root / name, *typed, **options)
        self._all.append(program)
        return program

    def close(self) -> None:
        for program in self._all:
            program.close()


@contextlib.contextmanager
def programs(root: Path) -> Iterator[Programs]:
    """Give programs a folder, and end whatever still runs of them."""
    running = Programs(root)
    try:
        yield running
    finally:
        running.close()


def logs_of(*folders: Path) -> list[Path]:
    return sorted(log for folder in folders for log in folder.rglob("logs/*.log"))


def verified(data: Path, *logs: Path) -> list[dict[str, Any]]:
    """What verify says of each log; all must be valid and finished."""
    done = subprocess.run(
        command(data, "verify", "--json", *map(str, logs)),
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_S,
    )
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, verdicts
    return verdicts
