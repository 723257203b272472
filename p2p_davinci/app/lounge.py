"""What somebody at no table is shown: the tables of this network, and games to go on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..console.lobby import Where
from ..console.model import show_found, show_saved
from .desk import Desk
from .finder import Finder, found_rows
from .shelf import Shelf


class Lounge:
    """Keeps in view what can be chosen before a table; ``addresses`` are this program's."""

    def __init__(
        self, desk: Desk, finder: Finder, shelf: Shelf, addresses: Callable[[], Sequence[str]]
    ) -> None:
        self._desk = desk
        self._finder = finder
        self._shelf = shelf
        self._addresses = addresses

    def enter(self) -> None:
        """Tell the tables that answered and the saved games where no screen shows them.

        That there is no table is told in any case, with the usual reasons.
        """
        on_screen = self._desk.model.on_screen
        self.show_saved()
        self.list_tables(asked=not (on_screen and self._finder.hall.tables))
        if not on_screen:
            self._shelf.offer()

    def list_tables(self, *, asked: bool = True, where: Where = "hall") -> None:
        """Take the tables that answered by now; tell them if the player ``asked``."""
        rows, own = found_rows(self._finder.hall.tables), self._addresses()
        self._desk.show(show_found(self._desk.model, rows, own, asked=asked, where=where))

    def show_saved(self) -> None:
        """Take the saved games that are on the disk by now."""
        self._desk.show(show_saved(self._desk.model, self._shelf.kept()))
