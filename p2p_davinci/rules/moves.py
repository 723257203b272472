"""What a player may say (moves), and what thereby becomes true for all (facts).

A move is an intention: it names places and calls, never the face of a hidden tile. A fact is what
the table learns from it, faces included where a tile was turned up; the engine is a function of
facts alone. Seats count from 0, slots from 1 at the left, decks from 0 (with open backs deck 0 is
black and deck 1 white; with hidden backs there is deck 0 only).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from .tiles import NUMBER_MAX, Colour, Tile

_CALL = re.compile(r"([bw]?)(-|0|[1-9][0-9]?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a guesser says: a number (``None`` = joker), with or without a colour."""

    colour: Colour | None
    number: int | None

    def __str__(self) -> str:
        letter = "" if self.colour is None else self.colour.letter
        return letter + ("-" if self.number is None else str(self.number))


def parse_call(text: str) -> Call:
    """Return the call that ``text`` spells: ``b5``, ``5``, ``w-`` or ``-``.

    Raises:
        ValueError: it spells none.
    """
    match = _CALL.fullmatch(text)
    if match is None or (match[2] != "-" and int(match[2]) > NUMBER_MAX):
        raise ValueError(f"not a call: {text!r}")
    colour = Colour("bw".index(match[1])) if match[1] else None
    return Call(colour=colour, number=None if match[2] == "-" else int(match[2]))


# --- moves -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """Set-up with open backs: how many tiles of each deck."""

    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrange:
    """Set-up: the order of one's own tiles; ``order[k]`` is the index (as dealt) of slot k + 1."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Take the next tile of a deck."""

    deck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """Name the standing tile at ``seat``.``slot``."""

    seat: int
    slot: int
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """End the turn after a hit; ``slot`` is where the drawn tile will stand.

    ``None`` without a drawn tile, or when only one slot is legal.
    """

    slot: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Turn up the drawn tile after a miss; ``slot`` as in :class:`Stop`."""

    slot: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Turn up one's own standing tile at ``slot`` after a miss without a drawn tile."""

    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overdue:
    """The clock was called and ran out; ``deck`` is drawn from if nothing was drawn yet.

    ``slot`` is where the drawn tile stands hidden, after a hit; without one the program chooses by
    chance, and a record means the leftmost.
    """

    deck: int | None = None
    slot: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign:
    """Turn up one's whole row and leave the round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """All others go on without this seat, which has fallen silent: nobody's own choice."""


Move: TypeAlias = Take | Arrange | Draw | Guess | Stop | Place | Reveal | Overdue | Resign | Drop


# --- facts -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The player in turn took the next tile of ``deck``."""

    deck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Guessed:
    """The player in turn named a tile; a ruled miss is decided by this fact alone."""

    seat: int
    slot: int
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The pending guess was right (``tile`` is the tile turned up) or wrong (``None``)."""

    tile: Tile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """The player in turn ended it; the drawn tile, if any, stands hidden at ``slot``."""

    slot: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """After a miss the drawn tile lies face up at ``slot``."""

    slot: int
    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """After a miss without a drawn tile the player in turn turned up his tile at ``slot``."""

    slot: int
    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Overran:
    """The turn was overdue.

    ``deck`` is what was drawn from, before the draw; ``slot`` is where the drawn tile stands
    hidden, after a hit with a drawn tile; otherwise ``None``.
    """

    deck: int | None = None
    slot: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resigned:
    """``seat`` resigned; ``row`` are its tiles from the left, ``drawn`` the one it had drawn."""

    seat: int
    row: tuple[Tile, ...]
    drawn: Tile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """All others went on without ``seat``; its hidden tiles and the pile are out of play.

    A seat that was out has no hidden tile, but owed its key or its share. ``returned`` tells that
    it owed its share of the tile just drawn, which nobody can see now: the tile goes back, and with
    it the draw.
    """

    seat: int
    returned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Awarded:
    """The round is over and its winner's row was opened: ``row`` are its tiles from the left."""

    row: tuple[Tile, ...]


Fact: TypeAlias = (
    Drawn
    | Guessed
    | Answered
    | Stopped
    | Placed
    | Revealed
    | Overran
    | Resigned
    | Dropped
    | Awarded
)
