"""What ``show`` tells of a logged game, and when it has no end to tell."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p_davinci.app.findings import Finding, Proof
from p2p_davinci.app.retelling import FACTS, asides_of, chapters
from p2p_davinci.app.settings import Exit
from p2p_davinci.app.verdicts import finding_lines
from p2p_davinci.rules.referee import referee_line
from p2p_davinci.session.audit import Status
from p2p_davinci.session.record import open_record, open_state
from protocol import comparison

from . import logs
from .printing import EN, ZH, shown, verdict_on

pytestmark = pytest.mark.usefixtures("each_log_verified_once")


def test_show_tells_every_move_of_the_open_record(shelf: Path) -> None:
    printed = shown(shelf / "finished")
    assert printed.exit == Exit.OK
    record: Any = open_record(verdict_on(logs.finished()).rounds)
    moves = [move for round_ in record["rounds"] for move in round_["moves"]]
    draws = [EN.tell("show.was", tile=spoken(move[1])) for move in moves if move[0] == "draw"]
    assert [line[line.index("It was ") :] for line in printed.out if "It was " in line] == draws
    guesses = [line for line in printed.out if " guesses " in line]
    assert len(guesses) == sum(move[0] == "guess" for move in moves)
    for number, round_ in enumerate(verdict_on(logs.finished()).rounds, start=1):
        name = ("ana", "bo")[round_.board.winner or 0]
        assert EN.tell("show.round", round=number) in printed.out
        assert EN.tell("round_over.other", number=number, name=name) in printed.text
    assert printed.out[-2] == EN.tell("verdict.finished", names="ana")


def spoken(tile: str) -> str:
    colour = {"b": "black", "w": "white"}[tile[0]]
    if tile[1] == "-":
        return EN.tell(f"joker.{colour}")
    return EN.tell(f"tile.{colour}", number=tile[1:])


def test_show_tells_the_deal_with_the_words_that_were_compared(shelf: Path) -> None:
    printed = shown(shelf / "finished")
    first = verdict_on(logs.finished()).rounds[0]
    words, digits = comparison(first.chain.session)
    assert EN.tell("show.compare", words=" ".join(words), digits=digits) in printed.text
    for key in ("show.commit", "show.open", "show.receipt"):
        assert EN.tell(key, names="ana, bo") in printed.text
    for seat, name in enumerate(("ana", "bo")):
        decks = [held.deck for held in first.arranged[seat]]
        taken = {"black": decks.count(0), "white": decks.count(1)}
        assert EN.tell("show.take.other", name=name, **taken) in printed.text
        hand = " ".join(f"{seat + 1}.{slot} [{tile}]" for slot, tile in hand_of(seat))
        assert hand in printed.text.replace("  ", " ")


def hand_of(seat: int) -> Iterator[tuple[int, str]]:
    record: Any = open_record(verdict_on(logs.finished()).rounds)
    return enumerate(record["rounds"][0]["hands"][seat], start=1)


def test_show_tells_what_was_said_and_the_clock_that_was_called(shelf: Path) -> None:
    printed = shown(shelf / "finished")
    said = EN.tell("said.other", name="ana", text="good luck all")
    assert [line for line in printed.out if line.endswith(said)]
    assert any("The clock was called on" in line for line in printed.out)
    at = next(i for i, line in enumerate(printed.out) if line.endswith(said))
    assert "Round 1 is over" in "\n".join(printed.out[at:])


def test_show_tells_a_resignation(shelf: Path) -> None:
    printed = shown(shelf / "resigned")
    assert printed.exit == Exit.OK
    assert any(" resigns. The row lies open: " in line for line in printed.out)


def test_show_in_chinese(shelf: Path) -> None:
    assert "获胜" in shown(shelf / "finished", ZH).text


@pytest.mark.parametrize("made", [logs.finished, logs.resigned, logs.eventful])
def test_every_fact_is_told_in_its_own_step(made: Callable[[], bytes]) -> None:
    rounds = verdict_on(made()).rounds
    told = list(chapters(EN, rounds, ()))
    for number, round_ in enumerate(rounds, start=1):
        happened = Counter(type(fact) for _, fact in round_.board.history)
        steps = [chapter for chapter in told if chapter.round == number]
        spoken_of = Counter(step.kind for step in steps if step.lines)
        for kind, facts in FACTS.items():
            assert spoken_of[kind] == happened[facts[-1]], kind
        assert [step.step for step in steps] == list(range(len(round_.transcript) + 1))
        turns = [step.turn for step in steps if step.lines]
        assert turns == sorted(turns)


def test_an_overdue_turn_and_a_resignation_are_told() -> None:
    rounds = verdict_on(logs.eventful()).rounds
    told = [line for chapter in chapters(EN, rounds, ()) for line in chapter.lines]
    overdue = [line for line in told if "time is up before the draw" in line]
    assert len(overdue) == 1
    assert "It was " in overdue[0]
    assert sum(" resigns. The row lies open: " in line for line in told) == 1


def test_asides_are_told_once() -> None:
    asides = asides_of(logs.records_of(logs.finished()))
    assert len(asides) == 3
    verdict = verdict_on(logs.finished())
    lines = [line for chapter in chapters(EN, verdict.rounds, asides) for line in chapter.lines]
    assert sum("good luck" in line for line in lines) == 1
    assert lines[0] == EN.tell("said.other", name="bo", text=logs.GREETING)


def test_what_was_taken_is_told_before_the_rows_stand(shelf: Path) -> None:
    taken = [line for line in shown(shelf / "finished").out if " takes " in line][:2]
    assert [line for line in shown(shelf / "deal").out if " takes " in line] == taken


def test_a_log_that_only_its_keys_refute_is_invalid() -> None:
    verdict = verdict_on(logs.finished())
    refuted = replace(verdict, status=Status.INVALID, check="record.replay")
    finding = Finding(file="x", proof=Proof.INVALID, verdict=refuted, check="record.replay")
    told = EN.tell("report.invalid", what=EN.tell("check.record"), check="record.replay")
    assert finding_lines(EN, finding)[0] == f"x: {told}"


@pytest.mark.parametrize(
    ("name", "code", "sentence"),
    [
        ("unfinished", Exit.UNFINISHED, "show.no_keys"),
        ("deal", Exit.UNFINISHED, "show.no_keys"),
        ("halted", Exit.UNFINISHED, "show.no_keys"),
        ("void", Exit.CHEAT, None),
        ("invalid", Exit.CHEAT, None),
        ("evidence", Exit.CHEAT, None),
    ],
)
def test_show_says_why_there_is_no_end(
    shelf: Path, name: str, code: Exit, sentence: str | None
) -> None:
    printed = shown(shelf / name)
    assert printed.exit == code
    assert not printed.err
    if sentence is not None:
        assert printed.out[-1] == EN.tell(sentence)
    as_json = shown(shelf / name, as_json=True)
    assert (as_json.out, as_json.exit, len(as_json.err)) == ([], code, 1)
    assert str(shelf / name) in as_json.err[0]


@pytest.mark.parametrize("name", ["no_keys", "claimed", "dropped"])
def test_show_of_a_game_that_is_over_without_keys_succeeds_but_gives_no_record(
    shelf: Path, name: str
) -> None:
    printed = shown(shelf / name)
    assert (printed.exit, printed.err) == (Exit.OK, [])
    assert printed.out[-1] == EN.tell("show.no_keys")
    as_json = shown(shelf / name, as_json=True)
    assert (as_json.exit, as_json.out) == (Exit.ERROR, [])
    assert EN.tell("show.no_keys") in as_json.err[0]


def test_show_of_an_unfinished_game_hides_faces(shelf: Path) -> None:
    assert "It was" not in shown(shelf / "unfinished").text.partition("Round 2\n")[2]


@pytest.mark.parametrize("as_json", [False, True])
def test_show_of_an_unreadable_file_is_an_error(shelf: Path, *, as_json: bool) -> None:
    printed = shown(shelf / "other", as_json=as_json)
    assert (printed.exit, printed.out) == (Exit.ERROR, [])
    assert EN.tell("report.no_log") in printed.err[0]


def test_show_json_is_the_open_record(shelf: Path) -> None:
    (line,) = shown(shelf / "finished", as_json=True).out
    rounds = verdict_on(logs.finished()).rounds
    assert json.loads(line) == open_record(rounds)
    assert json.loads(referee_line(line)) == open_state(rounds)
