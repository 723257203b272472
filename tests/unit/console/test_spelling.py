from __future__ import annotations

import pytest

from p2p_davinci.console.commands import Place
from p2p_davinci.console.spelling import (
    fold,
    read_call,
    read_colour,
    read_seat,
    read_tiles,
    split_place,
)
from p2p_davinci.rules.tiles import Colour

NAMES = ("ana", "bo", "bob", "小明", "a b")


@pytest.mark.parametrize(
    ("line", "folded"),
    [
        ("  DRAW Black ", "draw black"),
        ("\uff12\uff0e\uff13 \uff1d \uff22\uff17", "2.3 = b7"),
        ("w\u2014", "w-"),
        ("w\u2013", "w-"),
        ("w\u2014\u2014", "w--"),
        ("w\uff0d", "w-"),
        ("w\u2212", "w-"),
        ("w\u2500", "w-"),
        ("w\u30fc", "w-"),
        ("w\ufe58", "w-"),
    ],
)
def test_lines_are_folded(line: str, folded: str) -> None:
    assert fold(line) == folded


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("7", "7"),
        ("07", "7"),
        ("b7", "b7"),
        ("b 7", "b7"),
        ("black 7", "b7"),
        ("dark 7", "b7"),
        ("light 0", "w0"),
        ("white12", "w12"),
        ("7 white", "w7"),
        ("joker", "-"),
        ("dash", "-"),
        ("-", "-"),
        ("--", "-"),
        ("w-", "w-"),
        ("white joker", "w-"),
        ("joker black", "b-"),
        ("黑7", "b7"),
        ("黑 7", "b7"),
        ("深色3", "b3"),
        ("浅色 10", "w10"),
        ("白横杠", "w-"),
        ("黑色横杠", "b-"),
        ("横杠", "-"),
        ("百搭", "-"),
        ("深--", "b-"),
        ("3黑", "b3"),
    ],
)
def test_calls_are_read_in_both_languages(text: str, call: str) -> None:
    assert str(read_call(text)) == call


@pytest.mark.parametrize(
    "text",
    ["", "b", "black", "13", "b13", "999999999", "b7w", "w 7 b", "seven", "jokers", "b7 x", "7.5"],
)
def test_what_is_no_call_is_not_read_as_one(text: str) -> None:
    assert read_call(text) is None


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("b3 w- w5", "b3 w- w5"),
        ("b3w-w5", "b3 w- w5"),
        ("b3, w-, w5", "b3 w- w5"),
        ("black 3 white joker white 5", "b3 w- w5"),
        ("黑3 白横杠 白5", "b3 w- w5"),
        ("黑3、白5", "b3 w5"),
        ("b10 b11", "b10 b11"),
        ("", ""),
    ],
)
def test_rows_of_tiles_are_read(text: str, row: str) -> None:
    tiles = read_tiles(fold(text))
    assert tiles is not None
    assert " ".join(map(str, tiles)) == row


@pytest.mark.parametrize("text", ["3 4", "b3 4", "b3 x5", "b13", "b3 w"])
def test_a_row_with_something_else_in_it_is_not_read(text: str) -> None:
    assert read_tiles(text) is None


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("1", 0),
        ("5", 4),
        ("6", None),
        ("0", None),
        ("ana", 0),
        ("an", 0),
        ("bo", 1),
        ("bob", 2),
        ("b", None),
        ("小", 3),
        ("a b", 4),
        ("a", None),
        ("", None),
        ("dee", None),
        ("9999", None),
    ],
)
def test_players_are_meant_by_number_name_or_a_beginning_that_one_name_has(
    text: str, seat: int | None
) -> None:
    assert read_seat(text, NAMES) == seat


@pytest.mark.parametrize(
    ("text", "place", "rest"),
    [
        ("2.3 = 7", "2.3", "= 7"),
        ("2.3=7", "2.3", "=7"),
        ("2,3 7", "2.3", "7"),
        ("2。3 7", "2.3", "7"),
        ("2 . 3", "2.3", ""),
        ("bo 3 = b7", "2.3", "= b7"),
        ("bo.3 b7", "2.3", "b7"),
        ("bob 3 b7", "3.3", "b7"),
        ("bo3 b7", "2.3", "b7"),
        ("小明3 白7", "4.3", "白7"),
        ("a b 2 7", "5.2", "7"),
        ("9.99", "9.99", ""),
    ],
)
def test_places_are_seat_and_slot_or_name_and_slot(text: str, place: str, rest: str) -> None:
    found = split_place(text, NAMES)
    assert found is not None
    assert (str(found[0]), found[1]) == (place, rest)


@pytest.mark.parametrize("text", ["", "draw", "23 = 7", "dee 3", "bo", "b7", "1000.1"])
def test_what_does_not_begin_with_a_place_is_not_read_as_one(text: str) -> None:
    assert split_place(text, NAMES) is None


def test_a_place_counts_seats_from_one_for_people() -> None:
    assert str(Place(seat=1, slot=3)) == "2.3"


def test_colours_have_names() -> None:
    assert read_colour("dark") is Colour.BLACK
    assert read_colour("浅色") is Colour.WHITE
    assert read_colour("red") is None
