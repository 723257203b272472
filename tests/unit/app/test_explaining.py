"""What was proved in a game, told to somebody who wants to learn it: every step, and why."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from p2p_davinci.app.explaining import WHY, Explainer
from p2p_davinci.app.reports import show
from p2p_davinci.app.retelling import chapters
from p2p_davinci.app.verdicts import speech_of
from p2p_davinci.text import LANGS, Lang, Words, catalogue
from tests.support.recorded import recording, spent

from . import logs
from .printing import verdict_on

MARK = "     > "
STATEMENTS = {*WHY, "draw", "guess", "stop"}

pytestmark = pytest.mark.usefixtures("each_log_verified_once")


@cache
def lively() -> bytes:
    return recording("advanced", turns=9).end.peers[0].log_bytes


def explained(data: bytes, lang: Lang = "en") -> list[str]:
    verdict = verdict_on(data)
    words = Words(lang)
    explainer = Explainer(speech_of(words, verdict))
    return [
        line
        for chapter in chapters(words, verdict.rounds, ())
        for line in explainer.lines(verdict.rounds[chapter.round - 1], chapter)
    ]


def keys_of(lines: list[str]) -> set[str]:
    """Return which statements and reasons of the catalogue the lines are."""
    sentences = catalogue("en")
    patterns = {
        key: re.compile(re.escape(text).replace(re.escape("{names}"), ".+"))
        for key, text in sentences.items()
        if key.startswith("explain.")
    }
    return {key for line in lines for key, form in patterns.items() if form.fullmatch(line)}


def shown(file: Path, lang: Lang = "en") -> list[str]:
    printed: list[str] = []
    say = printed.append
    show(str(file), Words(lang), as_json=False, explained=True, say=say, complain=say)
    return printed


@pytest.mark.slow
def test_all_statements_are_told_over_some_games() -> None:
    games = (
        lively(),
        spent().end.peers[0].log_bytes,
        logs.eventful(),
        logs.resigned(),
        logs.dropped(),
    )
    told = {key for data in games for key in keys_of(explained(data))}
    rare = {"explain.overdue.hidden", "explain.stop"}
    assert {f"explain.{name}" for name in STATEMENTS} - rare <= told
    assert {f"explain.why.{name}" for name in WHY.values()} <= told


@pytest.mark.slow
def test_every_step_is_explained_and_every_reason_given_once() -> None:
    lines = explained(lively())
    verdict = verdict_on(lively())
    steps = sum(len(round_.transcript) for round_ in verdict.rounds)
    reasons = [line for line in lines if line.startswith("Why: ")]
    assert len(reasons) == len(set(reasons))
    assert len(lines) - len(reasons) >= steps


def test_who_speaks_in_a_step_is_named_in_its_statement() -> None:
    first, *_ = explained(lively())
    assert first.startswith("ana, bo, cy showed a hash")


@pytest.mark.parametrize("lang", LANGS)
def test_every_statement_and_reason_has_its_words(lang: Lang) -> None:
    words = Words(lang)
    keys = [f"explain.{name}" for name in STATEMENTS]
    keys += [f"explain.why.{name}" for name in WHY.values()]
    assert all(words.has(key) for key in keys)


@pytest.mark.slow
def test_show_explains_each_step_below_what_happened_in_it(shelf: Path) -> None:
    printed = shown(shelf / "finished")
    assert Words("en").tell("explain.intro") in printed
    asked = printed.index(next(line for line in printed if " guesses " in line))
    assert printed[asked + 1].startswith(MARK)
    assert "only asked" in printed[asked + 1]


@pytest.mark.parametrize("lang", LANGS)
def test_show_explains_how_a_cheater_was_convicted(shelf: Path, lang: Lang) -> None:
    (blamed,) = verdict_on(logs.void()).blamed
    assert Words(lang).reason("explain.fault", blamed.check) in shown(shelf / "void", lang)


def test_show_explains_a_step_that_ended_without_a_silent_seat(tmp_path: Path) -> None:
    file = tmp_path / "dropped"
    file.write_bytes(logs.dropped())
    verdict = verdict_on(logs.dropped())
    (lost,) = verdict.dropped
    name = verdict.contract.players[lost].name
    printed = shown(file)
    at_drop = printed.index(next(line for line in printed if "signed, at this very moment" in line))
    assert name not in printed[at_drop].partition(" signed")[0]
    assert Words("en").tell("fact.dropped.other", name=name) in "\n".join(printed[:at_drop])


def test_show_explains_nothing_unless_asked(shelf: Path) -> None:
    printed: list[str] = []
    show(str(shelf / "finished"), Words("en"), as_json=False, say=printed.append, complain=print)
    assert not [line for line in printed if line.startswith(MARK)]
