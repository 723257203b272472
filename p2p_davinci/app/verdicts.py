"""What a file proves, in sentences: who won, whom to blame and by which check, what is not covered.

Names and remarks in a log were written by others; they are cleaned before they are shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..console.board import board_lines
from ..console.clean import NAME_WIDTH_MAX, clean
from ..console.lobby import rules_name
from ..console.speech import Speech, speech
from ..console.telling import points_line
from ..session.audit import Note, Status, Verdict
from ..session.events import Blamed
from ..session.game import Game, view
from ..storage.identity import fingerprint
from ..text import Words
from .findings import UNREADABLE_FILE, Finding, Proof

REASON_WIDTH_MAX = 64
FILE_WIDTH_MAX = 300


def finding_lines(words: Words, finding: Finding) -> tuple[str, ...]:
    """Return a finding in sentences, the file and the verdict first."""
    verdict = finding.verdict
    head = f"{shown_path(finding.file)}: {verdict_line(words, finding)}"
    if verdict is not None:
        return (head, *(f"  {line}" for line in _log_lines(words, verdict)))
    if finding.accused is not None:
        key = finding.accused.key
        shown = words.tell("report.key", fingerprint=fingerprint(key), public=key.hex())
        proved = (words.tell("report.key_alone"),) if finding.proof is Proof.EVIDENCE else ()
        return (head, *(f"  {line}" for line in (shown, *proved)))
    return (head,)


def coverage_lines(words: Words) -> tuple[str, ...]:
    """Return what the verdict on a log rests on, and what no verdict covers."""
    return (
        words.tell("report.covered"),
        words.tell("verdict.uncovered"),
        words.tell("report.names"),
    )


def shown_path(path: str) -> str:
    """Return a path on one line, whatever letters it holds."""
    return path if path.isprintable() and len(path) <= FILE_WIDTH_MAX else ascii(path)


def speech_of(words: Words, verdict: Verdict) -> Speech:
    """Return how to speak of the players of a log to somebody who was none of them."""
    return speech(words, [player.name for player in verdict.contract.players], None)


# --- the verdict -----------------------------------------------------------------------------


def verdict_line(words: Words, finding: Finding) -> str:
    """Return the verdict in one sentence."""
    if finding.verdict is not None:
        return _log_verdict(words, finding.verdict)
    check = finding.check or ""
    if finding.accused is not None:
        payload = finding.accused.spoken.first.payload
        if finding.proof is Proof.EVIDENCE:
            return words.tell("report.evidence", seat=payload.seat + 1, step=payload.step)
        what = words.reason("check", check)
        return words.tell("report.no_evidence", what=what, check=check)
    if check == UNREADABLE_FILE:
        return words.tell("report.no_file", detail=finding.detail)
    if check == "log.magic":
        return words.tell("report.no_log")
    return words.tell("report.unreadable", what=words.reason("check", check), check=check)


def _log_verdict(words: Words, verdict: Verdict) -> str:
    if not verdict.rounds:
        return words.tell("verdict.nothing")
    spoken = speech_of(words, verdict)
    if verdict.status is Status.VOID:
        return _blamed(spoken, "verdict.void", verdict.blamed[0])
    if verdict.check is not None:
        what = words.reason("check", verdict.check)
        if verdict.record is None:
            return words.tell("report.invalid", what=what, check=verdict.check)
        return words.tell("verdict.invalid", record=verdict.record, what=what, check=verdict.check)
    if verdict.claimed is not None:
        return words.tell("verdict.claimed", name=spoken.name(verdict.claimed))
    if verdict.status is Status.FINISHED:
        names = spoken.named(verdict.winners) or words.tell("nobody")
        return words.tell("verdict.finished", names=names)
    names = spoken.named(verdict.awaited) or words.tell("nobody")
    return words.tell("verdict.unfinished", names=names)


def _blamed(spoken: Speech, key: str, blamed: Blamed) -> str:
    """Return under ``key`` who is to blame, and for what."""
    return spoken.words.tell(
        key,
        name=spoken.name(blamed.seat),
        step=blamed.step,
        what=spoken.words.reason("check", blamed.check),
        check=blamed.check,
    )


# --- a log -----------------------------------------------------------------------------------


def _log_lines(words: Words, verdict: Verdict) -> Iterator[str]:
    if not verdict.rounds:
        yield from _torn_line(words, verdict)
        return
    spoken, last = speech_of(words, verdict), verdict.rounds[-1]
    yield table_line(words, verdict)
    yield from player_lines(words, verdict)
    if last.contract.options.scoring != "none":
        yield points_line(spoken, "points.total", verdict.totals)
    if last.state is None:
        yield words.tell("report.no_rows")
    else:
        yield from board_lines(spoken, view(Game(round=last, seat=None)))
    yield from remark_lines(words, verdict)
    yield words.tell("verdict.head", head=verdict.head.hex())
    yield words.tell("report.session", session=last.chain.session.hex())


def table_line(words: Words, verdict: Verdict) -> str:
    """Return the table's name, its rules, and how many rounds the log holds."""
    contract = verdict.contract
    return words.tell(
        "report.table",
        table=clean(contract.table, NAME_WIDTH_MAX),
        rules=rules_name(words, contract.options),
        played=len(verdict.rounds),
        rounds=contract.options.rounds,
    )


def player_lines(words: Words, verdict: Verdict) -> Iterator[str]:
    """Yield each player's seat, name and fingerprint."""
    spoken = speech_of(words, verdict)
    for seat, player in enumerate(verdict.contract.players):
        print_ = fingerprint(player.key)
        name = spoken.names[seat]
        yield words.tell("report.player", seat=seat + 1, name=name, fingerprint=print_)


def remark_lines(words: Words, verdict: Verdict) -> Iterator[str]:
    """Yield what a verdict leaves open: who was left out, receipts, a torn end, owner's notes."""
    spoken = speech_of(words, verdict)
    if verdict.dropped:
        yield words.tell("verdict.dropped", names=spoken.named(verdict.dropped))
    if verdict.status is Status.FINISHED:
        for blamed in verdict.blamed:
            yield _blamed(spoken, "verdict.blamed", blamed)
    if verdict.receipts_missing:
        yield words.tell("verdict.no_receipts", names=spoken.named(verdict.receipts_missing))
    yield from _torn_line(words, verdict)
    for note in verdict.notes:
        yield words.tell("report.note", text=_note(spoken, note))


def _torn_line(words: Words, verdict: Verdict) -> Iterator[str]:
    if verdict.torn_bytes:
        yield words.tell("verdict.torn", bytes=verdict.torn_bytes)


def _note(spoken: Speech, note: Note) -> str:
    words = spoken.words
    name = words.tell("nobody")
    if note.seat is not None and note.seat < len(spoken.names):
        name = spoken.name(note.seat)
    reason = clean(note.reason, REASON_WIDTH_MAX)
    if note.kind == "halted":
        if reason == "saved":
            return words.tell("report.saved", name=name)
        return words.reason("halted", reason, name=name)
    what = words.reason("check", reason)
    return words.tell("report.suspicion", name=name, what=what, check=reason)
