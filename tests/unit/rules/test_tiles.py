"""Tiles: text, codes, order."""

from __future__ import annotations

import pytest

from p2p_davinci.rules.moves import parse_call
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.tiles import Colour, in_order, legal_slots, parse_tile, tile_of_code
from tests.support.positions import tiles

ALL = Options(twelve=True).tiles


def test_text_and_code_go_there_and_back() -> None:
    assert {parse_tile(str(tile)) for tile in ALL} == ALL
    assert {tile_of_code(tile.code) for tile in ALL} == ALL
    assert sorted(tile.code for tile in ALL) == [*range(1, 27), 101, 102]


def test_codes_of_numbers_grow_in_row_order() -> None:
    assert [tile.code for tile in tiles("b0 w0 b1 b12 w12 b- w-")] == [1, 2, 3, 25, 26, 101, 102]


@pytest.mark.parametrize(
    "text", ["", "b", "5", "b13", "b05", "b-1", "B5", "x5", "b5 ", "b5!", "b٣"]
)
def test_what_is_no_tile(text: str) -> None:
    with pytest.raises(ValueError, match="not a tile"):
        parse_tile(text)


@pytest.mark.parametrize("text", ["", "b", "13", "05", "b--", " 5", "5b", "joker", "٣"])
def test_what_is_no_call(text: str) -> None:
    with pytest.raises(ValueError, match="not a call"):
        parse_call(text)


@pytest.mark.parametrize("code", [0, 27, 100, 103, -1])
def test_codes_of_no_tile(code: int) -> None:
    with pytest.raises(ValueError, match="no tile"):
        tile_of_code(code)


def test_the_colours_have_letters() -> None:
    assert [colour.letter for colour in Colour] == ["b", "w"]


@pytest.mark.parametrize("row", ["", "b0", "b3 w3", "w- b0", "b3 b- w3", "b11 w-", "b- w-"])
def test_rows_in_order(row: str) -> None:
    assert in_order(tiles(row))


@pytest.mark.parametrize("row", ["w3 b3", "b4 b- w3", "b5 b5", "b1 b0 w-"])
def test_rows_out_of_order(row: str) -> None:
    assert not in_order(tiles(row))


def test_unknown_tiles_fit_anywhere() -> None:
    assert in_order([parse_tile("b3"), None, parse_tile("b4")])
    assert not in_order([parse_tile("b4"), None, parse_tile("b3")])


@pytest.mark.parametrize(
    ("row", "tile", "slots"),
    [
        ("", "b5", (1,)),
        ("b3 w7", "w3", (2,)),
        ("b3 w7", "b7", (2,)),
        ("b3 w7", "b0", (1,)),
        ("b3 w7", "w11", (3,)),
        ("b3 w7", "b-", (1, 2, 3)),
        ("b- w7", "b0", (1, 2)),
        ("b3 w-", "b11", (2, 3)),
        ("b- w-", "b5", (1, 2, 3)),
    ],
)
def test_legal_slots(row: str, tile: str, slots: tuple[int, ...]) -> None:
    assert legal_slots(tiles(row), parse_tile(tile)) == slots


def test_legal_slots_are_those_that_leave_the_row_in_order() -> None:
    row = tiles("b1 w- w4 b6 b- b9")
    for tile in ALL - set(row):
        fits = [s for s in range(1, 8) if in_order([*row[: s - 1], tile, *row[s - 1 :]])]
        assert list(legal_slots(row, tile)) == fits


def test_unknown_tiles_leave_slots_open() -> None:
    row = [parse_tile("b3"), None, parse_tile("w7")]
    assert legal_slots(row, parse_tile("w5")) == (2, 3)
