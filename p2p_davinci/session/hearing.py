"""What to make of an envelope that arrived: accept it, keep it for later, ignore it, or blame.

One function judges for players, watchers and verifiers alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from protocol import (
    DoubleSpeaking,
    Envelope,
    Evidence,
    PeerFault,
    accept,
    read_envelope,
    repeated,
    verify_signature,
)

from . import flow
from .messages import Message
from .state import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """It belongs to the current step and every check passed."""

    envelope: Envelope
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Early:
    """It belongs to a step that has not begun here."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """It was heard before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulty:
    """It failed a check. ``evidence`` is set if its signer said two things in one step."""

    fault: PeerFault
    evidence: DoubleSpeaking | None = None


Judged: TypeAlias = Accepted | Early | Known | Faulty


def judge(round_: Round, raw: bytes, sender: int) -> Judged:
    """Return what to make of ``raw``, which came over the link from seat ``sender``.

    What cannot be tied to a signer is held against the sender, and is mere suspicion: nobody else
    can check it. What a seat signed for this very step and head is proof.
    """
    try:
        envelope = read_envelope(raw)
        signer = envelope.payload.seat
        if signer >= round_.seats:
            raise PeerFault("envelope.seat")
        verify_signature(envelope, round_.contract.players[signer].key)
    except PeerFault as fault:
        return Faulty(fault=fault.at(sender, _now(round_), Evidence.SUSPICION))
    if envelope.payload.step > _now(round_) or _next_session(round_, envelope):
        return Early(step=envelope.payload.step)
    if envelope.payload.step < _now(round_):
        return _judge_past(round_, envelope)
    return _judge_current(round_, envelope)


def _now(round_: Round) -> int:
    return round_.chain.step.number


def _next_session(round_: Round, envelope: Envelope) -> bool:
    """A peer that has all receipts begins the next round while others still await one."""
    ending = round_.step in ("receipt", flow.DONE)
    known = envelope.payload.session in (round_.chain.session, round_.contract_hash)
    return ending and not known


def _judge_past(round_: Round, envelope: Envelope) -> Judged:
    payload = envelope.payload
    for said in round_.transcript[payload.step]:
        if said.payload.seat == payload.seat and said.payload.session == payload.session:
            if said.data == envelope.data:
                return Known()
            return _doubled(said, envelope)
    fault = PeerFault("chain.step", f"{payload.step} is over")
    return Faulty(fault=fault.at(payload.seat, payload.step, Evidence.SUSPICION))


def _doubled(first: Envelope, second: Envelope) -> Faulty:
    fault = PeerFault("chain.doubled").at(second.payload.seat, second.payload.step, Evidence.PROOF)
    return Faulty(fault=fault, evidence=DoubleSpeaking(first=first, second=second))


def _judge_current(round_: Round, envelope: Envelope) -> Judged:
    payload, chain = envelope.payload, round_.chain
    if repeated(chain, envelope):
        return Known()
    here = payload.session == chain.session and payload.head == chain.step.head
    evidence = Evidence.PROOF if here else Evidence.SUSPICION
    try:
        accept(chain, envelope)
        return Accepted(envelope=envelope, message=flow.check(round_, envelope))
    except PeerFault as fault:
        if fault.check == "chain.doubled":
            return _doubled(dict(chain.spoken)[payload.seat], envelope)
        return Faulty(fault=fault.at(payload.seat, payload.step, evidence))
