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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.support.typist import Typist

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
        self._heard = 0
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

    def expect(self, text: str, timeout_s: float = HANG_S) -> str:
        """Wait for a line with this text after the one expected last, and return it."""
        end_s = time.monotonic() + timeout_s
        while time.monotonic() < end_s:
            over = not self._reader.is_alive()
            while self._heard < len(self.lines):
                self._heard += 1
                if text in self.lines[self._heard - 1]:
                    return self.lines[self._heard - 1]
            if over:
                break
            time.sleep(0.01)
        raise AssertionError(f"{text!r} was not told:\n{self.text}")

    def type(self, *lines: str) -> None:
        """Type whole lines at a program that was started with a pipe."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write("".join(f"{line}\n" for line in lines))
            self.process.stdin.flush()

    def hang_up(self) -> None:
        """End the input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def play(self, typist: Typist, until: str) -> str:
        """Let ``typist`` answer whatever is asked until a line with ``until`` is told."""
        end_s = time.monotonic() + HANG_S
        while time.monotonic() < end_s:
            line = self.expect("")
            if until in line:
                return line
            answer = typist.answer(line)
            if answer is not None:
                self.type(answer)
        raise AssertionError(f"{until!r} was never told:\n{self.text}")

    def children(self) -> list[int]:
        """Return the ids of the processes it has started and that still run (Linux)."""
        tasks = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in tasks.read_text().split()] if tasks.exists() else []

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


def play_together(until: str, *playing: Program) -> None:
    """Let a typist answer at each of these programs until each has told ``until``."""
    with ThreadPoolExecutor(len(playing)) as threads:
        list(threads.map(lambda program: program.play(Typist(), until), playing))


def gone(pid: int, timeout_s: float = HANG_S) -> bool:
    """Tell whether a process that is no child of ours ends by itself in time."""
    end_s = time.monotonic() + timeout_s
    while time.monotonic() < end_s:
        try:
            os.kill(pid, 0)
        except OSError:
            return True
        time.sleep(0.05)
    return False


def logs_of(*folders: Path) -> list[Path]:
    return sorted(log for folder in folders for log in folder.rglob("logs/*.log"))


def verified(data: Path, *logs: Path) -> list[dict[str, Any]]:
    """What verify says of each log; all must be valid and finished, and those of one game agree."""
    done = subprocess.run(
        command(data, "verify", "--json", *map(str, logs)),
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_S,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, found
    assert all(game["verdict"] in ("agree", "behind") for game in found[len(logs) :])
    return found[: len(logs)]
