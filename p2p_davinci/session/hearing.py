"""What to make of an envelope that arrived: accept it, keep it for later, ignore it, or blame.

One function judges for players, watchers and verifiers alike (SPEC, verdicts).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from protocol import (
    DoubleSpeaking,
    Envelope,
    Evidence,
    PeerFault,
    Signed,
    accept,
    are_doubled,
    read_envelope,
    repeated,
    verify_signature,
)

from . import flow
from .backing import check_backing, conflicting, first_step
from .ending import more_to_come
from .game import Game
from .messages import Message
from .state import Round

ENVELOPE_BYTES_MAX = 32000
"""The longest envelope: half as long again as any honest one, and two of them fit in a record."""
FIRST_BOUND_STEP = 2
"""The steps before it carry the contract's hash, this and all later ones the session id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """It belongs to the current step and every check passed."""

    envelope: Envelope
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Early:
    """It belongs to a step that has not begun here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """It was heard before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubtful:
    """It is signed, but does not go with what this seat has read.

    Its signer may have read something else, because a third one told the two different things; so
    nobody is blamed before transcripts have been compared.
    """

    check: str
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulty:
    """It failed a check."""

    fault: PeerFault
    evidence: DoubleSpeaking | None = None
    """Set if its signer said two things in one step."""
    beside: Signed | None = None
    """What its signer signed before that contradicts it."""


Judged: TypeAlias = Accepted | Early | Known | Doubtful | Faulty


def judge(game: Game, raw: bytes, sender: int) -> Judged:
    """Return what to make of ``raw``, which came over the link from seat ``sender``.

    What cannot be tied to a signer is held against the sender, and is mere suspicion: nobody else
    can check it. What a seat signed for a step and the head before it is proof.
    """
    round_ = game.round
    try:
        envelope = _read(round_, raw)
    except PeerFault as fault:
        return Faulty(fault=fault.at(sender, _now(round_), Evidence.SUSPICION))
    number = envelope.payload.step
    for known in (*game.past, round_):
        if _belongs(known, envelope):
            if number < len(known.transcript):
                return _judge_past(known, envelope)
            if known is round_:
                return Early() if number > _now(round_) else _judge_current(game, envelope)
    if _may_be_later(round_, envelope):
        return Early()
    return Doubtful(check="chain.session", step=number)


def _now(round_: Round) -> int:
    return round_.chain.step.number


def _read(round_: Round, raw: bytes) -> Envelope:
    if len(raw) > ENVELOPE_BYTES_MAX:
        raise PeerFault("envelope.size")
    envelope = read_envelope(raw)
    signer = envelope.payload.seat
    if signer >= round_.seats:
        raise PeerFault("envelope.seat")
    verify_signature(envelope, round_.contract.players[signer].key)
    return envelope


def _belongs(round_: Round, envelope: Envelope) -> bool:
    payload = envelope.payload
    if payload.step < FIRST_BOUND_STEP:
        return payload.session == round_.contract_hash
    return bool(round_.keys) and payload.session == round_.chain.session


def _may_be_later(round_: Round, envelope: Envelope) -> bool:
    """Whether it may belong to a session whose id is not known here yet.

    That is this round's before its keys are open, and the next round's: a peer that has all
    receipts begins it while others still await one.
    """
    if not round_.keys:
        return envelope.payload.step >= FIRST_BOUND_STEP
    return round_.step in ("receipt", flow.DONE) and more_to_come(round_)


def _judge_past(round_: Round, envelope: Envelope) -> Judged:
    payload = envelope.payload
    said = round_.transcript[payload.step]
    if not said:
        # The step ended with a drop: what anybody said in it is void.
        return Known()
    for earlier in said:
        if earlier.payload.seat == payload.seat:
            if earlier.data == envelope.data:
                return Known()
            if are_doubled(earlier, envelope):
                return _doubled(earlier, envelope)
    if payload.head != said[0].payload.head:
        return _at_another_head(round_, envelope)
    fault = PeerFault("chain.speaker", f"in step {payload.step}, which is over")
    return Faulty(fault=fault.at(payload.seat, payload.step, Evidence.PROOF))


def _doubled(first: Envelope, second: Envelope) -> Faulty:
    fault = PeerFault("chain.doubled").at(second.payload.seat, second.payload.step, Evidence.PROOF)
    return Faulty(fault=fault, evidence=DoubleSpeaking(first=first, second=second))


def _judge_current(game: Game, envelope: Envelope) -> Judged:
    round_ = game.round
    payload, chain = envelope.payload, round_.chain
    if repeated(chain, envelope):
        return Known()
    said = dict(chain.spoken).get(payload.seat)
    if said is not None and are_doubled(said, envelope):
        return _doubled(said, envelope)
    if payload.head != chain.step.head:
        return _at_another_head(round_, envelope)
    try:
        accept(chain, envelope)
        check_backing(game, round_, envelope)
        other = conflicting(game, envelope)
        if other is not None:
            return _contradiction(game, other, envelope)
        return Accepted(envelope=envelope, message=flow.check(round_, envelope))
    except PeerFault as fault:
        return Faulty(fault=fault.at(payload.seat, payload.step, Evidence.PROOF))


def _contradiction(game: Game, other: Signed, envelope: Envelope) -> Faulty:
    number = first_step(game, other, envelope)
    fault = PeerFault("drop.contradiction").at(envelope.payload.seat, number, Evidence.PROOF)
    return Faulty(fault=fault, beside=other)


def _at_another_head(round_: Round, envelope: Envelope) -> Judged:
    payload = envelope.payload
    if payload.seat in round_.dropped:
        # It closed a step, alone or with those who are out, that the others ended without it.
        return Known()
    return Doubtful(check="chain.head", step=payload.step)


def contradiction(doubted: bytes, envelope: Envelope) -> Faulty | None:
    """Return the fault if a doubtful envelope and one that was accepted cannot both be honest."""
    before = read_envelope(doubted)
    one, other = before.payload, envelope.payload
    same_step = (one.session, one.seat, one.step) == (other.session, other.seat, other.step)
    if not same_step or before.data == envelope.data or not are_doubled(before, envelope):
        return None
    return _doubled(before, envelope)
