from __future__ import annotations

import dataclasses

import pytest
from nacl.signing import SigningKey

from p2p_davinci.net.advert import (
    FIELD_CHARACTERS_MAX,
    TXT_BYTES_MAX,
    Advert,
    BadAdvert,
    names_identity,
    new_instance,
    parse_advert,
)

KEY = bytes(SigningKey(bytes(32)).verify_key)
ADVERT = Advert(identity=KEY, version=7, table="river-lamp", state="open", seats="1/4")


def as_bytes(properties: dict[str, str]) -> dict[bytes, bytes | None]:
    return {key.encode(): value.encode() for key, value in properties.items()}


def test_an_advert_survives_its_txt_record() -> None:
    assert parse_advert(as_bytes(ADVERT.properties())) == ADVERT


def test_the_largest_advert_fits_and_txtvers_comes_first() -> None:
    word = "w" * FIELD_CHARACTERS_MAX
    largest = Advert(identity=KEY, version=2**32 - 1, table=word, state=word, seats=word)
    properties = largest.properties()
    size = sum(1 + len(f"{key}={value}") for key, value in properties.items())
    assert size <= TXT_BYTES_MAX
    assert next(iter(properties)) == "txtvers"
    assert all(len(key) <= 9 and key.isascii() for key in properties)
    assert parse_advert(as_bytes(properties)) == largest


@pytest.mark.parametrize("word", ["w" * (FIELD_CHARACTERS_MAX + 1), "tisch\n", "桌子", "a=b\x00"])
def test_words_that_are_not_plain_are_neither_sent_nor_taken(word: str) -> None:
    with pytest.raises(ValueError, match="plain"):
        dataclasses.replace(ADVERT, table=word).properties()
    with pytest.raises(BadAdvert):
        parse_advert({**as_bytes(ADVERT.properties()), b"table": word.encode()})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (b"txtvers", b"2"),
        (b"v", b"-1"),
        (b"v", b"4294967296"),
        (b"v", b"one"),
        (b"id", b"AAAA"),
        (b"id", b"!" * 43),
        (b"id", b"AQ" + b"A" * 41),  # the neutral point
        (b"state", b"\xff"),
        (b"more", b"x" * TXT_BYTES_MAX),
    ],
)
def test_a_record_of_another_form_is_refused(key: bytes, value: bytes) -> None:
    with pytest.raises(BadAdvert):
        parse_advert({**as_bytes(ADVERT.properties()), key: value})


@pytest.mark.parametrize("key", ["txtvers", "v", "id", "table", "state", "seats"])
def test_a_record_without_one_of_its_keys_is_refused(key: str) -> None:
    properties = ADVERT.properties()
    del properties[key]
    with pytest.raises(BadAdvert):
        parse_advert(as_bytes(properties))


def test_instance_names_show_the_key_and_differ_by_their_ending() -> None:
    other = bytes(SigningKey(b"\x01" * 32).verify_key)
    first = new_instance(KEY, lambda n: b"\x00" * n)
    second = new_instance(KEY, lambda n: b"\xff" * n)
    assert first != second
    assert len(first) == 15
    assert first.isascii()
    assert first == first.lower()
    assert names_identity(first, KEY)
    assert not names_identity(first, other)
