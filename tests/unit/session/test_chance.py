"""What is chosen for a player: by chance among all that is legal, whatever its tiles are."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pytest

from p2p_davinci.rules.moves import Draw, Move, Overran, Place, Placed, Revealed
from p2p_davinci.rules.tiles import legal_slots
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.chance import pick
from p2p_davinci.session.game import own_faces
from p2p_davinci.session.play import RECEIPT_WAIT_S
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import Event, Recording, calls_clock, finish, passes
from tests.support.table import Table, seeded

CLOCK = {"clock": "60+20"}
OTHER = "b1 b2 w7 w9"
SEEDS = range(24)
RUNS_OUT: tuple[Event, ...] = (passes(60), calls_clock(1), passes(20))


def test_each_of_several_items_is_picked_about_as_often() -> None:
    entropy = seeded("pick")
    picked = [pick("abc", entropy) for _ in range(3000)]
    assert all(900 < picked.count(item) < 1100 for item in "abc")


def test_the_only_item_takes_fresh_bytes_as_well() -> None:
    """So nothing that follows tells whether there was a choice."""
    asked: list[int] = []

    def entropy(count: int) -> bytes:
        asked.append(count)
        return bytes(count)

    assert [pick("a", entropy), pick("abc", entropy)] == ["a", "a"]
    assert asked[0] == asked[1]


def test_of_nothing_nothing_is_picked() -> None:
    with pytest.raises(ValueError, match="nothing"):
        pick("", seeded(0))


# --- time is up ------------------------------------------------------------------------------


@functools.cache
def called(hand: str, drawn: str, *moves: Move) -> Recording:
    """Seat 0 draws and moves; the clock is called on it, and its time is nearly up."""
    hands = (hand, OTHER)
    table = dealt_table(hands, drawn, "advanced", CLOCK)
    events: Sequence[Move | Event] = (Draw(deck=0), *moves, passes(60), calls_clock(1))
    return record_dealt(table, hands, drawn, events)


def forked(recording: Recording, seed: int) -> Table:
    return recording.end.fork(seeded(("chance", seed)))


def legal(table: Table) -> set[int]:
    row, drawn = own_faces(table.peers[0].game)
    assert drawn is not None
    return set(legal_slots(row, drawn))


DRAWN = [
    ("b5 w- w8 w11", "b6"),
    pytest.param("b0 b3 w5 w8", "b-", marks=pytest.mark.slow),
    pytest.param("w- b5 b- w8", "b6", marks=pytest.mark.slow),
    pytest.param("b0 b3 w5 w8", "b6", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("hand", "drawn"), DRAWN)
def test_the_tile_of_an_overdue_turn_takes_every_slot_where_it_may_stand(
    hand: str, drawn: str
) -> None:
    recording = called(hand, drawn, guess("2.1", "b1"))
    taken, slots = set(), legal(recording.end)
    for seed in SEEDS:
        table = forked(recording, seed)
        table.tick(20)
        table.deliver()
        (overran,) = [fact for _, fact in history(table) if isinstance(fact, Overran)]
        taken.add(overran.slot)
    assert taken == slots


@pytest.mark.parametrize(("hand", "drawn"), DRAWN)
def test_a_tile_that_nobody_places_takes_every_slot_where_it_may_stand(
    hand: str, drawn: str
) -> None:
    recording = called(hand, drawn)
    taken, slots = set(), legal(recording.end)
    for seed in SEEDS:
        table = forked(recording, seed)
        table.tick(20)
        table.deliver()
        assert table.peers[0].game.round.step == "place"
        table.wait(21)
        (placed,) = [fact for _, fact in history(table) if isinstance(fact, Placed)]
        taken.add(placed.slot)
    assert taken == slots


def history(table: Table) -> Sequence[tuple[int, object]]:
    return table.peers[1].game.round.board.history


def test_who_turns_nothing_up_in_time_turns_up_any_of_its_tiles() -> None:
    recording = spent_and_called()
    row = recording.end.peers[0].game.round.board.rows[0]
    standing = {slot for slot, piece in enumerate(row, 1) if piece.standing}
    taken = set()
    for seed in SEEDS:
        table = forked(recording, seed)
        table.tick(20)
        table.deliver()
        assert table.peers[0].game.round.step == "turn-up"
        table.wait(21)
        (shown,) = [fact for _, fact in history(table) if isinstance(fact, Revealed)]
        taken.add(shown.slot)
    assert taken == standing
    assert len(standing) > 1


@functools.cache
def spent_and_called() -> Recording:
    """The pile of a game for two is used up, and the clock is called on seat 0."""
    hands = ("b0 b2 b4 b6", "w0 w2 w4 w6")
    rest = "b1 b3 b5 b7 b8 b9 b10 b11 w1 w3 w5 w7 w8 w9 w10 w11"
    table = dealt_table(hands, rest, "standard", {**CLOCK, "empty_miss": "reveal"})
    turns: list[Move | Event] = []
    for turn in range(len(rest.split())):
        place = "2.1" if turn % 2 == 0 else "1.1"
        shown = ("w", "b")[turn % 2] + "0"
        wrong = "w11" if shown == "w0" else "b11"
        turns += [Draw(deck=0), guess(place, wrong)]
    return record_dealt(table, hands, rest, [*turns, passes(60), calls_clock(1)])


@pytest.mark.parametrize("slot", [2, 3])
def test_any_slot_that_the_order_proof_allows_is_good_also_once_the_keys_are_known(
    slot: int,
) -> None:
    """Right of the joker or left of it: nobody is blamed, and the open record says which."""
    recording = called("b5 w- w8 w11", "b6", guess("2.1", "b1"))
    for seed in SEEDS:
        table = forked(recording, seed)
        table.tick(20)
        table.deliver()
        *_, (_, fact) = table.peers[1].game.round.board.history
        if isinstance(fact, Overran) and fact.slot == slot:
            break
    else:
        raise AssertionError("no seed stands it there")
    finish(table)
    table.wait(int(RECEIPT_WAIT_S) + 1)
    for peer in table.peers:
        assert peer.blamed is None
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.blamed) == (Status.FINISHED, ())


def test_who_says_where_it_stands_is_not_overruled() -> None:
    recording = called("b5 w- w8 w11", "b6", guess("2.2", "w3"))
    table = forked(recording, 0)
    table.play(0, Place(slot=3))
    table.deliver()
    assert [fact.slot for _, fact in history(table) if isinstance(fact, Placed)] == [3]
