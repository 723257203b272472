"""Overdue turns, resignations, and the points at the end."""

from __future__ import annotations

import pytest

from p2p_davinci.rules.engine import award_due
from p2p_davinci.rules.moves import (
    Awarded,
    Drawn,
    Overran,
    Revealed,
)
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.state import Phase, Piece
from p2p_davinci.rules.tiles import parse_tile
from tests.support.positions import CLOCK, position, tell, tiles

from .facts import MISS, TOURNAMENT, B, W, faces, guessed, hit, refusal, resigned

# --- the clock -------------------------------------------------------------------------------

TIMED = Options(clock=CLOCK)


def test_overdue_before_the_draw_draws_and_misses() -> None:
    state, _ = position("b1 w2", "b3 b5", options=TIMED)
    after = tell(state, Overran(deck=1))
    assert (after.phase, after.drawn) == (Phase.PLACE, Piece(back=W))
    assert after.pile[1] == state.pile[1] - 1


def test_overdue_after_the_draw_is_a_miss() -> None:
    state, _ = position("b1 w2", "b3 b5", options=TIMED, drawn="w9")
    assert tell(state, Overran()).phase is Phase.PLACE


@pytest.mark.parametrize(
    ("empty_miss", "phase", "turn"), [("reveal", Phase.REVEAL, 0), ("pass", Phase.GUESS, 1)]
)
def test_overdue_with_an_empty_pile_is_a_miss(empty_miss: str, phase: Phase, turn: int) -> None:
    options = Options(clock=CLOCK, empty_miss="pass" if empty_miss == "pass" else "reveal")
    state, _ = position("b1 w2", "b3 b5", options=options, pile=(0, 0))
    after = tell(state, Overran())
    assert (after.phase, after.turn) == (phase, turn)


def test_overdue_after_a_hit_is_a_stop() -> None:
    state, _ = position("b1 w2", "b3 b5", options=TIMED, drawn="w9")
    opened = tell(state, guessed(1, 1, "3"), hit("b3"))
    after = tell(opened, Overran(slot=3))
    assert (faces(after), after.turn) == (["? ? ?", "b3 ?"], 1)
    assert refusal(opened, Overran()) == "slot_missing"
    empty, _ = position("b1 w2", "b3 b5", options=TIMED, pile=(0, 0))
    assert tell(empty, guessed(1, 1, "3"), hit("b3"), Overran()).turn == 1


def test_overdue_where_nothing_is_owed_to_the_clock() -> None:
    plain, _ = position("b1 w2", "b3 b5")
    assert refusal(plain, Overran(deck=0)) == "no_clock"
    state, _ = position("b1 w2", "b3 b5", options=TIMED)
    assert refusal(state, Overran()) == "deck_needed"
    assert refusal(state, Overran(deck=2)) == "no_such_deck"
    assert refusal(state, Overran(deck=0, slot=1)) == "slot_unwanted"
    drew = tell(state, Drawn(deck=0))
    assert refusal(drew, Overran(deck=0)) == "deck_unwanted"
    assert refusal(drew, Overran(slot=1)) == "slot_unwanted"
    assert refusal(drew, Overran(), Overran()) == "place_first"


# --- resigning -------------------------------------------------------------------------------


def test_resigning_on_ones_turn_turns_up_row_and_drawn_tile_and_passes() -> None:
    state, _ = position("b1 w2", "b3 b5", "w7 w8", drawn="w9")
    after = tell(state, resigned(0, "b1 w2", "w9"))
    assert (faces(after), after.turn) == (["b1 w2 w9", "? ?", "? ?"], 1)
    assert (after.phase, after.drawn, after.points) == (Phase.DRAW, None, (0, 0, 0))


def test_the_drawn_tile_of_one_who_resigns_goes_to_its_leftmost_slot() -> None:
    state, _ = position("b1 w- w2", "b3 b5", drawn="b2")
    after = tell(state, resigned(0, "b1 w- w2", "b2"))
    assert faces(after)[0] == "b1 b2 w- w2"
    assert [piece.back for piece in after.rows[0]] == [B, B, W, W]


def test_resigning_on_anothers_turn_leaves_the_turn_alone() -> None:
    state, _ = position("b1 w2", "b3 b5", "w7 w8", drawn="w9")
    for facts in ([], [guessed(1, 1, "7"), MISS], [guessed(1, 1, "3")]):
        before = tell(state, *facts)
        after = tell(before, resigned(2, "w7 w8"))
        assert (after.turn, after.phase, after.drawn) == (0, before.phase, before.drawn)
        assert after.pending == before.pending


def test_the_last_one_left_wins_at_once_and_keeps_the_drawn_tile() -> None:
    state, _ = position("b1 w2", "b3 b5", drawn="w9")
    after = tell(state, resigned(1, "b3 b5"))
    assert (after.phase, after.winner, after.turn) == (Phase.OVER, 0, 0)
    assert after.drawn == Piece(back=W)


def test_what_is_owed_comes_before_resigning() -> None:
    state, _ = position("b1 w2", "b3 b5", "w7 w8", drawn="w9")
    named = tell(state, guessed(1, 1, "7"))
    assert refusal(named, resigned(0, "b1 w2", "w9")) == "answer_first"
    assert refusal(named, resigned(1, "b3 b5")) == "answer_first"
    assert refusal(named, MISS, resigned(0, "b1 w2", "w9")) == "place_first"
    empty, _ = position("b1 w2", "b3 b5", pile=(0, 0))
    assert refusal(empty, guessed(1, 1, "7"), MISS, resigned(0, "b1 w2")) == "reveal_first"


def test_who_may_not_resign() -> None:
    state, _ = position("b1 w2", "b3! b5!", "w7 w8", drawn="w9")
    assert refusal(state, resigned(1, "b3 b5")) == "already_out"
    assert refusal(state, resigned(3, "b3 b5")) == "no_such_seat"


@pytest.mark.parametrize(
    ("row", "drawn", "reason"),
    [
        ("b1 w2", None, "drawn_needed"),
        ("b1 w2 w4", "w9", "wrong_row"),
        ("b1", "w9", "wrong_row"),
        ("b0 w2", "w9", "wrong_row"),
        ("b1 w0", "w9", "wrong_order"),
        ("b1 b2", "w9", "wrong_back"),
        ("b1 w5", "w9", "tile_elsewhere"),
        ("b1 w2", "w2", "tile_elsewhere"),
        ("b1 w2", "w5", "tile_elsewhere"),
        ("b1 w2", "b9", "wrong_back"),
    ],
)
def test_the_row_of_one_who_resigns_agrees_with_what_lies_open(
    row: str, drawn: str | None, reason: str
) -> None:
    state, _ = position("b1! w2", "b3 w5!", drawn="w9")
    assert refusal(state, resigned(0, row, drawn)) == reason


def test_the_same_tile_twice_in_a_row_is_refused() -> None:
    state, _ = position("w- w4 w5", "b3 b5")
    assert refusal(state, resigned(0, "w- w4 w-")) == "wrong_row"


def test_a_drawn_tile_is_named_only_by_who_has_one() -> None:
    state, _ = position("b1 w2", "b3 b5", "w7 w8", drawn="w9")
    assert refusal(state, resigned(1, "b3 b5", "b9")) == "drawn_unwanted"


# --- points ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scoring", "one", "last", "win"), [("none", 0, 0, 0), ("revealed", 1, 1, 0)]
)
def test_points_for_tiles_turned_up(scoring: str, one: int, last: int, win: int) -> None:
    options = Options(scoring="revealed" if scoring == "revealed" else "none")
    state, _ = position("b1 w2", "b3 b5", drawn="w9", options=options)
    state = tell(state, guessed(1, 1, "3"), hit("b3"))
    assert state.points == (one, 0)
    state = tell(state, guessed(1, 2, "5"), hit("b5"))
    assert state.points == (one + last + win, 0)
    assert not award_due(state)
    assert refusal(state, Awarded(row=tiles("b1 w2"))) == "no_award"


def test_tournament_points_and_the_award() -> None:
    state, _ = position("b1 w2! w- w7", "b3 b5", "w4!", drawn="w9", options=TOURNAMENT)
    state = tell(state, guessed(1, 1, "3"), hit("b3"))
    assert (state.points, award_due(state)) == ((1, 0, 0), False)
    state = tell(state, guessed(1, 2, "5"), hit("b5"))
    assert (state.points, award_due(state)) == ((1 + 1 + 3 + 5, 0, 0), True)
    assert refusal(state, Awarded(row=tiles("b1 w2 w- w4"))) == "tile_elsewhere"
    after = tell(state, Awarded(row=tiles("b1 w2 w- w7")))
    assert (after.points, award_due(after)) == ((10 + 1 + 7, 0, 0), False)
    assert after.rows == state.rows
    assert refusal(after, Awarded(row=tiles("b1 w2 w- w7"))) == "no_award"


def test_nobody_scores_for_a_resignation_but_winning_counts() -> None:
    state, _ = position("b1 w2", "b3 b5", drawn="w9", options=TOURNAMENT)
    assert tell(state, resigned(0, "b1 w2", "w9")).points == (0, 5)


def test_putting_oneself_out_scores_nothing_for_others_but_the_win() -> None:
    state, _ = position("b1! w2", "b3 b5", pile=(0, 0), options=TOURNAMENT)
    after = tell(state, guessed(1, 1, "4"), MISS, Revealed(slot=2, tile=parse_tile("w2")))
    assert after.points == (0, 5)
