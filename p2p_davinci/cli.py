"""The command line: what was typed is read here and handed to the room that does it.

Everything heavy is imported inside the functions that need it, so help and version come at once:
they load no network, no cryptography and no terminal library. Values are read by
:mod:`.app.launch`; this module knows their names only.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from . import __version__
from .text import LANGS, Words, language

PROGRAM = "p2p-davinci"
CONSOLE = "console"
"""What runs when no command is typed."""
FLAGS_WIDTH = 22
"""Columns that options and their values take in a help page."""

_ERROR, _USAGE, _INTERRUPTED = 1, 2, 130
_FIRST = ("command", "rest")

Asked: TypeAlias = Mapping[str, Any]
"""What was typed, by the names below: texts, lists of texts, and true for a flag."""
Deed: TypeAlias = Callable[[str, Asked, Words], int]


class UsageError(Exception):
    """The command line cannot be understood; ``sentence`` says why."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


# --- what a command does ---------------------------------------------------------------------


def _launch(command: str, asked: Asked, words: Words) -> int:
    from .app.launch import launch

    return launch(command, asked, words, complain)


def _tables(_command: str, asked: Asked, words: Words) -> int:
    from .app.launch import list_tables

    return list_tables(asked, words, say, complain)


def _resume(_command: str, asked: Asked, words: Words) -> int:
    from .app.launch import resume

    return resume(asked, words, complain)


def _saved(_command: str, asked: Asked, words: Words) -> int:
    from .app.launch import manage_saved

    return manage_saved(asked, words, say, complain)


def _verify(_command: str, asked: Asked, words: Words) -> int:
    files = _named_files(asked, words, at_least=1)
    from .app.reports import verify

    return verify(files, words.lang, as_json="json" in asked, say=say)


def _show(_command: str, asked: Asked, words: Words) -> int:
    (file,) = _named_files(asked, words, at_least=1, at_most=1)
    from .app.reports import show

    return show(
        file,
        words,
        as_json="json" in asked,
        explained="explain" in asked,
        say=say,
        complain=complain,
    )


def _referee(_command: str, asked: Asked, words: Words) -> int:
    files = _named_files(asked, words, at_most=1)
    from .app.reports import referee

    return referee(files[0] if files else None, words, say, complain)


def _id(_command: str, asked: Asked, words: Words) -> int:
    from .app.myself import tell_identity

    return tell_identity(asked.get("data"), words, say, complain)


def _completion(_command: str, asked: Asked, words: Words) -> int:
    from .app.shells import SHELLS, script

    shell = asked.get("shell", "")
    if shell not in SHELLS:
        raise UsageError(words.tell("cli.shell", shells=words.tell("comma").join(SHELLS)))
    described = {name: _described(name, words) for name in COMMANDS if name != CONSOLE}
    say(script(shell, PROGRAM, described, _described(CONSOLE, words)))
    return 0


def _described(command: str, words: Words) -> tuple[str, str, list[tuple[str, str, str, str]]]:
    """Return what a command is about, what it takes, and its options with what they do."""
    options = [
        (name, *OPTIONS[name], _help_of(command, name, words)) for name in options_of(command)
    ]
    return words.tell(f"cli.about.{command}"), COMMANDS[command][1], options


def _named_files(
    asked: Asked, words: Words, *, at_least: int = 0, at_most: int | None = None
) -> list[str]:
    files: list[str] = asked.get("files", [])
    if len(files) < at_least:
        raise UsageError(words.tell("cli.file_missing"))
    if at_most is not None and len(files) > at_most:
        raise UsageError(words.tell("cli.left_over", words=" ".join(files[at_most:])))
    return files


# --- what a command takes --------------------------------------------------------------------

OPTIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "bots": ("--bots", "N"),
        "seats": ("--seats", "N"),
        "rules": ("--rules", "PRESET"),
        "option": ("--option", "KEY=VALUE"),
        "address": ("--address", "HOST:PORT"),
        "bot_cheats": ("--bot-cheats", "NAME"),
        "auto": ("--auto", ""),
        "pace": ("--pace", "S"),
        "cheat": ("--cheat", "NAME"),
        "name": ("--name", "NAME"),
        "plain": ("--plain", ""),
        "tiles": ("--tiles", "KIND"),
        "interface": ("--interface", "NAME"),
        "wait": ("--wait", "S"),
        "explain": ("--explain", ""),
        "json": ("--json", ""),
        "delete": ("--delete", "GAME"),
        "lang": ("--lang", "en|zh"),
        "data": ("--data", "DIR"),
        "version": ("--version", ""),
        "help": ("-h, --help", ""),
    }
)
"""Every option: how it is typed, and what follows it (nothing: it is a flag)."""

_FLAGS = frozenset(flag for flags, _ in OPTIONS.values() for flag in flags.split(", "))
_REPEATED = frozenset(("option", "interface"))
_NETWORK = ("interface", "wait")
_SHOWN = ("plain", "tiles", *_NETWORK)
_PLAYER = ("name", *_SHOWN)
_BOT = ("auto", "pace")
_SEAT = (*_BOT, *_PLAYER)
_OPENER = ("bots", "bot_cheats", "seats", "rules", "option", *_SEAT)
_ALWAYS = ("lang", "data", "version", "help")

COMMANDS: Mapping[str, tuple[Deed, str, tuple[str, ...]]] = MappingProxyType(
    {
        CONSOLE: (_launch, "", _PLAYER),
        "play": (_launch, "", _OPENER),
        "open": (_launch, "", _OPENER),
        "join": (_launch, "target", ("address", "cheat", *_SEAT)),
        "resume": (_resume, "target", ("address", *_BOT, *_SHOWN)),
        "saved": (_saved, "", ("json", "delete")),
        "tables": (_tables, "", ("json", *_NETWORK)),
        "verify": (_verify, "files", ("json",)),
        "show": (_show, "files", ("explain", "json")),
        "referee": (_referee, "files", ()),
        "id": (_id, "", ()),
        "completion": (_completion, "shell", ()),
    }
)
"""Every command: what it does, what it takes besides options, and its own options."""


def options_of(command: str) -> tuple[str, ...]:
    """Return the names of the options that a command takes, as help lists them."""
    return (*COMMANDS[command][2], *_ALWAYS)


def help_page(command: str, words: Words) -> str:
    """Return the help page of a command, without a line end."""
    about = words.tell(f"cli.about.{command}")
    rows = (row for name in options_of(command) for row in _help_rows(command, name, words))
    return "\n".join((about, "", words.tell("cli.options"), *rows))


def _help_rows(command: str, name: str, words: Words) -> Iterator[str]:
    left = " ".join(OPTIONS[name]).rstrip()
    for line in _help_of(command, name, words).split("\n"):
        yield f"  {left:<{FLAGS_WIDTH}}{line}"
        left = ""


def _help_of(command: str, name: str, words: Words) -> str:
    own = f"cli.option.{command}.{name}"
    return words.tell(own if words.has(own) else f"cli.option.{name}")


# --- reading ---------------------------------------------------------------------------------


def read(arguments: Sequence[str], words: Words) -> tuple[str, Asked]:
    """Return the command that was typed, and what was asked of it.

    Options before the command count as if they came after it.

    Raises:
        UsageError: no such command or option, a value too few or a word too many.
    """
    from argparse import ArgumentError

    before, named = _split(arguments)
    try:
        command, asked, left = _parse(before, words)
    except ArgumentError as error:
        raise UsageError(words.tell("cli.bad_use", option=error.argument_name or "")) from None
    if COMMANDS[command][1] == "files" and not any(word.startswith("-") for word in left):
        # What is left are files after an option that stands between files.
        asked["files"] = [*asked.get("files", []), *left, *named]
        return command, asked
    if left or named:
        raise UsageError(words.tell("cli.left_over", words=" ".join((*left, *named))))
    return command, asked


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before and after ``--``, which argparse loses track of."""
    typed = list(arguments)
    end = typed.index("--") if "--" in typed else len(typed)
    return typed[:end], typed[end + 1 :]


def _parse(typed: Sequence[str], words: Words) -> tuple[str, dict[str, Any], list[str]]:
    """Return the command, what was asked, and the words that mean nothing."""
    from argparse import REMAINDER, SUPPRESS, ArgumentParser

    def reader(command: str) -> ArgumentParser:
        parser = ArgumentParser(
            prog=PROGRAM,
            add_help=False,
            allow_abbrev=False,
            exit_on_error=False,
            argument_default=SUPPRESS,
        )
        for name in options_of(command):
            flags, value = OPTIONS[name]
            action = "append" if name in _REPEATED else "store" if value else "store_true"
            parser.add_argument(*flags.split(", "), dest=name, action=action)
        return parser

    first = reader(CONSOLE)
    first.add_argument(_FIRST[0], nargs="?")
    first.add_argument(_FIRST[1], nargs=REMAINDER)
    found, left = first.parse_known_args(typed)
    asked = vars(found)
    command, rest = asked.pop(_FIRST[0], None), asked.pop(_FIRST[1], [])
    if command is None:
        return CONSOLE, asked, left
    if command == CONSOLE or command not in COMMANDS:
        late = next((word for word in left if word in _FLAGS), None)
        if late is not None:
            raise UsageError(words.tell("cli.late_option", option=late))
        raise UsageError(words.tell("cli.no_command", command=command))
    unknown = [OPTIONS[name][0] for name in asked if name not in options_of(command)]
    second = reader(command)
    positional = COMMANDS[command][1]
    if positional:
        second.add_argument(positional, nargs="*" if positional == "files" else "?")
    found, more = second.parse_known_args(rest, found)
    return command, vars(found), [*left, *unknown, *more]


def _language_of(arguments: Sequence[str]) -> str | None:
    """Return the language that is asked for, before anything else is understood."""
    for word, following in zip(arguments, [*arguments, ""][1:], strict=True):
        if word == "--lang":
            return following
        if word.startswith("--lang="):
            return word.partition("=")[2]
    return None


# --- the program -----------------------------------------------------------------------------


def say(line: str) -> None:
    """Write a line of what was asked for."""
    sys.stdout.write(f"{line}\n")


def complain(line: str) -> None:
    """Write a line about what went wrong."""
    sys.stderr.write(f"{line}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with these words (default: those it was started with); return its exit code.

    What the codes mean is said by :class:`.app.settings.Exit`; 130 after an interrupt.
    """
    typed = sys.argv[1:] if arguments is None else list(arguments)
    _steady_output()
    words = Words(language(_language_of(typed), os.environ))
    asked: Asked = {}
    try:
        if _told_help(typed, words):
            return 0
        command, asked = read(typed, words)
        if asked.get("lang", words.lang) not in LANGS:
            raise UsageError(words.tell("cli.lang", lang=asked["lang"]))
        return COMMANDS[command][0](command, asked, words)
    except UsageError as error:
        complain(error.sentence)
        complain(words.tell("cli.see_help", program=PROGRAM))
        return _USAGE
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # Nobody reads any more; the interpreter must not complain of that once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _ERROR
    except Exception as error:  # noqa: BLE001 - whatever it was, a person is told where it lies
        return _report_crash(error, asked, words)


def _told_help(typed: Sequence[str], words: Words) -> bool:
    """Tell help or the version, if either is asked for, whatever else is."""
    before, _ = _split(typed)
    if "-h" in before or "--help" in before:
        command = next((word for word in before if word in COMMANDS), CONSOLE)
        say(help_page(command, words))
        return True
    if "--version" in before:
        say(f"{PROGRAM} {__version__}")
        return True
    return False


def _report_crash(error: Exception, asked: Asked, words: Words) -> int:
    from .app.crash import keep_crash

    return keep_crash(error, asked.get("data"), words, complain)


def _steady_output() -> None:
    """Let every line out at once, and whatever letters the terminal lacks survive."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", line_buffering=True)
