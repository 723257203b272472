"""What a screen knows: the last view of lobby or game, the mark, the notes, the log.

Pure: news goes in, a new model and the lines to tell come out. Every shell, whether it prints
lines or paints a screen, is a view of this model; lines for the ear and lines for the eye are the
same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..rules.options import Options
from ..session.events import GameView, Stage
from ..session.lobby_events import LobbyView, Notice
from ..text import Lang, Words
from .clean import CHAT_WIDTH_MAX, clean
from .commands import FIRST_LOOK, NEW_DRAFT, Command, Draft, Look, Page, Place
from .context import Context
from .lobby import (
    Found,
    Kept,
    Where,
    hall_lines,
    lobby_changes,
    lobby_due,
    lobby_lines,
    lobby_speech,
)
from .speech import Speech, speech

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """Something that happened, told in public, and the round and turn in which it did."""

    round: int
    turn: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A private remark on a place; it moves with its tile."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The state of a console.

    ``question`` is the command that a yes would carry out. ``last`` is what was told last.
    ``compared``: the players have compared words and digits; ``reminded``: they were told about
    manners in this game. ``on_screen``: the table is in view all the time and need not be told.
    ``name`` is how this player is called, ``naming`` that a name is being asked for. ``page`` are
    the choices on offer, ``draft`` the table about to be opened, ``placing`` that the player stops
    and is asked for a slot. ``stays``: after a game this player is asked what next; ``log_path`` is
    where the log of a game that is over and verified lies, and ``verdict`` what verifying it came
    to, a catalogue key below ``app.verdict.``.
    """

    lang: Lang
    on_screen: bool = False
    found: tuple[Found, ...] = ()
    saved: tuple[Kept, ...] = ()
    lobby: LobbyView | None = None
    game: GameView | None = None
    options: Options | None = None
    mark: Place | None = None
    notes: tuple[Note, ...] = ()
    log: tuple[LogLine, ...] = ()
    last: Lines = ()
    question: Command | None = None
    compared: bool = False
    reminded: bool = False
    name: str = ""
    naming: bool = False
    page: Page = "main"
    draft: Draft = NEW_DRAFT
    placing: bool = False
    look: Look = FIRST_LOOK
    stays: bool = False
    log_path: str = ""
    verdict: str = ""

    @property
    def over(self) -> bool:
        """Whether a game is there and nothing more will happen in it."""
        return self.game is not None and self.game.stage in (Stage.OVER, Stage.HALTED)

    @property
    def asks_on(self) -> bool:
        """Whether a game is over, its log is verified, and the player is asked what comes next."""
        return self.over and self.stays and bool(self.log_path)

    @property
    def words(self) -> Words:
        """The sentences of the language that is spoken."""
        return Words(self.lang)

    @property
    def speech(self) -> Speech:
        """How to speak to this player where he is now."""
        if self.game is not None:
            return speech(self.words, self.game.names, self.game.seat)
        if self.lobby is not None:
            return lobby_speech(self.words, self.lobby)
        return Speech(words=self.words, names=(), me=None)

    @property
    def context(self) -> Context:
        """What the meaning of a typed line depends on."""
        lobby = self.lobby if self.game is None else None
        options = self.options if lobby is None else lobby.options
        return Context(
            speech=self.speech,
            options=options,
            game=self.game,
            lobby=lobby,
            found=len(self.found),
            mark=self.mark,
            draft=self.draft,
            look=self.look,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A new model, and what to tell the player."""

    model: Model
    lines: Lines = ()


def told(model: Model, lines: Sequence[str]) -> Told:
    """Return ``model`` with ``lines`` as what was told last."""
    kept = tuple(line for line in lines if line)
    return Told(model=replace(model, last=kept) if kept else model, lines=kept)


# --- before a game ---------------------------------------------------------------------------


def show_found(
    model: Model,
    found: Sequence[Found],
    own_addresses: Sequence[str],
    *,
    asked: bool = True,
    where: Where = "hall",
) -> Told:
    """Take the list of tables that answered; tell it with this program's own addresses.

    On a screen, where they are in view, they are told only if the player ``asked``.
    """
    after = replace(model, found=tuple(found))
    if model.on_screen and not asked:
        return Told(model=after)
    return told(after, hall_lines(model.words, after.found, own_addresses, where=where))


def show_saved(model: Model, saved: Sequence[Kept]) -> Told:
    """Take the saved games, the latest first, to be chosen from."""
    return Told(model=replace(model, saved=tuple(saved)))


def show_lobby(model: Model, view: LobbyView, notices: Sequence[Notice] = ()) -> Told:
    """Take a view of the table being formed and the lobby's notices; tell what changed."""
    words, before = model.words, model.lobby
    lines = [_notice(words, notice) for notice in notices]
    first = before is None or before.table != view.table or not before.members
    if first or model.game is not None:
        lines += lobby_lines(words, view)
    elif before is not None and before != view:
        lines += lobby_changes(words, before, view)
        due = lobby_due(words, view)
        if due != lobby_due(words, before):
            lines.append(due)
    after = replace(model, lobby=view, game=None)
    return told(replace(after, page="main") if first else after, lines)


def _notice(words: Words, notice: Notice) -> str:
    topic, _, reason = notice.key.partition(".")
    values = {name: clean(value, CHAT_WIDTH_MAX) for name, value in notice.values}
    return words.reason(topic, reason, **values)


def leave_table(model: Model, reason: str | None = None) -> Told:
    """Go back to before any table; ``reason`` is a catalogue key below ``closed.``."""
    lines = () if reason is None else (model.words.reason("closed", reason),)
    after = replace(
        model,
        lobby=None,
        game=None,
        options=None,
        mark=None,
        notes=(),
        question=None,
        page="main",
    )
    return told(after, lines)


def show_over(model: Model, log_path: str, verdict: str) -> Told:
    """Ask what comes after the game that is over.

    Its log lies at ``log_path``; ``verdict`` is what verifying it came to: a catalogue key below
    ``app.verdict.``.
    """
    after = replace(model, log_path=log_path, verdict=verdict, page="main", question=None)
    return told(after, (over_line(after),))


def over_line(model: Model) -> str:
    """Return what can be typed after a game; a resumed one has no table to go back to."""
    return model.words.tell("legal.over" if model.lobby is not None else "legal.resumed")


def ask_name(model: Model) -> Told:
    """Ask what this player is called, before anything else."""
    after = replace(model, naming=True)
    words = model.words
    if model.on_screen:
        return Told(model=after)
    return told(after, (words.tell("ask.welcome"), words.tell("ask.name", name=model.name)))
