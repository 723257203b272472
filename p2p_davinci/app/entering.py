"""Ways to a table: open one and seat bots there, look for one, go to an address."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from protocol import PeerFault, comparison

from ..console.commands import Draft
from ..net.discovery import ManualMode
from ..net.events import Address, DialError
from ..net.mesh import Mesh
from ..session.lobby_events import Leave
from ..session.lobby_state import Lobby, join_table, open_table
from ..session.sheet import Sheet
from ..storage.identity import Identity, IdentityError
from ..storage.saved_games import saved_games
from .card import Card, read_card
from .company import Company
from .crash import system_said
from .finder import Finder, patiently
from .forming import Forming
from .hall import address_text, read_address
from .settings import Exit, Settings
from .spawn import BotPlan, Bots, bots_of

LOOPBACK = "127.0.0.1"


def near_address(mesh: Mesh, interfaces: tuple[str, ...]) -> str:
    """Return where other programs of this machine dial this one (no interfaces: it uses all)."""
    hosts = [host for host, _ in mesh.addresses()]
    everywhere = not interfaces or LOOPBACK in hosts or not hosts
    return address_text((LOOPBACK if everywhere else hosts[0], mesh.port))


class Tell(Protocol):
    """Tells one sentence of the catalogue."""

    def __call__(self, key: str, **values: str | int) -> None:
        """Tell the sentence ``key`` with these values."""


class Explain(Protocol):
    """Tells why something is so, in the most specific sentence there is."""

    def __call__(self, topic: str, reason: str, **values: str | int) -> None:
        """Tell ``reason``, below ``topic``, with these values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteringOutlets:
    """What entering asks of the program.

    ``form`` sits down at a lobby, ``tell`` and ``explain`` tell a sentence, ``list_tables`` the
    tables that were found; ``failed`` is told that there is none to be had, and the exit code that
    this means where no player is there to choose another.
    """

    form: Callable[[Lobby], Forming]
    tell: Tell
    explain: Explain
    list_tables: Callable[[], None]
    failed: Callable[[int], None]


class Entering:
    """Enters tables for one player.

    ``interfaces`` are those it is limited to (none: all); ``alone``: with its own bots only.
    """

    def __init__(
        self,
        settings: Settings,
        identity: Identity,
        name: str,
        *,
        mesh: Mesh,
        company: Company,
        interfaces: tuple[str, ...],
        outlets: EnteringOutlets,
        alone: bool,
    ) -> None:
        self.bots = Bots()
        self._settings = settings
        self._identity = identity
        self.name = name
        self._mesh = mesh
        self._company = company
        self._interfaces = interfaces
        self._outlets = outlets
        self._alone = alone

    def own_addresses(self) -> tuple[str, ...]:
        """Return where others can dial this program."""
        return tuple(address_text(address) for address in self._mesh.addresses())

    # --- opening --------------------------------------------------------------------------------

    def open(
        self, name: str | None, draft: Draft, *, only_bots: bool, former: Sheet | None = None
    ) -> None:
        """Open a table, with a name of its own if none is given, and start the bots for it.

        With the people of ``former`` it gets their order, too, once all of them are there.

        What keeps a bot from being seated is told, and then there is no table.
        """
        addresses = self.own_addresses()
        try:
            plans = self._plan_bots(draft.bots)
        except IdentityError as error:
            self._outlets.explain("identity", error.reason, detail=error.detail)
            self._outlets.failed(Exit.ERROR)
            return
        table = name or "-".join(comparison(os.urandom(32))[0][:2])
        forming = self._outlets.form(
            open_table(
                me=self._identity.public,
                name=self.name,
                addresses=addresses,
                table=table,
                seats=draft.seats,
                options=draft.options,
                entropy=os.urandom,
                reserved=frozenset(plan.key for plan in plans),
            )
        )
        if only_bots:
            self._outlets.tell("app.opened_for_bots", table=table)
        elif addresses:
            self._outlets.tell("app.opened", table=table, address=", ".join(addresses))
        else:
            self._outlets.tell("app.opened_nowhere", table=table)
        if former is not None:
            forming.gather(former)
        forming.show()
        try:
            for plan in plans:
                self._start(plan, table)
        except OSError as error:
            self._outlets.tell("cli.system", detail=system_said(error))
            self._outlets.failed(Exit.ERROR)
            forming.step(Leave())

    def _plan_bots(self, count: int) -> tuple[BotPlan, ...]:
        """Plan bots that no game of this player waits for, be it saved or played right now."""
        settings = self._settings
        games = saved_games(settings.folders)
        seated = {player.key for saved in games for player in saved.contract.players}
        return self.bots.plan(
            settings.folders, count, self.name, settings.bot_cheats, seated=seated
        )

    def _start(self, plan: BotPlan, table: str) -> None:
        self.bots.start(
            plan,
            table=f"{table}/{self._identity.fingerprint}",
            address=near_address(self._mesh, self._interfaces),
            interfaces=self._interfaces,
            pace_s=self._settings.pace_s,
            wait_s=self._settings.wait_s,
        )

    def draft_again(self, former: Sheet) -> Draft:
        """Return the table of before as one to be opened, with as many bots of one's own."""
        bots = bots_of(self._settings.folders, former.keys)
        return Draft(options=former.options, seats=former.seats, bots=len(bots))

    def sit_again(self, former: Sheet) -> None:
        """Ask for a seat at the table that the opener of ``former`` will open once more."""
        self._outlets.form(self._lobby_of(former.opener))
        self._outlets.tell("app.awaits_opener")

    # --- joining --------------------------------------------------------------------------------

    async def join(self, target: str | None, finder: Finder) -> None:
        """Join the table that a command line names: by name, by address, or the only open one."""
        address = None if target is None else read_address(target)
        if address is None:
            address = await self._find(target, finder)
        if address is not None:
            await self.join_at(address)

    async def _find(self, target: str | None, finder: Finder) -> Address | None:
        outlets, fallback = self._outlets, self._settings.fallback
        outlets.tell("app.searching")
        sought = await finder.find(
            target, None if fallback is None else read_address(fallback), self._settings.wait_s
        )
        match sought.addresses:
            case (address,):
                return address
            case ():
                outlets.tell("app.none_found")
                outlets.tell("hall.reasons")
                outlets.failed(Exit.ERROR)
            case _:
                outlets.list_tables()
                outlets.tell("app.several")
                outlets.failed(Exit.USAGE)
        return None

    async def join_at(self, address: Address) -> None:
        """Ask who is there, link, and ask the table's opener for a seat."""
        text = address_text(address)
        try:
            asked = await patiently(lambda: self._mesh.ask(*address))
            card = read_card(asked.card)
            if card is not None and card.opener != self._identity.public:
                await self._sit_down(card, address)
                return
            self._outlets.tell("app.no_table", address=text)
        except DialError as error:
            self.tell_dial(error.reason, text, error.detail)
        except PeerFault:
            self.tell_dial("not_ours", text)
        self._outlets.failed(Exit.ERROR)

    async def _sit_down(self, card: Card, address: Address) -> None:
        self._outlets.form(self._lobby_of(card.opener))
        await patiently(lambda: self._mesh.dial(*address))
        self._company.keep(card.opener, card.addresses)

    def tell_manual(self, manual: ManualMode | None) -> None:
        """Tell that searching does not work, or (``None``) works again, where anybody is sought."""
        if self._alone:
            return
        if manual is None:
            self._outlets.tell("manual.over")
        else:
            self._outlets.explain("manual", manual.reason, detail=manual.detail)

    def _lobby_of(self, opener: bytes) -> Lobby:
        return join_table(
            me=self._identity.public,
            opener=opener,
            name=self.name,
            addresses=self.own_addresses(),
            entropy=os.urandom,
        )

    def tell_dial(self, reason: str, address: str, detail: str = "") -> None:
        """Tell why no link to an address came about."""
        self._outlets.explain("dial", reason, address=address, detail=detail)
