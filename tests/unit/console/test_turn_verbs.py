"""The verbs of a turn and of the deal, as people type them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.console import commands as c
from p2p_davinci.console.context import Context
from p2p_davinci.console.grammar import read
from p2p_davinci.rules.engine import apply
from p2p_davinci.rules.moves import (
    Answered,
    Arrange,
    Draw,
    Drawn,
    Reveal,
    Stop,
    Take,
)
from p2p_davinci.rules.moves import Place as PlaceUp
from p2p_davinci.rules.state import Phase
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import CallClock
from tests.unit.console.scenes import (
    context_of,
    dealing,
    game_view,
    guessed,
    rules,
    state_after,
    tiles,
)
from tests.unit.console.typed import (
    AT_ARRANGE,
    AT_DRAW,
    AT_GUESS,
    AT_MORE,
    AT_PLACE,
    AT_TAKE,
    CLASSIC,
    NO_JOKERS,
    STANDARD,
    guess,
    move_of,
    refusal,
)

# --- drawing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "deck"),
    [
        ("draw black", 0),
        ("draw white", 1),
        ("draw w", 1),
        ("draw dark", 0),
        ("抽黑", 0),
        ("抽 白", 1),
        ("摸浅色", 1),
        ("DRAW Black", 0),
    ],
)
def test_a_colour_is_drawn(line: str, deck: int) -> None:
    assert move_of(line, AT_DRAW) == Draw(deck=deck)


@pytest.mark.parametrize("line", ["draw", "抽", "draw red"])
def test_the_colour_is_asked_for_while_there_are_both(line: str) -> None:
    assert "draw black or draw white" in refusal(line, AT_DRAW)


def test_one_pile_with_hidden_backs_has_no_colour_to_choose() -> None:
    at = context_of(STANDARD.draw, STANDARD.options)
    assert move_of("draw", at) == Draw(deck=0)
    assert "hidden" in refusal("draw black", at)


def one_colour_left(pile: tuple[int, int]) -> Context:
    state = replace(state_after(rules()), pile=pile)
    return context_of(game_view(state), rules())


def test_the_colour_that_is_left_is_drawn_unasked_and_the_other_refused_with_a_reason() -> None:
    at = one_colour_left((0, 3))
    assert move_of("draw", at) == Draw(deck=1)
    text = refusal("draw black", at)
    assert "No black tile is left" in text
    assert "draw white" in text


def test_an_empty_pile_skips_the_draw() -> None:
    state = replace(state_after(rules(), [Drawn(deck=0)]), drawn=None, pile=(0, 0))
    at = context_of(game_view(state), rules())
    assert "The pile is empty" in refusal("draw", at)
    assert move_of("2.3 = 4", at) == guess("2.3", "4")


def test_drawing_twice_or_out_of_turn_is_refused() -> None:
    assert "name a tile first" in refusal("draw", AT_GUESS)
    others = context_of(game_view(state_after(rules(), first=2)), rules())
    assert "not your turn" in refusal("draw", others)
    assert "not your turn" in refusal("draw black", others)


# --- stopping and placing ----------------------------------------------------------------------


@pytest.mark.parametrize("line", ["stop 2", "stop2", "slot 2", "停 2", "停2", "位置2"])
def test_stopping_says_where_the_drawn_tile_stands(line: str) -> None:
    assert move_of(line, AT_MORE) == Stop(slot=2)


@pytest.mark.parametrize("line", ["stop", "停"])
def test_with_jokers_in_the_game_the_slot_is_asked_for_even_if_it_is_clear(line: str) -> None:
    assert read(line, AT_MORE) == c.AskSlot()


def test_the_slots_beside_a_joker_are_the_owners_choice() -> None:
    board = CLASSIC.more.board
    assert board is not None
    beside = replace(CLASSIC.more, board=replace(board, drawn=parse_tile("b8")))
    at = context_of(beside, CLASSIC.options)
    assert move_of("stop 4", at) == Stop(slot=4)
    assert move_of("stop 5", at) == Stop(slot=5)
    assert "Possible: 4, 5" in refusal("stop 3", at)
    assert read("stop", at) == c.AskSlot()


def test_without_jokers_stopping_needs_no_slot() -> None:
    board = NO_JOKERS.more.board
    assert board is not None
    plain = replace(NO_JOKERS.more, board=replace(board, own=tiles("b1", "b6", "w7", "w9")))
    at = context_of(plain, NO_JOKERS.options)
    assert move_of("stop", at) == Stop(slot=None)
    assert move_of("stop 2", at) == Stop(slot=2)
    assert "cannot stand at 1" in refusal("stop 1", at)


def test_stopping_without_a_guess_is_refused() -> None:
    assert "name a tile first" in refusal("stop 2", AT_GUESS)


def test_stopping_without_a_drawn_tile_takes_no_slot() -> None:
    state = replace(CLASSIC.more.board.state, drawn=None) if CLASSIC.more.board else None
    assert state is not None
    at = context_of(game_view(state), CLASSIC.options)
    assert move_of("stop", at) == Stop(slot=None)
    assert "no drawn tile" in refusal("stop 2", at)


@pytest.mark.parametrize("line", ["slot 2", "slot2", "插 2", "位置 2"])
def test_after_a_miss_the_drawn_tile_is_placed(line: str) -> None:
    assert move_of(line, AT_PLACE) == PlaceUp(slot=2)


def test_a_slot_that_order_forbids_is_refused_with_the_possible_ones() -> None:
    text = refusal("slot 1", AT_PLACE)
    assert "white 4 cannot stand at 1" in text
    assert "slot 2" in text


def test_a_slot_that_is_not_named_is_asked_for_with_the_possible_ones() -> None:
    assert "Say where white 4 will stand. Possible: 2." in refusal("slot", AT_PLACE)
    assert "放在第几位。可选：2。" in refusal(
        "位置", context_of(CLASSIC.place, CLASSIC.options, "zh")
    )


@pytest.mark.parametrize("line", ["slot x", "reveal", "翻", "stop two"])
def test_a_slot_is_a_number(line: str) -> None:
    assert "counted from the left" in refusal(line, AT_PLACE)


def missed_with_an_empty_pile() -> Context:
    """Seat 0 guessed with an empty pile and missed: it owes one of its own tiles."""
    state = replace(state_after(rules()), pile=(0, 0), phase=Phase.GUESS)
    for fact in (guessed("2.3", "8"), Answered(tile=None)):
        state = apply(state, fact)
    return context_of(game_view(state), rules())


@pytest.mark.parametrize("line", ["reveal 2", "reveal2", "翻 2", "翻开2"])
def test_a_miss_with_an_empty_pile_turns_up_a_tile_of_ones_own(line: str) -> None:
    assert move_of(line, missed_with_an_empty_pile()) == Reveal(slot=2)


def test_a_tile_that_is_not_there_cannot_be_turned_up() -> None:
    text = refusal("reveal 9", missed_with_an_empty_pile())
    assert "that row has 4 tiles" in text
    assert "reveal 1/2/3/4" in text


def test_the_clock_is_called_only_on_others_and_only_where_there_is_one() -> None:
    timed = rules(clock="60+20")
    others = context_of(game_view(state_after(timed, first=1)), timed)
    assert read("clock", others) == CallClock()
    assert read("催", others) == CallClock()
    assert "yourself" in refusal("clock", context_of(game_view(state_after(timed)), timed))
    assert "without a clock" in refusal("clock", AT_DRAW)


# --- the deal ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("take 3 black", (3, 1)),
        ("take 3 b", (3, 1)),
        ("take 0 black", (0, 4)),
        ("take 1 white", (3, 1)),
        ("take 3 black 1 white", (3, 1)),
        ("take 1 white, 3 black", (3, 1)),
        ("take 3 1", (3, 1)),
        ("take 3+1", (3, 1)),
        ("取 3 黑", (3, 1)),
        ("取3黑1白", (3, 1)),
        ("拿1浅色", (3, 1)),
    ],
)
def test_how_many_of_each_colour_is_understood(line: str, counts: tuple[int, int]) -> None:
    assert move_of(line, AT_TAKE) == Take(counts=counts)


@pytest.mark.parametrize(
    "line",
    [
        "take",
        "take 5 black",
        "take 3",
        "take 3 black 2 white",
        "take 3 black 1 black",
        "take x 3",
        "take 3 black please",
        "take 3 red",
        "take 1 1 1",
    ],
)
def test_counts_that_do_not_add_up_say_how_many_there_are_to_take(line: str) -> None:
    assert "4 tiles in all" in refusal(line, AT_TAKE)


def test_with_four_players_three_tiles_are_taken() -> None:
    four = replace(dealing("take"), names=("ana", "bo", "cy", "dee"), hand=3)
    at = context_of(four, rules())
    assert move_of("take 3 black", at) == Take(counts=(3, 0))
    assert "3 tiles in all" in refusal("take 4 black", at)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("arrange b1 b6 w7 w-", (3, 2, 0, 1)),
        ("arrange w- b1 b6 w7", (1, 3, 2, 0)),
        ("arrange b1b6w-w7", (3, 2, 1, 0)),
        ("arrange b1, white joker, b6, white 7", (3, 1, 2, 0)),
        ("排 黑1 黑6 白横杠 白7", (3, 2, 1, 0)),
    ],
)
def test_an_arrangement_names_ones_own_tiles(line: str, order: tuple[int, ...]) -> None:
    assert move_of(line, AT_ARRANGE) == Arrange(order=order)


@pytest.mark.parametrize("line", ["arrange", "排"])
def test_no_order_is_suggested(line: str) -> None:
    assert "each of your own tiles" in refusal(line, AT_ARRANGE)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("arrange b1 b6 w7", "each of your own tiles"),
        ("arrange b1 b6 w7 w7", "each of your own tiles"),
        ("arrange b1 b6 w7 b-", "each of your own tiles"),
        ("arrange 1 6 7 -", "each of your own tiles"),
        ("arrange b6 b1 w7 w-", "ascend"),
    ],
)
def test_an_arrangement_of_other_tiles_or_out_of_order_is_refused(line: str, why: str) -> None:
    assert why in refusal(line, AT_ARRANGE)


def test_verbs_of_the_deal_are_refused_when_nothing_is_dealt() -> None:
    assert "nothing to arrange" in refusal("arrange", AT_DRAW)
    assert "no tiles to take" in refusal("take 3 black", AT_DRAW)
    assert "still being dealt" in refusal("draw", AT_TAKE)
    assert "still being dealt" in refusal("2.3 = 7", AT_TAKE)
