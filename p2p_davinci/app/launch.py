"""From the words of a command line to a running program, or to a sentence why not."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias, cast

from ..console.clean import NAME_WIDTH_MAX
from ..console.commands import Tiles
from ..console.look_verbs import TILES, read_name
from ..net.interfaces import NoSuchInterface, all_interfaces
from ..rules.options import (
    DEFAULT_PRESET,
    SEATS_MAX,
    SEATS_MIN,
    BadOption,
    Options,
    options_from,
)
from ..storage.folders import Folders, folders
from ..storage.identity import Identity, IdentityError, load_identity, load_profile
from ..storage.saved_games import Saved, saved_games
from ..text import Words
from . import finder, runner, shelf
from .cheats import CHEATS
from .crash import no_room, system_said
from .hall import read_address
from .settings import WAIT_S, Exit, Settings

WAIT_S_MIN = 1.0
"""How long must be waited for others: in less time hardly any program answers."""
WAIT_S_MAX = 86_400.0
PACE_S_MAX = 3_600.0
TABLES_WAIT_S = 5.0
"""How long ``tables`` looks if it is not told."""

Asked: TypeAlias = Mapping[str, Any]
"""What was typed, by the names of the options; what was not typed is not there."""
Say: TypeAlias = Callable[[str], None]
Command: TypeAlias = Literal["console", "play", "open", "join", "resume"]


class BadRequest(Exception):  # noqa: N818 - it is a refusal, worded for people elsewhere
    """A value on the command line that cannot be; ``reason`` is a whole catalogue key."""

    def __init__(self, reason: str, **values: str | int) -> None:
        self.reason = reason
        self.values = values
        super().__init__(reason, values)


# --- running ---------------------------------------------------------------------------------


def launch(command: str, asked: Asked, words: Words, complain: Say) -> int:
    """Run the console, ``play``, ``open`` or ``join`` as it was asked; return the exit code."""
    try:
        settings = settings_from(cast("Command", command), asked)
    except BadRequest as error:
        complain(_refusal(words, error))
        return Exit.USAGE
    own = settings.folders.identity
    return _with_identity(
        lambda: load_identity(own), words, complain, lambda me: runner.run(settings, me)
    )


def resume(asked: Asked, words: Words, complain: Say) -> int:
    """Go on with a saved game as it was asked; return the exit code."""
    own = folders(asked.get("data"))
    try:
        settings = settings_from("resume", asked)
    except BadRequest as error:
        complain(_refusal(words, error))
        return Exit.USAGE
    picked = shelf.pick(own, settings.target, words, complain)
    if picked is None:
        return Exit.USAGE if saved_games(own) else Exit.ERROR
    games = saved_games(own) if settings.target is None else (picked,)

    def go_on(identity: Identity) -> int:
        saved = next(saved for saved in games if saved.key == identity.public)
        asked_for = replace(settings, options=saved.contract.options, seats=len(saved.names))
        return runner.run(asked_for, identity, saved)

    return _with_identity(lambda: _load_free(own, games), words, complain, go_on)


def _load_free(own: Folders, games: Sequence[Saved]) -> Identity:
    """Return the identity of the first of ``games`` whose identity no other program uses."""
    *others, last = dict.fromkeys(saved.key for saved in games)
    for key in others:
        try:
            return load_profile(own.identity, key)
        except IdentityError as error:
            if error.reason != "held":
                raise
    return load_profile(own.identity, last)


def manage_saved(asked: Asked, words: Words, say: Say, complain: Say) -> int:
    """List or delete saved games as it was asked; return the exit code."""
    own = folders(asked.get("data"))
    try:
        if "delete" in asked:
            return shelf.delete_saved(own, asked["delete"], words, say, complain)
        if "json" in asked:
            for saved in saved_games(own):
                say(shelf.saved_json(saved))
        else:
            shelf.list_saved(own, words, say, "saved.how")
    except BrokenPipeError:
        raise
    except OSError as error:
        complain(words.tell("cli.system", detail=system_said(error)))
        return Exit.ERROR
    return Exit.OK


def list_tables(asked: Asked, words: Words, say: Say, complain: Say) -> int:
    """List the tables on this network as it was asked; return the exit code."""
    try:
        wait_s = _seconds(asked, "wait", TABLES_WAIT_S, 0.0, WAIT_S_MAX)
    except BadRequest as error:
        complain(_refusal(words, error))
        return Exit.USAGE

    def look(identity: Identity) -> int:
        return finder.run_tables(
            identity=identity,
            interfaces=asked.get("interface", ()),
            wait_s=wait_s,
            as_json=asked.get("json", False),
            lang=words.lang,
            environ=dict(os.environ),
            tell=say,
            complain=complain,
        )

    own = folders(asked.get("data")).identity
    return _with_identity(lambda: load_identity(own), words, complain, look)


def _with_identity(
    load: Callable[[], Identity], words: Words, complain: Say, deed: Callable[[Identity], int]
) -> int:
    """Do ``deed`` as this player; what the machine refuses is told in a sentence."""
    try:
        identity = load()
        try:
            return deed(identity)
        finally:
            identity.close()
    except IdentityError as error:
        full = no_room(error)
        if full is not None:
            # No other owner of the folder would make room.
            complain(words.tell("cli.system", detail=full))
        else:
            complain(words.reason("identity", error.reason, detail=error.detail))
    except NoSuchInterface as error:
        there = words.tell("comma").join(interface.name for interface in all_interfaces())
        complain(words.tell("cli.no_interface", name=error.name, names=there))
    except BrokenPipeError:
        raise
    except OSError as error:
        complain(words.tell("cli.system", detail=system_said(error)))
    return Exit.ERROR


def _refusal(words: Words, error: BadRequest) -> str:
    topic, _, reason = error.reason.partition(".")
    return words.reason(topic, reason, **error.values)


# --- reading ---------------------------------------------------------------------------------


def settings_from(command: Command, asked: Asked) -> Settings:
    """Return what was asked for, checked; what was not asked has its default.

    Raises:
        BadRequest: ``cli.*`` or ``option.*``: a value that cannot be.
    """
    bots = _whole(asked, "bots", 1 if command == "play" else 0, 0, SEATS_MAX - 1)
    seats = _whole(asked, "seats", max(SEATS_MIN, bots + 1), SEATS_MIN, SEATS_MAX)
    if bots >= seats:
        raise BadRequest("cli.bots", seats=seats, most=seats - 1, bots=bots)
    auto = asked.get("auto", False)
    if "pace" in asked and not auto:
        raise BadRequest("cli.pace")
    bot_cheats, cheat = _cheat(asked, "bot_cheats"), _cheat(asked, "cheat")
    if bot_cheats is not None and not bots:
        raise BadRequest("cli.no_bot")
    if cheat is not None and not auto:
        raise BadRequest("cli.cheat_alone")
    return Settings(
        command=command,
        folders=folders(asked.get("data")),
        options=_options(asked),
        seats=seats,
        bots=bots,
        target=_target(asked),
        fallback=_address(asked),
        name=_name(asked),
        auto=auto,
        pace_s=_seconds(asked, "pace", 0.0, 0.0, PACE_S_MAX),
        plain=asked.get("plain", False),
        tiles=_tiles(asked),
        lang=asked.get("lang"),
        interfaces=tuple(asked.get("interface", ())),
        wait_s=_seconds(asked, "wait", WAIT_S, WAIT_S_MIN, WAIT_S_MAX),
        bot_cheats=bot_cheats,
        cheat=cheat,
    )


def _tiles(asked: Asked) -> Tiles | None:
    kind: str | None = asked.get("tiles")
    found = next((known for known in TILES if known == kind), None)
    if kind is not None and found is None:
        raise BadRequest("cli.tiles", value=kind, kinds=", ".join(TILES))
    return found


def _cheat(asked: Asked, name: str) -> str | None:
    cheat: str | None = asked.get(name)
    if cheat is None or cheat in CHEATS:
        return cheat
    raise BadRequest("cli.no_cheat", value=cheat, names=", ".join(CHEATS))


def _whole(asked: Asked, name: str, default: int, low: int, high: int) -> int:
    text: str | None = asked.get(name)
    if text is None:
        return default
    if text.isascii() and text.isdecimal() and len(text) <= 4 and low <= int(text) <= high:
        return int(text)
    raise BadRequest("cli.whole", option=f"--{name}", low=low, high=high, value=text)


def _seconds(asked: Asked, name: str, default_s: float, low_s: float, high_s: float) -> float:
    text: str | None = asked.get(name)
    if text is None:
        return default_s
    try:
        value_s = float(text)
    except ValueError:
        value_s = math.nan
    if low_s <= value_s <= high_s:
        return value_s
    low, high = int(low_s), int(high_s)
    raise BadRequest("cli.seconds", option=f"--{name}", low=low, high=high, value=text)


def _options(asked: Asked) -> Options:
    try:
        return options_from(asked.get("rules", DEFAULT_PRESET), _overrides(asked))
    except BadOption as error:
        raise BadRequest(f"option.{error.reason}", **dict(error.values)) from None


def _overrides(asked: Asked) -> Mapping[str, str]:
    typed: Sequence[str] = asked.get("option", ())
    overrides = {}
    for text in typed:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadRequest("cli.option_form", value=text)
        if key in overrides:
            raise BadRequest("cli.option_twice", option=key)
        overrides[key] = value
    return overrides


def _target(asked: Asked) -> str | None:
    target: str | None = asked.get("target")
    if target is not None and ":" in target and read_address(target) is None:
        raise BadRequest("cli.address", value=target)
    return target


def _address(asked: Asked) -> str | None:
    address: str | None = asked.get("address")
    if address is not None and read_address(address) is None:
        raise BadRequest("cli.address", value=address)
    return address


def _name(asked: Asked) -> str | None:
    typed: str | None = asked.get("name")
    if typed is None:
        return None
    name = read_name(typed)
    if name is None:
        raise BadRequest("cli.name", width=NAME_WIDTH_MAX)
    return name
