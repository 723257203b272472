from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.console import commands as c
from p2p_davinci.console.bindings import LINES
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.model import Model, ask_name, show_lobby
from tests.unit.console.lobbies import lobby

HALL = Model(lang="en", name="player")


@pytest.mark.parametrize(
    ("line", "look"),
    [
        ("tiles ascii", c.Look(tiles="ascii")),
        ("牌样 block", c.Look(tiles="block")),
        ("theme light", c.Look(theme="light")),
        ("配色 mono", c.Look(theme="mono")),
        ("bell off", c.Look(bell=False)),
        ("bell", c.Look(bell=False)),
        ("铃声 关", c.Look(bell=False)),
    ],
)
def test_the_look_is_changed_at_once_and_handed_on_to_be_kept(line: str, look: c.Look) -> None:
    reply = read_line(HALL, line)
    assert reply.model.look == look
    assert reply.command == c.SetLook(look=look)
    assert reply.how == "seen"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("tiles", "auto, box, block, ascii"),
        ("tiles round", "auto, box, block, ascii"),
        ("theme pink", "dark, light, mono"),
        ("bell loud", "bell on or bell off"),
        ("language martian", "language en"),
        ("name", "one to 16 columns"),
        ("name \u202e", "one to 16 columns"),
    ],
)
def test_what_cannot_be_says_what_can(line: str, why: str) -> None:
    reply = read_line(HALL, line)
    assert reply.command is None
    assert why in reply.lines[0]
    assert "Nothing was sent" in reply.lines[0]


def test_language_alone_is_the_other_one() -> None:
    chinese = read_line(HALL, "language").model
    assert chinese.lang == "zh"
    assert read_line(chinese, "语言").model.lang == "en"


def test_a_name_is_taken_as_it_is_typed_and_cleaned() -> None:
    reply = read_line(HALL, "name  Ana \u202eLovelace-von-Somewhere")
    assert reply.command == c.SetName(name="Ana Lovelace-von")
    assert reply.model.name == "Ana Lovelace-von"


def test_at_a_table_a_name_stays() -> None:
    seated = show_lobby(HALL, lobby()).model
    assert "at a table" in read_line(seated, "name bo").lines[0]


# --- the first start -------------------------------------------------------------------------


def test_the_first_start_asks_for_a_name_and_takes_the_next_line_for_it() -> None:
    asked = ask_name(HALL)
    assert "you are player" in asked.lines[1]
    reply = read_line(asked.model, "help me")
    assert reply.command == c.SetName(name="help me")
    assert not reply.model.naming


def test_an_empty_line_keeps_the_name_that_the_system_has() -> None:
    reply = read_line(ask_name(HALL).model, "")
    assert reply.command == c.SetName(name="player")


def test_a_name_of_nothing_is_asked_for_again() -> None:
    reply = read_line(ask_name(HALL).model, "\u200b")
    assert reply.command is None
    assert reply.model.naming


def test_before_a_name_one_can_leave_and_change_the_language() -> None:
    asked = ask_name(HALL).model
    assert read_line(asked, "quit").command == c.Quit()
    changed = read_line(asked, "language zh")
    assert changed.command == c.SetLanguage(lang="zh")
    assert changed.model.naming


def test_what_one_is_called_is_a_choice_in_the_hall() -> None:
    told = read_line(HALL, "menu").lines
    assert any("Your name: player" in line for line in told)
    assert any(
        "Your name: cleo" in line for line in read_line(replace(HALL, name="cleo"), "menu").lines
    )


@pytest.mark.parametrize("line", [*LINES.values(), "menu", "legal", "帮助", "语言 中文"])
def test_no_key_and_no_command_becomes_a_name(line: str) -> None:
    after = read_line(ask_name(HALL).model, line)
    assert after.model.naming
    assert not isinstance(after.command, c.SetName)


def test_a_name_can_be_told_with_its_verb() -> None:
    assert read_line(ask_name(HALL).model, "name Ana").command == c.SetName(name="Ana")


@pytest.mark.parametrize("line", ["resume 1", "saved", "delete 2", "open", "join 1", "继续 1"])
def test_what_needs_a_name_first_is_not_taken_for_one(line: str) -> None:
    reply = read_line(ask_name(HALL).model, line)
    assert reply.command is None
    assert reply.model.naming
    assert reply.lines[0].startswith("First the name")
