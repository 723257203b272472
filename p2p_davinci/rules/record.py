"""The open record, writing side: a round as JSON values that anybody can read and replay.

Tiles are text (``b5``, ``w-``), seats count from 0 and slots from 1. :mod:`.referee` reads what is
written here. A record shows every face, so it is written when a round is over, or by whoever
holds all the faces anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from .moves import Drawn, Dropped, Fact, Guessed, Overran, Placed, Resigned, Revealed, Stopped
from .options import Options
from .state import Piece, State
from .tiles import Colour, Tile
from .truth import Truth

Json: TypeAlias = "bool | int | str | Sequence[Json] | dict[str, Json] | None"

RULES = (
    "jokers",
    "twelve",
    "backs",
    "call",
    "empty_miss",
    "clock",
    "scoring",
    "rounds",
    "tie",
)
"""The options that a record names; who begins and which aids are shown is no rule of play."""


def rules_record(options: Options) -> dict[str, Json]:
    """Return the ``rules`` object of a record: every rule of play, whatever the preset."""
    rules: dict[str, Json] = {name: getattr(options, name) for name in RULES}
    return rules | {"preset": "classic", "clock": options.clock is not None}


def hands_record(hands: Sequence[Sequence[Tile]]) -> list[Json]:
    """Return the ``hands`` of a record: rows from left to right, by seat."""
    return [[str(tile) for tile in hand] for hand in hands]


def move_record(fact: Fact, drawn: Tile | None) -> list[Json] | None:
    """Return the move that stands for ``fact``, or ``None`` for one that follows by itself.

    ``drawn`` is the tile that the fact takes from the pile, if it does.
    """
    match fact:
        case Drawn():
            return ["draw", str(drawn)]
        case Guessed():
            return ["guess", fact.seat, fact.slot, str(fact.call)]
        case Stopped():
            return ["stop"] if fact.slot is None else ["stop", fact.slot]
        case Placed():
            return ["place", fact.slot]
        case Revealed():
            return ["reveal", fact.slot]
        case Overran():
            if fact.slot is not None:
                return ["overdue", fact.slot]
            return ["overdue"] if fact.deck is None else ["overdue", str(drawn)]
        case Resigned():
            return ["resign", fact.seat]
        case Dropped():
            return ["drop", fact.seat]
        case _:
            return None


def tile_record(piece: Piece, tile: Tile) -> str:
    """Return a tile of a row: ``b5``, ``b5!`` if it lies open, ``b5x`` if it is dead."""
    return f"{tile}{'x' if piece.dead else '' if piece.standing else '!'}"


def state_record(state: State, truth: Truth) -> dict[str, Json]:
    """Return a state with all its faces, as the referee prints it."""
    left = truth.left(state.options) if any(state.pile) else ()
    drawn = truth.drawn
    return {
        "phase": str(state.phase),
        "turn": state.turn,
        "winner": state.winner,
        "rows": [
            [tile_record(piece, tile) for piece, tile in zip(row, hand, strict=True)]
            for row, hand in zip(state.rows, truth.hands, strict=True)
        ],
        "pile": {colour.letter: sum(tile.colour == colour for tile in left) for colour in Colour},
        "drawn": None if drawn is None else str(drawn),
        "out": list(state.out),
        "points": list(state.points),
    }
