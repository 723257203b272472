"""What the programs at one table send each other: envelopes, asides, where they stand, farewell.

Each message is one canonical value ``[kind, ...]``; the link says who it comes from
(PEER, between peers).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from protocol import Aside, PeerFault, as_array, as_bytes, as_uint, decode, encode, read_signed

HASH_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Chained:
    """An envelope, of whomever."""

    raw: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """An aside, of whomever."""

    raw: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The sender plays the round of this contract and awaits this step, having read this head.

    ``game`` (the hash of the first round's contract), contract hash and head (that before the step)
    are 32 bytes.
    """

    game: bytes
    contract_hash: bytes
    step: int
    head: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Farewell:
    """The sender leaves for good, or (``game``, as in :class:`Standing`) is not in this game."""

    game: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """Something said while the table was being formed; it means nothing in a game."""


Wire: TypeAlias = Chained | Remark | Standing | Farewell | Late

LOBBY_KINDS = frozenset({"sit", "table", "change", "ready", "refused"})
GAME_KINDS = frozenset({"envelope", "aside", "at"})


def write(message: Chained | Remark | Standing | Farewell) -> bytes:
    """Return the bytes of a message."""
    match message:
        case Chained(raw=raw):
            return encode(("envelope", raw))
        case Remark(raw=raw):
            return encode(("aside", raw))
        case Standing(game=game, contract_hash=contract_hash, step=step, head=head):
            return encode(("at", game, contract_hash, step, head))
        case Farewell(game=None):
            return encode(("bye",))
        case Farewell(game=game):
            return encode(("bye", game))


def carry(raw: bytes) -> bytes:
    """Return the message that carries an envelope, or an aside that has no number.

    Raises:
        PeerFault: as :func:`protocol.read_signed`.
    """
    signed = read_signed(raw)
    return write(Remark(raw=raw) if isinstance(signed, Aside) else Chained(raw=raw))


def read(data: bytes) -> Wire:
    """Return the message in ``data``.

    Raises:
        PeerFault: ``codec.*``, ``wire.shape``.

    """
    kind, *rest = as_array(decode(data), "wire.shape") or (None,)
    values = tuple(rest)
    match kind:
        case "envelope":
            (raw,) = as_array(values, "wire.shape", length=1)
            return Chained(raw=as_bytes(raw, "wire.shape"))
        case "aside":
            (raw,) = as_array(values, "wire.shape", length=1)
            return Remark(raw=as_bytes(raw, "wire.shape"))
        case "at":
            game, contract_hash, step, head = as_array(values, "wire.shape", length=4)
            return Standing(
                game=as_bytes(game, "wire.shape", length=HASH_BYTES),
                contract_hash=as_bytes(contract_hash, "wire.shape", length=HASH_BYTES),
                step=as_uint(step, "wire.shape"),
                head=as_bytes(head, "wire.shape", length=HASH_BYTES),
            )
        case "bye":
            if not values:
                return Farewell()
            (game,) = as_array(values, "wire.shape", length=1)
            return Farewell(game=as_bytes(game, "wire.shape", length=HASH_BYTES))
    if kind in LOBBY_KINDS:
        return Late()
    raise PeerFault("wire.shape")


def decline(data: bytes) -> bytes:
    """Return what to answer to a peer who takes this program for one in its game."""
    said = peek(data)
    return write(Farewell(game=said.game if isinstance(said, Standing) else None))


def peek(data: bytes) -> Wire | None:
    """Return the message in ``data``, ``None`` if it is none."""
    try:
        return read(data)
    except PeerFault:
        return None


def kind_of(data: bytes) -> str | None:
    """Return the kind of a message, ``None`` if it has none."""
    try:
        value = decode(data)
    except PeerFault:
        return None
    return value[0] if isinstance(value, tuple) and value and isinstance(value[0], str) else None
