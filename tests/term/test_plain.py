"""The plain shell on pipes, and on a terminal without redrawing."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import threading

import pytest

from p2p_davinci.console.plain import PlainShell

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals, no SIGUSR1")

if sys.platform != "win32":
    from tests.term.terminal import PATIENCE_S, ROOT, environment, talker, terminal


def start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        talker("plain"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment(),
        bufsize=0,
    )


def run(data: bytes, encoding: str = "utf-8") -> list[str]:
    """What a shell on two pipes is typed, until the input ends, and told back."""
    end, other = os.pipe()
    out = io.BytesIO()
    stdout = io.TextIOWrapper(out, encoding)

    async def talk() -> None:
        shell = PlainShell(stdin, stdout)
        async for line in shell.lines():
            shell.tell(line)
        shell.close()

    def feed() -> None:
        with os.fdopen(other, "wb") as pipe:
            pipe.write(data)

    with os.fdopen(end, encoding="utf-8") as stdin:
        feeder = threading.Thread(target=feed)
        feeder.start()
        asyncio.run(asyncio.wait_for(talk(), PATIENCE_S))
        feeder.join()
    return out.getvalue().decode(encoding).splitlines()


# --- pipes -------------------------------------------------------------------------------------


def test_lines_come_from_a_pipe_and_its_end_means_leave() -> None:
    assert run(b"one\ntwo\r\n") == ["one", "two"]


def test_a_last_line_without_an_end_counts() -> None:
    assert run("一\nlast".encode()) == ["一", "last"]


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert run(b"\xff\xfe\n\x00\nnext\n")[-1] == "next"


def test_an_endless_line_is_cut() -> None:
    assert run(b"x" * 100_000 + b"\nnext\n") == ["x" * 2000, "next"]


def test_many_lines_all_arrive_in_order() -> None:
    lines = [str(n) for n in range(3000)]
    assert run("".join(f"{line}\n" for line in lines).encode()) == lines


def test_output_survives_an_encoding_that_lacks_the_characters() -> None:
    assert run("牌\n".encode(), "ascii") == ["?"]


def test_events_are_told_one_a_line_as_they_come() -> None:
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGUSR1)
        assert process.stdout.readline().decode() == "event 1 牌\n"
        process.stdin.close()
        assert process.stdout.readline() == b"left\n"


def test_the_first_interrupt_asks_and_the_second_leaves() -> None:
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        process.stdin.write(b"hello\n")
        assert process.stdout.readline() == b"typed: hello\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == b"typed: quit\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == b"left\n"
        assert process.wait(PATIENCE_S) == 0


def test_an_answer_in_between_makes_the_next_interrupt_ask_again() -> None:
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        for _ in range(2):
            process.stdin.write(b"no\n")
            assert process.stdout.readline() == b"typed: no\n"
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == b"typed: quit\n"
        process.stdin.close()
        assert process.stdout.readline() == b"left\n"


def test_when_nobody_listens_any_more_the_player_leaves_without_a_crash() -> None:
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"anybody?\n")
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr.read() == b""


# --- a terminal --------------------------------------------------------------------------------


def test_an_event_waits_until_the_half_typed_line_is_entered() -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press(b"dra")
        screen.expect(b"dra")
        screen.event()
        screen.pump(0.3)
        assert b"event" not in screen.output
        screen.press(b"w\r")
        screen.expect("w\r\nevent 1 牌\r\ntyped: draw\r\n".encode())


def test_an_event_waits_no_longer_once_the_line_is_emptied() -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press(b"ab")
        screen.expect(b"ab")
        screen.event()
        screen.press(b"\x7f")
        screen.pump(0.2)
        assert b"event" not in screen.output
        screen.press(b"\x7f")
        screen.expect(b"event 1")
        screen.press(b"whole line\x15x\r")
        screen.expect(b"typed: x\r\n")


def test_after_a_while_the_event_is_told_and_the_half_typed_line_written_out_below() -> None:
    with terminal(talker("plain", "0.2")) as screen:
        screen.ready()
        screen.press(b"dra")
        screen.expect(b"dra")
        screen.event()
        screen.expect("\r\nevent 1 牌\r\ndra".encode())
        screen.press(b"w\r")
        screen.expect(b"w\r\ntyped: draw\r\n")


def test_nothing_is_ever_redrawn() -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press(b"one\r\x1b[Atwo\r")
        screen.expect(b"typed: two")
        screen.event()
        screen.expect(b"event 1")
        assert b"\x1b" not in screen.output


def test_a_wide_character_is_erased_whole() -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press("牌".encode())
        screen.expect("牌".encode())
        screen.press(b"\x7f")
        screen.expect(b"\b\b  \b\b")
        screen.press(b"ok\r")
        screen.expect(b"typed: ok")


def test_what_takes_more_than_a_row_is_written_out_anew_when_its_end_is_erased() -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press(b"x" * 90)
        screen.expect(b"x" * 90)
        screen.press(b"\x7f")
        screen.expect(b"\r\n" + b"x" * 89)
        screen.press(b"\x15")
        screen.expect(b"\r\n")
        screen.press(b"ok\r")
        screen.expect(b"typed: ok\r\n")


def test_pasted_lines_arrive_one_by_one() -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press(b"one\r\ntwo\nthree\r")
        for word in (b"one", b"two", b"three"):
            screen.expect(b"typed: " + word + b"\r\n")


@pytest.mark.parametrize("keys", [b"\x04", b"\x03\x03", b"half\x03\x03"])
def test_leaving_gives_the_terminal_back_as_it_was(keys: bytes) -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press(b"x\r")
        screen.expect(b"typed: x")
        screen.press(keys)
        screen.expect(b"left")
        assert screen.process.wait(PATIENCE_S) == 0
        assert screen.modes() == screen.found


def test_closing_from_within_gives_the_terminal_back_too() -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press(b"half")
        screen.expect(b"half")
        screen.process.send_signal(signal.SIGTERM)
        screen.expect(b"left")
        assert screen.modes() == screen.found


def test_an_end_of_input_in_the_middle_of_a_line_is_not_one() -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press(b"ab\x04c\r")
        screen.expect(b"typed: abc")


def test_when_the_terminal_is_gone_the_player_leaves() -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press(b"x\r")
        screen.expect(b"typed: x")
        os.close(screen.slave)
        os.close(screen.master)
        assert screen.process.wait(PATIENCE_S) == 0


def test_a_crash_gives_the_terminal_back_too() -> None:
    with terminal(talker("plain")) as screen:
        screen.ready()
        screen.press(b"crash\r")
        screen.expect(b"RuntimeError: as asked")
        assert screen.process.wait(PATIENCE_S) == 1
        assert screen.modes() == screen.found
