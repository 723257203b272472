"""What a bot does in every phase and under every kind of option."""

from __future__ import annotations

import random

import pytest

from p2p_davinci.bots.strategy import choose, choose_arrangement, choose_take
from p2p_davinci.rules.deal import check_arrange, check_take
from p2p_davinci.rules.engine import apply
from p2p_davinci.rules.moves import Draw, Guess, Guessed, Move, Place, Reveal, Stop, parse_call
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.truth import view_of
from tests.support.positions import HIDDEN, Game, guess, play, position, tiles

SEEDS = range(20)
PASS = Options(jokers=False, empty_miss="pass")
PLAIN = Options(jokers=False)


def chosen(game: Game, seed: int = 0, *, seat: int | None = None) -> Move:
    turn = game[0].turn if seat is None else seat
    return choose(view_of(*game, turn), random.Random(seed))


def all_chosen(game: Game) -> set[Move]:
    return {chosen(game, seed) for seed in SEEDS}


def test_it_draws_of_a_colour_that_is_left() -> None:
    assert all_chosen(position("b1 w2", "b3 b5")) == {Draw(deck=0), Draw(deck=1)}
    assert all_chosen(position("b1 w2", "b3 b5", pile=(0, 3))) == {Draw(deck=1)}
    assert all_chosen(position("b1 w2", "b3 b5", options=HIDDEN)) == {Draw(deck=0)}


def test_it_calls_what_it_is_sure_of_with_its_colour() -> None:
    game = position("b5 w6", "b3! b4 w4! b7 b9!", drawn="w0", options=PLAIN)
    assert all_chosen(game) == {guess("2.2", "b4")}


@pytest.mark.parametrize("options", [HIDDEN, Options(call="colour"), Options()])
def test_it_never_makes_a_call_that_is_a_miss_by_rule(options: Options) -> None:
    game = position("b1 w7 w9", "b0 w3 b- w8", "w2 b4! w5 w10", drawn="w-", options=options)
    for move in all_chosen(game):
        assert isinstance(move, Guess)
        assert move.call.colour is not None


def test_it_does_not_call_what_an_answer_has_excluded() -> None:
    game = position("w0 w1", "b3! b4 w4! b6 b7!", pile=(0, 0), options=PASS)
    game = play(game, guess("2.4", "5"), guess("1.1", "0"), guess("1.2", "2"))
    assert set(game[0].rows[1][3].misses) == set(tiles("b5"))
    hit = guess("2.4", "b6")
    assert hit in all_chosen(game)
    assert guess("2.4", "b5") not in all_chosen(game)


def test_it_stops_when_going_on_is_a_gamble_and_the_tile_at_stake() -> None:
    game = play(position("b1 w2 w9", "b3 b5 w8", drawn="w4"), guess("2.1", "3"))
    assert all_chosen(game) == {Stop(slot=3)}


def test_it_goes_on_when_it_is_sure() -> None:
    game = position("b5 w6", "b2 b3! b4 w4! b6! b10", drawn="w9", options=PLAIN)
    game = play(game, guess("2.1", "2"))
    assert all_chosen(game) == {guess("2.3", "b4")}


def test_it_goes_on_when_a_miss_costs_nothing() -> None:
    game = position("b1 w2", "b3 b6 w7 w10", pile=(0, 0), options=PASS)
    game = play(game, guess("2.1", "3"))
    assert all(isinstance(move, Guess) for move in all_chosen(game))


def test_it_stops_when_a_miss_would_open_a_tile() -> None:
    game = position("b1 w2", "b3 b6 w7 w10", pile=(0, 0), options=PLAIN)
    assert all_chosen(play(game, guess("2.1", "3"))) == {Stop(slot=None)}


def test_beside_a_joker_it_takes_any_legal_slot() -> None:
    game = play(position("b5 w- w8", "w0 w1", drawn="b6"), guess("2.1", "5"))
    assert all_chosen(game) == {Place(slot=2), Place(slot=3)}


def test_it_turns_up_what_the_others_could_name_anyway() -> None:
    game = position("b3! b4 b5! b9 w11", "w0 w1", pile=(0, 0), options=PLAIN)
    game = play(game, guess("2.1", "5"))
    assert all_chosen(game) == {Reveal(slot=2)}


def test_the_same_seed_chooses_the_same() -> None:
    game = position("b1 w2", "b3 b5 w7")
    assert len(all_chosen(game)) > 1
    assert chosen(game, 5) == chosen(game, 5)


def test_it_has_nothing_to_choose_out_of_turn() -> None:
    game = position("b1 w2", "b3 b5", drawn="w9")
    with pytest.raises(ValueError, match="not this seat"):
        chosen(game, seat=1)
    pending = apply(game[0], Guessed(seat=1, slot=1, call=parse_call("4")))
    with pytest.raises(ValueError, match="nothing to choose"):
        chosen((pending, game[1]), seat=0)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", [HIDDEN, PLAIN, Options(twelve=True)])
def test_what_it_takes_makes_a_hand(options: Options, seats: int) -> None:
    taken = {choose_take(options, seats, random.Random(seed)) for seed in SEEDS}
    for take in taken:
        check_take(options, seats, take)
    assert len(taken) == (1 if options is HIDDEN else 5 - (seats == 4))


def test_its_arrangement_is_legal_and_jokers_stand_anywhere() -> None:
    dealt = tiles("w5 b- b3 w-")
    places = set()
    for seed in range(100):
        arrange = choose_arrangement(dealt, random.Random(seed))
        check_arrange(dealt, arrange)
        places.add(arrange.order.index(1))
    assert places == {0, 1, 2, 3}
