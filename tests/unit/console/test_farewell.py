from __future__ import annotations

from dataclasses import replace

from p2p_davinci.console.farewell import UNSEEN_LINES_MAX, farewell_lines
from p2p_davinci.console.model import Model
from p2p_davinci.session.events import Stage
from tests.unit.console.scenes import model_of, moments, rules

CLASSIC = moments(rules())
OVER = replace(CLASSIC.draw, stage=Stage.OVER, winners=(1,))


def test_a_game_that_is_over_is_told_once_more_on_the_normal_screen() -> None:
    assert farewell_lines(model_of(OVER, rules()), ()) == (
        "The game is over. Won by: bo.",
        "All programs must show the same final check: 0000000000000000.",
    )


def test_points_are_told_if_there_are_any() -> None:
    scored = model_of(replace(OVER, totals=(1, 7, 0)), rules())
    assert "Points in all: you 1, bo 7, cy 0." in farewell_lines(scored, ())


def test_what_was_told_after_the_last_key_comes_first_but_nothing_twice() -> None:
    told = [str(number) for number in range(20)]
    told.append("The game is over. Won by: bo.")
    lines = farewell_lines(model_of(OVER, rules()), told)
    assert len(lines) == UNSEEN_LINES_MAX + 1
    assert lines[-2:] == (
        told[-1],
        "All programs must show the same final check: " + "0" * 16 + ".",
    )


def test_a_game_that_stopped_or_was_left_is_said_to_be_so() -> None:
    halted = model_of(replace(CLASSIC.draw, stage=Stage.HALTED), rules())
    assert farewell_lines(halted, ()) == ("The game stopped without a result.",)
    left = model_of(CLASSIC.draw, rules(), "zh")
    assert farewell_lines(left, ()) == ("你在游戏结束前离开了。",)


def test_without_a_game_there_is_only_what_nobody_may_have_seen() -> None:
    assert farewell_lines(None, ["No table was found."]) == ("No table was found.",)
    assert farewell_lines(Model(lang="en"), ()) == ()
