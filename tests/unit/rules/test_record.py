"""The open record as it is written."""

from __future__ import annotations

import json

import pytest

from p2p_davinci.rules.moves import (
    Answered,
    Awarded,
    Drawn,
    Fact,
    Guessed,
    Overran,
    Placed,
    Resigned,
    Revealed,
    Stopped,
    parse_call,
)
from p2p_davinci.rules.options import PRESETS, Options, options_from
from p2p_davinci.rules.record import hands_record, move_record, rules_record, state_record
from p2p_davinci.rules.referee import referee_line
from p2p_davinci.rules.tiles import parse_tile
from tests.support.positions import CLOCK, position, tiles

W9 = parse_tile("w9")


def test_a_state_with_all_its_faces() -> None:
    game = position("b1 w-!", "b3! b5!", "w7 w8", drawn="w9")
    assert state_record(*game) == {
        "phase": "guess",
        "turn": 0,
        "winner": None,
        "rows": [["b1", "w-!"], ["b3!", "b5!"], ["w7", "w8"]],
        "pile": {"b": 10, "w": 9},
        "drawn": "w9",
        "out": [1],
        "points": [0, 0, 0],
    }


def test_without_a_drawn_tile() -> None:
    assert state_record(*position("b1 w-", "b3 b5"))["drawn"] is None


@pytest.mark.parametrize(
    ("fact", "move"),
    [
        (Drawn(deck=1), ["draw", "w9"]),
        (Guessed(seat=1, slot=2, call=parse_call("w-")), ["guess", 1, 2, "w-"]),
        (Guessed(seat=1, slot=2, call=parse_call("11")), ["guess", 1, 2, "11"]),
        (Answered(tile=W9), None),
        (Stopped(slot=None), ["stop"]),
        (Stopped(slot=2), ["stop", 2]),
        (Placed(slot=3, tile=W9), ["place", 3]),
        (Revealed(slot=1, tile=W9), ["reveal", 1]),
        (Overran(deck=1), ["overdue", "w9"]),
        (Overran(slot=2), ["overdue", 2]),
        (Overran(), ["overdue"]),
        (Resigned(seat=2, row=tiles("b1 w2"), drawn=W9), ["resign", 2]),
        (Awarded(row=tiles("b1 w2")), None),
    ],
)
def test_a_fact_is_written_as_the_move_that_caused_it(
    fact: Fact, move: list[object] | None
) -> None:
    assert move_record(fact, W9) == move


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("clock", ["off", "60+20"])
def test_the_rules_are_read_back_as_they_were(preset: str, clock: str) -> None:
    """The referee accepts exactly the moves that these rules allow."""
    options = options_from(preset, {"clock": clock, "twelve": "yes"})
    hands = [tiles("b0 b1 w2 w12"), tiles("b3 w3 b4 w4")]
    record = {
        "rules": rules_record(options),
        "hands": hands_record(hands),
        "moves": [["overdue", "b5"]],
    }
    result = json.loads(referee_line(json.dumps(record)))
    assert ("ok" in result) == (clock != "off")
    assert result.get("state", result.get("ok"))["rows"][0] == ["b0", "b1", "w2", "w12"]


def test_rules_name_every_rule_of_play() -> None:
    assert rules_record(Options(clock=CLOCK, scoring="revealed", rounds=2)) == {
        "preset": "classic",
        "jokers": True,
        "twelve": False,
        "backs": "open",
        "call": "number",
        "empty_miss": "reveal",
        "clock": True,
        "scoring": "revealed",
        "rounds": 2,
        "tie": "shared",
    }
