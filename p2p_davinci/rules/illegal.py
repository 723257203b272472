"""Why a move or a fact is refused: one exception, and the table of all its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from .tiles import Tile

Reason: TypeAlias = Literal[
    "draw_first",
    "guess_first",
    "answer_first",
    "guess_or_stop",
    "place_first",
    "reveal_first",
    "over",
    "not_your_turn",
    "already_out",
    "already_dropped",
    "too_few",
    "no_award",
    "no_clock",
    "own_clock",
    "clock_early",
    "clock_called",
    "no_such_deck",
    "pile_empty",
    "colour_used_up",
    "deck_needed",
    "deck_unwanted",
    "no_such_seat",
    "own_tile",
    "out",
    "no_such_slot",
    "face_up",
    "no_such_tile",
    "slot_needed",
    "slot_illegal",
    "slot_unwanted",
    "slot_missing",
    "wrong_answer",
    "wrong_back",
    "wrong_order",
    "wrong_row",
    "tile_elsewhere",
    "tile_missed",
    "drawn_needed",
    "drawn_unwanted",
    "wrong_count",
    "wrong_arrangement",
]

REASONS: Final[Mapping[Reason, tuple[str, ...]]] = MappingProxyType(
    {
        # It is not the time for it; the first six name what is due.
        "draw_first": (),
        "guess_first": (),
        "answer_first": (),
        "guess_or_stop": (),
        "place_first": (),
        "reveal_first": (),
        "over": (),
        "not_your_turn": ("seat",),
        "already_out": ("seat",),
        "already_dropped": ("seat",),
        "too_few": (),
        "no_award": (),
        # Calling the clock.
        "no_clock": (),
        "own_clock": (),
        "clock_early": ("seconds",),
        "clock_called": (),
        # Drawing.
        "no_such_deck": ("deck",),
        "pile_empty": (),
        "colour_used_up": ("deck",),
        "deck_needed": (),
        "deck_unwanted": (),
        # Pointing and naming.
        "no_such_seat": ("seat",),
        "own_tile": (),
        "out": ("seat",),
        "no_such_slot": ("place", "tiles"),
        "face_up": ("place", "tile"),
        "no_such_tile": ("tile",),
        # Standing a tile in a row.
        "slot_needed": ("tile", "slots"),
        "slot_illegal": ("slot", "tile", "slots"),
        "slot_unwanted": (),
        "slot_missing": (),
        # A fact that contradicts what everybody knows.
        "wrong_answer": ("tile",),
        "wrong_back": ("tile",),
        "wrong_order": (),
        "wrong_row": ("seat",),
        "tile_elsewhere": ("tile",),
        "tile_missed": ("tile",),
        "drawn_needed": (),
        "drawn_unwanted": (),
        # Before the first turn.
        "wrong_count": ("tiles",),
        "wrong_arrangement": ("tiles",),
    }
)
"""Every reason, and the names of the values that a sentence about it may use.

``seat`` and ``deck`` count from 1, ``place`` is ``2.3``, ``tile`` a tile or a call, ``tiles`` a
number of tiles, ``slots`` the legal slots,
``seconds`` how long the clock may not be called yet.
"""


class IllegalMove(Exception):  # noqa: N818 - it is a refusal, worded for people elsewhere
    """A move that the rules refuse, or a fact that contradicts the state.

    ``reason`` is one of :data:`REASONS`, ``values`` its values as (name, text) pairs.
    """

    def __init__(self, reason: Reason, values: tuple[tuple[str, str], ...] = ()) -> None:
        self.reason: Reason = reason
        self.values = values
        super().__init__(reason, values)


def place_text(seat: int, slot: int) -> str:
    """Return a place as people write it, ``2.3``; ``seat`` counts from 0, ``slot`` from 1."""
    return f"{seat + 1}.{slot}"


def refuse_tile(reason: Reason, tile: Tile) -> IllegalMove:
    """Return a refusal that names a tile."""
    return IllegalMove(reason, (("tile", str(tile)),))


def refuse_seat(reason: Reason, seat: int) -> IllegalMove:
    """Return a refusal that names a seat (from 0)."""
    return IllegalMove(reason, (("seat", str(seat + 1)),))
