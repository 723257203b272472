"""What a file proves: a log replayed by the verifier, or evidence of double speaking checked.

Findings are values that travel between processes: exit code, JSON record and sentences. What the
JSON fields mean is said at :func:`finding_record` (PEER, verdicts as JSON).
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from protocol import (
    DoubleSpeaking,
    PeerFault,
    check_double_speaking,
    read_evidence,
)

from ..rules.record import Json
from ..rules.state import Piece
from ..rules.tiles import Tile
from ..session.audit import Note, Verdict, verify_log
from ..session.contract import Player
from ..session.events import Blamed
from ..session.record import NoKeys, open_state, truth_of
from ..session.state import Round
from ..storage.identity import fingerprint
from .crash import system_said
from .settings import Exit

DOUBLED = "chain.doubled"
"""The check that a double speaker fails."""

UNREADABLE_FILE = "file"
"""The check that a file fails which the system does not give."""


class Proof(enum.StrEnum):
    """What kind of thing a file proves; the first four are verdicts on a log."""

    FINISHED = "finished"
    UNFINISHED = "unfinished"
    VOID = "void"
    INVALID = "invalid"
    """The log, or the evidence, is wrong in itself."""
    EVIDENCE = "evidence"
    """A file of evidence that convicts the holder of a key of double speaking."""
    UNREADABLE = "unreadable"


EXITS: Final = {
    Proof.FINISHED: Exit.OK,
    Proof.UNFINISHED: Exit.UNFINISHED,
    Proof.VOID: Exit.CHEAT,
    Proof.INVALID: Exit.CHEAT,
    Proof.EVIDENCE: Exit.CHEAT,
    Proof.UNREADABLE: Exit.ERROR,
}
BY_WEIGHT: Final = (Exit.CHEAT, Exit.ERROR, Exit.UNFINISHED, Exit.OK)
"""Exit codes, the worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accused:
    """A file of evidence: two envelopes, and the key that it speaks against."""

    spoken: DoubleSpeaking
    key: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A file and what it proves.

    ``data`` are its bytes. A log that can be read has a ``verdict``, evidence that can be read is
    ``accused``; ``check`` and ``detail`` tell why a file is unreadable or evidence proves nothing.
    """

    file: str
    proof: Proof
    data: bytes = b""
    verdict: Verdict | None = None
    accused: Accused | None = None
    check: str | None = None
    detail: str = ""

    @property
    def exit(self) -> Exit:
        """The exit code that this finding alone would give."""
        convicting = self.verdict is not None and bool(self.verdict.convicted)
        return Exit.CHEAT if convicting else EXITS[self.proof]


def worst(exits: Sequence[int]) -> int:
    """Return the exit code that weighs most."""
    return next((code for code in BY_WEIGHT if code in exits), Exit.OK)


def examine(file: str) -> Finding:
    """Return what the file at a path proves; a file that cannot be read is a finding, too."""
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        detail = system_said(error)
        return Finding(file=file, proof=Proof.UNREADABLE, check=UNREADABLE_FILE, detail=detail)
    try:
        return _evidence(file, data) or _log(file, data)
    except PeerFault as fault:
        return Finding(
            file=file, proof=Proof.UNREADABLE, data=data, check=fault.check, detail=fault.detail
        )


def _evidence(file: str, data: bytes) -> Finding | None:
    """Return what a file of evidence proves, ``None`` if it is none."""
    try:
        spoken, key = read_evidence(data)
    except PeerFault as fault:
        if fault.check == "evidence.magic":
            return None
        raise
    accused = Accused(spoken=spoken, key=key)
    try:
        check_double_speaking(spoken.first, spoken.second, key)
    except PeerFault as fault:
        return Finding(
            file=file, proof=Proof.INVALID, data=data, accused=accused, check=fault.check
        )
    return Finding(file=file, proof=Proof.EVIDENCE, data=data, accused=accused, check=DOUBLED)


def _log(file: str, data: bytes) -> Finding:
    verdict = verify_log(data)
    return Finding(
        file=file,
        proof=Proof(verdict.status.value),
        data=data,
        verdict=verdict,
        check=verdict.check,
    )


# --- as JSON ---------------------------------------------------------------------------------


def finding_record(finding: Finding) -> dict[str, Json]:
    """Return a finding as a JSON object; what a file does not tell is null.

    Seats, records and steps count from 0. ``winner`` is the only winner, if there is one;
    ``rows`` are the last round's rows from the left, by seat: ``b5!`` lies open, ``b5`` stands and
    became known when the keys were opened, ``b?`` stands with a black back, ``??`` with a back
    that says nothing. ``points`` are those of each round by seat, null before its rows stand, and
    ``totals`` their sums; a convicted seat has 0. ``blamed`` are the convicted, in the order of the
    file. ``claimed`` is the seat that claimed the game, ``dropped`` are those that the others
    played on without in the last round. ``state`` is what a referee makes of the open record, who
    knows of no conviction. ``head`` and ``session`` are the last round's, ``key`` a player's
    identity, in hexadecimal.
    """
    record: dict[str, Json] = dict.fromkeys(
        (
            *("file", "verdict", "exit", "winner", "winners", "points", "totals", "rows", "state"),
            *("head", "session", "players", "receipts_missing", "awaited", "blamed"),
            *("claimed", "dropped", "record", "check", "torn_bytes", "notes"),
        )
    )
    record |= {
        "file": finding.file,
        "verdict": str(finding.proof),
        "exit": int(finding.exit),
        "check": finding.check,
    }
    if finding.verdict is not None:
        record |= _verdict_record(finding.verdict)
    if finding.accused is not None:
        record |= _accused_record(finding.accused, proved=finding.proof is Proof.EVIDENCE)
    return record


def _verdict_record(verdict: Verdict) -> dict[str, Json]:
    if not verdict.rounds:
        return {"torn_bytes": verdict.torn_bytes}
    last = verdict.rounds[-1]
    won = verdict.winners
    return {
        "winner": won[0] if len(won) == 1 else None,
        "winners": list(won),
        "points": [None if points is None else list(points) for points in verdict.points],
        "totals": list(verdict.totals),
        "rows": _rows(last),
        "state": _state(verdict.rounds),
        "head": verdict.head.hex(),
        "session": last.chain.session.hex(),
        "players": [_player_record(player) for player in verdict.contract.players],
        "receipts_missing": list(verdict.receipts_missing),
        "awaited": list(verdict.awaited),
        "claimed": verdict.claimed,
        "dropped": list(verdict.dropped),
        "blamed": [_blamed_record(blamed) for blamed in verdict.blamed],
        "record": verdict.record,
        "check": verdict.blamed[0].check if verdict.blamed else verdict.check,
        "torn_bytes": verdict.torn_bytes,
        "notes": [_note_record(note) for note in verdict.notes],
    }


def _accused_record(accused: Accused, *, proved: bool) -> dict[str, Json]:
    payload = accused.spoken.first.payload
    blamed: Json = {"seat": payload.seat, "step": payload.step, "check": DOUBLED}
    key = accused.key
    return {
        "session": payload.session.hex(),
        "players": [{"name": None, "fingerprint": fingerprint(key), "key": key.hex()}],
        "blamed": [blamed] if proved else [],
    }


def _player_record(player: Player) -> dict[str, Json]:
    return {
        "name": player.name,
        "fingerprint": fingerprint(player.key),
        "key": player.key.hex(),
    }


def _blamed_record(blamed: Blamed) -> dict[str, Json]:
    return {"seat": blamed.seat, "step": blamed.step, "check": blamed.check}


def _note_record(note: Note) -> dict[str, Json]:
    return {"kind": note.kind, "reason": note.reason, "seat": note.seat}


def _state(rounds: Sequence[Round]) -> Json:
    if rounds[-1].state is None:
        return None
    try:
        return open_state(rounds)
    except NoKeys:
        return None


def _rows(round_: Round) -> Json:
    if round_.state is None:
        return None
    faces = known_faces(round_)
    return [
        [
            _tile_record(piece, None if faces is None else faces[seat][slot])
            for slot, piece in enumerate(row)
        ]
        for seat, row in enumerate(round_.state.rows)
    ]


def known_faces(round_: Round) -> tuple[tuple[Tile, ...], ...] | None:
    """Return the faces of all rows as they stand at the end, if the keys were given."""
    try:
        return truth_of(round_).hands
    except NoKeys:
        return None


def _tile_record(piece: Piece, known: Tile | None) -> str:
    if piece.face is not None:
        return f"{piece.face}!"
    if known is not None:
        return str(known)
    return "??" if piece.back is None else f"{piece.back.letter}?"
