"""The program that runs: network, worker thread and console around one table (asyncio).

The event loop carries bytes, lines and timers and never proves anything; the worker thread owns
the session. What happens at a table is decided in :mod:`..session`, what is told in
:mod:`..console`; here they are only wired together.
"""

from __future__ import annotations

import asyncio
import contextlib
import os

from protocol import PeerFault, comparison, encode

from ..console import commands
from ..console.choice import choose_shell, open_shell
from ..console.completion import completions
from ..console.dialogue import read_line
from ..console.model import Model, Told, leave_table, show_found, show_lobby
from ..console.news import enter_game, show_game, show_quiet
from ..net import events as net
from ..net.discovery import Discovery
from ..net.identity import Identity
from ..net.known import Address
from ..net.mesh import Mesh
from ..session import lobby as lobbies
from ..session import wire
from ..session.contract import Contract, read_contract
from ..session.events import (
    Blamed,
    CallClock,
    Play,
    Say,
    Stage,
)
from ..session.lobby_events import (
    Leave,
    LobbyView,
    Notice,
    PeerCame,
    PeerSaid,
    PeerWent,
)
from ..text import Words, language
from .card import Card, card_of, read_card, write_card
from .finder import APP_VERSION, CHOICE_S, Finder, chosen_interfaces, found_rows, listening_hosts
from .forming import Forming, FormingOutlets
from .hall import address_text, read_address
from .lessons import aftermath
from .playing import Playing
from .seat import Update
from .settings import Exit, Settings, load_config, login_name
from .spawn import Bots, plan_bots
from .supervisor import ENDING_SIGNALS, INTERRUPT, Supervisor

LOOPBACK = "127.0.0.1"
OPENER_GRACE_S = 20.0
"""How long the opener of a table may be away before the others give up."""
EARLY_MAX = 256
FAREWELL = encode(("bye",))


def run(settings: Settings, identity: Identity) -> int:
    """Run the console, ``play``, ``open`` or ``join`` to its end; return the exit code.

    Raises:
        NoSuchInterface, OSError: the network cannot be used at all.
    """
    return asyncio.run(Program(settings, identity).run())


class Program:
    """One run of the program; everything in here happens in the event loop."""

    def __init__(self, settings: Settings, identity: Identity) -> None:
        self.settings = settings
        self.identity = identity
        config = load_config(settings.folders.config)
        self.name = settings.name or config.name or login_name(os.environ)
        lang = language(settings.lang or config.lang, os.environ)
        self.model = Model(lang=lang, salt=os.urandom(16))
        self.only_bots = settings.command == "play" and settings.bots == settings.seats - 1
        self.interfaces = settings.interfaces
        if self.only_bots and not self.interfaces:
            self.interfaces = (LOOPBACK,)
        stdio = os.isatty(0) and os.isatty(1)
        plain = settings.plain or settings.auto or bool(config.plain)
        self.choice = choose_shell(plain, os.environ, stdio)
        self.shell = open_shell(self.choice, lambda text: completions(self.model.context, text))
        self.mesh = Mesh(identity, name=self.name, app_version=APP_VERSION, card=self._card)
        self.discovery = Discovery(
            chosen_interfaces(self.interfaces), identity.public, version=APP_VERSION
        )
        self.finder = Finder(self.mesh, self.discovery, self._tables_changed)
        self.bots = Bots()
        self.peers: dict[bytes, net.PeerUp] = {}
        self.early: list[tuple[bytes, bytes]] = []
        self.forming: Forming | None = None
        self.game: Playing | None = None
        self.cheated = False

    @property
    def words(self) -> Words:
        """The sentences of the language that is spoken now."""
        return self.model.words

    def tell(self, key: str, **values: str | int) -> None:
        """Tell one sentence of the catalogue."""
        self.shell.tell(self.words.tell(key, **values))

    def _show(self, told: Told) -> None:
        self.model = told.model
        for line in told.lines:
            self.shell.tell(line)

    # --- life ---------------------------------------------------------------------------------

    async def run(self) -> int:
        """Run until the game is over, the player leaves, or a signal comes."""
        self.life = Supervisor(ENDING_SIGNALS | INTERRUPT if self.settings.auto else ENDING_SIGNALS)
        if self.choice.reason is not None and not self.settings.auto:
            self.tell(self.choice.reason)
        try:
            await self.mesh.start(listening_hosts(self.interfaces))
            await self.discovery.start()
            self.life.start(self._pump_mesh())
            self.life.start(self.finder.run())
            if not self.settings.auto:
                self.life.start(self._pump_shell())
            self.life.start(self._begin())
            return await self.life.result()
        finally:
            await self._close()

    async def _close(self) -> None:
        await self.life.cancel()
        over = self.game is not None and self.game.over
        await self.mesh.close(None if over else FAREWELL)
        await self.discovery.close()
        if self.game is not None:
            self.game.close()
        await asyncio.to_thread(self.bots.end)
        self.shell.close()
        # The last line, alone, so that a script can take it.
        path = None if self.game is None else self.game.path
        print(path or self.words.tell("app.no_log"), flush=True)  # noqa: T201

    # --- beginning ----------------------------------------------------------------------------

    async def _begin(self) -> None:
        match self.settings.command:
            case "console":
                await asyncio.sleep(CHOICE_S)
                self._list_tables()
            case "play" | "open":
                await self._open_table(None)
            case "join":
                await self._join(self.settings.target)

    def _own_addresses(self) -> tuple[str, ...]:
        return tuple(address_text(address) for address in self.mesh.addresses())

    def _list_tables(self) -> None:
        rows = found_rows(self.finder.hall.tables)
        self._show(show_found(self.model, rows, self._own_addresses()))

    def _tables_changed(self) -> None:
        manual = self.finder.manual
        if manual is not None and not self.only_bots:
            self.shell.tell(self.words.reason("manual", manual.reason, detail=manual.detail))
        elif self.settings.command == "console" and self.forming is None and self.game is None:
            self._list_tables()

    async def _open_table(self, name: str | None) -> None:
        settings = self.settings
        plans = plan_bots(settings.folders, settings.bots, self.name, settings.bot_cheats)
        table = name or "-".join(comparison(os.urandom(32))[0][:2])
        forming = self._form(
            lobbies.open_table(
                me=self.identity.public,
                name=self.name,
                addresses=self._own_addresses(),
                table=table,
                seats=settings.seats,
                options=settings.options,
                entropy=os.urandom,
                reserved=frozenset(plan.key for plan in plans),
            )
        )
        if self.only_bots:
            self.tell("app.opened_for_bots", table=table)
        else:
            self.tell("app.opened", table=table, address=", ".join(self._own_addresses()))
        forming.show()
        for plan in plans:
            self.bots.start(
                plan,
                table=f"{table}/{self.identity.fingerprint}",
                address=address_text((LOOPBACK, self.mesh.port)),
                interfaces=self.interfaces,
                pace_s=settings.pace_s,
            )
        if plans:
            self.life.start(self._watch_bots())

    async def _watch_bots(self) -> None:
        while self.game is None:
            await asyncio.sleep(1)
            if self.game is None and self.bots.dead():
                self.tell("app.bot_died", folder=str(self.settings.folders.root / "bots"))
                self.life.finish(Exit.ERROR)

    async def _join(self, target: str | None) -> None:
        address = None if target is None else read_address(target)
        if address is None:
            self.tell("app.searching")
            fallback = self.settings.fallback
            sought = await self.finder.find(
                target, None if fallback is None else read_address(fallback), self.settings.wait_s
            )
            if len(sought.addresses) > 1:
                self._list_tables()
                self.tell("app.several")
                self.life.finish(Exit.USAGE)
                return
            if not sought.addresses:
                self.tell("app.none_found")
                self.tell("hall.reasons")
                self.life.finish(Exit.ERROR)
                return
            (address,) = sought.addresses
        await self._join_address(address)

    async def _join_address(self, address: Address) -> None:
        """Ask who is there, link, and ask the table's opener for a seat."""
        try:
            asked = await self.mesh.ask(*address)
            card = read_card(asked.card)
            if card is not None:
                self._form(
                    lobbies.join_table(
                        me=self.identity.public,
                        opener=card.opener,
                        name=self.name,
                        addresses=self._own_addresses(),
                        entropy=os.urandom,
                    )
                )
                await self.mesh.dial(*address)
                self._want(card.opener, card.addresses)
                return
            self.tell("app.no_table", address=address_text(address))
        except net.DialError as error:
            self._tell_dial(error.reason, address_text(address), error.detail)
        except PeerFault:
            self._tell_dial("not_ours", address_text(address), "")
        self.forming = None
        if self.settings.command == "join":
            self.life.finish(Exit.ERROR)

    def _tell_dial(self, reason: str, address: str, detail: str) -> None:
        self.shell.tell(self.words.reason("dial", reason, address=address, detail=detail))

    # --- the network --------------------------------------------------------------------------

    def _card(self) -> bytes:
        shown = None if self.forming is None else self.forming.view
        if shown is None or not shown.members:
            return b""
        return write_card(card_of(shown, playing=self.game is not None))

    def _want(self, peer: bytes, addresses: tuple[str, ...]) -> None:
        read = [read_address(text) for text in addresses]
        with contextlib.suppress(ValueError):
            self.mesh.want(peer, [address for address in read if address is not None])

    async def _pump_mesh(self) -> None:
        while True:
            event = await self.mesh.events.get()
            match event:
                case net.PeerUp():
                    self.peers[event.peer] = event
                    self._peer_up(event)
                case net.PeerDown():
                    self.peers.pop(event.peer, None)
                    if event.reason != "replaced":
                        self._peer_down(event.peer)
                case net.PeerQuiet():
                    self._peer_quiet(event)
                case net.Received():
                    self._received(event.peer, event.data)

    def _peer_up(self, event: net.PeerUp) -> None:
        if self.game is not None:
            if self.game.seat_of(event.peer) is not None:
                self.game.linked(event.peer)
        elif self.forming is not None:
            addresses = tuple(address_text(address) for address in event.addresses)
            self.forming.step(PeerCame(peer=event.peer, name=event.name, addresses=addresses))

    def _peer_down(self, peer: bytes) -> None:
        if self.game is not None:
            if self.game.seat_of(peer) is not None:
                self.game.unlinked(peer)
        elif self.forming is not None:
            self.forming.step(PeerWent(peer=peer))
            if self.forming is not None and peer == self.forming.lobby.opener:
                asyncio.get_running_loop().call_later(OPENER_GRACE_S, self._check_opener)

    def _peer_quiet(self, event: net.PeerQuiet) -> None:
        seat = None if self.game is None else self.game.seat_of(event.peer)
        if seat is not None:
            self._show(show_quiet(self.model, seat, int(event.silent_s)))

    def _received(self, peer: bytes, data: bytes) -> None:
        if self.game is not None:
            if self.game.seat_of(peer) is not None:
                self.game.received(peer, data)
            elif wire.kind_of(data) == "sit":
                self.mesh.send(peer, encode(("refused", "playing")))
        elif self.forming is not None:
            if wire.kind_of(data) in wire.GAME_KINDS and len(self.early) < EARLY_MAX:
                self.early.append((peer, data))
            self.forming.step(PeerSaid(peer=peer, data=data))

    def _check_opener(self) -> None:
        if self.forming is not None and self.game is None:
            opener = self.forming.lobby.opener
            if opener not in self.peers and opener != self.identity.public:
                self._left_table("opener_left")

    # --- the table being formed ---------------------------------------------------------------

    def _form(self, lobby: lobbies.Lobby) -> Forming:
        outlets = FormingOutlets(
            send=self._send,
            want=self._want,
            show=self._show_table,
            agreed=lambda contract: self.life.start(self._play(read_contract(contract))),
            closed=self._left_table,
        )
        at_once = self.settings.auto or self.only_bots
        self.forming = Forming(lobby, outlets, ready_at_once=at_once)
        return self.forming

    def _send(self, peer: bytes | None, data: bytes) -> None:
        for key in tuple(self.peers) if peer is None else (peer,):
            self.mesh.send(key, data)

    def _show_table(self, shown: LobbyView, notices: tuple[Notice, ...]) -> None:
        self._show(show_lobby(self.model, shown, notices))
        if shown.me == shown.opener:
            self.life.start(self._advertise(card_of(shown, playing=False)))

    async def _advertise(self, card: Card) -> None:
        seats = f"{card.members}of{card.seats}"
        await self.discovery.advertise(
            self.mesh.port, table=card.table, state=card.state, seats=seats
        )

    def _left_table(self, reason: str) -> None:
        self.forming = None
        self._show(leave_table(self.model, reason))
        if self.settings.command != "console":
            self.life.finish(Exit.UNFINISHED)

    # --- the game -----------------------------------------------------------------------------

    async def _play(self, contract: Contract) -> None:
        """Play a game from its contract to its end."""
        self.model = enter_game(self.model, contract.options)
        self.game = Playing(
            self.settings, self.identity.private, contract, self.mesh.send, self._show_update
        )
        early, self.early = tuple(self.early), []
        try:
            verdict = await self.game.run(tuple(self.peers), early)
        except OSError as error:
            self.tell("app.disk", detail=str(error))
            self.life.finish(Exit.ERROR)
            return
        self.tell("app.verified", verdict=self.words.tell(f"app.verdict.{verdict.status}"))
        if self.game.view is not None and self.game.view.stage is Stage.OVER:
            self.life.finish(Exit.OK)
        self.life.finish(Exit.CHEAT if self.cheated else Exit.UNFINISHED)

    def _show_update(self, update: Update) -> None:
        self.cheated = self.cheated or any(isinstance(e, Blamed) for e in update.events)
        self._show(show_game(self.model, update.events, update.view))
        for line in aftermath(self.model.speech, self.settings.bot_cheats, update):
            self.shell.tell(line)

    # --- the player ---------------------------------------------------------------------------

    async def _pump_shell(self) -> None:
        async for line in self.shell.lines():
            reply = read_line(self.model, line)
            self._show(Told(model=reply.model, lines=reply.lines))
            if reply.command is not None:
                await self._obey(reply.command)
        self._quit()

    async def _obey(self, command: commands.Outward) -> None:
        match command:
            case commands.Quit():
                self._quit()
            case commands.SetLanguage():
                return
            case commands.PlayMove() | Say() | CallClock():
                self._obey_in_game(command)
            case (
                commands.FindTables()
                | commands.OpenTable()
                | commands.JoinTable()
                | commands.JoinAddress()
            ):
                await self._obey_in_hall(command)
            case _ if self.forming is not None:
                self.forming.step(command)

    def _obey_in_game(self, command: commands.PlayMove | Say | CallClock) -> None:
        if self.game is None:
            self.tell("app.no_game")
        elif isinstance(command, commands.PlayMove):
            self.game.feed(Play(move=command.move))
        else:
            self.game.feed(command)

    async def _obey_in_hall(self, command: commands.Outward) -> None:
        if self.forming is not None:
            self.tell("app.seated_already")
            return
        tables = self.finder.hall.tables
        match command:
            case commands.OpenTable(name=name):
                await self._open_table(name)
            case commands.JoinTable(index=index) if index < len(tables):
                await self._join_address(tables[index].address)
            case commands.JoinAddress(host=host, port=port):
                await self._join_address((host, port))
            case _:
                self._list_tables()

    def _quit(self) -> None:
        if self.game is not None:
            self.life.finish(Exit.UNFINISHED)
        elif self.forming is not None and self.game is None:
            self.forming.step(Leave())
        self.life.finish(Exit.OK)
