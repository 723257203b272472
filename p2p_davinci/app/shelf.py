"""The saved games as a person meets them: listed, chosen by a word, deleted."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Final

from ..console.clean import CHAT_WIDTH_MAX, NAME_WIDTH_MAX, clean
from ..console.commands import DeleteGame, ListSaved, ResumeGame
from ..console.lobby import Kept
from ..storage.folders import Folders
from ..storage.identity import IdentityError, load_profile
from ..storage.saved_games import Saved, delete, named, past_log, saved_games
from ..text import Words
from .crash import system_said
from .settings import Exit

Say = Callable[[str], None]


RESUME_EXITS: Final = {"finished": Exit.OK, "void": Exit.CHEAT}
"""What it comes to that a game cannot be gone on with; otherwise it is an error."""


def list_saved(folders: Folders, words: Words, say: Say, how: str) -> None:
    """Tell every saved game, numbered from 1, and ``how`` (a catalogue key) to go on."""
    games = saved_games(folders)
    if not games:
        say(words.tell("saved.none"))
        return
    say(words.tell("saved.head", count=len(games)))
    for number, saved in enumerate(games, start=1):
        say(saved_line(words, number, saved))
    say(words.tell(how))


def saved_line(words: Words, number: int, saved: Saved) -> str:
    """Return a saved game as one line of a list; what comes from peers is cleaned."""
    return words.tell(
        "saved.game",
        number=number,
        table=clean(saved.contract.table, NAME_WIDTH_MAX),
        me=clean(saved.me, NAME_WIDTH_MAX),
        names=words.tell("comma").join(clean(name, NAME_WIDTH_MAX) for name in saved.others),
        messages=saved.messages,
        date=_date(saved),
        file=str(saved.path),
    )


def _date(saved: Saved) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(saved.changed_s))


def saved_json(saved: Saved) -> str:
    """Return a saved game as one line of JSON."""
    return json.dumps(
        {
            "game": saved.contract.hash.hex(),
            "table": saved.contract.table,
            "players": saved.names,
            "seat": saved.seat,
            "rounds": saved.rounds,
            "messages": saved.messages,
            "changed": int(saved.changed_s),
            "log": str(saved.path),
        }
    )


def pick(folders: Folders, word: str | None, words: Words, complain: Say) -> Saved | None:
    """Return the game that a word names (``None``: the latest), or tell why there is none."""
    games = saved_games(folders)
    over = None if word is None else past_log(folders, word)
    if over is not None:
        complain(words.tell("saved.over", file=str(over)))
        return None
    if not games:
        complain(words.tell("saved.none"))
        return None
    found: Sequence[Saved] = games[:1] if word is None else named(games, word)
    if len(found) == 1:
        return found[0]
    shown = clean(word or "", CHAT_WIDTH_MAX)
    complain(words.tell("saved.several" if found else "saved.unknown", word=shown))
    return None


def delete_saved(
    folders: Folders,
    word: str,
    words: Words,
    say: Say,
    complain: Say,
    held: bytes | None = None,
) -> int:
    """Delete the game that a word names, unless it may be played right now; return the exit code.

    ``held`` is the identity that this program itself uses, and not in that game.
    """
    saved = pick(folders, word, words, complain)
    if saved is None:
        return Exit.USAGE
    if saved.key != held:
        try:
            load_profile(folders.identity, saved.key).close()
        except IdentityError as error:
            complain(words.reason("identity", error.reason, detail=error.detail))
            return Exit.ERROR
    table = clean(saved.contract.table, NAME_WIDTH_MAX)
    try:
        delete(saved)
    except OSError as error:
        complain(words.tell("saved.not_deleted", table=table, detail=system_said(error)))
        return Exit.ERROR
    say(words.tell("saved.deleted", table=table))
    return Exit.OK


class Shelf:
    """The saved games in the console of a player whose identity is ``public``."""

    def __init__(
        self, folders: Folders, public: bytes, words: Callable[[], Words], say: Say
    ) -> None:
        self._folders = folders
        self._public = public
        self._words = words
        self._say = say

    def offer(self) -> None:
        """Tell the saved games if there are any."""
        if saved_games(self._folders):
            self.obey(ListSaved())

    def kept(self) -> tuple[Kept, ...]:
        """Return the saved games as the console lists them, the latest first."""
        return tuple(
            Kept(table=saved.contract.table, names=saved.names, when=_date(saved))
            for saved in saved_games(self._folders)
        )

    def obey(self, command: ListSaved | ResumeGame | DeleteGame) -> Saved | None:
        """Do what the player wants; return the game to go on with, if that is it."""
        folders, words = self._folders, self._words()
        match command:
            case ListSaved():
                list_saved(folders, words, self._say, "saved.how_here")
            case DeleteGame(word=word):
                delete_saved(folders, word, words, self._say, self._say, self._public)
            case ResumeGame(word=word):
                saved = pick(folders, word, words, self._say)
                if saved is None or saved.key == self._public:
                    return saved
                self._say(words.tell("resume.profile"))
        return None
