"""What members hear of one another: all begin alike, and nonsense changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_davinci.session import lobby as lobbies
from p2p_davinci.session import wire
from p2p_davinci.session.lobby_events import (
    Leave,
    LobbyCommand,
    PeerSaid,
    SetOption,
    SetOrder,
    SetReady,
    SetRules,
    SetYoungest,
)
from p2p_davinci.session.lobby_state import SHEETS_KEPT
from p2p_davinci.session.sheet import Sheet, read_sheet
from protocol import Payload, PeerFault, Value, as_array, decode, initial_head, seal
from tests.support.room import KEYS, Room
from tests.support.table import seeded, signers

NOBODY = bytes(32)
CHANGES: tuple[LobbyCommand, ...] = (
    SetYoungest(member=KEYS[1]),
    SetOption(key="jokers", value="no"),
    SetRules(preset="tournament"),
)


# --- converging --------------------------------------------------------------------------------


def first_words(room: Room, number: int) -> bytes:
    """What a member's program sends first in the game."""
    contract = room.people[number].contract
    assert contract is not None
    payload = Payload(
        session=contract.hash,
        seat=number,
        step=0,
        head=initial_head(contract.hash),
        kind="commit",
        body=b"",
    )
    return wire.write(wire.Chained(raw=seal(payload, signers(6, seeded(1))[0]).encode()))


def standing(room: Room, number: int) -> bytes:
    """What a member's program sends every few seconds in the game."""
    contract = room.people[number].contract
    assert contract is not None
    return wire.write(
        wire.Standing(game=contract.hash, contract_hash=contract.hash, step=0, head=bytes(32))
    )


def late_change() -> Room:
    """Bo begins when all are ready; ana changes something before she has heard that all are."""
    room = Room(3).fill("bo", "cy")
    for number in range(3):
        room.give(number, SetReady())
    room.give(0, SetOption(key="jokers", value="no"))
    for sender, to in ((0, 1), (2, 1), (0, 2), (0, 2)):
        room.deliver_from(sender, to)
    return room


@pytest.mark.parametrize("words", [first_words, standing])
def test_who_hears_that_a_sheet_is_played_joins_in_although_it_was_changed_meanwhile(
    words: Callable[[Room, int], bytes],
) -> None:
    room = late_change()
    assert room.people[1].contract is not None
    room.deliver()
    assert [person.contract is None for person in room.people.values()] == [True, False, True]
    said = words(room, 1)
    for number in (0, 2):
        room.give(number, PeerSaid(peer=KEYS[1], data=said))
    assert len({contract.hash for contract in room.contracts}) == 1
    assert len(room.contracts) == 3


def test_who_has_not_said_ready_for_it_does_not_join_in() -> None:
    room = late_change()
    room.deliver()
    said = standing(room, 1)
    room.enter(3, "dee")
    room.give(3, PeerSaid(peer=KEYS[1], data=said))
    assert room.people[3].contract is None


def test_who_lacks_a_ready_gets_it_again_and_then_joins_in() -> None:
    room = Room(3).fill("bo", "cy")
    for number in range(3):
        room.give(number, SetReady())
    room.mail[2, 1].clear()
    room.deliver()
    assert [person.contract is None for person in room.people.values()] == [False, True, False]
    said = standing(room, 0)
    room.give(1, PeerSaid(peer=KEYS[0], data=said))
    assert room.people[1].contract is None
    again = lobbies.ready_again(room.people[2].lobby)
    assert again is not None
    room.give(1, PeerSaid(peer=KEYS[2], data=again))
    assert room.people[1].contract == room.people[0].contract


def test_what_is_said_again_is_for_the_sheet_that_is_played() -> None:
    room = late_change()
    room.deliver()
    room.give(2, PeerSaid(peer=KEYS[1], data=standing(room, 1)))
    played, sheet = room.people[1].lobby.sheet, room.people[2].lobby.sheet
    assert sheet == played
    again = lobbies.ready_again(room.people[2].lobby)
    assert again is not None
    assert as_array(decode(again), "ready") == ("ready", sheet.hash if sheet else None)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_whatever_order_things_are_heard_in_all_begin_alike(seed: int) -> None:
    room = Room(4, seed=seed)
    for number, name in ((1, "bo"), (2, "cy"), (3, "dee")):
        room.enter(number, name)
    for _ in range(8):
        hear_some(room)
        change_something(room)
        for number in range(4):
            if room.rng.random() < 0.5:
                room.give(number, SetReady())
    room.deliver()
    room.agree()
    # Who plays tells everybody so again and again.
    for number, person in room.people.items():
        if person.contract is not None:
            for other in set(room.people) - {number}:
                room.give(other, PeerSaid(peer=KEYS[number], data=standing(room, number)))
    assert len(room.contracts) == 4
    assert len({contract.hash for contract in room.contracts}) == 1


def hear_some(room: Room) -> None:
    for _ in range(room.rng.randrange(12)):
        waiting = [link for link, mail in sorted(room.mail.items()) if mail]
        if waiting:
            room.deliver_from(*room.rng.choice(waiting))


def change_something(room: Room) -> None:
    who = room.rng.randrange(4)
    sheet = room.people[who].lobby.sheet
    if sheet is not None:
        order = list(sheet.keys)
        room.rng.shuffle(order)
        room.give(who, room.rng.choice([*CHANGES, SetOrder(order=tuple(order))]))


def test_an_opener_who_shows_two_tables_gets_no_game_rather_than_two() -> None:
    room = Room(3).fill("bo", "cy")
    sheet = room.people[0].lobby.sheet
    assert sheet is not None
    for number in (1, 2):
        forged = replace(sheet.sitting[0], fresh=bytes([number]) * 16)
        shown = replace(sheet, revision=9, sitting=(forged, *sheet.sitting[1:]))
        room.say(0, number, "table", *shown.fields())
        room.say(0, number, "ready", shown.hash)
    room.deliver()
    for number in (1, 2):
        room.give(number, SetReady())
    room.deliver()
    assert room.contracts == []


# --- hostile messages --------------------------------------------------------------------------


SHEET = Room(3).fill("bo", "cy").people[0].lobby.sheet
assert SHEET is not None
FIELDS = SHEET.fields()
ROW = (*((m.key, m.name, m.addresses, m.fresh) for m in SHEET.sitting),)
NONSENSE: list[tuple[Value, ...]] = [
    (),
    (7,),
    ("change",),
    ("change", "seats", 2**60),
    ("change", "seats", "3"),
    ("change", "order", (KEYS[0], 5, None)),
    ("change", "order", None),
    ("change", "youngest", 0),
    ("change", "youngest", "bo"),
    ("change", "option", "jokers", None),
    ("change", "option", "jokers"),
    ("change", "option", "jokers", "many"),
    ("change", "rules", None),
    ("change", "decline"),
    ("change", None),
    ("ready",),
    ("ready", bytes(31)),
    ("ready", "x" * 32),
    ("ready", bytes(32), bytes(16)),
    ("envelope",),
    ("envelope", b""),
    ("envelope", b"\x90"),
    ("at",),
    ("at", None, None, None, None),
    ("at", bytes(32), bytes(32), 0, bytes(32)),
    ("refused",),
    ("refused", 5),
    ("bye-bye",),
    ("table",),
    ("table", *FIELDS[:-1]),
    ("table", *FIELDS[:-1], (*ROW, (KEYS[4], "eve", (), bytes(16)))),
    ("table", *FIELDS[:-1], ()),
]
NO_SITTING: list[tuple[Value, ...]] = [
    (),
    (5, (), bytes(16)),
    ("", (), bytes(16)),
    ("x" * 65, (), bytes(16)),
    ("eve", ("a" * 65,), bytes(16)),
    ("eve", "host", bytes(16)),
    ("eve", (), bytes(15)),
    ("eve", (), "x" * 16),
    ("eve", ()),
    ("eve", (), bytes(16), ()),
]


@pytest.mark.parametrize("values", NONSENSE, ids=str)
@pytest.mark.parametrize(("sender", "to"), [(1, 0), (0, 1), (2, 1)])
def test_what_makes_no_sense_is_ignored(values: tuple[Value, ...], sender: int, to: int) -> None:
    room = Room(3).fill("bo", "cy")
    before = room.people[to].view
    room.say(sender, to, *values)
    room.deliver()
    assert room.people[to].view == before
    assert room.people[to].closed is None


@pytest.mark.parametrize("values", NO_SITTING, ids=str)
def test_who_asks_for_a_seat_in_a_way_that_makes_no_sense_gets_none(
    values: tuple[Value, ...],
) -> None:
    room = Room(3).fill("bo")
    room.enter(2, "cy")
    room.mail[2, 0].clear()
    room.say(2, 0, "sit", *values)
    room.deliver()
    assert room.people[0].names == ["ana", "bo"]


@pytest.mark.parametrize("data", [b"", b"\xff", b"\x91", b"\x93\x01\x02", b"\xdd\xff\xff\xff\xff"])
def test_bytes_that_are_no_message_are_ignored(data: bytes) -> None:
    room = Room(2).fill("bo")
    before = room.people[0].lobby
    room.give(0, PeerSaid(peer=KEYS[1], data=data))
    assert room.people[0].lobby == before


@pytest.mark.parametrize(
    "bad",
    [
        replace(SHEET, opener=KEYS[4]),
        replace(SHEET, youngest=KEYS[4]),
        replace(SHEET, seats=2),
        replace(SHEET, seats=1, sitting=SHEET.sitting[:1]),
        replace(SHEET, seats=5),
        replace(SHEET, table=""),
        replace(SHEET, table="x" * 65),
        replace(SHEET, sitting=(*SHEET.sitting[:2], SHEET.sitting[0])),
        replace(SHEET, sitting=(*SHEET.sitting[:2], replace(SHEET.sitting[2], key=NOBODY))),
        replace(SHEET, sitting=(*SHEET.sitting[:2], replace(SHEET.sitting[2], name=""))),
        replace(SHEET, sitting=(*SHEET.sitting[:2], replace(SHEET.sitting[2], fresh=b""))),
    ],
)
def test_a_sheet_that_no_table_can_have_is_refused(bad: Sheet) -> None:
    assert read_sheet(FIELDS) == SHEET
    with pytest.raises(PeerFault):
        read_sheet(bad.fields())


def test_only_the_opener_shows_a_sheet_and_only_a_newer_one() -> None:
    room = Room(3).fill("bo", "cy")
    sheet = room.people[0].lobby.sheet
    assert sheet is not None
    forged = replace(sheet, revision=sheet.revision + 5, table="elsewhere")
    room.say(2, 1, "table", *forged.fields())
    older = replace(sheet, table="elsewhere")
    room.say(0, 1, "table", *older.fields())
    room.deliver()
    assert room.people[1].view.table == "river-lamp"


def test_only_members_may_change_anything() -> None:
    room = Room(3).fill("bo")
    room.enter(2, "cy")
    room.mail[2, 0].clear()
    room.say(2, 0, "change", "seats", 4)
    room.deliver()
    assert room.people[0].view.seats == 3


def test_only_the_opener_can_refuse_a_seat_or_close_the_table() -> None:
    room = Room(3).fill("bo", "cy")
    room.say(2, 1, "refused", "full")
    room.say(2, 1, "bye")
    room.deliver()
    assert room.people[1].closed is None
    room.say(0, 1, "refused", "something new")
    room.deliver()
    assert room.people[1].closed == "other"


def test_a_flood_of_readies_keeps_but_a_few_and_goes_when_its_sender_goes() -> None:
    room = Room(3).fill("bo")
    room.enter(2, "cy")
    room.mail[2, 0].clear()
    for number in range(50):
        room.say(2, 0, "ready", number.to_bytes(32, "big"))
    room.deliver()
    assert len(room.people[0].lobby.ready) == SHEETS_KEPT
    room.cut(0, 2)
    assert len(room.people[0].lobby.ready) == 0


def test_the_same_ready_again_is_no_other_one() -> None:
    room = Room(3).fill("bo", "cy")
    for _ in range(20):
        room.say(1, 0, "ready", bytes(32))
    room.deliver()
    assert room.people[0].lobby.ready == ((bytes(32), KEYS[1]),)


def test_readies_for_sheets_of_long_ago_are_forgotten() -> None:
    room = Room(2).fill("bo")
    for number in range(30):
        room.give(1, SetReady())
        room.give(0, SetYoungest(member=KEYS[number % 2]))
        room.deliver()
    for person in room.people.values():
        assert len(person.lobby.sheets) == SHEETS_KEPT
        assert len(person.lobby.ready) <= 2 * SHEETS_KEPT


def test_after_the_table_is_closed_or_agreed_nothing_more_happens() -> None:
    room = Room(2).fill("bo").agree()
    before = room.people[0].lobby
    room.give(0, Leave())
    room.give(0, SetYoungest(member=KEYS[1]))
    room.cut(0, 1)
    assert room.people[0].lobby == before
    assert room.people[0].closed is None


def test_a_game_that_runs_already_knows_the_messages_of_a_lobby_as_late_ones() -> None:
    room = Room(3).fill("bo", "cy").agree()
    for _, _, data in room.said:
        assert wire.read(data) == wire.Late()
    assert {wire.kind_of(data) for _, _, data in room.said} == {"sit", "table", "ready"}
