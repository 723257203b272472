"""Which bots are planned for a table, and that no two tables plan the same ones."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p_davinci.app import spawn
from p2p_davinci.app.spawn import Bots
from p2p_davinci.storage.folders import Folders
from p2p_davinci.storage.identity import IdentityError, load_identity


@pytest.fixture
def own(tmp_path: Path) -> Folders:
    return Folders(root=tmp_path)


def folder_names(bots: Bots, own: Folders) -> list[str]:
    return [plan.folders.root.name for plan in bots.plan(own, 2, "Ada")]


def test_bots_are_named_unlike_the_player_and_the_first_one_cheats(own: Folders) -> None:
    plans = Bots().plan(own, 3, "Bob", "lie")
    assert [(plan.name, plan.cheat) for plan in plans] == [
        ("ada", "lie"),
        ("cleo", None),
        ("dora", None),
    ]


def test_two_tables_of_one_player_plan_different_bots_before_any_of_them_runs(own: Folders) -> None:
    first, second = Bots(), Bots()
    mine, others = first.plan(own, 2, "ana"), second.plan(own, 2, "ana")
    assert [plan.name for plan in mine] == [plan.name for plan in others] == ["ada", "bob"]
    assert [plan.folders.root.name for plan in others] == ["ada-2", "bob-2"]
    assert len({plan.key for plan in (*mine, *others)}) == 4
    for plan in mine:
        bot = load_identity(plan.folders.identity)
        assert bot.public == plan.key
        bot.close()
    first.end(at_once=True)
    assert [plan.key for plan in Bots().plan(own, 2, "ana")] == [plan.key for plan in mine]


def test_bots_that_were_never_started_or_have_ended_are_planned_again(own: Folders) -> None:
    bots = Bots()
    assert folder_names(bots, own) == folder_names(bots, own) == ["bob", "cleo"]
    running, _ = bots.plan(own, 2, "ada")
    exits: list[int | None] = [None]
    process: Any = SimpleNamespace(poll=lambda: exits[0])
    bots._running[running.key] = process
    assert folder_names(bots, own) == ["bob-2", "cleo"]
    exits[0] = 0
    assert folder_names(bots, own) == ["bob", "cleo"]


def test_a_bot_that_sits_in_another_game_is_planned_only_if_there_is_no_other(
    own: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spawn, "FOLDERS_MAX", 3)
    seated: list[bytes] = []
    planned: list[tuple[str, str]] = []
    for _ in range(4):
        bots = Bots()
        (plan,) = bots.plan(own, 1, "ana", seated=seated)
        bots.end(at_once=True)
        planned.append((plan.name, plan.folders.root.name))
        seated.append(plan.key)
    assert planned == [("ada", "ada"), ("ada", "ada-2"), ("ada", "ada-3"), ("ada", "ada")]
    first, second = Bots(), Bots()
    first.plan(own, 1, "ana", seated=seated)
    (plan,) = second.plan(own, 1, "ana", seated=seated)
    assert plan.key == seated[1]


def test_a_player_has_only_so_many_bots_of_a_name(
    own: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spawn, "FOLDERS_MAX", 1)
    first = Bots()
    first.plan(own, 1, "ana")
    with pytest.raises(IdentityError) as caught:
        Bots().plan(own, 1, "ana")
    assert caught.value.reason == "in-use"


def started(own: Folders, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, dict[str, Any]]:
    """Start a bot that is no process; return its folder and how the process would be started."""
    how: dict[str, Any] = {}

    def process(_command: list[str], **options: Any) -> object:
        how.update(options)
        os.write(options["stdout"].fileno(), b"b3 w5")
        return SimpleNamespace(poll=lambda: 0)

    monkeypatch.setattr(subprocess, "Popen", process)
    bots = Bots()
    (plan,) = bots.plan(own, 1, "ana")
    bots.start(plan, table="t", address="127.0.0.1:1", interfaces=(), pace_s=0.0, wait_s=1.0)
    return plan.folders.root, how


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("left", [False, True])
def test_what_a_bot_says_can_be_read_by_its_owner_alone(
    own: Folders, monkeypatch: pytest.MonkeyPatch, left: bool
) -> None:
    output = own.bot("ada").root / "output.txt"
    if left:
        output.parent.mkdir(parents=True)
        output.write_bytes(b"what was said in a game of before")
        output.chmod(0o644)
    started(own, monkeypatch)
    assert output.read_bytes() == b"b3 w5"
    assert stat.S_IMODE(output.stat().st_mode) == 0o600


def test_an_interrupt_at_the_players_terminal_does_not_reach_a_bot(
    own: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) == spawn.OWN_GROUP
    monkeypatch.setattr(spawn, "OWN_GROUP", 0x200)
    _, how = started(own, monkeypatch)
    assert how["start_new_session"]
    assert how["creationflags"] == 0x200
