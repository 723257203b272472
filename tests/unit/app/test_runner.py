"""What the program as a whole comes to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest

from p2p_davinci.app.runner import Program
from p2p_davinci.app.settings import Exit, Folders, Settings
from p2p_davinci.net.identity import load_identity
from p2p_davinci.rules.options import Options


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
    known: Any = SimpleNamespace(**{"finished": False, "cheated": False, **game})
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
