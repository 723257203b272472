from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.console.prompts import (
    Situation,
    drawn_slots,
    legal,
    legal_forms,
    now,
    standing_slots,
)
from p2p_davinci.console.speech import speech
from p2p_davinci.console.status import due_line
from p2p_davinci.rules.engine import apply
from p2p_davinci.rules.moves import Answered, Drawn, Fact
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.state import Phase
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import GameView, Stage
from p2p_davinci.text import Lang, Words
from tests.unit.console.scenes import (
    HANDS,
    dealing,
    game_view,
    guessed,
    model_of,
    moments,
    rules,
    state_after,
)

CLASSIC = moments(rules())


def situation(view: GameView, options: Options | None = None, lang: Lang = "en") -> Situation:
    return Situation(
        speech=speech(Words(lang), view.names, view.seat),
        options=options or rules(),
        view=view,
    )


def said(view: GameView, options: Options | None = None) -> str:
    return " ".join(now(situation(view, options)))


# --- one's own turn ----------------------------------------------------------------------------


def test_at_the_draw_one_is_told_what_is_left() -> None:
    assert said(CLASSIC.draw) == (
        "Your turn. Draw a tile; 14 tiles left in the pile (7 black, 7 white)."
    )
    assert legal(situation(CLASSIC.draw)) == (
        "You can type: draw black, draw white, resign. For everything else: help."
    )


def test_a_colour_that_is_used_up_is_not_offered() -> None:
    board = CLASSIC.draw.board
    assert board is not None
    view = game_view(replace(board.state, pile=(0, 2)))
    assert "draw black" not in legal(situation(view))
    assert "draw white" in legal(situation(view))


def test_before_a_guess_one_is_told_what_one_drew_and_that_nobody_else_knows() -> None:
    assert said(CLASSIC.guess).startswith("Your turn. You drew white 4; only you see it.")
    assert "2.3 = 7" in legal(situation(CLASSIC.guess))
    standard = moments(rules("standard"))
    assert "2.3 = b7" in legal(situation(standard.guess, standard.options))


def test_after_a_hit_one_is_told_what_going_on_and_stopping_risk() -> None:
    text = said(CLASSIC.more)
    assert "Guess again, or stop" in text
    assert "possible: 2" in text
    assert "it lies open" in text
    assert "stop 2" in legal(situation(CLASSIC.more))
    plain = moments(rules(jokers="no"))
    assert "joins your row face down" in said(plain.more, plain.options)
    assert "stop," in legal(situation(plain.more, plain.options))


def test_after_a_miss_one_is_told_where_the_drawn_tile_may_go() -> None:
    assert "Your white 4 goes face up" in said(CLASSIC.place)
    assert "possible: 2" in said(CLASSIC.place)
    assert "slot 2" in legal(situation(CLASSIC.place))


def without_a_pile(options: Options, *facts: Fact) -> GameView:
    state = replace(state_after(options), pile=(0, 0), phase=Phase.GUESS)
    for fact in facts:
        state = apply(state, fact)
    return game_view(state)


def test_with_an_empty_pile_the_turn_begins_with_the_guess() -> None:
    assert "Nothing is left to draw" in said(without_a_pile(rules()))


@pytest.mark.parametrize(
    ("empty_miss", "cost"),
    [("reveal", "turn up one of your own tiles"), ("pass", "your turn ends")],
)
def test_with_an_empty_pile_one_is_told_what_a_miss_costs(empty_miss: str, cost: str) -> None:
    options = rules(empty_miss=empty_miss)
    hit = (guessed("2.3", "b9"), Answered(tile=parse_tile("b9")))
    view = without_a_pile(options, *hit)
    assert cost in said(view, options)
    assert "stop," in legal(situation(view, options))


def test_the_tiles_that_may_be_turned_up_are_named() -> None:
    view = without_a_pile(rules(), guessed("2.3", "8"), Answered(tile=None))
    assert "(possible: 1, 2, 3, 4)" in said(view)
    assert "reveal 1/2/3/4" in legal(situation(view))


def test_while_others_must_act_first_nothing_is_asked_of_one() -> None:
    waiting = replace(CLASSIC.guess, due=False, awaited=(1, 2))
    assert now(situation(waiting)) == ()
    assert legal(situation(waiting)).startswith("You can type: resign")


def test_the_clock_is_told_to_whoever_may_think() -> None:
    options = rules(clock="60+20")
    view = game_view(state_after(options))
    assert "Time to think: 60 seconds" in said(view, options)
    assert "60" in said(game_view(state_after(options, first=1)), options)


# --- others' turns -----------------------------------------------------------------------------


def test_in_anothers_turn_one_is_told_what_he_must_do() -> None:
    facts: list[Fact] = [Drawn(deck=1), guessed("1.2", "b5"), Answered(tile=None)]
    lines = [said(game_view(state_after(rules(), facts[:k], first=1))) for k in range(4)]
    assert lines == [
        "bo's turn: bo must draw a tile.",
        "bo's turn: bo must name a tile.",
        "",
        "bo missed and must place the drawn tile face up.",
    ]
    hit: list[Fact] = [*facts[:2], Answered(tile=parse_tile("b5"))]
    assert said(game_view(state_after(rules(), hit, first=1))) == "bo may guess again or stop."


def test_in_anothers_turn_the_clock_may_be_called_where_there_is_one() -> None:
    options = rules(clock="60+20")
    view = game_view(state_after(options, first=1))
    assert legal(situation(view, options)).startswith("You can type: clock, resign")


def test_while_the_key_of_one_who_is_out_is_awaited_nobody_is_called_to_play() -> None:
    waiting = replace(CLASSIC.more, kind="key", awaited=(1,), due=False)
    assert now(situation(waiting)) == ()
    assert now(situation(replace(waiting, seat=2))) == ()
    status = due_line(model_of(waiting, CLASSIC.options))
    assert status == "bo: out, and the key is awaited."
    chinese = due_line(model_of(waiting, CLASSIC.options, "zh"))
    assert chinese == "bo 已出局；正在等待其牌列的密钥。"


def test_after_the_round_and_for_watchers_nothing_is_due() -> None:
    over = replace(CLASSIC.draw, stage=Stage.OVER)
    assert now(situation(over)) == ()
    assert legal(situation(over)).startswith("Nothing is due")
    watching = game_view(state_after(rules()), seat=None)
    assert said(watching) == "ana's turn: ana must draw a tile."
    assert legal(situation(watching)).startswith("Nothing is due")


# --- the deal ----------------------------------------------------------------------------------


def test_the_deal_asks_for_colours_and_for_the_order() -> None:
    assert said(dealing("take")).startswith("You take 4 tiles, unseen.")
    assert "take 2 black" in legal(situation(dealing("take")))
    asked = said(dealing("arrange"))
    assert "arrange" in asked
    assert "arrange and your tiles" in legal(situation(dealing("arrange")))


@pytest.mark.parametrize("kind", ["commit", "open", "shuffle", "take", "shares", "arrange"])
def test_the_deal_names_the_step_and_who_is_awaited(kind: str) -> None:
    text = said(dealing(kind, due=False))
    assert "waiting for bo" in text
    assert "step" not in text


# --- slots ---


def test_slots_are_those_of_ones_own_row() -> None:
    board = CLASSIC.guess.board
    assert board is not None
    assert drawn_slots(board) == (2,)
    assert drawn_slots(replace(board, drawn=None)) == ()
    assert standing_slots(board) == (1, 2, 3, 4)
    assert standing_slots(replace(board, seat=None)) == ()
    assert len(HANDS[0]) == 4


@pytest.mark.parametrize("view", [replace(dealing("shuffle"), due=False), CLASSIC.answer])
def test_while_somebody_is_away_one_may_stop_and_go_on_another_time(view: GameView) -> None:
    forms = legal_forms(situation(view, CLASSIC.options))
    assert "save" not in forms
    assert "save" in legal_forms(situation(replace(view, down=(1,)), CLASSIC.options))
