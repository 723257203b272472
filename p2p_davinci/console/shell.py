"""What a shell is: where lines are told and typed.

A shell tells lines and reads lines; what is typed is handed on as it stands. The first Ctrl-C
becomes the line that asks whether to quit, a second one at once, or the end of input, ends the
reading: the player leaves.
"""

from __future__ import annotations

import atexit
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack
from typing import Literal, Protocol, TypeAlias

from prompt_toolkit.input import Input

from .model import Model
from .vocabulary import VERBS

How: TypeAlias = Literal["told", "apart", "latest", "seen"]
"""What a screen does with an answer: tell it like news; make a page of it that can be put away,
open at its beginning or at its latest lines; or nothing, because it shows the same anyway.
Without a screen all answers are told."""
Complete: TypeAlias = Callable[[str], Sequence[str]]
"""From the text before the cursor to the words that may stand in place of its last one."""


class Shell(Protocol):
    """Where lines are told and typed."""

    def tell(self, line: str) -> None:
        """Show one line; never in the middle of one that is being typed."""

    def answer(self, lines: Sequence[str], how: How) -> None:
        """Show what the line that was yielded last is answered."""

    def show(self, model: Model) -> None:
        """Take what the console knows now, after what has been told."""

    def lines(self) -> AsyncIterator[str]:
        """Yield what is typed, line by line, until the player leaves."""

    def close(self) -> None:
        """End the reading and give the terminal back as it was found; may be repeated."""

    async def closed(self) -> None:
        """Wait until the terminal is given back, after :meth:`close`."""


class Interrupts:
    """Count Ctrl-C: the first asks, the second without a line in between leaves."""

    def __init__(self) -> None:
        self._asked = False

    def pressed(self) -> str | None:
        """Return the line that a Ctrl-C stands for; ``None``: leave."""
        if self._asked:
            return None
        self._asked = True
        return VERBS["quit"][0]

    def typed(self) -> None:
        """Take note that a line was typed."""
        self._asked = False


def drop_output(fileno: int) -> None:
    """Let what is still written to a stream whose other end is gone go nowhere.

    What is buffered there would make the interpreter complain when it ends.
    """
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, fileno)
        os.close(nowhere)


def hold_raw_mode(keys: Input, stack: ExitStack) -> None:
    """Take the terminal's keys as they are pressed, until ``stack`` is closed.

    If that never happens, the terminal is given back when the interpreter ends.
    """
    modes = ExitStack()
    modes.enter_context(keys.raw_mode())
    atexit.register(modes.close)
    stack.callback(atexit.unregister, modes.close)
    stack.callback(modes.close)
