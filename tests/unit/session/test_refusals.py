"""What one's own player may not do is refused before anything is proved or sent."""

from __future__ import annotations

import functools

import pytest

from p2p_davinci.rules.moves import (
    Arrange,
    Call,
    Draw,
    Guess,
    Move,
    Overdue,
    Place,
    Resign,
    Reveal,
    Stop,
    Take,
)
from p2p_davinci.session.events import Refused
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import Event, recording
from tests.support.table import Table, seeded

HANDS = ("b5 w- w8 w9", "b1 b2 w6 w7", "w0 w1 b4 b11")
HIT, MISS = guess("2.1", "b1"), guess("2.1", "b10")


@functools.cache
def stage(preset: str, *moves: Move | Event) -> Table:
    table = dealt_table(HANDS, "b6", preset, first=None if preset == "classic" else 0)
    return record_dealt(table, HANDS, "b6", moves).end


def after(*moves: Move | Event) -> Table:
    return stage("advanced", *moves).fork(seeded("refusals"))


def refusal(table: Table, seat: int, move: Move) -> tuple[str, dict[str, str]]:
    """Make a move; check that it leaves no trace and return why it was refused."""
    peer = table.peers[seat]
    game, sent, kept = peer.game, len(peer.sent), len(peer.secrets.records)
    told = len(peer.told(Refused))
    table.play(seat, move)
    assert (peer.game, len(peer.sent), len(peer.secrets.records)) == (game, sent, kept)
    (refused,) = peer.told(Refused)[told:]
    return refused.reason, dict(refused.values)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moves", "seat", "move", "reason"),
    [
        ((), 1, Draw(deck=0), "illegal.not_your_turn"),
        ((), 0, Draw(deck=1), "illegal.no_such_deck"),
        ((), 0, HIT, "illegal.draw_first"),
        ((), 0, Take(counts=(4,)), "refused.not_now"),
        ((), 0, Arrange(order=(0, 1, 2, 3)), "refused.not_now"),
        ((), 0, Overdue(deck=0), "illegal.no_clock"),
        ((Draw(deck=0),), 0, Draw(deck=0), "illegal.guess_first"),
        ((Draw(deck=0),), 0, Stop(), "illegal.guess_first"),
        ((Draw(deck=0),), 0, guess("1.1", "b5"), "illegal.own_tile"),
        ((Draw(deck=0),), 0, guess("4.1", "b5"), "illegal.no_such_seat"),
        ((Draw(deck=0),), 0, guess("2.5", "b5"), "illegal.no_such_slot"),
        ((Draw(deck=0),), 0, guess("2.0", "b5"), "illegal.no_such_slot"),
        ((Draw(deck=0),), 0, guess("2.1", "b12"), "illegal.no_such_tile"),
        ((Draw(deck=0), HIT), 0, guess("2.1", "b2"), "illegal.face_up"),
        ((Draw(deck=0), HIT), 0, Place(slot=2), "illegal.guess_or_stop"),
        ((Draw(deck=0), HIT), 0, Stop(), "illegal.slot_needed"),
        ((Draw(deck=0), HIT), 0, Stop(slot=4), "illegal.slot_illegal"),
        ((Draw(deck=0), HIT), 0, Stop(slot=0), "illegal.no_such_slot"),
        ((Draw(deck=0), MISS), 0, Place(), "illegal.slot_needed"),
        ((Draw(deck=0), MISS), 0, Place(slot=1), "illegal.slot_illegal"),
        ((Draw(deck=0), MISS), 0, Place(slot=9), "illegal.no_such_slot"),
        ((Draw(deck=0), MISS), 0, Reveal(slot=1), "illegal.place_first"),
        ((Draw(deck=0), MISS), 0, Resign(), "illegal.place_first"),
    ],
)
def test_a_move_that_may_not_be_is_refused(
    moves: tuple[Move, ...], seat: int, move: Move, reason: str
) -> None:
    assert refusal(after(*moves), seat, move)[0] == reason


def test_a_refusal_names_the_slots_that_are_legal() -> None:
    _, values = refusal(after(Draw(deck=0), HIT), 0, Stop())
    assert values == {"tile": "b6", "slots": "2, 3"}


def test_nothing_is_done_while_shares_are_awaited() -> None:
    table = after()
    table.play(0, Draw(deck=0))
    assert refusal(table, 0, HIT)[0] == "refused.not_now"


@pytest.mark.parametrize("slot", [2, 3])
def test_what_may_be_is_done(slot: int) -> None:
    table = after(Draw(deck=0), HIT)
    table.play(0, Stop(slot=slot))
    table.deliver()
    assert table.peers[0].told(Refused) == []
    assert table.peers[1].game.round.board.turn == 1


@pytest.mark.parametrize(
    "counts", [(4, 1), (3,), (5, -1), (2, 1, 1), (0, 0)], ids=lambda counts: str(counts)
)
def test_a_hand_must_have_its_size(counts: tuple[int, ...]) -> None:
    table = recording("classic").find("take", seat=0).table.fork(seeded("take"))
    reason, values = refusal(table, 2, Take(counts=counts))
    assert (reason, values) == ("illegal.wrong_count", {"tiles": "4"})


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 1, 2, 2), (0, 1, 2, 4), ()])
def test_an_arrangement_must_stand_every_tile(order: tuple[int, ...]) -> None:
    table = recording("advanced").find("arrange", seat=0).table.fork(seeded("arrange"))
    assert refusal(table, 2, Arrange(order=order))[0] == "illegal.wrong_arrangement"


def test_nobody_but_a_player_moves() -> None:
    table = after()
    table.peers[0].driver._who = None
    table.play(0, Draw(deck=0))
    assert table.peers[0].told(Refused) == [Refused(reason="refused.watching")]


def test_nobody_resigns_before_the_deal() -> None:
    table = recording("classic").find("take", seat=0).table.fork(seeded("take"))
    assert refusal(table, 2, Resign())[0] == "refused.not_now"


def test_who_is_out_does_not_resign_again() -> None:
    table = after()
    table.play(0, Resign())
    table.deliver()
    assert refusal(table, 0, Resign())[0] == "illegal.already_out"


def test_a_call_is_made_of_words_that_mean_something() -> None:
    call = Call(colour=None, number=5)
    table = after(Draw(deck=0))
    table.play(0, Guess(seat=1, slot=1, call=call))
    table.deliver()
    assert table.peers[0].told(Refused) == []
