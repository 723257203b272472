"""What two views tell when they are compared, and what the model keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.console.commands import Place
from p2p_davinci.console.model import Model, Note
from p2p_davinci.console.news import enter_game, show_game, show_quiet, show_waiting
from p2p_davinci.rules.moves import (
    Answered,
    Drawn,
    Fact,
    Overran,
    Placed,
    Resigned,
    Stopped,
)
from p2p_davinci.session.events import (
    Begun,
    Drew,
    Event,
    GameOver,
    GameView,
    Happened,
    Heard,
    Lost,
    Offered,
    Refused,
    RoundOver,
    Stage,
)
from tests.unit.console.heard import B9, CLASSIC, W4, news, others_turn
from tests.unit.console.scenes import (
    HANDS,
    dealing,
    game_view,
    model_of,
    rules,
    state_after,
    tiles,
)

# --- what shows when views are compared --------------------------------------------------------


def test_who_is_out_is_told_before_who_won() -> None:
    fact = Resigned(seat=1, row=tiles(*HANDS[1]), drawn=None)
    state = state_after(rules(), [fact])
    events: list[Event] = [
        Happened(seat=1, fact=fact),
        RoundOver(winner=2, points=(0, 0, 0), totals=(0, 0, 0)),
    ]
    lines = news(CLASSIC.draw, events, game_view(state))
    out = lines.index("All of bo's tiles lie open: bo is out.")
    assert out < lines.index("Round 1 is over. cy wins it.")


def test_being_out_oneself_is_told() -> None:
    fact = Resigned(seat=0, row=tiles(*HANDS[0]), drawn=None)
    lines = news(
        CLASSIC.draw, [Happened(seat=0, fact=fact)], game_view(state_after(rules(), [fact]))
    )
    assert "All your tiles lie open: you are out. You may watch to the end." in lines


def with_pile(view: GameView, pile: tuple[int, int]) -> GameView:
    assert view.board is not None
    return replace(view, board=replace(view.board, state=replace(view.board.state, pile=pile)))


@pytest.mark.parametrize(
    ("empty_miss", "cost"), [("reveal", "turns up one"), ("pass", "only ends")]
)
def test_an_empty_pile_is_told_once_with_what_it_changes(empty_miss: str, cost: str) -> None:
    options = rules(empty_miss=empty_miss)
    full, empty = (game_view(state_after(options), drawn=None) for _ in range(2))
    full, empty = with_pile(full, (0, 1)), with_pile(empty, (0, 0))
    told = [line for line in news(full, [], empty, options) if line.startswith("The pile is empty")]
    assert len(told) == 1
    assert cost in told[0]
    assert news(empty, [], empty, options) == ()


def test_a_broken_link_is_told_and_so_is_its_return() -> None:
    lost = replace(CLASSIC.draw, down=(1,))
    assert "The connection to bo is lost" in news(CLASSIC.draw, [], lost)[0]
    assert news(lost, [], CLASSIC.draw) == ("bo is connected again.",)
    assert news(lost, [], lost) == ()


def test_a_resignation_that_waits_is_told_of_when_the_program_comes_back() -> None:
    waits = replace(CLASSIC.draw, resigning=True)
    assert any(line.startswith("Your resignation goes out") for line in news(None, [], waits))
    assert news(CLASSIC.draw, [], waits) == ()


def test_who_plays_another_game_is_not_called_lost() -> None:
    away = replace(CLASSIC.draw, down=(1,), elsewhere=(1,))
    (line,) = news(CLASSIC.draw, [], away)
    assert line.startswith("bo is connected, but plays another game")
    assert news(away, [], CLASSIC.draw) == ("bo is connected again.",)


def test_who_is_looked_for_when_the_program_comes_back_is_not_called_lost() -> None:
    absent = replace(CLASSIC.draw, down=(1,))
    assert not any("bo" in line and "lost" in line for line in news(None, [], absent))
    assert "bo is connected again." in news(absent, [], CLASSIC.draw)
    later = replace(absent, round=absent.round + 1)
    assert not any("lost" in line for line in news(absent, [], later))


def test_a_departure_is_told_once_whatever_else_shows_it() -> None:
    left = replace(CLASSIC.draw, left=(1,))
    (line,) = news(CLASSIC.draw, [], left)
    assert line.startswith("bo has left the game. It is saved")
    gone = replace(left, down=(1,))
    assert news(left, [], gone) == ()
    assert news(gone, [], CLASSIC.draw) == ("bo is connected again.",)
    offered = Offered(seat=1, waited_s=0, vote=False, claim=False, left=True)
    told = news(CLASSIC.draw, [offered], left)
    assert [line[:11] for line in told] == ["bo has left", "Your choice"]


def test_who_is_out_may_close_the_program_and_nobody_is_awaited_for_it() -> None:
    resigned = Resigned(seat=1, row=tiles(*HANDS[1]), drawn=None)
    before = game_view(state_after(rules(), (resigned,)))
    told = news(before, [], replace(before, left=(1,)))
    assert told == ("bo, who is out, has closed the program. The game goes on.",)


def test_the_words_to_compare_are_told_once_with_what_they_are_for() -> None:
    before = dealing("shuffle", due=False)
    after = replace(before, compare=("river", "lamp"), digits="01234 56789")
    lines = news(before, [], after)
    assert lines[0] == "Compare aloud with everybody: river lamp / 01234 56789"
    assert "not compared" in lines[1]
    assert news(after, [], after) == ()
    assert news(before, [], after, compared=True) == ()


def test_the_whole_table_is_told_when_a_round_and_when_ones_own_turn_begins() -> None:
    begun = news(dealing("arrange", due=False), [Begun(number=1, first=1)], others_turn())
    assert begun[0] == "The tiles stand. bo begins."
    assert any(line.startswith("3 cy") for line in begun)
    assert begun[-1] == "bo's turn: bo must draw a tile."
    mine = news(others_turn(), [], CLASSIC.draw)
    assert any(line.startswith("2 bo") for line in mine)
    quiet = news(others_turn(), [], CLASSIC.draw, on_screen=True)
    assert not any(line.startswith("2 bo") for line in quiet)
    assert not any(line.startswith("2 bo") for line in news(CLASSIC.draw, [], CLASSIC.guess))


@pytest.mark.parametrize("kind", ["shares", "answer", "key"])
def test_who_comes_back_while_nothing_is_due_is_told_the_table_once(kind: str) -> None:
    drawn = game_view(state_after(rules(), [Drawn(deck=1)]), due=False)
    view = {"shares": drawn, "answer": CLASSIC.answer, "key": over_without_keys()}[kind]
    view = replace(view, kind=kind)
    back = news(None, [], view, compared=True)
    assert [line[:2] for line in back if line[:2] in ("1 ", "2 ", "3 ")] == ["1 ", "2 ", "3 "]
    assert news(view, [], view) == ()
    assert news(None, [], view, compared=True, on_screen=True) == ()


def over_without_keys() -> GameView:
    facts = [Resigned(seat=seat, row=tiles(*HANDS[seat]), drawn=None) for seat in (0, 1)]
    return game_view(state_after(rules(), facts))


def test_who_comes_back_to_the_end_is_told_the_rows_once() -> None:
    over = replace(over_without_keys(), faces=tuple(tiles(*hand) for hand in HANDS))
    assert sum(line.startswith("2 bo") for line in news(None, [], over)) == 1


def test_what_is_due_is_told_once() -> None:
    assert news(CLASSIC.draw, [], CLASSIC.draw) == ()


def test_at_the_end_every_row_is_told() -> None:
    over = replace(CLASSIC.draw, stage=Stage.OVER, faces=tuple(tiles(*hand) for hand in HANDS))
    events = [GameOver(winners=(0, 2), totals=(3, 1, 3), head=bytes(range(32)))]
    lines = news(CLASSIC.draw, events, over, rules(scoring="revealed"))
    assert lines[0] == "The game is over. The win is shared: you, cy."
    assert lines[1] == "Points in all: you 3, bo 1, cy 3."
    assert lines[2] == "All programs must show the same final check: 0001020304050607."
    assert "3 cy, 4 of 4 hidden:  3.1 [b0]  3.2 [w2]  3.3 [b8]  3.4 [w9]" in lines


@pytest.mark.parametrize(("number", "told"), [(1, True), (2, False)])
def test_on_a_screen_the_rows_of_a_round_are_told_unless_they_stay_in_view(
    number: int, told: bool
) -> None:
    options = rules(rounds="2", scoring="revealed")
    model = replace(model_of(CLASSIC.draw, options), on_screen=True)
    faces = tuple(tiles(*hand) for hand in HANDS)
    view = replace(CLASSIC.draw, stage=Stage.ENDING, round=number, faces=faces)
    before = replace(model, game=replace(CLASSIC.draw, round=number))
    lines = show_game(before, [], view).lines
    assert any("3.1 [b0]" in line for line in lines) is told


def test_points_are_told_only_where_there_are_some() -> None:
    events = [RoundOver(winner=0, points=(1, 0, 0), totals=(4, 0, 2))]
    assert news(CLASSIC.draw, events, CLASSIC.draw) == ("Round 1 is over. You win it.",)
    scored = news(CLASSIC.draw, events, CLASSIC.draw, rules(scoring="revealed"))
    assert scored[1:] == (
        "Points of this round: you 1, bo 0, cy 0.",
        "Points in all: you 4, bo 0, cy 2.",
    )


@pytest.mark.parametrize(
    ("number", "rounds", "told"),
    [
        (1, 1, "The tiles stand. You begin."),
        (2, 3, "Round 2 of 3. You begin."),
        (4, 3, "The totals are equal: an extra round. You begin."),
    ],
)
def test_a_round_is_announced(number: int, rounds: int, told: str) -> None:
    options = rules("tournament", rounds=str(rounds))
    view = replace(game_view(state_after(options)), round=number)
    assert news(None, [Begun(number=number, first=0)], view, options)[0] == told


# --- the model ---------------------------------------------------------------------------------


def after_growth(fact: Fact, seat: int) -> Model:
    notes = tuple(Note(place=Place(seat=1, slot=k), text=str(k)) for k in (1, 2, 3))
    model = replace(model_of(others_turn(), rules()), notes=notes, mark=Place(seat=1, slot=3))
    return show_game(model, [Happened(seat=seat, fact=fact)], others_turn()).model


@pytest.mark.parametrize("fact", [Stopped(slot=2), Placed(slot=2, tile=W4), Overran(slot=2)])
def test_mark_and_notes_follow_their_tile_when_its_row_grows(fact: Fact) -> None:
    model = after_growth(fact, 1)
    assert [(str(note.place), note.text) for note in model.notes] == [
        ("2.1", "1"),
        ("2.3", "2"),
        ("2.4", "3"),
    ]
    assert model.mark == Place(seat=1, slot=4)


@pytest.mark.parametrize(
    ("fact", "seat"), [(Stopped(slot=2), 2), (Stopped(slot=None), 1), (Drawn(deck=0), 1)]
)
def test_mark_and_notes_stay_when_their_row_does_not_grow(fact: Fact, seat: int) -> None:
    model = after_growth(fact, seat)
    assert [str(note.place) for note in model.notes] == ["2.1", "2.2", "2.3"]
    assert model.mark == Place(seat=1, slot=3)


def test_a_new_round_takes_mark_and_notes_away() -> None:
    note = Note(place=Place(seat=1, slot=1), text="x")
    model = replace(model_of(CLASSIC.draw, rules()), notes=(note,), mark=Place(seat=1, slot=1))
    after = show_game(model, [], replace(CLASSIC.draw, round=2)).model
    assert (after.notes, after.mark) == ((), None)


def test_the_log_keeps_what_all_saw_and_in_which_turn_but_nothing_private() -> None:
    events: list[Event] = [
        Happened(seat=0, fact=Drawn(deck=1)),
        Drew(tile=W4),
        Refused(reason="refused.not_now"),
        Heard(seat=1, text="hm"),
    ]
    log = show_game(model_of(CLASSIC.draw, rules()), events, CLASSIC.guess).model.log
    assert [(line.round, line.turn, line.text[:8]) for line in log] == [
        (1, 1, "You take"),
        (1, 1, "bo says:"),
    ]
    assert "white 4" not in " ".join(line.text for line in log)


def test_entering_a_game_forgets_the_one_before() -> None:
    model = replace(model_of(CLASSIC.draw, rules()), mark=Place(seat=1, slot=1), compared=True)
    after = enter_game(model, rules("standard"))
    assert (after.game, after.mark, after.options) == (None, None, rules("standard"))
    assert not after.compared
    assert enter_game(model, rules(), compared=True).compared


def test_a_game_is_not_shown_before_it_is_entered() -> None:
    with pytest.raises(ValueError, match="enter_game"):
        show_game(Model(lang="en"), [], CLASSIC.draw)


def test_silence_is_told_with_its_seconds() -> None:
    model = model_of(others_turn(), rules())
    assert show_quiet(model, 1, 6).lines == ("Nothing heard from bo for 6 seconds.",)
    assert show_quiet(model, 1, 0).lines == ("bo is heard again.",)
    assert show_waiting(model, 30).lines == (
        "Still waiting for bo (to draw a tile), 30 seconds now.",
    )
    assert show_waiting(replace(model, game=None), 30).lines == ()


def test_who_is_asked_about_a_silent_player_is_not_told_of_the_silence_besides() -> None:
    silent = Lost(seat=1, since_s=0.0, opens_s=60.0)
    model = model_of(replace(others_turn(), lost=(silent,)), rules())
    assert len(show_waiting(model, 90).lines) == 1
    asked = model_of(replace(others_turn(), lost=(replace(silent, offered=True),)), rules())
    assert show_waiting(asked, 90).lines == ()


def test_chinese_players_are_told_the_same() -> None:
    model = model_of(CLASSIC.answer, rules(), "zh")
    lines = show_game(model, [Happened(seat=1, fact=Answered(tile=B9))], CLASSIC.more).lines
    assert lines[0] == "猜对：bo 的 2.3 是 黑 9，现在翻开了。"
    assert "可以继续猜" in lines[1]
    assert lines[2].startswith("现在可以输入：2.3 = 7、2.3 = 横杠、停 2")
