"""What the program as a whole comes to."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.app.runner import Program
from p2p_davinci.app.settings import Exit, Settings
from p2p_davinci.cli import main
from p2p_davinci.rules.options import Options
from p2p_davinci.storage import identity as identities
from p2p_davinci.storage.folders import Folders
from p2p_davinci.storage.identity import load_identity
from p2p_davinci.storage.saved_games import saved_games
from p2p_davinci.text import Words
from tests.support.saved import begun, keep_identity, put

EN = Words("en")


class Life:
    """What is left of a run: its exit code, of which the first word counts."""

    def __init__(self) -> None:
        self.codes: list[int] = []

    def finish(self, code: int) -> None:
        self.codes.append(code)


def program_of(folder: Path, life: Life, command: Literal["console", "play"] = "play") -> Program:
    """Return a program that is at no table, and on no network."""
    folders = Folders(root=folder)
    program = Program(
        Settings(command=command, folders=folders, options=Options(), plain=True, bots=1),
        load_identity(folders.identity),
    )
    stand_in: Any = life
    program.life = stand_in
    return program


@pytest.mark.parametrize("command", ["console", "play"])
@pytest.mark.parametrize(
    ("game", "before", "code"),
    [
        ({"over": True, "cheated": True}, None, Exit.CHEAT),
        ({"over": True, "cheated": True}, Exit.OK, Exit.CHEAT),
        ({"over": False, "cheated": True}, None, Exit.CHEAT),
        ({"over": False}, None, Exit.UNFINISHED),
        ({"over": True, "finished": True, "cheated": True}, None, Exit.OK),
        ({"over": True, "finished": True, "cheated": True, "convicted": True}, None, Exit.CHEAT),
    ],
)
def test_who_quits_before_the_log_is_verified_gets_the_code_of_what_is_known(
    tmp_path: Path,
    command: Literal["console", "play"],
    game: dict[str, bool],
    before: int | None,
    code: int,
) -> None:
    life = Life()
    program = program_of(tmp_path, life, command)
    known: Any = SimpleNamespace(
        **{"finished": False, "cheated": False, "convicted": False, **game}
    )
    program.at.game, program.code = known, before
    program._quit()
    assert life.codes[0] == code


def test_who_quits_after_the_log_is_verified_gets_what_it_came_to(tmp_path: Path) -> None:
    life = Life()
    program = program_of(tmp_path, life)
    claimed: Any = SimpleNamespace(over=True, finished=False, cheated=True)
    program.at.game, program.code = claimed, Exit.OK
    program.desk.model = replace(program.desk.model, log_path="game.log")
    program._quit()
    assert life.codes[0] == Exit.OK


@pytest.fixture
def stopped(own_data: Path) -> Path:
    """The log of a saved game."""
    folders, private = Folders(root=own_data), Ed25519PrivateKey.generate()
    keep_identity(folders, private)
    return put(folders, begun(private), "stopped")


RESUME = ("resume", "--plain", "--interface", "127.0.0.1")


def test_on_a_full_disk_a_saved_game_stays_saved_and_room_is_asked_for(
    stopped: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "disk full")

    monkeypatch.setattr(identities, "write_private", refuse)
    assert main(RESUME) == Exit.ERROR
    told = capsys.readouterr()
    full = EN.tell("app.disk", detail="disk full")
    assert told.out.splitlines()[-3:] == [full, EN.tell("app.saved"), str(stopped)]
    assert told.err == ""


def test_another_refusal_of_the_system_is_told_and_the_game_stays_saved(
    stopped: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object) -> None:
        raise OSError(errno.EIO, "disk broken")

    monkeypatch.setattr(identities, "write_private", refuse)
    assert main(RESUME) == Exit.ERROR
    told = capsys.readouterr()
    assert told.out.splitlines()[-2:] == [EN.tell("app.saved"), str(stopped)]
    assert "disk broken" in told.err


def test_a_game_whose_log_is_still_read_is_saved_and_one_that_cannot_go_on_is_not(
    stopped: Path,
) -> None:
    folders = Folders(root=stopped.parents[1])
    program = program_of(folders.root, Life())
    assert not program._is_saved
    program.saved = saved_games(folders)[0]
    assert program._is_saved
    unread: Any = SimpleNamespace(view=None, finished=False, contract=None, close=lambda: None)
    program.at.game = unread
    assert program._is_saved
    # That is what comes of a game that cannot be resumed.
    program._leave_game()
    assert not program._is_saved
    program.saved = saved_games(folders)[0]
    program.saved.secrets.unlink()
    assert not program._is_saved
