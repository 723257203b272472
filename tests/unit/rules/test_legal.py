"""What a player's move is refused with before anything is sent."""

from __future__ import annotations

import pytest

from p2p_davinci.rules.illegal import REASONS, IllegalMove
from p2p_davinci.rules.legal import check_move, named_tile
from p2p_davinci.rules.moves import (
    Arrange,
    Draw,
    Move,
    Overdue,
    Place,
    Resign,
    Reveal,
    Stop,
    Take,
)
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.state import State
from p2p_davinci.rules.tiles import parse_tile
from tests.support.positions import CLOCK, HIDDEN, guess, play, position

DRAW, _ = position("b1 w2", "b3 b5", options=Options(clock=CLOCK))
GUESS, GUESS_TRUTH = position("b1 w2", "b3 b5", drawn="w9", options=Options(clock=CLOCK))
MORE, _ = play(position("b1 w2", "b3 b5", drawn="w9"), guess("2.1", "3"))
PLACE, _ = play(position("b1 w2", "b3 b5", drawn="w9"), guess("2.1", "4"))
PLACE_TIMED, _ = play((GUESS, GUESS_TRUTH), guess("2.1", "4"))
REVEAL, _ = play(position("b1 w2!", "b3 b5", pile=(0, 0)), guess("2.1", "4"))
EMPTY, _ = position("b1 w2", "b3 b5", pile=(0, 0))
MORE_EMPTY, _ = play(position("b1 w2", "b3 b5", pile=(0, 0)), guess("2.1", "3"))
OVER, _ = play(position("b1 w2", "b3", drawn="w9"), guess("2.1", "3"))


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (DRAW, Draw(deck=0)),
        (DRAW, Overdue(deck=0)),
        (DRAW, Resign()),
        (GUESS, guess("2.1", "3")),
        (GUESS, Overdue()),
        (GUESS, Resign()),
        (MORE, guess("2.2", "b5")),
        (MORE, Stop()),
        (MORE, Stop(slot=3)),
        (MORE_EMPTY, Stop()),
        (PLACE, Place()),
        (PLACE, Place(slot=1)),
        (REVEAL, Reveal(slot=1)),
        (EMPTY, guess("2.1", "3")),
    ],
)
def test_allowed(state: State, move: Move) -> None:
    check_move(state, 0, move)


@pytest.mark.parametrize(
    ("state", "seat", "move", "reason"),
    [
        (DRAW, 1, Draw(deck=0), "not_your_turn"),
        (DRAW, 0, guess("2.1", "3"), "draw_first"),
        (DRAW, 0, Stop(), "draw_first"),
        (DRAW, 0, Take(counts=(4, 0)), "draw_first"),
        (DRAW, 0, Arrange(order=(0, 1)), "draw_first"),
        (DRAW, 0, Draw(deck=2), "no_such_deck"),
        (DRAW, 0, Overdue(), "deck_needed"),
        (GUESS, 0, Draw(deck=0), "guess_first"),
        (GUESS, 0, Stop(), "guess_first"),
        (GUESS, 0, Overdue(deck=0), "deck_unwanted"),
        (GUESS, 0, guess("1.1", "3"), "own_tile"),
        (EMPTY, 0, Draw(deck=0), "pile_empty"),
        (MORE, 0, Draw(deck=0), "guess_or_stop"),
        (MORE, 0, Stop(slot=9), "no_such_slot"),
        (MORE, 0, Overdue(), "no_clock"),
        (MORE_EMPTY, 0, Stop(slot=1), "slot_unwanted"),
        (MORE_EMPTY, 0, Draw(deck=0), "guess_or_stop"),
        (PLACE, 0, guess("2.1", "3"), "place_first"),
        (PLACE, 0, Place(slot=0), "no_such_slot"),
        (PLACE, 0, Resign(), "place_first"),
        (PLACE_TIMED, 0, Overdue(), "place_first"),
        (REVEAL, 0, Stop(), "reveal_first"),
        (REVEAL, 0, Reveal(slot=2), "face_up"),
        (REVEAL, 0, Resign(), "reveal_first"),
        (OVER, 0, Stop(), "over"),
        (OVER, 1, Draw(deck=0), "over"),
        (OVER, 1, Resign(), "over"),
        (DRAW, 2, Resign(), "no_such_seat"),
    ],
)
def test_refused(state: State, seat: int, move: Move, reason: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        check_move(state, seat, move)
    assert caught.value.reason == reason
    assert tuple(name for name, _ in caught.value.values) == REASONS[caught.value.reason]


def test_a_refusal_names_places_as_people_count_them() -> None:
    with pytest.raises(IllegalMove) as caught:
        check_move(MORE, 0, guess("2.1", "3"))
    assert caught.value.values == (("place", "2.1"), ("tile", "b3"))


def test_a_refusal_names_decks_as_people_count_them() -> None:
    one_colour, _ = position("b1 w2", "b3 b5", pile=(3, 0))
    for move, reason in ((Draw(deck=1), "colour_used_up"), (Draw(deck=2), "no_such_deck")):
        with pytest.raises(IllegalMove, match=reason) as caught:
            check_move(one_colour, 0, move)
        assert caught.value.values == (("deck", str(move.deck + 1)),)


def test_a_guess_may_be_made_only_by_the_seat_that_checks_it() -> None:
    with pytest.raises(IllegalMove, match="own_tile"):
        check_move(GUESS, 0, guess("1.2", "3"))


def test_the_back_completes_a_number_where_numbers_are_calls() -> None:
    assert named_tile(GUESS, guess("2.1", "7")) == parse_tile("b7")
    assert named_tile(GUESS, guess("2.1", "-")) == parse_tile("b-")
    assert named_tile(GUESS, guess("2.1", "w7")) == parse_tile("w7")


def test_a_number_alone_names_nothing_where_the_colour_must_be_called() -> None:
    hidden, _ = position("b1 w2", "b3 b5", drawn="w9", options=HIDDEN)
    coloured, _ = position("b1 w2", "b3 b5", drawn="w9", options=Options(call="colour"))
    for state in (hidden, coloured):
        assert named_tile(state, guess("2.1", "7")) is None
        assert named_tile(state, guess("2.1", "b7")) == parse_tile("b7")
