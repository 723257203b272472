"""What the middle of the screen tells in short."""

from __future__ import annotations

import pytest
from prompt_toolkit.utils import get_cwidth

from p2p_davinci.console.places import spans
from p2p_davinci.rules.options import options_from
from p2p_davinci.text import LANGS, Lang, Words
from protocol.words import WORDS
from tests.unit.console.scenes import tiles


@pytest.mark.parametrize(
    ("held", "shown"),
    [
        ("w4 b1 b0 b2", "b0-2 w4"),
        ("b0 b1 b8 b10 b11 b12", "b0-1 b8 b10-12"),
        ("w- b- w0", "b- w0 w-"),
        ("", ""),
    ],
)
def test_tiles_in_a_row_are_told_as_from_to(held: str, shown: str) -> None:
    assert " ".join(spans(tiles(*held.split()))) == shown


@pytest.mark.parametrize("lang", LANGS)
def test_the_words_to_be_compared_fit_with_the_digits(lang: Lang) -> None:
    longest = " ".join(sorted(WORDS, key=len)[-4:])
    for key in ("compare", "screen.compare"):
        shown = Words(lang).tell(key, words=longest, digits="12345 67890")
        assert get_cwidth(f" {shown}") <= 79


def test_whatever_a_tile_may_be_fits_beside_its_place() -> None:
    everything = [
        tile for deck in options_from("classic", {"twelve": "yes"}).decks for tile in deck
    ]
    for every in range(2, 6):
        held = [tile for tile in everything if tile.number is None or tile.number % every]
        assert get_cwidth(f" Marked: 4.14. May be: {' '.join(spans(held))}") <= 79
