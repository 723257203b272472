"""Completion for the shells that people type in: a script made once, by the library shtab."""

from __future__ import annotations

import argparse
import re
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

_BASH_JOINS: Final = """
# bash takes "=" for the end of a word, which it is not in KEY=VALUE.
_joined_@NAME@() {
  local -a words=()
  local word glued=
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ ${#words[@]} -gt 1 && ( $word == = || $glued ) ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    if [[ $word == = ]]; then glued=1; else glued=; fi
  done
  local -a COMP_WORDS=("${words[@]}")
  local COMP_CWORD=$((${#words[@]} - 1))
  _shtab_@NAME@ "$@"
  local last=${words[COMP_CWORD]}
  COMPREPLY=("${COMPREPLY[@]#"${last%"${last##*=}"}"}")
}

complete -o bashdefault -F _joined_@NAME@ @PROGRAM@
"""


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
    made = str(shtab.complete(parser, shell=shell))
    if shell != "bash":
        return made
    name = program.replace("-", "_")
    return made + _BASH_JOINS.replace("@NAME@", name).replace("@PROGRAM@", program)


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
    """Return the first sentence, in which nothing means anything to a shell.

    A help page begins with a paragraph on its usage, which is left out.
    """
    _, _, page = text.strip().partition("\n\n")
    lines = (page or text.strip()).partition("\n\n")[0].splitlines()
    line = (" " if lines[0].isascii() else "").join(lines)
    sentence = line.partition("。")[0].partition(". ")[0]
    if page:
        sentence = re.split(": |：", sentence)[0]
    sentence = sentence.replace(": ", " - ")
    return "".join(char for char in sentence if char not in "'\"`$%[]{}\\:").strip(" .")
