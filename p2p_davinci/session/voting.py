"""Votes and promises about a silent seat, what follows, and claims.

The rule is the protocol's (SPEC, silent seats; PEER, what an honest seat signs). Whatever this seat
signs is on its disk before it is sent, so a crash never makes it forget a vote or a promise.
"""

from __future__ import annotations

from dataclasses import replace

from protocol import (
    BALLOT_KINDS,
    CLAIM_KIND,
    DROP_KIND,
    PROMISE_KIND,
    Aside,
    Ballot,
    Envelope,
    PeerFault,
    Signed,
    Value,
    check_ballot,
    count,
    dropped,
    late_backing,
    lost_of,
    may_accept,
    owes_promise,
    read_aside,
    seal_aside,
    verify_aside,
)
from protocol import may_vote as chain_allows

from . import flow, wire
from .backing import (
    backing_for,
    ballot_of,
    check_backing,
    conflicting,
    first_step,
    round_at,
)
from .events import Keep, Promised, Refused, Send, Voted
from .game import Game, accepted_at, awaited_promises
from .messages import ResignSent
from .news import news
from .secrets import Seat, keep_signed
from .state import Round
from .stopping import convict, halt
from .work import Work

KINDS = BALLOT_KINDS
AHEAD_MAX = 32
"""How many votes and promises at heads that are not known yet are kept of a sender."""


# --- what is open ----------------------------------------------------------------------------


def voters(game: Game, lost: int) -> tuple[int, ...]:
    """Return who has voted to play on without ``lost`` at the current head."""
    return ballot_of(game, game.round).voters(lost)


def may_vote(game: Game, lost: int) -> bool:
    """Tell whether this seat may vote to play on without ``lost`` now."""
    round_ = game.round
    if game.seat is None or awaited_promises(game, round_):
        return False
    return chain_allows(ballot_of(game, round_), round_.chain, game.seat, lost)


def may_claim(game: Game, lost: int) -> bool:
    """Tell whether this seat may claim the game because ``lost`` is silent."""
    return game.seat is not None and _claimable(game.round, game.seat) == lost


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
    """Vote to play on without ``lost``, whose silence has lasted long enough."""
    me = work.me()
    offered = any(one.seat == lost and work.now_s >= one.opens_s for one in work.game.lost)
    if me is None or not offered or not may_vote(work.game, lost):
        work.show(Refused(reason="refused.no_vote"))
        return
    hear_signed(work, _sign(me, work.game.round, DROP_KIND, lost), me.seat)


def claim(work: Work) -> None:
    """Claim the game: the only other seat still in is silent."""
    me = work.me()
    open_to = [one.seat for one in work.game.lost if work.now_s >= one.opens_s]
    blocked = bool(awaited_promises(work.game, work.game.round))
    if me is None or blocked or not any(may_claim(work.game, lost) for lost in open_to):
        work.show(Refused(reason="refused.no_claim"))
        return
    now = work.game.round
    backing = backing_for(work.game, now)
    hear_signed(work, _sign(me, now, CLAIM_KIND, None, backing), me.seat)


def _sign(me: Seat, at: Round, kind: str, body: Value, backing: tuple[bytes, ...] = ()) -> Aside:
    return seal_aside(
        session=at.chain.session,
        seat=me.seat,
        counter=0,
        head=at.chain.step.head,
        kind=kind,
        body=body,
        backing=backing,
        signer=me.signer,
    )


# --- what is heard ---------------------------------------------------------------------------


def hear_signed(work: Work, aside: Aside, sender: int) -> None:
    """Take in a vote, promise or claim of this session; what does not count is dropped unlogged."""
    hear_backing(work, aside, sender)
    at = round_at(work.game, aside.head)
    if not work.live:
        return
    if at is None:
        _keep_ahead(work, aside, sender)
        return
    try:
        check_backing(work.game, at, aside)
        if aside.kind == CLAIM_KIND:
            _hear_claim(work, aside)
            return
        check_ballot(ballot_of(work.game, at), aside)
    except PeerFault:
        return
    if not _contradicted(work, aside):
        _count(work, aside, at, sender)


def hear_backing(work: Work, signed: Signed, sender: int) -> None:
    """Take in the promises that something signed holds: they may be all that shows who lied."""
    for raw in signed.backing:
        try:
            promise = read_aside(raw)
            if promise.kind != PROMISE_KIND or promise.session != work.game.round.chain.session:
                continue
            if promise.seat >= work.game.round.seats or _is_counted(work.game, promise):
                continue
            verify_aside(promise, work.game.round.contract.players[promise.seat].key)
        except PeerFault:
            continue
        hear_signed(work, promise, sender)


def _is_counted(game: Game, promise: Aside) -> bool:
    ballot = game.ballots.get(promise.head)
    return ballot is not None and promise in ballot.promises


def _contradicted(work: Work, aside: Aside) -> bool:
    """Stop the game if an aside contradicts what its seat signed before; tell whether it does."""
    other = conflicting(work.game, aside)
    if other is not None:
        convict(work, aside.seat, first_step(work.game, other, aside), (other, aside))
    return other is not None


def _count(work: Work, aside: Aside, at: Round, sender: int) -> None:
    before = ballot_of(work.game, at)
    after = count(before, aside)
    if after != before:
        _counted(work, aside, after)
    answer(work)
    # Only a vote asks: two that repeated their promises at each other's would never end.
    if aside.kind == DROP_KIND:
        _repeat(work, at, sender)
    lost = dropped(after)
    if lost is not None and dropped(before) is None:
        _drop(work, at, lost)


def _keep_ahead(work: Work, aside: Aside, sender: int) -> None:
    """Keep what was signed at a head that is not known here yet."""
    game, raw = work.game, aside.encode()
    kept = [signed for who, signed in game.ahead if who == sender]
    if game.seat is not None and raw not in kept and len(kept) < AHEAD_MAX:
        work.game = replace(game, ahead=(*game.ahead, (sender, raw)))


def _counted(work: Work, aside: Aside, after: Ballot) -> None:
    """Keep, forward and show what counts for the first time."""
    work.game = replace(work.game, ballots={**work.game.ballots, after.head: after})
    raw, lost = aside.encode(), lost_of(aside)
    work.log("aside", raw)
    if aside.seat == work.game.seat:
        work.effects.append(Keep(record=keep_signed(raw)))
    work.effects.append(Send(data=wire.write(wire.Remark(raw=raw))))
    if aside.kind == PROMISE_KIND:
        work.show(Promised(by=aside.seat, seat=lost))
        return
    missing = set(after.required(lost)) - set(after.voters(lost))
    work.show(Voted(by=aside.seat, seat=lost, missing=tuple(sorted(missing))))


def answer(work: Work) -> None:
    """Promise to stand by what was accepted here of seats that others have voted about.

    A promise is made once and goes to all, with the message itself. After a vote of one's own it
    holds the promise that allowed to accept the message.
    """
    me = work.me()
    if me is None:
        return
    for at in (*work.game.trail, work.game.round):
        ballot = work.game.ballots.get(at.chain.step.head)
        if ballot is None or awaited_promises(work.game, at):
            continue
        accepted = accepted_at(work.game, at)
        for lost in owes_promise(ballot, me.seat, accepted):
            late = _late_backing(ballot, me.seat, accepted[lost])
            body = (lost, accepted[lost].digest)
            promise = _sign(me, at, PROMISE_KIND, body, late)
            hear_signed(work, promise, me.seat)
            work.effects.append(Send(data=_chained(accepted[lost])))


def _late_backing(ballot: Ballot, me: int, accepted: Envelope) -> tuple[bytes, ...]:
    lost = accepted.payload.seat
    if ballot.voted(me) != lost:
        return ()
    promise = late_backing(ballot, me, lost, accepted.digest)
    return () if promise is None else (promise.encode(),)


def _repeat(work: Work, at: Round, asker: int) -> None:
    """Repeat the promises, with what they are about, to another seat whose vote asks for them."""
    me = work.game.seat
    accepted = accepted_at(work.game, at)
    for promise in ballot_of(work.game, at).promises:
        lost = lost_of(promise)
        if asker != me and asker != promise.seat and lost in accepted:
            raw = wire.write(wire.Remark(raw=promise.encode()))
            work.send_again((raw, _chained(accepted[lost])), asker)


def _chained(envelope: Envelope) -> bytes:
    return wire.write(wire.Chained(raw=envelope.encode()))


def answer_after_end(work: Work, raw: bytes, asker: int) -> None:
    """Promise to a seat that missed the end of the game what it needs to go there.

    It has voted about a seat whose message stands here. A seat whose game has ended never votes
    again, so such a promise needs no record.
    """
    me, game = work.me(), work.game
    try:
        asked = read_aside(raw)
        at = round_at(game, asked.head)
        if me is None or at is None or asked.kind != DROP_KIND:
            return
        ballot, lost = ballot_of(game, at), lost_of(asked)
        check_ballot(ballot, asked)
    except PeerFault:
        return
    accepted = accepted_at(game, at).get(lost)
    if accepted is None or me.seat not in ballot.required(lost) or asked.seat == me.seat:
        return
    promise = ballot.promise(me.seat, lost)
    if promise is None:
        promise = _sign(me, at, PROMISE_KIND, (lost, accepted.digest))
    remark = wire.write(wire.Remark(raw=promise.encode()))
    work.send_again((remark, _chained(accepted)), asker)


def may_take(game: Game, envelope: Envelope) -> bool:
    """Tell whether this seat may accept an envelope of the current step.

    It may not if it has voted to play on without the speaker, and nobody stands by the message.
    """
    ballot = game.ballots.get(envelope.payload.head)
    if game.seat is None or ballot is None:
        return True
    return may_accept(ballot, game.seat, envelope.payload.seat, envelope.digest)


# --- what follows ----------------------------------------------------------------------------


def _drop(work: Work, at: Round, lost: int) -> None:
    """Play on without ``lost`` from the step of ``at``.

    A seat whose vote was not needed may have closed that step, with a message that the others never
    accepted: it goes back to where they are. Of those whose vote was needed none has gone further,
    or it has contradicted itself.
    """
    game = work.game
    number, ballot = at.chain.step.number, ballot_of(game, at)
    accepted = at is not game.round or (game.seat is not None and ballot.late(game.seat))
    if accepted and game.seat in ballot.required(lost):
        # That is final. (It cannot happen: whoever promised and votes has been convicted before.)
        return
    resigned = any(isinstance(m, ResignSent) for seat, m in at.spoken if seat == game.seat)
    before = replace(game, round=at)
    doubtful = tuple((doubt.sender, doubt.raw) for doubt in game.doubts)
    work.game = replace(
        game,
        round=flow.drop(at, ballot.votes, lost),
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
    if _contradicted(work, aside):
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
