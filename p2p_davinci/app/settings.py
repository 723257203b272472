"""What a command line asks for, and what a player chose once."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from ..console.commands import Theme, Tiles
from ..console.look_verbs import THEMES, TILES, read_name
from ..rules.options import Options
from ..storage.config import read_config, update_config
from ..storage.folders import Folders

WAIT_S = 60.0


class Exit(enum.IntEnum):
    """The exit codes of every command; a signal adds 128 to its number."""

    OK = 0
    """Played to the end, whoever won; or the command did its work."""
    ERROR = 1
    USAGE = 2
    UNFINISHED = 3
    CHEAT = 4
    """Cheating was seen, or a verification failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a player told once and keeps; ``None`` means never told."""

    name: str | None = None
    lang: str | None = None
    plain: bool | None = None
    tiles: Tiles | None = None
    theme: Theme | None = None
    bell: bool | None = None


def load_config(path: Path) -> Config:
    """Return the preferences; what is missing, unreadable or no name counts as never told."""
    stored = read_config(path)
    name, lang = stored.get("name"), stored.get("lang")
    plain, bell = stored.get("plain"), stored.get("bell")
    return Config(
        name=read_name(name) if isinstance(name, str) else None,
        lang=lang if isinstance(lang, str) else None,
        plain=plain if isinstance(plain, bool) else None,
        tiles=next((kind for kind in TILES if kind == stored.get("tiles")), None),
        theme=next((kind for kind in THEMES if kind == stored.get("theme")), None),
        bell=bell if isinstance(bell, bool) else None,
    )


def login_name(environ: Mapping[str, str]) -> str:
    """Return what the system calls the person, for somebody who never told a name."""
    names = (read_name(environ.get(key, "")) for key in ("USER", "USERNAME"))
    return next((name for name in names if name is not None), "player")


def save_config(path: Path, config: Config, before: Config | None = None) -> None:
    """Write the preferences that are not as they were ``before``.

    The others may have been changed by another program meanwhile.

    Raises:
        OSError: they cannot be written.
    """
    known = asdict(before or Config())
    changes = {key: value for key, value in asdict(config).items() if value != known[key]}
    update_config(path, changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One run of the console, ``play``, ``open``, ``join`` or ``resume``.

    ``seats`` is how many players a table that is opened waits for (2 to 4), ``bots`` how many of
    them are spawned here. ``target`` of ``join`` is a table's name, ``NAME/FINGERPRINT``,
    ``HOST:PORT`` or ``None`` (the only open one); ``fallback`` is dialled if it is not found by
    itself, or when a game is resumed. ``auto``: a bot plays this seat, waiting ``pace_s`` before
    each of its moves. ``wait_s`` is how long ``join`` looks for a table, and how long a game waits
    for a lost peer.
    ``bot_cheats`` is what the first of the spawned bots does that it must not, ``cheat`` what this
    seat's own bot does.
    """

    command: Literal["console", "play", "open", "join", "resume"]
    folders: Folders
    options: Options
    seats: int = 2
    bots: int = 0
    target: str | None = None
    fallback: str | None = None
    name: str | None = None
    auto: bool = False
    pace_s: float = 0.0
    plain: bool = False
    tiles: Tiles | None = None
    lang: str | None = None
    interfaces: tuple[str, ...] = ()
    wait_s: float = WAIT_S
    bot_cheats: str | None = None
    cheat: str | None = None
