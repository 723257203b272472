"""Events of the network on their way: to the table being formed, to the game, to nobody (asyncio).

What is heard depends on where the player is; nothing is decided here about tables or games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from protocol import encode

from ..console.news import show_quiet
from ..net import events as net
from ..net.mesh import Mesh
from ..session import lobby as lobbies
from ..session import wire
from ..session.lobby_events import PeerCame, PeerSaid, PeerWent
from ..storage.identity import fingerprint
from .company import Company
from .desk import Desk
from .forming import Forming
from .hall import address_text
from .playing import Playing
from .returning import Returning

OPENER_GRACE_S = 20.0
"""How long the opener of a table may be away, or silent, before the others give up."""


TOLD_IN_GAME = frozenset({"forgotten", "lost", "left", "silent"})
"""Why a link ended where the console tells it by itself, and what that means for the game."""


@dataclass(slots=True, kw_only=True)
class Whereabouts:
    """Where the player is: at a table being formed, in a game (formed there or not), or nowhere."""

    forming: Forming | None = None
    game: Playing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterOutlets:
    """What routing asks of the program.

    ``refused`` is told why no link came about (reason, host, detail), ``unanswered`` that the
    opener of a table never offered a seat, ``abandoned`` that the opener is gone.
    """

    refused: Callable[[str, str, str], None]
    unanswered: Callable[[], None]
    abandoned: Callable[[], None]


class Router:
    """Takes the mesh's events one after another; ``wait_s``: how long to wait for the lost."""

    def __init__(
        self,
        *,
        mesh: Mesh,
        company: Company,
        returning: Returning,
        desk: Desk,
        at: Whereabouts,
        wait_s: float,
        outlets: RouterOutlets,
    ) -> None:
        self._mesh = mesh
        self._company = company
        self._returning = returning
        self._desk = desk
        self._at = at
        self._grace_s = min(OPENER_GRACE_S, wait_s)
        self._outlets = outlets

    async def run(self) -> None:
        """Route events for ever; cancel it to stop."""
        while True:
            event = await self._mesh.events.get()
            match event:
                case net.PeerUp():
                    self._company.came(event)
                    self._peer_up(event)
                case net.PeerDown():
                    self._company.went(event.peer)
                    if event.reason != "replaced":
                        self._tell_down(event)
                        self._peer_down(event.peer)
                case net.PeerQuiet():
                    self._peer_quiet(event)
                case net.PeerRefused(reason="version"):
                    self._outlets.refused("version", event.host, event.detail)
                case net.Received():
                    self._received(event.peer, event.data)
                case net.Woke() if self._at.game is not None:
                    self._at.game.slept()

    def _peer_up(self, event: net.PeerUp) -> None:
        if self._at.game is None:
            if self._at.forming is not None:
                self._at.forming.step(arrival(event))
        elif self._at.game.seat_of(event.peer) is not None:
            self._returning.met(event)
            self._at.game.linked(event.peer)
            forming = self._at.forming
            ready = None if forming is None else lobbies.ready_again(forming.lobby)
            if ready is not None:
                self._mesh.send(event.peer, ready)

    def _tell_down(self, event: net.PeerDown) -> None:
        """Tell why a link ended, if it was to somebody at the table and that matters here."""
        model, game, forming = self._desk.model, self._at.game, self._at.forming
        if game is not None:
            seat = None if game.over else game.seat_of(event.peer)
        else:
            members = () if forming is None else forming.members
            seat = members.index(event.peer) if event.peer in members else None
        names = model.speech.names
        silent = frozenset({"forgotten"}) if game is None else TOLD_IN_GAME
        if seat is not None and seat < len(names) and event.reason not in silent:
            self._desk.explain("down", event.reason, name=names[seat])

    def _peer_down(self, peer: bytes) -> None:
        if self._at.game is not None:
            if self._at.game.seat_of(peer) is not None:
                self._at.game.unlinked(peer)
        elif self._at.forming is not None:
            self._at.forming.step(PeerWent(peer=peer))
            if self._at.forming is not None and peer == self._at.forming.lobby.opener:
                self.await_opener(self._at.forming)

    def _peer_quiet(self, event: net.PeerQuiet) -> None:
        seat = None if self._at.game is None else self._at.game.seat_of(event.peer)
        # While a resumed game is read back from its log, nobody has a name yet.
        if seat is not None and seat < len(self._desk.model.speech.names):
            self._desk.show(show_quiet(self._desk.model, seat, int(event.silent_s)))

    def _received(self, peer: bytes, data: bytes) -> None:
        game = self._at.game
        kind = wire.kind_of(data)
        if game is not None and kind == "sit":
            self._hear_wish(game, peer, data)
        elif game is not None and kind == "table":
            self._hear_opened(game, peer)
        elif game is not None:
            if game.seat_of(peer) is not None:
                game.received(peer, data)
        elif kind == "at" and not self._awaits(peer):
            # It takes this player for one who is in its game.
            self._mesh.send(peer, wire.decline(data))
        elif self._at.forming is not None:
            self._company.hold(peer, data, self._at.forming.members)
            self._at.forming.step(PeerSaid(peer=peer, data=data))

    def _awaits(self, peer: bytes) -> bool:
        """Whether a game with this peer may begin at any moment."""
        return self._at.forming is not None and peer in self._at.forming.members

    def await_opener(self, forming: Forming, *, patient: bool = False) -> None:
        """Give a table up after a while whose opener is gone, or offers no seat.

        ``patient``: one who is still there may think about the seat as long as it takes.
        """
        loop = asyncio.get_running_loop()
        loop.call_later(self._grace_s, self._check_opener, forming, patient)

    def _check_opener(self, forming: Forming, patient: bool) -> None:
        if self._at.forming is not forming or self._at.game is not None:
            return
        opener = forming.lobby.opener
        linked = self._company.is_linked(opener)
        if forming.view is not None:
            if not linked:
                self._outlets.abandoned()
        elif linked and patient:
            self.await_opener(forming, patient=True)
        else:
            self._outlets.refused("timeout", fingerprint(opener), "")
            self._outlets.unanswered()

    def _hear_wish(self, game: Playing, peer: bytes, data: bytes) -> None:
        """Somebody wants a seat: after the game it can be had, if the table is opened once more."""
        seat = game.seat_of(peer)
        if seat is not None and game.decided and self._desk.model.stays:
            if self._company.wish(peer, data):
                self._desk.tell("app.wants_again", name=self._desk.model.speech.names[seat])
        else:
            self._mesh.send(peer, encode(("refused", "playing")))

    def _hear_opened(self, game: Playing, peer: bytes) -> None:
        """After a game, somebody has opened the table once more."""
        seat = game.seat_of(peer)
        if seat is not None and game.decided and self._desk.model.stays:
            self._desk.tell("app.opened_again", name=self._desk.model.speech.names[seat])


def arrival(event: net.PeerUp) -> PeerCame:
    """Return what a lobby is told of a new link."""
    addresses = tuple(address_text(address) for address in event.addresses)
    return PeerCame(peer=event.peer, name=event.name, addresses=addresses)
