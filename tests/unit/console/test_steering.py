"""What the keys do while nothing is typed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.console import commands as c
from p2p_davinci.console.commands import Place
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.model import Model, show_found
from p2p_davinci.console.screen import Ui, turned_to
from p2p_davinci.console.steering import PAGE_LINES, Key, moved_mark, steer
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import Stage
from tests.unit.console.scenes import dealing, game_view, model_of, moments, rules, state_after
from tests.unit.console.test_lobby import found

CLASSIC = moments(rules())
GUESS = model_of(CLASSIC.guess, CLASSIC.options)
DRAW = model_of(CLASSIC.draw, CLASSIC.options)
HALL = show_found(Model(lang="en", name="ana"), [found(), found(address="10.0.0.9:7")], []).model


def press(model: Model, *keys: Key, ui: Ui | None = None) -> tuple[Model, Ui, list[str]]:
    """Press the keys one after the other, as a shell does; return the lines they stood for."""
    lines: list[str] = []
    now = turned_to(model, Ui() if ui is None else ui)
    for key in keys:
        steered = steer(model, now, key)
        now = steered.ui
        if steered.line is not None:
            lines.append(steered.line)
            model = read_line(model, steered.line).model
            now = turned_to(model, now)
    return model, now, lines


# --- marks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mark", "key", "moved"),
    [
        (None, "right", "2.1"),
        (None, "down", "2.1"),
        (None, "up", "3.4"),
        (None, "left", "3.4"),
        ("2.1", "right", "2.2"),
        ("2.4", "right", "2.1"),
        ("2.1", "left", "2.4"),
        ("2.2", "down", "3.2"),
        ("3.2", "down", "2.2"),
        ("2.2", "up", "3.2"),
        ("1.1", "right", "2.1"),
    ],
)
def test_arrows_move_the_mark_among_the_others_tiles(
    mark: str | None, key: Key, moved: str
) -> None:
    place = None
    if mark is not None:
        seat, slot = mark.split(".")
        place = Place(seat=int(seat) - 1, slot=int(slot))
    assert str(moved_mark(CLASSIC.guess, place, key)) == moved


def test_open_tiles_and_players_who_are_out_are_passed_over() -> None:
    board = CLASSIC.more.board
    assert board is not None
    beside = Place(seat=1, slot=2)
    assert moved_mark(CLASSIC.more, beside, "right") == Place(seat=1, slot=4)
    state = board.state
    out = tuple(replace(piece, face=parse_tile("b0")) for piece in state.rows[2])
    view = game_view(replace(state, rows=(state.rows[0], state.rows[1], out)))
    assert moved_mark(view, beside, "down") == beside
    both = game_view(replace(state, rows=(state.rows[0], out, out)))
    assert moved_mark(both, None, "right") is None


def test_there_is_nothing_to_mark_before_the_rows_stand_and_after_the_end() -> None:
    assert moved_mark(dealing("shuffle", due=False), None, "right") is None
    assert moved_mark(replace(CLASSIC.guess, stage=Stage.OVER), None, "right") is None


def test_an_arrow_marks_and_a_bare_number_then_names_that_tile() -> None:
    model, _, lines = press(GUESS, "right", "down")
    assert lines == ["mark 2.1", "mark 3.1"]
    reply = read_line(model, "0")
    assert isinstance(reply.command, c.PlayMove)


def test_a_watcher_can_mark_everybodys_tiles() -> None:
    view = game_view(state_after(rules()), seat=None, own=(), due=False)
    assert moved_mark(view, None, "right") == Place(seat=0, slot=1)


# --- choices ---------------------------------------------------------------------------------


def test_arrows_move_among_choices_round_the_circle_and_enter_takes_one() -> None:
    _, ui, lines = press(HALL, "down", "enter")
    assert lines == ["join 10.0.0.9:7"]
    assert press(HALL, "up", "enter")[2] == ["quit"]
    assert ui.picked == "join 10.0.0.9:7"


def test_what_is_picked_stays_picked_when_the_list_changes() -> None:
    _, ui, _ = press(HALL, "down")
    grown = show_found(HALL, [found(table="a", address="10.0.0.1:1"), *HALL.found], []).model
    assert press(grown, "enter", ui=ui)[2] == ["join 10.0.0.9:7"]


def test_left_and_right_turn_a_value_and_stay_with_it() -> None:
    opened = replace(HALL, page="open")
    model, ui, lines = press(opened, "down", "right", "right", "left")
    assert lines == ["players 3", "players 4", "players 3"]
    assert model.draft.seats == 3
    assert ui.picked == "players"
    assert press(opened, "right")[2] == []


def test_short_choices_are_side_by_side_and_every_arrow_moves_there() -> None:
    assert press(DRAW, "right", "enter")[2] == ["draw w"]
    assert press(DRAW, "down", "left", "enter")[2] == ["draw b"]


def test_where_nothing_is_suggested_enter_takes_nothing_before_an_arrow_was_pressed() -> None:
    place = model_of(CLASSIC.place, CLASSIC.options)
    arrange = model_of(dealing("arrange", dealt=("b3", "w-", "w7", "w5")), CLASSIC.options)
    assert press(place, "enter")[2] == []
    assert press(arrange, "enter", "left", "right", "enter")[2] == []
    assert press(place, "right", "enter")[2] == ["slot 2"]
    assert press(arrange, "down", "enter")[2] == ["arrange b3 w- w5 w7"]
    assert press(arrange, "up", "enter")[2] == ["arrange w- b3 w5 w7"]


def test_another_question_begins_anew_with_what_does_no_harm() -> None:
    asked = read_line(GUESS, "resign").model
    model, ui, _ = press(asked, "right")
    assert ui.picked == "yes"
    between = read_line(model, "no").model
    again = read_line(between, "resign").model
    ui = turned_to(again, turned_to(between, ui))
    assert press(again, "enter", ui=ui)[2] == ["no"]


def test_a_choice_that_is_only_the_beginning_of_a_line_is_begun() -> None:
    _, ui, _ = press(HALL, "down", "down", "down")
    steered = steer(HALL, ui, "enter")
    assert (steered.line, steered.begun) == (None, "join ")


def test_enter_where_there_is_nothing_to_choose_tells_what_is_due() -> None:
    assert press(GUESS, "enter")[2] == [""]


# --- stepping back ---------------------------------------------------------------------------


def test_escape_steps_back_one_step_at_a_time() -> None:
    asked = replace(read_line(GUESS, "mark 2.1").model, question=c.Quit())
    model, ui, lines = press(asked, "escape", ui=Ui(scroll=7))
    assert lines == ["no"]
    _, ui, lines = press(model, "escape", ui=ui)
    assert (ui.scroll, lines) == (0, [])
    model, ui, lines = press(model, "escape", ui=ui)
    assert (model.mark, lines) == (None, ["mark clear"])
    assert press(model, "escape", ui=ui)[2] == []


def test_escape_leaves_a_page_of_choices_and_the_wish_to_stop() -> None:
    assert press(replace(HALL, page="look"), "escape")[0].page == "main"
    more = model_of(CLASSIC.more, CLASSIC.options)
    stopping = read_line(more, "stop").model
    assert not press(stopping, "escape")[0].placing


def test_a_page_that_is_open_is_turned_and_put_away() -> None:
    ui = Ui(sheet=("a", "b"), scroll=3)
    assert press(GUESS, "up", ui=ui)[1].scroll == 2
    assert press(GUESS, "down", ui=ui)[1].scroll == 4
    assert press(GUESS, "pagedown", ui=ui)[1].scroll == 3 + PAGE_LINES
    assert press(GUESS, "pageup", ui=ui)[1].scroll == 0
    for key in ("escape", "enter"):
        assert press(GUESS, key, ui=ui)[1].sheet is None


def test_the_log_is_turned_back_and_on_again() -> None:
    ui = press(GUESS, "pageup", "pageup")[1]
    assert ui.scroll == 2 * PAGE_LINES
    assert press(GUESS, "pagedown", ui=ui)[1].scroll == PAGE_LINES
    assert press(GUESS, "pagedown", "pagedown", "pagedown", ui=ui)[1].scroll == 0
