"""The state of a round that everybody may know, and one seat's view of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from .moves import Dropped, Fact, Guessed
from .options import Options
from .tiles import Colour, Tile


class Phase(enum.StrEnum):
    """What the table waits for."""

    DRAW = "draw"
    GUESS = "guess"
    """A guess is compulsory."""
    ANSWER = "answer"
    """The owner of the named tile must say whether the pending guess is right."""
    MORE = "more"
    """After a hit: guess again or stop."""
    PLACE = "place-up"
    """Missed with a drawn tile: it goes face up into the row."""
    REVEAL = "reveal"
    """Missed without a drawn tile under ``empty_miss = reveal``."""
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A tile on the table as everybody sees it.

    ``back`` is the colour its back shows (``None`` with hidden backs), ``face`` the tile once it
    lies open (``None`` while it stands), ``misses`` the tiles that a proved answer has shown it is
    not: they follow the piece when its row grows. ``dead`` marks a hidden tile whose owner was
    dropped: nobody can open it any more, and it is out of play.
    """

    back: Colour | None
    face: Tile | None = None
    misses: frozenset[Tile] = frozenset()
    dead: bool = False

    @property
    def standing(self) -> bool:
        """Whether the tile is still hidden and in play."""
        return self.face is None and not self.dead


Row = tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A round in play. ``history`` holds (seat that caused it, fact) from the first draw on."""

    options: Options
    rows: tuple[Row, ...]
    pile: tuple[int, ...]
    """Tiles left in each deck that can be drawn; none once somebody was dropped."""
    turn: int
    """The seat in turn; after the end, the seat that moved last."""
    phase: Phase
    drawn: Piece | None = None
    """The tile that the seat in turn has drawn and not yet placed."""
    pending: Guessed | None = None
    """The guess that awaits its answer; only in :attr:`Phase.ANSWER`."""
    hit: bool = False
    """Whether the seat in turn has hit in this turn."""
    winner: int | None = None
    points: tuple[int, ...]
    history: tuple[tuple[int, Fact], ...] = ()

    @property
    def seats(self) -> int:
        """How many seats the round has."""
        return len(self.rows)

    @property
    def out(self) -> tuple[int, ...]:
        """The seats without a standing tile in their row, ascending."""
        return tuple(seat for seat, row in enumerate(self.rows) if not any(p.standing for p in row))

    @property
    def dropped(self) -> tuple[int, ...]:
        """The seats that the others went on without, in the order in which that happened."""
        return tuple(fact.seat for _, fact in self.history if isinstance(fact, Dropped))


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one seat knows: the public state, and the faces of its own tiles.

    ``own`` are the true tiles of the seat's row from the left, open ones included; ``drawn`` is
    the tile it has drawn and not yet placed. A watcher has ``seat = None`` and no tiles.
    """

    state: State
    seat: int | None
    own: tuple[Tile, ...] = ()
    drawn: Tile | None = None
