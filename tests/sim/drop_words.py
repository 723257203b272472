"""The heads that a table can come to around a silent seat, and all that can be signed at them.

Heads, envelopes, votes and promises are real ones, made by the functions of the protocol; so the
search in :mod:`.drop_model` decides nothing about what a word says. Every word has a number, and a
set of words is an integer with one bit for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from protocol.ballot import (
    DROP_KIND,
    PROMISE_KIND,
    Ballot,
    backing_of,
    check_ballot,
    close_without,
    count,
    is_plain,
    lost_of,
)
from protocol.chain import RECEIPT_KIND, Chain, accept, close, open_step
from protocol.codec import Value
from protocol.envelope import Aside, Envelope, Payload, Signed, seal, seal_aside
from tests.support.envelopes import HEAD, SESSION, signer

PLAY_KIND = "play"
DEPTH_MAX = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Seats around a first head at which ``owing`` must speak, and then ``then``.

    ``out`` are seats that need not vote. ``liars`` may sign anything; all others are honest. At the
    second head seats vote, too, if ``later_votes`` is set.
    """

    seats: int
    owing: tuple[int, ...]
    then: tuple[int, ...]
    out: tuple[int, ...] = ()
    liars: tuple[int, ...] = ()
    later_votes: bool = True

    @property
    def honest(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat not in self.liars)

    def __str__(self) -> str:
        parts = [f"{self.seats} seats", f"owing {self.owing}", f"then {self.then}"]
        if self.out:
            parts.append(f"out {self.out}")
        heads = "two heads" if self.later_votes else "one head"
        return ", ".join([*parts, heads, f"liars {self.liars}"])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """A head, with how the table came to it from the one before: by payloads, or by a drop."""

    chain: Chain
    present: tuple[int, ...]
    droppable: tuple[int, ...]
    before: Place | None
    said: tuple[int, ...]
    """The words that closed the step before."""
    gone: int | None
    """The seat that was dropped in the step before."""

    @property
    def head(self) -> bytes:
        return self.chain.step.head

    @property
    def number(self) -> int:
        return self.chain.step.number

    @property
    def awaited(self) -> tuple[int, ...]:
        return tuple(seat for seat, _ in self.chain.step.kinds)

    @property
    def last(self) -> bool:
        """Whether the search follows the table no further."""
        return self.gone is not None or self.number == DEPTH_MAX

    def path(self) -> tuple[Place, ...]:
        """Return all places up to this one."""
        return (*(() if self.before is None else self.before.path()), self)

    def ballot(self) -> Ballot:
        return Ballot(head=self.head, present=self.present, droppable=self.droppable)

    def required(self, lost: int) -> tuple[int, ...]:
        return self.ballot().required(lost)


def bits(words: int) -> Iterator[int]:
    """Yield the numbers of the words in a set."""
    while words:
        lowest = words & -words
        yield lowest.bit_length() - 1
        words ^= lowest


def fork_of(one: Place, two: Place) -> tuple[Place, Place, Place] | None:
    """Return the last common place of two and what follows it on each way, if the ways part."""
    last = None
    for left, right in zip(one.path(), two.path(), strict=False):
        if left is not right:
            return None if last is None else (last, left, right)
        last = left
    return None


class Book:
    """All places and words of one table, each made once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.words: list[Signed] = []
        self.places: list[Place] = []
        self.asides: dict[tuple[int, int, str, int], list[int]] = {}
        """Votes and promises by signer, number of their place, kind and the seat they are about."""
        self.spoken: dict[tuple[int, int], list[int]] = {}
        """Envelopes by signer and number of their place."""
        self._made: dict[object, int] = {}
        self._by_head: dict[bytes, int] = {}
        self._weights: dict[int, int] = {}
        self._ballots: dict[tuple[int, int], Ballot] = {}
        self._children: dict[object, int] = {}
        present = tuple(seat for seat in range(table.seats) if seat not in table.out)
        self._place(dict.fromkeys(table.owing, PLAY_KIND), HEAD, present, None, (), None)

    # --- places ------------------------------------------------------------------------------

    def _place(
        self,
        kinds: dict[int, str],
        head: bytes,
        present: tuple[int, ...],
        before: Place | None,
        said: tuple[int, ...],
        gone: int | None,
    ) -> int:
        number = 0 if before is None else before.number + 1
        votes = number == 0 or (self.table.later_votes and gone is None and number < DEPTH_MAX)
        droppable = tuple(seat for seat in kinds if seat in present and votes)
        place = Place(
            chain=open_step(SESSION, number, head, {seat: [kind] for seat, kind in kinds.items()}),
            present=present,
            droppable=droppable if len(present) > 2 else (),
            before=before,
            said=said,
            gone=gone,
        )
        self.places.append(place)
        self._by_head[head] = len(self.places) - 1
        return len(self.places) - 1

    def closed(self, at: int, said: tuple[int, ...]) -> int:
        """Return the number of the place after the step in which ``said`` was spoken."""
        key = (at, said)
        if key not in self._children:
            place = self.places[at]
            chain = place.chain
            for word in said:
                chain = accept(chain, self.envelope(word))
            kinds = self._kinds(place.number + 1, place.present)
            if not self._may_be_decided(place, said):
                kinds = {seat: kind for seat, kind in kinds.items() if kind != RECEIPT_KIND}
            self._children[key] = self._place(kinds, close(chain), place.present, place, said, None)
        return self._children[key]

    def dropped(self, at: int, lost: int) -> int:
        """Return the number of the place after the others have dropped ``lost``."""
        key = (at, lost, "dropped")
        if key not in self._children:
            place = self.places[at]
            present = tuple(seat for seat in place.present if seat != lost)
            head = close_without(place.chain.step, lost)
            kinds = self._kinds(DEPTH_MAX, present)
            self._children[key] = self._place(kinds, head, present, place, (), lost)
        return self._children[key]

    def _may_be_decided(self, place: Place, said: tuple[int, ...]) -> bool:
        """Whether receipts may follow: somebody required has spoken after each droppable step.

        One seat alone cannot decide a round with two others in; so before a receipt there is a word
        of somebody who had to vote, or a longer way than after a drop.
        """
        path = place.path()
        spoken = [*(after.said for after in path[1:]), said]
        return all(
            any(self.signer(word) in before.required(lost) for words in later for word in words)
            for nth, before in enumerate(path)
            for later in [spoken[nth + 1 :]]
            for lost in before.droppable
        )

    def _kinds(self, number: int, present: tuple[int, ...]) -> dict[int, str]:
        """Say who must speak: in the last step all, those with a receipt who are not present."""
        if number < DEPTH_MAX:
            return dict.fromkeys(self.table.then, PLAY_KIND)
        return {
            seat: PLAY_KIND if seat in present else RECEIPT_KIND for seat in range(self.table.seats)
        }

    def at(self, word: int) -> int:
        """Return the number of the place where a word was signed."""
        signed = self.words[word]
        return self._by_head[signed.head]

    def ballot(self, at: int, words: int) -> Ballot:
        """Return the ballot at a place with those votes and promises in a set that belong there."""
        key = (at, words)
        if key not in self._ballots:
            ballot = self.places[at].ballot()
            for word in bits(words):
                aside = self.words[word]
                if isinstance(aside, Aside) and aside.head == ballot.head:
                    check_ballot(ballot, aside)
                    ballot = count(ballot, aside)
            self._ballots[key] = ballot
        return self._ballots[key]

    # --- words -------------------------------------------------------------------------------

    def envelope(self, word: int) -> Envelope:
        found = self.words[word]
        if not isinstance(found, Envelope):
            raise TypeError(f"word {word} is no envelope")
        return found

    def aside(self, word: int) -> Aside:
        found = self.words[word]
        if not isinstance(found, Aside):
            raise TypeError(f"word {word} is no aside")
        return found

    def signer(self, word: int) -> int:
        return self.words[word].seat

    def say(self, seat: int, at: int, body: int, backing: tuple[int, ...]) -> int:
        """Return the envelope of a seat at a place."""
        key = ("say", seat, at, body, backing)
        if key not in self._made:
            place = self.places[at]
            (kind,) = dict(place.chain.step.kinds)[seat]
            payload = Payload(
                session=SESSION,
                seat=seat,
                step=place.number,
                head=place.head,
                kind=kind,
                body=body,
                backing=self._encoded(backing),
            )
            self._made[key] = self._add(seal(payload, signer(seat)))
            self.spoken.setdefault((seat, at), []).append(self._made[key])
        return self._made[key]

    def vote(self, seat: int, at: int, lost: int, backing: tuple[int, ...]) -> int:
        return self._ballot_word(seat, at, DROP_KIND, lost, lost, backing)

    def promise(self, seat: int, at: int, said: int, backing: tuple[int, ...]) -> int:
        """Return the promise of a seat to stand by an envelope."""
        envelope = self.envelope(said)
        lost = envelope.payload.seat
        body = (lost, envelope.digest)
        return self._ballot_word(seat, at, PROMISE_KIND, body, lost, backing)

    def _ballot_word(
        self, seat: int, at: int, kind: str, body: Value, lost: int, backing: tuple[int, ...]
    ) -> int:
        key = (seat, at, kind, body, backing)
        if key not in self._made:
            aside = seal_aside(
                session=SESSION,
                seat=seat,
                counter=0,
                head=self.places[at].head,
                kind=kind,
                body=body,
                backing=self._encoded(backing),
                signer=signer(seat),
            )
            self._made[key] = self._add(aside)
            self.asides.setdefault((seat, at, kind, lost), []).append(self._made[key])
        return self._made[key]

    def _encoded(self, backing: tuple[int, ...]) -> tuple[bytes, ...]:
        return tuple(self.words[word].encode() for word in backing)

    def _add(self, signed: Signed) -> int:
        number = len(self.words)
        self.words.append(signed)
        nested = 0
        for promise in backing_of(signed):
            nested |= self._weights[self.words.index(promise)]
        own = 1 << number if self.signer(number) in self.table.liars else 0
        self._weights[number] = own | nested
        return number

    def number(self, place: Place) -> int:
        return self._by_head[place.head]

    def lost(self, word: int) -> int:
        """Return the seat that a vote or promise is about."""
        return lost_of(self.aside(word))

    def heard(self, at: int, start: Place, required: tuple[int, ...]) -> bool:
        """Tell whether somebody of ``required`` spoke in a step between ``start`` and a place."""
        path = self.places[at].path()
        said = (word for place in path[path.index(start) + 1 :] for word in place.said)
        return any(self.signer(word) in required for word in said)

    def weight(self, word: int) -> int:
        """Return the words of liars that whoever holds a word holds: itself, and in its backing."""
        return self._weights[word]

    def plain(self, word: int) -> bool:
        return is_plain(self.aside(word))

    # --- reading -----------------------------------------------------------------------------

    def described(self, word: int) -> str:
        """Say in a few letters what a word is."""
        signed, at = self.words[word], self.at(word)
        backing = "".join(f" [{p.seat} for {lost_of(p)}]" for p in backing_of(signed))
        if isinstance(signed, Envelope):
            payload = signed.payload
            return f"{payload.seat} says {payload.body!r} at {at}{backing}"
        lost = lost_of(signed)
        if signed.kind == DROP_KIND:
            return f"{signed.seat} votes about {lost} at {at}{backing}"
        said = (self.envelope(word) for word in self.spoken[lost, at])
        body = next(one.payload.body for one in said if signed.body == (lost, one.digest))
        return f"{signed.seat} promises {body!r} of {lost} at {at}{backing}"
