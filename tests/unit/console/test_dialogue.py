"""One line against the model: questions and their answers, looking around, notes, the log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.console import commands as c
from p2p_davinci.console.dialogue import due_lines, read_line
from p2p_davinci.console.model import LogLine, Model, Told, told
from p2p_davinci.console.news import enter_game
from p2p_davinci.console.vocabulary import VERBS
from p2p_davinci.rules.moves import Guess, Resign
from p2p_davinci.session.events import Say
from p2p_davinci.session.lobby_events import SetReady
from tests.unit.console.lobbies import lobby
from tests.unit.console.scenes import guessed, model_of, moments, rules

CLASSIC = moments(rules())
AT_GUESS = model_of(CLASSIC.guess, CLASSIC.options)
WRONG_COLOUR = "2.4 = b7"


def wrong_colour_guess() -> c.PlayMove:
    point = guessed("2.4", "b7")
    return c.PlayMove(move=Guess(seat=point.seat, slot=point.slot, call=point.call))


def type_all(model: Model, *lines: str) -> tuple[Model, list[str]]:
    said: list[str] = []
    for line in lines:
        reply = read_line(model, line)
        model = reply.model
        said += reply.lines
    return model, said


# --- questions ---------------------------------------------------------------------------------


def test_a_question_sends_nothing_until_it_is_answered() -> None:
    reply = read_line(AT_GUESS, WRONG_COLOUR)
    assert reply.command is None
    assert "2.4 is a white tile" in reply.lines[0]
    assert "Type yes" in reply.lines[1]


@pytest.mark.parametrize("yes", ["yes", "y", "YES", "ok", "是", "好"])
def test_yes_carries_out_what_was_asked_about(yes: str) -> None:
    asked = read_line(AT_GUESS, WRONG_COLOUR).model
    reply = read_line(asked, yes)
    assert reply.command == wrong_colour_guess()
    assert reply.model.question is None


@pytest.mark.parametrize("no", ["no", "n", "否", "不要"])
def test_no_drops_it(no: str) -> None:
    asked = read_line(AT_GUESS, WRONG_COLOUR).model
    reply = read_line(asked, no)
    assert (reply.command, reply.model.question) == (None, None)
    assert reply.lines == ("Dropped. Nothing was sent.",)


def test_anything_else_drops_it_and_counts_for_itself() -> None:
    asked = read_line(AT_GUESS, WRONG_COLOUR).model
    reply = read_line(asked, "2.4 = w7")
    assert isinstance(reply.command, c.PlayMove)
    assert reply.model.question is None
    assert read_line(read_line(asked, "board").model, "yes").command is None


def test_yes_without_a_question_does_nothing() -> None:
    reply = read_line(AT_GUESS, "yes")
    assert reply.command is None
    assert "no question" in reply.lines[0]


def test_quitting_needs_a_yes() -> None:
    asked = read_line(AT_GUESS, "quit")
    assert asked.command is None
    assert "the game stops for everybody" in asked.lines[0]
    assert read_line(asked.model, "yes").command == c.Quit()


def test_resigning_needs_a_yes() -> None:
    model, _ = type_all(AT_GUESS, "resign")
    assert read_line(model, "yes").command == c.PlayMove(move=Resign())


# --- commands for the application --------------------------------------------------------------


def test_what_the_application_must_do_comes_back_as_a_command() -> None:
    assert read_line(AT_GUESS, "say hello").command == Say(text="hello")
    move = read_line(AT_GUESS, "2.4 = w7")
    assert isinstance(move.command, c.PlayMove)
    assert move.lines == ()
    at_lobby = replace(AT_GUESS, game=None, lobby=lobby())
    assert read_line(at_lobby, "ready").command == SetReady()


def test_chat_reminds_of_real_life_manners_once_a_game() -> None:
    strict = rules("standard")
    first = read_line(model_of(moments(strict).guess, strict), "say hello")
    assert first.command == Say(text="hello")
    assert "do not discuss your deductions" in first.lines[0]
    assert read_line(first.model, "say again").lines == ()
    assert not enter_game(first.model, strict).reminded
    assert read_line(AT_GUESS, "say hello").lines == ()


def test_a_refusal_is_told_and_sends_nothing() -> None:
    reply = read_line(AT_GUESS, "draw black")
    assert reply.command is None
    assert "Nothing was sent." in reply.lines[0]


def test_the_language_changes_at_once_and_the_application_is_told() -> None:
    reply = read_line(AT_GUESS, "language zh")
    assert reply.model.lang == "zh"
    assert reply.lines == ("现在使用中文。",)
    assert reply.command == c.SetLanguage(lang="zh")
    assert "牌堆还剩" in read_line(reply.model, "board").lines[0]


# --- looking -----------------------------------------------------------------------------------


def test_the_board_and_a_row_are_told() -> None:
    assert len(read_line(AT_GUESS, "board").lines) == 5
    assert read_line(AT_GUESS, "row bo").lines == (
        "2 bo, 4 of 4 hidden:  2.1 [w?]  2.2 [b?]  2.3 [b?]  2.4 [w?]",
    )


@pytest.mark.parametrize("line", ["", "legal", "可做"])
def test_what_is_due_can_be_asked_at_any_time(line: str) -> None:
    lines = read_line(AT_GUESS, line).lines
    assert lines[0].startswith("Your turn. You drew white 4")
    assert lines[1].startswith("You can type: 2.3 = 7")


def test_what_is_due_is_known_before_a_game_too() -> None:
    hall = Model(lang="en")
    assert due_lines(hall)[0].startswith("You can type: menu, tables, open, join")
    knocking = replace(hall, lobby=replace(lobby(), members=()))
    assert due_lines(knocking)[0].startswith("You can type: menu, tables")
    seated = due_lines(replace(hall, lobby=lobby()))
    assert seated[-1].startswith("You can type: menu, ready")


def test_repeat_tells_the_last_lines_again() -> None:
    model, said = type_all(AT_GUESS, "row bo")
    assert list(read_line(model, "repeat").lines) == said
    assert list(read_line(read_line(model, "repeat").model, "repeat").lines) == said


def test_nothing_told_leaves_what_was_told_last() -> None:
    before = told(AT_GUESS, ("one",)).model
    assert told(before, ()) == Told(model=before)
    assert told(before, ("", "two")).lines == ("two",)


def test_help_lists_and_explains_every_command() -> None:
    for lang in ("en", "zh"):
        model = replace(AT_GUESS, lang=lang)
        hall = replace(model, game=None)
        text = " ".join((*read_line(model, "help").lines, *read_line(hall, "help").lines))
        spoken = {
            verb: words[0] if lang == "en" else next(w for w in words if not w.isascii())
            for verb, words in VERBS.items()
        }
        missing = [verb for verb, word in spoken.items() if verb != "guess" and word not in text]
        assert missing == []
        for word in spoken.values():
            explained = read_line(model, f"help {word}").lines
            assert len(explained) == 2
            assert word in explained[1]


def test_rules_are_told_option_by_option() -> None:
    lines = read_line(AT_GUESS, "rules").lines
    assert lines[0].startswith("Rules: classic.")
    assert len(lines) == 12


def test_without_a_table_rules_are_those_of_the_one_to_be_opened() -> None:
    model = read_line(Model(lang="en"), "rules standard").model
    told = read_line(read_line(model, "bots 2").model, "rules").lines
    assert "for 3 players, 2 of them bots" in told[0]
    assert told[1].startswith("Rules: standard.")


def test_the_words_to_compare_are_told_again_until_compared() -> None:
    assert "Until then: not compared" in read_line(AT_GUESS, "compare").lines[1]
    model, said = type_all(AT_GUESS, "compared")
    assert model.compared
    assert said == ["Compared: these are the people you spoke with."]
    assert read_line(model, "compare").lines[1] == said[0]
    unborn = model_of(replace(CLASSIC.guess, compare=()), CLASSIC.options)
    assert "nothing to compare yet" in read_line(unborn, "compared").lines[0]


# --- remembering -------------------------------------------------------------------------------


def test_notes_are_kept_listed_replaced_and_cleared() -> None:
    model, said = type_all(AT_GUESS, "note 3.1 low", "note 2.3 5 or 7", "note 2.3 7")
    assert said[-1] == "Noted at 2.3, for you alone: 7"
    assert read_line(model, "note").lines == ("2.3: 7", "3.1: low")
    assert read_line(model, "note 3.1").lines == ("3.1: low",)
    model, said = type_all(model, "note 2.3 clear")
    assert said == ["No note at 2.3 any more."]
    assert read_line(model, "note 2.3").lines == ("No notes.",)


def test_a_mark_is_set_used_and_taken_away() -> None:
    model, said = type_all(AT_GUESS, "mark bo 4")
    assert "Marked: 2.4" in said[0]
    command = read_line(model, "w7").command
    point = guessed("2.4", "w7")
    assert command == c.PlayMove(move=Guess(seat=point.seat, slot=point.slot, call=point.call))
    model, said = type_all(model, "mark clear")
    assert said == ["No tile is marked."]
    assert read_line(model, "w7").command is None


def log(*entries: tuple[int, int, str]) -> tuple[LogLine, ...]:
    return tuple(LogLine(round=r, turn=t, text=text) for r, t, text in entries)


def test_the_log_tells_its_last_lines() -> None:
    model = replace(AT_GUESS, log=log((1, 1, "a"), (1, 1, "b"), (1, 1, "c")))
    assert read_line(model, "log 2").lines == ("b", "c")
    assert read_line(model, "log").lines == ("a", "b", "c")
    assert read_line(model, "log 0").lines == ("Nothing has happened yet.",)
    assert read_line(AT_GUESS, "log").lines == ("Nothing has happened yet.",)


def test_real_life_manners_look_back_one_turn_at_most() -> None:
    strict = rules("standard")
    facts = moments(strict)
    model = model_of(facts.guess, strict)
    # The view is in its first turn; what an earlier round left is out of reach.
    model = replace(model, log=log((0, 9, "old"), (1, 0, "before"), (1, 1, "now")))
    lines = read_line(model, "log").lines
    assert lines[:2] == ("before", "now")
    assert "real-life manners" in lines[2]
    far = replace(model, log=log((1, -1, "too old")))
    assert read_line(far, "log").lines[0] == "Nothing has happened yet."


def test_candidates_are_told_where_the_table_allows_it() -> None:
    options = rules(aids="assisted")
    model = model_of(moments(options).guess, options)
    line = read_line(model, "candidates 2.1").lines[0]
    assert line.startswith("2.1, from what you can see, may still be: ")
    assert "w0" in line
    assert "w7" not in line.split()
    assert "b1" not in line.split()


def test_what_was_typed_is_told_back_without_control_characters() -> None:
    line = read_line(AT_GUESS, "\x1b[2Jdance \u202e" + "x" * 99).lines[0]
    assert '"[2jdance ' + "x" * 31 + '"' in line


def test_to_resign_out_of_turn_has_to_wait_and_says_so() -> None:
    waiting = replace(CLASSIC.draw, due=False)
    asked = read_line(model_of(waiting, CLASSIC.options), "resign").model
    reply = read_line(asked, "yes")
    assert reply.command == c.PlayMove(move=Resign())
    assert "as soon as" in reply.lines[0]
    mine = read_line(model_of(CLASSIC.draw, CLASSIC.options), "resign").model
    assert read_line(mine, "yes").lines == ()
