"""Back to a saved game: who plays it, where they may be, and the bots among them.

The others are looked for at the addresses where they were last met, by what they advertise, and at
an address that the player gives; which of them comes first does not matter.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any, TypeAlias

from ..console.clean import NAME_WIDTH_MAX, clean
from ..net.discovery import Discovery
from ..net.events import Address, DialError, PeerUp
from ..net.mesh import Mesh
from ..session.contract import Contract
from ..session.lobby_events import Member
from ..storage.folders import Folders
from ..storage.known_peers import KnownPeers, Standing
from ..storage.saved_games import Saved
from .card import plain_word
from .company import Company
from .entering import Tell, near_address
from .hall import address_text, read_address
from .settings import Settings
from .spawn import BotPlan, Bots, bots_of

Start: TypeAlias = Callable[[Coroutine[Any, Any, None]], None]
"""Runs a task beside the others of the program."""

BOT_AGAIN_S = 3.0
"""How often a bot that ended without coming back is started again."""
BOT_STARTS_MAX = 30
DIAL_AGAIN_S = 2.0
SEEN_MAX = 128
"""Of how many people at tables it is remembered that they were seen in this run."""


class Memory:
    """Where players were met; a convenience that no failure of the disk may disturb."""

    def __init__(self, folders: Folders) -> None:
        self._known: KnownPeers | None = None
        with contextlib.suppress(OSError):
            self._known = KnownPeers(folders.peers)

    def met(self, event: PeerUp) -> None:
        """Write down where a player was met."""
        if self._known is not None:
            with contextlib.suppress(OSError):
                self._known.remember(event.name, event.peer, event.addresses)

    def is_other(self, member: Member) -> bool:
        """Tell whether somebody else was met under this name, and never this one."""
        if self._known is not None:
            with contextlib.suppress(OSError):
                return self._known.standing(member.name, member.key) is Standing.OTHER_KEY
        return False

    def where(self, key: bytes) -> tuple[Address, ...]:
        """Return where a player was last met."""
        if self._known is not None:
            with contextlib.suppress(OSError):
                met = self._known.peers()
                return next((peer.addresses for peer in met if peer.key == key), ())
        return ()


class Returning:
    """Brings the players of a game together, and again whenever they lost each other."""

    def __init__(
        self,
        settings: Settings,
        *,
        mesh: Mesh,
        company: Company,
        discovery: Discovery,
        bots: Bots,
        interfaces: tuple[str, ...],
    ) -> None:
        self._settings = settings
        self._mesh = mesh
        self._company = company
        self._discovery = discovery
        self._bots = bots
        self._interfaces = interfaces
        self._memory = Memory(settings.folders)
        self._seen: tuple[bytes, ...] = ()

    def met(self, event: PeerUp) -> None:
        """Write down where a player of the game was met."""
        self._memory.met(event)

    def suspects(self, members: Sequence[Member]) -> tuple[int, ...]:
        """Return the seats of those, seen here for the first time, whose name was another's."""
        keys = [member.key for member in members]
        new = [seat for seat, key in enumerate(keys) if key not in self._seen]
        before = [key for key in self._seen if key not in keys]
        # An opener can seat ever new people; whoever is there now is always kept.
        self._seen = (*before, *keys)[-SEEN_MAX:]
        return tuple(seat for seat in new if self._memory.is_other(members[seat]))

    def begin(self, saved: Saved, addresses: str, tell: Tell, start: Start) -> None:
        """Keep links to all other players of a saved game; ``addresses`` are this program's."""
        names = ", ".join(clean(name, NAME_WIDTH_MAX) for name in saved.names)
        table = clean(saved.contract.table, NAME_WIDTH_MAX)
        tell("resume.begins", table=table, names=names)
        if addresses and not only_bots(self._settings, saved):
            tell("resume.dial", addresses=addresses)
        if saved.torn_bytes:
            tell("resume.mended", bytes=saved.torn_bytes)
        others = [player.key for player in saved.contract.players if player.key != saved.key]
        for key in others:
            self._company.keep(key, [address_text(a) for a in self._memory.where(key)])
        fallback = self._settings.fallback
        address = None if fallback is None else read_address(fallback)
        if address is not None:
            start(self._dial(address, others))

    def stay(self, contract: Contract, over: Callable[[], bool], start: Start) -> None:
        """Let the other players of a game find this program, and keep the player's bots alive."""
        players = [player.key for player in contract.players]
        for event in self._company.linked:
            if event.peer in players:
                self._memory.met(event)
        seats = f"{len(players)}of{len(players)}"
        table = plain_word(contract.table)
        start(self._discovery.advertise(self._mesh.port, table=table, state="playing", seats=seats))
        start(self._keep_bots(contract, over))

    async def _dial(self, address: Address, players: Collection[bytes]) -> None:
        while not all(map(self._company.is_linked, players)):
            with contextlib.suppress(DialError):
                await self._mesh.dial(*address)
                return
            await asyncio.sleep(DIAL_AGAIN_S)

    async def _keep_bots(self, contract: Contract, over: Callable[[], bool]) -> None:
        """Start the player's own bots among the players whenever one of them is not there."""
        plans = bots_of(self._settings.folders, [player.key for player in contract.players])
        for _ in range(BOT_STARTS_MAX):
            gone = [plan for plan in plans if not self._is_there(plan)]
            while not gone and not over():
                await asyncio.sleep(BOT_AGAIN_S)
                gone = [plan for plan in plans if not self._is_there(plan)]
            if over():
                return
            for plan in gone:
                # The player's own game goes on; another start is tried in a moment.
                with contextlib.suppress(OSError):
                    self._resume_bot(plan, contract)
            await asyncio.sleep(BOT_AGAIN_S)

    def _resume_bot(self, plan: BotPlan, contract: Contract) -> None:
        self._bots.resume(
            plan,
            game=contract.hash.hex(),
            address=near_address(self._mesh, self._interfaces),
            interfaces=self._interfaces,
            pace_s=self._settings.pace_s,
            wait_s=self._settings.wait_s,
        )

    def _is_there(self, plan: BotPlan) -> bool:
        return self._bots.runs(plan.key) or self._company.is_linked(plan.key)


def only_bots(settings: Settings, saved: Saved | None) -> bool:
    """Tell whether only the player's own bots take part, so nobody else need be found."""
    if saved is None:
        return settings.command == "play" and settings.bots == settings.seats - 1
    keys = [player.key for player in saved.contract.players if player.key != saved.key]
    return len(bots_of(settings.folders, keys)) == len(keys)
