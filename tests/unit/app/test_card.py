"""The card of a table: what it says, how it travels, and what is no card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.app.card import (
    CARD_BYTES_MAX,
    STATES,
    Card,
    advert_of,
    card_of,
    plain_word,
    read_card,
    write_card,
)
from p2p_davinci.net.advert import Advert
from p2p_davinci.rules.options import PRESETS, options_from
from protocol import PeerFault, Value, encode
from tests.support.room import KEYS, Room

CARD = Card(
    table="river-lamp",
    opener=KEYS[0],
    opener_name="ana",
    state="open",
    members=2,
    seats=4,
    options=options_from("tournament", {}),
    addresses=("10.0.0.1:1", "[fd00::1]:1"),
)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_card_is_read_as_it_was_written(state: str, preset: str) -> None:
    known = next(item for item in STATES if item == state)
    card = replace(CARD, state=known, options=PRESETS[preset])
    assert read_card(write_card(card)) == card


def test_a_program_at_no_table_has_an_empty_card() -> None:
    assert read_card(b"") is None


def test_a_card_never_grows_too_long_to_be_told() -> None:
    longest = ("[" + "f" * 56 + "]:65535",) * 60
    data = write_card(replace(CARD, opener_name="é" * 32, table="x" * 64, addresses=longest))
    assert len(data) <= CARD_BYTES_MAX
    card = read_card(data)
    assert card is not None
    assert 8 <= len(card.addresses) < len(longest)


def test_every_member_tells_the_opener_and_the_openers_addresses() -> None:
    room = Room(3).fill("bo")
    for person in room.people.values():
        card = card_of(person.view, playing=False)
        assert (card.opener, card.opener_name) == (KEYS[0], "ana")
        assert card.addresses == ("10.0.0.1:1",)
        assert (card.members, card.seats, card.state) == (2, 3, "open")


def test_a_table_is_full_when_all_its_seats_are_taken_and_then_it_plays() -> None:
    view = Room(2).fill("bo").people[1].view
    assert card_of(view, playing=False).state == "full"
    assert card_of(view, playing=True).state == "playing"


def test_what_is_advertised_of_any_table_is_plain_enough_for_the_network() -> None:
    words = advert_of(replace(CARD, table="川 灯/../ \x00lamp" + "x" * 40))
    assert words["state"] == "open"
    assert words["seats"] == "2of4"
    Advert(identity=KEYS[0], version=1, **words).properties()


def fields(**changes: Value) -> tuple[Value, ...]:
    told: dict[str, Value] = {
        "table": "t",
        "opener": KEYS[0],
        "name": "ana",
        "state": "open",
        "members": 1,
        "seats": 2,
        "options": CARD.options.fields(),
        "addresses": (),
    }
    return tuple({**told, **changes}.values())


@pytest.mark.parametrize(
    "value",
    [
        None,
        (),
        fields()[:-1],
        (*fields(), 0),
        fields(table=7),
        fields(table="x" * 65),
        fields(opener=bytes(31)),
        fields(opener=bytes(32)),
        fields(opener="a" * 32),
        fields(name=None),
        fields(name="x" * 65),
        fields(state="closed"),
        fields(state=0),
        fields(members=5),
        fields(members="1"),
        fields(seats=1),
        fields(seats=5),
        fields(options=()),
        fields(options=(("jokers", "many"),)),
        fields(options=(*CARD.options.fields(), ("more", "yes"))),
        fields(options="classic"),
        fields(options=(("jokers",),)),
        fields(addresses="10.0.0.1:1"),
        fields(addresses=(5,)),
        fields(addresses=("x" * 65,)),
    ],
)
def test_what_is_no_card_is_refused(value: Value) -> None:
    assert read_card(encode(fields())) is not None
    with pytest.raises(PeerFault):
        read_card(encode(value))


@pytest.mark.parametrize("data", [b"\xff", b"\x91", bytes(CARD_BYTES_MAX + 1)])
def test_bytes_that_are_no_value_are_refused(data: bytes) -> None:
    with pytest.raises(PeerFault):
        read_card(data)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("river-lamp", "river-lamp"),
        ("../../etc/passwd", "etcpasswd"),
        ("..", "table"),
        ("", "table"),
        ("川灯", "table"),
        ("our table 2", "ourtable2"),
        ("-rf", "rf"),
        ("CON\x00\n", "CON"),
        ("x" * 99, "x" * 32),
    ],
)
def test_a_peers_word_is_plain_before_it_names_a_file(text: str, word: str) -> None:
    assert plain_word(text) == word
