"""What votes and promises mean at the heads of a game: ballots, backing, contradictions.

The rule itself is the protocol's (:mod:`protocol.ballot`); here it is tied to the rounds of a game:
which seats can be dropped at a head, which payloads stand there, and what a seat's next signature
must hold (SPEC, silent seats).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from protocol import (
    CLAIM_KIND,
    DROP_KIND,
    PROMISE_KIND,
    Aside,
    Ballot,
    Envelope,
    PeerFault,
    Signed,
    backing_of,
    backs,
    check_ballot,
    digest_of,
    is_plain,
    lost_of,
    verify_aside,
)
from protocol import contradicts as contradict

from ..rules.illegal import IllegalMove
from ..rules.legal import check_drop
from .flow import DONE
from .game import Game, Refusal, accepted_at, awaited_promises
from .state import Round

# --- ballots ---------------------------------------------------------------------------------


def droppable(round_: Round) -> tuple[int, ...]:
    """Return the seats without whom the others can play on in the current step, ascending."""
    if round_.state is None or round_.step == DONE:
        return ()
    return tuple(seat for seat, _ in round_.chain.step.kinds if _can_miss(round_, seat))


def _can_miss(round_: Round, seat: int) -> bool:
    try:
        check_drop(round_.board, seat)
    except IllegalMove:
        return False
    return True


def round_at(game: Game, head: bytes) -> Round | None:
    """Return the current round as it stood, or stands, at ``head``; ``None`` if it never did."""
    for round_ in (game.round, *reversed(game.trail)):
        if round_.chain.step.head == head and round_.step != DONE:
            return round_
    return None


def ballot_of(game: Game, at: Round) -> Ballot:
    """Return what was signed at the head of ``at``."""
    return game.ballots.get(at.chain.step.head) or _no_ballot(at)


def _no_ballot(at: Round) -> Ballot:
    return Ballot(head=at.chain.step.head, present=at.present, droppable=droppable(at))


# --- backing ---------------------------------------------------------------------------------


def backing_for(game: Game, at: Round) -> tuple[bytes, ...]:
    """Return what this seat's envelope or claim at the head of ``at`` must hold, oldest first.

    That is the promise with which it accepted a payload late, until an envelope of its own that
    holds it is in the head.
    """
    me = game.seat
    items = []
    for earlier in game.trail[: at.chain.step.number]:
        ballot = game.ballots.get(earlier.chain.step.head)
        late = None if ballot is None or me is None else ballot.late(me)
        if ballot is None or me is None or late is None or _brought(game, earlier, at, me, late[0]):
            continue
        mine = ballot.promise(me, late[0])
        item = None if mine is None else backs(mine, ballot.head, late[0])
        if item is not None:
            items.append(item.encode())
    return tuple(items)


def _brought(game: Game, earlier: Round, at: Round, seat: int, lost: int) -> bool:
    """Whether ``seat`` has shown its backing in a closed step between the two heads."""
    first, end = earlier.chain.step.number + 1, at.chain.step.number
    return any(
        envelope.payload.seat == seat and backs(envelope, earlier.chain.step.head, lost) is not None
        for said in game.round.transcript[first:end]
        for envelope in said
    )


def check_free(game: Game) -> None:
    """Refuse that this seat speaks while it awaits promises.

    Raises:
        Refusal: ``promises``, with the names of those who owe one.
    """
    seats = awaited_promises(game, game.round)
    if seats:
        names = (game.round.contract.players[seat].name for seat in seats)
        raise Refusal("refused.promises", (("names", ", ".join(names)),))


def check_backing(game: Game, at: Round, signed: Signed) -> None:
    """Check the promises on which something signed at the head of ``at`` relies.

    An envelope or a claim holds promises about payloads that stand at earlier heads of this round,
    a promise at most one, of the same payload, and a vote none.

    Raises:
        PeerFault: ``drop.backing``.
    """
    try:
        for promise in backing_of(signed):
            where = _promised_at(game, at, signed, promise)
            if where is None or promise.seat == signed.seat or not is_plain(promise):
                raise PeerFault("drop.backing")
            check_ballot(_no_ballot(where), promise)
            verify_aside(promise, at.contract.players[promise.seat].key)
    except PeerFault:
        raise PeerFault("drop.backing") from None


def _promised_at(game: Game, at: Round, signed: Signed, promise: Aside) -> Round | None:
    """Return the round as it stood where a promise in a backing belongs, if it does anywhere."""
    if promise.session != at.chain.session:
        return None
    if isinstance(signed, Aside) and signed.kind != CLAIM_KIND:
        mine = (signed.kind, signed.head, signed.body, len(signed.backing))
        return at if mine == (PROMISE_KIND, promise.head, promise.body, 1) else None
    for earlier in game.trail[: at.chain.step.number]:
        if earlier.chain.step.head == promise.head:
            stands = accepted_at(game, earlier).get(lost_of(promise))
            return earlier if stands and stands.digest == digest_of(promise) else None
    return None


# --- contradictions --------------------------------------------------------------------------


def contradicts(game: Game, first: Signed, second: Signed) -> bool:
    """Tell whether two things that one seat signed in this round contradict each other."""
    return _contradicts(game, first, second) or _contradicts(game, second, first)


def _contradicts(game: Game, first: Signed, second: Signed) -> bool:
    here, there = round_at(game, first.head), round_at(game, second.head)
    if not isinstance(first, Aside) or first.kind == CLAIM_KIND or here is None or there is None:
        return False
    try:
        _check_counts(game, here, first)
        if isinstance(second, Aside) and second.kind != CLAIM_KIND:
            _check_counts(game, there, second)
        beyond = _is_beyond(game, here, there, first)
        return contradict(first, _sound(game, there, second), beyond=beyond)
    except PeerFault:
        return False


def _check_counts(game: Game, at: Round, aside: Aside) -> None:
    check_backing(game, at, aside)
    check_ballot(_no_ballot(at), aside)


def _is_beyond(game: Game, here: Round, there: Round, vote: Aside) -> bool:
    """Whether a later head contains what a vote is about, with no backing shown in between."""
    if here.chain.step.number >= there.chain.step.number:
        return False
    lost = lost_of(vote)
    return lost in accepted_at(game, here) and not _brought(game, here, there, vote.seat, lost)


def _sound(game: Game, at: Round, signed: Signed) -> Signed:
    """Return an envelope or a claim without a backing that is not good."""
    try:
        check_backing(game, at, signed)
    except PeerFault:
        if isinstance(signed, Envelope):
            return replace(signed, payload=replace(signed.payload, backing=()))
        return replace(signed, backing=())
    return signed


def first_step(game: Game, first: Signed, second: Signed) -> int:
    """Return the number of the earlier step of two in which something was signed."""
    found = (round_at(game, first.head), round_at(game, second.head))
    return min(round_.chain.step.number for round_ in found if round_ is not None)


def conflicting(game: Game, signed: Signed) -> Signed | None:
    """Return what the same seat has signed before that contradicts ``signed``."""
    for other in _signed_by(game, signed):
        if contradicts(game, other, signed):
            return other
    return None


def _signed_by(game: Game, signed: Signed) -> Iterator[Signed]:
    """Yield what may contradict ``signed``: ballots of its seat, and envelopes if it is a vote."""
    seat = signed.seat
    for ballot in game.ballots.values():
        yield from (one for one in (*ballot.votes, *ballot.promises) if one.seat == seat)
    if isinstance(signed, Aside) and signed.kind == DROP_KIND:
        spoken = tuple(envelope for _, envelope in game.round.chain.spoken)
        for said in (*game.round.transcript, spoken):
            yield from (envelope for envelope in said if envelope.payload.seat == seat)
