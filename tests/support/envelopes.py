"""Signers from fixed seeds, and payloads with one field changed at a time."""

from __future__ import annotations

import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol.codec import Value
from protocol.envelope import Aside, Envelope, Payload, Signer, seal, seal_aside

SESSION = hashlib.sha256(b"session").digest()
HEAD = hashlib.sha256(b"head").digest()


def signer(seat: int) -> Signer:
    """The same signer for the same seat, in every run."""
    return Signer(Ed25519PrivateKey.from_private_bytes(bytes([seat + 1]) * 32))


def payload(
    *,
    session: bytes = SESSION,
    seat: int = 1,
    step: int = 7,
    head: bytes = HEAD,
    kind: str = "draw",
    body: Value = (0,),
    backing: tuple[bytes, ...] = (),
) -> Payload:
    """A payload that is in order unless told otherwise."""
    return Payload(
        session=session, seat=seat, step=step, head=head, kind=kind, body=body, backing=backing
    )


def said(
    *,
    session: bytes = SESSION,
    seat: int = 1,
    step: int = 7,
    head: bytes = HEAD,
    kind: str = "draw",
    body: Value = (0,),
    backing: tuple[bytes, ...] = (),
) -> Envelope:
    """The same, signed by that seat."""
    content = payload(
        session=session, seat=seat, step=step, head=head, kind=kind, body=body, backing=backing
    )
    return seal(content, signer(seat))


def signed(
    seat: int,
    kind: str,
    body: Value,
    *,
    counter: int = 0,
    head: bytes = HEAD,
    backing: tuple[Aside, ...] = (),
) -> Aside:
    """Return a signed aside without a number of its own, such as a vote."""
    return seal_aside(
        session=SESSION,
        seat=seat,
        counter=counter,
        head=head,
        kind=kind,
        body=body,
        backing=tuple(promise.encode() for promise in backing),
        signer=signer(seat),
    )
