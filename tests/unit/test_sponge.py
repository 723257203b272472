from __future__ import annotations

import hashlib

import pytest

from protocol.errors import Misuse
from protocol.sponge import DuplexSponge, decode_uint, derive_session


@pytest.mark.parametrize("length", [0, 31, 33, 168])
def test_session_identifier_of_another_length_is_our_mistake(length: int) -> None:
    with pytest.raises(Misuse):
        DuplexSponge(bytes(length))


def test_output_is_shake128_over_the_padded_session_and_what_was_absorbed() -> None:
    sponge = DuplexSponge(b"s" * 32)
    sponge.absorb(b"one")
    sponge.absorb(b"two")
    expected = hashlib.shake_128(b"s" * 32 + bytes(136) + b"onetwo").digest(48)
    assert sponge.squeeze(20) + sponge.squeeze(28) == expected


def test_absorbing_starts_a_new_stream_and_absorbing_nothing_does_not() -> None:
    sponge = DuplexSponge(bytes(32))
    first = sponge.squeeze(16)
    sponge.absorb(b"")
    second = sponge.squeeze(16)
    assert second != first
    sponge.absorb(b"x")
    assert sponge.squeeze(16) == hashlib.shake_128(bytes(168) + b"x").digest(16)


def test_different_tags_have_different_sessions() -> None:
    assert derive_session(b"a") != derive_session(b"b")
    assert len(derive_session(b"")) == 32


def test_decoding_reads_little_endian_and_reduces() -> None:
    assert decode_uint(b"\x01\x02", 1000) == 513
    assert decode_uint(b"\x01\x04", 1000) == 25
