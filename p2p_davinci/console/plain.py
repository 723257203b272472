"""The plain shell: one event a line, no redraw; for pipes, screen readers, dumb terminals, bots.

On a terminal it reads keys and echoes them itself, because only so can it know that a line is half
typed: what happens meanwhile is held until the line is entered or emptied, or at most
:data:`HOLD_S` seconds; then it is told, and the half-typed text is written out again below.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from typing import TextIO

from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.utils import get_cwidth

from .model import Model
from .shell import How, Interrupts, drop_output, hold_raw_mode

HOLD_S = 20.0
LINE_CHARS_MAX = 2000
"""What is typed beyond this in one line is dropped."""

COLUMNS = 80
"""How wide a terminal counts that does not tell it."""

_READ_BYTES = 4096
_LEAVE = None


class PlainShell:
    """A shell on two text streams; see :class:`.shell.Shell`."""

    def __init__(self, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        self._in = sys.stdin if stdin is None else stdin
        self._out = sys.stdout if stdout is None else stdout
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._read_on = threading.Event()
        self._interrupts = Interrupts()
        self._stack = contextlib.ExitStack()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._typed = ""
        self._after_return = False
        self._held: list[str] = []
        self._hold: asyncio.TimerHandle | None = None
        self._closed = False
        reconfigure = getattr(self._out, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace", line_buffering=True)

    def tell(self, line: str) -> None:
        """Write one line, or hold it while another is half typed."""
        if not self._typed:
            self._write(f"{line}\n")
            return
        self._held.append(line)
        if self._hold is None and self._loop is not None:
            self._hold = self._loop.call_later(HOLD_S, self._tell_below)

    def answer(self, lines: Sequence[str], how: How) -> None:  # noqa: ARG002 - all are told
        """Tell an answer line by line."""
        for line in lines:
            self.tell(line)

    def show(self, model: Model) -> None:
        """Show nothing: what changes is told."""

    async def lines(self) -> AsyncIterator[str]:
        """Yield what is typed until the end of input or the second Ctrl-C."""
        self._loop = asyncio.get_running_loop()
        self._catch_interrupt(self._loop)
        if self._in.isatty():
            self._read_keys(create_input(self._in))
        else:
            threading.Thread(target=self._read_pipe, args=(self._loop,), daemon=True).start()
        while not self._closed:
            line = await self._queue.get()
            if line is _LEAVE:
                return
            if self._queue.empty():
                self._read_on.set()
            yield line

    def close(self) -> None:
        """End the reading, tell what was held, give the terminal back."""
        if self._closed:
            return
        self._closed = True
        self._drop_typed()
        self._stack.close()
        self._queue.put_nowait(_LEAVE)

    async def closed(self) -> None:
        """Return at once: closing takes no time here."""

    # --- writing -----------------------------------------------------------------------------

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except (OSError, ValueError):
            self._nobody_listens()

    def _nobody_listens(self) -> None:
        """End the reading when the other end of the output is gone."""
        with contextlib.suppress(OSError, ValueError):
            drop_output(self._out.fileno())
        self._queue.put_nowait(_LEAVE)

    def _drop_typed(self) -> None:
        if self._typed:
            self._typed = ""
            self._write("\n")
        self._tell_held()

    def _tell_held(self) -> None:
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None
        held, self._held = self._held, []
        for line in held:
            self._write(f"{line}\n")

    def _tell_below(self) -> None:
        typed, self._typed = self._typed, ""
        self._write("\n")
        self._tell_held()
        self._typed = typed
        self._write(typed)

    # --- reading -----------------------------------------------------------------------------

    def _catch_interrupt(self, loop: asyncio.AbstractEventLoop) -> None:
        # Not on Windows, nor outside the main thread: there Ctrl-C stays what it was.
        with contextlib.suppress(RuntimeError, ValueError):
            loop.add_signal_handler(signal.SIGINT, self._interrupt)
            self._stack.callback(loop.remove_signal_handler, signal.SIGINT)

    def _interrupt(self) -> None:
        self._drop_typed()
        self._queue.put_nowait(self._interrupts.pressed())

    def _read_pipe(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read in a thread of its own: files, pipes and consoles have no other way in common.

        The unbuffered stream is read, so that no lock is held when the interpreter ends; and no
        further than has been taken, so that a long file does not fill the memory.
        """
        binary = self._in.buffer
        raw = getattr(binary, "raw", binary)
        decoder = codecs.getincrementaldecoder(self._in.encoding or "utf-8")("replace")
        rest = ""
        # The stream may be closed under us, and the loop may end before the input does.
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            while data := raw.read(_READ_BYTES):
                *lines, rest = (rest + decoder.decode(data)).split("\n")
                rest = rest[:LINE_CHARS_MAX]
                if lines:
                    self._read_on.clear()
                    loop.call_soon_threadsafe(self._take_all, lines)
                    self._read_on.wait()
            loop.call_soon_threadsafe(self._take_all, [rest, _LEAVE] if rest else [_LEAVE])

    def _take_all(self, lines: Sequence[str | None]) -> None:
        for line in lines:
            self._take(line)

    def _take(self, line: str | None) -> None:
        self._interrupts.typed()
        self._queue.put_nowait(None if line is None else line.rstrip("\r")[:LINE_CHARS_MAX])

    def _read_keys(self, keys: Input) -> None:
        def ready() -> None:
            pressed = keys.read_keys()
            if keys.closed or (not pressed and _hung_up(keys)):
                self._stack.close()
                self._drop_typed()
                # If the output went with it, this finds out.
                self._write("\n")
                self._queue.put_nowait(_LEAVE)
            for key in pressed:
                self._press(key)

        hold_raw_mode(keys, self._stack)
        self._stack.enter_context(keys.attach(ready))

    def _press(self, press: KeyPress) -> None:
        match press.key:
            case Keys.ControlM | Keys.ControlJ:
                if not (press.key is Keys.ControlJ and self._after_return):
                    self._enter()
            case Keys.ControlC:
                self._interrupt()
            case Keys.ControlD if not self._typed:
                self._queue.put_nowait(_LEAVE)
            case Keys.ControlH:
                self._erase(self._typed[-1:])
            case Keys.ControlU:
                self._erase(self._typed)
            case Keys():
                pass
            case char:
                self._insert(char)
        self._after_return = press.key is Keys.ControlM

    def _insert(self, char: str) -> None:
        if char.isprintable() and len(self._typed) < LINE_CHARS_MAX:
            self._typed += char
            self._write(char)

    def _erase(self, end: str) -> None:
        one_row = get_cwidth(self._typed) < self._columns()
        self._typed = self._typed[: len(self._typed) - len(end)]
        if one_row:
            columns = get_cwidth(end)
            self._write("\b" * columns + " " * columns + "\b" * columns)
        elif end:
            # A backspace does not lead from one row of the terminal back to the one above.
            self._write(f"\n{self._typed}")
        if not self._typed:
            self._tell_held()

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._out.fileno()).columns or COLUMNS
        except OSError:
            return COLUMNS

    def _enter(self) -> None:
        line, self._typed = self._typed, ""
        self._write("\n")
        self._tell_held()
        self._take(line)


def _hung_up(keys: Input) -> bool:
    """Tell whether the terminal is gone: reading it gives nothing then, for ever."""
    if sys.platform == "win32":
        return False
    try:
        os.get_terminal_size(keys.fileno())
    except OSError:
        return True
    return False
