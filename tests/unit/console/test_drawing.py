from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from prompt_toolkit.utils import get_cwidth

from p2p_davinci.console.drawing import (
    ARTS,
    LINE_TILE_WIDTH,
    TILE_WIDTH,
    Art,
    Picture,
    draw,
    in_line,
)
from p2p_davinci.rules.tiles import Colour
from p2p_davinci.text import Lang

HIDDEN = Picture(value="?", colour=Colour.WHITE, standing=True, foot="4")
OPEN = replace(HIDDEN, value="11", standing=False)


def drawn(picture: Picture, art: Art, lang: Lang = "en") -> list[str]:
    return [text for _, text in draw(picture, art, lang)]


@pytest.mark.parametrize(
    ("art", "lang", "hidden", "opened"),
    [
        ("box", "en", ["┌W─┐", "│ ?│", "└4─┘"], [" W  ", "[11]", " 4  "]),
        ("box", "zh", ["┌白┐", "│ ?│", "└4─┘"], [" 白 ", "[11]", " 4  "]),
        ("ascii", "en", ["+W-+", "| ?|", "+4-+"], [" W  ", "[11]", " 4  "]),
        ("block", "zh", ["|白|", "| ?|", "|4 |"], [" 白 ", "[11]", " 4  "]),
    ],
)
def test_a_tile_shows_letter_value_and_place_and_whether_it_stands(
    art: Art, lang: Lang, hidden: list[str], opened: list[str]
) -> None:
    assert drawn(HIDDEN, art, lang) == hidden
    assert drawn(OPEN, art, lang) == opened


def test_every_tile_has_the_same_width_whatever_it_shows() -> None:
    colours = (None, *Colour)
    langs: tuple[Lang, ...] = ("en", "zh")
    for art, lang, colour, value, standing, sign in itertools.product(
        ARTS, langs, colours, ("?", "-", "7", "12"), (True, False), ("", "*", "!")
    ):
        for foot in ("", "1", "14"):
            picture = Picture(value=value, colour=colour, standing=standing, foot=foot, sign=sign)
            assert {get_cwidth(text) for text in drawn(picture, art, lang)} == {TILE_WIDTH}
        assert get_cwidth(in_line(picture)[1]) == LINE_TILE_WIDTH


@pytest.mark.parametrize("art", ARTS)
def test_nothing_depends_on_colours(art: Art) -> None:
    black = drawn(replace(HIDDEN, colour=Colour.BLACK), art)
    marked = drawn(replace(HIDDEN, sign="*"), art)
    assert (
        len({tuple(drawn(HIDDEN, art)), tuple(drawn(OPEN, art)), tuple(black), tuple(marked)}) == 4
    )


@pytest.mark.parametrize("art", ["block", "ascii"])
def test_only_boxes_need_characters_whose_width_depends_on_the_terminal(art: Art) -> None:
    assert all(text.isascii() for text in drawn(HIDDEN, art) + drawn(OPEN, art))


def test_a_mark_takes_the_last_cell_even_beside_two_digits() -> None:
    assert drawn(replace(HIDDEN, foot="14", sign="*"), "box")[2] == "└14*"
    assert drawn(replace(OPEN, foot="14", sign="!"), "box")[2] == " 14!"


@pytest.mark.parametrize(
    ("picture", "text"),
    [
        (HIDDEN, "[w?] "),
        (replace(HIDDEN, colour=None), "[?]  "),
        (replace(HIDDEN, sign="*"), "[w?* "),
        (OPEN, " w11 "),
        (replace(OPEN, value="-"), " w-  "),
    ],
)
def test_in_one_line_a_tile_is_as_it_is_typed(picture: Picture, text: str) -> None:
    assert in_line(picture)[1] == text
