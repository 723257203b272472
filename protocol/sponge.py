"""The hash that takes the verifier's place: a SHAKE128 duplex sponge (SPEC, sponge and challenges).

Source: draft-irtf-cfrg-fiat-shamir, sections "SHAKE128", "Session identifiers" and "Decoding
unsigned integers" (FIPS 202 for the function itself). Knows neither groups nor proofs.
"""

from __future__ import annotations

import hashlib
from typing import Final

from .errors import Misuse

SESSION_BYTES: Final = 32
_RATE_BYTES: Final = 168
_SESSION_LABEL: Final = b"irtf-cfrg-fiat-shamir/session-id"


class DuplexSponge:
    """Absorb bytes, squeeze bytes; every output depends on all that was absorbed before it.

    Squeezing twice in a row continues one stream; absorbing at least one byte in between starts a
    new one over everything absorbed so far. What was squeezed is not fed back.
    """

    __slots__ = ("_hash", "_squeezed")

    def __init__(self, session: bytes) -> None:
        """Start from a session identifier of 32 bytes.

        Raises:
            Misuse: ``session`` has another length.
        """
        if len(session) != SESSION_BYTES:
            raise Misuse(f"a session identifier has {SESSION_BYTES} bytes, not {len(session)}")
        self._hash = hashlib.shake_128(session.ljust(_RATE_BYTES, b"\0"))
        self._squeezed = 0

    def absorb(self, data: bytes) -> None:
        """Take ``data`` in; nothing happens if it is empty."""
        if data:
            self._hash.update(data)
            self._squeezed = 0

    def squeeze(self, count: int) -> bytes:
        """Return the next ``count`` bytes of the stream."""
        start = self._squeezed
        self._squeezed = start + count
        return self._hash.digest(self._squeezed)[start:]


def derive_session(tag: bytes) -> bytes:
    """Return the 32-byte session identifier of an application's tag."""
    sponge = DuplexSponge(_SESSION_LABEL)
    sponge.absorb(tag)
    return sponge.squeeze(SESSION_BYTES)


def decode_uint(data: bytes, modulus: int) -> int:
    """Return ``data``, read as a little-endian integer, modulo ``modulus``.

    With 16 bytes more than the modulus has, the bias is below 2**-128.
    """
    return int.from_bytes(data, "little") % modulus
