"""The verbs for saved games: saved, resume, delete."""

from __future__ import annotations

import pytest

from p2p_davinci.console import commands as c
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.model import Model, show_lobby
from tests.unit.console.lobbies import lobby

HALL = Model(lang="en")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("saved", c.ListSaved()),
        ("存档", c.ListSaved()),
        ("resume 2", c.ResumeGame(word="2")),
        ("继续2", c.ResumeGame(word="2")),
        ("resume river-lamp", c.ResumeGame(word="river-lamp")),
    ],
)
def test_saved_games_are_listed_and_resumed(line: str, command: c.Command) -> None:
    assert read_line(HALL, line).command == command


@pytest.mark.parametrize("line", ["delete 2", "删除 2"])
def test_deleting_is_asked_first(line: str) -> None:
    asked = read_line(HALL, line)
    assert asked.command is None
    assert "2" in asked.lines[0]
    assert read_line(asked.model, "yes").command == c.DeleteGame(word="2")
    assert read_line(asked.model, "no").command is None


@pytest.mark.parametrize("line", ["resume", "delete"])
def test_which_game_must_be_said(line: str) -> None:
    reply = read_line(HALL, line)
    assert reply.command is None
    assert "Which game?" in reply.lines[0]


@pytest.mark.parametrize("line", ["saved", "resume 1", "delete 1"])
def test_at_a_table_saved_games_wait(line: str) -> None:
    seated = show_lobby(HALL, lobby()).model
    reply = read_line(seated, line)
    assert reply.command is None
    assert "leave it first" in reply.lines[0]
