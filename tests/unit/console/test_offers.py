"""What is offered to choose from, and that every choice stands for a line that is understood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2p_davinci.console import commands as c
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.grammar import read
from p2p_davinci.console.lobby import Kept
from p2p_davinci.console.model import Model, show_found, show_lobby, show_saved
from p2p_davinci.console.offers import chosen_line, offer, offer_lines
from p2p_davinci.console.screen import Ui, picked_item
from p2p_davinci.rules.moves import Arrange, Draw, Place, Reveal, Stop, Take
from p2p_davinci.rules.state import Phase
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import GameView, Lost, Stage, VoteOut
from p2p_davinci.session.lobby_events import SetOption, SetOrder, SetSeats, SetYoungest
from p2p_davinci.text import Lang
from tests.unit.console.lobbies import lobby
from tests.unit.console.scenes import (
    dealing,
    game_view,
    model_of,
    moments,
    rules,
    state_after,
    tiles,
)
from tests.unit.console.test_lobby import found

CLASSIC, NO_JOKERS, STANDARD = (
    moments(rules()),
    moments(rules(jokers="no")),
    moments(rules("standard")),
)
LANGS: tuple[Lang, ...] = ("en", "zh")
PAGES_OF_HALL: tuple[c.Page, ...] = ("open", "look", "saved")
PAGES_OF_LOBBY: tuple[c.Page, ...] = ("main", "rules", "seats", "away", "look")
HALL = Model(lang="en", name="ana")


def keys(model: Model) -> list[str]:
    offered = offer(model)
    return [] if offered is None else [item.key for item in offered.items]


def texts(model: Model) -> list[str]:
    offered = offer(model)
    return [] if offered is None else [item.text for item in offered.items]


def lines(model: Model) -> list[str]:
    offered = offer(model)
    return [] if offered is None else [item.line for item in offered.items]


def at(view: GameView, lang: Lang = "en", **fields: object) -> Model:
    return replace(model_of(view, CLASSIC.options, lang), **fields)  # type: ignore[arg-type]


def reveal(own: tuple[str, ...] = ("b1", "b6", "w7", "w-")) -> GameView:
    state = state_after(rules())
    return game_view(replace(state, phase=Phase.REVEAL, pile=(0, 0)), own=tiles(*own))


def moments_of_choice(lang: Lang) -> Iterator[Model]:
    """Every moment that offers something, once."""
    hall = Model(lang=lang, name="ana")
    hall = show_saved(hall, [Kept(table="lamp", names=("ana", "bo"), when="2026-01-02")]).model
    yield show_found(hall, [found(), found(table="lamp", members=3)], []).model
    youngest = lobby(options=rules(first="youngest"))
    yield from (replace(hall, page=page) for page in PAGES_OF_HALL)
    seated = show_lobby(hall, youngest).model
    yield from (replace(seated, page=page) for page in PAGES_OF_LOBBY)
    yield show_lobby(hall, replace(lobby(), members=())).model
    yield at(dealing("take"), lang)
    yield at(dealing("arrange"), lang)
    yield at(CLASSIC.draw, lang)
    yield at(CLASSIC.place, lang)
    yield at(CLASSIC.more, lang, placing=True)
    yield at(reveal(), lang)
    yield at(CLASSIC.draw, lang, question=c.Quit())
    over = replace(CLASSIC.draw, stage=Stage.OVER)
    yield at(over, lang, stays=True, log_path="x.log", verdict="finished")
    silent = Lost(seat=1, since_s=0.0, opens_s=60.0, offered=True)
    yield at(replace(CLASSIC.answer, lost=(silent,)), lang)


@pytest.mark.parametrize("lang", LANGS)
def test_every_choice_stands_for_a_line_that_is_understood_there(lang: Lang) -> None:
    for model in moments_of_choice(lang):
        offered = offer(model)
        assert offered is not None
        for item in offered.items:
            for line in filter(None, (item.line, item.back)):
                if line.endswith(" ") or line in ("yes", "no"):
                    continue
                if line.startswith(("option backs", "option rounds")):
                    # Some values need another option first, and say which.
                    continue
                reading = read(line, model.context)
                assert not isinstance(reading, c.Refusal | None), (line, reading)


@pytest.mark.parametrize("lang", LANGS)
def test_every_choice_is_taken_by_what_stands_before_it(lang: Lang) -> None:
    for model in moments_of_choice(lang):
        offered = offer(model)
        assert offered is not None
        assert len(set(keys(model))) == len(offered.items)
        for item in offered.items:
            assert chosen_line(model, item.key) == item.line
        told = offer_lines(model)
        assert len(told) == len(offered.items) + 2
        assert chosen_line(model, "99") is None


def test_where_nothing_is_to_be_chosen_that_is_said() -> None:
    assert offer(at(CLASSIC.guess)) is None
    assert offer(replace(HALL, naming=True)) is None
    assert offer_lines(at(CLASSIC.guess)) == ("There is nothing to choose just now.",)


# --- in a game -------------------------------------------------------------------------------


def test_colours_to_draw_are_offered_with_what_is_left_of_each() -> None:
    assert keys(at(CLASSIC.draw)) == ["black", "white"]
    assert texts(at(CLASSIC.draw)) == ["7 left", "7 left"]
    assert read_line(at(CLASSIC.draw), "white").command == c.PlayMove(move=Draw(deck=1))
    assert read_line(at(CLASSIC.draw, "zh"), "黑").command == c.PlayMove(move=Draw(deck=0))


def test_a_colour_that_is_used_up_is_not_offered() -> None:
    state = replace(state_after(rules()), pile=(0, 3))
    assert keys(at(game_view(state))) == ["white"]


def test_with_hidden_backs_there_is_one_pile_to_draw_from() -> None:
    model = model_of(STANDARD.draw, STANDARD.options)
    assert (keys(model), lines(model)) == (["draw"], ["draw"])


def test_a_number_does_not_draw_by_mistake() -> None:
    reply = read_line(at(CLASSIC.draw, mark=c.Place(seat=1, slot=1)), "1")
    assert reply.command is None
    assert "draw a tile first" in reply.lines[0]


def test_slots_are_asked_for_in_the_same_way_whether_or_not_there_is_a_choice() -> None:
    one = at(CLASSIC.place)
    board = CLASSIC.place.board
    assert board is not None
    two = at(replace(CLASSIC.place, board=replace(board, drawn=parse_tile("b8"))))
    assert (keys(one), texts(one)) == (["2"], ["b1 [w4] b6"])
    assert (keys(two), texts(two)) == (["4", "5"], ["w7 [b8] w-", "w- [b8]"])
    for model in (one, two):
        found_ = offer(model)
        assert found_ is not None
        assert found_.across
        assert found_.first is None
    assert read_line(two, "5").command == c.PlayMove(move=Place(slot=5))


def test_stopping_with_a_drawn_tile_asks_for_its_slot_and_takes_a_bare_number() -> None:
    asked = read_line(at(CLASSIC.more), "stop")
    assert asked.command is None
    assert asked.lines[0] == "You stop. Where shall your white 4 stand, face down?"
    slots = offer(asked.model)
    assert slots is not None
    assert slots.first is None
    assert read_line(asked.model, "2").command == c.PlayMove(move=Stop(slot=2))


def test_anything_else_than_a_slot_forgets_that_the_player_wanted_to_stop() -> None:
    asked = read_line(at(CLASSIC.more), "stop").model
    after = read_line(asked, "board").model
    assert not after.placing
    assert offer(after) is None


def test_the_tile_to_turn_up_is_one_of_those_that_stand() -> None:
    model = at(reveal())
    assert (keys(model), texts(model)[0]) == (["1", "2", "3", "4"], "black 1")
    assert read_line(model, "3").command == c.PlayMove(move=Reveal(slot=3))


def test_the_first_tiles_are_taken_by_how_many_are_black() -> None:
    model = at(dealing("take"))
    assert keys(model) == ["0", "1", "2", "3", "4"]
    assert read_line(model, "3").command == c.PlayMove(move=Take(counts=(3, 1)))


@pytest.mark.parametrize(
    ("dealt", "orders"),
    [(("b3", "b1", "w7", "w5"), 1), (("b3", "w-", "w7", "w5"), 4), (("b3", "w-", "b-", "w5"), 12)],
)
def test_every_arrangement_is_offered_and_none_suggested(
    dealt: tuple[str, ...], orders: int
) -> None:
    model = at(dealing("arrange", dealt=dealt))
    offered = offer(model)
    assert offered is not None
    assert len(set(texts(model))) == orders
    assert offered.first is None
    for line in ("ok", "arrange"):
        assert read_line(model, line).command is None
    moves = {read_line(model, key).command for key in keys(model)}
    assert len(moves) == orders
    assert all(isinstance(move, c.PlayMove) and isinstance(move.move, Arrange) for move in moves)


def test_a_question_offers_no_first_and_yes_second() -> None:
    model = at(CLASSIC.draw, question=c.Quit())
    assert lines(model) == ["no", "yes"]
    assert keys(replace(model, lang="zh")) == ["否", "是"]
    assert read_line(model, "yes").command == c.Quit()


def test_two_questions_are_not_one_topic() -> None:
    one = offer(at(CLASSIC.draw, question=c.Quit()))
    other = offer(at(CLASSIC.draw, question=c.MarkCompared()))
    assert one is not None
    assert other is not None
    assert one.topic != other.topic


def test_nothing_is_offered_while_others_are_awaited() -> None:
    assert offer(at(replace(CLASSIC.draw, due=False))) is None
    assert offer(at(CLASSIC.answer)) is None


@pytest.mark.parametrize(
    ("out", "offered"),
    [
        ((), ["wait", "vote", "save"]),
        ((2,), ["wait", "claim", "save"]),
        ((1,), ["wait", "vote", "save"]),
    ],
)
def test_somebodys_silence_offers_what_can_be_done_about_it(
    out: tuple[int, ...], offered: list[str]
) -> None:
    silent = Lost(seat=1, since_s=0.0, opens_s=60.0, offered=True)
    state = state_after(rules(), first=1)
    rows = tuple(
        tuple(replace(piece, face=parse_tile("b0")) for piece in row) if seat in out else row
        for seat, row in enumerate(state.rows)
    )
    view = game_view(replace(state, rows=rows), due=False)
    # Who is silent and out owes its key: two others are in.
    assert lines(at(replace(view, lost=(silent,)))) == offered
    assert offer(at(replace(view, lost=(replace(silent, offered=False),)))) is None


def test_who_wanted_to_wait_can_still_follow_the_vote_of_another() -> None:
    away = Lost(seat=1, since_s=0.0, opens_s=60.0, votes=(2,))
    model = at(replace(CLASSIC.answer, lost=(away,)))
    assert lines(model) == ["wait", "vote", "save"]
    assert read_line(model, "vote").model.question == VoteOut(seat=1)


def test_saved_games_are_offered_where_there_are_any() -> None:
    assert "menu saved" not in lines(HALL)
    games = [Kept(table=table, names=("ana", "bo"), when="2026-01-02 20:00") for table in "ab"]
    model = show_saved(HALL, games).model
    assert "menu saved" in lines(model)
    page = read_line(model, "menu saved").model
    found = offer(page)
    assert found is not None
    assert found.items[1].text == "b, with ana, bo, last played 2026-01-02 20:00"
    assert read_line(page, "2").command == c.ResumeGame(word="2")


def test_who_left_is_not_called_silent() -> None:
    away = Lost(seat=1, since_s=5.0, opens_s=5.0, left=True, offered=True)
    found = offer(at(replace(CLASSIC.answer, lost=(away,))))
    assert found is not None
    assert found.title == "bo left. What will you do?"


def test_after_ones_own_vote_the_others_are_awaited_and_not_asked_again() -> None:
    away = Lost(seat=1, since_s=0.0, opens_s=60.0, offered=True, votes=(0,))
    model = at(replace(CLASSIC.answer, lost=(away,)))
    found = offer(model)
    assert found is not None
    assert found.title == "You voted to go on. Still awaited: cy."
    assert lines(model) == ["wait", "save"]


def test_the_arrows_begin_at_as_many_black_tiles_as_white_ones() -> None:
    found = offer(at(dealing("take")))
    picked = picked_item(found, Ui())
    assert picked is not None
    assert picked.line == "take 2 2"


# --- outside ---------------------------------------------------------------------------------


def test_tables_are_joined_by_where_they_are_not_by_their_place_in_a_list_that_changes() -> None:
    model = show_found(HALL, [found(), found(table="lamp", address="10.0.0.9:7")], []).model
    assert lines(model)[:2] == ["join 192.168.1.20:40000", "join 10.0.0.9:7"]
    assert read_line(model, "2").command == c.JoinAddress(host="10.0.0.9", port=7)


def test_an_address_is_begun_and_left_to_the_player() -> None:
    assert "join " in lines(HALL)
    assert "name " in lines(HALL)


def test_a_table_is_opened_by_choosing() -> None:
    model = read_line(HALL, "menu open").model
    for key in ("2", "3", "4", "5"):
        model = read_line(model, key).model
    assert model.draft == c.Draft(options=rules("standard", jokers="yes"), seats=3, bots=1)
    command = read_line(model, "1").command
    assert command == c.OpenTable(name=None, draft=model.draft)


def test_values_go_round_in_both_directions() -> None:
    model = replace(HALL, page="open")
    offered = offer(model)
    assert offered is not None
    players = offered.items[1]
    assert (players.line, players.back) == ("players 3", "players 4")
    assert players.name == "players"


def test_bots_need_seats_and_seats_leave_one_for_the_player() -> None:
    three = read_line(HALL, "bots 3").model.draft
    assert (three.seats, three.bots) == (4, 3)
    two = read_line(replace(HALL, draft=three), "players 2").model.draft
    assert (two.seats, two.bots) == (2, 1)


def test_rules_that_cannot_be_are_refused_with_the_reason() -> None:
    reply = read_line(HALL, "option backs hidden")
    assert reply.model.draft == HALL.draft
    assert "call colour" in reply.lines[0]


def test_everything_at_a_table_can_be_chosen() -> None:
    model = show_lobby(HALL, lobby(options=rules(first="youngest"))).model
    assert lines(model) == [
        *("ready", "menu rules", "players 4", "youngest 1", "menu seats", "menu away"),
        *("menu look", "leave"),
    ]
    assert isinstance(read_line(model, "3").command, SetSeats)
    assert isinstance(read_line(model, "4").command, SetYoungest)
    page = read_line(model, "menu rules").model
    assert read_line(page, "2").command == SetOption(key="jokers", value="no")
    order = read_line(read_line(model, "menu seats").model, "1").command
    keys_of = [member.key for member in lobby().members]
    assert order == SetOrder(order=(keys_of[1], keys_of[0], keys_of[2]))


def test_only_the_opener_can_send_somebody_away_and_is_asked() -> None:
    mine = show_lobby(HALL, lobby()).model
    page = read_line(mine, "menu away").model
    assert len(lines(page)) == len(lobby().members)
    assert "away from this table" in read_line(page, "1").lines[0]
    others = replace(lobby(), opener=lobby().members[1].key)
    theirs = show_lobby(HALL, others).model
    assert "menu away" not in lines(theirs)
    assert "Only the one who opened" in read_line(theirs, "menu away").lines[0]


def test_a_clock_of_ones_own_stays_among_the_values() -> None:
    model = replace(HALL, page="open", draft=c.Draft(options=rules(clock="90+30")))
    assert "option clock off" in lines(model)


def test_after_a_game_one_can_play_again_go_on_or_leave() -> None:
    over = replace(CLASSIC.draw, stage=Stage.OVER)
    model = at(over, stays=True, log_path="x.log", lobby=lobby())
    assert lines(model) == ["again", "leave", "quit"]
    resumed = at(over, stays=True, log_path="x.log")
    assert lines(resumed) == ["leave", "quit"]
    assert read_line(model, "legal").lines == ("You can type: again, leave, board, help, quit.",)
    assert read_line(resumed, "legal").lines == ("You can type: leave, board, help, quit.",)
    assert read_line(model, "again").command == c.Rematch()
    assert read_line(model, "leave").command == c.LeaveGame()
    assert offer(at(over, stays=True)) is None
    assert offer(at(over, log_path="x.log")) is None
    assert "game that is over" in read_line(at(CLASSIC.draw), "again").lines[0]
    assert "not over" in read_line(at(CLASSIC.draw), "leave").lines[0]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("menu chess", 'no choices called "chess"'),
        ("menu rules", "being formed"),
        ("menu seats", "being formed"),
    ],
)
def test_pages_that_are_not_there_say_so(line: str, why: str) -> None:
    assert why in read_line(HALL, line).lines[0]


def test_the_page_of_a_new_table_is_for_those_without_one() -> None:
    seated = show_lobby(HALL, lobby()).model
    assert "not opened yet" in read_line(seated, "menu open").lines[0]
    assert "before a table is opened" in read_line(seated, "bots 1").lines[0]
