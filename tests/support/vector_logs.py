"""Logs of whole games with their verdicts: what each of them is, and how to look into one."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from p2p_davinci.session.audit import Audit, Verdict, take, verify_log
from p2p_davinci.session.game import Game
from p2p_davinci.session.record import NoKeys, open_record
from p2p_davinci.session.secrets import KINDS, Seat, Secrets, read_kept
from protocol import SECRETS_HEADER, Envelope, Record, read_envelope, read_log
from tests.support.crypto import seeded
from tests.support.table import Table, each_proof_checked_once
from tests.support.vector_cases import Json
from tests.support.vector_play import Plan, play

PLANS: Final = (
    Plan(
        name="classic",
        about="Open backs, jokers, calls by number; two players.",
        seed=5,
    ),
    Plan(
        name="standard",
        about="Hidden backs, no jokers, ruled misses; who begins was agreed on.",
        preset="standard",
        first=1,
        seed=1,
    ),
    Plan(
        name="resigning",
        about="Hidden backs, jokers, four players; two resign, one of them in turn.",
        preset="advanced",
        seats=4,
        hit=150,
        events={"draw 2": "resign 3", "guess 4": "resign"},
    ),
    Plan(
        name="instead of an answer",
        about="Three players; one who is guessed at resigns instead of answering.",
        preset="advanced",
        seats=3,
        hit=200,
        events={"guess 3": "resign target"},
        seed=6,
    ),
    Plan(
        name="tournament",
        about="Two rounds with points; the winner's standing numbers count.",
        preset="tournament",
        options={"rounds": "2"},
        hit=200,
        seed=4,
    ),
    Plan(
        name="clock",
        about="Turns that are overdue before the draw, after the draw and after a hit.",
        options={"clock": "60+20"},
        hit=140,
        seed=1,
        events={
            "draw 1": "clock",
            "guess 1": "clock",
            "more 0": "clock",
            "draw 3": "call",
            "more 1": "clock",
        },
    ),
    Plan(
        name="empty pile",
        about="No jokers; the pile runs out, tiles are turned up, and a turn is overdue.",
        options={"jokers": "no", "clock": "60+20"},
        hit=40,
        seed=6,
        events={"guess 17": "clock"},
    ),
    Plan(
        name="28 tiles",
        about="Both twelves and both jokers, hidden backs, three players, points for hits.",
        preset="advanced",
        options={"twelve": "yes", "scoring": "revealed", "empty_miss": "reveal"},
        seats=3,
        hit=220,
        seed=2,
    ),
    Plan(
        name="extra round",
        about="Of three players two are tied and play one more round, without who was to begin.",
        preset="standard",
        options={"scoring": "revealed", "tie": "extra"},
        seats=3,
        hit=220,
        stop=150,
        first=0,
        seed=1,
    ),
    Plan(
        name="going on without two",
        about="Of four players one is silent in the shares of a draw, one instead of answering.",
        preset="advanced",
        seats=4,
        events={"draw 0": "silent 3", "more 0": "silent target"},
    ),
    Plan(
        name="going on without the one in turn",
        about="Who is in turn is dropped with a drawn tile, and comes back to sign the result; a "
        "turn is overdue after a hit when nothing can be drawn any more.",
        options={"clock": "60+20"},
        seats=3,
        hit=220,
        events={"guess 3": "silent", "more 3": "clock", "guess 4": "back 1"},
    ),
    Plan(
        name="going on without one who draws and one who may go on",
        about="Of four players one is silent when it is to draw, one after a hit.",
        options={"call": "colour"},
        seats=4,
        hit=220,
        events={"draw 1": "silent", "more 2": "silent"},
        seed=1,
    ),
    Plan(
        name="going on without one who places and one who turns up",
        about="Of four players one is silent after a miss, one when the pile is closed.",
        options={"empty_miss": "reveal"},
        seats=4,
        hit=100,
        events={"place 0": "silent", "turn-up 0": "silent"},
        seed=2,
    ),
    Plan(
        name="a late message",
        about="Seat 0 votes about one whose message arrives after all, and accepts it late.",
        seats=3,
        hit=235,
        events={"guess 0": "late 0"},
    ),
    Plan(
        name="going on without a key",
        about="Of four players one is guessed out and never gives its key; the others go on "
        "without it, and its row lies open all the same.",
        seats=4,
        hit=230,
        keyless=True,
    ),
    Plan(
        name="claimed",
        about="Of two players one is silent, and the other claims the game.",
        preset="standard",
        events={"draw 2": "silent"},
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A log made of a game's: its first bytes, then others, then its bytes from ``resume`` on.

    ``verdict`` holds what the verdict must say, as far as it matters; or else the file cannot be
    read, and ``error`` is why.
    """

    of: str
    name: str
    keep: int
    add: bytes = b""
    resume: int | None = None
    verdict: Json | None = None
    error: str | None = None

    def shown(self) -> Json:
        return {
            "name": f"{self.of}; {self.name}",
            "of": self.of,
            "keep": self.keep,
            "add": base64.b64encode(self.add).decode(),
            "resume": self.resume,
            "error": self.error,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An envelope in a log: where its record and its step's first record begin, in which round."""

    envelope: Envelope
    offset: int
    step_offset: int
    round: int

    @property
    def seat(self) -> int:
        return self.envelope.payload.seat

    @property
    def step(self) -> int:
        return self.envelope.payload.step


class Base:
    """A finished game: its log, and all that its players know."""

    def __init__(self, plan: Plan, table: Table) -> None:
        self.plan, self.table = plan, table
        self.log = table.peers[0].log_bytes
        self.records: tuple[Record, ...] = read_log(self.log)[0]

    @cached_property
    def said(self) -> tuple[Said, ...]:
        return tuple(self._said())

    def _said(self) -> Iterator[Said]:
        at, start, round_ = (-1, -1), 0, -1
        for record in self.records:
            if record.kind == "contract":
                round_ += 1
            if record.kind == "envelope":
                envelope = read_envelope(record.data)
                here = (round_, envelope.payload.step)
                start, at = (start if here == at else record.offset), here
                yield Said(envelope=envelope, offset=record.offset, step_offset=start, round=round_)

    def kind(self, kind: str) -> tuple[Said, ...]:
        """The envelopes of one kind, in order."""
        return tuple(said for said in self.said if said.envelope.payload.kind == kind)

    def game_at(self, said: Said) -> Game:
        """The verifier's game just before the step of ``said``."""
        game = self._audits[said.step_offset].game
        if game is None:
            raise AssertionError("a log begins with a contract")
        return game

    @cached_property
    def _audits(self) -> Mapping[int, Audit]:
        """The verifier's state before each record, by where the record begins."""
        audits, audit = {}, Audit()
        for record in self.records:
            audits[record.offset] = audit
            audit = take(audit, record)
        return audits

    def seat_of(self, said: Said, seat: int | None = None) -> Seat:
        """The one who speaks in ``said`` (or another seat), with all secrets of that round."""
        seat = said.seat if seat is None else seat
        return Seat(
            seat=seat,
            signer=self.table.who[seat],
            entropy=seeded(f"vectors, forged {self.plan.name} {said.offset}"),
            secrets=self._secrets(seat, said.round),
        )

    def _secrets(self, seat: int, round_: int) -> Secrets:
        data = SECRETS_HEADER + b"".join(self.table.peers[seat].secrets.records)
        records, _ = read_log(data, header=SECRETS_HEADER, kinds=KINDS)
        starts = [k for k, record in enumerate(records) if record.kind == "round"]
        kept = read_kept(records[: [*starts, len(records)][round_ + 1]])
        if kept is None:
            raise AssertionError("no secrets were kept")
        return kept.secrets


def spoiled_verdict(base: Base, said: Said, check: str, record: int) -> Json:
    """Return what must be said of a log that is wrong at ``record``, in the step of ``said``.

    The game has no scoring and one round.
    """
    arranged = max(one.step for one in base.kind("arrange"))
    points = [0] * len(base.table.peers) if said.step > arranged else None
    return {
        "status": "invalid",
        "check": check,
        "record": record,
        "head": said.envelope.payload.head.hex(),
        "points": [points],
        "winners": [],
        "awaited": [],
        "receipts_missing": [],
        "blamed": [],
    }


@cache
def bases() -> Mapping[str, Base]:
    """Play every game once."""
    with each_proof_checked_once():
        return {plan.name: Base(plan, play(plan)) for plan in PLANS}


def verdict_shown(verdict: Verdict) -> Json:
    """Return a verdict as JSON."""
    return {
        "status": str(verdict.status),
        "winners": list(verdict.winners),
        "points": [None if points is None else list(points) for points in verdict.points],
        "totals": list(verdict.totals),
        "head": verdict.head.hex() if verdict.rounds else None,
        "awaited": list(verdict.awaited),
        "receipts_missing": list(verdict.receipts_missing),
        "dropped": list(verdict.dropped),
        "claimed": verdict.claimed,
        "blamed": [
            {"seat": blamed.seat, "step": blamed.step, "check": blamed.check}
            for blamed in verdict.blamed
        ],
        "record": verdict.record,
        "check": verdict.check,
        "notes": [[note.kind, note.reason, note.seat] for note in verdict.notes],
        "torn_bytes": verdict.torn_bytes,
    }


def steps_shown(verdict: Verdict) -> list[list[str]]:
    """Return for every round and step its kinds and the head before it."""
    return [
        [
            f"{'+'.join(sorted({e.payload.kind for e in said})) or 'drop'}"
            f" {round_.head_before(number).hex()}"
            for number, said in enumerate(round_.transcript)
        ]
        for round_ in verdict.rounds
    ]


def whole(base: Base) -> Json:
    """Return a finished game as a case."""
    verdict = verify_log(base.log)
    return {
        "name": base.plan.name,
        "about": base.plan.about,
        "log": base64.b64encode(base.log).decode(),
        "verdict": verdict_shown(verdict),
        "steps": steps_shown(verdict),
        "record": _record(verdict),
    }


def _record(verdict: Verdict) -> Json | None:
    try:
        return dict(open_record(verdict.rounds))
    except NoKeys:
        return None
