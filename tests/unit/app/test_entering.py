"""Opening a table whose bots cannot be seated: told in a sentence, and the program goes on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p_davinci.app.entering import Entering, EnteringOutlets
from p2p_davinci.app.seat import Seat
from p2p_davinci.app.settings import Exit, Settings
from p2p_davinci.app.spawn import BotPlan, Bots
from p2p_davinci.console.commands import Draft
from p2p_davinci.rules.options import Options
from p2p_davinci.session.lobby_events import Leave
from p2p_davinci.storage.folders import Folders
from p2p_davinci.storage.identity import KEY_FILE, load_identity
from p2p_davinci.storage.saved_games import delete, saved_games
from protocol import Signer
from tests.support.table import contract_for


class Hall:
    """What the program is told by somebody who enters a table."""

    def __init__(self, folder: Path) -> None:
        self.told: list[str] = []
        self.failed: list[int] = []
        self.steps: list[object] = []
        self.folders = Folders(root=folder)
        forming: Any = SimpleNamespace(show=lambda: None, step=self.steps.append)
        mesh: Any = SimpleNamespace(addresses=lambda: (), port=1)
        self.identity = load_identity(self.folders.identity)
        self.entering = Entering(
            Settings(command="console", folders=self.folders, options=Options()),
            self.identity,
            "ana",
            mesh=mesh,
            company=mesh,
            interfaces=(),
            outlets=EnteringOutlets(
                form=lambda _lobby: forming,
                tell=lambda key, **_values: self.told.append(key),
                explain=lambda topic, reason, **_values: self.told.append(f"{topic}.{reason}"),
                list_tables=lambda: None,
                failed=self.failed.append,
            ),
            alone=True,
        )

    def open(self) -> None:
        self.entering.open("t", Draft(options=Options(), seats=2, bots=1), only_bots=True)


def test_a_bot_whose_key_is_damaged_leaves_the_player_in_the_hall(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    key = hall.folders.bot("ada").identity / KEY_FILE
    key.parent.mkdir(parents=True)
    key.write_bytes(b"not a key")
    hall.open()
    assert (hall.told, hall.failed, hall.steps) == (["identity.damaged"], [Exit.ERROR], [])


def test_a_bot_that_cannot_be_started_leaves_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_values: object) -> None:
        raise OSError(11, "no more processes")

    hall = Hall(tmp_path)
    monkeypatch.setattr(Bots, "start", refuse)
    hall.open()
    assert hall.told == ["app.opened_for_bots", "cli.system"]
    assert (hall.failed, hall.steps) == ([Exit.ERROR], [Leave()])


def play_with(hall: Hall, bot: BotPlan) -> None:
    """Begin a game with a bot, and leave it on the disk."""
    other = load_identity(bot.folders.identity)
    contract = contract_for((Signer(hall.identity.private), Signer(other.private)))
    other.close()
    seat = Seat(
        private=hall.identity.private, wait_s=60, send=lambda *_: None, wake=lambda _at_s: None
    )
    seat.start(hall.folders, "game", contract, 0, 0.0)
    seat.close()


def test_the_bot_of_a_game_that_is_not_over_is_left_to_that_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[BotPlan] = []
    monkeypatch.setattr(Bots, "start", lambda _self, plan, **_values: started.append(plan))
    hall = Hall(tmp_path)
    hall.open()
    play_with(hall, started[0])
    hall.open()
    delete(*saved_games(hall.folders))
    hall.open()
    assert [plan.folders.root.name for plan in started] == ["ada", "ada-2", "ada"]
    assert {plan.name for plan in started} == {"ada"}
