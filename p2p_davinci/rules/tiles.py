"""Tiles: colours, numbers, jokers, their text and their order.

Text is ``b0``–``b12``, ``w0``–``w12`` and ``b-``, ``w-`` for the jokers. A tile's *code* is the
number under which the fairness protocol encrypts it; number codes grow in row order.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

NUMBER_MAX = 12
JOKER_CODE_BASE = 101

_TEXT = re.compile(r"([bw])(-|0|[1-9][0-9]?)")


class Colour(enum.IntEnum):
    """The two colours; at the same number black stands left of white."""

    BLACK = 0
    WHITE = 1

    @property
    def letter(self) -> str:
        """``b`` or ``w``."""
        return "bw"[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One tile; ``number`` is 0 to 12, or ``None`` for the joker of that colour."""

    colour: Colour
    number: int | None

    def __str__(self) -> str:
        return self.colour.letter + ("-" if self.number is None else str(self.number))

    @property
    def code(self) -> int:
        """1 to 26 for numbers, in row order; 101 (black) and 102 (white) for jokers."""
        if self.number is None:
            return JOKER_CODE_BASE + self.colour
        return 2 * self.number + self.colour + 1


def parse_tile(text: str) -> Tile:
    """Return the tile that ``text`` names.

    Raises:
        ValueError: not ``b`` or ``w`` followed by 0–12 or ``-``.
    """
    match = _TEXT.fullmatch(text)
    if match is None or (match[2] != "-" and int(match[2]) > NUMBER_MAX):
        raise ValueError(f"not a tile: {text!r}")
    colour = Colour("bw".index(match[1]))
    return Tile(colour=colour, number=None if match[2] == "-" else int(match[2]))


def tile_of_code(code: int) -> Tile:
    """Return the tile with this code (the inverse of :attr:`Tile.code`).

    Raises:
        ValueError: no tile has this code.
    """
    if code in (JOKER_CODE_BASE, JOKER_CODE_BASE + 1):
        return Tile(colour=Colour(code - JOKER_CODE_BASE), number=None)
    if 1 <= code <= 2 * (NUMBER_MAX + 1):
        return Tile(colour=Colour((code - 1) % 2), number=(code - 1) // 2)
    raise ValueError(f"no tile has code {code}")


def in_order(row: Sequence[Tile | None]) -> bool:
    """Tell whether the known numbers of ``row`` ascend; jokers and unknown tiles fit anywhere."""
    codes = [tile.code for tile in row if tile is not None and tile.number is not None]
    return all(left < right for left, right in pairwise(codes))


def legal_slots(row: Sequence[Tile | None], tile: Tile) -> tuple[int, ...]:
    """Return the slots (1 = leftmost) at which ``tile`` may be inserted into ``row``.

    They follow one another: a joker may stand anywhere, a number between the nearest known
    numbers. ``row`` itself must be in order.
    """
    first, last = 1, len(row) + 1
    if tile.number is None:
        return tuple(range(first, last + 1))
    for slot, other in enumerate(row, start=1):
        if other is None or other.number is None:
            continue
        if other.code > tile.code:
            last = slot
            break
        first = slot + 1
    return tuple(range(first, last + 1))
