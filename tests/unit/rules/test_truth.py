"""Moves become facts where the faces are known."""

from __future__ import annotations

import pytest

from p2p_davinci.rules.engine import apply
from p2p_davinci.rules.illegal import IllegalMove
from p2p_davinci.rules.moves import (
    Draw,
    Drawn,
    Overdue,
    Overran,
    Place,
    Placed,
    Resign,
    Resigned,
    Stop,
    Stopped,
)
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.rules.truth import Truth, answer, resolve, view_of
from tests.support.positions import CLOCK, guess, play, position, rows, tiles

TIMED = Options(clock=CLOCK)


def test_the_pile_is_what_is_nowhere_else() -> None:
    options = Options(jokers=False)
    truth = Truth(hands=(tiles("b0 w0"), tiles("b1 w1")), drawn=parse_tile("b2"))
    left = truth.left(options)
    assert len(left) == 24 - 5
    assert not set(left) & set(tiles("b0 w0 b1 w1 b2"))


def test_a_view_holds_ones_own_faces_and_no_others() -> None:
    game = position("b1 w2", "b3 b5", drawn="w9")
    mine, theirs, nobodys = (view_of(*game, seat) for seat in (0, 1, None))
    assert (mine.own, mine.drawn) == (tiles("b1 w2"), parse_tile("w9"))
    assert (theirs.own, theirs.drawn) == (tiles("b3 b5"), None)
    assert (nobodys.seat, nobodys.own, nobodys.drawn) == (None, (), None)


def test_a_draw_takes_a_tile_of_its_deck_from_the_pile() -> None:
    state, truth = position("b1 w2", "b3 b5")
    fact, after = resolve(state, truth, Draw(deck=1), seat=0, tile=parse_tile("w9"))
    assert (fact, after.drawn) == (Drawn(deck=1), parse_tile("w9"))
    for tile, reason in (("b9", "no_such_tile"), ("w12", "no_such_tile"), ("w2", "tile_elsewhere")):
        with pytest.raises(IllegalMove, match=reason):
            resolve(state, truth, Draw(deck=1), seat=0, tile=parse_tile(tile))
    with pytest.raises(ValueError, match="which"):
        resolve(state, truth, Draw(deck=1), seat=0)


@pytest.mark.parametrize(
    ("call", "tile"), [("3", "b3"), ("b3", "b3"), ("4", None), ("w3", None), ("-", None)]
)
def test_the_answer_is_true(call: str, tile: str | None) -> None:
    state, truth = position("b1 w2", "b3 b5", drawn="w9")
    fact, _ = resolve(state, truth, guess("2.1", call), seat=0)
    told = answer(apply(state, fact), truth)
    assert told.tile == (None if tile is None else parse_tile(tile))


def test_the_only_legal_slot_need_not_be_named() -> None:
    hit = play(position("b1 w2 w9", "b3 b5", drawn="b4"), guess("2.1", "3"))
    assert resolve(*hit, Stop(), seat=0)[0] == Stopped(slot=3)
    miss = play(position("b1 w2 w9", "b3 b5", drawn="b4"), guess("2.1", "6"))
    assert resolve(*miss, Place(), seat=0)[0] == Placed(slot=3, tile=parse_tile("b4"))


@pytest.mark.parametrize("slot", [1, 2, 4])
def test_a_slot_that_the_faces_forbid(slot: int) -> None:
    miss = play(position("b1 w2 w9", "b3 b5", drawn="b4"), guess("2.1", "6"))
    with pytest.raises(IllegalMove, match="slot_illegal") as caught:
        resolve(*miss, Place(slot=slot), seat=0)
    values = (("slot", str(slot)), ("tile", "b4"), ("slots", "3"))
    assert caught.value.values == values


def test_overdue_before_the_draw_brings_up_a_tile() -> None:
    state, truth = position("b1 w2", "b3 b5", options=TIMED)
    move = Overdue(deck=0)
    fact, after = resolve(state, truth, move, seat=0, tile=parse_tile("b7"))
    assert (fact, after.drawn) == (Overran(deck=0), parse_tile("b7"))


def test_overdue_after_a_hit_stands_the_tile_at_its_leftmost_slot() -> None:
    hit = play(position("b1 w- w9", "b3 b5", drawn="b4", options=TIMED), guess("2.1", "3"))
    assert resolve(*hit, Overdue(), seat=0)[0] == Overran(slot=2)
    assert rows(play(hit, Overdue()))[0] == "b1 b4 w- w9"


def test_overdue_after_a_hit_stands_the_tile_where_it_says_if_it_may_stand_there() -> None:
    hit = play(position("b1 w- w9", "b3 b5", drawn="b4", options=TIMED), guess("2.1", "3"))
    assert resolve(*hit, Overdue(slot=3), seat=0)[0] == Overran(slot=3)
    assert rows(play(hit, Overdue(slot=3)))[0] == "b1 w- b4 w9"
    with pytest.raises(IllegalMove) as caught:
        resolve(*hit, Overdue(slot=4), seat=0)
    assert caught.value.reason == "slot_illegal"


def test_overdue_without_a_tile_to_stand() -> None:
    guessing = position("b1 w2", "b3 b5", drawn="b4", options=TIMED)
    assert resolve(*guessing, Overdue(), seat=0)[0] == Overran()
    empty = play(position("b1 w2", "b3 b5", pile=(0, 0), options=TIMED), guess("2.1", "3"))
    assert resolve(*empty, Overdue(), seat=0)[0] == Overran()


def test_resigning_shows_the_row_and_the_drawn_tile() -> None:
    state, truth = position("b1 w- w9", "b3 b5", drawn="b4")
    fact, after = resolve(state, truth, Resign(), seat=0)
    expected = Resigned(seat=0, row=tiles("b1 w- w9"), drawn=parse_tile("b4"))
    assert fact == expected
    assert after == Truth(hands=(tiles("b1 b4 w- w9"), tiles("b3 b5")))
    other, kept = resolve(state, truth, Resign(), seat=1)
    assert (other, kept) == (Resigned(seat=1, row=tiles("b3 b5"), drawn=None), truth)


def test_the_award_follows_the_end_by_itself() -> None:
    options = Options(scoring="tournament")
    game = position("b1 w2 w9!", "b3", drawn="b4", options=options)
    state, _ = play(game, guess("2.1", "3"))
    assert state.points == (1 + 3 + 5 + 1 + 2, 0)


def test_public_refusals_come_first() -> None:
    with pytest.raises(IllegalMove, match="not_your_turn"):
        resolve(*position("b1 w2", "b3 b5"), Draw(deck=0), seat=1)
