"""Facts in few words, and what refuses them."""

from __future__ import annotations

import pytest

from p2p_davinci.rules.engine import apply
from p2p_davinci.rules.illegal import REASONS, IllegalMove
from p2p_davinci.rules.moves import Answered, Fact, Guessed, Placed, Resigned, parse_call
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.state import State
from p2p_davinci.rules.tiles import Colour, parse_tile
from tests.support.positions import tell, tiles

B, W = Colour.BLACK, Colour.WHITE
TOURNAMENT = Options(scoring="tournament")


def guessed(seat: int, slot: int, call: str) -> Guessed:
    return Guessed(seat=seat, slot=slot, call=parse_call(call))


def hit(text: str) -> Answered:
    return Answered(tile=parse_tile(text))


MISS = Answered(tile=None)


def placed(slot: int, tile: str) -> Placed:
    return Placed(slot=slot, tile=parse_tile(tile))


def resigned(seat: int, row: str, drawn: str | None = None) -> Resigned:
    tile = None if drawn is None else parse_tile(drawn)
    return Resigned(seat=seat, row=tiles(row), drawn=tile)


def refusal(state: State, *facts: Fact) -> str:
    state = tell(state, *facts[:-1])
    with pytest.raises(IllegalMove) as caught:
        apply(state, facts[-1])
    names = tuple(name for name, _ in caught.value.values)
    assert names == REASONS[caught.value.reason]
    return caught.value.reason


def faces(state: State) -> list[str]:
    return [" ".join("?" if p.face is None else str(p.face) for p in row) for row in state.rows]
