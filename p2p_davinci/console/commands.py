"""What a typed line can mean: the commands that the console hands to the application or obeys.

Moves are wrapped rules moves; lobby commands and the inputs ``Say`` and ``CallClock`` are the
session's own. Seats count from 0, slots from 1 at the left. Nothing here knows how a command is
spelt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ..rules.moves import Move
from ..rules.options import DEFAULT_PRESET, PRESETS, SEATS_MIN, Options
from ..session.events import CallClock, Claim, KeepWaiting, SaveAndStop, Say, VoteOut
from ..session.lobby_events import LobbyCommand
from ..text import Lang


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A slot of a row."""

    seat: int
    slot: int

    def __str__(self) -> str:
        return f"{self.seat + 1}.{self.slot}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A table before it is opened: its rules, for how many players, how many of them bots."""

    options: Options = PRESETS[DEFAULT_PRESET]
    seats: int = SEATS_MIN
    bots: int = 0


Tiles: TypeAlias = Literal["auto", "box", "block", "ascii"]
Theme: TypeAlias = Literal["dark", "light", "mono"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How the screen looks and sounds to this player."""

    tiles: Tiles = "auto"
    theme: Theme = "dark"
    bell: bool = True


NEW_DRAFT: Final = Draft()
FIRST_LOOK: Final = Look()

Page: TypeAlias = Literal["main", "open", "rules", "seats", "away", "look", "saved"]
"""A list of choices that a place has to offer."""


# --- for the application ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayMove:
    """Make this move."""

    move: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class FindTables:
    """Look for tables on this network and list them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """Open a table; without a name the application makes one up."""

    name: str | None
    draft: Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinTable:
    """Join a table that was found; ``index`` counts from 0 in the list as last shown."""

    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinAddress:
    """Join the table of the program at this address."""

    host: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSaved:
    """List the games that are not over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeGame:
    """Go on with the saved game that this word names."""

    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteGame:
    """Delete the saved game that this word names; the player has been asked."""

    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLanguage:
    """Speak this language from now on; the console has already changed over."""

    lang: Lang


@dataclass(frozen=True, slots=True, kw_only=True)
class SetName:
    """Be called this from now on, and keep it; the console has already changed over."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLook:
    """Keep how the screen looks; the console has already changed over."""

    look: Look


@dataclass(frozen=True, slots=True, kw_only=True)
class Rematch:
    """Form a table again with the people of the game that is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveGame:
    """Go from a game that is over to where tables are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quit:
    """Leave the program; the player has been asked."""


InGame: TypeAlias = PlayMove | Say | CallClock | VoteOut | KeepWaiting | Claim | SaveAndStop
"""Commands that a game in progress carries out."""

Outward: TypeAlias = (
    InGame
    | LobbyCommand
    | FindTables
    | OpenTable
    | JoinTable
    | JoinAddress
    | ListSaved
    | ResumeGame
    | DeleteGame
    | SetLanguage
    | SetName
    | SetLook
    | Rematch
    | LeaveGame
    | Quit
)
"""Commands that the application carries out."""


# --- for the console itself ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowBoard:
    """Tell the whole table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowRow:
    """Tell one player's row."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Tell again what was told last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowLegal:
    """Tell whose turn it is and what may be done now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowLog:
    """Tell the last ``count`` lines of what happened."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetNote:
    """Keep a private remark on a place; an empty one takes it away."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowNotes:
    """Tell one's remarks, all or those on one place."""

    place: Place | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowCandidates:
    """Tell what a hidden tile may still be (only where the table allows such aids)."""

    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMark:
    """Mark the tile that a bare call names; ``None`` takes the mark away."""

    place: Place | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowHelp:
    """Explain the commands, or one topic of them."""

    topic: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowRules:
    """Tell every option of the table's rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowCompare:
    """Tell the words and digits that all must see alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkCompared:
    """Remember that the players have compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowMenu:
    """Offer the choices of this page."""

    page: Page


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDraft:
    """Change the table that one is about to open; ``text`` says what changed."""

    draft: Draft
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSlot:
    """Ask where the drawn tile shall stand, before one stops."""


Local: TypeAlias = (
    ShowBoard
    | ShowRow
    | Repeat
    | ShowLegal
    | ShowLog
    | SetNote
    | ShowNotes
    | ShowCandidates
    | SetMark
    | ShowHelp
    | ShowRules
    | ShowCompare
    | MarkCompared
    | ShowMenu
    | SetDraft
    | AskSlot
)
"""Commands that the console carries out by itself."""

Command: TypeAlias = Outward | Local


# --- what a line came to ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """The line might be a slip: tell ``text``; only a yes carries out ``command``."""

    text: str
    command: Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The line is no command, or not now: ``text`` says why, that nothing was sent, what helps."""

    text: str


Reading: TypeAlias = Command | Ask | Refusal
