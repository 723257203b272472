from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from protocol.codec import UINT_MAX, Value, decode, encode
from protocol.errors import PeerFault

LEAVES: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, UINT_MAX),
    st.binary(max_size=300),
    st.text(max_size=100),
)
# Seven layers of arrays round a leaf are within the limit of eight.
VALUES: st.SearchStrategy[Value] = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=7
)


def _depth(value: Value) -> int:
    return 1 + max(map(_depth, value), default=0) if isinstance(value, tuple) else 0


def _canonical_or_refused(data: bytes) -> bool:
    """Whether decoding keeps its promise; any other exception than a PeerFault escapes."""
    try:
        value = decode(data)
    except PeerFault as fault:
        return fault.check == "codec.canonical"
    return encode(value) == data


@given(VALUES.filter(lambda value: _depth(value) <= 8))
def test_every_value_comes_back_with_its_types(value: Value) -> None:
    back = decode(encode(value))
    assert back == value
    assert repr(back) == repr(value)


@given(VALUES, VALUES)
def test_different_values_have_different_encodings(one: Value, other: Value) -> None:
    # repr tells True from 1, which == does not.
    assert (encode(one) == encode(other)) == (repr(one) == repr(other))


@given(st.binary(max_size=64))
@example(b"\xc7\x00\x05")
@example(b"\xc7\x00\xff")
@example(b"\xd6\xff\x00\x00\x00\x00")
def test_any_bytes_decode_canonically_or_raise_a_peer_fault(data: bytes) -> None:
    assert _canonical_or_refused(data)


HEADS = st.sampled_from(
    [
        *(b"\x91", b"\x92", b"\xdc\x00\x10", b"\xdd\x00\x00\x00\x01", b"\x80", b"\x81"),
        *(b"\xc4\x01", b"\xc7\x01\x05", b"\xd4\xff", b"\xd9\x01", b"\xa1", b"\xca", b"\xcc"),
        *(b"\xd3", b"\xc1", b"\xc0"),
    ]
)


@given(st.lists(HEADS | st.binary(min_size=1, max_size=2), max_size=24).map(b"".join))
def test_any_sequence_of_msgpack_heads_decodes_canonically_or_raises(data: bytes) -> None:
    assert _canonical_or_refused(data)


@given(VALUES, st.data())
def test_a_changed_byte_never_yields_the_same_value(value: Value, data: st.DataObject) -> None:
    good = encode(value)
    at = data.draw(st.integers(0, len(good) - 1))
    bad = bytearray(good)
    bad[at] ^= data.draw(st.integers(1, 255))
    try:
        other = decode(bytes(bad))
    except PeerFault:
        return
    assert repr(other) != repr(value)
