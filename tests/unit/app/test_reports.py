"""What ``verify`` prints and exits with, for logs in every state."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from p2p_davinci.app.findings import examine, finding_record
from p2p_davinci.app.settings import Exit
from p2p_davinci.app.verdicts import finding_lines
from p2p_davinci.rules.referee import referee_line
from p2p_davinci.storage.identity import fingerprint
from p2p_davinci.text import Lang, Words
from protocol import encode, encode_record
from tests.support.table import new_table

from . import logs
from .printing import EN, ZH, record_of, shown, verdict_on, verified

pytestmark = pytest.mark.usefixtures("each_log_verified_once")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "verdict", "code"),
    [
        ("finished", "finished", Exit.OK),
        ("resigned", "finished", Exit.OK),
        ("torn", "finished", Exit.OK),
        ("no_keys", "finished", Exit.OK),
        ("dropped", "finished", Exit.OK),
        ("claimed", "finished", Exit.OK),
        ("unfinished", "unfinished", Exit.UNFINISHED),
        ("deal", "unfinished", Exit.UNFINISHED),
        ("halted", "unfinished", Exit.UNFINISHED),
        ("void", "void", Exit.CHEAT),
        ("invalid", "invalid", Exit.CHEAT),
        ("convicted", "finished", Exit.CHEAT),
        ("nobody", "finished", Exit.CHEAT),
        ("nothing", "unfinished", Exit.UNFINISHED),
        ("evidence", "evidence", Exit.CHEAT),
        ("honest", "invalid", Exit.CHEAT),
        ("bad_evidence", "unreadable", Exit.ERROR),
        ("other", "unreadable", Exit.ERROR),
        ("broken", "unreadable", Exit.ERROR),
        ("missing", "unreadable", Exit.ERROR),
        (".", "unreadable", Exit.ERROR),
    ],
)
def test_verdict_and_exit_code_of_one_file(
    shelf: Path, name: str, verdict: str, code: Exit
) -> None:
    record = record_of(shelf / name)
    assert (record["verdict"], record["exit"]) == (verdict, code)
    assert verified(shelf / name).exit == code
    assert record["file"] == str(shelf / name)


@pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
def test_a_claim_is_called_so_and_nobody_has_won(shelf: Path, words: Words) -> None:
    verdict = verdict_on(logs.claimed())
    assert verdict.claimed is not None
    name = verdict.contract.players[verdict.claimed].name
    lang: Lang = "en" if words is EN else "zh"
    told = verified(shelf / "claimed", lang=lang).text
    assert words.tell("verdict.claimed", name=name) in told
    assert words.tell("halted.claimed", name=name) in shown(shelf / "claimed", words).text
    record = record_of(shelf / "claimed")
    assert (record["claimed"], record["winners"], record["dropped"]) == (verdict.claimed, [], [])


@pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
def test_who_was_left_out_is_told(shelf: Path, words: Words) -> None:
    verdict = verdict_on(logs.dropped())
    (lost,) = verdict.dropped
    name = verdict.contract.players[lost].name
    lang: Lang = "en" if words is EN else "zh"
    told = verified(shelf / "dropped", lang=lang).text
    assert words.tell("verdict.dropped", names=name) in told
    assert words.tell("fact.dropped.other", name=name) in shown(shelf / "dropped", words).text
    record = record_of(shelf / "dropped")
    assert (record["claimed"], record["dropped"]) == (None, [lost])


def test_record_of_a_finished_game_tells_what_its_players_saw(shelf: Path) -> None:
    record = record_of(shelf / "finished")
    _, ended = logs.played()
    last = ended.peers[0].game.round
    assert record["head"] == last.chain.step.head.hex()
    assert record["session"] == last.chain.session.hex()
    assert record["winners"] == [record["winner"]]
    points = [round_["points"] for round_ in rounds_of(record)]
    assert record["points"] == points
    assert record["totals"] == [sum(each) for each in zip(*points, strict=True)]
    assert record["players"] == [
        {"name": name, "fingerprint": fingerprint(who.public), "key": who.public.hex()}
        for name, who in zip(("ana", "bo"), ended.who, strict=True)
    ]
    assert (record["receipts_missing"], record["blamed"], record["check"]) == ([], [], None)


def rounds_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [round_["ok"] for round_ in record["state"]["rounds"]]


def test_rows_of_a_finished_game_show_every_face(shelf: Path) -> None:
    record = record_of(shelf / "finished")
    assert record["rows"] == rounds_of(record)[-1]["rows"]
    standing = [tile for row in record["rows"] for tile in row if not tile.endswith("!")]
    assert standing
    assert all(tile[0] in "bw" and tile[1:] != "?" for tile in standing)


def test_state_is_what_a_referee_makes_of_the_open_record(shelf: Path) -> None:
    (line,) = shown(shelf / "finished", as_json=True).out
    assert json.loads(referee_line(line)) == record_of(shelf / "finished")["state"]


def test_rows_of_an_unfinished_game_hide_what_stands(shelf: Path) -> None:
    record = record_of(shelf / "unfinished")
    table, _ = logs.played()
    assert record["rows"] == [
        [f"{p.face}!" if p.face else f"{p.back.letter}?" for p in row if p.back is not None]
        for row in table.peers[0].game.round.board.rows
    ]
    assert any("?" in tile for row in record["rows"] for tile in row)
    assert record["state"] is None
    assert record["winner"] is None
    assert record["awaited"] == list(table.peers[0].game.round.chain.awaited)


def test_rows_with_hidden_backs_say_nothing(tmp_path: Path) -> None:
    table = new_table(2, "advanced", {"first": "random"}, seed="backs").start()
    table.run_until(lambda now: now.peers[0].game.round.state is not None)
    (tmp_path / "log").write_bytes(table.peers[0].log_bytes)
    assert record_of(tmp_path / "log")["rows"] == [["??"] * 4] * 2


def test_an_interrupted_deal_has_no_rows(shelf: Path) -> None:
    assert record_of(shelf / "deal")["rows"] is None
    assert EN.tell("report.no_rows") in verified(shelf / "deal").text


def test_a_cheater_is_blamed_by_name_step_and_check(shelf: Path) -> None:
    record = record_of(shelf / "void")
    seat = logs.cheater()
    (blamed,) = record["blamed"]
    assert (blamed["seat"], blamed["check"]) == (seat, record["check"])
    assert blamed["step"] == verdict_on(logs.void()).rounds[-1].chain.step.number
    name = ("ana", "bo")[seat]
    first = verified(shelf / "void").out[0]
    assert f"Void: {name} broke the protocol at step {blamed['step']}" in first
    assert blamed["check"] in first


def test_an_invalid_log_is_told_with_its_record(shelf: Path) -> None:
    record = record_of(shelf / "invalid")
    index = logs.changed_record()
    assert (record["record"], record["check"]) == (index, "envelope.signature")
    assert f"record {index}" in verified(shelf / "invalid").out[0]


def test_torn_bytes_and_missing_receipts_are_reported(shelf: Path) -> None:
    record = record_of(shelf / "torn")
    last = logs.records_of(logs.finished())[-1]
    assert record["torn_bytes"] == len(encode_record(last.kind, last.data)) - 3
    assert record["receipts_missing"] == [1]
    text = verified(shelf / "torn").text
    assert EN.tell("verdict.torn", bytes=record["torn_bytes"]) in text
    assert EN.tell("verdict.no_receipts", names="bo") in text


@pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
def test_who_is_convicted_after_the_end_has_lost(shelf: Path, words: Words) -> None:
    verdict = verdict_on(logs.convicted())
    (winner,) = verdict.winners
    record = record_of(shelf / "convicted")
    assert (record["winner"], record["winners"]) == (winner, [winner])
    assert record["blamed"] == [{"seat": 1 - winner, "step": 0, "check": "chain.doubled"}]
    assert [points[1 - winner] for points in record["points"]] == [0, 0]
    assert record["totals"][1 - winner] == 0
    lang: Lang = "en" if words is EN else "zh"
    names = [player["name"] for player in record["players"]]
    blamed = {
        "name": names[1 - winner],
        "step": 0,
        "what": words.reason("check", "chain.doubled"),
        "check": "chain.doubled",
    }
    text = verified(shelf / "convicted", lang=lang).text
    assert words.tell("verdict.blamed", **blamed) in text
    assert words.tell("verdict.finished", names=names[winner]) in text
    assert words.tell("verdict.blamed", **blamed) in shown(shelf / "convicted", words).text


@pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
def test_if_all_are_convicted_nobody_has_won(shelf: Path, words: Words) -> None:
    record = record_of(shelf / "nobody")
    assert (record["winner"], record["winners"], record["totals"]) == (None, [], [0, 0])
    assert [blamed["check"] for blamed in record["blamed"]] == ["chain.doubled"] * 2
    lang: Lang = "en" if words is EN else "zh"
    text = verified(shelf / "nobody", lang=lang).text
    assert words.tell("verdict.finished", names=words.tell("nobody")) in text


@pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
def test_a_log_in_which_nothing_is_agreed_yet_is_unfinished(shelf: Path, words: Words) -> None:
    lang: Lang = "en" if words is EN else "zh"
    printed = verified(shelf / "nothing", lang=lang)
    assert words.tell("verdict.nothing") in printed.out[0]
    assert words.tell("verdict.torn", bytes=10) in printed.text
    record = record_of(shelf / "nothing")
    assert (record["torn_bytes"], record["winners"], record["head"]) == (10, None, None)
    told = shown(shelf / "nothing", words)
    assert (told.exit, told.out) == (Exit.UNFINISHED, [words.tell("verdict.nothing")])
    as_json = shown(shelf / "nothing", words, as_json=True)
    assert (as_json.exit, as_json.out) == (Exit.UNFINISHED, [])


def test_a_note_of_the_owner_is_told_as_unproved(shelf: Path) -> None:
    assert record_of(shelf / "halted")["notes"] == [{"kind": "halted", "reason": "left", "seat": 1}]
    text = verified(shelf / "halted").text
    assert EN.tell("report.note", text=EN.tell("halted.left", name="bo")) in text


@pytest.mark.parametrize(
    ("note", "told"),
    [
        (("halted", "\u202e\x1b[2J{x}", None), "halted.other"),
        (("halted", "saved", 1), "report.saved"),
        (("suspicion", 1, 3, "envelope.signature"), "report.suspicion"),
    ],
)
def test_a_note_cannot_play_tricks(
    note: tuple[str | int | None, ...], told: str, tmp_path: Path
) -> None:
    file = tmp_path / "log"
    file.write_bytes(logs.unfinished() + encode_record("note", encode(note)))
    lines = finding_lines(EN, examine(str(file)))
    (line,) = [line for line in lines if EN.tell("report.note", text="") in line]
    assert line.isprintable()
    values = {"name": "bo", "what": EN.tell("check.envelope.signature"), "check": note[-1] or ""}
    if told == "halted.other":
        values = {"name": EN.tell("nobody"), "reason": "[2J{x}"}
    assert EN.tell(told, **values) in line


def test_evidence_convicts_the_holder_of_a_key(shelf: Path) -> None:
    record = record_of(shelf / "evidence")
    table, _ = logs.played()
    key = table.who[logs.cheater()].public
    assert record["players"] == [{"name": None, "fingerprint": fingerprint(key), "key": key.hex()}]
    (blamed,) = record["blamed"]
    assert blamed["seat"] == logs.cheater()
    assert blamed["check"] == record["check"] == "chain.doubled"
    text = verified(shelf / "evidence").text
    assert fingerprint(key) in text
    assert EN.tell("report.key_alone") in text
    # Of shuffles and rows it proves nothing.
    assert EN.tell("report.covered") not in text


def test_evidence_that_proves_nothing_blames_nobody(shelf: Path) -> None:
    record = record_of(shelf / "honest")
    assert (record["blamed"], record["check"]) == ([], "evidence.same")
    assert EN.tell("report.key_alone") not in verified(shelf / "honest").text
    assert "Proves nothing" in verified(shelf / "honest").out[0]


def test_text_names_players_fingerprints_head_and_what_is_not_covered(shelf: Path) -> None:
    record = record_of(shelf / "finished")
    text = verified(shelf / "finished").text
    for player in record["players"]:
        assert f"{player['name']}, fingerprint {player['fingerprint']}" in text
    assert record["head"] in text
    assert record["session"] in text
    winner = record["players"][record["winner"]]["name"]
    assert EN.tell("verdict.finished", names=winner) in text
    for key in ("report.covered", "verdict.uncovered", "report.names"):
        assert EN.tell(key) in text


def test_chinese_reports_are_chinese(shelf: Path) -> None:
    text = verified(shelf / "finished", lang="zh").text
    assert "有效，已完成" in text
    assert ZH.tell("verdict.uncovered") in text


@pytest.mark.slow
def test_several_processes_report_in_the_order_of_the_files(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    names = ["no_keys", "other", "evidence", "deal"]
    printed = verified(*(shelf / name for name in names), as_json=True)
    *each, together = map(json.loads, printed.out)
    assert [Path(record["file"]).name for record in each] == names
    assert [Path(file).name for file in together["files"]] == ["no_keys", "deal"]
    assert printed.out[0] == json.dumps(finding_record(examine(str(shelf / "no_keys"))))
    assert printed.exit == Exit.CHEAT


@pytest.mark.usefixtures("one_core")
@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("other", "void"), Exit.CHEAT),
        (("deal", "other", "finished"), Exit.ERROR),
        (("finished", "deal"), Exit.UNFINISHED),
        (("finished", "dropped"), Exit.OK),
    ],
)
def test_of_several_files_the_worst_counts(shelf: Path, names: tuple[str, ...], code: Exit) -> None:
    assert verified(*(shelf / name for name in names)).exit == code


@pytest.mark.usefixtures("one_core")
def test_several_files_are_summed_up(shelf: Path) -> None:
    names = ("finished", "other", "void", "deal")
    text = verified(*(shelf / name for name in names)).text
    summary = EN.tell("report.summary", files=4, finished=1, unfinished=1, cheating=1, unreadable=1)
    assert summary in text


@pytest.mark.usefixtures("one_core")
def test_of_files_that_cannot_be_read_nothing_is_said_to_be_proved(shelf: Path) -> None:
    proved = EN.tell("report.covered")
    assert proved not in verified(shelf / "other", shelf / "missing").text
    assert proved in verified(shelf / "other", shelf / "deal").text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("one_core")
def test_progress_is_told_on_a_terminal_only(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = (shelf / "deal", shelf / "other")
    told = []
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        verified(*files)
        told.append(stream.getvalue())
    shown = [part for part in told[0].split("\r") if part.strip()]
    assert [part.partition("] ")[2] for part in shown] == ["0 of 2", "1 of 2", "2 of 2"]
    assert [part.count("#") / part.count(".") for part in shown[:2]] == [0, 1]
    assert "." not in shown[2]
    assert told[0].endswith(" \r")
    assert told[1] == ""


def test_a_path_cannot_play_tricks(tmp_path: Path) -> None:
    file = tmp_path / "a\x1b[2Jb"
    file.write_bytes(b"")
    assert verified(file).out[0].isprintable()
