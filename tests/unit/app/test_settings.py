"""Where files lie, what a player told once, and what is made of it."""

from __future__ import annotations

import json
from pathlib import Path

import platformdirs
import pytest

from p2p_davinci.app.settings import (
    DATA_VARIABLE,
    PROGRAM,
    Config,
    Folders,
    folders,
    load_config,
    login_name,
    save_config,
)


def test_a_folder_that_is_named_comes_before_the_environments(tmp_path: Path) -> None:
    environ = {DATA_VARIABLE: str(tmp_path / "environment")}
    assert folders(str(tmp_path / "named"), environ).root == tmp_path / "named"
    assert folders(None, environ).root == tmp_path / "environment"
    assert folders("", environ).root == tmp_path / "environment"


def test_without_a_choice_the_platforms_place_is_taken() -> None:
    place = platformdirs.user_data_path(PROGRAM, appauthor=False)
    assert folders(None, {}).root == place
    assert folders(None, {DATA_VARIABLE: ""}).root == place


def test_a_relative_folder_is_kept_wherever_the_program_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert folders("here", {}).root == tmp_path / "here"


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert folders("~/games", {}).root == tmp_path / "games"


def test_everything_lies_below_the_root_and_a_bots_below_its_own(tmp_path: Path) -> None:
    own = Folders(root=tmp_path)
    assert own.logs == tmp_path / "logs"
    assert own.identity == tmp_path / "identity"
    assert own.bot("ada").logs == tmp_path / "bots" / "ada" / "logs"
    places = [own.identity, own.logs, own.secrets, own.config, own.crashes]
    assert len(set(places)) == len(places)
    assert all(place.parent == tmp_path for place in places)


@pytest.mark.parametrize(
    "config",
    [Config(), Config(name="安娜", lang="zh", plain=True), Config(name="bo", plain=False)],
)
def test_preferences_come_back_as_they_were_saved(config: Config, tmp_path: Path) -> None:
    path = tmp_path / "not" / "yet" / "config.json"
    save_config(path, config)
    assert load_config(path) == config


@pytest.mark.parametrize(
    "stored", [b"", b"[]", b"{", b"\xff", b"null", b'{"name": 5, "lang": [], "plain": 1}']
)
def test_preferences_that_cannot_be_read_count_as_never_told(stored: bytes, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(stored)
    assert load_config(path) == Config()
    assert load_config(tmp_path / "missing") == Config()


def test_one_damaged_preference_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"name": "ana", "lang": 1, "more": True}), "utf-8")
    assert load_config(path) == Config(name="ana")


@pytest.mark.parametrize("name", ["", " ", "\u202e"])
def test_a_name_that_nobody_can_have_counts_as_never_told(name: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"name": name, "lang": "zh"}), "utf-8")
    assert load_config(path) == Config(lang="zh")


def test_a_name_that_is_too_long_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"name": "安" * 40}), "utf-8")
    cut = load_config(path).name
    assert cut is not None
    assert cut.startswith("安")
    assert len(cut.encode()) <= 64
    assert login_name({"USER": "安" * 40}) == cut


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        ({"USER": "ana", "USERNAME": "other"}, "ana"),
        ({"USER": "", "USERNAME": "bo"}, "bo"),
        ({}, "player"),
        ({"USER": "\u202e", "USERNAME": ""}, "player"),
    ],
)
def test_who_never_told_a_name_is_called_as_the_system_does(
    environ: dict[str, str], name: str
) -> None:
    assert login_name(environ) == name
