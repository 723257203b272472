"""What arrives from the other seats: envelopes, and where the others stand.

Envelopes that do not go with what was read here raise a doubt, not a blame: whoever told different
seats different things is found by comparing transcripts, and every seat answers for that with all
that it has read (SPEC, double speaking).
"""

from __future__ import annotations

from dataclasses import replace

from protocol import Envelope, Evidence, PeerFault, read_envelope, unreleased

from . import flow, voting, wire
from .backing import ballot_of
from .events import Keep, Received, Send
from .game import Doubt
from .hearing import Accepted, Doubtful, Early, Faulty, Known, contradiction, judge
from .messages import Message
from .news import progress
from .remarks import hear_aside
from .secrets import keep_heard
from .state import Round
from .stopping import blame, lose
from .work import Work

EARLY_MAX = 512
"""How many envelopes of later steps are kept of a sender; more than any honest run-ahead needs."""
DOUBTS_MAX = 16
"""How many doubtful envelopes are kept of a sender."""
DOUBT_S = 18.0
"""How long a doubt may stand, with the link up, before it is held against the sender.

It is longer than a link takes to notice that nothing comes through any more.
"""
BEAT_S = 5.0
"""How often a seat tells the others where it stands, so that what one lacks is sent again."""
RELAY_BEAT_S = 1.0
"""The same while it lacks a link: what that peer says comes from a third who is asked like this."""


def receive(work: Work, given: Received) -> None:
    """Take in what came over the link from a seat; of a game that is over, only questions."""
    try:
        message = wire.read(given.data)
    except PeerFault as fault:
        if work.live:
            number = work.game.round.chain.step.number
            faulty = Faulty(fault=fault.at(given.seat, number, Evidence.SUSPICION))
            blame(work, faulty, given.data)
        return
    match message:
        case wire.Standing(game=work.game.id) if work.may_ask(given.seat):
            _compare(work, message, given.seat)
        case wire.Chained(raw=raw) if work.live:
            hear(work, raw, given.seat)
        case wire.Remark(raw=raw) if work.live:
            before = work.game
            hear_aside(work, raw, given.seat)
            # Only votes and promises change what may be accepted, and chat is cheap to send.
            if work.game.ballots is not before.ballots:
                hear_early(work)
        case wire.Remark(raw=raw) if work.game.ended:
            voting.answer_after_end(work, raw, given.seat)
        case wire.Farewell(game=None | work.game.id) if work.live:
            forget_other_game(work, given.seat)
            lose(work, given.seat, "left")


def hear(work: Work, raw: bytes, sender: int) -> None:
    """Take in an envelope that came from seat ``sender``."""
    judged = judge(work.game, raw, sender)
    if not isinstance(judged, Faulty | Known):
        voting.hear_backing(work, read_envelope(raw), sender)
        if not work.live:
            return
    game = work.game
    match judged:
        case Accepted(envelope=envelope, message=message):
            if voting.may_take(work.game, envelope):
                _accept(work, envelope, message)
            else:
                _hold(work, envelope)
        case Early():
            kept = [early for who, early in game.early if who == sender]
            if raw not in kept and len(kept) < EARLY_MAX:
                work.game = replace(game, early=(*game.early, (sender, raw)))
        case Doubtful() as doubtful:
            _doubt(work, doubtful, raw, sender)
        case Faulty() as faulty:
            blame(work, faulty, raw)


def _accept(work: Work, envelope: Envelope, message: Message) -> None:
    work.game = replace(work.game, round=flow.hear(work.game.round, envelope, message))
    asked = ballot_of(work.game, work.game.round).votes
    if work.me() is not None and (asked or not work.game.round.chain.complete):
        # A step that closes goes to the log; till then, and before a promise to stand by what was
        # accepted, only this file remembers.
        work.effects.append(Keep(record=keep_heard(envelope.encode())))
    voting.answer(work)
    work.show(*progress(work.game.round))
    _settle(work, envelope)


def _hold(work: Work, envelope: Envelope) -> None:
    """Keep and forward what may not be accepted here as long as nobody else stands by it."""
    raw = envelope.encode()
    for held in work.game.held:
        if read_envelope(held).payload.seat == envelope.payload.seat:
            faulty = contradiction(held, envelope)
            if faulty is not None:
                blame(work, faulty, raw)
            return
    work.game = replace(work.game, held=(*work.game.held, raw))
    work.effects.append(Send(data=wire.write(wire.Chained(raw=raw))))


def hear_early(work: Work) -> None:
    """Take in again what came before its time, or before somebody promised to stand by it."""
    voting.answer(work)
    ahead = work.game.ahead
    work.game = replace(work.game, ahead=())
    for sender, raw in ahead:
        if work.live:
            hear_aside(work, raw, sender)
    for raw in work.game.held:
        if work.live and work.game.seat is not None:
            hear(work, raw, work.game.seat)
    early = work.game.early
    work.game = replace(work.game, early=())
    for sender, raw in early:
        if work.live:
            hear(work, raw, sender)


# --- doubts ----------------------------------------------------------------------------------


def _doubt(work: Work, doubtful: Doubtful, raw: bytes, sender: int) -> None:
    """Remember a doubtful envelope, and show its sender what was read here."""
    game = work.game
    kept = [doubt for doubt in game.doubts if doubt.sender == sender]
    if len(kept) >= DOUBTS_MAX or any(doubt.raw == raw for doubt in kept):
        return
    doubt = Doubt(
        sender=sender, raw=raw, check=doubtful.check, step=doubtful.step, since_s=work.now_s
    )
    work.game = replace(game, doubts=(*game.doubts, doubt))
    if not kept:
        work.effects.extend(Send(data=message, seat=sender) for message in _lately(work))


def _settle(work: Work, envelope: Envelope) -> None:
    """Blame the signer of an accepted envelope for a doubtful one that contradicts it."""
    for doubt in work.game.doubts:
        faulty = contradiction(doubt.raw, envelope)
        if faulty is not None:
            blame(work, faulty, doubt.raw)
            return


def forget_other_game(work: Work, sender: int) -> None:
    """Doubt nothing that a seat said in another game: it is not in this one."""
    kept = tuple(
        doubt
        for doubt in work.game.doubts
        if doubt.sender != sender or doubt.check != "chain.session"
    )
    work.game = replace(work.game, doubts=kept)


def hold_doubts(work: Work) -> None:
    """Hold a doubt that nobody could explain against the seat that raised it."""
    for doubt in work.game.doubts:
        waited = work.now_s - doubt.since_s >= DOUBT_S
        if work.live and waited and doubt.sender not in work.game.down:
            fault = PeerFault(doubt.check).at(doubt.sender, doubt.step, Evidence.SUSPICION)
            blame(work, Faulty(fault=fault), doubt.raw)


# --- where the others stand ------------------------------------------------------------------


def standing(work: Work) -> bytes:
    """Return the message that tells where this seat stands."""
    round_ = work.game.round
    now = round_.chain.step
    return wire.write(
        wire.Standing(
            game=work.game.id,
            contract_hash=round_.contract_hash,
            step=now.number,
            head=now.head,
        )
    )


def own_votes(work: Work) -> tuple[bytes, ...]:
    """Return as messages this seat's votes that still ask the others for a promise."""
    game = work.game
    asking = [ballot_of(game, game.round)]
    if game.seat is not None:
        asking += [ballot for ballot in game.ballots.values() if unreleased(ballot, game.seat)]
    mine = {vote.encode() for ballot in asking for vote in ballot.votes if vote.seat == game.seat}
    return tuple(wire.write(wire.Remark(raw=raw)) for raw in sorted(mine))


def _compare(work: Work, there: wire.Standing, seat: int) -> None:
    """Send ``seat`` what it lacks, or all that was read here if it has read something else."""
    rounds = (*work.game.past, work.game.round)
    index = next(
        (k for k, known in enumerate(rounds) if known.contract_hash == there.contract_hash), None
    )
    if index is None:
        lacking = _lately(work)
    else:
        start = there.step if _agrees(rounds[index], there) else 0
        later = (message for round_ in rounds[index + 1 :] for message in _said(round_, 0))
        lacking = (*_said(rounds[index], start), *later)
    ballot = ballot_of(work.game, work.game.round)
    asides = (*(vote.encode() for vote in ballot.votes), *_calls_for(work, seat))
    signed = (wire.write(wire.Remark(raw=raw)) for raw in asides)
    work.send_again((*lacking, *signed, *work.game.proof), seat)


def _calls_for(work: Work, seat: int) -> tuple[bytes, ...]:
    """Return the calls of the clock that a seat may have missed: it is held to them."""
    return tuple(call.raw for call in work.game.calls if call.by != seat)


def _agrees(round_: Round, there: wire.Standing) -> bool:
    if there.step < len(round_.transcript):
        return round_.head_before(there.step) == there.head
    now = round_.chain.step
    return there.step > now.number or now.head == there.head


def _said(round_: Round, start: int) -> tuple[bytes, ...]:
    """Return as messages what was said in a round from step ``start`` on, votes that count too."""
    votes = {drop.step: drop.votes for drop in round_.drops}
    messages: list[bytes] = []
    for number, said in enumerate(round_.transcript[start:], start):
        messages += [wire.write(wire.Chained(raw=envelope.encode())) for envelope in said]
        messages += [wire.write(wire.Remark(raw=raw)) for raw in votes.get(number, ())]
    if round_.step != flow.DONE:
        spoken = (envelope.encode() for _, envelope in round_.chain.spoken)
        messages += [wire.write(wire.Chained(raw=raw)) for raw in spoken]
    return tuple(messages)


def _lately(work: Work) -> tuple[bytes, ...]:
    """Return as messages what was said in this round and the one before it."""
    rounds = (*work.game.past[-1:], work.game.round)
    return tuple(message for round_ in rounds for message in _said(round_, 0))
