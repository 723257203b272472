"""Looking and talking, and what holds for every line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_davinci.console import commands as c
from p2p_davinci.console.context import Context
from p2p_davinci.console.grammar import read
from p2p_davinci.console.spelling import fold
from p2p_davinci.console.vocabulary import VERBS
from p2p_davinci.rules.moves import (
    Draw,
)
from p2p_davinci.session.events import Say, Stage
from p2p_davinci.text import Lang
from tests.unit.console.scenes import (
    context_of,
    game_view,
    rules,
    state_after,
)
from tests.unit.console.typed import (
    AT_ARRANGE,
    AT_DRAW,
    AT_GUESS,
    AT_MORE,
    AT_PLACE,
    AT_TAKE,
    CLASSIC,
    STANDARD,
    guess,
    move_of,
    refusal,
)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("board", c.ShowBoard()),
        ("牌面", c.ShowBoard()),
        ("row bo", c.ShowRow(seat=1)),
        ("row 3", c.ShowRow(seat=2)),
        ("row", c.ShowRow(seat=0)),
        ("row me", c.ShowRow(seat=0)),
        ("牌列 bo", c.ShowRow(seat=1)),
        ("repeat", c.Repeat()),
        ("legal", c.ShowLegal()),
        ("log", c.ShowLog(count=10)),
        ("log 3", c.ShowLog(count=3)),
        ("log 9999", c.ShowLog(count=500)),
        ("记录 3", c.ShowLog(count=3)),
        ("note", c.ShowNotes(place=None)),
        ("note 2.3", c.ShowNotes(place=c.Place(seat=1, slot=3))),
        ("note 2.3 5 or 7", c.SetNote(place=c.Place(seat=1, slot=3), text="5 or 7")),
        ("note bo 3 5", c.SetNote(place=c.Place(seat=1, slot=3), text="5")),
        ("note 2.3 clear", c.SetNote(place=c.Place(seat=1, slot=3), text="")),
        (
            "笔记 2.3 不是7",
            c.SetNote(place=c.Place(seat=1, slot=3), text="不是7"),
        ),
        ("mark 2.3", c.SetMark(place=c.Place(seat=1, slot=3))),
        ("mark bo 3", c.SetMark(place=c.Place(seat=1, slot=3))),
        ("mark clear", c.SetMark(place=None)),
        ("标记 2.3", c.SetMark(place=c.Place(seat=1, slot=3))),
        ("help", c.ShowHelp(topic=None)),
        ("?", c.ShowHelp(topic=None)),
        ("help draw", c.ShowHelp(topic="draw")),
        ("帮助 抽", c.ShowHelp(topic="draw")),
        ("rules", c.ShowRules()),
        ("compare", c.ShowCompare()),
        ("compared", c.MarkCompared()),
        ("已核对", c.MarkCompared()),
        ("language zh", c.SetLanguage(lang="zh")),
        ("language English", c.SetLanguage(lang="en")),
        ("语言 中文", c.SetLanguage(lang="zh")),
        ("say Hello, BO = 7!", Say(text="Hello, BO = 7!")),
        ("说你好！", Say(text="你好！")),
        ("say \u202ehi\x1b[2J", Say(text="hi[2J")),
    ],
)
def test_looking_noting_and_talking(line: str, command: c.Command) -> None:
    assert read(line, AT_GUESS) == command


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("row dee", 'called "dee"'),
        ("log many", "How many lines"),
        ("mark", "A place is a seat and a slot"),
        ("mark 2.9", "no tile 2.9"),
        ("mark 7.1", "no seat 7"),
        ("mark 2.3 now", "A place is"),
        ("note what", "A place is"),
        ("note 2.9 5", "no tile 2.9"),
        ("say", "Say what?"),
        ("say \u200b", "Say what?"),
        ("help dance", 'no command "dance"'),
        ("language fr", "English and Chinese"),
        ("candidates 2.3", "without computed help"),
        ("dance", 'know what to do with "dance"'),
        ("2.3", '2.3 I cannot read ""'),
        ("ready", "a table that is being formed"),
        ("open", "You are at a table"),
    ],
)
def test_what_is_missing_or_out_of_place_is_said(line: str, why: str) -> None:
    text = refusal(line, AT_GUESS)
    assert why in text
    assert "Nothing was sent" in text


def test_real_life_manners_allow_no_notes_and_assisted_ones_show_candidates() -> None:
    strict = context_of(STANDARD.guess, STANDARD.options)
    assert "real-life manners" in refusal("note 2.3 5", strict)
    helped = context_of(CLASSIC.guess, rules(aids="assisted"))
    assert read("candidates 2.3", helped) == c.ShowCandidates(place=c.Place(seat=1, slot=3))
    assert "A place is" in refusal("candidates", helped)
    assert "no tile 2.9" in refusal("candidates 2.9", helped)


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        (Stage.SETUP, "The deal cannot be completed without you"),
        (Stage.PLAY, "the game stops for everybody"),
        (Stage.ENDING, "the game stops for everybody"),
        (Stage.OVER, "Nobody else is affected any more"),
        (Stage.HALTED, "Nobody else is affected any more"),
    ],
)
def test_quitting_asks_and_says_what_it_does_to_the_others(stage: Stage, words: str) -> None:
    for line in ("quit", "exit", "退出"):
        asked = read(line, context_of(replace(CLASSIC.draw, stage=stage), CLASSIC.options))
        assert isinstance(asked, c.Ask)
        assert words in " ".join(asked.text.split())
        assert asked.command == c.Quit()


def test_who_has_resigned_already_is_not_told_to_do_so_before_quitting() -> None:
    waits = replace(CLASSIC.draw, resigning=True)
    asked = read("quit", context_of(waits, CLASSIC.options))
    assert isinstance(asked, c.Ask)
    assert "Your resignation has not gone out yet" in asked.text
    assert "resign first" not in asked.text


def quitting_without(seat: int) -> str:
    """What is asked when the first of three leaves and a seat is out."""
    view = CLASSIC.draw
    assert view.board is not None
    rows = list(view.board.state.rows)
    rows[seat] = tuple(replace(piece, dead=True) for piece in rows[seat])
    board = replace(view.board, state=replace(view.board.state, rows=tuple(rows)))
    asked = read("quit", context_of(replace(view, board=board), CLASSIC.options))
    assert isinstance(asked, c.Ask)
    return asked.text


def test_who_is_out_may_leave_without_harm() -> None:
    assert "the others play on without you" in quitting_without(0)


def test_where_two_are_left_nobody_votes_but_the_other_may_claim() -> None:
    asked = quitting_without(1)
    assert "unless the other one claims it" in asked
    assert "vote" not in asked


def test_a_watcher_makes_no_moves_but_may_look() -> None:
    at = context_of(game_view(state_after(rules()), seat=None), rules())
    assert "watching" in refusal("2.3 = 7", at)
    assert "watching" in refusal("draw black", at)
    assert read("board", at) == c.ShowBoard()
    assert "called" in refusal("row", at)


def test_after_the_round_nothing_is_played() -> None:
    over = replace(CLASSIC.draw, stage=Stage.OVER)
    assert "The round is over" in refusal("draw black", context_of(over, CLASSIC.options))


def test_an_empty_line_is_no_command() -> None:
    assert read("  \u3000", AT_DRAW) is None


def test_a_player_named_like_a_command_is_reached_with_his_number_or_an_equals_sign() -> None:
    named = replace(CLASSIC.guess, names=("ana", "row", "停"))
    at = context_of(named, CLASSIC.options)
    assert move_of("2.3 = 7", at) == guess("2.3", "7")
    assert move_of("row 3 = 7", at) == guess("2.3", "7")
    assert move_of("停3 = 8", at) == guess("3.3", "8")
    assert read("row 2", at) == c.ShowRow(seat=1)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_both_languages_commands_are_understood_in_either(lang: Lang) -> None:
    at = context_of(CLASSIC.draw, CLASSIC.options, lang)
    assert move_of("draw black", at) == Draw(deck=0)
    assert move_of("抽黑", at) == Draw(deck=0)


PIECES = [word for words in VERBS.values() for word in words]
PIECES += [
    *"0123456789.,=:-bw黑白",
    "2.3",
    "bo",
    "ana",
    "joker",
    "横杠",
    "black",
    "9999999",
    "\u2014",
]
LINES = st.text(max_size=40) | st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join)
EVERYWHERE = (
    *(AT_GUESS, AT_MORE, AT_PLACE, AT_TAKE, AT_ARRANGE),
    context_of(STANDARD.guess, STANDARD.options, "zh"),
)


@given(LINES, st.sampled_from(EVERYWHERE))
@settings(max_examples=400)
def test_no_line_is_too_odd_to_be_read(line: str, at: Context) -> None:
    got = read(line, at)
    assert (got is None) == (not fold(line))
    assert not isinstance(got, c.Refusal) or got.text
