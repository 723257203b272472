"""The full-screen shell on a terminal: the screen is taken and given back, whatever happens."""

from __future__ import annotations

import os
import signal
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals, no SIGUSR1")

if sys.platform != "win32":
    from tests.term.terminal import PATIENCE_S, Terminal, talker, terminal

ENTER_SCREEN, LEAVE_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
PASTE_ON, PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"
SHOW_CURSOR, HIDE_CURSOR = b"\x1b[?25h", b"\x1b[?25l"
KEEP_TITLE, OLD_TITLE = b"\x1b[22;0t", b"\x1b[23;0t"


def assert_given_back(screen: Terminal) -> None:
    """Everything that was switched on is off again: modes, screen, paste mode, cursor, title."""
    assert screen.modes() == screen.found
    for on, off in ((ENTER_SCREEN, LEAVE_SCREEN), (PASTE_ON, PASTE_OFF), (KEEP_TITLE, OLD_TITLE)):
        assert on in screen.output
        assert screen.output.rfind(off) > screen.output.rfind(on)
    assert screen.output.rfind(SHOW_CURSOR) > screen.output.rfind(HIDE_CURSOR)


def test_what_is_typed_is_echoed_told_and_wiped() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        assert ENTER_SCREEN in screen.output
        screen.press("摸牌".encode())
        screen.expect("摸牌".encode())
        screen.press(b"\r")
        screen.expect("typed: 摸牌".encode())


def test_words_are_completed() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        screen.press(b"dra")
        screen.expect(b"dra")
        screen.press(b"\t")
        screen.expect(b"w")
        screen.press(b"\r")
        screen.expect(b"typed: draw")


def test_earlier_lines_come_back() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        screen.press(b"one\r")
        screen.expect(b"typed: one")
        screen.press(b"\x10!\r")
        screen.expect(b"typed: one!")


def test_the_first_interrupt_asks_and_the_second_leaves() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        screen.press(b"half\x03")
        screen.expect(b"typed: quit")
        screen.press(b"no\r")
        screen.expect(b"typed: no")
        screen.press(b"\x03")
        screen.expect(b"typed: quit")
        screen.press(b"\x03")
        screen.expect(b"left")
        assert screen.process.wait(PATIENCE_S) == 0
        assert_given_back(screen)


def test_an_interrupt_from_outside_counts_like_the_key() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        screen.process.send_signal(signal.SIGINT)
        screen.expect(b"typed: quit")
        screen.process.send_signal(signal.SIGINT)
        screen.expect(b"left")
        assert_given_back(screen)


def test_control_d_asks_too_instead_of_leaving_at_once() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        screen.press(b"\x04")
        screen.expect(b"typed: quit")
        assert screen.process.poll() is None


def test_closing_from_within_gives_the_terminal_back() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        screen.press(b"half")
        screen.expect(b"half")
        screen.process.send_signal(signal.SIGTERM)
        screen.expect(b"left")
        assert screen.process.wait(PATIENCE_S) == 0
        assert_given_back(screen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "told"),
    [(b"crash", b""), (b"crash in a key", b"typed: crash in a key"), (b"crash in painting", b"")],
)
def test_a_crash_gives_the_terminal_back_and_only_then_says_why(line: bytes, told: bytes) -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        screen.press(line + b"\r")
        if told:
            screen.expect(told)
            screen.press(b"\x1b[A")
        screen.expect(b"RuntimeError: as asked")
        assert screen.process.wait(PATIENCE_S) == 1
        assert_given_back(screen)
        assert screen.output.rfind(LEAVE_SCREEN) < screen.output.find(b"Traceback")


def test_what_somebody_writes_to_standard_error_waits_until_the_screen_is_gone() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        screen.press(b"complain\r")
        screen.expect(b"typed: complain")
        assert b"a complaint" not in screen.output
        screen.press(b"\x03\x03")
        screen.expect(b"a complaint")
        assert screen.output.rfind(LEAVE_SCREEN) < screen.output.find(b"a complaint")


def test_when_the_terminal_is_gone_the_player_leaves() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        os.close(screen.slave)
        os.close(screen.master)
        assert screen.process.wait(PATIENCE_S) == 0


def test_keys_pressed_while_a_line_is_being_worked_on_are_echoed_at_once() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        screen.press(b"pause\r")
        screen.press(b"next")
        screen.expect(b"next")
        assert b"typed: pause" not in screen.shown
        screen.expect(b"typed: pause")


def test_pasted_lines_become_one() -> None:
    with terminal(talker("screen")) as screen:
        screen.ready_screen()
        screen.press(b"\x1b[200~say one\r\ntwo\n\x1b[201~\r")
        screen.expect(b"typed: say one two")
