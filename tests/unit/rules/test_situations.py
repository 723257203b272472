"""The situations that implementations of this game get wrong, each by name.

Tiles are ``b5``, ``w-``; ``!`` lies open; a place is ``seat.slot``, both from 1.
"""

from __future__ import annotations

import pytest

from p2p_davinci.rules.candidates import candidates
from p2p_davinci.rules.engine import actor, start
from p2p_davinci.rules.illegal import IllegalMove
from p2p_davinci.rules.moves import Draw, Guess, Place, Reveal, Stop, parse_call
from p2p_davinci.rules.options import PRESETS, Options
from p2p_davinci.rules.state import Phase
from p2p_davinci.rules.tiles import Colour, in_order, legal_slots, parse_tile
from p2p_davinci.rules.truth import view_of
from tests.support.positions import HIDDEN, Game, draw, guess, play, position, rows, tiles

EMPTY = (0, 0)


def refusal(game: Game, move: Draw | Guess | Stop | Place | Reveal) -> str:
    with pytest.raises(IllegalMove) as caught:
        play(game, move, tile="b11")
    return caught.value.reason


def test_at_the_same_number_black_stands_left_of_white() -> None:
    game = position("b3 w5", "w0 w1", drawn="w3")
    after = play(game, guess("2.1", "w0"), Stop())
    assert rows(after)[0] == "b3 w3 w5"


@pytest.mark.parametrize(
    ("slot", "row"), [(2, "b5 b6 w- w8"), (3, "b5 w- b6 w8")], ids=["left", "right"]
)
def test_beside_a_joker_the_owner_chooses_the_side(slot: int, row: str) -> None:
    game = play(position("b5 w- w8", "w0 w1", drawn="b6"), guess("2.1", "w0"))
    assert rows(play(game, Stop(slot=slot)))[0] == row


@pytest.mark.parametrize("slot", [1, 4])
def test_beside_a_joker_no_other_slot_is_legal(slot: int) -> None:
    game = play(position("b5 w- w8", "w0 w1", drawn="b6"), guess("2.1", "w0"))
    assert refusal(game, Stop(slot=slot)) == "slot_illegal"


def test_beside_a_joker_the_slot_must_be_named() -> None:
    game = play(position("b5 w- w8", "w0 w1", drawn="b6"), guess("2.1", "w0"))
    assert refusal(game, Stop()) == "slot_needed"


def test_two_jokers_between_neighbours_leave_three_slots() -> None:
    assert legal_slots(tiles("b3 b- w- b5"), parse_tile("b4")) == (2, 3, 4)


@pytest.mark.parametrize("row", ["b- w- b0 w4", "w4 w11 w- b-", "w- b0 b5 b-"])
def test_jokers_may_stand_at_either_end(row: str) -> None:
    assert in_order(tiles(row))


def test_the_number_a_joker_stands_for_is_a_miss() -> None:
    game = position("b1 w2", "b3 b- b5", drawn="w9")
    after = play(game, guess("2.2", "4"))
    assert after[0].phase is Phase.PLACE
    assert rows(after)[1] == "b3 b- b5"


def test_only_joker_hits_a_joker() -> None:
    after = play(position("b1 w2", "b3 b- b5", drawn="w9"), guess("2.2", "-"))
    assert rows(after)[1] == "b3 b-! b5"


@pytest.mark.parametrize(("slot", "row"), [(1, "w-! b1 w2"), (3, "b1 w2 w-!")])
def test_a_drawn_joker_after_a_miss_lies_open_where_its_owner_likes(slot: int, row: str) -> None:
    game = play(position("b1 w2", "b3 b5", drawn="w-"), guess("2.1", "7"))
    after = play(game, Place(slot=slot))
    assert rows(after)[0] == row
    assert (after[0].turn, after[0].phase) == (1, Phase.DRAW)


def test_a_drawn_joker_after_a_hit_stands_hidden_where_its_owner_likes() -> None:
    game = play(position("b1 w2", "b3 b5", drawn="w-"), guess("2.1", "3"))
    assert rows(play(game, Stop(slot=2)))[0] == "b1 w- w2"


def test_with_an_empty_pile_a_miss_turns_up_any_own_standing_tile() -> None:
    game = position("b1 w2 w4!", "b3 b5", "w0 w1", pile=EMPTY)
    game = play(game, guess("2.1", "7"))
    assert game[0].phase is Phase.REVEAL
    assert refusal(game, Reveal(slot=3)) == "face_up"
    assert rows(play(game, Reveal(slot=2)))[0] == "b1 w2! w4!"
    assert rows(play(game, Reveal(slot=1)))[0] == "b1! w2 w4!"


def test_turning_up_ones_last_tile_loses() -> None:
    game = position("b1! w2", "b3 b5", pile=EMPTY)
    state, _ = play(game, guess("2.1", "7"), Reveal(slot=2))
    assert (state.phase, state.winner, state.out) == (Phase.OVER, 1, (0,))


def test_with_an_empty_pile_under_pass_a_miss_costs_nothing() -> None:
    game = position("b1! w2", "b3 b5", pile=EMPTY, options=Options(empty_miss="pass"))
    after = play(game, guess("2.1", "7"))
    assert rows(after) == ["b1! w2", "b3 b5"]
    assert (after[0].turn, after[0].phase) == (1, Phase.GUESS)


def test_with_an_empty_pile_one_guesses_without_drawing_and_may_stop_after_a_hit() -> None:
    game = position("b1 w2", "b3 b5", pile=EMPTY)
    assert game[0].phase is Phase.GUESS
    assert refusal(game, Draw(deck=0)) == "pile_empty"
    after = play(game, guess("2.1", "3"), Stop())
    assert rows(after) == ["b1 w2", "b3! b5"]
    assert (after[0].turn, after[0].phase) == (1, Phase.GUESS)


def test_stopping_without_a_guess_is_refused() -> None:
    assert refusal(position("b1 w2", "b3 b5", drawn="w9"), Stop()) == "guess_first"


def test_after_putting_one_out_the_next_one_in_has_the_turn() -> None:
    game = play(position("b1 w2", "b3", "w5 w6", drawn="w9"), guess("2.1", "3"))
    state, _ = play(game, Stop())
    assert (state.turn, state.out) == (2, (1,))


def test_after_putting_one_out_one_may_go_on_and_win_at_once() -> None:
    game = position("b1 w2", "b3", "w5", drawn="w9")
    after = play(game, guess("2.1", "3"), guess("3.1", "5"))
    state, truth = after
    assert (state.phase, state.winner, state.turn) == (Phase.OVER, 0, 0)
    assert truth.drawn == parse_tile("w9")
    assert state.drawn is not None
    assert rows(after)[0] == "b1 w2"


@pytest.mark.parametrize(
    ("at", "call", "reason"),
    [
        ("2.1", "3", "face_up"),
        ("1.1", "1", "own_tile"),
        ("3.1", "5", "out"),
        ("2.3", "5", "no_such_slot"),
        ("2.0", "5", "no_such_slot"),
        ("4.1", "5", "no_such_seat"),
        ("0.1", "5", "no_such_seat"),
        ("2.2", "12", "no_such_tile"),
        ("2.2", "b12", "no_such_tile"),
    ],
)
def test_a_guess_at_nothing_is_refused_and_costs_nothing(at: str, call: str, reason: str) -> None:
    game = position("b1 w2", "b3! b5", "w5!", drawn="w9")
    assert refusal(game, guess(at, call)) == reason
    assert play(game, guess("2.2", "5"))[0].phase is Phase.OVER


@pytest.mark.parametrize("call", ["-", "w-"])
def test_without_jokers_in_the_deck_a_joker_is_no_call(call: str) -> None:
    game = position("b1 w2", "b3 b5", drawn="w9", options=Options(jokers=False))
    assert refusal(game, guess("2.1", call)) == "no_such_tile"


def test_a_miss_after_two_hits_leaves_the_hits() -> None:
    game = position("b1 w2", "b3 b5 w7", drawn="w9")
    game = play(game, guess("2.1", "3"), guess("2.2", "5"), guess("2.3", "8"), Place())
    assert rows(game) == ["b1 w2 w9!", "b3! b5! w7"]


def test_what_a_tile_is_not_follows_it_when_its_row_grows() -> None:
    game = position("b1 w2", "w5 w7", drawn="w9")
    game = play(game, guess("2.2", "8"), Place())
    game = play(draw(game, "w3"), guess("1.1", "1"), Stop())
    state, _ = game
    assert rows(game)[1] == "w3 w5 w7"
    assert [piece.misses for piece in state.rows[1]] == [set(), set(), {parse_tile("w8")}]
    assert parse_tile("w8") not in candidates(view_of(*game, 0))[1][2]


def test_a_used_up_colour_cannot_be_drawn_and_gives_no_free_guess() -> None:
    game = position("b1 w2", "b3 b5", pile=(0, 4))
    assert refusal(game, Draw(deck=0)) == "colour_used_up"
    assert refusal(game, guess("2.1", "3")) == "draw_first"
    assert draw(game, "w9")[0].phase is Phase.GUESS


@pytest.mark.parametrize(("seats", "left"), [(2, 18), (3, 14), (4, 14)])
def test_tiles_left_after_the_deal(seats: int, left: int) -> None:
    size = 3 if seats == 4 else 4
    state = start(PRESETS["advanced"], [[None] * size] * seats, 0)
    assert state.pile == (left,)
    state = start(Options(), [[Colour.BLACK, *[Colour.WHITE] * (size - 1)]] * seats, 0)
    assert sum(state.pile) == left


def test_nothing_public_depends_on_hidden_faces() -> None:
    """Two rounds that differ in hidden tiles alone are the same to everybody else."""
    one = play(position("b1 w4", "b3 b5", drawn="w9"), guess("2.1", "7"))
    two = play(position("b2 w6", "b0 b9", drawn="w11"), guess("2.1", "7"))
    assert one[0] == two[0]
    assert view_of(*one, None) == view_of(*two, None)
    assert view_of(*one, 1).drawn is None


def test_between_black_3_and_white_7_also_white_3_and_black_7_fit() -> None:
    game = position(
        "b1 w2", "b3! b4 w7!", options=Options(jokers=False, backs="hidden", call="colour")
    )
    between = candidates(view_of(*game, 0))[1][1]
    assert between == set(tiles("w3 b4 w4 b5 w5 b6 w6 b7"))


def test_a_ruled_miss_teaches_nothing() -> None:
    game = position("b1 w2", "b3 b5", drawn="w9", options=HIDDEN)
    before = candidates(view_of(*game, 0))
    after = play(game, guess("2.1", "3"))
    assert after[0].phase is Phase.PLACE
    assert actor(after[0]) == 0
    assert candidates(view_of(*after, 0)) == before
    assert all(not piece.misses for row in after[0].rows for piece in row)


def test_a_number_alone_is_a_miss_where_the_colour_must_be_called_even_with_open_backs() -> None:
    game = position("b1 w2", "b3 b5", drawn="w9", options=Options(call="colour"))
    assert rows(play(game, guess("2.1", "3")))[1] == "b3 b5"
    assert rows(play(game, guess("2.1", "b3")))[1] == "b3! b5"


def test_a_colour_that_the_back_contradicts_is_a_miss() -> None:
    after = play(position("b1 w2", "b3 b5", drawn="w9"), guess("2.1", "w3"))
    assert after[0].phase is Phase.PLACE


def test_parse_call_spells_every_call() -> None:
    for text in ("b5", "5", "w-", "-", "12", "b12"):
        assert str(parse_call(text)) == text
