"""The program that runs: network, worker thread and console around one table (asyncio).

The event loop carries bytes, lines and timers and never proves anything; the worker thread owns
the session. What happens at a table is decided in :mod:`..session`, what is told in
:mod:`..console`; here they are only wired together.
"""

from __future__ import annotations

import asyncio
import os

from protocol import encode

from ..console import commands
from ..console.choice import choose_shell, open_shell
from ..console.completion import completions
from ..console.dialogue import read_line
from ..console.model import Model, Told, leave_table, show_found, show_lobby
from ..console.news import enter_game, show_game, show_quiet
from ..net import events as net
from ..net.discovery import Discovery
from ..net.identity import Identity, fingerprint
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
from ..session.resuming import CannotResume
from ..text import Words, language
from .card import card_of, plain_word, write_card
from .company import Company
from .entering import LOOPBACK, Entering, EnteringOutlets
from .finder import APP_VERSION, CHOICE_S, Finder, chosen_interfaces, found_rows, listening_hosts
from .forming import Forming, FormingOutlets
from .hall import address_text
from .lessons import aftermath
from .playing import Playing
from .returning import Returning, only_bots
from .saved import Saved
from .seat import Update
from .settings import Exit, Settings, load_config, login_name
from .shelf import Shelf
from .supervisor import ENDING_SIGNALS, INTERRUPT, Supervisor

OPENER_GRACE_S = 20.0
"""How long the opener of a table may be away, or silent, before the others give up."""
NOT_SEATED = frozenset({"full", "declined", "playing"})
"""Why a table is closed to somebody who never played there."""
FAREWELL = encode(("bye",))


def run(settings: Settings, identity: Identity, saved: Saved | None = None) -> int:
    """Run the console, ``play``, ``open``, ``join`` or ``resume`` to its end; return the exit code.

    ``saved`` is the game to resume, and ``identity`` the one that plays it.

    Raises:
        NoSuchInterface, OSError: the network cannot be used at all.
    """
    return asyncio.run(Program(settings, identity, saved).run())


class Program:
    """One run of the program; everything in here happens in the event loop."""

    def __init__(self, settings: Settings, identity: Identity, saved: Saved | None = None) -> None:
        self.settings = settings
        self.identity = identity
        self.saved = saved
        config = load_config(settings.folders.config)
        self.name = settings.name or config.name or login_name(os.environ)
        lang = language(settings.lang or config.lang, os.environ)
        self.model = Model(lang=lang, salt=os.urandom(16))
        self.only_bots = only_bots(settings, saved)
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
        self.finder = Finder(
            self.mesh,
            self.discovery,
            changed=self._tables_changed,
            manual=lambda manual: self.entering.tell_manual(manual),
            seen=lambda seen: self.company.seen(seen.identity, seen.addresses),
        )
        self.company = Company(self.mesh)
        self.entering = Entering(
            settings,
            identity,
            self.name,
            mesh=self.mesh,
            company=self.company,
            interfaces=self.interfaces,
            outlets=EnteringOutlets(
                form=self._form,
                tell=self.tell,
                explain=self.explain,
                list_tables=self._list_tables,
                failed=self._entered_none,
            ),
            alone=self.only_bots,
        )
        self.returning = Returning(
            settings,
            mesh=self.mesh,
            company=self.company,
            discovery=self.discovery,
            bots=self.entering.bots,
            interfaces=self.interfaces,
        )
        self.shelf = Shelf(settings.folders, identity.public, lambda: self.words, self.shell.tell)
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

    def explain(self, topic: str, reason: str, **values: str | int) -> None:
        """Tell why something is so."""
        self.shell.tell(self.words.reason(topic, reason, **values))

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
        ended = asyncio.to_thread(self.entering.bots.end, at_once=not over)
        farewell = None if over else FAREWELL
        await asyncio.gather(self.mesh.close(farewell), self.discovery.close(), ended)
        if self.game is not None:
            self.game.close()
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
                self.shelf.offer()
            case "play" | "open":
                self._open_table(None)
            case "resume":
                self._resume(self.saved)
            case "join":
                await self.entering.join(self.settings.target, self.finder)

    def _list_tables(self) -> None:
        rows = found_rows(self.finder.hall.tables)
        self._show(show_found(self.model, rows, self.entering.own_addresses()))

    def _tables_changed(self) -> None:
        if self.settings.command == "console" and self.forming is None and self.game is None:
            self._list_tables()

    def _resume(self, saved: Saved | None) -> None:
        if saved is not None:
            addresses = ", ".join(self.entering.own_addresses())
            self.returning.begin(saved, addresses, self.tell, self.life.start)
            self.life.start(self._play(saved.contract, saved))

    def _open_table(self, name: str | None) -> None:
        self.entering.open(name, only_bots=self.only_bots)
        self.life.start(self._watch_bots())

    async def _watch_bots(self) -> None:
        """End the program if a bot ends before the game, unless it was sent away."""
        while self.game is None:
            await asyncio.sleep(1)
            declined = frozenset[bytes]() if self.forming is None else self.forming.lobby.declined
            if self.game is None and self.entering.bots.dead() - declined:
                self.tell("app.bot_died", folder=str(self.settings.folders.root / "bots"))
                self.life.finish(Exit.ERROR)

    def _entered_none(self, code: int) -> None:
        self.forming = None
        self.company.part()
        if self.settings.command != "console":
            self.life.finish(code)

    # --- the network --------------------------------------------------------------------------

    def _card(self) -> bytes:
        shown = None if self.forming is None else self.forming.view
        if shown is None or not shown.members:
            return b""
        return write_card(card_of(shown, playing=self.game is not None))

    async def _pump_mesh(self) -> None:
        while True:
            event = await self.mesh.events.get()
            match event:
                case net.PeerUp():
                    self.company.came(event)
                    self._peer_up(event)
                case net.PeerDown():
                    self.company.went(event.peer)
                    if event.reason != "replaced":
                        self._peer_down(event.peer)
                case net.PeerQuiet():
                    self._peer_quiet(event)
                case net.PeerRefused(reason="version"):
                    self.entering.tell_dial("version", event.host, event.detail)
                case net.Received():
                    self._received(event.peer, event.data)

    def _peer_up(self, event: net.PeerUp) -> None:
        if self.game is None:
            if self.forming is not None:
                self.forming.step(_came(event))
        elif self.game.seat_of(event.peer) is not None:
            self.returning.met(event)
            self.game.linked(event.peer)
            ready = None if self.forming is None else lobbies.ready_again(self.forming.lobby)
            if ready is not None:
                self.mesh.send(event.peer, ready)

    def _peer_down(self, peer: bytes) -> None:
        if self.game is not None:
            if self.game.seat_of(peer) is not None:
                self.game.unlinked(peer)
        elif self.forming is not None:
            self.forming.step(PeerWent(peer=peer))
            if self.forming is not None and peer == self.forming.lobby.opener:
                self._await_opener(self.forming)

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
            self.company.hold(peer, data, self.forming.members)
            self.forming.step(PeerSaid(peer=peer, data=data))

    def _await_opener(self, forming: Forming) -> None:
        asyncio.get_running_loop().call_later(OPENER_GRACE_S, self._check_opener, forming)

    def _check_opener(self, forming: Forming) -> None:
        """Give a table up whose opener is gone, or never offered a seat."""
        if self.forming is not forming or self.game is not None:
            return
        if forming.view is None:
            self.entering.tell_dial("timeout", fingerprint(forming.lobby.opener))
            self._entered_none(Exit.ERROR)
        elif not self.company.is_linked(forming.lobby.opener):
            self._left_table("opener_left")

    # --- the table being formed ---------------------------------------------------------------

    def _form(self, lobby: lobbies.Lobby) -> Forming:
        outlets = FormingOutlets(
            send=self.company.send,
            want=self.company.keep,
            show=self._show_table,
            agreed=lambda contract: self.life.start(self._play(read_contract(contract))),
            closed=self._left_table,
        )
        at_once = self.settings.auto or self.only_bots
        forming = self.forming = Forming(lobby, outlets, ready_at_once=at_once)
        for event in self.company.linked:
            forming.step(_came(event))
        if forming.view is None:
            self._await_opener(forming)
        return forming

    def _show_table(self, shown: LobbyView, notices: tuple[Notice, ...]) -> None:
        self._show(show_lobby(self.model, shown, notices))
        self.company.keep_only([member.key for member in shown.members])
        self._advertise(shown)

    def _advertise(self, shown: LobbyView) -> None:
        if shown.me == shown.opener:
            card = card_of(shown, playing=self.game is not None)
            told = self.discovery.advertise(
                self.mesh.port,
                table=plain_word(card.table),
                state=card.state,
                seats=f"{card.members}of{card.seats}",
            )
            self.life.start(told)

    def _left_table(self, reason: str) -> None:
        self.forming = None
        self._show(leave_table(self.model, reason))
        self.company.part()
        if self.settings.command != "console":
            self.life.finish(Exit.ERROR if reason in NOT_SEATED else Exit.UNFINISHED)
        else:
            self.life.start(self.discovery.withdraw())

    # --- the game -----------------------------------------------------------------------------

    async def _play(self, contract: Contract, saved: Saved | None = None) -> None:
        """Play a game to its end, from its contract or from where ``saved`` stopped."""
        self.model = enter_game(self.model, contract.options)
        game = self.game = Playing(
            self.settings, self.identity.private, contract, self.mesh.send, self._show_update
        )
        self.finder.resting = True
        self.returning.stay(contract, lambda: game.over, self.life.start)
        linked = [event.peer for event in self.company.linked]
        try:
            verdict = await self.game.run(linked, self.company.take_early(), saved)
        except OSError as error:
            self.tell("app.disk", detail=str(error))
            self.life.finish(Exit.ERROR)
            return
        except CannotResume as error:
            self.explain("resume", error.reason, detail=error.detail)
            self.life.finish(Exit.CHEAT if error.reason == "void" else Exit.ERROR)
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
                | commands.ListSaved()
                | commands.ResumeGame()
                | commands.DeleteGame()
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
        if self.forming is not None or self.game is not None:
            self.tell("app.seated_already")
            return
        tables = self.finder.hall.tables
        match command:
            case commands.OpenTable(name=name):
                self._open_table(name)
            case commands.JoinTable(index=index) if index < len(tables):
                await self.entering.join_at(tables[index].address)
            case commands.JoinAddress(host=host, port=port):
                await self.entering.join_at((host, port))
            case commands.ListSaved() | commands.ResumeGame() | commands.DeleteGame():
                self._resume(self.shelf.obey(command))
            case _:
                self._list_tables()

    def _quit(self) -> None:
        if self.game is None and self.forming is not None:
            self.forming.step(Leave())
        unplayed = self.game is not None or self.settings.command != "console"
        self.life.finish(Exit.UNFINISHED if unplayed else Exit.OK)


def _came(event: net.PeerUp) -> PeerCame:
    addresses = tuple(address_text(address) for address in event.addresses)
    return PeerCame(peer=event.peer, name=event.name, addresses=addresses)
