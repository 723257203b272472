"""Every way in which seats can vote, promise, accept and crash at one head, over the real rules.

A state is what has been sent (votes and promises as one ballot, and who has spoken), what each
seat has accepted, and how each ended the step. Whatever was sent may arrive anywhere, at any time
or never; as hearing more never forbids anything, a seat can do at any moment whatever the messages
sent so far allow. So deliveries need no states of their own, and few states remain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from protocol.chain import (
    DROP_KIND,
    PROMISE_KIND,
    Ballot,
    Chain,
    accept,
    count,
    dropped,
    may_accept,
    may_vote,
    open_step,
    owes_promise,
)
from protocol.codec import Value
from protocol.envelope import Aside, Envelope, Payload

SESSION = bytes(32)
HEAD = b"\1" * 32
CLOSED = -1
"""How a seat ended the step: it closed it; or else the seat that it goes on without."""


def envelope(seat: int) -> Envelope:
    payload = Payload(session=SESSION, seat=seat, step=0, head=HEAD, kind="shares", body=seat)
    return Envelope(payload=payload, data=bytes([seat]), signature=b"")


def aside(seat: int, kind: str, body: Value) -> Aside:
    data = repr((seat, kind, body)).encode()
    return Aside(
        session=SESSION,
        seat=seat,
        counter=0,
        head=HEAD,
        kind=kind,
        body=body,
        data=data,
        signature=b"",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What the seats go by; a test may break one part and see the search find out."""

    may_vote: Callable[[Ballot, Chain, int, int], bool] = may_vote
    may_accept: Callable[[Ballot, int, Envelope], bool] = may_accept
    vouchers: Callable[[Ballot, int], tuple[int, ...]] = Ballot.required
    accepted_on_disk: bool = True
    promises_on_disk: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """``forgot`` are seats that crashed and lost what the rule does not keep on disk."""

    spoken: frozenset[int] = frozenset()
    ballot: Ballot
    chains: tuple[Chain, ...]
    ends: tuple[int | None, ...]
    forgot: frozenset[int] = frozenset()

    def accepted(self, seat: int) -> dict[int, Envelope]:
        return dict(self.chains[seat].spoken)

    def with_chain(self, seat: int, chain: Chain) -> State:
        chains = (*self.chains[:seat], chain, *self.chains[seat + 1 :])
        return replace(self, chains=chains)

    def with_end(self, seat: int, end: int) -> State:
        return replace(self, ends=(*self.ends[:seat], end, *self.ends[seat + 1 :]))

    def signed(self, seat: int, kind: str, body: Value) -> State:
        return replace(self, ballot=count(self.ballot, aside(seat, kind, body)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    seats: int
    awaited: tuple[int, ...]
    rule: Rule = field(default_factory=Rule)

    def start(self) -> State:
        chain = open_step(SESSION, 0, HEAD, dict.fromkeys(self.awaited, ("shares",)))
        return State(
            ballot=Ballot(head=HEAD, present=tuple(range(self.seats))),
            chains=(chain,) * self.seats,
            ends=(None,) * self.seats,
        )

    def choices(self, state: State) -> Iterator[State]:
        """Yield what may happen and need not: a seat speaks at last, votes, or crashes."""
        for seat in self.awaited:
            if seat not in state.spoken and state.ends[seat] is None:
                spoken = replace(state, spoken=state.spoken | {seat})
                yield spoken.with_chain(seat, accept(state.chains[seat], envelope(seat)))
        for seat in range(self.seats):
            for lost in self.awaited:
                if state.ends[seat] is None and self._votes(state, seat, lost):
                    yield state.signed(seat, DROP_KIND, lost)
            yield from self._crash(state, seat)

    def _votes(self, state: State, seat: int, lost: int) -> bool:
        ballot = state.ballot
        if seat in state.forgot and not self.rule.promises_on_disk:
            ballot = replace(ballot, promises=tuple(p for p in ballot.promises if p.seat != seat))
        allowed = self.rule.may_vote(ballot, state.chains[seat], seat, lost)
        return allowed and lost not in (v.body for v in ballot.votes if v.seat == seat)

    def _crash(self, state: State, seat: int) -> Iterator[State]:
        forgets = not (self.rule.accepted_on_disk and self.rule.promises_on_disk)
        if not forgets or state.ends[seat] is not None or seat in state.forgot:
            return
        chain = state.chains[seat]
        kept = tuple(item for item in chain.spoken if item[0] == seat)
        vouched = {lost for lost in self.awaited if state.ballot.vouched(seat, lost)}
        if self.rule.promises_on_disk:
            kept = tuple(item for item in chain.spoken if item[0] == seat or item[0] in vouched)
        lost_memory = state.with_chain(seat, replace(chain, spoken=kept))
        yield replace(lost_memory, forgot=state.forgot | {seat})

    def duties(self, state: State) -> Iterator[State]:
        """Yield what a seat does by itself once the messages for it have arrived."""
        gone = dropped(state.ballot)
        for seat in range(self.seats):
            if state.ends[seat] is None:
                yield from self._accepts(state, seat)
                if state.chains[seat].complete:
                    yield state.with_end(seat, CLOSED)
            for lost in owes_promise(state.ballot, seat, state.accepted(seat)):
                digest = state.accepted(seat)[lost].digest
                yield state.signed(seat, PROMISE_KIND, (lost, digest))
            # The lost seat alone may have closed the step; it goes back.
            if gone is not None and state.ends[seat] in (None, CLOSED if seat == gone else None):
                yield state.with_end(seat, gone)

    def _accepts(self, state: State, seat: int) -> Iterator[State]:
        for speaker in sorted(state.spoken - state.accepted(seat).keys()):
            allowed = self.rule.may_accept(state.ballot, seat, envelope(speaker))
            if allowed or self._went_on(state, seat, speaker):
                yield state.with_chain(seat, accept(state.chains[seat], envelope(speaker)))

    def _went_on(self, state: State, seat: int, speaker: int) -> bool:
        """Tell whether another voter signs at a later head, which is as good as a promise."""
        others = set(self.rule.vouchers(state.ballot, speaker)) - {seat}
        return any(state.ends[other] == CLOSED for other in others)

    def settled(self, state: State, known: dict[State, State]) -> State:
        """Return the state after all messages have arrived everywhere; ``known`` are found ones."""
        passed = []
        while state not in known and (after := next(self.duties(state), None)) is not None:
            passed.append(state)
            state = after
        end = known.get(state, state)
        known.update(dict.fromkeys(passed, end))
        return end

    def states(self) -> Iterator[State]:
        """Yield every state that can be reached."""
        seen = {self.start()}
        stack = list(seen)
        while stack:
            state = stack.pop()
            yield state
            for after in (*self.choices(state), *self.duties(state)):
                if after not in seen:
                    seen.add(after)
                    stack.append(after)


def forked(state: State) -> bool:
    """Tell whether two seats play different games: the lost seat itself may be behind."""
    ends = {end for seat, end in enumerate(state.ends) if end is not None}
    without = ends - {CLOSED}
    if len(without) > 1:
        return True
    return any(
        end == CLOSED and seat not in without and bool(without)
        for seat, end in enumerate(state.ends)
    )


def wronged(state: State) -> int | None:
    """Return a seat that all others dropped although one of them had accepted what it said."""
    lost = dropped(state.ballot)
    if lost is None:
        return None
    accepted = any(lost in state.accepted(seat) for seat in state.ballot.required(lost))
    return lost if accepted else None
