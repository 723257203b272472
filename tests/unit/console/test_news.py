"""What is told when something happens, to whom, and how mark and notes follow their tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2p_davinci.console.commands import Place
from p2p_davinci.console.model import Model, Note
from p2p_davinci.console.news import enter_game, show_game, show_quiet, show_waiting
from p2p_davinci.rules.moves import (
    Answered,
    Awarded,
    Drawn,
    Fact,
    Overran,
    Placed,
    Resigned,
    Revealed,
    Stopped,
)
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import (
    Begun,
    Blamed,
    ClockCalled,
    ClockIgnored,
    Dealt,
    Drew,
    Event,
    GameOver,
    GameView,
    Halted,
    Happened,
    Heard,
    Progress,
    Refused,
    RoundOver,
    Stage,
)
from tests.unit.console.scenes import (
    HANDS,
    dealing,
    game_view,
    guessed,
    model_of,
    moments,
    rules,
    state_after,
    tiles,
)

CLASSIC = moments(rules())
W4, B9 = parse_tile("w4"), parse_tile("b9")


def news(
    before: GameView | None,
    events: Sequence[Event],
    after: GameView,
    options: Options | None = None,
    **changes: object,
) -> tuple[str, ...]:
    model = replace(model_of(before, options or rules()), **changes)  # type: ignore[arg-type]
    return show_game(model, events, after).lines


def fact_told(
    before: GameView, seat: int, fact: Fact, after: GameView, options: Options | None = None
) -> str:
    return news(before, [Happened(seat=seat, fact=fact)], after, options)[0]


def others_turn(*facts: Fact, options: Options | None = None, me: int = 0) -> GameView:
    """Return seat ``me``'s view in seat 1's turn."""
    return game_view(state_after(options or rules(), facts, first=1), seat=me)


# --- facts -------------------------------------------------------------------------------------


def test_ones_own_drawn_tile_is_told_to_oneself_alone() -> None:
    events: list[Event] = [Happened(seat=0, fact=Drawn(deck=1)), Drew(tile=W4)]
    lines = news(CLASSIC.draw, events, CLASSIC.guess)
    assert lines[0].startswith("You take a white tile; 13 tiles left in the pile")
    assert lines[1] == "You drew white 4. Only you see it."
    assert "Your turn" in lines[2]
    assert lines[3].startswith("You can type")


def test_anothers_draw_tells_the_back_alone() -> None:
    told = fact_told(others_turn(), 1, Drawn(deck=0), others_turn(Drawn(deck=0)))
    assert told == "bo draws a black tile; 13 tiles left in the pile (6 black, 7 white)."
    hidden = rules("advanced")
    told = fact_told(
        others_turn(options=hidden),
        1,
        Drawn(deck=0),
        others_turn(Drawn(deck=0), options=hidden),
        hidden,
    )
    assert told == "bo draws a tile; 13 tiles left in the pile."


def test_a_guess_is_told_with_its_place_and_whose_answer_is_awaited() -> None:
    told = fact_told(CLASSIC.guess, 0, guessed("2.3", "b9"), CLASSIC.answer)
    assert told == "You guess bo's tile 2.3: black 9. bo's answer is awaited."
    facts = (Drawn(deck=0), guessed("1.2", "6"))
    told = fact_told(others_turn(facts[0]), 1, facts[1], others_turn(*facts))
    assert told == "bo guesses your tile 1.2: 6. Your program answers by itself, truthfully."
    told = fact_told(others_turn(facts[0], me=2), 1, facts[1], others_turn(*facts, me=2))
    assert told == "bo guesses ana's tile 1.2: 6. ana's answer is awaited."


def test_a_hit_shows_the_tile_and_a_miss_what_it_is_not() -> None:
    assert fact_told(CLASSIC.answer, 1, Answered(tile=B9), CLASSIC.more) == (
        "Hit: bo's tile 2.3 is black 9. It lies open now."
    )
    assert fact_told(CLASSIC.answer, 1, Answered(tile=None), CLASSIC.place) == (
        "Miss: bo's tile 2.3 is not black 9."
    )
    asked = (Drawn(deck=0), guessed("1.2", "6"))
    miss = others_turn(*asked, Answered(tile=None))
    told = fact_told(others_turn(*asked), 0, Answered(tile=None), miss)
    assert told == "Miss: your tile 1.2 is not 6."


def test_guess_and_answer_may_come_at_once() -> None:
    events: list[Event] = [
        Happened(seat=0, fact=guessed("2.3", "b9")),
        Happened(seat=1, fact=Answered(tile=B9)),
    ]
    lines = news(CLASSIC.guess, events, CLASSIC.more)
    assert lines[1] == "Hit: bo's tile 2.3 is black 9. It lies open now."


def test_a_ruled_miss_says_that_nothing_follows() -> None:
    options = rules("advanced")
    before = moments(options).guess
    facts = (Drawn(deck=0), guessed("2.3", "9"))
    after = game_view(state_after(options, facts), drawn=W4)
    lines = news(before, [Happened(seat=0, fact=facts[1])], after, options)
    assert lines[0] == "You guess bo's tile 2.3: 9."
    assert "by this table's rule that is a miss" in lines[1]
    assert "answer is awaited" not in " ".join(lines)


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        (Stopped(slot=None), "bo stops."),
        (Stopped(slot=2), "bo stops. The drawn tile stands at 2.2, face down."),
        (Placed(slot=2, tile=W4), "bo's drawn tile lies open at 2.2: white 4."),
        (
            Revealed(slot=2, tile=parse_tile("b4")),
            "bo turns up a tile of the own row, 2.2: black 4.",
        ),
        (Overran(), "bo's time is up."),
        (
            Overran(deck=0),
            "bo's time is up before the draw: a black tile is drawn and counts as missed.",
        ),
        (
            Overran(slot=3),
            "bo's time is up: the turn ends, and the drawn tile stands at 2.3, face down.",
        ),
        (
            Awarded(row=tiles("w0", "b4")),
            "bo's row is opened and its standing numbers count: white 0, black 4.",
        ),
    ],
)
def test_what_others_do_is_told(fact: Fact, told: str) -> None:
    assert fact_told(others_turn(), 1, fact, others_turn()) == told


def test_a_resignation_shows_the_row() -> None:
    row = tiles(*HANDS[1])
    fact = Resigned(seat=1, row=row, drawn=W4)
    lines = news(others_turn(), [Happened(seat=1, fact=fact)], others_turn())
    assert lines[:2] == (
        "bo resigns. The row lies open: white 0, black 4, black 9, white 11.",
        "bo's drawn tile, white 4, joins it.",
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


def test_the_words_to_compare_are_told_once_with_what_they_are_for() -> None:
    before = dealing("shuffle", due=False)
    after = replace(before, compare=("river", "lamp"), digits="01234 56789")
    lines = news(before, [], after)
    assert lines[0] == "Compare aloud with everybody at the table: river lamp / 01234 56789"
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
    quiet = news(others_turn(), [], CLASSIC.draw, board_each_turn=False)
    assert not any(line.startswith("2 bo") for line in quiet)
    assert not any(line.startswith("2 bo") for line in news(CLASSIC.draw, [], CLASSIC.guess))


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


# --- other events ------------------------------------------------------------------------------


def test_progress_names_the_step_and_who_is_awaited() -> None:
    view = dealing("commit", due=False)
    lines = news(view, [Progress(kind="commit", done=1, total=3)], view)
    assert lines == ("Sealing the keys: 1 of 3 done. Waiting for bo.",)
    done = news(view, [Progress(kind="commit", done=3, total=3)], view)
    assert done == ("Sealing the keys: 3 of 3 done.",)


def test_progress_that_is_overtaken_at_once_is_left_out() -> None:
    view = dealing("shuffle", due=False)
    events = [Progress(kind="shuffle", done=n, total=3) for n in (1, 2, 3)]
    assert news(view, events, view) == ("Shuffling: 3 of 3 done.",)


def test_ones_tiles_are_told_when_dealt() -> None:
    view = dealing("arrange", dealt=("w7", "b-"))
    lines = news(dealing("shares", due=False), [Dealt(tiles=view.dealt)], view)
    assert lines[0] == "Your tiles: white 7, black joker. Only you see them."
    assert lines[1].startswith("Stand your tiles.")


def test_a_refusal_says_why_that_nothing_was_sent_and_what_to_type() -> None:
    refused = Refused(reason="illegal.face_up", values=(("place", "2.3"), ("tile", "b9")))
    lines = news(CLASSIC.more, [refused], CLASSIC.more)
    assert lines[0] == ("2.3 lies open already: black 9. Point at a hidden tile. Nothing was sent.")
    assert lines[1].startswith("You can type: 2.3 = 7")


@pytest.mark.parametrize(
    ("reason", "values", "told"),
    [
        ("refused.not_now", (), "That is not due now."),
        ("illegal.out", (("seat", "2"),), "bo is out;"),
        ("illegal.colour_used_up", (("deck", "2"),), "No white tile is left"),
        ("illegal.no_such_seat", (("seat", "9"),), "no seat 9"),
        ("refused.unheard_of", (), "not accepted (unheard_of)"),
    ],
)
def test_reasons_are_told_with_names(
    reason: str, values: tuple[tuple[str, str], ...], told: str
) -> None:
    assert told in news(CLASSIC.draw, [Refused(reason=reason, values=values)], CLASSIC.draw)[0]


def test_what_is_said_is_cleaned() -> None:
    lines = news(CLASSIC.draw, [Heard(seat=1, text="\u202ehi\x1b[2J\nall")], CLASSIC.draw)
    assert lines == ("bo says: hi[2J all",)
    assert news(CLASSIC.draw, [Heard(seat=0, text="hi")], CLASSIC.draw) == ("You say: hi",)


def test_a_name_cannot_pass_for_the_listener_or_break_the_line() -> None:
    spoof = ("ana", "you", "c\u202ey\nx" + "z" * 99)
    view = replace(CLASSIC.draw, names=spoof)
    lines = news(view, [Heard(seat=1, text="a"), Heard(seat=2, text="b")], view)
    assert lines == ("you (2) says: a", "cy xzzzzzzzzzzzz says: b")


def test_the_clock_is_told_with_the_seconds() -> None:
    assert (
        "by bo: 20 seconds"
        in news(CLASSIC.draw, [ClockCalled(by=1, seat=0, call_s=20)], CLASSIC.draw)[0]
    )
    assert news(CLASSIC.draw, [ClockCalled(by=0, seat=1, call_s=1)], CLASSIC.draw) == (
        "The clock was called on bo by you: 1 second from now.",
    )
    ignored = news(CLASSIC.draw, [ClockIgnored(seat=2)], CLASSIC.draw)
    assert ignored[0].startswith("The clock of cy ran out")


@pytest.mark.parametrize(
    ("proved", "means"), [(True, "The game is void"), (False, "proves nothing to others")]
)
def test_blame_says_what_failed_and_what_that_proves(proved: bool, means: str) -> None:
    blamed = Blamed(seat=1, step=12, check="order.digits", proved=proved)
    lines = news(CLASSIC.draw, [blamed], replace(CLASSIC.draw, stage=Stage.HALTED))
    assert "bo" in lines[0]
    assert "step 12: the proof that its row is in order failed (order.digits)" in lines[0]
    assert means in lines[1]


def test_a_halt_says_why() -> None:
    halted = replace(CLASSIC.draw, stage=Stage.HALTED)
    assert (
        "without a word from bo" in news(CLASSIC.draw, [Halted(reason="silent", seat=1)], halted)[0]
    )
    odd = news(CLASSIC.draw, [Halted(reason="earthquake")], halted)
    assert odd == (
        "The game stopped (earthquake). Concerned: nobody. The log is saved up to here.",
    )


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
    assert after.compared


def test_a_game_is_not_shown_before_it_is_entered() -> None:
    with pytest.raises(ValueError, match="enter_game"):
        show_game(Model(lang="en", salt=b""), [], CLASSIC.draw)


def test_silence_is_told_with_its_seconds() -> None:
    model = model_of(others_turn(), rules())
    assert show_quiet(model, 1, 6).lines == ("Nothing heard from bo for 6 seconds.",)
    assert show_quiet(model, 1, 0).lines == ("bo is heard again.",)
    assert show_waiting(model, 30).lines == (
        "Still waiting for bo (to draw a tile), 30 seconds now.",
    )
    assert show_waiting(replace(model, game=None), 30).lines == ()


def test_chinese_players_are_told_the_same() -> None:
    model = model_of(CLASSIC.answer, rules(), "zh")
    lines = show_game(model, [Happened(seat=1, fact=Answered(tile=B9))], CLASSIC.more).lines
    assert lines[0] == "猜对：bo 的 2.3 是 黑 9，现在翻开了。"
    assert "可以继续猜" in lines[1]
    assert lines[2].startswith("现在可以输入：2.3 = 7、停 2")
