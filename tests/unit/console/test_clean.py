from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from p2p_davinci.console.clean import clean, cut, display_names


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ana", "ana"),
        ("  ana \t bo\n", "ana bo"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("a\u2066b\u2069c", "abc"),
        ("a\u200bb\u200dc\ufeffd", "abcd"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x07bell\x00", "bell"),
        ("line\u2028two", "line two"),
        ("a\u00a0b\u3000c", "a b c"),
        ("\u3164\u115f\u1160\uffa0\u2800", ""),
        ("soft\u00adhyphen", "softhyphen"),
        ("heart\ufe0f", "heart"),
        ("private\ue000", "private"),
        ("\ud800lone", "lone"),
        ("e\u0301", "\u00e9"),
        ("z\u0335\u0336\u0337\u0338", "z\u0335\u0336"),
        ("\u0301\u0301lead", "lead"),
        ("\ud55c\uad6d\uc5b4", "\ud55c\uad6d\uc5b4"),
        ("小明", "小明"),
    ],
)
def test_text_from_a_peer_is_one_harmless_line(text: str, shown: str) -> None:
    assert clean(text, 40) == shown


@given(st.text(max_size=60), st.integers(min_value=0, max_value=20))
def test_it_is_never_wider_than_its_place_nor_holds_what_it_must_not(text: str, width: int) -> None:
    shown = clean(text, width)
    assert get_cwidth(shown) <= width
    assert shown.isprintable()
    assert clean(shown, width) == shown


def test_a_wide_character_is_not_cut_in_half() -> None:
    assert cut("小明", 3) == "小"
    assert cut("ab明", 4) == "ab明"
    assert cut("ab cd", 3) == "ab"


def test_names_are_told_apart() -> None:
    names = display_names(["bo", "BO", "ana", "", "You"], ["you"], "nameless")
    assert names == ("bo (1)", "BO (2)", "ana", "nameless (4)", "You (5)")


def test_full_width_twins_and_hand_made_numbers_are_told_apart() -> None:
    assert display_names(["bo", "\uff42\uff4f"], [], "x") == ("bo (1)", "\uff42\uff4f (2)")
    assert display_names(["bo (2)", "bo", "Bo"], [], "x") == ("bo (2) (1)", "bo (2)", "Bo (3)")


def test_a_long_name_is_cut() -> None:
    assert display_names(["n" * 64, "bo"], [], "x") == ("n" * 16, "bo")
