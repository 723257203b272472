"""A bot that cheats as a program of its own: what its victim sees, and what is left to show."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from p2p_davinci.app.cheats import CHEATS
from p2p_davinci.app.settings import Exit

HANG_S = 120


def run(*typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "p2p_davinci", *typed, "--lang", "en"],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_S,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.slow
def test_a_bot_with_two_faces_is_caught_and_the_evidence_convicts_it(tmp_path: Path) -> None:
    played = run(
        *("play", "--auto", "--plain", "--data", str(tmp_path), "--bot-cheats", "two-faces")
    )
    assert (played.returncode, played.stderr) == (Exit.CHEAT, "")
    log = Path(played.stdout.splitlines()[-1])
    evidence = log.with_suffix(".evidence")
    assert str(evidence) in played.stdout
    assert "How it was caught" in played.stdout
    verified = run("verify", "--json", str(evidence), str(log))
    assert verified.returncode == Exit.CHEAT
    proof, void = (json.loads(line) for line in verified.stdout.splitlines())
    assert (proof["verdict"], void["verdict"]) == ("evidence", "void")
    assert proof["players"][0]["key"] == void["players"][void["blamed"][0]["seat"]]["key"]


def test_help_lists_every_cheat() -> None:
    assert all(name in run("play", "--help").stdout for name in CHEATS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (("play", "--bot-cheats", "luck"), "There is no cheat luck; there are false-miss,"),
        (("open", "--bot-cheats", "two-faces"), "--bot-cheats is for a bot"),
        (("join", "--cheat", "two-faces"), "--cheat is for a bot that plays for you"),
        (("join", "--auto", "--cheat", "luck"), "There is no cheat luck"),
    ],
)
def test_a_cheat_that_cannot_be_is_refused(
    typed: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    refused = run(*typed, "--data", str(tmp_path))
    assert refused.returncode == Exit.USAGE
    assert refused.stderr.startswith(sentence)
