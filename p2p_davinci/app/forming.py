"""A table being formed, at one member: the lobby's effects carried out, one input after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from protocol import encode

from ..session import lobby as lobbies
from ..session.contract import Contract
from ..session.lobby_events import (
    Agreed,
    Closed,
    LobbyInput,
    LobbyView,
    Notice,
    SetOrder,
    SetReady,
    SetYoungest,
    Tell,
    Want,
)
from ..session.lobby_state import Lobby, lobby_view
from ..session.sheet import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class FormingOutlets:
    """Where a lobby's effects go.

    ``send`` takes a peer (``None``: all that are linked) and bytes, ``want`` a member and its
    addresses, ``show`` a view and notices, ``agreed`` a contract, ``closed`` a reason.
    """

    send: Callable[[bytes | None, bytes], None]
    want: Callable[[bytes, tuple[str, ...]], None]
    show: Callable[[LobbyView, tuple[Notice, ...]], None]
    agreed: Callable[[Contract], None]
    closed: Callable[[str], None]


class Forming:
    """A lobby and its outlets; ``ready_at_once``: say ready whenever the table is full."""

    def __init__(self, lobby: Lobby, outlets: FormingOutlets, *, ready_at_once: bool) -> None:
        self.lobby = lobby
        self._outlets = outlets
        self._ready_at_once = ready_at_once
        self._former: Sheet | None = None

    @property
    def view(self) -> LobbyView | None:
        """What there is to show, ``None`` before the opener has shown the table."""
        return lobby_view(self.lobby)

    @property
    def members(self) -> tuple[bytes, ...]:
        """The keys of those at the table."""
        return () if self.lobby.sheet is None else self.lobby.sheet.keys

    def gather(self, former: Sheet) -> None:
        """Show the table that one opens to the people of ``former``, who may sit down again."""
        self._former = former
        if self.lobby.sheet is not None:
            shown = encode(("table", *self.lobby.sheet.fields()))
            for key in former.keys:
                if key != self.lobby.me:
                    self._outlets.send(key, shown)

    def step(self, given: LobbyInput) -> None:
        """Take one input and carry out what follows."""
        self.lobby, effects = lobbies.step(self.lobby, given)
        for effect in effects:
            match effect:
                case Tell(data=data, peer=peer):
                    self._outlets.send(peer, data)
                case Want(peer=peer, addresses=addresses):
                    self._outlets.want(peer, addresses)
        self.show(tuple(effect for effect in effects if isinstance(effect, Notice)))
        for effect in effects:
            match effect:
                case Agreed(contract=contract):
                    self._outlets.agreed(contract)
                case Closed(reason=reason):
                    self._outlets.closed(reason)

    def show(self, notices: tuple[Notice, ...] = ()) -> None:
        """Show the table as it stands, and say ready for it where that needs no asking."""
        shown = self.view
        if shown is None or self.lobby.done:
            return
        self._outlets.show(shown, notices)
        self._seat_as_before(shown)
        full = len(shown.members) == shown.seats
        if self._ready_at_once and full and not self.lobby.agrees:
            self.step(SetReady())

    def _seat_as_before(self, shown: LobbyView) -> None:
        """Propose the order of a table of before once the same people are there."""
        former = self._former
        keys = [member.key for member in shown.members]
        if former is None or set(keys) != set(former.keys):
            return
        self._former = None
        if tuple(keys) != former.keys:
            self.step(SetOrder(order=former.keys))
        if former.youngest is not None:
            self.step(SetYoungest(member=former.youngest))
