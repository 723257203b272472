"""Steps, heads, double speaking, and going on without somebody (SPEC, transcript; silent seats).

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

from .codec import FRAME_BYTES_MAX, as_array, as_bytes, as_uint, decode, encode, label
from .envelope import (
    HASH_BYTES,
    KEY_BYTES,
    SEAT_MAX,
    STEP_MAX,
    Aside,
    Envelope,
    check_identity,
    read_envelope,
    verify_signature,
)
from .errors import Misuse, PeerFault

EVIDENCE_MAGIC = b"p2p-davinci evidence\n"
EVIDENCE_VERSION = 1

DROP_KIND = "drop"
PROMISE_KIND = "promise"
DROP_SEATS_MIN = 3
"""How many seats must be present at a head, the lost one counted, to go on without one of them."""

_INITIAL_LABEL = label("initial head")
_HEAD_LABEL = label("head")
_DROP_LABEL = label("drop")
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
            ``chain.doubled`` (it has said something else in this step: with what it said before, a
            :class:`DoubleSpeaking`), ``chain.head``, ``chain.speaker`` (that seat need not speak),
            ``chain.kind``.
    """
    payload, step = envelope.payload, chain.step
    if payload.session != chain.session:
        raise PeerFault("chain.session")
    if payload.step != step.number:
        raise PeerFault("chain.step", f"{payload.step}, not {step.number}")
    if repeated(chain, envelope):
        return chain
    # Doubled comes first: whatever else is wrong with it, it is evidence.
    if payload.seat in dict(chain.spoken):
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


def check_double_speaking(first: Envelope, second: Envelope, key: bytes) -> None:
    """Check that the two envelopes prove that the holder of ``key`` spoke twice in one step.

    Returns if they do: then anybody who trusts that ``key`` belongs to the player is convinced.

    Raises:
        PeerFault: ``evidence.session``, ``evidence.seat``, ``evidence.step`` (they differ, so the
            two may both be honest), ``evidence.same`` (one payload), ``evidence.signature``;
            ``identity.key``.
    """
    one, other = first.payload, second.payload
    for field, differs in (
        ("session", one.session != other.session),
        ("seat", one.seat != other.seat),
        ("step", one.step != other.step),
        ("same", first.data == second.data),
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
    return EVIDENCE_MAGIC + encode((EVIDENCE_VERSION, key, *pair))


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
    if not fields or as_uint(fields[0], "evidence.version") != EVIDENCE_VERSION:
        raise PeerFault("evidence.version")
    _, key, first, second = as_array(fields, "evidence.shape", length=4)
    evidence = DoubleSpeaking(
        first=read_envelope(as_bytes(first, "evidence.shape")),
        second=read_envelope(as_bytes(second, "evidence.shape")),
    )
    return evidence, as_bytes(key, "evidence.shape", length=KEY_BYTES)


# --- going on without a silent seat ----------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """What was signed about silent seats at one head.

    ``present`` are the seats that could still speak then. ``votes`` are asides of kind ``drop``
    with the lost seat as their body, ``promises`` asides of kind ``promise`` with the lost seat and
    the digest of what it said. Their counter is 0, so whoever signs one twice signs the same bytes.
    """

    head: bytes
    present: tuple[int, ...]
    votes: tuple[Aside, ...] = ()
    promises: tuple[Aside, ...] = ()

    def required(self, lost: int) -> tuple[int, ...]:
        """Return who must sign that the others go on without ``lost``: all others present."""
        return tuple(seat for seat in self.present if seat != lost)

    def voted(self, seat: int) -> int | None:
        """Return without whom ``seat`` has signed to go on, ``None`` if it has signed nothing."""
        return next((_lost(vote) for vote in self.votes if vote.seat == seat), None)

    def voters(self, lost: int) -> tuple[int, ...]:
        """Return who has signed to go on without ``lost``, ascending."""
        return tuple(sorted(vote.seat for vote in self.votes if _lost(vote) == lost))

    def promised(self, lost: int, digest: bytes) -> tuple[int, ...]:
        """Return who has promised to stand by what ``lost`` said, given its digest."""
        return tuple(p.seat for p in self.promises if p.body == (lost, digest))

    def vouched(self, seat: int, lost: int) -> bool:
        """Tell whether ``seat`` has promised to stand by anything that ``lost`` said."""
        return any(p.seat == seat and _lost(p) == lost for p in self.promises)


def _lost(aside: Aside) -> int:
    """Which seat a vote or promise is about.

    Raises:
        PeerFault: ``drop.shape``.
    """
    if aside.kind == DROP_KIND:
        return as_uint(aside.body, "drop.shape", at_most=SEAT_MAX)
    lost, digest = as_array(aside.body, "drop.shape", length=2)
    as_bytes(digest, "drop.shape", length=HASH_BYTES)
    return as_uint(lost, "drop.shape", at_most=SEAT_MAX)


def check_ballot(ballot: Ballot, aside: Aside) -> None:
    """Check that a vote or promise, whose signature has been verified, counts in ``ballot``.

    Raises:
        PeerFault: ``drop.kind`` (neither), ``drop.head``, ``drop.counter`` (not 0), ``drop.shape``,
            ``drop.seats`` (too few are present), ``drop.signer`` (it is not required: it has left,
            or it is the lost seat, or that one is not present).
    """
    if aside.kind not in (DROP_KIND, PROMISE_KIND):
        raise PeerFault("drop.kind")
    if aside.head != ballot.head:
        raise PeerFault("drop.head")
    if aside.counter != 0:
        raise PeerFault("drop.counter")
    lost = _lost(aside)
    if len(ballot.present) < DROP_SEATS_MIN:
        raise PeerFault("drop.seats")
    if lost not in ballot.present or aside.seat not in ballot.required(lost):
        raise PeerFault("drop.signer")


def contradiction(ballot: Ballot, aside: Aside) -> Aside | None:
    """Return what its signer signed before that no honest seat signs besides ``aside``.

    That is a vote about another seat at the same head, a vote and a promise about one seat, or
    promises about two payloads of one seat.
    """
    for other in (*ballot.votes, *ballot.promises):
        if other.seat != aside.seat or (other.kind, other.body) == (aside.kind, aside.body):
            continue
        if other.kind == aside.kind == DROP_KIND or _lost(other) == _lost(aside):
            return other
    return None


def count(ballot: Ballot, aside: Aside) -> Ballot:
    """Return the ballot with a vote or promise that :func:`check_ballot` has passed.

    Raises:
        PeerFault: ``drop.contradiction``: with :func:`contradiction` it convicts its signer.
    """
    if contradiction(ballot, aside) is not None:
        raise PeerFault("drop.contradiction")
    known = ballot.votes if aside.kind == DROP_KIND else ballot.promises
    if any((other.seat, other.body) == (aside.seat, aside.body) for other in known):
        return ballot
    grown = tuple(sorted((*known, aside), key=lambda signed: signed.seat))
    if aside.kind == DROP_KIND:
        return replace(ballot, votes=grown)
    return replace(ballot, promises=grown)


def may_vote(ballot: Ballot, chain: Chain, me: int, lost: int) -> bool:
    """Tell whether ``me`` may sign to go on without ``lost``.

    It may not if it has accepted what that seat said in this step, has promised to stand by it, or
    has signed anything about another seat: two such votes of everybody would make two games.
    """
    return (
        len(ballot.present) >= DROP_SEATS_MIN
        and lost in chain.awaited
        and lost in ballot.present
        and me in ballot.required(lost)
        and ballot.voted(me) is None
        and not ballot.vouched(me, lost)
    )


def may_accept(ballot: Ballot, me: int, envelope: Envelope) -> bool:
    """Tell whether ``me`` may accept what a seat said at the ballot's head.

    Whoever has signed to go on without that seat may not, unless somebody else whose signature is
    required has promised that it will never come.
    """
    lost = envelope.payload.seat
    if ballot.voted(me) != lost:
        return True
    others = set(ballot.required(lost)) - {me}
    return not others.isdisjoint(ballot.promised(lost, envelope.digest))


def owes_promise(ballot: Ballot, me: int, accepted: Mapping[int, Envelope]) -> tuple[int, ...]:
    """Return the seats about which ``me`` owes a promise, since others voted to go on without.

    ``accepted`` is what ``me`` has accepted at the ballot's head, by seat.
    """
    return tuple(
        lost
        for lost in sorted(accepted)
        if me in ballot.required(lost)
        and ballot.voted(me) != lost
        and not ballot.vouched(me, lost)
        and ballot.voters(lost)
    )


def dropped(ballot: Ballot) -> int | None:
    """Return the seat that all others present have signed to go on without, if there is one."""
    for lost in ballot.present:
        if len(ballot.present) >= DROP_SEATS_MIN and ballot.voters(lost) == ballot.required(lost):
            return lost
    return None


def close_without(step: Step, ballot: Ballot, lost: int) -> bytes:
    """Return the head after a step that ends because the others go on without ``lost``.

    It is SHA-256 over a label, the head before, the step's number (8 bytes, little-endian), the
    lost seat (1 byte), and in seat order each voter (1 byte) with the SHA-256 of its vote's bytes.

    Raises:
        Misuse: not all who must have signed, or the ballot is of another head.
    """
    if ballot.head != step.head or ballot.voters(lost) != ballot.required(lost):
        raise Misuse(f"not all others signed to go on without seat {lost}")
    votes = [vote for vote in ballot.votes if vote.body == lost]
    said = b"".join(bytes([v.seat]) + hashlib.sha256(v.data).digest() for v in votes)
    number = step.number.to_bytes(_STEP_BYTES, "little")
    return hashlib.sha256(_DROP_LABEL + step.head + number + bytes([lost]) + said).digest()
