"""What people type at a game, and what it means there."""

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
from p2p_davinci.rules.engine import apply
from p2p_davinci.rules.moves import (
    Answered,
    Arrange,
    Draw,
    Drawn,
    Guess,
    Move,
    Resign,
    Resigned,
    Reveal,
    Stop,
    Take,
)
from p2p_davinci.rules.moves import Place as PlaceUp
from p2p_davinci.rules.state import Phase
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import CallClock, Say, Stage
from p2p_davinci.text import Lang
from tests.unit.console.scenes import (
    HANDS,
    context_of,
    dealing,
    game_view,
    guessed,
    moments,
    rules,
    state_after,
    tiles,
)

CLASSIC = moments(rules())
STANDARD = moments(rules("standard"))
ADVANCED = moments(rules("advanced"))
OPEN_COLOUR = moments(rules(call="colour"))
NO_JOKERS = moments(rules(jokers="no"))


def move_of(line: str, context: Context) -> Move:
    command = read(line, context)
    assert isinstance(command, c.PlayMove), command
    return command.move


def refusal(line: str, context: Context) -> str:
    refused = read(line, context)
    assert isinstance(refused, c.Refusal), refused
    return refused.text


def guess(place: str, call: str) -> Guess:
    point = guessed(place, call)
    return Guess(seat=point.seat, slot=point.slot, call=point.call)


AT_GUESS = context_of(CLASSIC.guess, CLASSIC.options)
AT_DRAW = context_of(CLASSIC.draw, CLASSIC.options)
AT_MORE = context_of(CLASSIC.more, CLASSIC.options)
AT_PLACE = context_of(CLASSIC.place, CLASSIC.options)


# --- guesses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "2.3 = b7",
        "2.3 = black 7",
        "2.3 b7",
        "2.3 black 7",
        "2.3 is black 7",
        "bo 3 = b7",
        "BO 3 = B7",
        "bo.3 = b7",
        "guess 2.3 = b7",
        "guess bo 3 b7",
        "\uff12\uff0e\uff13\uff1d\uff22\uff17",
        "2。3 黑 7",
        "2.3 是 黑7",
        "2.3 = 深色 7",
        "猜 2.3 黑7",
        "猜2.3为黑7",
    ],
)
def test_a_guess_is_understood_however_it_is_written(line: str) -> None:
    assert move_of(line, AT_GUESS) == guess("2.3", "b7")


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("2.3 = 7", "7"),
        ("2.3 joker", "-"),
        ("2.3 = -", "-"),
        ("2.3 = \u2014\u2014", "-"),
        ("2.3 横杠", "-"),
        ("2.3 黑色横杠", "b-"),
        ("2.3 dark joker", "b-"),
    ],
)
def test_a_number_or_a_joker_is_enough_where_numbers_are_calls(line: str, call: str) -> None:
    assert move_of(line, AT_GUESS) == guess("2.3", call)


@pytest.mark.parametrize(("line", "call"), [("7", "7"), ("b7", "b7"), ("joker", "-"), ("= 7", "7")])
def test_a_bare_call_names_the_marked_tile(line: str, call: str) -> None:
    marked = replace(AT_GUESS, mark=c.Place(seat=1, slot=3))
    assert move_of(line, marked) == guess("2.3", call)


def test_a_bare_call_without_a_mark_says_how_to_go_on() -> None:
    text = refusal("7", AT_GUESS)
    assert "2.3 = 7" in text
    assert "mark 2.3" in text
    assert "Nothing was sent" in text


def test_further_guesses_go_on_after_a_hit() -> None:
    assert move_of("3.2 = 4", AT_MORE) == guess("3.2", "4")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1.2 = 7", "your own row"),
        ("4.1 = 7", "no seat 4"),
        ("2.9 = 7", "that row has 4 tiles"),
        ("2.3 = 12", "12 is not in this game"),
        ("2.3 = b12", "black 12 is not in this game"),
    ],
)
def test_a_guess_at_nothing_is_refused_with_a_reason_and_costs_nothing(line: str, why: str) -> None:
    text = refusal(line, AT_GUESS)
    assert why in text
    assert "Nothing was sent" in text
    assert "You can type" in text


def test_a_guess_at_an_open_tile_says_what_lies_there() -> None:
    assert "2.3 lies open already: black 9" in refusal("2.3 = 9", AT_MORE)


def test_a_joker_is_refused_where_there_is_none() -> None:
    at = context_of(NO_JOKERS.guess, NO_JOKERS.options)
    assert "joker is not in this game" in refusal("2.3 joker", at)


def test_a_guess_out_of_turn_is_refused_before_any_question() -> None:
    state = state_after(rules("standard"), first=1)
    at = context_of(game_view(state), rules("standard"))
    assert "not your turn" in refusal("2.3 = 7", at)


def test_a_guess_before_the_draw_says_draw_first() -> None:
    text = refusal("2.3 = 7", AT_DRAW)
    assert "draw a tile first" in text
    assert "draw black, draw white" in text


def test_a_guess_while_tiles_are_still_being_uncovered_has_to_wait() -> None:
    at = context_of(replace(CLASSIC.guess, due=False, awaited=(2,)), CLASSIC.options)
    assert "waiting for cy" in refusal("2.3 = 7", at)


def test_what_cannot_be_read_as_a_tile_says_how_tiles_are_written() -> None:
    text = refusal("2.3 = seven", AT_GUESS)
    assert '"= seven"' in text
    assert "2.3 = b7" in text


# --- slips -------------------------------------------------------------------------------------


def test_a_wrong_colour_is_a_question_not_a_lost_turn() -> None:
    asked = read("2.4 = b7", AT_GUESS)
    assert isinstance(asked, c.Ask)
    assert "2.4 is a white tile" in asked.text
    assert "2.4 = w7" in asked.text
    assert asked.command == c.PlayMove(move=guess("2.4", "b7"))


def test_a_colour_left_out_is_filled_in_where_the_back_shows_it() -> None:
    at = context_of(OPEN_COLOUR.guess, OPEN_COLOUR.options)
    assert move_of("2.3 = 7", at) == guess("2.3", "b7")
    assert move_of("2.4 joker", at) == guess("2.4", "w-")


def test_a_colour_left_out_is_asked_for_where_the_back_hides_it() -> None:
    at = context_of(STANDARD.guess, STANDARD.options)
    asked = read("2.3 = 7", at)
    assert isinstance(asked, c.Ask)
    assert "counts as a miss" in asked.text
    assert "2.3 = b7" in asked.text
    assert "2.3 = w7" in asked.text
    assert asked.command == c.PlayMove(move=guess("2.3", "7"))


def test_a_call_with_its_colour_goes_out_unasked_where_the_back_hides_it() -> None:
    at = context_of(STANDARD.guess, STANDARD.options)
    assert move_of("2.3 = w7", at) == guess("2.3", "w7")


def test_the_same_slips_are_asked_about_in_chinese() -> None:
    asked = read("2.4 = 黑7", context_of(CLASSIC.guess, CLASSIC.options, "zh"))
    assert isinstance(asked, c.Ask)
    assert "白牌" in asked.text
    bare = read("2.3 = 7", context_of(STANDARD.guess, STANDARD.options, "zh"))
    assert isinstance(bare, c.Ask)
    assert "黑7" in bare.text


def test_resigning_is_asked_about() -> None:
    asked = read("resign", AT_DRAW)
    assert isinstance(asked, c.Ask)
    assert asked.command == c.PlayMove(move=Resign())


def test_resigning_is_possible_out_of_turn_but_not_when_out() -> None:
    others = game_view(state_after(rules(), first=1))
    assert isinstance(read("认输", context_of(others, rules())), c.Ask)
    gone = [Resigned(seat=0, row=tiles(*HANDS[0]), drawn=None)]
    state = state_after(rules(), gone, first=1)
    assert "You are out" in refusal("resign", context_of(game_view(state), rules()))


# --- drawing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "deck"),
    [
        ("draw black", 0),
        ("draw white", 1),
        ("draw w", 1),
        ("draw dark", 0),
        ("抽黑", 0),
        ("抽 白", 1),
        ("摸浅色", 1),
        ("DRAW Black", 0),
    ],
)
def test_a_colour_is_drawn(line: str, deck: int) -> None:
    assert move_of(line, AT_DRAW) == Draw(deck=deck)


@pytest.mark.parametrize("line", ["draw", "抽", "draw red"])
def test_the_colour_is_asked_for_while_there_are_both(line: str) -> None:
    assert "draw black or draw white" in refusal(line, AT_DRAW)


def test_one_pile_with_hidden_backs_has_no_colour_to_choose() -> None:
    at = context_of(STANDARD.draw, STANDARD.options)
    assert move_of("draw", at) == Draw(deck=0)
    assert "hidden" in refusal("draw black", at)


def one_colour_left(pile: tuple[int, int]) -> Context:
    state = replace(state_after(rules()), pile=pile)
    return context_of(game_view(state), rules())


def test_the_colour_that_is_left_is_drawn_unasked_and_the_other_refused_with_a_reason() -> None:
    at = one_colour_left((0, 3))
    assert move_of("draw", at) == Draw(deck=1)
    text = refusal("draw black", at)
    assert "No black tile is left" in text
    assert "draw white" in text


def test_an_empty_pile_skips_the_draw() -> None:
    state = replace(state_after(rules(), [Drawn(deck=0)]), drawn=None, pile=(0, 0))
    at = context_of(game_view(state), rules())
    assert "The pile is empty" in refusal("draw", at)
    assert move_of("2.3 = 4", at) == guess("2.3", "4")


def test_drawing_twice_or_out_of_turn_is_refused() -> None:
    assert "name a tile first" in refusal("draw", AT_GUESS)
    others = context_of(game_view(state_after(rules(), first=2)), rules())
    assert "not your turn" in refusal("draw", others)
    assert "not your turn" in refusal("draw black", others)


# --- stopping and placing ----------------------------------------------------------------------


@pytest.mark.parametrize("line", ["stop 2", "stop2", "slot 2", "停 2", "停2", "位置2"])
def test_stopping_says_where_the_drawn_tile_stands(line: str) -> None:
    assert move_of(line, AT_MORE) == Stop(slot=2)


@pytest.mark.parametrize("line", ["stop", "停", "stop here"])
def test_with_jokers_in_the_game_the_slot_is_asked_for_even_if_it_is_clear(
    line: str,
) -> None:
    text = refusal(line, AT_MORE)
    assert "stop 2" in text


def test_the_slots_beside_a_joker_are_the_owners_choice() -> None:
    board = CLASSIC.more.board
    assert board is not None
    beside = replace(CLASSIC.more, board=replace(board, drawn=parse_tile("b8")))
    at = context_of(beside, CLASSIC.options)
    assert move_of("stop 4", at) == Stop(slot=4)
    assert move_of("stop 5", at) == Stop(slot=5)
    assert "Possible: 4, 5" in refusal("stop 3", at)
    assert "where the drawn tile will stand" in refusal("stop", at)


def test_without_jokers_stopping_needs_no_slot() -> None:
    board = NO_JOKERS.more.board
    assert board is not None
    plain = replace(NO_JOKERS.more, board=replace(board, own=tiles("b1", "b6", "w7", "w9")))
    at = context_of(plain, NO_JOKERS.options)
    assert move_of("stop", at) == Stop(slot=None)
    assert move_of("stop 2", at) == Stop(slot=2)
    assert "cannot stand at 1" in refusal("stop 1", at)


def test_stopping_without_a_guess_is_refused() -> None:
    assert "name a tile first" in refusal("stop 2", AT_GUESS)


def test_stopping_without_a_drawn_tile_takes_no_slot() -> None:
    state = replace(CLASSIC.more.board.state, drawn=None) if CLASSIC.more.board else None
    assert state is not None
    at = context_of(game_view(state), CLASSIC.options)
    assert move_of("stop", at) == Stop(slot=None)
    assert "no drawn tile" in refusal("stop 2", at)


@pytest.mark.parametrize("line", ["slot 2", "slot2", "插 2", "位置 2"])
def test_after_a_miss_the_drawn_tile_is_placed(line: str) -> None:
    assert move_of(line, AT_PLACE) == PlaceUp(slot=2)


def test_a_slot_that_order_forbids_is_refused_with_the_possible_ones() -> None:
    text = refusal("slot 1", AT_PLACE)
    assert "white 4 cannot stand at 1" in text
    assert "slot 2" in text


@pytest.mark.parametrize("line", ["slot", "slot x", "reveal", "翻", "stop two"])
def test_a_slot_is_a_number(line: str) -> None:
    assert "counted from the left" in refusal(line, AT_PLACE)


def missed_with_an_empty_pile() -> Context:
    """Seat 0 guessed with an empty pile and missed: it owes one of its own tiles."""
    state = replace(state_after(rules()), pile=(0, 0), phase=Phase.GUESS)
    for fact in (guessed("2.3", "8"), Answered(tile=None)):
        state = apply(state, fact)
    return context_of(game_view(state), rules())


@pytest.mark.parametrize("line", ["reveal 2", "reveal2", "翻 2", "翻开2"])
def test_a_miss_with_an_empty_pile_turns_up_a_tile_of_ones_own(line: str) -> None:
    assert move_of(line, missed_with_an_empty_pile()) == Reveal(slot=2)


def test_a_tile_that_is_not_there_cannot_be_turned_up() -> None:
    text = refusal("reveal 9", missed_with_an_empty_pile())
    assert "that row has 4 tiles" in text
    assert "reveal 1/2/3/4" in text


def test_the_clock_is_called_only_on_others_and_only_where_there_is_one() -> None:
    timed = rules(clock="60+20")
    others = context_of(game_view(state_after(timed, first=1)), timed)
    assert read("clock", others) == CallClock()
    assert read("催", others) == CallClock()
    assert "yourself" in refusal("clock", context_of(game_view(state_after(timed)), timed))
    assert "without a clock" in refusal("clock", AT_DRAW)


# --- the deal ----------------------------------------------------------------------------------

AT_TAKE = context_of(dealing("take"), rules())
AT_ARRANGE = context_of(dealing("arrange", dealt=("w7", "w-", "b6", "b1")), rules())


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("take 3 black", (3, 1)),
        ("take 3 b", (3, 1)),
        ("take 0 black", (0, 4)),
        ("take 1 white", (3, 1)),
        ("take 3 black 1 white", (3, 1)),
        ("take 1 white, 3 black", (3, 1)),
        ("take 3 1", (3, 1)),
        ("take 3+1", (3, 1)),
        ("取 3 黑", (3, 1)),
        ("取3黑1白", (3, 1)),
        ("拿1浅色", (3, 1)),
    ],
)
def test_how_many_of_each_colour_is_understood(line: str, counts: tuple[int, int]) -> None:
    assert move_of(line, AT_TAKE) == Take(counts=counts)


@pytest.mark.parametrize(
    "line",
    [
        "take",
        "take 5 black",
        "take 3",
        "take 3 black 2 white",
        "take 3 black 1 black",
        "take x 3",
        "take 3 black please",
        "take 3 red",
        "take 1 1 1",
    ],
)
def test_counts_that_do_not_add_up_say_how_many_there_are_to_take(line: str) -> None:
    assert "4 tiles in all" in refusal(line, AT_TAKE)


def test_with_four_players_three_tiles_are_taken() -> None:
    four = replace(dealing("take"), names=("ana", "bo", "cy", "dee"))
    at = context_of(four, rules())
    assert move_of("take 3 black", at) == Take(counts=(3, 0))
    assert "3 tiles in all" in refusal("take 4 black", at)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("arrange b1 b6 w7 w-", (3, 2, 0, 1)),
        ("arrange w- b1 b6 w7", (1, 3, 2, 0)),
        ("arrange b1b6w-w7", (3, 2, 1, 0)),
        ("arrange b1, white joker, b6, white 7", (3, 1, 2, 0)),
        ("排 黑1 黑6 白横杠 白7", (3, 2, 1, 0)),
    ],
)
def test_an_arrangement_names_ones_own_tiles(line: str, order: tuple[int, ...]) -> None:
    assert move_of(line, AT_ARRANGE) == Arrange(order=order)


@pytest.mark.parametrize("line", ["ok", "好", "arrange", "排"])
def test_the_suggested_order_is_taken_by_ok(line: str) -> None:
    move = move_of(line, AT_ARRANGE)
    assert isinstance(move, Arrange)
    dealt = AT_ARRANGE.game.dealt if AT_ARRANGE.game else ()
    numbers = [str(dealt[k]) for k in move.order if dealt[k].number is not None]
    assert numbers == ["b1", "b6", "w7"]
    assert sorted(move.order) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("arrange b1 b6 w7", "each of your own tiles"),
        ("arrange b1 b6 w7 w7", "each of your own tiles"),
        ("arrange b1 b6 w7 b-", "each of your own tiles"),
        ("arrange 1 6 7 -", "each of your own tiles"),
        ("arrange b6 b1 w7 w-", "ascend"),
    ],
)
def test_an_arrangement_of_other_tiles_or_out_of_order_is_refused(line: str, why: str) -> None:
    assert why in refusal(line, AT_ARRANGE)


def test_verbs_of_the_deal_are_refused_when_nothing_is_dealt() -> None:
    assert "nothing to arrange" in refusal("ok", AT_DRAW)
    assert "no tiles to take" in refusal("take 3 black", AT_DRAW)
    assert "still being dealt" in refusal("draw", AT_TAKE)
    assert "still being dealt" in refusal("2.3 = 7", AT_TAKE)


# --- looking and talking -----------------------------------------------------------------------


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
