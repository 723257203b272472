"""Two people at two terminals: a game, and another one with the same people."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from p2p_davinci.session.audit import verify_log
from tests.net.processes import command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")

if sys.platform != "win32":
    from tests.term.terminal import Terminal, terminal

LOOPBACK = ("--interface", "127.0.0.1", "--plain", "--option", "jokers=no")


def say(screen: Terminal, line: str, *expected: str) -> None:
    screen.press(f"{line}\r".encode())
    for text in expected:
        screen.expect(text.encode())


def play_and_resign(ana: Terminal, bo: Terminal) -> None:
    """Get ready, take tiles, and let Ana resign."""
    say(ana, "ready")
    # Once she is ready, the seats will not change any more.
    bo.expect(b"ana is ready.")
    say(bo, "ready")
    for screen in (ana, bo):
        screen.expect(b"You take 4 tiles, unseen")
        screen.press(b"take 2 black\r")
    for screen in (ana, bo):
        screen.expect(b"The tiles stand.")
    say(ana, "resign", "Resign?")
    say(ana, "yes")
    # Out of turn it goes out with the next draw.
    if b"The tiles stand. You begin." in bo.shown[bo.shown.rfind(b"The tiles stand.") :]:
        ana.expect(b"Your resignation goes out as soon as")
        say(bo, "draw black")
    for screen in (ana, bo):
        screen.expect(b"The game is over. ")
        screen.expect(b"valid and finished")
        screen.expect(b"You can type: again, leave")


@pytest.mark.slow
@pytest.mark.parametrize("first", ["opener", "other"])
def test_the_same_people_play_again_whoever_says_so_first(tmp_path: Path, first: str) -> None:
    opened = command(tmp_path / "ana", "open", "--name", "ana", *LOOPBACK)
    with terminal(opened) as ana:
        ana.expect(b"join it at: ")
        ana.expect(b"\r\n")
        found = re.search(rb"join it at: (127\.0\.0\.1:\d+)", ana.shown)
        assert found is not None
        joined = command(tmp_path / "bo", "join", found[1].decode(), "--name", "bo", *LOOPBACK[:3])
        with terminal(joined) as bo:
            for screen in (ana, bo):
                screen.expect(b"type ready")
            say(ana, "seat bo ana", "New order of the seats: bo, ana")
            bo.expect(b"New order of the seats: bo, ana")
            say(bo, "compare", "There is nothing to compare yet")
            play_and_resign(ana, bo)
            say(bo, "compared")
            if first == "opener":
                say(ana, "again", "Waiting for 1 more player")
                bo.expect(b"ana has opened the table once more")
                say(bo, "again", "You would like another game")
            else:
                say(bo, "again", "You would like another game")
                ana.expect(b"bo would like another game: type again.")
                say(ana, "again")
            # They sit as they sat before.
            for screen in (ana, bo):
                screen.expect(b"If seats and rules are right, type ready.")
            ana.expect(b"New order of the seats: bo, ana")
            play_and_resign(ana, bo)
            say(ana, "leave", "You left the table.")
            say(ana, "quit", "Nobody else is affected")
            say(ana, "yes")
            say(bo, "again", "is not there any more")
            for screen in (ana, bo):
                screen.press(b"\x04")
            assert ana.process.wait(20) == 0
            assert bo.process.wait(20) == 0
    for name in ("ana", "bo"):
        logs = sorted((tmp_path / name / "logs").glob("*.log"))
        assert [verify_log(log.read_bytes()).status for log in logs] == ["finished"] * 2
