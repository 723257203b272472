"""Votes and promises about a silent seat (SPEC, silent seats).

All others may agree to play on without a seat that is silent at a head; *required* are all seats
present there but that one. The rule rests on four sentences. Whoever has accepted the seat's
message never votes, and promises to stand by the message when somebody else votes. Whoever has
voted accepts the message only with such a promise, for good. Its next word holds that promise, so
that its vote and its later words do not look like a contradiction. And it signs nothing at a later
head before every other required seat has promised, too, so that nobody who lied learns anything
from it. A search over tables of three and four seats with every set of liars (``tests/sim``) found
no way around it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from .chain import Chain, Step
from .codec import as_array, as_bytes, as_uint, label
from .envelope import HASH_BYTES, SEAT_MAX, Aside, Envelope, Signed, read_aside, read_envelope
from .errors import Misuse, PeerFault

DROP_KIND = "drop"
PROMISE_KIND = "promise"
CLAIM_KIND = "claim"
BALLOT_KINDS = frozenset({DROP_KIND, PROMISE_KIND, CLAIM_KIND})
"""The asides that are not numbered, and that can contradict each other."""

_DROP_LABEL = label("drop")
_STEP_BYTES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """What was signed about silent seats at one head."""

    head: bytes
    """32 bytes."""
    present: tuple[int, ...]
    """The seats that could still speak there, ascending."""
    droppable: tuple[int, ...]
    """Those of them without whom the others can play on if all agree, ascending."""
    votes: tuple[Aside, ...] = ()
    """In seat order."""
    promises: tuple[Aside, ...] = ()
    """In seat order."""

    def required(self, lost: int) -> tuple[int, ...]:
        """Return who must vote to play on without ``lost``: all others present."""
        return tuple(seat for seat in self.present if seat != lost)

    def voted(self, seat: int) -> int | None:
        """Return about whom ``seat`` has voted, ``None`` if it has not."""
        return next((lost_of(vote) for vote in self.votes if vote.seat == seat), None)

    def voters(self, lost: int) -> tuple[int, ...]:
        """Return who has voted to play on without ``lost``, ascending."""
        return tuple(vote.seat for vote in self.votes if lost_of(vote) == lost)

    def promise(self, seat: int, lost: int) -> Aside | None:
        """Return the first promise of ``seat`` to stand by something that ``lost`` said."""
        mine = (p for p in self.promises if p.seat == seat and lost_of(p) == lost)
        return next(mine, None)

    def promised(self, lost: int, digest: bytes) -> tuple[int, ...]:
        """Return who has promised to stand by the payload of ``lost`` with this digest."""
        seats = {p.seat for p in self.promises if p.body == (lost, digest)}
        return tuple(sorted(seats))

    def late(self, seat: int) -> tuple[int, bytes] | None:
        """Return whose payload ``seat`` has accepted after its vote, with the payload's digest."""
        lost = self.voted(seat)
        promise = None if lost is None else self.promise(seat, lost)
        return None if lost is None or promise is None else (lost, digest_of(promise))


def read_signed(raw: bytes) -> Signed:
    """Return the envelope, or the vote, promise or claim, that ``raw`` encodes.

    Both have one form; the kind tells which it is. The signature is *not* checked yet.

    Raises:
        PeerFault: as :func:`.envelope.read_envelope` or :func:`.envelope.read_aside`.
    """
    envelope = read_envelope(raw)
    return read_aside(raw) if envelope.payload.kind in BALLOT_KINDS else envelope


def lost_of(aside: Aside) -> int:
    """Return the seat that a vote or promise is about.

    Raises:
        PeerFault: ``drop.shape``.
    """
    if aside.kind == DROP_KIND:
        return as_uint(aside.body, "drop.shape", at_most=SEAT_MAX)
    lost, digest = as_array(aside.body, "drop.shape", length=2)
    as_bytes(digest, "drop.shape", length=HASH_BYTES)
    return as_uint(lost, "drop.shape", at_most=SEAT_MAX)


def digest_of(promise: Aside) -> bytes:
    """Return the SHA-256 (32 bytes) of the payload that a promise is about.

    Raises:
        PeerFault: ``drop.shape``.
    """
    _, digest = as_array(promise.body, "drop.shape", length=2)
    return as_bytes(digest, "drop.shape", length=HASH_BYTES)


def check_ballot(ballot: Ballot, aside: Aside) -> None:
    """Check that a vote or promise, whose signature has been verified, counts in ``ballot``.

    Its backing is checked elsewhere, as that needs earlier ballots.

    Raises:
        PeerFault: ``drop.kind`` (neither), ``drop.head``, ``drop.counter`` (not 0), ``drop.shape``,
            ``drop.seats`` (nobody can play on without that seat here), ``drop.signer`` (not one of
            those required).
    """
    if aside.kind not in (DROP_KIND, PROMISE_KIND):
        raise PeerFault("drop.kind")
    if aside.head != ballot.head:
        raise PeerFault("drop.head")
    if aside.counter != 0:
        raise PeerFault("drop.counter")
    lost = lost_of(aside)
    if lost not in ballot.droppable:
        raise PeerFault("drop.seats")
    if aside.seat not in ballot.required(lost):
        raise PeerFault("drop.signer")


# --- backing ---------------------------------------------------------------------------------


def backing_of(signed: Signed) -> tuple[Aside, ...]:
    """Return the promises in a backing; neither their signatures nor they themselves are checked.

    Raises:
        PeerFault: ``codec.*``, ``aside.*``; ``drop.shape``: one is no promise.
    """
    promises = tuple(read_aside(item) for item in signed.backing)
    if any(promise.kind != PROMISE_KIND for promise in promises):
        raise PeerFault("drop.shape")
    return promises


def backs(signed: Signed, head: bytes, lost: int) -> Aside | None:
    """Return the promise in a backing that is about a payload of ``lost`` at ``head``."""
    try:
        return next((p for p in backing_of(signed) if (p.head, lost_of(p)) == (head, lost)), None)
    except PeerFault:
        return None


def is_plain(promise: Aside) -> bool:
    """Tell whether a promise relies on no other: its signer had not voted about that seat."""
    return not promise.backing


# --- what an honest seat may sign ------------------------------------------------------------


def may_vote(ballot: Ballot, chain: Chain, me: int, lost: int) -> bool:
    """Tell whether ``me`` may vote to play on without ``lost``.

    It may not if it has accepted what that seat said in this step, has promised to stand by it, or
    has voted about another seat here: two such votes of everybody would make two games.
    """
    return (
        lost in ballot.droppable
        and lost in chain.awaited
        and me in ballot.required(lost)
        and ballot.voted(me) is None
        and ballot.promise(me, lost) is None
    )


def may_accept(ballot: Ballot, me: int, lost: int, digest: bytes) -> bool:
    """Tell whether ``me`` may accept the payload of ``lost`` with this digest at the ballot's head.

    If it has voted about that seat, it may with a promise of another (:func:`late_backing`), unless
    the vote is complete.
    """
    if ballot.voted(me) != lost:
        return True
    return dropped(ballot) is None and late_backing(ballot, me, lost, digest) is not None


def late_backing(ballot: Ballot, me: int, lost: int, digest: bytes) -> Aside | None:
    """Return the plain promise of another seat with which ``me`` accepts late, if there is one."""
    for promise in ballot.promises:
        if promise.seat != me and promise.body == (lost, digest) and is_plain(promise):
            return promise
    return None


def owes_promise(ballot: Ballot, me: int, accepted: Mapping[int, Envelope]) -> tuple[int, ...]:
    """Return the seats about which ``me`` owes a promise, as others voted about them.

    ``accepted`` is what ``me`` has accepted at the ballot's head, by seat.
    """
    return tuple(
        lost
        for lost in sorted(accepted)
        if lost in ballot.droppable
        and me in ballot.required(lost)
        and ballot.promise(me, lost) is None
        and ballot.voters(lost)
    )


def unreleased(ballot: Ballot, me: int) -> tuple[int, ...]:
    """Return the seats whose promise ``me`` awaits before it signs anything at a later head.

    They are none but after a late acceptance.
    """
    late = ballot.late(me)
    if late is None:
        return ()
    lost, digest = late
    promised = ballot.promised(lost, digest)
    return tuple(seat for seat in ballot.required(lost) if seat != me and seat not in promised)


# --- what follows ----------------------------------------------------------------------------


def contradicts(first: Aside, second: Signed, *, beyond: bool) -> bool:
    """Tell whether no honest seat signs both: a vote or promise, and something else of that seat.

    Two votes or promises at one head can contradict each other, and a vote and a later envelope or
    claim. ``beyond`` tells that the head of ``second`` contains a payload of the seat that the vote
    is about, and that the signer had shown no backing for that before.
    """
    if isinstance(second, Aside) and second.kind != CLAIM_KIND:
        return second.head == first.head and _contradicts_here(first, second)
    return beyond and first.kind == DROP_KIND and backs(second, first.head, lost_of(first)) is None


def _contradicts_here(first: Aside, second: Aside) -> bool:
    kinds = {first.kind, second.kind}
    same_lost = lost_of(first) == lost_of(second)
    if kinds == {DROP_KIND}:
        return not same_lost
    if kinds == {PROMISE_KIND}:
        return same_lost and digest_of(first) != digest_of(second)
    return same_lost and is_plain(first if first.kind == PROMISE_KIND else second)


def contradiction(ballot: Ballot, aside: Aside) -> Aside | None:
    """Return what its signer has signed at this head that contradicts ``aside``."""
    for other in (*ballot.votes, *ballot.promises):
        if other.seat == aside.seat and contradicts(other, aside, beyond=False):
            return other
    return None


def count(ballot: Ballot, aside: Aside) -> Ballot:
    """Return the ballot with a vote or promise that :func:`check_ballot` has passed.

    Of a seat one vote counts, and of promises about one payload one plain and one backed.

    Raises:
        PeerFault: ``drop.contradiction``: with :func:`contradiction` it convicts its signer.
    """
    if contradiction(ballot, aside) is not None:
        raise PeerFault("drop.contradiction")
    if aside.kind == DROP_KIND:
        if ballot.voted(aside.seat) is not None:
            return ballot
        return replace(ballot, votes=_in_seat_order((*ballot.votes, aside)))
    plain = is_plain(aside)
    for known in ballot.promises:
        if (known.seat, known.body) == (aside.seat, aside.body) and is_plain(known) == plain:
            return ballot
    return replace(ballot, promises=_in_seat_order((*ballot.promises, aside)))


def _in_seat_order(asides: tuple[Aside, ...]) -> tuple[Aside, ...]:
    return tuple(sorted(asides, key=lambda aside: aside.seat))


def dropped(ballot: Ballot) -> int | None:
    """Return the seat about which all who are required have voted, if there is one."""
    for lost in ballot.droppable:
        if ballot.voters(lost) == ballot.required(lost):
            return lost
    return None


def close_without(step: Step, lost: int) -> bytes:
    """Return the head after a step that ends because the others play on without ``lost``.

    It is SHA-256 over a label, the head before, the step's number (8 bytes, little-endian) and the
    lost seat (1 byte). Who had to vote follows from the head before, so the votes are not in it.

    Raises:
        Misuse: ``lost`` is no seat.
    """
    if not 0 <= lost <= SEAT_MAX:
        raise Misuse(f"seat {lost}")
    number = step.number.to_bytes(_STEP_BYTES, "little")
    return hashlib.sha256(_DROP_LABEL + step.head + number + bytes([lost])).digest()
