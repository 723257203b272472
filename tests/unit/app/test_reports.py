"""What ``verify``, ``show`` and ``referee`` print and exit with, for logs in every state."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from p2p_davinci.app import findings
from p2p_davinci.app.findings import Finding, Proof, examine, finding_record
from p2p_davinci.app.reports import referee, show, verify
from p2p_davinci.app.retelling import FACTS, asides_of, chapters
from p2p_davinci.app.settings import Exit
from p2p_davinci.app.verdicts import finding_lines
from p2p_davinci.net.identity import fingerprint
from p2p_davinci.rules.referee import referee_line
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.record import open_record, open_state
from p2p_davinci.text import Lang, Words
from protocol import comparison, encode, encode_record
from tests.support.table import each_proof_checked_once, new_table

from . import logs

EN = Words("en")
ZH = Words("zh")
FIELDS = {
    *("file", "verdict", "exit", "winner", "winners", "totals", "rows", "state", "head"),
    *("session", "players", "receipts_missing", "awaited", "blamed", "record", "check"),
    *("torn_bytes", "notes"),
}
MADE: dict[str, Callable[[], bytes]] = {
    "finished": logs.finished,
    "unfinished": logs.unfinished,
    "deal": logs.in_the_deal,
    "resigned": logs.resigned,
    "halted": logs.halted,
    "void": logs.void,
    "invalid": logs.invalid,
    "torn": logs.torn,
    "no_keys": logs.without_keys,
    "evidence": logs.evidence,
}


verdict_on = cache(verify_log)


@pytest.fixture(scope="module", autouse=True)
def each_log_verified_once() -> Iterator[None]:
    """All logs come from one game, so most proofs are the same ones, too."""
    with each_proof_checked_once(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(findings, "verify_log", verdict_on)
        yield


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shelf")
    for name, made in MADE.items():
        (folder / name).write_bytes(made())
    (folder / "honest").write_bytes(logs.evidence(honest=True))
    (folder / "bad_evidence").write_bytes(logs.evidence()[:-1])
    (folder / "other").write_bytes(b"GIF89a")
    (folder / "broken").write_bytes(logs.finished()[:40])
    return folder


@dataclass(slots=True)
class Printed:
    out: list[str] = field(default_factory=list)
    err: list[str] = field(default_factory=list)
    exit: int = -1

    @property
    def text(self) -> str:
        return "\n".join(self.out)


def verified(*files: Path, lang: Lang = "en", as_json: bool = False) -> Printed:
    printed = Printed()
    names = [str(file) for file in files]
    printed.exit = verify(names, lang, as_json=as_json, say=printed.out.append)
    return printed


def shown(file: Path, words: Words = EN, *, as_json: bool = False) -> Printed:
    printed = Printed()
    printed.exit = show(
        str(file), words, as_json=as_json, say=printed.out.append, complain=printed.err.append
    )
    return printed


def record_of(file: Path) -> dict[str, Any]:
    (line,) = verified(file, as_json=True).out
    record: dict[str, Any] = json.loads(line)
    assert set(record) == FIELDS
    return record


# --- verify ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "verdict", "code"),
    [
        ("finished", "finished", Exit.OK),
        ("resigned", "finished", Exit.OK),
        ("torn", "finished", Exit.OK),
        ("no_keys", "finished", Exit.OK),
        ("unfinished", "unfinished", Exit.UNFINISHED),
        ("deal", "unfinished", Exit.UNFINISHED),
        ("halted", "unfinished", Exit.UNFINISHED),
        ("void", "void", Exit.CHEAT),
        ("invalid", "invalid", Exit.CHEAT),
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


def test_record_of_a_finished_game_tells_what_its_players_saw(shelf: Path) -> None:
    record = record_of(shelf / "finished")
    _, ended = logs.played()
    last = ended.peers[0].game.round
    assert record["head"] == last.chain.step.head.hex()
    assert record["session"] == last.chain.session.hex()
    assert record["winners"] == [record["winner"]]
    points = [round_["points"] for round_ in rounds_of(record)]
    assert record["totals"] == [sum(each) for each in zip(*points, strict=True)]
    assert record["players"] == [
        {"name": name, "fingerprint": fingerprint(who.public), "key": who.public.hex()}
        for name, who in zip(("ana", "bo"), ended.who, strict=True)
    ]
    assert (record["receipts_missing"], record["blamed"], record["check"]) == ([], None, None)


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
    blamed = record["blamed"]
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


def test_a_note_of_the_owner_is_told_as_unproved(shelf: Path) -> None:
    assert record_of(shelf / "halted")["notes"] == [{"kind": "halted", "reason": "left", "seat": 1}]
    text = verified(shelf / "halted").text
    assert EN.tell("report.note", text=EN.tell("halted.left", name="bo")) in text


@pytest.mark.parametrize(
    ("note", "told"),
    [
        (("halted", "\u202e\x1b[2J{x}", None), "halted.other"),
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
    assert record["blamed"]["seat"] == logs.cheater()
    assert record["blamed"]["check"] == record["check"] == "chain.doubled"
    assert fingerprint(key) in verified(shelf / "evidence").text


def test_evidence_that_proves_nothing_blames_nobody(shelf: Path) -> None:
    record = record_of(shelf / "honest")
    assert (record["blamed"], record["check"]) == (None, "evidence.same")
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


def test_several_processes_report_in_the_order_of_the_files(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    names = ["no_keys", "other", "evidence", "deal"]
    printed = verified(*(shelf / name for name in names), as_json=True)
    assert [Path(json.loads(line)["file"]).name for line in printed.out] == names
    assert printed.out[0] == json.dumps(finding_record(examine(str(shelf / "no_keys"))))
    assert printed.exit == Exit.CHEAT


@pytest.mark.usefixtures("one_core")
@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("other", "void"), Exit.CHEAT),
        (("deal", "other", "finished"), Exit.ERROR),
        (("finished", "deal"), Exit.UNFINISHED),
        (("finished", "resigned"), Exit.OK),
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
    assert [part for part in told[0].split("\r") if part.strip()] == ["0 of 2", "1 of 2", "2 of 2"]
    assert told[0].endswith(" \r")
    assert told[1] == ""


def test_a_path_cannot_play_tricks(tmp_path: Path) -> None:
    file = tmp_path / "a\x1b[2Jb"
    file.write_bytes(b"")
    assert verified(file).out[0].isprintable()


# --- show ------------------------------------------------------------------------------------


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
        ("no_keys", Exit.UNFINISHED, "show.no_keys"),
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


# --- referee ---------------------------------------------------------------------------------

RECORD = b'{"hands": [["b0", "w1", "b2", "w3"], ["w0", "b1", "w2", "b3"]], "moves": []}'


def judged(data: bytes, tmp_path: Path) -> list[dict[str, Any]]:
    file = tmp_path / "records"
    file.write_bytes(data)
    printed = Printed()
    assert referee(str(file), EN, printed.out.append, printed.err.append) == Exit.OK
    return [json.loads(line) for line in printed.out]


def move_of(result: dict[str, Any]) -> int | None:
    illegal = result.get("illegal")
    return None if illegal is None else illegal["move"]


@pytest.mark.parametrize(
    ("data", "moves"),
    [
        (RECORD + b"\n" + RECORD + b"\n", [None, None]),
        (RECORD + b"\r\n" + RECORD, [None, None]),
        (b"\xef\xbb\xbf" + RECORD, [None]),
        (RECORD + b"\n\xef\xbb\xbf" + RECORD, [None, -1]),
        (b"\n" + RECORD, [-1, None]),
        (b"\xff\xfe\n" + RECORD, [-1, None]),
        (RECORD.replace(b"moves", b"m\xffoves") + b"\n" + RECORD, [-1, None]),
        (b"{}\x85\x0c\n" + RECORD, [-1, None]),
        (b"", []),
    ],
)
def test_every_line_has_its_result(data: bytes, moves: list[int | None], tmp_path: Path) -> None:
    assert [move_of(result) for result in judged(data, tmp_path)] == moves


@pytest.mark.parametrize("name", [None, "-"])
def test_records_come_from_standard_input(
    name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RECORD)))
    printed = Printed()
    assert referee(name, EN, printed.out.append, printed.err.append) == Exit.OK
    assert "ok" in json.loads(printed.text)


def test_records_that_cannot_be_read_are_an_error(tmp_path: Path) -> None:
    printed = Printed()
    assert referee(str(tmp_path), EN, printed.out.append, printed.err.append) == Exit.ERROR
    assert (printed.out, len(printed.err)) == ([], 1)


def test_an_error_of_the_reader_of_results_is_not_an_error_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "records"
    file.write_bytes(RECORD)

    def full(_line: str) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        referee(str(file), EN, full, full)
