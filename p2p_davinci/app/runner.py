"""The program that runs: network, worker thread and console around one table (asyncio).

The event loop carries bytes, lines and timers and never proves anything; the worker thread owns
the session. What happens at a table is decided in :mod:`..session`, what is told in
:mod:`..console`; here they are only wired together.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from protocol import PeerFault, comparison, encode

from ..console import commands
from ..console.choice import choose_shell, open_shell
from ..console.completion import completions
from ..console.dialogue import read_line
from ..console.model import Model, Told, leave_table, show_found, show_lobby
from ..console.news import enter_game, show_game, show_quiet
from ..net import events as net
from ..net.discovery import Discovery
from ..net.identity import Identity, fingerprint
from ..net.known import Address
from ..net.mesh import Mesh
from ..session import lobby as lobbies
from ..session import wire
from ..session.contract import Contract, read_contract
from ..session.events import (
    Blamed,
    CallClock,
    Event,
    GameView,
    Input,
    LinkDown,
    LinkUp,
    Play,
    Received,
    Say,
    Stage,
    Tick,
)
from ..session.lobby_events import (
    Agreed,
    Closed,
    Leave,
    LobbyEffect,
    LobbyInput,
    LobbyView,
    Notice,
    PeerCame,
    PeerSaid,
    PeerWent,
    SetReady,
    Tell,
    Want,
)
from ..text import Words, language
from .card import Card, read_card, write_card
from .finder import APP_VERSION, Finder, chosen_interfaces, found_rows, listening_hosts
from .hall import address_text, read_address
from .seat import Seat, Update, verify_file
from .settings import Settings, load_config
from .spawn import Bots, plan_bots

LOOPBACK = "127.0.0.1"
FALLBACK_S = 6.0
"""How long a table is looked for before the address given with it is dialled."""
CHOICE_S = 1.5
"""How long other tables may still appear before the only one is taken."""
OPENER_GRACE_S = 20.0
"""How long the opener of a table may be away before the others give up."""
EARLY_MAX = 256
EXIT_OK, EXIT_ERROR, EXIT_USAGE, EXIT_UNFINISHED, EXIT_CHEAT = 0, 1, 2, 3, 4
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
        self.name = settings.name or config.name or _login_name()
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
        self.pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="session")
        self.peers: dict[bytes, net.PeerUp] = {}
        self.early: list[tuple[bytes, bytes]] = []
        self.lobby: lobbies.Lobby | None = None
        self.seat: Seat | None = None
        self.contract: Contract | None = None
        self.game: GameView | None = None
        self.inputs: asyncio.Queue[Input] = asyncio.Queue()
        self.log_path: Path | None = None
        self.planned: tuple[int, int] | None = None
        self.tasks: set[asyncio.Task[Any]] = set()

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
        self.loop = asyncio.get_running_loop()
        self.done: asyncio.Future[int] = self.loop.create_future()
        self._catch_signals()
        if self.choice.reason is not None and not self.settings.auto:
            self.tell(self.choice.reason)
        try:
            await self.mesh.start(listening_hosts(self.interfaces))
            await self.discovery.start()
            self.start(self._pump_mesh())
            self.start(self.finder.run())
            if not self.settings.auto:
                self.start(self._pump_shell())
            self.start(self._begin())
            return await self.done
        finally:
            await self._close()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task beside the others; if it fails, so does the program."""
        task = self.loop.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if task.cancelled() or self.done.done():
            return
        error = task.exception()
        if error is not None:
            self.done.set_exception(error)

    def finish(self, code: int) -> None:
        """End the program with this exit code; the first word counts."""
        if not self.done.done():
            self.done.set_result(code)

    def _catch_signals(self) -> None:
        caught = {"SIGTERM": 143, "SIGHUP": 129}
        if self.settings.auto:
            caught["SIGINT"] = 130
        for name, code in caught.items():
            # Windows has no loop handlers: there the process simply ends, and its links with it.
            with contextlib.suppress(NotImplementedError, AttributeError):
                self.loop.add_signal_handler(getattr(signal, name), self.finish, code)

    async def _close(self) -> None:
        for task in list(self.tasks):
            task.cancel()
        if self.tasks:
            await asyncio.wait(list(self.tasks))
        over = self.game is not None and self.game.stage in (Stage.OVER, Stage.HALTED)
        await self.mesh.close(None if over else FAREWELL)
        await self.discovery.close()
        self.pool.shutdown(wait=True)
        if self.seat is not None:
            self.seat.close()
        await asyncio.to_thread(self.bots.end)
        self.shell.close()
        # The last line, alone, so that a script can take it.
        print(self.log_path or self.words.tell("app.no_log"), flush=True)  # noqa: T201

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
        elif self.settings.command == "console" and self.lobby is None and self.game is None:
            self._list_tables()

    async def _open_table(self, name: str | None) -> None:
        settings = self.settings
        plans = plan_bots(settings.folders, settings.bots, self.name)
        table = name or "-".join(comparison(os.urandom(32))[0][:2])
        self.lobby = lobbies.open_table(
            me=self.identity.public,
            name=self.name,
            addresses=self._own_addresses(),
            table=table,
            seats=settings.seats,
            options=settings.options,
            entropy=os.urandom,
            reserved=frozenset(plan.key for plan in plans),
        )
        self.tell("app.opened", table=table, address=", ".join(self._own_addresses()))
        self._lobby_changed(())
        state, seats = self._advert()
        await self.discovery.advertise(self.mesh.port, table=table, state=state, seats=seats)
        for plan in plans:
            self.bots.start(
                plan,
                table=f"{table}/{self.identity.fingerprint}",
                address=address_text((LOOPBACK, self.mesh.port)),
                interfaces=self.interfaces,
                pace_s=settings.pace_s,
            )
        if plans:
            self.start(self._watch_bots())

    async def _watch_bots(self) -> None:
        while self.game is None or self.game.stage not in (Stage.OVER, Stage.HALTED):
            await asyncio.sleep(1)
            if self.lobby is not None and self.game is None and self.bots.dead():
                self.tell("app.bot_died", folder=str(self.settings.folders.root / "bots"))
                self.finish(EXIT_ERROR)

    async def _join(self, target: str | None) -> None:
        address = None if target is None else read_address(target)
        if address is not None:
            await self._join_address(address)
            return
        self.tell("app.searching")
        fallback = None if self.settings.fallback is None else read_address(self.settings.fallback)
        since_s = time.monotonic()
        while time.monotonic() - since_s < self.settings.wait_s:
            await asyncio.sleep(0.1)
            hall = self.finder.hall
            tables = hall.open_tables if target is None else hall.named(target)
            waited_s = time.monotonic() - since_s
            if tables and (target is not None or waited_s >= CHOICE_S):
                if len(tables) == 1:
                    await self._join_address(tables[0].address)
                else:
                    self._list_tables()
                    self.tell("app.several")
                    self.finish(EXIT_USAGE)
                return
            if fallback is not None and waited_s >= FALLBACK_S:
                await self._join_address(fallback)
                return
        self.tell("app.none_found")
        self.tell("hall.reasons")
        self.finish(EXIT_ERROR)

    async def _join_address(self, address: Address) -> None:
        """Ask who is there, link, and ask the table's opener for a seat."""
        try:
            asked = await self.mesh.ask(*address)
            card = read_card(asked.card)
            if card is not None:
                self.lobby = lobbies.join_table(
                    me=self.identity.public,
                    opener=card.opener,
                    name=self.name,
                    addresses=self._own_addresses(),
                    entropy=os.urandom,
                )
                await self.mesh.dial(*address)
                self._want(card.opener, card.addresses)
                return
            self.tell("app.no_table", address=address_text(address))
        except net.DialError as error:
            self._tell_dial(error.reason, address_text(address), error.detail)
        except PeerFault:
            self._tell_dial("not_ours", address_text(address), "")
        self.lobby = None
        if self.settings.command == "join":
            self.finish(EXIT_ERROR)

    def _tell_dial(self, reason: str, address: str, detail: str) -> None:
        self.shell.tell(self.words.reason("dial", reason, address=address, detail=detail))

    # --- the network --------------------------------------------------------------------------

    def _card(self) -> bytes:
        shown = None if self.lobby is None else lobbies.view(self.lobby)
        if shown is None or not shown.members:
            return b""
        opener = next((m for m in shown.members if m.key == shown.opener), shown.members[0])
        return write_card(
            Card(
                table=shown.table,
                opener=shown.opener,
                opener_name=opener.name,
                state="playing" if self.game else "open" if _free(shown) else "full",
                members=len(shown.members),
                seats=shown.seats,
                options=shown.options,
                addresses=opener.addresses,
            )
        )

    def _advert(self) -> tuple[str, str]:
        card = read_card(self._card())
        return ("open", "") if card is None else (card.state, f"{card.members}of{card.seats}")

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
                case net.PeerQuiet() if (seat := self._seat_of(event.peer)) is not None:
                    self._show(show_quiet(self.model, seat, int(event.silent_s)))
                case net.Received():
                    self._received(event.peer, event.data)

    def _peer_up(self, event: net.PeerUp) -> None:
        seat = self._seat_of(event.peer)
        if seat is not None:
            self.inputs.put_nowait(LinkUp(seat=seat))
        elif self.lobby is not None:
            addresses = tuple(address_text(address) for address in event.addresses)
            self._step_lobby(PeerCame(peer=event.peer, name=event.name, addresses=addresses))

    def _peer_down(self, peer: bytes) -> None:
        seat = self._seat_of(peer)
        if seat is not None:
            self.inputs.put_nowait(LinkDown(seat=seat))
        elif self.lobby is not None:
            self._step_lobby(PeerWent(peer=peer))
            if self.lobby is not None and peer == self.lobby.opener:
                self.loop.call_later(OPENER_GRACE_S, self._check_opener)

    def _check_opener(self) -> None:
        if self.lobby is not None and self.contract is None:
            opener = self.lobby.opener
            if opener not in self.peers and opener != self.identity.public:
                self._leave_lobby("opener_left")

    def _received(self, peer: bytes, data: bytes) -> None:
        seat = self._seat_of(peer)
        if seat is not None:
            self.inputs.put_nowait(Received(seat=seat, data=data))
        elif self.contract is not None:
            if wire.kind_of(data) == "sit":
                self.mesh.send(peer, encode(("refused", "playing")))
        elif self.lobby is not None:
            if wire.kind_of(data) in wire.GAME_KINDS and len(self.early) < EARLY_MAX:
                self.early.append((peer, data))
            self._step_lobby(PeerSaid(peer=peer, data=data))

    def _seat_of(self, peer: bytes) -> int | None:
        if self.contract is None:
            return None
        keys = [player.key for player in self.contract.players]
        return keys.index(peer) if peer in keys else None

    # --- the table being formed ---------------------------------------------------------------

    def _step_lobby(self, given: LobbyInput) -> None:
        if self.lobby is None:
            return
        self.lobby, effects = lobbies.step(self.lobby, given)
        self._carry_out(effects)

    def _carry_out(self, effects: tuple[LobbyEffect, ...]) -> None:
        notices = tuple(effect for effect in effects if isinstance(effect, Notice))
        for effect in effects:
            match effect:
                case Tell(data=data, peer=None):
                    for peer in self.peers:
                        self.mesh.send(peer, data)
                case Tell(data=data, peer=bytes(peer)):
                    self.mesh.send(peer, data)
                case Want(peer=peer, addresses=addresses):
                    self._want(peer, addresses)
        self._lobby_changed(notices)
        for effect in effects:
            if isinstance(effect, Agreed):
                self.start(self._play(read_contract(effect.contract)))
            elif isinstance(effect, Closed):
                self._leave_lobby(effect.reason)

    def _lobby_changed(self, notices: tuple[Notice, ...]) -> None:
        shown = None if self.lobby is None else lobbies.view(self.lobby)
        if shown is None or self.lobby is None or self.contract is not None:
            return
        self._show(show_lobby(self.model, shown, notices))
        if shown.me == shown.opener:
            state, seats = self._advert()
            self.start(self.discovery.update(state=state, seats=seats))
        me = next((member for member in shown.members if member.key == shown.me), None)
        ready_at_once = self.settings.auto or self.only_bots
        if me is not None and ready_at_once and not me.ready and not _free(shown):
            self._step_lobby(SetReady())

    def _leave_lobby(self, reason: str) -> None:
        self.lobby = None
        self._show(leave_table(self.model, reason))
        if self.settings.command != "console":
            self.finish(EXIT_UNFINISHED)

    # --- the game -----------------------------------------------------------------------------

    async def _play(self, contract: Contract) -> None:
        """Play a game from its contract to its end."""
        self.contract = contract
        keys = [player.key for player in contract.players]
        self.model = enter_game(self.model, contract.options)
        self.seat = Seat(
            private=self.identity.private,
            wait_s=self.settings.wait_s,
            send=lambda data, seat: self._from_worker(lambda: self._send(data, seat)),
            wake=lambda at_s: self._from_worker(lambda: self._wake(at_s)),
        )
        stem = f"{time.strftime('%Y%m%d-%H%M%S')}-{contract.table}-{fingerprint(keys[0])[:4]}"
        mine = keys.index(self.identity.public)
        self.log_path, update = await self._work(
            lambda seat: seat.start(
                self.settings.folders, f"{stem}-{mine + 1}", contract, mine, time.monotonic()
            )
        )
        for seat, key in enumerate(keys):
            if key not in self.peers and seat != mine:
                self.inputs.put_nowait(LinkDown(seat=seat))
        for peer, data in self.early:
            if peer in keys:
                self.inputs.put_nowait(Received(seat=keys.index(peer), data=data))
        self.early.clear()
        while not await self._updated(update):
            given = await self.inputs.get()
            update = await self._work(_stepping(given))

    async def _work(self, job: Callable[[Seat], Any]) -> Any:
        seat = self.seat
        if seat is None:
            raise RuntimeError("no game")
        return await self.loop.run_in_executor(self.pool, job, seat)

    def _from_worker(self, call: Callable[[], None]) -> None:
        self.loop.call_soon_threadsafe(call)

    def _send(self, data: bytes, seat: int | None) -> None:
        players = () if self.contract is None else self.contract.players
        for number, player in enumerate(players):
            if player.key != self.identity.public and seat in (None, number):
                self.mesh.send(player.key, data)

    def _wake(self, at_s: float) -> None:
        delay_s = max(0.0, at_s - time.monotonic()) + 0.01
        self.loop.call_later(delay_s, self.inputs.put_nowait, Tick())

    async def _updated(self, update: Update) -> bool:
        """Tell what happened; return whether the game has ended."""
        self.game = update.view
        self._show(show_game(self.model, update.events, update.view))
        if update.view.stage in (Stage.OVER, Stage.HALTED):
            await self._game_ended(update.view, update.events)
            return True
        step = (update.view.round, update.view.step)
        if self.settings.auto and update.view.due and self.planned != step:
            self.planned = step
            self.start(self._bot_moves())
        return False

    async def _bot_moves(self) -> None:
        await asyncio.sleep(self.settings.pace_s)
        move = await self._work(lambda seat: seat.bot_move())
        if move is not None:
            self.inputs.put_nowait(Play(move=move))

    async def _game_ended(self, view: GameView, events: tuple[Event, ...]) -> None:
        if self.log_path is not None:
            path = self.log_path
            verdict = await self._work(lambda _: verify_file(path))
            self.tell("app.verified", verdict=self.words.tell(f"app.verdict.{verdict.status}"))
        if view.stage is Stage.OVER:
            self.finish(EXIT_OK)
            return
        cheated = any(isinstance(event, Blamed) for event in events)
        self.finish(EXIT_CHEAT if cheated else EXIT_UNFINISHED)

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
            case commands.PlayMove(move=move):
                self.inputs.put_nowait(Play(move=move))
            case Say() | CallClock():
                self.inputs.put_nowait(command)
            case commands.FindTables():
                self._list_tables()
            case commands.OpenTable(name=name) if self.lobby is None:
                await self._open_table(name)
            case commands.JoinTable(index=index) if self.lobby is None:
                tables = self.finder.hall.tables
                if index < len(tables):
                    await self._join_address(tables[index].address)
            case commands.JoinAddress(host=host, port=port) if self.lobby is None:
                await self._join_address((host, port))
            case commands.SetLanguage():
                return
            case commands.OpenTable() | commands.JoinTable() | commands.JoinAddress():
                self.tell("app.seated_already")
            case _:
                self._step_lobby(command)

    def _quit(self) -> None:
        if self.game is not None and self.game.stage is not Stage.OVER:
            self.finish(EXIT_UNFINISHED)
        elif self.lobby is not None and self.contract is None:
            self._step_lobby(Leave())
        self.finish(EXIT_OK)


def _stepping(given: Input) -> Callable[[Seat], Update]:
    return lambda seat: seat.step(given, time.monotonic())


def _free(shown: LobbyView) -> bool:
    return len(shown.members) < shown.seats


def _login_name() -> str:
    return os.environ.get("USER") or os.environ.get("USERNAME") or "player"
