"""Facts and what they make of the state; facts that contradict what everybody knows."""

from __future__ import annotations

from typing import get_args

import pytest

from p2p_davinci.rules.engine import TRANSITIONS, actor, moves, start
from p2p_davinci.rules.illegal import REASONS, Reason
from p2p_davinci.rules.legal import DUE, MOVES
from p2p_davinci.rules.moves import (
    Answered,
    Awarded,
    Draw,
    Drawn,
    Dropped,
    Fact,
    Guess,
    Guessed,
    Overran,
    Placed,
    Resign,
    Resigned,
    Revealed,
    Stop,
    Stopped,
)
from p2p_davinci.rules.options import BadOption, Options
from p2p_davinci.rules.state import Phase, Piece
from p2p_davinci.rules.tiles import Colour, parse_tile
from tests.support.positions import HIDDEN, position, tell, tiles

from .facts import MISS, TOURNAMENT, B, W, faces, guessed, hit, placed, refusal, resigned

# --- the beginning ---------------------------------------------------------------------------


def test_the_first_player_draws() -> None:
    state = start(Options(), [[B, B, W, W], [B, B, B, B]], 1)
    assert (state.turn, state.phase, state.pile, actor(state)) == (1, Phase.DRAW, (7, 11), 1)
    assert state.points == (0, 0)
    assert state.rows[0][2] == Piece(back=W)


def test_who_sits_a_round_out_has_no_tiles_and_no_turn() -> None:
    state = start(Options(), [[B, B, W, W], [], [B, B, B, B]], 0)
    state = tell(state, Drawn(deck=0), guessed(2, 1, "7"), MISS, placed(1, "b3"))
    assert (state.turn, state.out) == (2, (1,))


@pytest.mark.parametrize(
    ("backs", "first", "why"),
    [
        ([[B, B, W, W]], 0, "no game for 1"),
        ([[B] * 3] * 5, 0, "no game for 5"),
        ([[B, B, W], [B, B, W]], 0, "takes 4"),
        ([[B, B, W, W], [B, B, W]], 0, "takes 4"),
        ([[B, B, W, W]] * 4, 0, "takes 3"),
        ([[B, B, W, W], [B, B, W, W]], 2, "seat 2"),
        ([[B, B, W, W], [B, B, W, W]], -1, "seat -1"),
        ([[B, B, W, W], [], [B, B, W, W]], 1, "seat 1"),
        ([[B, B, W, None], [B, B, W, W]], 0, "backs"),
    ],
)
def test_an_impossible_deal_is_refused(
    backs: list[list[Colour | None]], first: int, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        start(Options(), backs, first)


def test_hidden_backs_show_no_colour() -> None:
    assert start(HIDDEN, [[None] * 4] * 2, 0).pile == (18,)
    with pytest.raises(ValueError, match="backs"):
        start(HIDDEN, [[B] * 4] * 2, 0)


def test_options_that_make_no_game_are_refused_at_the_start() -> None:
    with pytest.raises(BadOption):
        start(Options(backs="hidden"), [[None] * 4] * 2, 0)


# --- the table itself ------------------------------------------------------------------------


def test_every_phase_has_transitions_moves_and_a_word_for_what_is_due() -> None:
    assert set(TRANSITIONS) == set(MOVES) == set(DUE) == set(Phase)


def test_every_kind_of_fact_has_its_phases() -> None:
    phases = {kind: {p for p in Phase if kind in TRANSITIONS[p]} for kind in get_args(Fact)}
    turn = {Phase.DRAW, Phase.GUESS, Phase.MORE}
    assert phases == {
        Drawn: {Phase.DRAW},
        Guessed: {Phase.GUESS, Phase.MORE},
        Answered: {Phase.ANSWER},
        Stopped: {Phase.MORE},
        Placed: {Phase.PLACE},
        Revealed: {Phase.REVEAL},
        Overran: turn,
        Resigned: set(Phase) - {Phase.OVER},
        Dropped: set(Phase) - {Phase.OVER},
        Awarded: {Phase.OVER},
    }


def test_every_reason_is_in_the_table() -> None:
    assert set(REASONS) == set(get_args(Reason))


def test_a_fact_out_of_place_is_refused_with_what_is_due() -> None:
    start_, _ = position("b1 w2", "b3 b5")
    assert refusal(start_, guessed(1, 1, "3")) == "draw_first"
    assert refusal(start_, Drawn(deck=1), Drawn(deck=1)) == "guess_first"
    named = tell(start_, Drawn(deck=1), guessed(1, 1, "3"))
    assert refusal(named, Stopped(slot=1)) == "answer_first"
    assert refusal(named, hit("b3"), Drawn(deck=1)) == "guess_or_stop"
    assert refusal(named, MISS, guessed(1, 1, "4")) == "place_first"
    empty, _ = position("b1 w2", "b3 b5", pile=(0, 0))
    assert refusal(empty, guessed(1, 1, "4"), MISS, Stopped(slot=None)) == "reveal_first"
    over = tell(start_, resigned(0, "b1 w2"))
    assert refusal(over, Drawn(deck=1)) == "over"


def test_moves_open_to_the_player_who_must_act() -> None:
    state, _ = position("b1 w2", "b3 b5")
    assert moves(state) == {Draw, Resign}
    state = tell(state, Drawn(deck=1), guessed(1, 1, "3"))
    assert (actor(state), moves(state)) == (1, frozenset())
    state = tell(state, hit("b3"))
    assert actor(state) == 0
    assert moves(state) == {Guess, Stop, Resign}
    state = tell(state, guessed(1, 2, "5"), hit("b5"))
    assert (actor(state), moves(state)) == (None, frozenset())


def test_history_holds_who_caused_what() -> None:
    state, _ = position("b1 w2", "b3 b5", options=TOURNAMENT)
    facts: list[tuple[int, Fact]] = [
        (0, Drawn(deck=1)),
        (0, guessed(1, 1, "4")),
        (1, MISS),
        (0, placed(3, "w9")),
        (0, resigned(0, "b1 w2 w9")),
        (1, Awarded(row=tiles("b3 b5"))),
    ]
    assert tell(state, *[fact for _, fact in facts]).history == tuple(facts)


# --- draw, guess, answer ---------------------------------------------------------------------


def test_drawing_takes_from_the_deck_and_shows_its_back() -> None:
    state, _ = position("b1 w2", "b3 b5")
    after = tell(state, Drawn(deck=1))
    assert after.pile == (state.pile[0], state.pile[1] - 1)
    assert (after.drawn, after.phase) == (Piece(back=W), Phase.GUESS)
    hidden, _ = position("b1 w2", "b3 b5", options=HIDDEN)
    assert tell(hidden, Drawn(deck=0)).drawn == Piece(back=None)


@pytest.mark.parametrize("deck", [-1, 2])
def test_a_deck_that_is_not_there(deck: int) -> None:
    state, _ = position("b1 w2", "b3 b5")
    assert refusal(state, Drawn(deck=deck)) == "no_such_deck"


def test_a_guess_is_checked_as_a_fact_too() -> None:
    state, _ = position("b1 w2", "b3! b5", drawn="w9")
    assert refusal(state, guessed(1, 1, "3")) == "face_up"


def test_an_answer_turns_up_the_named_tile_and_no_other() -> None:
    state, _ = position("b1 w2", "b3 b5", drawn="w9")
    named = tell(state, guessed(1, 1, "3"))
    assert named.pending == guessed(1, 1, "3")
    assert refusal(named, hit("b4")) == "wrong_answer"
    after = tell(named, hit("b3"))
    assert faces(after) == ["? ?", "b3 ?"]
    assert (after.phase, after.pending) == (Phase.MORE, None)


def test_a_miss_is_remembered_as_the_tile_that_was_named() -> None:
    state, _ = position("b1 w2", "b3 b5", drawn="w9")
    after = tell(state, guessed(1, 1, "4"), MISS)
    assert after.rows[1][0].misses == {parse_tile("b4")}
    assert after.pending is None


@pytest.mark.parametrize(
    ("row", "slot", "call", "tile", "reason"),
    [
        ("b3 b5", 1, "w3", "w3", "wrong_back"),
        ("b3 b5! b6!", 1, "6", "b6", "tile_elsewhere"),
        ("b3! b5 b8!", 2, "9", "b9", "wrong_order"),
    ],
)
def test_a_hit_must_agree_with_what_lies_open(
    row: str, slot: int, call: str, tile: str, reason: str
) -> None:
    state, _ = position("b1 w2", row, drawn="w9")
    assert refusal(state, guessed(1, slot, call), hit(tile)) == reason


def test_a_tile_that_was_proved_not_to_be_there_cannot_turn_up() -> None:
    state, _ = position("b1 w2", "b3 b5", pile=(0, 0), options=Options(empty_miss="pass"))
    state = tell(state, guessed(1, 1, "3"), MISS, guessed(0, 1, "7"), MISS)
    assert refusal(state, guessed(1, 1, "3"), hit("b3")) == "tile_missed"


# --- stop, place, reveal ---------------------------------------------------------------------


def test_stopping_stands_the_drawn_tile_hidden_and_passes_the_turn() -> None:
    state, _ = position("b1 w2", "b3 b5", drawn="w9")
    after = tell(state, guessed(1, 1, "3"), hit("b3"), Stopped(slot=3))
    assert after.rows[0] == (Piece(back=B), Piece(back=W), Piece(back=W))
    assert (after.turn, after.phase, after.drawn) == (1, Phase.DRAW, None)


def test_a_stop_names_a_slot_exactly_when_there_is_a_drawn_tile() -> None:
    drew, _ = position("b1 w2", "b3 b5", drawn="w9")
    opened = tell(drew, guessed(1, 1, "3"), hit("b3"))
    assert refusal(opened, Stopped(slot=None)) == "slot_missing"
    assert refusal(opened, Stopped(slot=0)) == "no_such_slot"
    assert refusal(opened, Stopped(slot=4)) == "no_such_slot"
    empty, _ = position("b1 w2", "b3 b5", pile=(0, 0))
    opened = tell(empty, guessed(1, 1, "3"), hit("b3"))
    assert refusal(opened, Stopped(slot=1)) == "slot_unwanted"
    assert tell(opened, Stopped(slot=None)).turn == 1


def test_after_a_miss_the_drawn_tile_lies_open() -> None:
    state, _ = position("b1! w2", "b3 b5", drawn="w9")
    missed = tell(state, guessed(1, 1, "7"), MISS)
    assert faces(tell(missed, placed(3, "w9"))) == ["b1 ? w9", "? ?"]
    assert refusal(missed, placed(1, "w9")) == "wrong_order"
    assert refusal(missed, placed(4, "w9")) == "no_such_slot"
    assert refusal(missed, placed(3, "b9")) == "wrong_back"
    assert refusal(missed, placed(3, "w12")) == "no_such_tile"


def test_a_reveal_turns_up_an_own_standing_tile() -> None:
    state, _ = position("b1! w2 w4", "b3 b5", pile=(0, 0))
    missed = tell(state, guessed(1, 1, "7"), MISS)
    reveal = Revealed(slot=2, tile=parse_tile("w2"))
    after = tell(missed, reveal)
    assert (faces(after), after.turn) == (["b1 w2 ?", "? ?"], 1)
    assert refusal(missed, Revealed(slot=1, tile=parse_tile("b1"))) == "face_up"
    assert refusal(missed, Revealed(slot=4, tile=parse_tile("w2"))) == "no_such_slot"
    assert refusal(missed, Revealed(slot=2, tile=parse_tile("w0"))) == "wrong_order"


def test_the_turn_goes_round_past_those_who_are_out() -> None:
    state, _ = position("b1 w2", "b3!", "b5 b6", "b7!", turn=2, drawn="w9")
    assert tell(state, guessed(0, 1, "9"), MISS, placed(3, "w9")).turn == 0
