"""Why a move or a fact is refused: one exception, and the list of all its reasons."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from .tiles import Tile

Reason: TypeAlias = Literal[
    # it is not the time for it: what is due instead
    "draw_first",
    "guess_first",
    "answer_first",
    "guess_or_stop",
    "place_first",
    "reveal_first",
    "over",
    "not_your_turn",
    "already_out",
    "no_clock",
    "no_award",
    # drawing
    "no_such_deck",
    "pile_empty",
    "colour_used_up",
    "deck_needed",
    "deck_unwanted",
    # pointing and naming
    "no_such_seat",
    "own_tile",
    "out",
    "no_such_slot",
    "face_up",
    "no_such_tile",
    # standing a tile in a row
    "slot_needed",
    "slot_unwanted",
    "slot_illegal",
    # a face that contradicts what everybody knows
    "wrong_answer",
    "wrong_back",
    "wrong_order",
    "wrong_row",
    "tile_elsewhere",
    "tile_missed",
    "drawn_needed",
    "drawn_unwanted",
    # before the first turn
    "wrong_count",
    "wrong_arrangement",
]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)


class IllegalMove(Exception):  # noqa: N818 - it is a refusal, worded for people elsewhere
    """A move that the rules refuse, or a fact that contradicts the state.

    ``reason`` is one of :data:`REASONS`; ``values`` are what a sentence about it may name
    (``place`` as ``2.3``, counted from 1; ``tile``, ``slots``, …).
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
