"""Which key does what on the full screen; every one of them has a typed twin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from .steering import Key

LINES: Final = {"f1": "help", "f2": "language", "f3": "note", "f5": "log 500", "f10": "quit"}
"""Keys that stand for a line."""
PAGES: Final = frozenset(LINES[key] for key in ("f1", "f3", "f5"))
"""The lines among them that open a page."""
CHAT: Final = "say "
ARROWS: Final[tuple[Key, ...]] = ("up", "down", "left", "right")
TURNING: Final[tuple[Key, ...]] = ("pageup", "pagedown")

Handler = Callable[[KeyPressEvent], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Acts:
    """What the keys do.

    ``enter`` takes what is typed, ``steer`` is an arrow or its kin, ``say`` stands for a line,
    ``begin`` types the beginning of one, ``interrupt`` asks to leave. ``empty`` tells whether
    nothing is typed.
    """

    enter: Callable[[], None]
    steer: Callable[[Key], None]
    say: Callable[[str], None]
    begin: Callable[[str], None]
    interrupt: Callable[[], None]
    empty: Condition


def key_bindings(acts: Acts) -> KeyBindings:
    """Return the bindings that go before the library's own."""
    keys = KeyBindings()
    for name, line in {**LINES, "c-d": LINES["f10"]}.items():
        keys.add(name)(_said(acts, line))
    for arrow in ARROWS:
        keys.add(arrow, filter=acts.empty)(_steered(acts, arrow))
    for name in TURNING:
        keys.add(name)(_steered(acts, name))
    # With text in the line, up and down would fetch lines from the history; Ctrl-P and N do that.
    for name in ("up", "down"):
        keys.add(name, filter=~acts.empty)(_nothing)
    keys.add("c-z")(_nothing)
    keys.add("f4")(lambda _: acts.begin(CHAT))
    keys.add("enter")(lambda _: acts.enter())
    keys.add("c-c")(lambda _: acts.interrupt())
    keys.add("escape", eager=True)(_escaped(acts))
    keys.add("tab")(_complete)
    keys.add("s-tab")(_complete_back)
    keys.add("<bracketed-paste>")(_pasted)
    return keys


def _said(acts: Acts, line: str) -> Handler:
    return lambda _: acts.say(line)


def _steered(acts: Acts, key: Key) -> Handler:
    return lambda _: acts.steer(key)


def _nothing(_event: KeyPressEvent) -> None:
    """Take the key, so that nobody else does."""


def _escaped(acts: Acts) -> Handler:
    def handle(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            acts.steer("escape")

    return handle


def _complete(event: KeyPressEvent) -> None:
    buffer = event.current_buffer
    if buffer.complete_state is not None:
        buffer.complete_next()
    else:
        buffer.start_completion(insert_common_part=True)


def _complete_back(event: KeyPressEvent) -> None:
    if event.current_buffer.complete_state is not None:
        event.current_buffer.complete_previous()


def _pasted(event: KeyPressEvent) -> None:
    """Insert what was pasted as one line."""
    event.current_buffer.insert_text(" ".join(event.data.split()))
