"""What is asked on the command line becomes settings, or a sentence why not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p_davinci.app.settings import WAIT_S, Exit, Settings
from p2p_davinci.cli import COMMANDS, CONSOLE, main
from p2p_davinci.rules.options import Options, options_from
from p2p_davinci.storage.folders import Folders
from p2p_davinci.storage.identity import load_identity
from p2p_davinci.text import Lang, Words

from .conftest import Runs

LANGS: tuple[Lang, ...] = ("en", "zh")
EN = Words("en")

pytestmark = pytest.mark.usefixtures("own_data")


def plain_settings(root: Path) -> Settings:
    return Settings(command="console", folders=Folders(root=root), options=Options())


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ([], {}),
        (["--plain", "--name", "ana"], {"plain": True, "name": "ana"}),
        (["play"], {"command": "play", "bots": 1, "seats": 2}),
        (["play", "--bots", "3"], {"command": "play", "bots": 3, "seats": 4}),
        (["play", "--bots", "0"], {"command": "play", "bots": 0, "seats": 2}),
        (["play", "--seats", "4"], {"command": "play", "bots": 1, "seats": 4}),
        (["play", "--auto"], {"command": "play", "bots": 1, "auto": True}),
        (
            ["play", "--auto", "--pace", "0.25"],
            {"command": "play", "bots": 1, "auto": True, "pace_s": 0.25},
        ),
        (["open"], {"command": "open", "bots": 0, "seats": 2}),
        (["open", "--bots", "2"], {"command": "open", "bots": 2, "seats": 3}),
        (["open", "--seats", "3"], {"command": "open", "bots": 0, "seats": 3}),
        (["open", "--wait", "5"], {"command": "open", "wait_s": 5.0}),
        (
            ["open", "--interface", "lo", "--interface", "127.0.0.1"],
            {"command": "open", "interfaces": ("lo", "127.0.0.1")},
        ),
        (["join"], {"command": "join", "target": None, "wait_s": WAIT_S}),
        (["join", "river-lamp"], {"command": "join", "target": "river-lamp"}),
        (["join", "--wait", "1", "[::1]:40000"], {"target": "[::1]:40000", "wait_s": 1.0}),
        (
            ["join", "river-lamp/abcd", "--address", "127.0.0.1:1"],
            {"target": "river-lamp/abcd", "fallback": "127.0.0.1:1"},
        ),
        (["--plain", "--lang", "zh", "join"], {"command": "join", "plain": True, "lang": "zh"}),
        (["open", "--name", " ana\u202e  b "], {"command": "open", "name": "ana b"}),
        (
            ["open", "--rules", "tournament", "--option", "rounds=2", "--option", "tie=extra"],
            {"options": options_from("tournament", {"rounds": "2", "tie": "extra"})},
        ),
        (
            ["open", "--option", "clock=60+20"],
            {"options": options_from("classic", {"clock": "60+20"})},
        ),
    ],
)
def test_what_is_asked_becomes_settings(
    typed: list[str], changes: dict[str, Any], runs: Runs, own_data: Path
) -> None:
    assert main(typed) == Exit.OK
    command = next((word for word in typed if word in COMMANDS), CONSOLE)
    expected = replace(plain_settings(own_data), **{"command": command, **changes})
    assert runs.settings == [expected]


def test_a_data_folder_is_used_wherever_it_stands(tmp_path: Path, runs: Runs) -> None:
    main(["--data", str(tmp_path / "a"), "play"])
    main(["play", "--data", str(tmp_path / "b")])
    assert [s.folders.root.name for s in runs.settings] == ["a", "b"]
    assert len(set(runs.keys)) == 2


@pytest.mark.parametrize("code", [Exit.OK, Exit.ERROR, Exit.UNFINISHED, Exit.CHEAT])
def test_the_programs_exit_code_is_the_commands(code: Exit, runs: Runs) -> None:
    runs.exit = code
    assert main(["play"]) == code


def test_the_identity_is_free_again_after_the_program(runs: Runs, own_data: Path) -> None:
    main(["play"])
    again = load_identity(own_data / "identity")
    assert (again.public, again.folder) == (runs.keys[0], own_data / "identity")
    again.close()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("typed", "key"),
    [
        (["nonsense"], "cli.no_command"),
        (["console"], "cli.no_command"),
        (["--rules", "classic"], "cli.late_option"),
        (["--what", "classic"], "cli.no_command"),
        (["play", "river-lamp"], "cli.left_over"),
        (["play", "--what"], "cli.left_over"),
        (["play", "--bot", "1"], "cli.left_over"),
        (["--what"], "cli.left_over"),
        (["--what", "play"], "cli.left_over"),
        (["--name", "ana", "verify", "x"], "cli.left_over"),
        (["join", "one", "two"], "cli.left_over"),
        (["join", "one", "--", "two"], "cli.left_over"),
        (["join", "--rules", "classic"], "cli.left_over"),
        (["show", "one", "two"], "cli.left_over"),
        (["referee", "--json"], "cli.left_over"),
        (["verify"], "cli.file_missing"),
        (["show", "--json"], "cli.file_missing"),
        (["play", "--bots"], "cli.bad_use"),
        (["play", "--pace", "-inf"], "cli.bad_use"),
        (["verify", "--json=yes", "x"], "cli.bad_use"),
        (["play", "--bots", "4"], "cli.whole"),
        (["play", "--bots", "-1"], "cli.whole"),
        (["play", "--bots", "1.0"], "cli.whole"),
        (["play", "--bots", "１"], "cli.whole"),
        (["play", "--bots", "9" * 5000], "cli.whole"),
        (["play", "--seats", "1"], "cli.whole"),
        (["open", "--seats", "5"], "cli.whole"),
        (["play", "--bots", "3", "--seats", "3"], "cli.bots"),
        (["open", "--bots", "2", "--seats", "2"], "cli.bots"),
        (["play", "--pace", "1"], "cli.pace"),
        (["play", "--auto", "--pace", "nan"], "cli.seconds"),
        (["play", "--auto", "--pace", "-1"], "cli.seconds"),
        (["join", "--wait", "inf"], "cli.seconds"),
        (["join", "--wait", "1e9"], "cli.seconds"),
        (["join", "--wait", "soon"], "cli.seconds"),
        (["play", "--wait", "0"], "cli.seconds"),
        (["resume", "--wait", "0.99"], "cli.seconds"),
        (["tables", "--wait", "-1"], "cli.seconds"),
        (["join", "here:0"], "cli.address"),
        (["join", "::1:5"], "cli.address"),
        (["join", "--address", "here"], "cli.address"),
        (["open", "--name", ""], "cli.name"),
        (["open", "--name", "\u200b\u202e"], "cli.name"),
        (["open", "--name", "a\u0301\u0323" * 16], "cli.name"),
        (["open", "--option", "jokers"], "cli.option_form"),
        (["open", "--option", "jokers=no", "--option", "jokers=yes"], "cli.option_twice"),
        (["open", "--rules", "poker"], "option.unknown_preset"),
        (["open", "--option", "wild=yes"], "option.unknown_option"),
        (["open", "--option", "jokers=maybe"], "option.bad_value"),
        (["open", "--option", "rounds=2"], "option.rounds_need_scoring"),
        (["open", "--option", "backs=hidden"], "option.hidden_needs_colour"),
        (["open", "--option", "clock=0+5"], "option.clock_zero"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    typed: list[str], key: str, lang: Lang, runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lang", lang, *typed]) == Exit.USAGE
    out, err = capsys.readouterr()
    assert (out, runs.settings) == ("", [])
    start = Words(lang)._catalogue[key].partition("{")[0]
    assert start in err
    assert "{" not in err


def test_a_language_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--lang", "fr"]) == Exit.USAGE
    assert EN.tell("cli.lang", lang="fr") in capsys.readouterr().err


def test_files_may_stand_around_options_and_behind_two_dashes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "a", "--json", "b", "--", "-c", "--json"]) == Exit.ERROR
    out = capsys.readouterr().out
    assert [json.loads(line)["file"] for line in out.splitlines()] == ["a", "b", "-c", "--json"]
