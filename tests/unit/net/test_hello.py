from __future__ import annotations

import contextlib
import dataclasses
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_davinci.net.hello import HELLO_BYTES_MAX, BadHello, Role, decode_hello
from p2p_davinci.net.limits import CARD_BYTES_MAX, HOSTS_MAX, NAME_BYTES_MAX

from .ends import KEYS, hello

HEAD_BYTES = 80


@given(
    name=st.text(min_size=1, max_size=16).filter(
        lambda text: not any(0xD800 <= ord(c) <= 0xDFFF for c in text)
    ),
    card=st.binary(max_size=CARD_BYTES_MAX),
    hosts=st.lists(st.ip_addresses().map(str), max_size=HOSTS_MAX),
    boot=st.integers(min_value=1, max_value=2**64 - 1),
    role=st.sampled_from(Role),
)
def test_a_hello_survives_its_encoding(
    name: str, card: bytes, hosts: list[str], boot: int, role: Role
) -> None:
    told = hello(KEYS[0], name=name, card=card, hosts=tuple(hosts), boot=boot, role=role)
    assert decode_hello(told.encode()) == told


@pytest.mark.parametrize(
    "name",
    [
        "a.b.c",
        "DUP",
        "n" * NAME_BYTES_MAX,
        "한글" * 10,
        "🀄" * 16,
        "\u202erav\u2066id",
        "\u200b",
    ],
)
def test_any_nickname_of_64_bytes_travels_as_it_was_written(name: str) -> None:
    assert decode_hello(hello(KEYS[0], name=name).encode()).name == name


def test_the_largest_hello_fits() -> None:
    host = "2001:db8:1111:2222:3333:4444:5555:6666"
    largest = hello(KEYS[0], name="é" * 32, card=bytes(CARD_BYTES_MAX), hosts=(host,) * HOSTS_MAX)
    data = largest.encode()
    assert len(data) <= HELLO_BYTES_MAX
    assert decode_hello(data) == largest


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "n" * (NAME_BYTES_MAX + 1)},
        {"name": "한" * 22},
        {"card": bytes(CARD_BYTES_MAX + 1)},
        {"hosts": ("192.0.2.1",) * (HOSTS_MAX + 1)},
        {"nonce": bytes(31)},
    ],
)
def test_a_hello_beyond_its_limits_is_not_sent(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"bytes|hosts"):
        hello(KEYS[0], **change).encode()


def field(data: bytes) -> bytes:
    return struct.pack(">H", len(data)) + data


HEAD = hello(KEYS[0]).encode()[:HEAD_BYTES]
NAME, CARD, HOST = field(b"ana"), field(b"card"), field(b"192.0.2.1")


def with_head(at: int, value: bytes) -> bytes:
    return HEAD[:at] + value + HEAD[at + len(value) :]


def test_the_parts_below_make_a_good_hello() -> None:
    assert decode_hello(HEAD + NAME + CARD + HOST).hosts == ("192.0.2.1",)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        HEAD,
        HEAD[:-1],
        HEAD + NAME,
        HEAD + NAME + CARD + HOST * (HOSTS_MAX + 1),
        HEAD + NAME + CARD + b"\x00",
        HEAD + NAME + CARD[:-1],
        HEAD + field(b"") + CARD,
        HEAD + field(b"n" * (NAME_BYTES_MAX + 1)) + CARD,
        HEAD + field(b"\xff") + CARD,
        HEAD + field(b"\xed\xa0\x80") + CARD,
        HEAD + NAME + field(bytes(CARD_BYTES_MAX + 1)),
        HEAD + NAME + CARD + field(b"example.org"),
        HEAD + NAME + CARD + field(b"192.0.2.01"),
        HEAD + NAME + CARD + field(b"2001:DB8::1"),
        HEAD + NAME + CARD + field(b"fe80::1%eth0"),
        HEAD + NAME + CARD + field(b"\xb9"),
        HEAD + NAME + CARD + HOST + bytes(HELLO_BYTES_MAX),
        with_head(5, b"\x00") + NAME + CARD,
        with_head(5, b"\x03") + NAME + CARD,
        with_head(6, bytes(8)) + NAME + CARD,
        with_head(48, bytes(32)) + NAME + CARD,
        with_head(48, b"\x01" + bytes(31)) + NAME + CARD,
    ],
)
def test_bytes_that_are_no_hello_are_refused(data: bytes) -> None:
    with pytest.raises(BadHello):
        decode_hello(data)


@given(data=st.binary(max_size=200))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    for candidate in (data, HEAD + data, HEAD + NAME + data):
        with contextlib.suppress(BadHello):
            assert decode_hello(candidate).encode() == candidate


def test_a_hello_is_a_value() -> None:
    told = hello(KEYS[0])
    assert dataclasses.replace(told, boot=2) != told
