"""Several logs of one game, read together: who is convicted by two of them, and who has won.

Two logs convict a seat if a fault record with two of its signatures, one of each log, would convict
it at the end of either log. Nothing else can be concluded from where two logs differ: an honest
seat may end where the others play on without it (SPEC, several logs).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from protocol import (
    BALLOT_KINDS,
    Aside,
    Envelope,
    Record,
    Signed,
    backing_of,
    read_aside,
    read_envelope,
)

from ..rules.scoring import winners
from .audit import Status, Verdict
from .ending import all_results
from .events import Blamed
from .faults import by_two
from .game import Game
from .state import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Something signed, and the record (from 0) of a log that holds it, perhaps in a backing."""

    signed: Signed
    record: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What one log says of a game.

    ``spoken`` is all that the verdict rests on, ``faults`` the records that convict, as (record,
    blame). ``digest`` tells logs apart that say different things (32 bytes).
    """

    verdict: Verdict = field(repr=False)
    spoken: tuple[Spoken, ...] = field(repr=False)
    faults: tuple[tuple[int, Blamed], ...]
    digest: bytes

    @property
    def id(self) -> bytes:
        """The hash of the first round's contract, which tells this game from any other."""
        return self.verdict.rounds[0].contract_hash

    @property
    def games(self) -> tuple[Game, ...]:
        """The game as it stood in each round."""
        return self.verdict.games


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Two records that convict together: which logs they stand in, and at which index each."""

    logs: tuple[int, int]
    records: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conviction:
    """A seat that has lost, in which step and round (from 0), against which check, and why.

    ``proof`` is a pair of logs, or a log and the index of its fault record.
    """

    blamed: Blamed
    proof: Proof | tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where two logs part: the first step (and its round, from 0) that they close differently.

    ``behind`` is set if that is no contradiction: the log (0 or 1 of the two) that ends with words
    of ``lost`` that none of the others followed, while they play on without it in the other log.
    """

    logs: tuple[int, int]
    round: int
    step: int
    behind: int | None = None
    lost: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """What several logs of one game prove together.

    ``winners`` are the seats that have won in each finished log in which, without the convicted,
    anybody has: ``()`` if there is none, or if two such logs disagree.
    """

    convicted: tuple[Conviction, ...]
    differences: tuple[Difference, ...]
    winners: tuple[int, ...]
    unexplained: bool
    """Whether two logs contradict each other, and no signature shows who made them do so."""


def account_of(verdict: Verdict, records: Sequence[Record]) -> Account:
    """Return what a verified log, of which at least the first contract is good, says.

    Raises:
        ValueError: nothing is agreed in it.
    """
    if not verdict.rounds:
        raise ValueError("nothing is agreed yet")
    good = records[: verdict.record]
    spoken = tuple(_spoken(good))
    faults = [index for index, record in enumerate(good) if record.kind == "fault"]
    said = hashlib.sha256()
    for record in good:
        if record.kind != "note":
            said.update(hashlib.sha256(record.kind.encode() + b" " + record.data).digest())
    return Account(
        verdict=verdict,
        spoken=spoken,
        faults=tuple(zip(faults, verdict.blamed, strict=False)),
        digest=said.digest(),
    )


def _spoken(records: Sequence[Record]) -> Iterator[Spoken]:
    for index, record in enumerate(records):
        if record.kind == "envelope":
            yield from _with_backing(read_envelope(record.data), index)
        elif record.kind == "aside":
            aside = read_aside(record.data)
            if aside.kind in BALLOT_KINDS:
                yield from _with_backing(aside, index)


def _with_backing(signed: Signed, index: int) -> Iterator[Spoken]:
    yield Spoken(signed=signed, record=index)
    # What a verified log holds has passed the checks of its backing, signatures too.
    for promise in backing_of(signed):
        yield from _with_backing(promise, index)


def compare(accounts: Sequence[Account]) -> Together:
    """Return what logs of one game prove together; their order is that of the indices."""
    convicted: dict[int, Conviction] = {}
    for log, account in enumerate(accounts):
        for record, blamed in account.faults:
            convicted.setdefault(blamed.seat, Conviction(blamed=blamed, proof=(log, record)))
    differences = []
    unexplained = False
    for (one, first), (other, second) in combinations(_distinct(accounts), 2):
        found = tuple(_convictions(first, second, (one, other)))
        for conviction in found:
            convicted.setdefault(conviction.blamed.seat, conviction)
        difference = _difference(first, second, (one, other))
        if difference is not None:
            differences.append(difference)
            unexplained |= not found and difference.behind is None
    return Together(
        convicted=tuple(convicted[seat] for seat in sorted(convicted)),
        differences=tuple(differences),
        winners=_winners(accounts, convicted),
        unexplained=unexplained,
    )


def _distinct(accounts: Sequence[Account]) -> Iterator[tuple[int, Account]]:
    seen: set[bytes] = set()
    for log, account in enumerate(accounts):
        if account.digest not in seen:
            seen.add(account.digest)
            yield log, account


# --- convictions -----------------------------------------------------------------------------


def _convictions(first: Account, second: Account, logs: tuple[int, int]) -> Iterator[Conviction]:
    """Yield, for each seat, the first pair of signatures that convicts it."""
    done: set[int] = set()
    for one, other in _pairs(first, second):
        seat = one.signed.seat
        if seat in done:
            continue
        blamed = by_two(first.games, one.signed, other.signed) or by_two(
            second.games, one.signed, other.signed
        )
        if blamed is not None:
            done.add(seat)
            proof = Proof(logs=logs, records=(one.record, other.record))
            yield Conviction(blamed=blamed, proof=proof)


def _pairs(first: Account, second: Account) -> Iterator[tuple[Spoken, Spoken]]:
    """Yield the pairs of one seat that can convict: envelopes of one step, and all with a ballot.

    Two envelopes of different steps never do.
    """
    there = _envelopes(second)
    for key, one in _envelopes(first).items():
        other = there.get(key)
        if other is not None:
            yield one, other
    for one in first.spoken:
        for other in second.spoken:
            ballots = isinstance(one.signed, Aside) or isinstance(other.signed, Aside)
            if ballots and one.signed.seat == other.signed.seat:
                yield one, other


def _envelopes(account: Account) -> Mapping[tuple[bytes, int, int], Spoken]:
    found = {}
    for spoken in account.spoken:
        if isinstance(spoken.signed, Envelope):
            payload = spoken.signed.payload
            found[payload.session, payload.seat, payload.step] = spoken
    return found


# --- where they part -------------------------------------------------------------------------


def _difference(first: Account, second: Account, logs: tuple[int, int]) -> Difference | None:
    for number, (one, other) in enumerate(zip(first.games, second.games, strict=False)):
        mine, theirs = _heads(one.round), _heads(other.round)
        step = next((k for k, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), None)
        if step is None:
            continue
        if step == 0:
            # Another contract: the receipts before it differ.
            return Difference(logs=logs, round=number, step=0)
        for behind, (left, played) in enumerate(((second, first), (first, second))):
            lost = _lost_without_followers(left.games[number], played, number, step - 1)
            if lost is not None:
                return Difference(logs=logs, round=number, step=step - 1, behind=behind, lost=lost)
        return Difference(logs=logs, round=number, step=step - 1)
    return None


def _heads(round_: Round) -> tuple[bytes, ...]:
    """Return the head before each step, the current one last."""
    closed = len(round_.transcript)
    heads = [round_.head_before(step) for step in range(closed)]
    now = round_.chain.step
    return (*heads, now.head) if now.number == closed else tuple(heads)


def _lost_without_followers(left: Game, behind: Account, number: int, step: int) -> int | None:
    """Return the seat that was dropped in a step of ``left``, if nobody followed it elsewhere.

    ``behind`` closes that step with the seat's words. It contradicts the drop only once somebody
    whose vote was needed has signed at a later head there.
    """
    lost = next((drop.seat for drop in left.round.drops if drop.step == step), None)
    if lost is None or not behind.games[number].round.transcript[step]:
        return None
    required = set(left.trail[step].present) - {lost}
    heads = set(_heads(behind.games[number].round)[: step + 1])
    session = left.round.chain.session
    for spoken in behind.spoken:
        signed = spoken.signed
        if signed.seat not in required:
            continue
        if _is_later(signed, session, step, heads):
            return None
    return lost


def _is_later(signed: Signed, session: bytes, step: int, heads: set[bytes]) -> bool:
    """Whether something of a round was signed at a head behind ``step``."""
    if isinstance(signed, Aside):
        return signed.session == session and signed.head not in heads
    return signed.payload.session == session and signed.payload.step > step


# --- the result ------------------------------------------------------------------------------


def _winners(accounts: Sequence[Account], convicted: Mapping[int, Conviction]) -> tuple[int, ...]:
    found = set()
    for account in accounts:
        verdict = account.verdict
        if verdict.status is Status.FINISHED and verdict.claimed is None:
            last = verdict.rounds[-1]
            found.add(winners(last.contract.options, all_results(last), tuple(convicted)))
    found.discard(())
    return found.pop() if len(found) == 1 else ()
