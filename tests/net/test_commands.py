"""The commands as people type them: processes of their own that meet over loopback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from p2p_davinci.app.settings import Exit
from p2p_davinci.rules.referee import referee_line

LOOPBACK = "127.0.0.1"
HANG_S = 120
OPENED = re.compile(r"Table (\S+) is open\..* (\S+:\d+)$")


def command(data: Path, *typed: str) -> list[str]:
    return [sys.executable, "-m", "p2p_davinci", *typed, "--data", str(data), "--lang", "en"]


def ran(data: Path, *typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(data, *typed),
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_S,
        stdin=subprocess.DEVNULL,
    )


@contextmanager
def running(data: Path, *typed: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command(data, *typed),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def verified(data: Path, *logs: str) -> list[dict[str, Any]]:
    done = ran(data, "verify", "--json", *logs)
    assert (done.returncode, done.stderr) == (Exit.OK, "")
    return [json.loads(line) for line in done.stdout.splitlines()][: len(logs)]


def test_play_against_a_bot_leaves_a_log_that_proves_the_game(tmp_path: Path) -> None:
    played = ran(tmp_path, "play", "--auto", "--plain", "--option", "jokers=no")
    assert (played.returncode, played.stderr) == (Exit.OK, "")
    log = played.stdout.splitlines()[-1]
    assert Path(log).parent == tmp_path / "logs"
    (verdict,) = verified(tmp_path, log)
    assert (verdict["verdict"], verdict["receipts_missing"]) == ("finished", [])
    record = ran(tmp_path, "show", log, "--json").stdout
    assert json.loads(referee_line(record)) == verdict["state"]


@pytest.mark.slow
def test_an_open_table_is_listed_and_joined(tmp_path: Path) -> None:
    ours = ("--auto", "--plain", "--interface", LOOPBACK)
    with running(
        tmp_path / "host", "open", *ours, "--option", "jokers=no", "--name", "ana"
    ) as host:
        table, address = opened(host)
        assert table in listed(tmp_path / "looker")
        guest = ran(tmp_path / "guest", "join", table, *ours, "--address", address, "--name", "bo")
        assert (guest.returncode, guest.stderr) == (Exit.OK, "")
        out, _ = host.communicate(timeout=HANG_S)
        assert host.returncode == Exit.OK
    logs = [out.splitlines()[-1], guest.stdout.splitlines()[-1]]
    verdicts = verified(tmp_path / "looker", *logs)
    assert verdicts[0]["head"] == verdicts[1]["head"]
    assert [player["name"] for player in verdicts[0]["players"]] == ["ana", "bo"]


def opened(host: subprocess.Popen[str]) -> tuple[str, str]:
    assert host.stdout is not None
    for line in host.stdout:
        found = OPENED.match(line.strip())
        if found is not None:
            return found[1], found[2]
    pytest.fail("no table was opened")


def listed(data: Path) -> list[str]:
    found = ran(data, "tables", "--json", "--interface", LOOPBACK, "--wait", "2")
    assert (found.returncode, found.stderr) == (Exit.OK, "")
    return [json.loads(line)["table"] for line in found.stdout.splitlines()]


@pytest.mark.slow
def test_joining_where_nobody_is_says_so(tmp_path: Path) -> None:
    done = ran(tmp_path, "join", "no-such-table", "--auto", "--interface", LOOPBACK, "--wait", "1")
    assert done.returncode == Exit.ERROR
    assert "No table was found" in done.stdout


def test_an_interface_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    done = ran(tmp_path, "tables", "--interface", "no-such-interface", "--wait", "0")
    assert (done.returncode, done.stdout) == (Exit.ERROR, "")
    assert "no-such-interface" in done.stderr
