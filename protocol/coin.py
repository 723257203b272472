"""Commitments, coin, session id, and what people compare (SPEC, opening; PEER, comparison).

Every seat commits to a nonce and its key of the round before anybody opens. The coin comes from
the nonces alone: a head also holds what the last speaker still could choose. The session id binds
the contract, all nonces and all keys; people compare 32 bits of it aloud, which suffice because
nobody could search for a collision once the commitments stood. This module knows no game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from .codec import label
from .errors import Misuse, PeerFault
from .words import WORDS

NONCE_BYTES = 32
SEATS_MAX = 16
COIN_SIDES_MAX = 256

_COMMIT_LABEL = label("commit")
_SESSION_LABEL = label("session")
_COIN_LABEL = label("coin")
_COMPARISON_LABEL = label("comparison")
_COIN_STREAM_BYTES = 1024
_COMPARED_BYTES = 4


def commit(contract_hash: bytes, seat: int, nonce: bytes, key: bytes) -> bytes:
    """Return the 32-byte commitment of ``seat`` (0 to 15) to its nonce and key (32 bytes each).

    Raises:
        Misuse: a length or the seat is out of range.
    """
    _need_32_bytes(contract_hash, nonce, key)
    if not 0 <= seat < SEATS_MAX:
        raise Misuse(f"seat {seat}")
    return hashlib.sha256(_COMMIT_LABEL + contract_hash + bytes([seat]) + nonce + key).digest()


def verify_commitment(
    commitment: bytes, contract_hash: bytes, seat: int, nonce: bytes, key: bytes
) -> None:
    """Check that nonce and key are those that ``seat`` committed to.

    Raises:
        PeerFault: ``commit.mismatch``.
        Misuse: as :func:`commit`.
    """
    if commit(contract_hash, seat, nonce, key) != commitment:
        raise PeerFault("commit.mismatch")


def session_id(contract_hash: bytes, nonces: Sequence[bytes], keys: Sequence[bytes]) -> bytes:
    """Return the 32-byte session id from the nonce and key of every seat, in seat order.

    Raises:
        Misuse: no seat, more than 16, a nonce without a key, or a length is not 32 bytes.
    """
    _need_32_bytes(contract_hash, *nonces, *keys)
    if not 0 < len(nonces) <= SEATS_MAX or len(nonces) != len(keys):
        raise Misuse(f"{len(nonces)} nonces, {len(keys)} keys")
    pairs = b"".join(nonce + key for nonce, key in zip(nonces, keys, strict=True))
    return hashlib.sha256(_SESSION_LABEL + contract_hash + pairs).digest()


def coin(nonces: Sequence[bytes], sides: int) -> int:
    """Return a number from 0 to ``sides`` - 1 that no seat could steer (``sides`` is 1 to 256).

    The first byte of SHAKE256(label, nonces in seat order) that is below the largest multiple of
    ``sides`` decides, so every side is equally likely.

    Raises:
        Misuse: no nonce, a nonce that is not 32 bytes, or ``sides`` out of range.
    """
    _need_32_bytes(*nonces)
    if not nonces or not 0 < sides <= COIN_SIDES_MAX:
        raise Misuse(f"{len(nonces)} nonces, {sides} sides")
    limit = 256 - 256 % sides
    # Fewer than half of all bytes are passed over: 1024 in a row, with chance below 2**-1024.
    stream = hashlib.shake_256(_COIN_LABEL + b"".join(nonces)).digest(_COIN_STREAM_BYTES)
    return next(byte % sides for byte in stream if byte < limit)


def comparison(session: bytes) -> tuple[tuple[str, ...], str]:
    """Return what people compare aloud: four words, and ten digits ("01234 56789").

    Both write the same 32 bits, so a table may use either.

    Raises:
        Misuse: ``session`` is not 32 bytes.
    """
    _need_32_bytes(session)
    bits = hashlib.sha256(_COMPARISON_LABEL + session).digest()[:_COMPARED_BYTES]
    digits = f"{int.from_bytes(bits, 'big'):010d}"
    return tuple(WORDS[byte] for byte in bits), f"{digits[:5]} {digits[5:]}"


def _need_32_bytes(*values: bytes) -> None:
    if any(len(value) != NONCE_BYTES for value in values):
        raise Misuse("a hash, nonce or key is not 32 bytes")
