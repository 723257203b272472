"""Signed envelopes and asides (SPEC, transcript).

An envelope carries one step's payload of one seat and is chained; an aside carries what is said
beside the game. Both are ``[data, signature]``; what is signed is a label of its own kind and the
bytes ``data`` exactly as sent (Ed25519, RFC 8032), so a signature under the one never passes for
the other, nor for anything else that an identity key signs. This module knows neither whose turn
it is nor what a body means.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from nacl.bindings import crypto_core_ed25519_is_valid_point

from .codec import (
    FRAME_BYTES_MAX,
    PROTOCOL_VERSION,
    Value,
    as_array,
    as_bytes,
    as_text,
    as_uint,
    decode,
    encode,
    label,
)
from .errors import Misuse, PeerFault

HASH_BYTES = 32
"""Length of a session id, a head and a digest."""
KEY_BYTES = 32
SIGNATURE_BYTES = 64
SEAT_MAX = 15
STEP_MAX = 2**32 - 1
"""The last step number of an envelope and the last counter of an aside."""
KIND_BYTES_MAX = 16
BACKING_ITEMS_MAX = 16
"""The most promises that one signature can hold."""
ENVELOPE_BYTES_MAX = FRAME_BYTES_MAX - 256
"""The longest encoded envelope or aside: what carries it further still fits into a frame."""

_ENVELOPE_LABEL = label("envelope")
_ASIDE_LABEL = label("aside")


class Signer:
    """An identity's private key; it shows itself to nobody, in a repr least of all."""

    __slots__ = ("_private", "public")

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public: bytes = private.public_key().public_bytes_raw()
        """The identity key, 32 bytes."""

    def sign(self, purpose: bytes, data: bytes) -> bytes:
        """Return the 64-byte signature of ``data`` under a label of :func:`codec.label`."""
        return self._private.sign(purpose + data)

    def __repr__(self) -> str:
        return f"Signer(public={self.public.hex()})"


def check_identity(key: bytes) -> None:
    """Refuse an identity key under which a signature would prove nothing.

    Raises:
        PeerFault: ``identity.key``: not 32 bytes, not canonical, or not of prime order (RFC 8032
            verification accepts forgeries under keys of small order).
    """
    if len(key) != KEY_BYTES or not crypto_core_ed25519_is_valid_point(key):
        raise PeerFault("identity.key")


def as_kind(value: Value, check: str) -> str:
    """Return a decoded ``value`` that must name a kind: 1 to 16 visible ASCII characters.

    Raises:
        PeerFault: ``check``: it is something else.
    """
    kind = as_text(value, check, bytes_max=KIND_BYTES_MAX)
    if not kind or not all("!" <= mark <= "~" for mark in kind):
        raise PeerFault(check)
    return kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What one seat says in one step: session id and head are 32 bytes, ``seat`` is 0 to 15."""

    session: bytes
    seat: int
    step: int
    head: bytes
    kind: str
    body: Value
    backing: tuple[bytes, ...] = ()
    """The encoded promises of others on which the signer relies (SPEC, silent seats)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """A payload, the exact bytes that were signed, and the 64-byte signature."""

    payload: Payload
    data: bytes
    signature: bytes

    def encode(self) -> bytes:
        """Return the envelope as it is sent and stored."""
        return encode((self.data, self.signature))

    @property
    def digest(self) -> bytes:
        """SHA-256 of the payload bytes, without the signature: a signer can make two of those."""
        return hashlib.sha256(self.data).digest()

    # What an envelope and an aside have in common, under the names that an aside gives them.

    @property
    def session(self) -> bytes:
        """The session id, 32 bytes."""
        return self.payload.session

    @property
    def seat(self) -> int:
        """The signer's seat."""
        return self.payload.seat

    @property
    def head(self) -> bytes:
        """The head at which it was signed, 32 bytes."""
        return self.payload.head

    @property
    def backing(self) -> tuple[bytes, ...]:
        """The encoded promises of others on which the signer relies."""
        return self.payload.backing


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A signed remark outside the chain; ``counter`` numbers a seat's asides of a session."""

    session: bytes
    seat: int
    counter: int
    head: bytes
    kind: str
    body: Value
    backing: tuple[bytes, ...] = ()
    """The encoded promises of others on which the signer relies (SPEC, silent seats)."""
    data: bytes
    signature: bytes

    def encode(self) -> bytes:
        """Return the aside as it is sent and stored."""
        return encode((self.data, self.signature))


Signed: TypeAlias = Envelope | Aside
"""Anything that a seat has signed at a head."""


def seal(payload: Payload, signer: Signer) -> Envelope:
    """Return ``payload`` signed.

    Raises:
        Misuse: a field is out of its range, or the whole longer than ENVELOPE_BYTES_MAX.
    """
    fields = (
        payload.session,
        payload.seat,
        payload.step,
        payload.head,
        payload.kind,
        payload.body,
        payload.backing,
    )
    data, signature = _seal(fields, signer, _ENVELOPE_LABEL)
    return Envelope(payload=payload, data=data, signature=signature)


def read_envelope(raw: bytes) -> Envelope:
    """Return the envelope that ``raw`` encodes; its signature is *not* checked yet.

    Raises:
        PeerFault: ``codec.*``; ``envelope.shape``, ``envelope.signature`` (its length),
            ``envelope.version``, ``envelope.session``, ``envelope.seat``, ``envelope.step``,
            ``envelope.head``, ``envelope.kind`` (1 to 16 visible ASCII characters),
            ``envelope.backing`` (an array of at most BACKING_ITEMS_MAX byte strings).
    """
    data, signature = _open(raw, "envelope")
    session, seat, step, head, kind, body, backing = _fields(data, "envelope", "step")
    payload = Payload(
        session=session, seat=seat, step=step, head=head, kind=kind, body=body, backing=backing
    )
    return Envelope(payload=payload, data=data, signature=signature)


def verify_signature(envelope: Envelope, key: bytes) -> None:
    """Check that the holder of the identity ``key`` signed the envelope.

    Raises:
        PeerFault: ``envelope.signature``; ``identity.key`` as :func:`check_identity`.
    """
    _verify(key, _ENVELOPE_LABEL + envelope.data, envelope.signature, "envelope.signature")


def seal_aside(
    *,
    session: bytes,
    seat: int,
    counter: int,
    head: bytes,
    kind: str,
    body: Value,
    backing: tuple[bytes, ...] = (),
    signer: Signer,
) -> Aside:
    """Return a signed aside.

    Raises:
        Misuse: a field is out of its range, or the whole longer than ENVELOPE_BYTES_MAX.
    """
    fields = (session, seat, counter, head, kind, body, backing)
    data, signature = _seal(fields, signer, _ASIDE_LABEL)
    return _aside(fields, data, signature)


def read_aside(raw: bytes) -> Aside:
    """Return the aside that ``raw`` encodes; its signature is *not* checked yet.

    Raises:
        PeerFault: ``codec.*``; ``aside.*`` as ``envelope.*`` in :func:`read_envelope`, with
            ``aside.counter`` in the place of the step.
    """
    data, signature = _open(raw, "aside")
    return _aside(_fields(data, "aside", "counter"), data, signature)


def verify_aside(aside: Aside, key: bytes) -> None:
    """Check that the holder of the identity ``key`` signed the aside.

    Raises:
        PeerFault: ``aside.signature``; ``identity.key`` as :func:`check_identity`.
    """
    _verify(key, _ASIDE_LABEL + aside.data, aside.signature, "aside.signature")


_Fields: TypeAlias = tuple[bytes, int, int, bytes, str, Value, tuple[bytes, ...]]


def _seal(fields: _Fields, signer: Signer, purpose: bytes) -> tuple[bytes, bytes]:
    data = encode((PROTOCOL_VERSION, *fields))
    try:
        _fields(data, "envelope", "number")
    except PeerFault as fault:
        raise Misuse(f"cannot be sealed: {fault}") from None
    signature = signer.sign(purpose, data)
    if len(encode((data, signature))) > ENVELOPE_BYTES_MAX:
        raise Misuse(f"cannot be sealed: longer than {ENVELOPE_BYTES_MAX} bytes")
    return data, signature


def _open(raw: bytes, what: str) -> tuple[bytes, bytes]:
    parts = as_array(decode(raw, bytes_max=ENVELOPE_BYTES_MAX), f"{what}.shape", length=2)
    data, signature = parts
    return (
        as_bytes(data, f"{what}.shape"),
        as_bytes(signature, f"{what}.signature", length=SIGNATURE_BYTES),
    )


def _fields(data: bytes, what: str, number_name: str) -> _Fields:
    fields = as_array(decode(data), f"{what}.shape")
    # The version comes first: another version may have other fields.
    if not fields or as_uint(fields[0], f"{what}.version") != PROTOCOL_VERSION:
        raise PeerFault(f"{what}.version")
    _, session, seat, number, head, kind, body, backing = as_array(
        fields, f"{what}.shape", length=8
    )
    return (
        as_bytes(session, f"{what}.session", length=HASH_BYTES),
        as_uint(seat, f"{what}.seat", at_most=SEAT_MAX),
        as_uint(number, f"{what}.{number_name}", at_most=STEP_MAX),
        as_bytes(head, f"{what}.head", length=HASH_BYTES),
        as_kind(kind, f"{what}.kind"),
        body,
        _as_backing(backing, f"{what}.backing"),
    )


def _as_backing(value: Value, check: str) -> tuple[bytes, ...]:
    items = as_array(value, check)
    if len(items) > BACKING_ITEMS_MAX:
        raise PeerFault(check)
    return tuple(as_bytes(item, check) for item in items)


def _aside(fields: _Fields, data: bytes, signature: bytes) -> Aside:
    session, seat, counter, head, kind, body, backing = fields
    return Aside(
        session=session,
        seat=seat,
        counter=counter,
        head=head,
        kind=kind,
        body=body,
        backing=backing,
        data=data,
        signature=signature,
    )


def _verify(key: bytes, message: bytes, signature: bytes, check: str) -> None:
    check_identity(key)
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        raise PeerFault(check) from None
