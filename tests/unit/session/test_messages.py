"""Bodies, and the fields that several messages share."""

from __future__ import annotations

import pytest

from p2p_davinci.rules.moves import Call
from p2p_davinci.rules.tiles import Colour
from p2p_davinci.session.messages import (
    Body,
    KeySent,
    ResignSent,
    join,
    read_body,
    read_call,
    read_counts,
    read_deck,
    read_order_fields,
    read_points,
    read_secret,
    read_slot,
)
from protocol import Point, Scalar, Value, generate_secret, public_key
from tests.support.crypto import lifted, seeded
from tests.support.faults import expect_fault

SECRET = generate_secret(seeded("messages"))
POINT = public_key(SECRET)
SHAPELESS: tuple[Value, ...] = (None, 0, b"", "", (), ((),), ((), (), ()), (0, ()), ((), 0))


def test_a_body_reads_back_as_it_was() -> None:
    body = Body(fields=(1, b"x", None), proofs=(b"a", b"b"))
    assert read_body(body.encode()) == body


@pytest.mark.parametrize("value", [*SHAPELESS, ((), (b"a", None)), ((), ("a",))])
def test_what_is_no_body_is_refused(value: Value) -> None:
    with expect_fault("body.shape"):
        read_body(value)


@pytest.mark.parametrize(("fields", "proofs"), [(2, 2), (4, 2), (3, 1), (3, 3)])
def test_a_body_has_as_many_fields_and_proofs_as_its_kind(fields: int, proofs: int) -> None:
    body = Body(fields=(1, 2, 3), proofs=(b"a", b"b"))
    assert body.read("x.shape", 3, 2) == (1, 2, 3)
    with expect_fault("x.shape"):
        body.read("x.shape", fields, proofs)


def test_a_key_in_a_message_shows_in_no_repr() -> None:
    for message in (KeySent(secret=SECRET), ResignSent(secret=SECRET)):
        assert SECRET.hex() not in repr(message)
        assert repr(SECRET) not in repr(message)


def test_points_come_in_one_string_of_the_right_length() -> None:
    points = (POINT, public_key(Scalar(SECRET)))
    assert read_points(join(points), "x", 2) == points
    for value, check in ((join(points), "point.length"), (5, "x"), (bytes(32), "point.encoding")):
        with expect_fault(check):
            read_points(value, "x", 1)


def test_a_deck_comes_in_one_string_of_the_right_length() -> None:
    (tile,) = read_deck(POINT * 2, "x", 1)
    assert (tile.a, tile.b) == (POINT, POINT)
    for value, check in ((POINT, "point.length"), (None, "x")):
        with expect_fault(check):
            read_deck(value, "x", 1)


@pytest.mark.parametrize(
    ("value", "check"),
    [
        (None, "x"),
        (b"", "scalar.length"),
        (bytes(32), "key.zero"),
        (lifted(SECRET), "scalar.range"),
    ],
)
def test_what_is_no_secret_key_is_refused(value: Value, check: str) -> None:
    assert read_secret(bytes(SECRET), "x") == SECRET
    with expect_fault(check):
        read_secret(value, "x")


def test_the_fields_of_an_order_proof_have_the_sizes_that_are_due() -> None:
    fields = read_order_fields(POINT, POINT * 2, "x", (1, 2))
    assert (fields.keys, fields.digits) == ((POINT,), (POINT, POINT))
    for sizes in ((0, 2), (2, 2), (1, 1), (1, 3)):
        with expect_fault("point.length"):
            read_order_fields(POINT, POINT * 2, "x", sizes)
    for keys, digits in ((None, b""), (b"", None)):
        with expect_fault("x"):
            read_order_fields(keys, digits, "x", (0, 0))


@pytest.mark.parametrize("value", [0, 5, None, "1", True])
def test_a_slot_is_a_number_from_one_to_a_limit(value: Value) -> None:
    assert [read_slot(slot, "x", 4) for slot in (1, 4)] == [1, 4]
    with expect_fault("x"):
        read_slot(value, "x", 4)


@pytest.mark.parametrize("value", ["", "b13", "x5", "b5 ", "b05"])
def test_what_is_no_call_is_refused(value: Value) -> None:
    assert read_call("w-") == Call(colour=Colour.WHITE, number=None)
    with expect_fault("guess.call"):
        read_call(value)


@pytest.mark.parametrize("value", [None, b"b5", 5, "joker"])
def test_a_call_is_text_of_three_bytes_at_most(value: Value) -> None:
    with expect_fault("guess.shape"):
        read_call(value)


@pytest.mark.parametrize("value", [None, (1,), (1, 2, 3), (1, 5), (1, True), (1, "2"), (1, None)])
def test_counts_are_so_many_numbers_up_to_a_limit(value: Value) -> None:
    assert read_counts((1, 4), "x", 2, 4) == (1, 4)
    with expect_fault("x"):
        read_counts(value, "x", 2, 4)


def test_joining_points_puts_their_encodings_together() -> None:
    assert join((POINT, Point(POINT))) == POINT + POINT
