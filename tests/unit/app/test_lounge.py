"""What somebody at no table is told on entering the hall, with a screen and without."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p_davinci.app.lounge import Lounge
from p2p_davinci.console.lobby import Kept
from p2p_davinci.console.model import Model, Told
from tests.unit.app.test_hall import HERE, card

KEPT = Kept(table="lamp", names=("ana", "bo"), when="2026-01-02 20:00")


class Desk:
    """The model and what was told."""

    def __init__(self, *, on_screen: bool) -> None:
        self.model = Model(lang="en", on_screen=on_screen)
        self.told: list[str] = []

    def show(self, told: Told) -> None:
        self.model = told.model
        self.told += told.lines


def entered(*, on_screen: bool, tables: int) -> tuple[Desk, list[str]]:
    """Return the desk after entering, and what the shelf offered by itself."""
    listed = SimpleNamespace(card=card(), address=HERE)
    finder: Any = SimpleNamespace(hall=SimpleNamespace(tables=(listed,) * tables))
    offered: list[str] = []
    shelf: Any = SimpleNamespace(kept=lambda: (KEPT,), offer=lambda: offered.append("saved"))
    desk: Any = Desk(on_screen=on_screen)
    Lounge(desk, finder, shelf, lambda: ("10.0.0.2:4000",)).enter()
    return desk, offered


@pytest.mark.parametrize("on_screen", [True, False])
def test_tables_and_saved_games_are_there_to_be_chosen(on_screen: bool) -> None:
    desk, _ = entered(on_screen=on_screen, tables=2)
    assert len(desk.model.found) == 2
    assert desk.model.saved == (KEPT,)


def test_what_a_screen_shows_is_not_told_besides() -> None:
    desk, offered = entered(on_screen=True, tables=1)
    assert desk.told == offered == []
    desk, offered = entered(on_screen=False, tables=1)
    assert desk.told[0] == "1 table found:"
    assert offered == ["saved"]


def test_that_there_is_no_table_is_told_with_reasons_in_any_case() -> None:
    for on_screen in (True, False):
        desk, _ = entered(on_screen=on_screen, tables=0)
        assert desk.told[0].startswith("No table found yet.")
