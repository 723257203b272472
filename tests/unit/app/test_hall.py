"""The hall: heard of is not listed, listed is what answered; names and addresses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.app.card import Card
from p2p_davinci.app.hall import MISSES_MAX, SEEN_MAX, Hall, address_text, read_address
from p2p_davinci.net.discovery import Seen
from p2p_davinci.net.events import Asked
from p2p_davinci.rules.options import Options
from p2p_davinci.storage.identity import fingerprint
from tests.support.room import KEYS

HERE = ("10.0.0.1", 4711)


def seen(number: int = 0) -> Seen:
    return Seen(
        instance=f"instance-{number}",
        identity=KEYS[number],
        version=1,
        table="whatever the record says",
        state="open",
        seats="1of2",
        addresses=(HERE,),
    )


def card(number: int = 0, table: str = "river-lamp") -> Card:
    return Card(
        table=table,
        opener=KEYS[number],
        opener_name="ana",
        state="open",
        members=1,
        seats=2,
        options=Options(),
        addresses=(),
    )


def asked(number: int = 0) -> Asked:
    return Asked(peer=KEYS[number], name="ana", card=b"", addresses=(HERE,))


def hall(*tables: str) -> Hall:
    made = Hall()
    for number, table in enumerate(tables):
        made.heard(seen(number))
        assert made.answered(f"instance-{number}", asked(number), HERE, card(number, table))
    return made


def test_a_table_is_listed_when_it_answers_and_not_before() -> None:
    made = Hall()
    made.heard(seen())
    assert not made.tables
    assert made.answered("instance-0", asked(), HERE, card())
    (listed,) = tuple(made.tables)
    assert (listed.peer, listed.address, listed.card) == (KEYS[0], HERE, card())


def test_the_same_answer_again_is_no_change() -> None:
    made = hall("river-lamp")
    assert not made.answered("instance-0", asked(), HERE, card())
    fuller = replace(card(), members=2, state="full")
    assert made.answered("instance-0", asked(), HERE, fuller)
    assert made.tables[0].card == fuller


def test_who_answers_in_anothers_name_is_not_listed() -> None:
    made = hall("river-lamp")
    assert made.answered("instance-0", asked(1), HERE, card())
    assert made.tables == ()


def test_who_is_at_no_table_is_not_listed() -> None:
    made = hall("river-lamp")
    assert made.answered("instance-0", asked(), HERE, None)
    assert made.tables == ()
    assert not made.answered("nobody heard of", asked(), HERE, card())
    assert made.tables == ()


def test_who_does_not_answer_is_not_listed_but_asked_again_for_a_while() -> None:
    made = hall("river-lamp")
    assert made.silent("instance-0")
    assert made.tables == ()
    assert made.seen("instance-0") is not None
    assert made.answered("instance-0", asked(), HERE, card())
    for _ in range(MISSES_MAX - 1):
        made.silent("instance-0")
        assert made.seen("instance-0") is not None
    assert not made.silent("instance-0")
    assert made.seen("instance-0") is None


def test_a_goodbye_counts_only_if_the_table_does_not_answer_any_more() -> None:
    made = hall("river-lamp")
    made.withdrawn("instance-0")
    assert len(made.tables) == 1
    made.answered("instance-0", asked(), HERE, card())
    assert made.seen("instance-0") is not None
    assert made.silent("instance-0")
    assert made.seen("instance-0") is None
    made.withdrawn("instance-0")
    made.heard(seen())
    assert not made.silent("instance-0")
    assert made.seen("instance-0") is not None


def test_tables_are_listed_by_name_and_the_open_ones_apart() -> None:
    made = hall("river", "lamp", "moon")
    made.answered("instance-2", asked(2), HERE, replace(card(2, "moon"), state="playing"))
    assert [listed.card.table for listed in made.tables] == ["lamp", "moon", "river"]
    assert [listed.card.table for listed in made.open_tables] == ["lamp", "river"]


def test_a_table_is_named_by_its_name_and_where_two_have_it_by_the_openers_fingerprint() -> None:
    made = hall("lamp", "lamp", "moon")
    assert len(made.named("lamp")) == 2
    assert made.named("Lamp") == ()
    for number in (0, 1):
        for length in (4, 19):
            target = f"lamp/{fingerprint(KEYS[number])[:length]}"
            assert [listed.peer for listed in made.named(target)] == [KEYS[number]]
    assert made.named(f"moon/{fingerprint(KEYS[0])}") == ()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("10.0.0.1:4711", ("10.0.0.1", 4711)),
        ("ana.local:1", ("ana.local", 1)),
        ("[fe80::1%eth0]:65535", ("fe80::1%eth0", 65535)),
        ("[::1]:80", ("::1", 80)),
    ],
)
def test_an_address_is_read_and_told_alike(text: str, address: tuple[str, int]) -> None:
    assert read_address(text) == address
    assert address_text(address) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "river-lamp", "host", ":80", "host:", "host:0", "host:65536", "host:99999"),
        *("host:-1", "host:1.5", "host:４", "host:123456", "::1:80", "[]:80", "host: 80"),
    ],
)
def test_what_is_no_address_is_none(text: str) -> None:
    assert read_address(text) is None


def test_what_is_withdrawn_makes_room_and_nothing_else() -> None:
    hall = Hall()
    crowd = [replace(seen(), instance=f"crowd-{number}") for number in range(SEEN_MAX)]
    assert all(hall.heard(one) for one in crowd)
    assert not hall.heard(seen(1))
    assert hall.heard(crowd[0])
    hall.withdrawn("crowd-7")
    assert hall.heard(seen(1))
    assert hall.seen("crowd-7") is None
    assert hall.seen("crowd-8") is not None
