"""What programs at one table send each other."""

from __future__ import annotations

import pytest

from p2p_davinci.session.wire import (
    Chained,
    Farewell,
    Late,
    Remark,
    Standing,
    kind_of,
    read,
    write,
)
from protocol import Value, encode
from tests.support.faults import expect_fault

STANDING = Standing(game=b"g" * 32, contract_hash=bytes(32), step=7, head=b"h" * 32)
MESSAGES = [
    (Chained(raw=b"raw"), "envelope"),
    (Remark(raw=b"raw"), "aside"),
    (STANDING, "at"),
    (Farewell(), "bye"),
    (Farewell(game=bytes(32)), "bye"),
]


@pytest.mark.parametrize(("message", "kind"), MESSAGES)
def test_a_message_reads_back_as_it_was(
    message: Chained | Remark | Standing | Farewell, kind: str
) -> None:
    assert read(write(message)) == message
    assert kind_of(write(message)) == kind


@pytest.mark.parametrize("kind", ["sit", "table", "change", "ready", "refused"])
def test_what_was_said_at_the_forming_table_means_nothing_in_a_game(kind: str) -> None:
    assert read(encode((kind, 1))) == Late()


@pytest.mark.parametrize(
    "value",
    [
        None,
        5,
        "envelope",
        (),
        ("nothing",),
        (5, b"raw"),
        ("envelope",),
        ("envelope", "raw"),
        ("envelope", b"raw", b"more"),
        ("aside", None),
        ("aside",),
        ("at", bytes(32), 1, bytes(32)),
        ("at", bytes(31), bytes(32), 1, bytes(32)),
        ("at", bytes(32), bytes(31), 1, bytes(32)),
        ("at", bytes(32), bytes(32), None, bytes(32)),
        ("at", bytes(32), bytes(32), 1, bytes(33)),
        ("bye", 1),
        ("bye", bytes(31)),
        ("bye", bytes(32), 1),
    ],
)
def test_what_is_no_message_is_refused(value: Value) -> None:
    with expect_fault("wire.shape"):
        read(encode(value))


@pytest.mark.parametrize("data", [b"", b"\xc1", encode(None), encode(()), encode((5,))])
def test_what_has_no_kind_says_so(data: bytes) -> None:
    assert kind_of(data) is None
