"""What ``verify`` prints of several logs of one game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from p2p_davinci.app import together
from p2p_davinci.app.settings import Exit
from p2p_davinci.app.together import Group, group_lines, groups
from p2p_davinci.session.comparing import Difference, Together, account_of
from p2p_davinci.text import Lang, Words
from protocol import encode, encode_record

from . import logs
from .printing import EN, ZH, verdict_on, verified

pytestmark = [
    pytest.mark.usefixtures("each_log_verified_once"),
    pytest.mark.usefixtures("one_core"),
]

LANGS = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])


def lang_of(words: Words) -> Lang:
    return "en" if words is EN else "zh"


def group_of(*files: Path) -> dict[str, Any]:
    """Return the record of the only game of which there are several logs; it stands last."""
    *each, last = map(json.loads, verified(*files, as_json=True).out)
    assert [record["file"] for record in each] == [str(file) for file in files]
    assert "files" in last
    record: dict[str, Any] = last
    return record


@LANGS
def test_logs_that_agree_are_said_to(shelf: Path, words: Words) -> None:
    files = (shelf / "finished", shelf / "deal")
    printed = verified(*files, lang=lang_of(words))
    assert printed.exit == Exit.UNFINISHED
    assert words.tell("together.agree") in printed.text
    record = group_of(*files)
    assert (record["verdict"], record["exit"], record["convicted"]) == ("agree", Exit.OK, [])
    assert record["game"] == verdict_on(logs.finished()).rounds[0].contract_hash.hex()


@LANGS
def test_two_good_logs_that_contradict_each_other_convict(shelf: Path, words: Words) -> None:
    """In one the player in turn drew, in the other it resigned."""
    files = (shelf / "finished", shelf / "resigned")
    seat = logs.cheater()
    printed = verified(*files, lang=lang_of(words))
    assert printed.exit == Exit.CHEAT
    record = group_of(*files)
    assert (record["verdict"], record["exit"]) == ("contradiction", Exit.CHEAT)
    found = next(one for one in record["convicted"] if one["seat"] == seat)
    assert found["check"] == "chain.doubled"
    (difference,) = record["differences"]
    assert (difference["round"], difference["behind"]) == (1, None)
    assert difference["step"] == found["step"]
    pair = [
        logs.records_of(Path(one["file"]).read_bytes())[one["record"]].data
        for one in found["proof"]
    ]
    fault = encode_record("fault", encode(tuple(pair)))
    assert verdict_on(logs.finished() + fault).convicted == (seat,)
    name = ("ana", "bo")[seat]
    assert words.tell("together.convicted", **_told(words, record, found, name)) in printed.text
    parts = {"one": str(files[0]), "other": str(files[1]), "round": 2, "step": found["step"]}
    assert words.tell("together.contradict", **parts) in printed.text


def _told(
    words: Words, record: dict[str, Any], found: dict[str, Any], name: str
) -> dict[str, str | int]:
    where = [words.tell("together.record", **one) for one in found["proof"]]
    return {
        "name": name,
        "step": found["step"],
        "what": words.reason("check", found["check"]),
        "check": found["check"],
        "where": words.tell("comma").join(where),
    }


def test_a_winner_who_is_convicted_in_another_log_has_not_won(shelf: Path, tmp_path: Path) -> None:
    cheated = tmp_path / "cheated"
    cheated.write_bytes(logs.convicted(best=True))
    (winner,) = verdict_on(logs.finished()).winners
    record = group_of(shelf / "finished", cheated)
    assert (record["verdict"], record["exit"]) == ("agree", Exit.CHEAT)
    assert record["winners"] == [1 - winner]
    (found,) = record["convicted"]
    last = len(logs.records_of(logs.convicted(best=True))) - 1
    assert found["proof"] == [{"file": str(cheated), "record": last}]
    text = verified(shelf / "finished", cheated).text
    assert EN.tell("together.won", names=("ana", "bo")[1 - winner]) in text


def test_a_game_of_which_there_is_one_log_is_not_compared(shelf: Path) -> None:
    printed = verified(shelf / "finished", shelf / "dropped", as_json=True)
    assert all("file" in json.loads(line) for line in printed.out)


def made(found: Together) -> Group:
    account = account_of(verdict_on(logs.finished()), logs.records_of(logs.finished()))
    return Group(files=("one", "other"), accounts=(account, account), together=found)


@LANGS
def test_who_only_ended_where_the_others_left_it_is_blamed_for_nothing(words: Words) -> None:
    one = Difference(logs=(0, 1), round=0, step=7, behind=1, lost=0)
    group = made(Together(convicted=(), differences=(one,), winners=(1,), unexplained=False))
    assert (group.verdict, group.exit) == ("behind", Exit.OK)
    text = "\n".join(group_lines(words, group))
    told: dict[str, str | int] = {"behind": "other", "ahead": "one", "name": "ana"}
    assert words.tell("together.behind", round=1, step=7, **told) in text
    assert words.tell("together.won", names="bo") in text
    record = together.group_record(group)
    assert record["differences"] == [
        {"files": ["one", "other"], "round": 0, "step": 7, "behind": "other", "lost": 0}
    ]


@LANGS
def test_a_contradiction_that_no_signature_explains_is_an_error(words: Words) -> None:
    one = Difference(logs=(0, 1), round=0, step=7)
    group = made(Together(convicted=(), differences=(one,), winners=(), unexplained=True))
    assert (group.verdict, group.exit) == ("contradiction", Exit.ERROR)
    assert words.tell("together.unexplained") in "\n".join(group_lines(words, group))


def test_games_stand_in_the_order_of_their_first_files() -> None:
    one, other = (
        account_of(verdict_on(log), logs.records_of(log))
        for log in (logs.finished(), logs.dropped())
    )
    found = groups([("a", one), ("b", other), ("c", one), ("d", other)])
    assert [group.files for group in found] == [("a", "c"), ("b", "d")]
