"""What is told when something happens, and to whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

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
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import (
    Blamed,
    ClockCalled,
    ClockIgnored,
    Dealt,
    Drew,
    Event,
    Halted,
    Happened,
    Heard,
    Progress,
    Refused,
    Stage,
)
from tests.unit.console.heard import B9, CLASSIC, W4, fact_told, news, others_turn
from tests.unit.console.scenes import (
    HANDS,
    dealing,
    game_view,
    guessed,
    moments,
    rules,
    state_after,
    tiles,
)

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
    assert lines[1].startswith("Stand your tiles: w7 b-.")


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
