"""Going on without a silent seat: votes, promises, what follows, and claims (SPEC, silent seats).

What counts is decided in the protocol's chain; here it is tied to the rounds of a game. Whatever
this seat signs is in its log before it is sent, so a crash never makes it forget a promise.
"""

from __future__ import annotations

from dataclasses import replace

from protocol import (
    DROP_KIND,
    PROMISE_KIND,
    Aside,
    Ballot,
    Envelope,
    PeerFault,
    Value,
    as_array,
    as_uint,
    check_ballot,
    contradiction,
    count,
    dropped,
    may_accept,
    owes_promise,
    read_aside,
    read_envelope,
    seal_aside,
)
from protocol import may_vote as chain_allows

from ..rules.illegal import IllegalMove
from ..rules.legal import check_drop
from . import flow, wire
from .events import Keep, Promised, Refused, Send, Voted
from .game import Game
from .hearing import Accepted, judge
from .messages import ResignSent
from .news import news
from .secrets import Seat, keep_signed
from .state import Round
from .stopping import convict, halt
from .work import Work

CLAIM_KIND = "claim"
KINDS = frozenset({DROP_KIND, PROMISE_KIND, CLAIM_KIND})
STEPS_BACK_MAX = 2
"""How many steps those who need not sign may be ahead of the others; more than they ever can be."""
AHEAD_MAX = 32
"""How many votes and promises at heads that are not known yet are kept of a sender."""


# --- what is open ----------------------------------------------------------------------------


def ballot_of(game: Game, round_: Round) -> Ballot:
    """Return what was signed at the head of the current step of ``round_``."""
    head = round_.chain.step.head
    return game.ballots.get(head) or Ballot(head=head, present=round_.present)


def voters(game: Game, lost: int) -> tuple[int, ...]:
    """Return who has signed to go on without ``lost`` at the current head."""
    return ballot_of(game, game.round).voters(lost)


def may_vote(game: Game, lost: int) -> bool:
    """Tell whether this seat may sign to go on without ``lost`` now."""
    round_ = game.round
    if game.seat is None or not _droppable(round_, lost):
        return False
    return chain_allows(ballot_of(game, round_), round_.chain, game.seat, lost)


def may_claim(game: Game, lost: int) -> bool:
    """Tell whether this seat may claim the game because ``lost`` is silent."""
    return game.seat is not None and _claimable(game.round, game.seat) == lost


def _droppable(round_: Round, lost: int) -> bool:
    """Whether all others may go on without ``lost``: it owes something, and enough are still in."""
    if round_.state is None or lost not in dict(round_.chain.step.kinds):
        return False
    try:
        check_drop(round_.state, lost)
    except IllegalMove:
        return False
    return True


def _claimable(round_: Round, seat: int) -> int | None:
    """The one other seat still in, if it is awaited: ``seat`` may claim the game."""
    if round_.state is None or round_.state.winner is not None:
        return None
    still_in = set(range(round_.seats)) - set(round_.state.out)
    others = still_in - {seat}
    if seat not in still_in or len(others) != 1 or not others <= set(round_.chain.awaited):
        return None
    return others.pop()


# --- what this seat's player decides ---------------------------------------------------------


def vote(work: Work, lost: int) -> None:
    """Sign to go on without ``lost``, whose silence has lasted long enough."""
    me = work.me()
    offered = any(one.seat == lost and work.now_s >= one.opens_s for one in work.game.lost)
    if me is None or not offered or not may_vote(work.game, lost):
        work.show(Refused(reason="refused.no_vote"))
        return
    _sign(work, me, work.game.round, DROP_KIND, lost)


def claim(work: Work) -> None:
    """Claim the game: the only other seat still in is silent."""
    me = work.me()
    open_to = [one.seat for one in work.game.lost if work.now_s >= one.opens_s]
    if me is None or not any(may_claim(work.game, lost) for lost in open_to):
        work.show(Refused(reason="refused.no_claim"))
        return
    _sign(work, me, work.game.round, CLAIM_KIND, None)


def _sign(work: Work, me: Seat, at: Round, kind: str, body: Value) -> None:
    aside = seal_aside(
        session=at.chain.session,
        seat=me.seat,
        counter=0,
        head=at.chain.step.head,
        kind=kind,
        body=body,
        signer=me.signer,
    )
    hear_signed(work, aside, me.seat)


# --- what is heard ---------------------------------------------------------------------------


def hear_signed(work: Work, aside: Aside, sender: int) -> None:
    """Take in a vote, promise or claim of this session; what does not count is dropped unlogged."""
    if aside.kind == CLAIM_KIND:
        _hear_claim(work, aside)
        return
    at = _round_at(work.game, aside.head)
    if at is None:
        _keep_ahead(work, aside, sender)
        return
    before = ballot_of(work.game, at)
    try:
        check_ballot(before, aside)
        lost = _about(aside)
    except PeerFault:
        return
    if not _droppable(at, lost):
        return
    other = contradiction(before, aside)
    if other is not None:
        number = at.chain.step.number
        convict(work, aside.seat, number, "drop.contradiction", (other.encode(), aside.encode()))
        return
    after = count(before, aside)
    if after != before:
        _counted(work, aside, after, lost)
    answer(work, at, after)
    # Only a vote asks: two that repeated their promises at each other's would never end.
    if aside.kind == DROP_KIND:
        _repeat(work, at, after, sender)
    if after != before and dropped(after) == lost:
        _drop(work, at, after, lost)


def _keep_ahead(work: Work, aside: Aside, sender: int) -> None:
    """Keep what was signed at a head that is not known here: it says how far its signer went."""
    game, raw = work.game, aside.encode()
    kept = [signed for who, signed in game.ahead if who == sender]
    if game.seat is not None and raw not in kept and len(kept) < AHEAD_MAX:
        work.game = replace(game, ahead=(*game.ahead, (sender, raw)))


def _about(aside: Aside) -> int:
    value = aside.body
    if aside.kind == PROMISE_KIND:
        value = as_array(value, "drop.shape", length=2)[0]
    return as_uint(value, "drop.shape")


def _round_at(game: Game, head: bytes) -> Round | None:
    """The round as it stood, or stands, at ``head``."""
    for round_ in (game.round, *reversed(game.trail)):
        if round_.chain.step.head == head and round_.step != flow.DONE:
            return round_
    return None


def _counted(work: Work, aside: Aside, after: Ballot, lost: int) -> None:
    """Keep, forward and tell what counts for the first time."""
    work.game = replace(work.game, ballots={**work.game.ballots, after.head: after})
    raw = aside.encode()
    work.log("aside", raw)
    if aside.seat == work.game.seat:
        work.effects.append(Keep(record=keep_signed(raw)))
    work.effects.append(Send(data=wire.write(wire.Remark(raw=raw))))
    if aside.kind == PROMISE_KIND:
        work.show(Promised(by=aside.seat, seat=lost))
        return
    missing = set(after.required(lost)) - set(after.voters(lost))
    work.show(Voted(by=aside.seat, seat=lost, missing=tuple(sorted(missing))))


def answer(work: Work, at: Round, ballot: Ballot) -> None:
    """Answer votes with what their lost seat said here and with the promise to stand by it.

    A promise is made once and goes to all.
    """
    me = work.me()
    if me is None:
        return
    accepted = accepted_at(work.game, at)
    for lost in owes_promise(ballot, me.seat, accepted):
        _sign(work, me, at, PROMISE_KIND, (lost, accepted[lost].digest))
        work.effects.append(Send(data=_chained(accepted[lost])))


def _repeat(work: Work, at: Round, ballot: Ballot, asker: int) -> None:
    """Repeat one's promises, with what they are about, to another seat whose vote asks for them."""
    me = work.game.seat
    accepted = accepted_at(work.game, at)
    for promise in ballot.promises:
        lost = _about(promise)
        if asker != me == promise.seat and lost in accepted:
            raw = wire.write(wire.Remark(raw=promise.encode()))
            work.send_again((raw, _chained(accepted[lost])), asker)


def accepted_at(game: Game, at: Round) -> dict[int, Envelope]:
    """Return what was accepted here in the step of ``at``, by seat."""
    number = at.chain.step.number
    if at is game.round:
        return dict(at.chain.spoken)
    return {envelope.payload.seat: envelope for envelope in game.round.transcript[number]}


def _chained(envelope: Envelope) -> bytes:
    return wire.write(wire.Chained(raw=envelope.encode()))


def promise_if_asked(work: Work) -> None:
    """Answer the votes heard before this seat accepted what the lost one said."""
    round_, me = work.game.round, work.me()
    if me is not None:
        answer(work, round_, ballot_of(work.game, round_))


def may_take(game: Game, envelope: Envelope) -> bool:
    """Tell whether this seat may accept an envelope of the current step.

    It may not if it has signed to go on without the speaker, and nobody stands by the message.
    """
    ballot = game.ballots.get(envelope.payload.head)
    if game.seat is None or ballot is None or may_accept(ballot, game.seat, envelope):
        return True
    return _went_on(game, ballot, envelope)


def soon(game: Game, raw: bytes) -> bool:
    """Tell whether an envelope is of one of the next steps, so that it may say who went on."""
    steps = read_envelope(raw).payload.step - game.round.chain.step.number
    return 0 < steps <= STEPS_BACK_MAX


def _near(game: Game) -> tuple[tuple[int, bytes], ...]:
    """Return the early envelopes of the next steps, with their senders; the first of each signer.

    An honest sender passes on no second one, and each of them is checked at every try.
    """
    first: dict[tuple[int, int, int], bytes] = {}
    for sender, raw in game.early:
        if soon(game, raw):
            payload = read_envelope(raw).payload
            first.setdefault((sender, payload.seat, payload.step), raw)
    return tuple((sender, raw) for (sender, _, _), raw in first.items())


def _went_on(game: Game, ballot: Ballot, envelope: Envelope) -> bool:
    """Whether another voter has signed at a head that contains the envelope: as good as a promise.

    It cannot have signed to go on without the speaker, as it went on with it.
    """
    lost = envelope.payload.seat
    others = set(ballot.required(lost)) - {game.seat}
    near = _near(game)
    signed = [read_aside(raw) for _, raw in game.ahead]
    heads = {aside.head for aside in signed if aside.seat in others}
    if not near and not heads:
        return False
    trial = replace(game, round=flow.hear(game.round, envelope, flow.check(game.round, envelope)))
    for _ in range(STEPS_BACK_MAX):
        if not trial.round.chain.complete:
            return False
        try:
            trial = replace(trial, round=flow.close(trial.round))
        except PeerFault:
            # Whoever went on would have found that, too.
            return False
        if trial.round.step != flow.DONE and trial.round.chain.step.head in heads:
            return True
        for sender, raw in near:
            found = judge(trial, raw, sender)
            if isinstance(found, Accepted):
                if found.envelope.payload.seat in others:
                    return True
                heard = flow.hear(trial.round, found.envelope, found.message)
                trial = replace(trial, round=heard)
    return False


# --- what follows ----------------------------------------------------------------------------


def _drop(work: Work, at: Round, ballot: Ballot, lost: int) -> None:
    """Go on without ``lost`` from the step of ``at``.

    Whoever need not sign may have closed that step, with a message that the others never accepted:
    it goes back to where they are.
    """
    game = work.game
    number = at.chain.step.number
    if len(game.round.transcript) - number > STEPS_BACK_MAX:
        return
    resigned = any(isinstance(m, ResignSent) for seat, m in at.spoken if seat == game.seat)
    before = replace(game, round=at)
    doubtful = tuple((doubt.sender, doubt.raw) for doubt in game.doubts)
    work.game = replace(
        game,
        round=flow.drop(at, ballot, lost),
        trail=(*game.trail[:number], at),
        early=(*game.early, *doubtful),
        doubts=(),
        held=(),
        calls=(),
        since_s=work.now_s,
        opened_s=work.now_s,
        # What was said in a step that is void must be said again.
        resigning=lost != game.seat and (game.resigning or resigned),
    )
    work.show(*news(before, work.game))


def _hear_claim(work: Work, aside: Aside) -> None:
    game = work.game
    if aside.counter != 0 or aside.body is not None or aside.head != game.round.chain.step.head:
        return
    lost = _claimable(game.round, aside.seat)
    if lost is None or not _silent_here(work, aside, lost):
        return
    raw = aside.encode()
    work.log("aside", raw)
    work.effects.append(Send(data=wire.write(wire.Remark(raw=raw))))
    halt(work, "claimed", aside.seat)


def _silent_here(work: Work, claimed: Aside, lost: int) -> bool:
    """Tell whether a claim may be true: nobody ends the game of a seat that is still there.

    Whoever replays a log takes its owner's word.
    """
    if work.game.seat in (None, claimed.seat):
        return True
    return any(one.seat == lost and work.now_s >= one.opens_s for one in work.game.lost)
