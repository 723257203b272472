from __future__ import annotations

import pytest
from prompt_toolkit.utils import get_cwidth

from p2p_davinci.console.canvas import beside, filled, fit, line_width, padded, wrap


def text(line: tuple[tuple[str, str], ...]) -> str:
    return "".join(piece for _, piece in line)


@pytest.mark.parametrize("width", range(12))
def test_a_line_is_fitted_to_its_width_even_between_the_halves_of_a_wide_character(
    width: int,
) -> None:
    line = fit((("a", "ab牌"), ("b", "面cd")), width)
    assert line_width(line) == width
    assert text(line).rstrip() == "ab牌面cd"[: len(text(line).rstrip())]


def test_styles_stay_with_their_text() -> None:
    assert fit((("a", "ab"), ("b", "cd")), 6) == (("a", "ab"), ("b", "cd"), ("", "  "))


def test_two_texts_stand_at_the_ends_of_a_line() -> None:
    assert text(beside((("", "left"),), (("", "右"),), 10)) == "left    右"
    assert text(beside((("", "left and more"),), (("", "右"),), 8)) == "left a右"
    assert text(beside((("", "left"),), (("", "far too wide"),), 6)) == "left  "


def test_text_is_padded_by_cells() -> None:
    assert padded("牌", 4, "-") == "牌--"
    assert padded("牌牌牌", 4) == "牌牌"


@pytest.mark.parametrize(
    ("given", "width", "lines"),
    [
        ("one two three", 8, ("one two", "  three")),
        ("", 8, ("",)),
        ("one", 8, ("one",)),
        ("轮到你了，请抽牌。", 8, ("轮到你", "  了，请", "  抽牌。")),
        ("unbreakable-word", 8, ("unbrea", "  kable-", "  word")),
        ("a  b", 8, ("a b",)),
    ],
)
def test_text_is_wrapped_at_blanks_and_between_wide_characters(
    given: str, width: int, lines: tuple[str, ...]
) -> None:
    assert wrap(given, width) == lines


@pytest.mark.parametrize("width", [3, 5, 10, 40])
def test_no_wrapped_line_is_too_wide_and_nothing_is_lost(width: int) -> None:
    given = "ana 猜你的 1.1 是：白 3。Your program answers, truthfully: 牌堆还剩 17 张（黑 12）。"
    lines = wrap(given, width)
    assert max(map(get_cwidth, lines)) <= max(width, 4)
    assert "".join(lines).replace(" ", "") == given.replace(" ", "")


def test_a_block_has_exactly_its_size() -> None:
    lines = filled([(("", "a"),), (("", "b"),), (("", "c"),)], 2, 3)
    assert [text(line) for line in lines] == ["a  ", "b  "]
    assert [text(line) for line in filled([], 2, 1)] == [" ", " "]
