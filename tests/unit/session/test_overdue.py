"""Where overdue turns left their tiles, found out from the whole history of a row."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2p_davinci.rules.moves import Draw, Move, Place, Resign, Stop
from p2p_davinci.session import placing
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import Event, Recording, calls_clock, passes

CLOCK = {"clock": "60+20"}
HANDS = ("b5 w- w8 b-", "b1 b2 w7 w9", "w0 w1 b4 b11")


def runs_out(caller: int) -> tuple[Event, ...]:
    return passes(60), calls_clock(caller), passes(20)


def turn(*moves: Move | Event) -> tuple[Move | Event, ...]:
    return moves


def hits(seat: int, row: str) -> list[Move]:
    return [guess(f"{seat}.{slot}", tile) for slot, tile in enumerate(row.split(), 1)]


def play(moves: Sequence[Move | Event], pile: str, *, first: int, backwards: bool) -> Recording:
    table = dealt_table(HANDS, pile, "advanced", CLOCK, first=first)
    with pytest.MonkeyPatch.context() as patch:
        if backwards:
            honest = placing.slots_for
            patch.setattr(placing, "slots_for", lambda *given: honest(*given)[::-1])
        return record_dealt(table, HANDS, pile, moves)


def blamed(recording: Recording) -> set[tuple[int, int, str] | None]:
    """What the peers say in the end about who is to blame."""
    found = [peer.blamed for peer in recording.end.peers]
    return {None if one is None else (one.seat, one.step, one.check) for one in found}


def test_a_tile_that_was_stood_before_counts_in_the_row_of_an_overdue_turn() -> None:
    """Stood right of the joker by choice; the overdue tile's slot is reckoned from there."""
    moves: list[Move | Event] = [
        *turn(Draw(deck=0), guess("2.1", "b1"), Stop(slot=3)),
        *turn(Draw(deck=0), guess("1.1", "w11"), Place(slot=4)),
        *turn(Draw(deck=0), guess("1.1", "w11"), Place(slot=5)),
        *turn(Draw(deck=0), guess("2.2", "b2"), *runs_out(1)),
        *turn(Draw(deck=0), *hits(1, "b5 w- b6 w6 w8 b-")),
    ]
    game = play(moves, "b6 b8 w11 w6 w10", first=0, backwards=False)
    assert game.find("overdue").table.peers[1].game.round.board.turn == 0
    assert 0 in game.end.peers[1].game.round.board.out
    assert blamed(game) == {None}


@pytest.mark.parametrize("backwards", [False, True])
def test_the_step_that_is_blamed_is_that_of_its_seat(backwards: bool) -> None:
    """Seat 1 runs out of time first, without a tile to stand, and then places what it drew."""
    moves: list[Move | Event] = [
        *turn(Draw(deck=0), *runs_out(2), Place(slot=3)),
        *turn(Draw(deck=0), guess("2.1", "w11"), Place(slot=3)),
        *turn(Draw(deck=0), guess("2.1", "b1"), *runs_out(1)),
        *turn(Draw(deck=0), *hits(1, "b5 w- b6 w8 b-" if backwards else "b5 b6 w- w8 b-")),
    ]
    game = play(moves, "w3 b3 b6 w10", first=1, backwards=backwards)
    late = game.find("overdue", seat=0).payload
    assert blamed(game) == {(0, late.step, "overdue.slot") if backwards else None}


def test_who_has_run_out_of_time_may_resign_before_it_draws_again() -> None:
    """Its key shows the row when nothing is drawn."""
    moves: list[Move | Event] = [
        *turn(Draw(deck=0), guess("2.1", "b1"), *runs_out(1)),
        *turn(Draw(deck=0), guess("1.1", "w11"), Place(slot=4)),
        *turn(Draw(deck=0), guess("1.1", "w11"), Place(slot=5)),
        Resign(),
    ]
    game = play(moves, "b6 b8 w11", first=0, backwards=False)
    assert 0 in game.end.peers[1].game.round.board.out
    assert blamed(game) == {None}


def test_who_runs_out_of_time_and_places_its_tile_has_done_nothing_wrong() -> None:
    moves: list[Move | Event] = [
        *turn(Draw(deck=0), *runs_out(1), Place(slot=3)),
        *turn(Draw(deck=0), *hits(1, "b5 w- b6 w8 b-")),
    ]
    game = play(moves, "b6 w10", first=0, backwards=False)
    assert 0 in game.end.peers[1].game.round.board.out
    assert blamed(game) == {None}
