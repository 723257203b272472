"""Guesses as people type them, and the slips that are asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.console import commands as c
from p2p_davinci.console.grammar import read
from p2p_davinci.rules.moves import (
    Resign,
    Resigned,
)
from tests.unit.console.scenes import (
    HANDS,
    context_of,
    game_view,
    rules,
    state_after,
    tiles,
)
from tests.unit.console.typed import (
    AT_DRAW,
    AT_GUESS,
    AT_MORE,
    CLASSIC,
    NO_JOKERS,
    OPEN_COLOUR,
    STANDARD,
    guess,
    move_of,
    refusal,
)

# --- guesses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "2.3 = b7",
        "2.3 = black 7",
        "2.3 b7",
        "2.3 black 7",
        "2.3 is black 7",
        "bo 3 = b7",
        "BO 3 = B7",
        "bo.3 = b7",
        "guess 2.3 = b7",
        "guess bo 3 b7",
        "\uff12\uff0e\uff13\uff1d\uff22\uff17",
        "2。3 黑 7",
        "2.3 是 黑7",
        "2.3 = 深色 7",
        "猜 2.3 黑7",
        "猜2.3为黑7",
    ],
)
def test_a_guess_is_understood_however_it_is_written(line: str) -> None:
    assert move_of(line, AT_GUESS) == guess("2.3", "b7")


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("2.3 = 7", "7"),
        ("2.3 joker", "-"),
        ("2.3 = -", "-"),
        ("2.3 = \u2014\u2014", "-"),
        ("2.3 横杠", "-"),
        ("2.3 黑色横杠", "b-"),
        ("2.3 dark joker", "b-"),
    ],
)
def test_a_number_or_a_joker_is_enough_where_numbers_are_calls(line: str, call: str) -> None:
    assert move_of(line, AT_GUESS) == guess("2.3", call)


@pytest.mark.parametrize(("line", "call"), [("7", "7"), ("b7", "b7"), ("joker", "-"), ("= 7", "7")])
def test_a_bare_call_names_the_marked_tile(line: str, call: str) -> None:
    marked = replace(AT_GUESS, mark=c.Place(seat=1, slot=3))
    assert move_of(line, marked) == guess("2.3", call)


def test_a_bare_call_without_a_mark_says_how_to_go_on() -> None:
    text = refusal("7", AT_GUESS)
    assert "2.3 = 7" in text
    assert "mark 2.3" in text
    assert "Nothing was sent" in text


def test_further_guesses_go_on_after_a_hit() -> None:
    assert move_of("3.2 = 4", AT_MORE) == guess("3.2", "4")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1.2 = 7", "your own row"),
        ("4.1 = 7", "no seat 4"),
        ("2.9 = 7", "that row has 4 tiles"),
        ("2.3 = 12", "12 is not in this game"),
        ("2.3 = b12", "black 12 is not in this game"),
    ],
)
def test_a_guess_at_nothing_is_refused_with_a_reason_and_costs_nothing(line: str, why: str) -> None:
    text = refusal(line, AT_GUESS)
    assert why in text
    assert "Nothing was sent" in text
    assert "You can type" in text


def test_a_guess_at_an_open_tile_says_what_lies_there() -> None:
    assert "2.3 lies open already: black 9" in refusal("2.3 = 9", AT_MORE)


def test_a_joker_is_refused_where_there_is_none() -> None:
    at = context_of(NO_JOKERS.guess, NO_JOKERS.options)
    assert "joker is not in this game" in refusal("2.3 joker", at)


def test_a_guess_out_of_turn_is_refused_before_any_question() -> None:
    state = state_after(rules("standard"), first=1)
    at = context_of(game_view(state), rules("standard"))
    assert "not your turn" in refusal("2.3 = 7", at)


def test_a_guess_before_the_draw_says_draw_first() -> None:
    text = refusal("2.3 = 7", AT_DRAW)
    assert "draw a tile first" in text
    assert "draw black, draw white" in text


def test_a_guess_while_tiles_are_still_being_uncovered_has_to_wait() -> None:
    at = context_of(replace(CLASSIC.guess, due=False, awaited=(2,)), CLASSIC.options)
    assert "waiting for cy" in refusal("2.3 = 7", at)


def test_what_cannot_be_read_as_a_tile_says_how_tiles_are_written() -> None:
    text = refusal("2.3 = seven", AT_GUESS)
    assert '"= seven"' in text
    assert "2.3 = b7" in text


# --- slips -------------------------------------------------------------------------------------


def test_a_wrong_colour_is_a_question_not_a_lost_turn() -> None:
    asked = read("2.4 = b7", AT_GUESS)
    assert isinstance(asked, c.Ask)
    assert "2.4 is a white tile" in asked.text
    assert "2.4 = w7" in asked.text
    assert asked.command == c.PlayMove(move=guess("2.4", "b7"))


def test_a_colour_left_out_is_filled_in_where_the_back_shows_it() -> None:
    at = context_of(OPEN_COLOUR.guess, OPEN_COLOUR.options)
    assert move_of("2.3 = 7", at) == guess("2.3", "b7")
    assert move_of("2.4 joker", at) == guess("2.4", "w-")


def test_a_colour_left_out_is_asked_for_where_the_back_hides_it() -> None:
    at = context_of(STANDARD.guess, STANDARD.options)
    asked = read("2.3 = 7", at)
    assert isinstance(asked, c.Ask)
    assert "counts as a miss" in asked.text
    assert "2.3 = b7" in asked.text
    assert "2.3 = w7" in asked.text
    assert asked.command == c.PlayMove(move=guess("2.3", "7"))


def test_a_call_with_its_colour_goes_out_unasked_where_the_back_hides_it() -> None:
    at = context_of(STANDARD.guess, STANDARD.options)
    assert move_of("2.3 = w7", at) == guess("2.3", "w7")


def test_the_same_slips_are_asked_about_in_chinese() -> None:
    asked = read("2.4 = 黑7", context_of(CLASSIC.guess, CLASSIC.options, "zh"))
    assert isinstance(asked, c.Ask)
    assert "白牌" in asked.text
    bare = read("2.3 = 7", context_of(STANDARD.guess, STANDARD.options, "zh"))
    assert isinstance(bare, c.Ask)
    assert "黑7" in bare.text


def test_resigning_is_asked_about() -> None:
    asked = read("resign", AT_DRAW)
    assert isinstance(asked, c.Ask)
    assert asked.command == c.PlayMove(move=Resign())


def test_resigning_is_possible_out_of_turn_but_not_when_out() -> None:
    others = game_view(state_after(rules(), first=1))
    assert isinstance(read("认输", context_of(others, rules())), c.Ask)
    gone = [Resigned(seat=0, row=tiles(*HANDS[0]), drawn=None)]
    state = state_after(rules(), gone, first=1)
    assert "You are out" in refusal("resign", context_of(game_view(state), rules()))
