"""The command line: what was typed is read here and handed to the room that does it.

Everything heavy is imported inside the functions that need it, so help and version come at once:
they load no network, no cryptography and no terminal library. Values are read by
:mod:`.app.launch`; this module knows their names only.
"""

from __future__ import annotations

import argparse
import io
import itertools
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from . import __version__
from .text import CATALOGUES, Words, language

PROGRAM = "p2p-davinci"
CONSOLE = "console"
"""What runs when no command is typed."""
PAGE_WIDTH = 79
FLAGS_WIDTH = 22
"""Columns that options and their values take in a help page."""

_ERROR, _USAGE, _INTERRUPTED = 1, 2, 130
_FIRST = ("command", "rest")

Asked: TypeAlias = argparse.Namespace


class UsageError(Exception):
    """The command line cannot be understood; ``sentence`` says why."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


def _formatter(prog: str) -> argparse.HelpFormatter:
    # Without a width it would load half a dozen modules to ask the terminal.
    return argparse.HelpFormatter(prog, width=PAGE_WIDTH)


class Reader(argparse.ArgumentParser):
    """Reads one command's words; its help page comes from the catalogue, option by option."""

    def __init__(self, command: str, words: Words) -> None:
        super().__init__(
            prog=PROGRAM,
            add_help=False,
            allow_abbrev=False,
            exit_on_error=False,
            argument_default=argparse.SUPPRESS,
            formatter_class=_formatter,
        )
        self.command = command
        self.words = words

    @property
    def names(self) -> frozenset[str]:
        """What this command may be asked."""
        return frozenset(action.dest for action in self._actions)

    def format_help(self) -> str:
        """Return the page of this command."""
        rows = [self._row(action) for action in self._actions if action.option_strings]
        about = self.words.tell(f"cli.about.{self.command}")
        return "\n".join([about, "", self.words.tell("cli.options"), *rows, ""])

    def _row(self, action: argparse.Action) -> str:
        flags = ", ".join(action.option_strings)
        if action.metavar is not None:
            flags += f" {action.metavar}"
        own = f"cli.option.{self.command}.{action.dest}"
        key = own if self.words.has(own) else f"cli.option.{action.dest}"
        first, *more = self.words.tell(key).split("\n")
        return "\n".join([f"  {flags:<{FLAGS_WIDTH}}{first}", *(_indented(line) for line in more)])


def _indented(line: str) -> str:
    return " " * (FLAGS_WIDTH + 2) + line


# --- which options a command has -------------------------------------------------------------


def _always(reader: Reader) -> None:
    reader.add_argument("--lang", metavar="en|zh")
    reader.add_argument("--data", metavar="DIR")
    reader.add_argument("--version", action="store_true")
    reader.add_argument("-h", "--help", action="store_true")


def _network(reader: Reader) -> None:
    reader.add_argument("--interface", action="append", metavar="NAME")
    reader.add_argument("--wait", metavar="S")


def _player(reader: Reader) -> None:
    reader.add_argument("--name", metavar="NAME")
    reader.add_argument("--plain", action="store_true")
    _network(reader)


def _seat(reader: Reader) -> None:
    _player(reader)
    reader.add_argument("--auto", action="store_true")
    reader.add_argument("--pace", metavar="S")


def _opener(reader: Reader) -> None:
    reader.add_argument("--bots", metavar="N")
    reader.add_argument("--seats", metavar="N")
    reader.add_argument("--rules", metavar="PRESET")
    reader.add_argument("--option", action="append", metavar="KEY=VALUE")
    _seat(reader)


def _joiner(reader: Reader) -> None:
    reader.add_argument("target", nargs="?")
    reader.add_argument("--address", metavar="HOST:PORT")
    _seat(reader)


def _finder(reader: Reader) -> None:
    _network(reader)
    reader.add_argument("--json", action="store_true")


def _files(reader: Reader) -> None:
    reader.add_argument("files", nargs="*")
    reader.add_argument("--json", action="store_true")


def _record(reader: Reader) -> None:
    reader.add_argument("files", nargs="*")


def _nothing(_reader: Reader) -> None:
    pass


# --- what a command does ---------------------------------------------------------------------


def _launch(command: str, asked: Asked, words: Words) -> int:
    from .app.launch import launch

    return launch(command, asked, words, complain)


def _tables(_command: str, asked: Asked, words: Words) -> int:
    from .app.launch import list_tables

    return list_tables(asked, words, say, complain)


def _verify(_command: str, asked: Asked, words: Words) -> int:
    files = _named_files(asked, words, at_least=1)
    from .app.reports import verify

    return verify(files, words.lang, as_json=_has(asked, "json"), say=say)


def _show(_command: str, asked: Asked, words: Words) -> int:
    (file,) = _named_files(asked, words, at_least=1, at_most=1)
    from .app.reports import show

    return show(file, words, as_json=_has(asked, "json"), say=say, complain=complain)


def _referee(_command: str, asked: Asked, words: Words) -> int:
    files = _named_files(asked, words, at_most=1)
    from .app.reports import referee

    return referee(files[0] if files else None, words, say, complain)


def _id(_command: str, asked: Asked, words: Words) -> int:
    from .app.myself import tell_identity

    return tell_identity(getattr(asked, "data", None), words, say, complain)


Options: TypeAlias = Callable[[Reader], None]
Deed: TypeAlias = Callable[[str, Asked, Words], int]

COMMANDS: Mapping[str, tuple[Options, Deed]] = MappingProxyType(
    {
        CONSOLE: (_player, _launch),
        "play": (_opener, _launch),
        "open": (_opener, _launch),
        "join": (_joiner, _launch),
        "tables": (_finder, _tables),
        "verify": (_files, _verify),
        "show": (_files, _show),
        "referee": (_record, _referee),
        "id": (_nothing, _id),
    }
)
"""Every command: the options it takes besides those that all take, and what it does."""


# --- reading ---------------------------------------------------------------------------------


def reader_for(command: str, words: Words) -> Reader:
    """Return what reads the words after ``command`` (or all of them, for the console)."""
    reader = Reader(command, words)
    COMMANDS[command][0](reader)
    _always(reader)
    return reader


def read(arguments: Sequence[str], words: Words) -> tuple[Reader, Asked]:
    """Return the reader of the command that was typed, and what was asked of it.

    Options before the command count as if they came after it.

    Raises:
        UsageError: no such command or option, a value too few or a word too many.
    """
    before, named = _split(arguments)
    first = reader_for(CONSOLE, words)
    first.add_argument(_FIRST[0], nargs="?")
    first.add_argument(_FIRST[1], nargs=argparse.REMAINDER)
    reader = first
    try:
        asked, left = first.parse_known_args(before)
        command = getattr(asked, "command", None)
        if command is not None:
            if command == CONSOLE or command not in COMMANDS:
                raise UsageError(words.tell("cli.no_command", command=command))
            reader = reader_for(command, words)
            _check_known(reader, words, asked, left)
            asked, left = reader.parse_known_args(asked.rest, asked)
    except argparse.ArgumentError as error:
        raise UsageError(words.tell("cli.bad_use", option=error.argument_name or "")) from None
    if "files" in reader.names and not any(word.startswith("-") for word in left):
        # What is left are files after an option that stands between files.
        asked.files = [*getattr(asked, "files", []), *left, *named]
        left, named = [], []
    if (left or named) and not _has(asked, "help"):
        raise UsageError(words.tell("cli.left_over", words=" ".join([*left, *named])))
    return reader, asked


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before and after ``--``, which argparse loses track of."""
    before = list(itertools.takewhile(lambda word: word != "--", arguments))
    return before, list(arguments[len(before) + 1 :])


def _check_known(reader: Reader, words: Words, asked: Asked, left: Sequence[str]) -> None:
    """Refuse an option before the command that the command does not take."""
    unknown = [f"--{name}" for name in vars(asked) if name not in {*reader.names, *_FIRST}]
    if unknown or left:
        raise UsageError(words.tell("cli.left_over", words=" ".join([*unknown, *left])))


def _has(asked: Asked, flag: str) -> bool:
    return bool(getattr(asked, flag, False))


def _named_files(
    asked: Asked, words: Words, *, at_least: int = 0, at_most: int | None = None
) -> list[str]:
    files: list[str] = getattr(asked, "files", [])
    if len(files) < at_least:
        raise UsageError(words.tell("cli.file_missing"))
    if at_most is not None and len(files) > at_most:
        raise UsageError(words.tell("cli.left_over", words=" ".join(files[at_most:])))
    return files


def _language_of(arguments: Sequence[str]) -> str | None:
    """Return the language that is asked for, before anything else is understood."""
    for word, following in itertools.pairwise([*arguments, ""]):
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
    asked = Asked()
    try:
        reader, asked = read(typed, words)
        return _obey(reader, asked, words)
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


def _obey(reader: Reader, asked: Asked, words: Words) -> int:
    if _has(asked, "help"):
        say(reader.format_help().rstrip("\n"))
        return 0
    if _has(asked, "version"):
        say(f"{PROGRAM} {__version__}")
        return 0
    lang = getattr(asked, "lang", None)
    if lang is not None and lang not in CATALOGUES:
        raise UsageError(words.tell("cli.lang", lang=lang))
    return COMMANDS[reader.command][1](reader.command, asked, words)


def _report_crash(error: Exception, asked: Asked, words: Words) -> int:
    from .app.crash import keep_crash

    return keep_crash(error, getattr(asked, "data", None), words, complain)


def _steady_output() -> None:
    """Let every line out at once, and whatever letters the terminal lacks survive."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", line_buffering=True)
