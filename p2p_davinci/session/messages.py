"""The body of every chained message: fields, then proof strings (SPEC, message bodies).

Every body is ``[fields, proofs]``. The tag of each proof in it binds the SHA-256 of the encoded
fields, so no field can be changed under a proof. Reading checks form and points; what a message
*means* in a step is checked where the step is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from protocol import (
    Ciphertext,
    OrderFields,
    PeerFault,
    Point,
    Scalar,
    Value,
    as_array,
    as_bytes,
    as_text,
    as_uint,
    decode_deck,
    decode_points,
    decode_secret,
    encode_deck,
)

from ..rules.moves import Call, parse_call

HASH_BYTES = 32
POINT_BYTES = 32
CALL_BYTES_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A message's body as it stands in the envelope."""

    fields: tuple[Value, ...]
    proofs: tuple[bytes, ...] = ()

    def encode(self) -> Value:
        """Return the value that goes into the envelope."""
        return (self.fields, self.proofs)

    def read(self, check: str, fields: int, proofs: int) -> tuple[Value, ...]:
        """Return the fields if there are that many of them, and that many proofs.

        Raises:
            PeerFault: ``check``.

        """
        as_array(self.proofs, check, length=proofs)
        return as_array(self.fields, check, length=fields)


def read_body(value: Value) -> Body:
    """Return the body that an envelope carries.

    Raises:
        PeerFault: ``body.shape``.

    """
    fields, proofs = as_array(value, "body.shape", length=2)
    return Body(
        fields=as_array(fields, "body.shape"),
        proofs=tuple(as_bytes(proof, "body.shape") for proof in as_array(proofs, "body.shape")),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitSent:
    """Step ``commit``."""

    commitment: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSent:
    """Step ``open``."""

    nonce: bytes
    key: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleSent:
    """Step ``shuffle``: every deck, re-masked and permuted (empty decks stay empty)."""

    decks: tuple[tuple[Ciphertext, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeSent:
    """Step ``take``."""

    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesSent:
    """Step ``shares``."""

    shares: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangeSent:
    """Step ``arrange``."""

    order: tuple[int, ...]
    values: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawSent:
    """Step ``draw``."""

    deck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessSent:
    """Step ``guess``."""

    seat: int
    slot: int
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSent:
    """Step ``answer``: the opened code on a hit, ``None`` on a miss."""

    code: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StopSent:
    """Step ``stop``: the drawn tile's slot and value, or nothing without a drawn tile."""

    slot: int | None
    value: Point | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceSent:
    """Step ``place``."""

    slot: int
    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUpSent:
    """Step ``turn-up``."""

    slot: int
    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OverdueSent:
    """Step ``overdue``: who called; the deck drawn from, or where the drawn tile stands."""

    caller: int
    deck: int | None
    stop: StopSent | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignSent:
    """``resign``, in place of what was due."""

    secret: Scalar = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySent:
    """Step ``key``: who has gone out, or has won, gives the round's key away."""

    secret: Scalar = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptSent:
    """Step ``receipt``: fresh bytes for the next round's contract, if there is one."""

    fresh: bytes | None


Message: TypeAlias = (
    CommitSent
    | OpenSent
    | ShuffleSent
    | TakeSent
    | SharesSent
    | ArrangeSent
    | DrawSent
    | GuessSent
    | AnswerSent
    | StopSent
    | PlaceSent
    | TurnUpSent
    | OverdueSent
    | ResignSent
    | KeySent
    | ReceiptSent
)


# --- fields that several bodies share --------------------------------------------------------


def join(points: tuple[Point, ...]) -> bytes:
    """Return the concatenated encodings of ``points``."""
    return b"".join(points)


def read_points(value: Value, check: str, count: int) -> tuple[Point, ...]:
    """Return ``count`` validated points from one byte string.

    Raises:
        PeerFault: ``check`` (not a byte string), ``point.*``.

    """
    return decode_points(as_bytes(value, check), count)


def read_deck(value: Value, check: str, count: int) -> tuple[Ciphertext, ...]:
    """Return ``count`` validated ciphertexts from one byte string.

    Raises:
        PeerFault: ``check`` (not a byte string), ``point.*``.

    """
    return decode_deck(as_bytes(value, check), count)


def read_secret(value: Value, check: str) -> Scalar:
    """Return a secret key that was given away.

    Raises:
        PeerFault: ``check`` (not a byte string), ``key.*`` or ``scalar.*``.

    """
    return decode_secret(as_bytes(value, check))


def deck_field(deck: tuple[Ciphertext, ...]) -> bytes:
    """Return the field for a deck (64 bytes each)."""
    return encode_deck(deck)


def order_fields(order: OrderFields) -> tuple[bytes, bytes]:
    """Return the two fields of an order proof: sort keys and digit commitments."""
    return join(order.keys), join(order.digits)


def read_order_fields(
    keys: Value, digits: Value, check: str, sizes: tuple[int, int]
) -> OrderFields:
    """Return an order proof's fields of the sizes that the public state demands.

    Raises:
        PeerFault: ``check`` (not byte strings), ``point.*``.

    """
    return OrderFields(
        keys=read_points(keys, check, sizes[0]),
        digits=read_points(digits, check, sizes[1]),
    )


def read_slot(value: Value, check: str, at_most: int) -> int:
    """Return a slot of a row, 1 to ``at_most``.

    Raises:
        PeerFault: ``check``.

    """
    slot = as_uint(value, check, at_most=at_most)
    if slot == 0:
        raise PeerFault(check)
    return slot


def read_call(value: Value) -> Call:
    """Return the call of a guess.

    Raises:
        PeerFault: ``guess.shape`` (no text of up to 3 bytes), ``guess.call`` (it spells no call).

    """
    try:
        return parse_call(as_text(value, "guess.shape", bytes_max=CALL_BYTES_MAX))
    except ValueError:
        raise PeerFault("guess.call") from None


def read_counts(value: Value, check: str, length: int, at_most: int) -> tuple[int, ...]:
    """Return ``length`` numbers, each up to ``at_most``.

    Raises:
        PeerFault: ``check``.

    """
    return tuple(
        as_uint(item, check, at_most=at_most) for item in as_array(value, check, length=length)
    )
