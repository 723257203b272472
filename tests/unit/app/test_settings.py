"""What a player told once, and what is made of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2p_davinci.app.settings import Config, load_config, login_name, save_config


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
