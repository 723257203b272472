"""The peers around a table: who is linked, whom to keep linked, what they said too early.

Bookkeeping over the mesh. What peers say is read elsewhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection

from ..net.events import Address, PeerUp
from ..net.mesh import Mesh
from ..session import wire
from .hall import read_address

EARLY_MAX = 256
"""How many messages of a game are kept that come before the game has begun here."""


SEEN_MAX = 128
"""How many peers' advertised addresses are remembered."""


class Company:
    """Links for one table after another."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._linked: dict[bytes, PeerUp] = {}
        self._kept: set[bytes] = set()
        self._early: list[tuple[bytes, bytes]] = []
        self._wishes: dict[bytes, bytes] = {}
        self._spared: frozenset[bytes] = frozenset()
        self._seen: dict[bytes, tuple[Address, ...]] = {}

    @property
    def linked(self) -> tuple[PeerUp, ...]:
        """The peers to whom a link stands, as they introduced themselves."""
        return tuple(self._linked.values())

    def is_linked(self, peer: bytes) -> bool:
        """Tell whether a link to this peer stands."""
        return peer in self._linked

    def came(self, event: PeerUp) -> None:
        """Take note of a link."""
        self._linked[event.peer] = event

    def went(self, peer: bytes) -> None:
        """Take note that a link is gone."""
        self._linked.pop(peer, None)

    def send(self, peer: bytes | None, data: bytes) -> None:
        """Send to one peer, or to all that are linked (``None``)."""
        for key in tuple(self._linked) if peer is None else (peer,):
            self._mesh.send(key, data)

    def keep(self, peer: bytes, addresses: Collection[str]) -> None:
        """Keep a link to a peer, whose addresses (``HOST:PORT``) it told itself."""
        read = [read_address(text) for text in addresses]
        told = [address for address in read if address is not None]
        # It may name ourselves; that is its own mistake.
        with contextlib.suppress(ValueError):
            self._mesh.want(peer, [*self._seen.get(peer, ()), *told])
            self._kept.add(peer)

    def seen(self, peer: bytes, addresses: tuple[Address, ...]) -> None:
        """Take a hint where somebody is; who is kept is dialled there."""
        self._seen.pop(peer, None)
        self._seen[peer] = addresses
        if len(self._seen) > SEEN_MAX:
            del self._seen[next(iter(self._seen))]
        if peer in self._kept and not self.is_linked(peer):
            self._mesh.want(peer, addresses)

    def spare(self, peers: Collection[bytes]) -> None:
        """Keep links to these too, until the table is left: they may sit down once more."""
        self._spared = frozenset(peers)

    def keep_only(self, peers: Collection[bytes]) -> None:
        """Let go of everybody who was kept and is none of these."""
        for peer in self._kept - self._spared - set(peers):
            self._kept.discard(peer)
            self._mesh.forget(peer)

    def part(self) -> None:
        """Let go of everybody: the table is left."""
        self._spared = frozenset()
        self.keep_only(())
        for peer in tuple(self._linked):
            self._mesh.forget(peer)
        self._early.clear()
        self._wishes.clear()

    # --- what came too early --------------------------------------------------------------------

    def hold(self, peer: bytes, data: bytes, members: Collection[bytes]) -> None:
        """Keep a message of a game that has not begun here, if a member sent it."""
        held = peer in members and wire.kind_of(data) in wire.GAME_KINDS
        if held and len(self._early) < EARLY_MAX:
            self._early.append((peer, data))

    def wish(self, peer: bytes, data: bytes) -> bool:
        """Keep the wish for a seat that comes before there is a table; return whether it is new."""
        new = peer not in self._wishes
        self._wishes[peer] = data
        return new

    def take_wishes(self) -> tuple[tuple[bytes, bytes], ...]:
        """Return what was wished, with its senders, and forget it."""
        wishes = tuple(self._wishes.items())
        self._wishes.clear()
        return wishes

    def take_early(self) -> tuple[tuple[bytes, bytes], ...]:
        """Return what was held, with its senders, and forget it."""
        early = tuple(self._early)
        self._early.clear()
        return early
