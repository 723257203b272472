"""What an honest seat may do around a silent one, by the rule and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import TypeAlias

from protocol.ballot import DROP_KIND, PROMISE_KIND, Ballot, backs, dropped
from protocol.chain import Chain, accept
from protocol.envelope import Aside

from .drop_judge import Judge
from .drop_words import Place, bits

Local: TypeAlias = tuple[int, int, int, int]
"""An honest seat: the number of its place, what it signed, what it holds of liars' words, and what
of its own a crash took from it."""
Options: TypeAlias = Iterable[tuple[int, int]]
"""Words, or places, with the liars' words that a seat needs for them."""
Check: TypeAlias = Callable[[int, int, int], None]
"""Takes a seat, what it has signed, and what it is about to sign."""


class Player:
    """What one honest seat may do in one state of itself, with the honest words in ``pool``."""

    def __init__(self, judge: Judge, check: Check, seat: int, here: Local, pool: int) -> None:
        self.judge, self.rule, self.book = judge, judge.rule, judge.book
        self._check = check
        self.seat, self.pool = seat, pool
        self.at, self.signed, self.held, self.forgotten = here
        self.place = self.book.places[self.at]
        self.liars = frozenset(self.book.table.liars)

    def moves(self) -> Iterator[tuple[bool, Local]]:
        """Yield whether a move may never be made (a vote, a crash), and the local after it."""
        if self._stops(self.held, self.place):
            return
        for optional, options in (
            (True, self._votes()),
            (False, self._promises()),
            (False, self._speaks()),
        ):
            for word, weight in options:
                if not self._stops(self.held | weight, self.place):
                    self._check(self.seat, self.signed | self.forgotten, word)
                    signed = self.signed | 1 << word
                    yield optional, (self.at, signed, self.held | weight, self.forgotten)
        for at, weight in (*self._closes(), *self._follows()):
            if not self._stops(self.held | weight, self.book.places[at]):
                yield False, (at, self.signed, self.held | weight, self.forgotten)
        lost = self._lost_by_a_crash()
        if lost:
            yield True, (self.at, self.signed & ~lost, self.held, self.forgotten | lost)

    def _stops(self, held: int, place: Place) -> bool:
        """Whether this seat halts with the words that it holds, instead of going to a place."""
        before, gone = place.before, place.gone
        required = before is not None and gone is not None and self.seat in before.required(gone)
        followed = gone is not None and self.rule.follows_with_proof(required=required)
        return not followed and self.judge.convicted(held)

    def _lost_by_a_crash(self) -> int:
        if not self.rule.forgets or self.forgotten:
            return 0
        words = (w for w in bits(self.signed) if isinstance(self.book.words[w], Aside))
        return sum(1 << word for word in words)

    # --- what it signs -----------------------------------------------------------------------

    def _votes(self) -> Options:
        for lost in self.place.droppable:
            if self.rule.may_vote(self._own(self.at), self._chain(), self.seat, lost):
                word = self.book.vote(self.seat, self.at, lost, ())
                for weight in self._released(self.place):
                    yield word, weight

    def _speaks(self) -> Options:
        spoken = self.book.spoken.get((self.seat, self.at), ())
        if self.seat in self.place.awaited and not any(self.signed >> word & 1 for word in spoken):
            for weight in self._released(self.place):
                yield self.book.say(self.seat, self.at, 0, self._backing(self.at)), weight

    def _promises(self) -> Options:
        path = self.place.path()
        for nth, place in enumerate(path):
            at = self.book.number(place)
            for lost in place.droppable:
                if lost == self.seat or self.seat not in place.present:
                    continue
                if self._own(at).promise(self.seat, lost) is not None:
                    continue
                if place is self.place:
                    for said in self._says(lost, at):
                        yield from self._stands_by(at, said, late=True)
                elif path[nth + 1].gone is None:
                    for said in path[nth + 1].said:
                        if self.book.signer(said) == lost:
                            yield from self._stands_by(at, said, late=False)

    def _stands_by(self, at: int, said: int, *, late: bool) -> Options:
        place, lost = self.book.places[at], self.book.signer(said)
        released = self._released(place)
        if self._own(at).voted(self.seat) == lost:
            if late and self.rule.late_promises:
                for words, weight in self._late(at, said):
                    word = self.book.promise(self.seat, at, said, words[:1])
                    for more in released:
                        yield word, self.book.weight(said) | weight | more
            return
        envelope = self.book.envelope(said)
        for vote in self._votes_of(place.required(lost), at, lost):
            ballot = self.book.ballot(at, self.signed | 1 << vote)
            if lost in self.rule.owes_promise(ballot, self.seat, {lost: envelope}):
                word = self.book.promise(self.seat, at, said, ())
                for more in released:
                    yield word, self.book.weight(said) | self.book.weight(vote) | more

    def _late(self, at: int, said: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the words of others with which this seat accepts late, the one it shows first."""
        place, lost = self.book.places[at], self.book.signer(said)
        digest = self.book.envelope(said).digest
        others = [seat for seat in place.required(lost) if seat != self.seat]
        backed = self.rule.backed_is_enough
        promises = [self._promises_of(seat, at, said, backed=backed) for seat in others]
        if self.rule.later_words:
            promises.extend(self._later_words(seat, at, said) for seat in others)
        for words in self.rule.supports(promises):
            asides = sum(1 << w for w in words if isinstance(self.book.words[w], Aside))
            ballot = self.book.ballot(at, self.signed | asides)
            if self.rule.may_accept(ballot, self.seat, lost, digest):
                weight = 0
                for word in words:
                    weight |= self.book.weight(word)
                yield words, weight

    def _later_words(self, seat: int, at: int, said: int) -> list[int]:
        """Return envelopes of another at a head that contains only ``said`` in addition."""
        if self.book.places[at].awaited != (self.book.signer(said),):
            return []
        after = self.book.closed(at, (said,))
        return [*self._says(seat, after)] if seat in self.book.places[after].awaited else []

    # --- where it goes -----------------------------------------------------------------------

    def _closes(self) -> Options:
        if self.place.last:
            return
        options = [list(self._taken(seat)) for seat in self.place.awaited]
        for chosen in product(*options):
            weight = 0
            for _, more in chosen:
                weight |= more
            yield self.book.closed(self.at, tuple(word for word, _ in chosen)), weight

    def _taken(self, lost: int) -> Options:
        """Yield what this seat may accept of another, or has said itself."""
        own = self._own(self.at)
        promise = own.promise(self.seat, lost)
        for said in self._says(lost, self.at):
            digest = self.book.envelope(said).digest
            weight = self.book.weight(said)
            if lost == self.seat:
                if self.signed >> said & 1:
                    yield said, 0
            elif promise is not None:
                if promise.body == (lost, digest):
                    yield said, weight
            elif own.voted(self.seat) != lost:
                if self.rule.may_accept(own, self.seat, lost, digest):
                    yield said, weight
            elif not self.rule.late_promises:
                for _, more in self._late(self.at, said):
                    yield said, weight | more

    def _follows(self) -> Options:
        path = self.place.path()
        for nth, place in enumerate(path):
            at = self.book.number(place)
            for lost in place.droppable:
                further = place is not self.place
                if further and path[nth + 1].gone == lost:
                    continue
                if not self.rule.follows(self._own(at), self.seat, lost, further=further):
                    continue
                voters = [seat for seat in place.required(lost) if seat != self.seat]
                votes = [list(self._votes_of((seat,), at, lost)) for seat in voters]
                for words in product(*votes):
                    ballot = self.book.ballot(at, self.signed | sum(1 << word for word in words))
                    if dropped(ballot) == lost:
                        weight = 0
                        for word in words:
                            weight |= self.book.weight(word)
                        yield self.book.dropped(at, lost), weight

    # --- what it knows -----------------------------------------------------------------------

    def _own(self, at: int) -> Ballot:
        return self.book.ballot(at, self.signed)

    def _chain(self) -> Chain:
        """Return the step with what this seat has said and promised to stand by."""
        chain, own = self.place.chain, self._own(self.at)
        for seat in self.place.awaited:
            promise = own.promise(self.seat, seat)
            for said in self.book.spoken.get((seat, self.at), ()):
                body = (seat, self.book.envelope(said).digest)
                mine = seat == self.seat and self.signed >> said & 1
                if mine or (promise is not None and promise.body == body):
                    chain = accept(chain, self.book.envelope(said))
        return chain

    def _backing(self, at: int) -> tuple[int, ...]:
        """Return the promises that this seat must show in what it signs at a place of its path."""
        if not self.rule.shows_backing:
            return ()
        path = self.book.places[at].path()
        found = []
        for nth, place in enumerate(path[:-1]):
            number = self.book.number(place)
            late = self._own(number).late(self.seat)
            if late is None or path[nth + 1].gone is not None:
                continue
            brought = (w for after in path[nth + 2 :] for w in after.said)
            if any(self._backed_by_me(w, place, late[0]) for w in brought):
                continue
            promise = self._own(number).promise(self.seat, late[0])
            item = None if promise is None else backs(promise, place.head, late[0])
            if item is not None:
                found.append(self.book.words.index(item))
        return tuple(found)

    def _backed_by_me(self, word: int, place: Place, lost: int) -> bool:
        signed = self.book.words[word]
        return self.book.signer(word) == self.seat and backs(signed, place.head, lost) is not None

    def _released(self, place: Place) -> list[int]:
        """Return, for each way to have all promises awaited at a place, the liars' words in it."""
        weights = [0]
        path = place.path()
        for nth, before in enumerate(path[:-1]):
            at = self.book.number(before)
            late = self._own(at).late(self.seat)
            if late is None or path[nth + 1].gone is not None:
                continue
            said = next(w for w in path[nth + 1].said if self.book.signer(w) == late[0])
            for seat in self.rule.unreleased(self._own(at), self.seat):
                more = self._least(self._promises_of(seat, at, said, backed=True))
                weights = [one | two for one in weights for two in more]
        return weights

    def _least(self, words: Iterable[int]) -> list[int]:
        """Return what liars' words come with each of ``words``, only the smallest sets."""
        weights = {self.book.weight(word) & ~self.held for word in words}
        return [w for w in weights if not any(o != w and o & ~w == 0 for o in weights)]

    # --- what others may have signed ---------------------------------------------------------

    def _says(self, seat: int, at: int) -> Iterator[int]:
        if seat in self.liars:
            for body in (0, 1) if at == 0 else (0,):
                for backing in self._liar_backings(seat, at):
                    yield self.book.say(seat, at, body, backing)
        else:
            for word in self.book.spoken.get((seat, at), ()):
                if self.pool >> word & 1:
                    yield word

    def _votes_of(self, seats: Iterable[int], at: int, lost: int) -> list[int]:
        """Return votes about a seat; one of an honest seat, if there is one, is enough."""
        found: list[int] = []
        for seat in seats:
            if seat in self.liars:
                found.append(self.book.vote(seat, at, lost, ()))
                continue
            words = self.book.asides.get((seat, at, DROP_KIND, lost), ())
            found.extend(word for word in words if self.pool >> word & 1)
        harmless = [word for word in found if not self.book.weight(word) & ~self.held]
        return harmless[:1] or found

    def _promises_of(self, seat: int, at: int, said: int, *, backed: bool = False) -> list[int]:
        """Return the promises of a seat to stand by ``said``: plain ones, or backed ones, too."""
        lost = self.book.signer(said)
        body = (lost, self.book.envelope(said).digest)
        if seat not in self.liars:
            words = self.book.asides.get((seat, at, PROMISE_KIND, lost), ())
            mine = [w for w in words if self.pool >> w & 1 and self.book.aside(w).body == body]
            return [word for word in mine if backed or self.book.plain(word)]
        found = [self.book.promise(seat, at, said, ())]
        if backed:
            others = self._plain(at, said, seat)
            found.extend(self.book.promise(seat, at, said, (other,)) for other in others)
        return found

    def _liar_backings(self, seat: int, at: int) -> list[tuple[int, ...]]:
        """Return what a liar may show in an envelope: nothing, or a promise for each vote."""
        path = self.book.places[at].path()
        backings: list[tuple[int, ...]] = [()]
        for nth, before in enumerate(path[:-1]):
            if path[nth + 1].gone is None:
                for said in path[nth + 1].said:
                    if self.book.signer(said) in before.droppable:
                        plain = self._plain(self.book.number(before), said, seat)
                        backings.extend([(*b, one) for b in backings for one in plain])
        return backings

    def _plain(self, at: int, said: int, signer: int) -> list[int]:
        """Return plain promises that a liar can show: an honest one, or else the other liars'."""
        place, lost = self.book.places[at], self.book.signer(said)
        others = [seat for seat in place.required(lost) if seat != signer]
        if signer not in place.required(lost):
            return []
        for seat in others:
            if seat not in self.liars:
                for word in self._promises_of(seat, at, said):
                    return [word]
        return [self.book.promise(seat, at, said, ()) for seat in others if seat in self.liars]
