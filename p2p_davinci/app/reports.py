"""The commands that read files: ``verify``, ``show`` and ``referee``."""

from __future__ import annotations

import codecs
import json
import multiprocessing
import os
import signal
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeAlias

from protocol import read_log

from ..rules.referee import run_referee
from ..session.audit import Verdict
from ..session.comparing import Account, account_of
from ..session.record import NoKeys, open_record
from ..text import Lang, Words
from .crash import system_said
from .explaining import Explainer
from .findings import Finding, Proof, examine, finding_record, worst
from .retelling import asides_of, chapters
from .settings import Exit
from .together import group_lines, group_record, groups
from .verdicts import (
    coverage_lines,
    finding_lines,
    player_lines,
    remark_lines,
    shown_path,
    speech_of,
    table_line,
    verdict_line,
)

WORKERS_MAX = 60
"""Windows cannot wait for more processes than this."""
AHEAD = 2
"""How many files are given to each process before the oldest result is taken."""

_STDIN = "-"
_TURN_WIDTH = 3
_BAR_WIDTH = 24
_EXPLAINED = " " * _TURN_WIDTH + "  > "

Say: TypeAlias = Callable[[str], None]


# --- verify ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is printed of one file; it travels between processes."""

    exit: int
    proof: str
    record: str
    lines: tuple[str, ...]
    account: Account | None = None
    """What a log says, where it is to be held against others."""


def verify(files: Sequence[str], lang: Lang, *, as_json: bool, say: Say) -> int:
    """Check files, say what each proves and what logs of one game prove together.

    Returns the worst exit code.
    """
    words = Words(lang)
    exits: list[int] = []
    proofs: Counter[str] = Counter()
    told: list[tuple[str, Account]] = []
    progress = _Progress(words, len(files))
    for file, report in zip(files, _reports(files, lang), strict=True):
        progress.clear()
        if report.account is not None:
            told.append((file, report.account))
        for line in (report.record,) if as_json else report.lines:
            say(line)
        exits.append(report.exit)
        proofs[report.proof] += 1
        progress.show(len(exits))
    progress.clear()
    for group in groups(told):
        for line in (json.dumps(group_record(group)),) if as_json else group_lines(words, group):
            say(line)
        exits.append(group.exit)
    if not as_json:
        logs = proofs.total() - proofs[Proof.UNREADABLE] - proofs[Proof.EVIDENCE]
        for line in (*_summary(words, proofs), *(coverage_lines(words) if logs else ())):
            say(line)
    return worst(exits)


def report_on(file: str, lang: Lang, *, among_others: bool = False) -> Report:
    """Return what is printed of one file, with its account if it is one of several."""
    finding = examine(file)
    verdict, account = finding.verdict, None
    if among_others and verdict is not None and verdict.rounds:
        account = account_of(verdict, read_log(finding.data)[0])
    return Report(
        exit=int(finding.exit),
        proof=str(finding.proof),
        record=json.dumps(finding_record(finding)),
        lines=finding_lines(Words(lang), finding),
        account=account,
    )


def _reports(files: Sequence[str], lang: Lang) -> Iterator[Report]:
    """Yield the report on each file, in their order, from as many processes as there are cores."""
    workers = min(len(files), os.cpu_count() or 1, WORKERS_MAX)
    report = partial(report_on, lang=lang, among_others=len(files) > 1)
    if workers == 1:
        yield from map(report, files)
        return
    # Not forked: a copy of a process with threads or locks may hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_end_at_once) as pool:
        # Few at a time, so that little is left to wait for when somebody loses patience.
        under_way: deque[Future[Report]] = deque()
        for file in files:
            if len(under_way) == AHEAD * workers:
                yield under_way.popleft().result()
            under_way.append(pool.submit(report, file))
        for submitted in under_way:
            yield submitted.result()


def _end_at_once() -> None:
    """Let Ctrl-C end a worker without a word, in the middle of a log; the main process answers.

    Where it is ignored, as in the background of a script, it is ignored here, too.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _summary(words: Words, proofs: Counter[str]) -> tuple[str, ...]:
    if proofs.total() < 2:
        return ()
    cheating = proofs[Proof.VOID] + proofs[Proof.INVALID] + proofs[Proof.EVIDENCE]
    return (
        words.tell(
            "report.summary",
            files=proofs.total(),
            finished=proofs[Proof.FINISHED],
            unfinished=proofs[Proof.UNFINISHED],
            cheating=cheating,
            unreadable=proofs[Proof.UNREADABLE],
        ),
    )


class _Progress:
    """A bar on standard error that shows how far it is; only on a terminal, for several files."""

    def __init__(self, words: Words, total: int) -> None:
        self._words = words
        self._total = total
        self._wanted = total > 1 and sys.stderr.isatty()
        self._width = 0
        self.show(0)

    def show(self, done: int) -> None:
        if self._wanted:
            told = self._words.tell("report.progress", done=done, total=self._total)
            full = done * _BAR_WIDTH // self._total
            line = f"[{'#' * full}{'.' * (_BAR_WIDTH - full)}] {told}"
            self._width = 2 * len(line)
            sys.stderr.write(f"\r{line}")
            sys.stderr.flush()

    def clear(self) -> None:
        if self._wanted:
            sys.stderr.write(f"\r{' ' * self._width}\r")
            sys.stderr.flush()


# --- show ------------------------------------------------------------------------------------


def show(
    file: str,
    words: Words,
    *,
    as_json: bool,
    say: Say,
    complain: Say,
    explained: bool = False,
) -> int:
    """Tell a logged game step by step, or print its open record; return the exit code.

    ``explained`` adds to each step what was proved in it, and why it convinces.
    """
    finding = examine(file)
    if finding.proof is Proof.UNREADABLE:
        complain(f"{shown_path(file)}: {verdict_line(words, finding)}")
        return finding.exit
    if as_json:
        return _show_record(finding, words, say, complain)
    if finding.verdict is None:
        for line in finding_lines(words, finding):
            say(line)
        return finding.exit
    if not finding.verdict.rounds:
        say(verdict_line(words, finding))
        return finding.exit
    for line in _told(words, finding, finding.verdict, explained=explained):
        say(line)
    if finding.proof in (Proof.VOID, Proof.INVALID):
        return finding.exit
    if _open_record(finding.verdict) is None:
        say(words.tell("show.no_keys"))
    return finding.exit


def _show_record(finding: Finding, words: Words, say: Say, complain: Say) -> int:
    if finding.verdict is None or finding.proof is not Proof.FINISHED:
        complain(f"{shown_path(finding.file)}: {verdict_line(words, finding)}")
        return finding.exit
    record = _open_record(finding.verdict)
    if record is None:
        complain(f"{shown_path(finding.file)}: {words.tell('show.no_keys')}")
        return worst((Exit.ERROR, finding.exit))
    say(record)
    return finding.exit


def _open_record(verdict: Verdict) -> str | None:
    try:
        return json.dumps(open_record(verdict.rounds))
    except NoKeys:
        return None


def _told(words: Words, finding: Finding, verdict: Verdict, *, explained: bool) -> Iterator[str]:
    explainer = Explainer(speech_of(words, verdict)) if explained else None
    yield table_line(words, verdict)
    yield from player_lines(words, verdict)
    if explained:
        yield words.tell("explain.intro")
    records, _ = read_log(finding.data)
    number = 0
    for chapter in chapters(words, verdict.rounds, asides_of(records[: verdict.record])):
        if chapter.round != number and len(verdict.rounds) > 1:
            yield words.tell("show.round", round=chapter.round)
        number = chapter.round
        turn = str(chapter.turn or "").rjust(_TURN_WIDTH)
        for line in chapter.lines:
            yield f"{turn}  {line}"
        if explainer is not None:
            told = explainer.lines(verdict.rounds[number - 1], chapter)
            yield from (f"{_EXPLAINED}{line}" for line in told)
    yield verdict_line(words, finding)
    if explained:
        for check in dict.fromkeys(blamed.check for blamed in verdict.blamed):
            yield words.reason("explain.fault", check)
    yield from remark_lines(words, verdict)
    yield words.tell("verdict.head", head=verdict.head.hex())


# --- referee ---------------------------------------------------------------------------------


class _NoFile(Exception):  # noqa: N818 - what happened
    """The records cannot be read; the argument says why."""


def referee(file: str | None, words: Words, say: Say, complain: Say) -> int:
    """Judge the open records of a file (``None`` or ``-``: of standard input), one a line.

    Every line has its result, whatever bytes it holds; the exit code says only whether the file
    could be read.
    """
    try:
        for result in run_referee(_lines(file)):
            say(result)
    except _NoFile as error:
        sentence = words.tell("report.no_file", detail=str(error))
        complain(f"{shown_path(file or _STDIN)}: {sentence}")
        return Exit.ERROR
    return Exit.OK


def _lines(file: str | None) -> Iterator[str]:
    """Yield each line; bytes that are no text stay recognizable as such."""
    try:
        with _source(file) as source:
            for index, raw in enumerate(source):
                # Some editors begin a file with a mark that is no part of the first record.
                line = raw.removeprefix(codecs.BOM_UTF8) if index == 0 else raw
                yield line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")
    except OSError as error:
        raise _NoFile(system_said(error)) from error


def _source(file: str | None) -> AbstractContextManager[BinaryIO]:
    if file is None or file == _STDIN:
        return nullcontext(sys.stdin.buffer)
    return Path(file).open("rb")
