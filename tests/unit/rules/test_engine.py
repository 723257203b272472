"""Facts and what they make of the state; facts that contradict what everybody knows."""

from __future__ import annotations

from typing import get_args

import pytest

from p2p_davinci.rules.engine import TRANSITIONS, IllegalMove, actor, apply, award_due, moves, start
from p2p_davinci.rules.illegal import REASONS, Reason
from p2p_davinci.rules.legal import DUE, MOVES
from p2p_davinci.rules.moves import (
    Answered,
    Awarded,
    Draw,
    Drawn,
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
    parse_call,
)
from p2p_davinci.rules.options import BadOption, Options
from p2p_davinci.rules.state import Phase, Piece, State
from p2p_davinci.rules.tiles import Colour, parse_tile
from tests.support.positions import CLOCK, HIDDEN, position, tell, tiles

B, W = Colour.BLACK, Colour.WHITE
TOURNAMENT = Options(scoring="tournament")


def guessed(seat: int, slot: int, call: str) -> Guessed:
    return Guessed(seat=seat, slot=slot, call=parse_call(call))


def hit(text: str) -> Answered:
    return Answered(tile=parse_tile(text))


MISS = Answered(tile=None)


def placed(slot: int, tile: str) -> Placed:
    return Placed(slot=slot, tile=parse_tile(tile))


def resigned(seat: int, row: str, drawn: str | None = None) -> Resigned:
    tile = None if drawn is None else parse_tile(drawn)
    return Resigned(seat=seat, row=tiles(row), drawn=tile)


def refusal(state: State, *facts: Fact) -> str:
    state = tell(state, *facts[:-1])
    with pytest.raises(IllegalMove) as caught:
        apply(state, facts[-1])
    names = tuple(name for name, _ in caught.value.values)
    assert names == REASONS[caught.value.reason]
    return caught.value.reason


def faces(state: State) -> list[str]:
    return [" ".join("?" if p.face is None else str(p.face) for p in row) for row in state.rows]


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
