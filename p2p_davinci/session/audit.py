"""The verifier: a log replayed through the session itself, without a seat and without secrets.

It trusts nothing that is in the log but signatures and proofs, and says what it found: the
verdict, and what the verdict does not cover (SPEC, verdicts).
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from protocol import (
    PeerFault,
    Record,
    as_array,
    as_text,
    as_uint,
    decode,
    read_envelope,
    read_log,
)

from ..rules.referee import referee_line
from ..rules.scoring import counted, winners
from .contract import Contract, read_contract
from .ending import all_results
from .events import Blamed, Halted, Received
from .faults import judge_fault, read_items
from .flow import DONE
from .game import Game
from .play import start, step
from .record import NoKeys, open_record, open_state
from .state import Round
from .stopping import settled
from .wire import Chained, Remark, carry, write

NOTE_BYTES_MAX = 64


class Status(enum.StrEnum):
    """What a log proves."""

    FINISHED = "finished"
    UNFINISHED = "unfinished"
    VOID = "void"
    """Somebody provably cheated; the log shows who and how."""
    INVALID = "invalid"
    """The log itself is wrong: it is not what peers that follow the protocol would write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """An unsigned remark of the log's owner about why it stopped; it proves nothing."""

    kind: str
    reason: str
    seat: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a log says and proves.

    ``rounds`` are all rounds, the unfinished last one included; none of a log that ends before its
    first contract does. ``games`` holds the game as it stood in each of them, before its last
    receipt. ``receipts_missing`` are the seats whose receipt of the last result was not read;
    ``awaited`` who had to speak when an unfinished log ends; ``blamed`` who provably cheated, in
    which step, against which check, one entry for each fault record in their order: of a finished
    game too, if it showed once the result stood. ``record`` (from 0) and ``check`` say where an
    invalid log is wrong. ``torn_bytes`` is how much of a last record was cut off. ``claimed`` is
    the seat that claimed the game because the only other one left was silent: its own word, not a
    result. ``dropped`` are the seats that the others played on without in the last round.
    """

    status: Status
    rounds: tuple[Round, ...]
    winners: tuple[int, ...] = ()
    receipts_missing: tuple[int, ...] = ()
    awaited: tuple[int, ...] = ()
    claimed: int | None = None
    dropped: tuple[int, ...] = ()
    blamed: tuple[Blamed, ...] = ()
    record: int | None = None
    check: str | None = None
    notes: tuple[Note, ...] = ()
    torn_bytes: int = 0
    games: tuple[Game, ...] = field(default=(), repr=False, compare=False)

    @property
    def contract(self) -> Contract:
        """The contract of the game's last round; there must be one."""
        return self.rounds[-1].contract

    @property
    def head(self) -> bytes:
        """The head that the log ends with: the final head of a finished game (32 bytes)."""
        return self.rounds[-1].chain.step.head

    @property
    def convicted(self) -> tuple[int, ...]:
        """The seats that provably cheated, ascending: they have lost."""
        return tuple(sorted(blamed.seat for blamed in self.blamed))

    @property
    def points(self) -> tuple[tuple[int, ...] | None, ...]:
        """The points by round and seat, 0 for a convicted one; ``None`` before the rows stand."""
        return tuple(
            None if round_.state is None else counted(round_.state.points, self.convicted)
            for round_ in self.rounds
        )

    @property
    def totals(self) -> tuple[int, ...]:
        """The sums of ``points`` by seat."""
        seats = self.rounds[-1].seats if self.rounds else 0
        known = [points for points in self.points if points is not None]
        return tuple(sum(points[seat] for points in known) for seat in range(seats))


# Neither compared nor shown: both would go through all notes, one inside the other.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Noted:
    """The last note of a log read so far, and those before it.

    A log may hold a note for every few bytes, so that each costs the same: none is copied for the
    next one. ``envelopes`` is how many stand before it in the log.
    """

    note: Note
    envelopes: int
    before: Noted | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """A log read so far: the game it makes, what was noted, how many of what it holds.

    ``ended`` holds the game before the last receipt of each earlier round; ``void`` is the fault
    that made the game void. Those that did not are in the game.
    """

    game: Game | None = None
    ended: tuple[Game, ...] = ()
    noted: Noted | None = None
    void: Blamed | None = None
    contracts: int = 0
    envelopes: int = 0


class Invalid(Exception):  # noqa: N818 - it is a verdict
    """A record that peers who follow the protocol would not have written."""

    def __init__(self, check: str) -> None:
        self.check = check
        super().__init__(check)


def verify_log(data: bytes) -> Verdict:
    """Return the verdict on a log.

    Raises:
        PeerFault: ``log.*``, ``contract.*``, ``codec.*``: it cannot be read, or its first record
            is no good contract.
    """
    records, torn_bytes = read_log(data)
    return go_on(Audit(), records, torn_bytes=torn_bytes)


def go_on(
    audit: Audit, records: Iterable[Record], *, read: int = 0, torn_bytes: int = 0
) -> Verdict:
    """Return the verdict on a log of which ``audit`` has read the first ``read`` records.

    Raises:
        PeerFault: ``log.contract``, ``contract.*``, ``codec.*``: the first record of all is no good
            contract.
    """
    for index, record in enumerate(records, start=read):
        try:
            audit = take(audit, record)
        except (Invalid, PeerFault) as error:
            if audit.game is None:
                raise
            found = replace(_invalid(audit, audit.game, error.check), record=index)
            return replace(found, torn_bytes=torn_bytes)
    if audit.game is None:
        # Nothing has been agreed on yet: the table ended as soon as it began.
        return Verdict(status=Status.UNFINISHED, rounds=(), torn_bytes=torn_bytes)
    return replace(_verdict(audit, audit.game), torn_bytes=torn_bytes)


# --- one record ------------------------------------------------------------------------------


def take(audit: Audit, record: Record) -> Audit:
    """Return the audit after one more record.

    Raises:
        Invalid, PeerFault: the record is not what follows.
    """
    if audit.void is not None and record.kind != "note":
        raise Invalid("log.after_fault")
    if record.kind == "contract":
        return _take_contract(audit, record.data)
    if audit.game is None:
        raise PeerFault("log.contract")
    if record.kind == "note":
        note = read_note(record.data, audit.game.round.seats)
        noted = Noted(note=note, envelopes=audit.envelopes, before=audit.noted)
        return replace(audit, noted=noted)
    if audit.contracts == len(audit.game.past):
        raise Invalid("log.contract")
    if record.kind == "envelope":
        game = _take_envelope(audit.game, record.data)
        ended = audit.ended if game.past == audit.game.past else (*audit.ended, audit.game)
        return replace(audit, game=game, ended=ended, envelopes=audit.envelopes + 1)
    if record.kind == "aside":
        return replace(audit, game=_take_aside(audit.game, record.data))
    return _take_fault(audit, audit.game, record.data)


def _take_contract(audit: Audit, data: bytes) -> Audit:
    if audit.game is None:
        contract = read_contract(data)
        if contract.previous is not None:
            raise PeerFault("contract.previous", "a log begins with the first round")
        game, _ = start(contract, None, 0.0, None)
        return replace(audit, game=game, contracts=1)
    # Later contracts follow from the log; the record must be the one that the session made.
    expected = audit.game.round.contract.encode()
    if audit.contracts != len(audit.game.past) or data != expected:
        raise Invalid("log.contract")
    return replace(audit, contracts=audit.contracts + 1)


def _take_envelope(game: Game, raw: bytes) -> Game:
    before, after = game.round, _heard(game, Chained(raw=raw))
    _check_blameless(game, after, taken=after.round is not before)
    if after.doubts:
        raise Invalid(after.doubts[-1].check)
    if after.round is before:
        raise Invalid("log.sequence")
    _check_seat_order(before, raw)
    return replace(after, accused=game.accused, proof=game.proof)


def _check_seat_order(round_: Round, raw: bytes) -> None:
    seat = read_envelope(raw).payload.seat
    if any(other > seat for other, _ in round_.chain.spoken):
        raise Invalid("log.seat_order")


def _take_aside(game: Game, raw: bytes) -> Game:
    after = _heard(game, Remark(raw=raw))
    counted = after.counters != game.counters or raw in _signed(after) - _signed(game)
    taken = counted or after.stopped != game.stopped
    _check_blameless(game, after, taken=taken)
    if not taken:
        raise Invalid("log.aside")
    return replace(after, accused=game.accused, proof=game.proof)


def _signed(game: Game) -> frozenset[bytes]:
    """Return the votes and promises that count in the current round."""
    return frozenset(
        aside.encode()
        for ballot in game.ballots.values()
        for aside in (*ballot.votes, *ballot.promises)
    )


def _heard(game: Game, message: Chained | Remark) -> Game:
    """Return the game after a message, with nobody accused but for what is in it."""
    unaccused = replace(game, accused=())
    after, _ = step(unaccused, Received(seat=0, data=write(message)), 0.0, None)
    return after


def _check_blameless(before: Game, after: Game, *, taken: bool) -> None:
    """Refuse a record for which somebody must be blamed.

    What was ``taken`` may still hold a promise that convicts somebody who is convicted already.

    Raises:
        Invalid: with the check that failed.
    """
    stopped = (after.stopped,) if isinstance(after.stopped, Blamed) else ()
    for blamed in (*stopped, *after.accused):
        if not taken or blamed.seat not in before.convicted:
            raise Invalid(blamed.check)


def _take_fault(audit: Audit, game: Game, data: bytes) -> Audit:
    """Return the audit after a fault record: of a void game, or of one with somebody convicted."""
    if game.stopped is not None:
        raise Invalid("log.fault")
    items = read_items(data)
    blamed = judge_fault((*audit.ended, game), items)
    if not settled(game.round):
        return replace(audit, void=blamed)
    if blamed.seat in game.convicted:
        raise Invalid("log.after_fault")
    accused = (*game.accused, replace(blamed, stands=True))
    proof = (*game.proof, *map(carry, items))
    return replace(audit, game=replace(game, accused=accused, proof=proof))


def read_note(data: bytes, seats: int) -> Note:
    """Return a note of a log's owner at a table with so many ``seats``.

    Raises:
        PeerFault: ``log.note``, ``codec.*``: it is none.
    """
    kind, *rest = as_array(decode(data), "log.note") or (None,)
    if kind == "suspicion":
        seat, number, check = as_array(tuple(rest), "log.note", length=3)
        as_uint(number, "log.note")
        return Note(
            kind="suspicion",
            reason=as_text(check, "log.note", bytes_min=1, bytes_max=NOTE_BYTES_MAX),
            seat=as_uint(seat, "log.note", at_most=seats - 1),
        )
    if kind != "halted":
        raise PeerFault("log.note")
    reason, who = as_array(tuple(rest), "log.note", length=2)
    return Note(
        kind="halted",
        reason=as_text(reason, "log.note", bytes_min=1, bytes_max=NOTE_BYTES_MAX),
        seat=None if who is None else as_uint(who, "log.note", at_most=seats - 1),
    )


# --- the verdict -----------------------------------------------------------------------------


def _found(audit: Audit, game: Game, status: Status) -> Verdict:
    notes = tuple(_notes(audit))[::-1]
    return Verdict(
        status=status,
        rounds=(*game.past, game.round),
        games=(*audit.ended, game),
        notes=notes,
        dropped=game.round.dropped,
    )


def _notes(audit: Audit) -> Iterator[Note]:
    """Yield the notes that still say something, the last one first.

    A game that stopped and then goes on was resumed: why it had stopped is history.
    """
    noted = audit.noted
    while noted is not None:
        if noted.note.kind != "halted" or noted.envelopes == audit.envelopes:
            yield noted.note
        noted = noted.before


def _invalid(audit: Audit, game: Game, check: str) -> Verdict:
    """Return the verdict on a log of which ``audit`` has read what is good: nobody has won."""
    return replace(_found(audit, game, Status.INVALID), check=check)


def _verdict(audit: Audit, game: Game) -> Verdict:
    found = replace(_found(audit, game, Status.UNFINISHED), blamed=game.accused)
    if audit.void is not None:
        return replace(found, status=Status.VOID, blamed=(audit.void,))
    last = game.round
    if isinstance(game.stopped, Halted) and game.stopped.seat is not None:
        return replace(found, status=Status.FINISHED, claimed=game.stopped.seat)
    if settled(last):
        if not _replays(found.rounds):
            return _invalid(audit, game, "record.replay")
        won = winners(last.contract.options, all_results(last), found.convicted)
        missing = _receipts_missing(last)
        return replace(found, status=Status.FINISHED, winners=won, receipts_missing=missing)
    awaited = () if last.step == DONE else last.chain.awaited
    return replace(found, awaited=awaited)


def _receipts_missing(last: Round) -> tuple[int, ...]:
    """Return the seats whose receipt of the result was not read."""
    if last.step == "key":
        return tuple(range(last.seats))
    return last.chain.awaited if last.step == "receipt" else ()


def _replays(rounds: tuple[Round, ...]) -> bool:
    """Hold the open record, if there is one, against a referee who knows no cryptography."""
    try:
        record, state = open_record(rounds), open_state(rounds)
    except NoKeys:
        return True
    return bool(json.loads(referee_line(json.dumps(record))) == state)
