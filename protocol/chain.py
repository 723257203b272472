"""Steps, heads and double speaking (SPEC, transcript; PEER, evidence file).

A step says which seats must speak and which kinds of payload each may choose from; the caller
takes that from its public state, and nothing else is accepted. When all have spoken the step
closes: its head hashes the head before and every payload, so two peers with the same head have
read the same game. This module knows no key (signatures are checked before), except where it
judges evidence for third parties.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from .codec import (
    FRAME_BYTES_MAX,
    PROTOCOL_VERSION,
    as_array,
    as_bytes,
    as_uint,
    decode,
    encode,
    label,
)
from .envelope import (
    HASH_BYTES,
    KEY_BYTES,
    SEAT_MAX,
    STEP_MAX,
    Envelope,
    check_identity,
    read_envelope,
    verify_signature,
)
from .errors import Misuse, PeerFault

EVIDENCE_MAGIC = b"p2p-davinci evidence\n"
RECEIPT_KIND = "receipt"

_INITIAL_LABEL = label("initial head")
_HEAD_LABEL = label("head")
_STEP_BYTES = 8
_EVIDENCE_BYTES_MAX = 2 * FRAME_BYTES_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: its number, the 32-byte head before it, and who may say what.

    ``kinds`` pairs every seat that must speak with the kinds it may choose from, in seat order.
    """

    number: int
    head: bytes
    kinds: tuple[tuple[int, frozenset[str]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A session's current step and what was said in it, as (seat, envelope) in seat order."""

    session: bytes
    step: Step
    spoken: tuple[tuple[int, Envelope], ...]

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that have not spoken yet, in order."""
        spoken = dict(self.spoken)
        return tuple(seat for seat, _ in self.step.kinds if seat not in spoken)

    @property
    def complete(self) -> bool:
        """Whether all have spoken."""
        return len(self.spoken) == len(self.step.kinds)


def initial_head(contract_hash: bytes) -> bytes:
    """Return the 32-byte head before the first step of a round.

    Raises:
        Misuse: ``contract_hash`` is not 32 bytes.
    """
    if len(contract_hash) != HASH_BYTES:
        raise Misuse(f"contract hash of {len(contract_hash)} bytes")
    return hashlib.sha256(_INITIAL_LABEL + contract_hash).digest()


def open_step(
    session: bytes, number: int, head: bytes, kinds: Mapping[int, Collection[str]]
) -> Chain:
    """Return the chain at the beginning of a step.

    ``session`` and ``head`` are 32 bytes, ``number`` is 0 to STEP_MAX; ``kinds`` names for every
    seat that must speak (0 to 15) the kinds that it may choose from.

    Raises:
        Misuse: something is out of range, or nobody must speak, or somebody may say nothing.
    """
    if len(session) != HASH_BYTES or len(head) != HASH_BYTES or not 0 <= number <= STEP_MAX:
        raise Misuse(f"step {number} of a {len(session)}-byte session at a {len(head)}-byte head")
    if not kinds or not all(0 <= seat <= SEAT_MAX for seat in kinds):
        raise Misuse(f"speakers {sorted(kinds)}")
    # A plain string would be taken for a collection of one-letter kinds.
    if any(isinstance(allowed, str) or not allowed for allowed in kinds.values()):
        raise Misuse("the kinds of a seat are a collection of at least one")
    ordered = tuple((seat, frozenset(kinds[seat])) for seat in sorted(kinds))
    return Chain(session=session, step=Step(number=number, head=head, kinds=ordered), spoken=())


def repeated(chain: Chain, envelope: Envelope) -> bool:
    """Tell whether this very payload has been accepted in the current step already.

    A repetition is no fault (a peer that lost its connection sends again): :func:`accept` returns
    the chain as it was, and there is nothing to log or to forward.
    """
    before = dict(chain.spoken).get(envelope.payload.seat)
    return before is not None and before.data == envelope.data


def accept(chain: Chain, envelope: Envelope) -> Chain:
    """Return the chain in which ``envelope``, whose signature has been verified, is spoken.

    Raises:
        PeerFault: ``chain.session``, ``chain.step`` (another session or step than the current),
            ``chain.doubled`` (its seat has said something else in this step: with what it said
            before, a :class:`DoubleSpeaking`), ``chain.head``, ``chain.speaker`` (that seat need
            not speak), ``chain.kind``.
    """
    payload, step = envelope.payload, chain.step
    if payload.session != chain.session:
        raise PeerFault("chain.session")
    if payload.step != step.number:
        raise PeerFault("chain.step", f"{payload.step}, not {step.number}")
    if repeated(chain, envelope):
        return chain
    # Doubled comes first: whatever else is wrong with it, it is evidence.
    before = dict(chain.spoken).get(payload.seat)
    if before is not None and are_doubled(before, envelope):
        raise PeerFault("chain.doubled")
    if payload.head != step.head:
        raise PeerFault("chain.head")
    allowed = dict(step.kinds).get(payload.seat)
    if allowed is None:
        raise PeerFault("chain.speaker")
    if payload.kind not in allowed:
        raise PeerFault("chain.kind", f"{payload.kind!r}, not one of {sorted(allowed)}")
    spoken = {**dict(chain.spoken), payload.seat: envelope}
    return replace(chain, spoken=tuple(sorted(spoken.items(), key=lambda item: item[0])))


def close(chain: Chain) -> bytes:
    """Return the head after the current step (32 bytes).

    It is SHA-256 over a label, the head before, the step's number (8 bytes, little-endian), and in
    seat order each seat (1 byte) with the SHA-256 of its payload bytes.

    Raises:
        Misuse: somebody has not spoken yet.
    """
    if not chain.complete:
        raise Misuse(f"step {chain.step.number} still awaits {chain.awaited}")
    said = b"".join(bytes([seat]) + envelope.digest for seat, envelope in chain.spoken)
    number = chain.step.number.to_bytes(_STEP_BYTES, "little")
    return hashlib.sha256(_HEAD_LABEL + chain.step.head + number + said).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleSpeaking:
    """Two envelopes in which one seat said two different things in one step."""

    first: Envelope
    second: Envelope


def are_doubled(first: Envelope, second: Envelope) -> bool:
    """Tell whether two different payloads of one seat in one step show that it said two things.

    A seat that the others dropped may have spoken at a head that they left, and signs their receipt
    at another: a receipt and something else at two heads show nothing.
    """
    one, other = first.payload, second.payload
    return one.head == other.head or (one.kind == RECEIPT_KIND) == (other.kind == RECEIPT_KIND)


def check_double_speaking(first: Envelope, second: Envelope, key: bytes) -> None:
    """Check that the two envelopes prove that the holder of ``key`` spoke twice in one step.

    Returns if they do: then anybody who trusts that ``key`` belongs to the player is convinced.

    Raises:
        PeerFault: ``evidence.session``, ``evidence.seat``, ``evidence.step`` (they differ, so the
            two may both be honest), ``evidence.same`` (one payload), ``evidence.receipt`` (as
            :func:`are_doubled`), ``evidence.signature``;
            ``identity.key``.
    """
    one, other = first.payload, second.payload
    for field, differs in (
        ("session", one.session != other.session),
        ("seat", one.seat != other.seat),
        ("step", one.step != other.step),
        ("same", first.data == second.data),
        ("receipt", not are_doubled(first, second)),
    ):
        if differs:
            raise PeerFault(f"evidence.{field}")
    check_identity(key)
    for envelope in (first, second):
        try:
            verify_signature(envelope, key)
        except PeerFault:
            raise PeerFault("evidence.signature") from None


def encode_evidence(evidence: DoubleSpeaking, key: bytes) -> bytes:
    """Return evidence against the holder of ``key`` as a small file of its own."""
    pair = (evidence.first.encode(), evidence.second.encode())
    return EVIDENCE_MAGIC + encode((PROTOCOL_VERSION, key, *pair))


def read_evidence(data: bytes) -> tuple[DoubleSpeaking, bytes]:
    """Return the evidence in a file and the 32-byte identity key it speaks against.

    It proves nothing until :func:`check_double_speaking` has passed.

    Raises:
        PeerFault: ``evidence.magic``, ``evidence.version``, ``evidence.shape``; ``codec.*`` and
            ``envelope.*`` for what is in it.
    """
    if not data.startswith(EVIDENCE_MAGIC):
        raise PeerFault("evidence.magic")
    value = decode(data.removeprefix(EVIDENCE_MAGIC), bytes_max=_EVIDENCE_BYTES_MAX)
    fields = as_array(value, "evidence.shape")
    if not fields or as_uint(fields[0], "evidence.version") != PROTOCOL_VERSION:
        raise PeerFault("evidence.version")
    _, key, first, second = as_array(fields, "evidence.shape", length=4)
    evidence = DoubleSpeaking(
        first=read_envelope(as_bytes(first, "evidence.shape")),
        second=read_envelope(as_bytes(second, "evidence.shape")),
    )
    return evidence, as_bytes(key, "evidence.shape", length=KEY_BYTES)
