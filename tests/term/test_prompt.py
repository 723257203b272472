"""The prompt shell on a terminal: nothing tears, and the terminal comes back as it was."""

from __future__ import annotations

import signal
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals, no SIGUSR1")

if sys.platform != "win32":
    from tests.term.terminal import PATIENCE_S, talker, terminal


def test_lines_are_typed_and_told() -> None:
    with terminal(talker("prompt")) as screen:
        screen.ready()
        screen.expect(b">")
        screen.press("摸牌\r".encode())
        screen.expect("typed: 摸牌".encode())


def test_an_event_goes_above_the_half_typed_line_which_is_drawn_again_whole() -> None:
    with terminal(talker("prompt")) as screen:
        screen.ready()
        screen.expect(b">")
        screen.press(b"dra")
        screen.expect(b"dra")
        for number in (1, 2, 3):
            screen.event()
            screen.expect(f"event {number} 牌\r\n".encode())
            screen.expect(b"> dra")
        screen.press(b"w\r")
        screen.expect(b"typed: draw\r\n")


def test_words_are_completed() -> None:
    with terminal(talker("prompt")) as screen:
        screen.ready()
        screen.expect(b">")
        screen.press(b"dra")
        screen.expect(b"dra")
        screen.press(b"\t")
        screen.expect(b"w")
        screen.press(b"\r")
        screen.expect(b"typed: draw\r\n")


def test_earlier_lines_come_back() -> None:
    with terminal(talker("prompt")) as screen:
        screen.ready()
        screen.expect(b">")
        screen.press(b"one\r")
        screen.expect(b"typed: one")
        screen.expect(b">")
        screen.press(b"\x10!\r")
        screen.expect(b"typed: one!")


def test_the_first_interrupt_asks_and_the_second_leaves() -> None:
    with terminal(talker("prompt")) as screen:
        screen.ready()
        screen.expect(b">")
        screen.press(b"half\x03")
        screen.expect(b"typed: quit")
        screen.expect(b">")
        screen.press(b"no\r")
        screen.expect(b"typed: no")
        screen.expect(b">")
        screen.press(b"\x03")
        screen.expect(b"typed: quit")
        screen.expect(b">")
        screen.press(b"\x03")
        screen.expect(b"left")
        assert screen.process.wait(PATIENCE_S) == 0
        assert screen.modes() == screen.found


def test_the_end_of_input_leaves_and_the_terminal_is_as_it_was() -> None:
    with terminal(talker("prompt")) as screen:
        screen.ready()
        screen.expect(b">")
        screen.press(b"\x04")
        screen.expect(b"left")
        assert screen.process.wait(PATIENCE_S) == 0
        assert screen.modes() == screen.found


def test_closing_from_within_gives_the_terminal_back_too() -> None:
    with terminal(talker("prompt")) as screen:
        screen.ready()
        screen.expect(b">")
        screen.press(b"half")
        screen.expect(b"half")
        screen.process.send_signal(signal.SIGTERM)
        screen.expect(b"left")
        assert screen.process.wait(PATIENCE_S) == 0
        assert screen.modes() == screen.found


def test_output_survives_a_terminal_that_is_not_utf_8() -> None:
    with terminal(talker("prompt"), PYTHONIOENCODING="ascii", PYTHONUTF8="0") as screen:
        screen.ready()
        screen.expect(b">")
        screen.event()
        screen.expect(b"event 1 ?")
        screen.press(b"ok\r")
        screen.expect(b"typed: ok")


def test_a_crash_gives_the_terminal_back_too() -> None:
    with terminal(talker("prompt")) as screen:
        screen.ready()
        screen.press(b"crash\r")
        screen.expect(b"RuntimeError: as asked")
        assert screen.process.wait(PATIENCE_S) == 1
        assert screen.modes() == screen.found


def test_keys_pressed_while_a_line_is_being_worked_on_wait_for_the_next_prompt() -> None:
    with terminal(talker("prompt")) as screen:
        screen.ready()
        screen.press(b"pause\r")
        screen.expect(b"pause")
        screen.pump(0.2)
        screen.press(b"next\x03")
        screen.pump(0.1)
        assert b"next" not in screen.output
        screen.expect(b"typed: pause")
        screen.expect(b"typed: quit")
        assert screen.process.poll() is None
