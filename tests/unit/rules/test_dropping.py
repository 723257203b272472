"""Going on without a player who fell silent: what it does to rows, pile, turn and guess."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from p2p_davinci.bots.belief import chances
from p2p_davinci.rules.engine import start
from p2p_davinci.rules.illegal import IllegalMove
from p2p_davinci.rules.legal import check_move, moves
from p2p_davinci.rules.moves import Draw, Drawn, Drop, Dropped, Fact, Guess, Stopped
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.record import move_record
from p2p_davinci.rules.referee import referee_line
from p2p_davinci.rules.state import Phase, State
from p2p_davinci.rules.truth import Truth, advance, view_of
from tests.support.positions import position, tell, tiles

from .facts import MISS, TOURNAMENT, B, W, guessed, hit, placed, refusal, resigned

THREE = start(Options(), [[B, B, W, W]] * 3, 0)

FOUR = start(Options(), [[B, W, W]] * 4, 0)


def knocked_out(seat: int) -> tuple[Fact, ...]:
    """Four hits at the whole row of a seat."""
    calls = ("b4", "b5", "w6", "w7")
    return tuple(
        fact
        for slot, call in enumerate(calls, 1)
        for fact in (guessed(seat, slot, call), hit(call))
    )


def drop(seat: int, *, returned: bool = False) -> Dropped:
    return Dropped(seat=seat, returned=returned)


def test_hidden_tiles_die_open_ones_stay_and_the_pile_closes() -> None:
    state = tell(THREE, Drawn(deck=0), guessed(1, 2, "b4"), hit("b4"), drop(1))
    row = state.rows[1]
    assert [(piece.dead, piece.standing) for piece in row] == [
        (True, False),
        (False, False),
        (True, False),
        (True, False),
    ]
    assert (state.pile, state.out, state.dropped) == ((0, 0), (1,), (1,))
    assert (state.points, state.winner) == ((0, 0, 0), None)
    assert state.history[-1] == (1, drop(1))


@pytest.mark.parametrize(
    "facts",
    [
        (),
        (Drawn(deck=0),),
        (Drawn(deck=0), guessed(1, 1, "b4"), hit("b4")),
        (Drawn(deck=0), guessed(1, 1, "b4"), MISS),
    ],
    ids=["to draw", "to guess", "after a hit", "after a miss"],
)
def test_a_turn_of_the_lost_player_passes_with_what_it_had_drawn(facts: tuple[Fact, ...]) -> None:
    state = tell(THREE, *facts, drop(0))
    assert (state.turn, state.phase, state.drawn, state.pending) == (1, Phase.GUESS, None, None)


def test_a_turn_passes_also_while_an_answer_is_awaited() -> None:
    state = tell(THREE, Drawn(deck=0), guessed(1, 1, "b4"), drop(0))
    assert (state.turn, state.phase, state.pending) == (1, Phase.GUESS, None)


def test_a_guess_at_the_lost_player_is_void_and_one_guesses_again() -> None:
    state = tell(THREE, Drawn(deck=0), guessed(1, 1, "b4"), drop(1))
    assert (state.turn, state.phase, state.pending) == (0, Phase.GUESS, None)
    assert state.drawn is not None
    assert state.rows[1][0].misses == frozenset()
    assert refusal(state, guessed(1, 1, "b4")) == "out"
    assert tell(state, guessed(2, 1, "b4")).phase is Phase.ANSWER


def test_who_had_hit_before_the_void_guess_may_still_stop() -> None:
    hits = (Drawn(deck=0), guessed(2, 1, "b4"), hit("b4"))
    state = tell(THREE, *hits, guessed(1, 1, "b5"), drop(1))
    assert state.phase is Phase.MORE
    stopped = tell(state, Stopped(slot=1))
    assert (stopped.turn, stopped.phase, stopped.hit) == (2, Phase.GUESS, False)


def test_a_tile_that_nobody_can_see_now_goes_back_and_with_it_the_draw() -> None:
    state = tell(THREE, Drawn(deck=0), drop(2, returned=True))
    assert (state.turn, state.phase, state.drawn) == (0, Phase.GUESS, None)
    assert tell(state, guessed(1, 1, "b4"), MISS).phase is Phase.REVEAL


def test_somebody_else_goes_on_where_he_was() -> None:
    assert tell(THREE, drop(1)).phase is Phase.GUESS
    drawn = tell(THREE, Drawn(deck=0), drop(1))
    assert drawn.drawn is not None
    asked = tell(THREE, Drawn(deck=0), guessed(1, 1, "b4"), drop(2))
    assert asked.phase is Phase.ANSWER
    placing = tell(THREE, Drawn(deck=0), guessed(1, 1, "b4"), MISS, drop(2))
    assert tell(placing, placed(1, "b0")).turn == 1


def test_only_a_drawn_tile_of_somebody_else_goes_back() -> None:
    assert refusal(THREE, drop(1, returned=True)) == "drawn_needed"
    assert refusal(THREE, Drawn(deck=0), drop(0, returned=True)) == "drawn_needed"


def test_two_players_cannot_go_on_as_one() -> None:
    two = start(Options(), [[B, B, W, W]] * 2, 0)
    assert refusal(two, drop(1)) == "too_few"
    assert refusal(THREE, drop(1), drop(2)) == "too_few"


def test_nobody_is_dropped_twice_and_no_stranger() -> None:
    assert refusal(FOUR, drop(1), drop(1)) == "already_dropped"
    assert refusal(THREE, drop(1), drop(1)) == "already_dropped"
    assert refusal(THREE, drop(3)) == "no_such_seat"
    assert refusal(THREE, drop(-1)) == "no_such_seat"


def test_who_is_out_may_be_dropped_while_two_others_are_in() -> None:
    out = tell(THREE, Drawn(deck=0), *knocked_out(1))
    lost = tell(out, drop(1))
    assert lost.rows == out.rows
    assert (lost.pile, lost.turn, lost.phase) == ((0, 0), 0, Phase.MORE)
    assert (lost.out, lost.dropped, lost.winner) == ((1,), (1,), None)
    assert not any(piece.dead for piece in lost.rows[1])
    assert lost.drawn is not None
    assert refusal(out, drop(2)) == "too_few"


def test_without_one_who_turned_up_his_own_last_tile_the_next_one_guesses() -> None:
    state, _ = position("b0!", "b1", "b2", turn=0, phase=Phase.DRAW)
    state = replace(state, turn=1)
    lost = tell(state, drop(0))
    assert (lost.turn, lost.phase, lost.rows) == (1, Phase.GUESS, state.rows)


def test_a_drawn_tile_goes_back_also_if_who_owes_its_share_is_out() -> None:
    idle = start(Options(), [[B, B, W, W], [B, B, W, W], []], 0)
    lost = tell(idle, Drawn(deck=0), drop(2, returned=True))
    assert (lost.drawn, lost.phase, lost.pile) == (None, Phase.GUESS, (0, 0))


def test_nobody_is_dropped_after_the_end() -> None:
    over = tell(THREE, resigned(0, "b0 b1 w2 w3"), resigned(1, "b4 b5 w6 w7"))
    assert refusal(over, drop(2)) == "over"
    with pytest.raises(IllegalMove) as caught:
        check_move(over, 2, Drop())
    assert caught.value.reason == "over"


def test_the_last_of_the_others_wins_and_nobody_scores_for_the_lost_one() -> None:
    state = start(TOURNAMENT, [[B, B, W, W]] * 3, 0)
    state = tell(state, drop(2), resigned(1, "b0 b1 w2 w3"))
    assert (state.winner, state.points) == (0, (5, 0, 0))


def test_dropping_is_nobodys_own_choice() -> None:
    assert Drop not in moves(THREE)


def test_bots_point_at_no_dead_tile_but_know_that_it_is_somewhere() -> None:
    state, truth = position("b0 b3 w5 w9", "b1 b4 w6 w10", "b2 b5 w7 w11")
    assert {chance.seat for chance in chances(view_of(state, truth, 0))} == {1, 2}
    lost, truth = advance(state, truth, Drop(), seat=1)
    seen = chances(view_of(lost, truth, 0))
    assert {chance.seat for chance in seen} == {2}
    sure = [chance for chance in seen if chance.chance == 1]
    assert sure == []


# --- in a record -----------------------------------------------------------------------------

HANDS = [["b0", "b3", "w5", "w9"], ["b1", "b4", "w6", "w10"], ["b2", "b5", "w7", "w11"]]


def judge(*moves: list[Any], hands: list[list[str]] | None = None) -> Any:
    record = {"rules": {}, "hands": hands or HANDS, "moves": moves}
    return json.loads(referee_line(json.dumps(record)))


def test_a_record_tells_it_by_the_seat() -> None:
    assert move_record(drop(2), None) == ["drop", 2]
    state = judge(["draw", "w4"], ["guess", 1, 2, "b4"], ["drop", 1])["ok"]
    assert state["rows"][1] == ["b1x", "b4!", "w6x", "w10x"]
    assert (state["pile"], state["out"]) == ({"b": 0, "w": 0}, [1])
    assert (state["phase"], state["turn"], state["drawn"]) == ("more", 0, "w4")


def test_in_a_record_a_turn_of_the_lost_seat_passes() -> None:
    state = judge(["draw", "w4"], ["drop", 0])["ok"]
    assert (state["phase"], state["turn"], state["drawn"]) == ("guess", 1, None)


@pytest.mark.parametrize(
    ("move", "hands"),
    [
        (["drop"], HANDS),
        (["drop", 3], HANDS),
        (["drop", -1], HANDS),
        (["drop", True], HANDS),
        (["drop", 1, 2], HANDS),
        (["drop", 1], HANDS[:2]),
    ],
)
def test_a_drop_that_is_none(move: list[Any], hands: list[list[str]]) -> None:
    assert judge(move, hands=hands)["illegal"]["move"] == 0


def test_a_truth_forgets_the_tile_that_the_lost_player_had_drawn() -> None:
    state, truth = position("b0 b3", "b1 b4", "b2 b5", drawn="w4")
    after, kept = advance(state, truth, Drop(), seat=1)
    assert (after.drawn, kept.drawn) == (state.drawn, tiles("w4")[0])
    after, gone = advance(state, truth, Drop(), seat=0)
    assert (after.drawn, gone.drawn) == (None, None)
    assert isinstance(after, State)
    assert gone == replace(Truth(hands=truth.hands), drawn=None)


def test_drawing_is_over_once_somebody_was_dropped() -> None:
    lost = tell(THREE, drop(2))
    with pytest.raises(IllegalMove) as caught:
        check_move(lost, 0, Draw(deck=0))
    assert caught.value.reason == "pile_empty"
    check_move(lost, 0, Guess(seat=1, slot=1, call=guessed(1, 1, "b4").call))
