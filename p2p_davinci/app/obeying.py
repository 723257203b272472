"""What the player wants, carried to whom it concerns: the game, the forming table, the hall.

The counterpart of :mod:`.router`, which does that with what the network brings.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ..console import commands
from ..session.events import CallClock, Claim, KeepWaiting, Play, SaveAndStop, Say, VoteOut
from ..storage.saved_games import Saved
from .desk import Desk
from .entering import Entering
from .finder import Finder
from .lounge import Lounge
from .router import Whereabouts
from .shelf import Shelf


@dataclass(frozen=True, slots=True, kw_only=True)
class ObeyingOutlets:
    """What only the program as a whole can do.

    ``named`` takes the name that the player has told, ``open_table`` a table's name (``None``: the
    program finds one) and what it shall be, ``resume`` a saved game (``None``: it was not found,
    and the player knows). ``again`` forms the table of a game that is over once more, ``leave``
    goes back to the hall instead, ``quit`` ends the program.
    """

    named: Callable[[str], None]
    open_table: Callable[[str | None, commands.Draft], None]
    resume: Callable[[Saved | None], None]
    again: Callable[[], Awaitable[None]]
    leave: Callable[[], Awaitable[None]]
    quit: Callable[[], None]


class Obeying:
    """Carries one player's commands out, one after another."""

    def __init__(
        self,
        *,
        desk: Desk,
        at: Whereabouts,
        lounge: Lounge,
        shelf: Shelf,
        entering: Entering,
        finder: Finder,
        outlets: ObeyingOutlets,
    ) -> None:
        self._desk = desk
        self._at = at
        self._lounge = lounge
        self._shelf = shelf
        self._entering = entering
        self._finder = finder
        self._outlets = outlets

    async def run(self) -> None:
        """Obey until the player quits or the input is over."""
        async for command in self._desk.commands():
            await self._obey(command)
        if not self._desk.model.stays:
            self._desk.tell("app.input_over")
        self._outlets.quit()

    async def _obey(self, command: commands.Outward) -> None:
        match command:
            case commands.Quit():
                self._outlets.quit()
            case commands.SetLanguage() | commands.SetLook():
                return
            case commands.SetName(name=name):
                self._outlets.named(name)
            case commands.Rematch() | commands.LeaveGame() if not self._desk.model.log_path:
                self._desk.tell("app.verifying")
            case commands.Rematch():
                await self._outlets.again()
            case commands.LeaveGame():
                await self._outlets.leave()
            case commands.PlayMove() | Say() | CallClock():
                self._obey_in_game(command)
            case VoteOut() | KeepWaiting() | Claim() | SaveAndStop():
                self._obey_in_game(command)
            case (
                commands.FindTables()
                | commands.OpenTable()
                | commands.JoinTable()
                | commands.JoinAddress()
                | commands.ListSaved()
                | commands.ResumeGame()
                | commands.DeleteGame()
            ):
                await self._obey_in_hall(command)
            case _ if self._at.forming is not None:
                self._at.forming.step(command)

    def _obey_in_game(self, command: commands.InGame) -> None:
        if self._at.game is None:
            self._desk.tell("app.no_game")
        elif isinstance(command, commands.PlayMove):
            self._at.game.feed(Play(move=command.move))
        else:
            self._at.game.feed(command)

    async def _obey_in_hall(self, command: commands.Outward) -> None:
        if self._at.forming is not None or self._at.game is not None:
            self._desk.tell("app.seated_already")
            return
        # What the number meant when it was typed, whatever has appeared since.
        shown = self._desk.model.found
        match command:
            case commands.OpenTable(name=name, draft=draft):
                self._outlets.open_table(name, draft)
            case commands.JoinTable(index=index) if index < len(shown):
                await self._entering.join(shown[index].address, self._finder)
            case commands.JoinAddress(host=host, port=port):
                await self._entering.join_at((host, port))
            case commands.ListSaved() | commands.ResumeGame() | commands.DeleteGame():
                self._outlets.resume(self._shelf.obey(command))
                self._lounge.show_saved()
            case _:
                self._lounge.list_tables()
