"""A table being formed: seats, ready and what voids it, who may change what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.rules.options import DEFAULT_PRESET, PRESETS, Options, options_from
from p2p_davinci.session.lobby_events import (
    Decline,
    Leave,
    LobbyCommand,
    Notice,
    PeerSaid,
    SetOption,
    SetOrder,
    SetReady,
    SetRules,
    SetSeats,
    SetYoungest,
)
from p2p_davinci.session.lobby_state import lobby_view, open_table
from protocol import encode
from tests.support.room import KEYS, Room
from tests.support.table import seeded

YOUNGEST_FIRST = options_from("standard", {"first": "youngest"})
CHANGES: list[LobbyCommand] = [
    SetOrder(order=(KEYS[1], KEYS[0], KEYS[2])),
    SetYoungest(member=KEYS[1]),
    SetOption(key="jokers", value="no"),
    SetRules(preset="tournament"),
    SetSeats(seats=4),
]


# --- seats -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "reserved"), [(1, 0), (5, 0), (2, 2), (4, 4)])
def test_a_table_has_two_to_four_seats_and_one_for_its_opener(seats: int, reserved: int) -> None:
    with pytest.raises(ValueError, match=str(seats)):
        open_table(
            me=KEYS[0],
            name="ana",
            addresses=(),
            table="t",
            seats=seats,
            options=Options(),
            entropy=seeded(1),
            reserved=frozenset(KEYS[1 : reserved + 1]),
        )


def test_nothing_is_shown_before_the_opener_has_seated_one() -> None:
    room = Room(2)
    bo = room.enter(1, "bo")
    assert lobby_view(bo.lobby) is None
    room.give(1, SetReady())
    assert bo.notices == [Notice(key="lobby.wait")]
    room.deliver()
    assert bo.names == ["ana", "bo"]


def test_everybody_sees_the_same_table_and_wants_a_link_to_everybody() -> None:
    room = Room(4).fill("bo", "cy", "dee")
    for number, person in room.people.items():
        assert person.names == ["ana", "bo", "cy", "dee"]
        assert all(member.linked for member in person.view.members)
        others = {KEYS[n]: (f"10.0.0.{n + 1}:1",) for n in range(4) if n != number}
        assert person.wanted == others


def test_who_comes_when_all_seats_are_taken_is_told_so() -> None:
    room = Room(2).fill("bo", "cy")
    assert room.people[2].closed == "full"
    assert room.people[0].names == ["ana", "bo"]


def test_a_seat_that_becomes_free_can_be_taken() -> None:
    room = Room(2).fill("bo")
    room.give(1, Leave())
    room.deliver()
    assert room.people[1].closed == "left"
    assert room.people[0].names == ["ana"]
    room.enter(2, "cy")
    room.deliver()
    assert room.people[2].names == ["ana", "cy"]


def test_a_broken_link_to_the_opener_frees_the_seat_and_coming_back_takes_one() -> None:
    room = Room(3).fill("bo", "cy")
    room.cut(0, 1)
    room.deliver()
    assert room.people[2].names == ["ana", "cy"]
    room.link(0, 1)
    room.deliver()
    for person in room.people.values():
        assert person.names == ["ana", "cy", "bo"]


def test_when_the_opener_leaves_the_table_is_closed_for_all() -> None:
    room = Room(3).fill("bo", "cy")
    room.give(0, Leave())
    room.deliver()
    assert [person.closed for person in room.people.values()] == [
        "left",
        "opener_left",
        "opener_left",
    ]


def test_seats_held_for_bots_are_for_nobody_else() -> None:
    room = Room(3, reserved=frozenset({2, 3})).fill("bo")
    assert room.people[1].closed == "full"
    for number, name in ((2, "ada"), (3, "bob")):
        room.enter(number, name)
    room.deliver()
    assert sorted(room.people[0].names) == ["ada", "ana", "bob"]


def test_the_table_cannot_become_too_small_for_the_bots_it_waits_for() -> None:
    room = Room(3, reserved=frozenset({1, 2}))
    room.give(0, SetSeats(seats=2))
    assert room.people[0].notices == [Notice(key="lobby.impossible")]
    assert room.people[0].view.seats == 3


def test_equal_names_are_told_apart() -> None:
    room = Room(4).fill("ana", "Ana", "ana 2")
    names = room.people[1].names
    assert len({name.casefold() for name in names}) == 4
    assert names[:2] == ["ana", "ana 2"]


def test_a_numbered_name_keeps_to_the_length_of_a_name() -> None:
    room = Room(3).fill("é" * 32, "é" * 32)
    names = room.people[0].names
    assert names[2] == "é" * 31 + " 2"
    assert len(names[2].encode()) == 64


# --- declining ---------------------------------------------------------------------------------


def test_the_opener_may_decline_somebody_who_then_stays_out() -> None:
    room = Room(3).fill("bo", "cy")
    room.give(0, Decline(member=KEYS[1]))
    room.deliver()
    assert room.people[1].closed == "declined"
    assert room.people[2].names == ["ana", "cy"]
    room.cut(0, 1)
    room.enter(1, "bo")
    room.deliver()
    assert room.people[1].closed == "declined"
    assert room.people[0].names == ["ana", "cy"]


def test_nobody_else_may_decline_and_nobody_declines_himself() -> None:
    room = Room(3).fill("bo", "cy")
    room.give(1, Decline(member=KEYS[2]))
    room.say(1, 0, "change", "decline", KEYS[2])
    room.deliver()
    room.give(0, Decline(member=KEYS[0]))
    assert room.people[0].names == ["ana", "bo", "cy"]
    assert room.people[2].closed is None
    assert room.people[0].notices == room.people[1].notices == [Notice(key="lobby.impossible")]


def test_the_seat_of_a_declined_bot_is_free_for_others() -> None:
    room = Room(2, reserved=frozenset({1})).fill("bob")
    room.give(0, Decline(member=KEYS[1]))
    room.enter(2, "cy")
    room.deliver()
    assert room.people[2].names == ["ana", "cy"]


def test_a_member_who_missed_that_it_was_declined_learns_it_from_the_sheet() -> None:
    room = Room(3).fill("bo", "cy")
    told = room.people[0].view
    sheet = room.people[0].lobby.sheet
    assert sheet is not None
    without_bo = replace(
        sheet, revision=told.revision + 1, sitting=(sheet.sitting[0], sheet.sitting[2])
    )
    room.say(0, 1, "table", *without_bo.fields())
    room.deliver()
    assert room.people[1].closed == "declined"


def test_a_sheet_that_was_shown_before_one_asked_for_a_seat_declines_nobody() -> None:
    room = Room(2)
    sheet = room.people[0].lobby.sheet
    assert sheet is not None
    room.enter(1, "bo")
    room.give(1, PeerSaid(peer=KEYS[0], data=encode(("table", *sheet.fields()))))
    assert room.people[1].closed is None
    room.deliver()
    assert room.people[1].names == ["ana", "bo"]


# --- ready -------------------------------------------------------------------------------------


def test_when_all_are_ready_all_begin_under_the_same_contract() -> None:
    room = Room(4, options=YOUNGEST_FIRST).fill("bo", "cy", "dee").agree()
    assert len(room.contracts) == 4
    assert len({contract.hash for contract in room.contracts}) == 1
    contract = room.contracts[0]
    assert [player.key for player in contract.players] == list(KEYS[:4])
    assert contract.options == YOUNGEST_FIRST
    assert contract.table == "river-lamp"
    assert len(set(contract.fresh)) == 4


def test_the_same_people_never_begin_twice_under_one_contract() -> None:
    once = Room(2, seed=1).fill("bo").agree().contracts[0]
    again = Room(2, seed=2).fill("bo").agree().contracts[0]
    assert once.fresh != again.fresh
    assert once.hash != again.hash


def test_nobody_begins_before_the_last_one_is_ready() -> None:
    room = Room(3).fill("bo", "cy")
    for number in (0, 2):
        room.give(number, SetReady())
    room.deliver()
    assert room.contracts == []
    assert all(person.ready == [True, False, True] for person in room.people.values())


def test_a_ready_at_a_table_with_a_free_seat_begins_nothing() -> None:
    room = Room(3).fill("bo").agree()
    assert room.contracts == []
    room.enter(2, "cy")
    room.deliver()
    assert room.people[0].ready == [False, False, False]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("who", [0, 1])
def test_any_change_by_anybody_voids_every_ready(change: LobbyCommand, who: int) -> None:
    room = Room(3).fill("bo", "cy")
    for number in (0, 1):
        room.give(number, SetReady())
    room.deliver()
    assert room.people[2].ready == [True, True, False]
    room.give(who, change)
    room.deliver()
    for person in room.people.values():
        assert True not in person.ready
    room.give(2, SetReady())
    room.deliver()
    assert room.contracts == []


def test_somebody_who_leaves_or_comes_voids_every_ready_too() -> None:
    room = Room(3).fill("bo", "cy")
    for number in (0, 1):
        room.give(number, SetReady())
    room.give(2, Leave())
    room.deliver()
    assert room.people[1].ready == [False, False]
    room.give(1, SetReady())
    room.enter(3, "dee")
    room.deliver()
    assert room.people[1].ready == [False, False, False]


def test_what_changes_nothing_voids_nothing() -> None:
    room = Room(3).fill("bo", "cy")
    room.give(1, SetReady())
    room.deliver()
    for nothing in (
        SetSeats(seats=3),
        SetYoungest(member=None),
        SetRules(preset=DEFAULT_PRESET),
        SetOption(key="rounds", value="1"),
        SetOrder(order=KEYS[:3]),
    ):
        room.give(2, nothing)
        room.deliver()
    assert room.people[0].ready == [False, True, False]


def test_saying_ready_twice_changes_nothing() -> None:
    room = Room(3).fill("bo", "cy")
    room.give(1, SetReady())
    room.deliver()
    before = room.people[0].lobby
    said = len(room.said)
    room.give(1, SetReady())
    room.deliver()
    assert room.people[0].lobby == before
    assert len(room.said) == said


def test_nobody_begins_with_somebody_to_whom_he_has_no_link() -> None:
    room = Room(3, mesh=False).fill("bo", "cy")
    room.agree()
    assert room.contracts == []
    assert [member.linked for member in room.people[1].view.members] == [True, True, False]
    # The opener sees both, and must not begin although both have agreed.
    assert room.people[0].ready == [True, False, False]
    assert room.people[1].notices == [Notice(key="lobby.unlinked")]
    room.give(1, SetReady())
    assert len(room.people[1].notices) == 1
    room.link(1, 2)
    room.deliver()
    assert len({contract.hash for contract in room.contracts}) == 1
    assert len(room.contracts) == 3


def test_who_agreed_before_he_was_linked_to_all_is_not_ready_for_what_changed_since() -> None:
    room = Room(3, mesh=False).fill("bo", "cy")
    room.agree()
    room.give(0, SetYoungest(member=KEYS[1]))
    room.deliver()
    room.link(1, 2)
    room.deliver()
    assert room.people[0].ready == [False, False, False]


def test_a_ready_for_a_sheet_that_is_shown_here_later_is_not_lost() -> None:
    room = Room(3).fill("bo", "cy")
    room.give(0, SetOption(key="jokers", value="no"))
    room.give(0, SetYoungest(member=KEYS[0]))
    for _ in range(2):
        room.deliver_from(0, 2)
    room.give(2, SetReady())
    room.deliver_from(2, 1)
    assert room.people[1].ready == [False, False, False]
    room.deliver()
    assert room.people[1].ready == [False, False, True]


def test_a_member_that_started_anew_is_asked_anew() -> None:
    room = Room(3).fill("bo", "cy")
    room.give(1, SetReady())
    room.give(2, SetReady())
    room.deliver()
    # A new process with the same key, before anybody has missed the old one's link.
    room.say(1, 0, "sit", "bo", (), b"n" * 16)
    room.deliver()
    assert room.people[0].ready == [False, False, False]
    assert room.people[2].names == ["ana", "bo", "cy"]
    sheet = room.people[2].lobby.sheet
    assert sheet is not None
    assert sheet.sitting[1].fresh == b"n" * 16


def test_nobody_is_ready_for_a_sheet_with_fresh_bytes_of_his_that_are_not_his() -> None:
    room = Room(2).fill("bo")
    sheet = room.people[0].lobby.sheet
    assert sheet is not None
    old = replace(sheet.sitting[1], fresh=b"of another time!")
    forged = replace(sheet, revision=9, sitting=(sheet.sitting[0], old))
    room.say(0, 1, "table", *forged.fields())
    room.deliver()
    assert room.people[1].view.revision == sheet.revision
    assert room.people[1].closed is None


# --- who begins --------------------------------------------------------------------------------


@pytest.mark.parametrize("youngest", [None, 0, 2])
def test_the_youngest_begins_where_the_rules_say_so(youngest: int | None) -> None:
    room = Room(3, options=YOUNGEST_FIRST).fill("bo", "cy")
    room.give(1, SetYoungest(member=None if youngest is None else KEYS[youngest]))
    room.give(2, SetOrder(order=(KEYS[2], KEYS[0], KEYS[1])))
    room.deliver()
    room.agree()
    seat = {None: None, 0: 1, 2: 0}[youngest]
    assert [contract.first for contract in room.contracts] == [seat] * 3


def test_where_the_coin_decides_a_mark_changes_nothing() -> None:
    room = Room(2).fill("bo")
    room.give(0, SetYoungest(member=KEYS[1]))
    room.deliver()
    room.agree()
    assert [contract.first for contract in room.contracts] == [None, None]


def test_the_mark_goes_with_who_bears_it() -> None:
    room = Room(3, options=YOUNGEST_FIRST).fill("bo", "cy")
    room.give(0, SetYoungest(member=KEYS[1]))
    room.give(1, Leave())
    room.deliver()
    assert room.people[2].view.youngest is None


# --- changes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [0, 1, 2])
def test_any_member_may_change_order_rules_youngest_and_seats(who: int) -> None:
    room = Room(3).fill("bo", "cy")
    for change in (
        SetRules(preset="advanced"),
        SetOption(key="rounds", value="2"),
        SetOption(key="scoring", value="tournament"),
        SetOption(key="rounds", value="2"),
        SetYoungest(member=KEYS[2]),
        SetSeats(seats=4),
        SetOrder(order=(KEYS[2], KEYS[1], KEYS[0])),
    ):
        room.give(who, change)
        room.deliver()
    for person in room.people.values():
        assert person.names == ["cy", "bo", "ana"]
        assert person.view.seats == 4
        assert person.view.youngest == KEYS[2]
        assert person.view.options.rounds == 2
        assert person.view.options.scoring == "tournament"
        assert person.view.options.jokers == PRESETS["advanced"].jokers


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize(
    ("change", "notice"),
    [
        (SetOption(key="colour", value="red"), "option.unknown_option"),
        (SetOption(key="jokers", value="many"), "option.bad_value"),
        (SetRules(preset="chess"), "option.unknown_preset"),
        (SetOption(key="rounds", value="3"), "option.rounds_need_scoring"),
        (SetSeats(seats=2), "lobby.impossible"),
        (SetSeats(seats=5), "lobby.impossible"),
        (SetOrder(order=(KEYS[0], KEYS[1])), "lobby.impossible"),
        (SetOrder(order=(KEYS[0], KEYS[1], KEYS[1])), "lobby.impossible"),
        (SetYoungest(member=KEYS[5]), "lobby.impossible"),
    ],
)
def test_a_change_that_cannot_be_is_refused_with_the_reason_and_changes_nothing(
    who: int, change: LobbyCommand, notice: str
) -> None:
    room = Room(3).fill("bo", "cy")
    before = room.people[2].view
    room.give(who, change)
    room.deliver()
    assert [told.key for told in room.people[who].notices] == [notice]
    assert room.people[2].view == before
