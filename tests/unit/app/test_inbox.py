"""What waits for a game: whose turn it is, and how much of one seat may wait."""

from __future__ import annotations

from collections.abc import Callable

from p2p_davinci.app.inbox import ITEM_BYTES, WAITING_BYTES_MAX, Inbox


def taken(fill: Callable[[Inbox[str]], object]) -> list[str]:
    inbox = Inbox[str](3)
    fill(inbox)
    items = []
    while (item := inbox.take()) is not None:
        items.append(item)
    return items


def test_ones_own_comes_first_and_the_seats_in_turn() -> None:
    def fill(inbox: Inbox[str]) -> None:
        for item in ("a1", "a2", "a3"):
            inbox.put_from(0, item, 2)
        inbox.put_from(2, "c1", 2)
        inbox.put_about(2, "c2")
        inbox.put("own 1")
        inbox.put("own 2")

    assert taken(fill) == ["own 1", "own 2", "a1", "c1", "a2", "c2", "a3"]


def test_time_passes_after_what_has_arrived_by_then_and_before_what_comes_later() -> None:
    def fill(inbox: Inbox[str]) -> None:
        inbox.put_from(0, "a1", 2)
        inbox.put_from(0, "a2", 2)
        inbox.put_time("tick 1")
        inbox.put_from(1, "b1", 2)
        inbox.put_from(0, "a3", 2)
        inbox.put_time("tick 2")
        inbox.put("own")

    told = taken(fill)
    assert told == ["own", "a1", "b1", "a2", "tick 1", "a3", "tick 2"]


def test_a_flood_cannot_put_the_time_off() -> None:
    inbox = Inbox[str](2)
    inbox.put_from(1, "first", 2)
    inbox.put_time("tick")
    told = []
    while "tick" not in told:
        inbox.put_from(1, "more", 2)
        told.append(inbox.take())
    assert told == ["first", "tick"]


def test_only_the_latest_counts_and_it_comes_after_what_was_sent_besides() -> None:
    def fill(inbox: Inbox[str]) -> None:
        for number in range(1000):
            inbox.put_latest(1, f"at {number}")
        inbox.put_from(1, "b1", 2)
        inbox.put_from(0, "a1", 2)

    assert taken(fill) == ["a1", "b1", "at 999"]


def test_of_one_seat_only_so_much_waits_and_of_the_others_all_the_same() -> None:
    size = 1000
    room = WAITING_BYTES_MAX // (size + ITEM_BYTES)

    def fill(inbox: Inbox[str]) -> None:
        kept = [inbox.put_from(0, f"a{number}", size) for number in range(room + 5)]
        assert kept == [True] * room + [False] * 5
        assert inbox.put_from(1, "b1", size)

    assert taken(fill)[:3] == ["a0", "b1", "a1"]


def test_what_was_taken_makes_room_again() -> None:
    inbox = Inbox[str](1)
    assert inbox.put_from(0, "all", WAITING_BYTES_MAX - ITEM_BYTES)
    assert not inbox.put_from(0, "more", 0)
    assert inbox.take() == "all"
    assert inbox.put_from(0, "more", 0)
    assert inbox.take() == "more"
    assert inbox.take() is None
