"""Points in a round, and who wins over several rounds.

``revealed`` counts the opponents' tiles that one's own correct calls turned up. ``tournament``
adds three for an opponent's last standing tile, five for winning the round and, for the winner,
the numbers that still stand in his row (jokers count nothing, nor does a tile drawn and not yet
placed). After the last agreed round the highest total wins; equal totals share the win, or with
``tie = extra`` the tied alone play one round more, whose points are added. Equal again: shared.

A seat that is *convicted* of cheating has lost: it has no points and is never among the winners.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .options import Options
from .state import Row
from .tiles import Tile

Points: TypeAlias = tuple[int, ...]
"""Points by seat."""

LAST_TILE_POINTS = 3
WIN_POINTS = 5


def hit_points(options: Options, *, last: bool) -> int:
    """Return what a correct call earns; ``last``: it turned up an opponent's last tile."""
    if options.scoring == "none":
        return 0
    return 1 + (LAST_TILE_POINTS if last and has_award(options) else 0)


def win_points(options: Options) -> int:
    """Return what winning the round earns at once."""
    return WIN_POINTS if has_award(options) else 0


def has_award(options: Options) -> bool:
    """Tell whether the winner's row is opened after the round and counted."""
    return options.scoring == "tournament"


def standing_sum(row: Row, tiles: Sequence[Tile]) -> int:
    """Return the sum of the numbers that still stand in ``row``, whose faces are ``tiles``."""
    return sum(tile.number or 0 for piece, tile in zip(row, tiles, strict=True) if piece.standing)


# --- several rounds --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A finished round: the seat that won it, and the points of every seat of the table.

    A seat that sat the round out has no points in it.
    """

    winner: int
    points: Points


def counted(points: Points, convicted: Collection[int]) -> Points:
    """Return points by seat, 0 for a convicted seat."""
    return tuple(0 if seat in convicted else value for seat, value in enumerate(points))


def totals(results: Sequence[Result], convicted: Collection[int] = ()) -> Points:
    """Return the points of all finished rounds by seat; ``()`` if there are none.

    A convicted seat has 0.

    Raises:
        ValueError: the rounds differ in their number of seats.
    """
    rounds = [counted(result.points, convicted) for result in results]
    return tuple(sum(points) for points in zip(*rounds, strict=True))


def leaders(
    options: Options, results: Sequence[Result], convicted: Collection[int] = ()
) -> tuple[int, ...]:
    """Return the seats that are ahead after at least one round, ascending.

    Without scoring that is the winner of the latest round, or nobody if that one is convicted.
    """
    if options.scoring == "none":
        winner = results[-1].winner
        return () if winner in convicted else (winner,)
    points = totals(results)
    left = [seat for seat in range(len(points)) if seat not in convicted]
    best = max((points[seat] for seat in left), default=0)
    return tuple(seat for seat in left if points[seat] == best)


def next_round(options: Options, results: Sequence[Result]) -> Literal["round", "extra"] | None:
    """Return what follows the finished rounds: an agreed one, the extra one, or nothing."""
    if len(results) < options.rounds:
        return "round"
    extra_due = options.tie == "extra" and len(results) == options.rounds
    return "extra" if extra_due and len(leaders(options, results)) > 1 else None


def players(options: Options, results: Sequence[Result], seats: int) -> tuple[int, ...]:
    """Return the seats that play the round after the finished ones; ``()`` if none comes.

    Everybody plays the agreed rounds; the extra one only those who are tied.
    """
    following = next_round(options, results)
    if following == "round":
        return tuple(range(seats))
    return leaders(options, results) if following == "extra" else ()


def winners(
    options: Options, results: Sequence[Result], convicted: Collection[int] = ()
) -> tuple[int, ...]:
    """Return the seats that share the win, ascending; ``()`` while another round is due.

    Nobody wins either where all who could are convicted.
    """
    if next_round(options, results) is not None:
        return ()
    return leaders(options, results, convicted)
