"""Where files lie."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from p2p_davinci.storage.folders import DATA_VARIABLE, PROGRAM, Folders, folders


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
