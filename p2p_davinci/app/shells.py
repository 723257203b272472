"""Completion for the shells that people type in: a script made once, by the library shtab."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, Final

import shtab

from ..console.look_verbs import TILES
from ..rules.options import FORMS, PRESETS, SEATS_MAX, SEATS_MIN
from ..text import LANGS
from .cheats import CHEATS

SHELLS: Final = ("bash", "zsh", "fish")

Command = tuple[str, str, Sequence[tuple[str, str, str, str]]]
"""What a command is about, what it takes besides options, and its options: name, how it is typed,
what follows it, what it does."""

_VALUES: Final[Mapping[str, Sequence[str]]] = {
    "rules": tuple(PRESETS),
    "option": tuple(f"{key}={value}" for key, form in FORMS.items() for value in form.choices),
    "tiles": TILES,
    "lang": LANGS,
    "seats": tuple(map(str, range(SEATS_MIN, SEATS_MAX + 1))),
    "bots": tuple(map(str, range(SEATS_MAX))),
    "bot_cheats": tuple(CHEATS),
    "cheat": tuple(CHEATS),
    "shell": SHELLS,
}
"""What may follow an option, or stand alone, where that is a short list."""


def script(shell: str, program: str, commands: Mapping[str, Command], first: Command) -> str:
    """Return the script that makes ``shell`` complete ``program``; ``first`` is no command at all.

    Raises:
        KeyError: a shell that is none of :data:`SHELLS`.
    """
    if shell not in SHELLS:
        raise KeyError(shell)
    parser = argparse.ArgumentParser(prog=program, add_help=False)
    _add(parser, first)
    rooms = parser.add_subparsers()
    for name, command in commands.items():
        _add(rooms.add_parser(name, help=_short(command[0]), add_help=False), command)
    return str(shtab.complete(parser, shell=shell))


def _add(parser: argparse.ArgumentParser, command: Command) -> None:
    _, positional, options = command
    for name, flags, value, text in options:
        more: dict[str, Any] = {"help": _short(text), "dest": name}
        if value:
            more["choices"] = _VALUES.get(name)
        else:
            more["action"] = "store_true"
        added: Any = parser.add_argument(*flags.split(", "), **more)
        if name == "data":
            added.complete = shtab.DIRECTORY
    if positional:
        added = parser.add_argument(positional, nargs="*", choices=_VALUES.get(positional))
        if positional == "files":
            added.complete = shtab.FILE


def _short(text: str) -> str:
    """Return the first sentence or line, in which nothing means anything to a shell."""
    line = text.strip().splitlines()[0].split(". ")[0]
    return "".join(char for char in line if char not in "'\"`$%[]{}\\:").strip()
