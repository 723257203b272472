from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import cast

import msgpack
import pytest

from protocol.codec import (
    ARRAY_ITEMS_MAX,
    DEPTH_MAX,
    FRAME_BYTES_MAX,
    LABEL_BYTES,
    UINT_MAX,
    Value,
    as_array,
    as_bytes,
    as_text,
    as_uint,
    decode,
    encode,
    label,
)
from protocol.errors import Misuse
from tests.support.faults import expect_fault


def nested(depth: int) -> Value:
    value: Value = 0
    for _ in range(depth):
        value = (value,)
    return value


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (None, "c0"),
        (False, "c2"),
        (True, "c3"),
        (0, "00"),
        (127, "7f"),
        (128, "cc80"),
        (256, "cd0100"),
        (65536, "ce00010000"),
        (2**32, "cf0000000100000000"),
        (UINT_MAX, "cfffffffffffffffff"),
        (b"", "c400"),
        (b"\x01\x02", "c4020102"),
        ("", "a0"),
        ("黑", "a3e9bb91"),
        ("x" * 32, "d920" + "78" * 32),
        ((), "90"),
        ((1, (b"a", None)), "920192c40161c0"),
        ((0,) * 16, "dc0010" + "00" * 16),
    ],
)
def test_one_value_has_one_known_encoding(value: Value, data: str) -> None:
    assert encode(value).hex() == data
    assert decode(bytes.fromhex(data)) == value


def test_true_comes_back_as_a_truth_value_and_one_as_a_number() -> None:
    assert decode(encode((True, 1))) == (True, 1)
    flag, one = as_array(decode(encode((True, 1))), "shape")
    assert (type(flag), type(one)) == (bool, int)


@pytest.mark.parametrize(
    "value",
    [
        -1,
        UINT_MAX + 1,
        1.0,
        {},
        {1: 2},
        [1],
        (1, [2]),
        bytearray(b"a"),
        msgpack.ExtType(5, b""),
        "\ud800",
        ("ok", "\udfff"),
        nested(DEPTH_MAX + 1),
        (0,) * (ARRAY_ITEMS_MAX + 1),
    ],
)
def test_encoding_a_value_outside_the_subset_is_misuse(value: object) -> None:
    with pytest.raises(Misuse):
        encode(cast("Value", value))


@pytest.mark.parametrize(
    "data",
    [
        "",  # nothing
        "c1",  # the byte that msgpack never uses
        "0000",  # trailing byte
        "92" + "00",  # one item of two
        "c402" + "00",  # one byte of two
        "a1ff",  # not UTF-8
        "a3eda080",  # a surrogate in UTF-8's clothes
        "c10000",
        "dd" + "ffffffff",  # four thousand million items
        "db" + "ffffffff",  # as much text
        "c6" + "ffffffff",  # as many bytes
        "df" + "ffffffff",  # as many pairs
        "c9" + "ffffffff" + "05",  # an extension as long
        "81a16100",  # a map with a pair
        "d40100",  # an extension of one byte
        "d6ff00000000",  # a timestamp
        "c700ff",  # a timestamp without a time
        "dc" + "0401" + "00" * 1025,  # one item more than an array may have
    ],
)
def test_what_is_not_messagepack_within_the_limits_is_refused(data: str) -> None:
    with expect_fault("codec.canonical"):
        decode(bytes.fromhex(data))


@pytest.mark.parametrize(
    "data",
    [
        "ff",  # -1
        "d080",  # -128
        "d3" + "8" + "0" * 15,  # the smallest of all
        "ca3f800000",  # a float
        "cb7ff8000000000000",  # a float that is no number
        "80",  # an empty map
        "c70005",  # an empty extension: msgpack hands out a tuple for it
        "91c70005",
        "91" * (DEPTH_MAX + 1) + "00",
        "91" * 512 + "00",
        "91" * 513 + "00",
        "91" * 1000 + "00",
        "91" * 1025 + "00",  # deeper than the parser goes
    ],
)
def test_what_the_subset_leaves_out_is_refused(data: str) -> None:
    with expect_fault("codec.canonical"):
        decode(bytes.fromhex(data))


@pytest.mark.parametrize(
    "data",
    [
        "cc7f",  # a number in two bytes that fits one
        "cd00ff",
        "ce0000ffff",
        "cf00000000ffffffff",
        "d07f",  # a positive number as signed
        "d900",  # text with a longer length than it needs
        "da0001" + "61",
        "c50001" + "61",
        "c600000001" + "61",
        "dc000100",  # an array likewise
        "dd0000000100",
        "91cc01",  # inside an array, too
    ],
)
def test_a_second_spelling_of_a_value_is_refused(data: str) -> None:
    with expect_fault("codec.canonical"):
        decode(bytes.fromhex(data))


def test_depth_limit_counts_arrays() -> None:
    deepest = nested(DEPTH_MAX)
    assert decode(encode(deepest)) == deepest


def test_array_limit_is_the_same_in_both_directions() -> None:
    longest: Value = (None,) * ARRAY_ITEMS_MAX
    assert decode(encode(longest)) == longest


def test_length_limit_stands_before_everything_else() -> None:
    longest = encode(("", "x" * (FRAME_BYTES_MAX - 5)))
    assert len(longest) == FRAME_BYTES_MAX
    assert encode(decode(longest)) == longest
    with expect_fault("codec.length"):
        decode(b"\xc1" * (FRAME_BYTES_MAX + 1))
    with expect_fault("codec.length"):
        decode(encode((1, 2)), bytes_max=2)


@pytest.mark.parametrize("head", ["91", "dcffff", "dc0400", "ddffffffff", "92", "dd00000400"])
def test_nested_bombs_cost_no_more_than_their_depth(head: str) -> None:
    bomb = (bytes.fromhex(head) * FRAME_BYTES_MAX)[:FRAME_BYTES_MAX]
    tracemalloc.start()
    try:
        with expect_fault("codec.canonical"):
            decode(bomb)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # 1024 arrays of 1024 references would be 8 MiB; without the limit it was many times that.
    assert peak < 10 * 2**20


def test_labels_have_one_width_and_end_where_their_name_ends() -> None:
    assert label("head") == b"p2p-davinci/2 head" + bytes(14)
    assert len(label("x" * 18)) == LABEL_BYTES


@pytest.mark.parametrize("name", ["x" * 19, "tête"])
def test_a_label_that_does_not_fit_is_misuse(name: str) -> None:
    with pytest.raises(Misuse):
        label(name)


def test_typed_readers_return_what_fits() -> None:
    assert as_uint(15, "c", at_most=15) == 15
    assert as_uint(UINT_MAX, "c") == UINT_MAX
    assert as_uint(0, "c", at_most=0) == 0
    assert as_bytes(b"ab", "c") == b"ab"
    assert as_bytes(b"ab", "c", length=2) == b"ab"
    assert as_text("黑", "c", bytes_max=3) == "黑"
    assert as_text("黑", "c", bytes_min=3, bytes_max=3) == "黑"
    assert as_text("", "c", bytes_max=3) == ""
    assert as_array((), "c") == ()
    assert as_array((1, 2), "c", length=2) == (1, 2)


@pytest.mark.parametrize(
    "read",
    [
        lambda: as_uint(16, "c", at_most=15),
        lambda: as_uint(-1, "c"),
        lambda: as_uint(True, "c"),
        lambda: as_uint("1", "c"),
        lambda: as_uint(None, "c"),
        lambda: as_bytes("ab", "c"),
        lambda: as_bytes(b"ab", "c", length=3),
        lambda: as_bytes(b"", "c", length=1),
        lambda: as_text(b"ab", "c", bytes_max=9),
        lambda: as_text("黑", "c", bytes_max=2),
        lambda: as_text("黑", "c", bytes_min=4, bytes_max=9),
        lambda: as_array(b"ab", "c"),
        lambda: as_array((1,), "c", length=2),
        lambda: as_array((1,), "c", length=0),
    ],
)
def test_typed_readers_refuse_under_the_name_they_were_given(read: Callable[[], object]) -> None:
    with expect_fault("c"):
        read()
