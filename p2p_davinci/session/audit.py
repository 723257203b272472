"""The verifier: a log replayed through the session itself, without a seat and without secrets.

It trusts nothing that is in the log but signatures and proofs, and says what it found: the
verdict, and what the verdict does not cover (SPEC, verdicts).
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from protocol import (
    PeerFault,
    Record,
    as_array,
    as_bytes,
    as_text,
    as_uint,
    decode,
    read_envelope,
    read_log,
)

from ..rules.referee import referee_line
from ..rules.scoring import winners
from .contract import Contract, read_contract
from .ending import all_results, decided, more_to_come
from .events import Blamed, Halted, Received
from .flow import DONE
from .game import Game
from .play import start, step
from .record import NoKeys, open_record, open_state
from .state import Round
from .wire import Chained, Remark, write

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

    ``rounds`` are all rounds, the unfinished last one included. ``receipts_missing`` are the seats
    that never signed the last result; ``awaited`` who had to speak when an unfinished log ends;
    ``blamed`` who cheated, in which step, against which check: of a finished game too, if it
    showed when only receipts were due. ``record`` (from 0) and ``check``
    tell where an invalid log is wrong. ``torn_bytes`` is how much of a last record was cut off.
    ``claimed`` is the seat that claimed the game because the only other one left was silent: its
    own word, not a result. ``dropped`` are the seats that the others went on without in the last
    round.
    """

    status: Status
    rounds: tuple[Round, ...]
    winners: tuple[int, ...] = ()
    receipts_missing: tuple[int, ...] = ()
    awaited: tuple[int, ...] = ()
    claimed: int | None = None
    dropped: tuple[int, ...] = ()
    blamed: Blamed | None = None
    record: int | None = None
    check: str | None = None
    notes: tuple[Note, ...] = ()
    torn_bytes: int = 0

    @property
    def contract(self) -> Contract:
        """The contract of the game's last round."""
        return self.rounds[-1].contract

    @property
    def head(self) -> bytes:
        """The head that the log ends with: the final head of a finished game (32 bytes)."""
        return self.rounds[-1].chain.step.head


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
    """A log read so far: the game it makes, what was noted, how many of what it holds."""

    game: Game | None = None
    noted: Noted | None = None
    fault: Blamed | None = None
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
        PeerFault: ``log.*``, ``contract.*``, ``codec.*``: it cannot be read, or does not begin
            with a contract.
    """
    records, torn_bytes = read_log(data)
    if not records or records[0].kind != "contract":
        raise PeerFault("log.contract", "a log begins with a contract")
    return go_on(Audit(), records, torn_bytes=torn_bytes)


def go_on(
    audit: Audit, records: Iterable[Record], *, read: int = 0, torn_bytes: int = 0
) -> Verdict:
    """Return the verdict on a log of which ``audit`` has read the first ``read`` records.

    Raises:
        PeerFault: ``log.contract``, ``contract.*``, ``codec.*``: it does not begin with a contract.
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
        raise PeerFault("log.contract")
    return replace(_verdict(audit, audit.game), torn_bytes=torn_bytes)


# --- one record ------------------------------------------------------------------------------


def take(audit: Audit, record: Record) -> Audit:
    """Return the audit after one more record.

    Raises:
        Invalid, PeerFault: the record is not what follows.
    """
    if audit.fault is not None and record.kind not in _may_follow(audit.fault):
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
        return replace(audit, game=game, envelopes=audit.envelopes + 1)
    if record.kind == "aside":
        return replace(audit, game=_take_aside(audit.game, record.data))
    fault = _take_fault(audit.game, record.data)
    if audit.fault is not None and fault.stands:
        raise Invalid("log.after_fault")
    return replace(audit, fault=fault)


def _may_follow(fault: Blamed) -> tuple[str, ...]:
    """Which records may follow a fault: where the result stands, the game goes on to its end."""
    return ("note", "envelope", "aside", "fault") if fault.stands else ("note",)


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
    before = game.round
    after, _ = step(game, Received(seat=0, data=write(Chained(raw=raw))), 0.0, None)
    blamed = _blamed(after)
    if blamed is not None:
        raise Invalid(blamed.check)
    if after.doubts:
        raise Invalid(after.doubts[-1].check)
    if after.round is before:
        raise Invalid("log.sequence")
    _check_seat_order(before, raw)
    return after


def _check_seat_order(round_: Round, raw: bytes) -> None:
    seat = read_envelope(raw).payload.seat
    if any(other > seat for other, _ in round_.chain.spoken):
        raise Invalid("log.seat_order")


def _take_aside(game: Game, raw: bytes) -> Game:
    after, _ = step(game, Received(seat=0, data=write(Remark(raw=raw))), 0.0, None)
    blamed = _blamed(after)
    if blamed is not None:
        raise Invalid(blamed.check)
    same = after.counters == game.counters and after.ballots == game.ballots
    if same and after.stopped == game.stopped:
        raise Invalid("log.aside")
    return after


def _blamed(game: Game) -> Blamed | None:
    return game.stopped if isinstance(game.stopped, Blamed) else game.accused


def _take_fault(game: Game, data: bytes) -> Blamed:
    """Return whom a fault record convicts; its envelopes must fail here as they did there."""
    raws = [as_bytes(item, "log.fault") for item in as_array(decode(data), "log.fault")]
    for raw in raws:
        for message in (Chained(raw=raw), Remark(raw=raw)):
            # A game that is over hears nothing more, but whoever spoke twice is still named.
            listening = replace(game, ended=False)
            after, _ = step(listening, Received(seat=0, data=write(message)), 0.0, None)
            blamed = _blamed(after)
            if blamed is not None and blamed.proved:
                return blamed
            if after.stopped is None:
                game = after
    raise Invalid("log.fault")


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
    rounds, notes = (*game.past, game.round), tuple(_notes(audit))[::-1]
    return Verdict(status=status, rounds=rounds, notes=notes, dropped=game.round.dropped)


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
    found = replace(_found(audit, game, Status.UNFINISHED), blamed=audit.fault)
    if audit.fault is not None and not audit.fault.stands:
        return replace(found, status=Status.VOID)
    last = game.round
    if isinstance(game.stopped, Halted) and game.stopped.seat is not None:
        return replace(found, status=Status.FINISHED, claimed=game.stopped.seat)
    if decided(last) and not more_to_come(last):
        if not _replays(found.rounds):
            return _invalid(audit, game, "record.replay")
        won = winners(last.contract.options, all_results(last))
        missing = _receipts_missing(last, audit.fault)
        return replace(found, status=Status.FINISHED, winners=won, receipts_missing=missing)
    awaited = () if last.step == DONE else last.chain.awaited
    return replace(found, awaited=awaited)


def _receipts_missing(last: Round, fault: Blamed | None) -> tuple[int, ...]:
    """Return who never signed the result; who is to blame is believed no receipt."""
    missing = set(last.chain.awaited) if last.step == "receipt" else set()
    if last.step == "key":
        missing = set(range(last.seats))
    return tuple(sorted(missing if fault is None else missing | {fault.seat}))


def _replays(rounds: tuple[Round, ...]) -> bool:
    """Hold the open record, if there is one, against a referee who knows no cryptography."""
    try:
        record, state = open_record(rounds), open_state(rounds)
    except NoKeys:
        return True
    return bool(json.loads(referee_line(json.dumps(record))) == state)
