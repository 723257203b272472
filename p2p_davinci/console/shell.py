"""What a shell is: where lines are told and typed.

A shell tells lines and reads lines; it knows neither the game nor the model. What is typed is
handed on as it stands. The first Ctrl-C becomes the line that asks whether to quit, a second one
at once, or the end of input, ends the reading: the player leaves.
"""

from __future__ import annotations

import atexit
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack
from typing import Protocol, TypeAlias

from prompt_toolkit.input import Input

from .vocabulary import VERBS

Complete: TypeAlias = Callable[[str], Sequence[str]]
"""From the text before the cursor to the words that may stand in place of its last one."""


class Shell(Protocol):
    """Where lines are told and typed."""

    def tell(self, line: str) -> None:
        """Show one line; never in the middle of one that is being typed."""

    def lines(self) -> AsyncIterator[str]:
        """Yield what is typed, line by line, until the player leaves."""

    def close(self) -> None:
        """End the reading and give the terminal back as it was found; may be repeated."""


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


def hold_raw_mode(keys: Input, stack: ExitStack) -> None:
    """Take the terminal's keys as they are pressed, until ``stack`` is closed.

    If that never happens, the terminal is given back when the interpreter ends.
    """
    modes = ExitStack()
    modes.enter_context(keys.raw_mode())
    atexit.register(modes.close)
    stack.callback(atexit.unregister, modes.close)
    stack.callback(modes.close)
