"""The program that runs: network, worker thread and console around one table (asyncio).

The event loop carries bytes, lines and timers and never proves anything; the worker thread owns
the session. What happens at a table is decided in :mod:`..session`, what is told in
:mod:`..console`; here they are only wired together.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from ..console import commands
from ..console.model import Told, leave_table, show_lobby, show_over
from ..console.news import enter_game, show_game, show_waiting
from ..net.discovery import Discovery
from ..net.mesh import Mesh
from ..session import wire
from ..session.audit import Status, Verdict
from ..session.contract import Contract
from ..session.lobby_events import Leave, LobbyView, Notice, PeerSaid
from ..session.lobby_state import Lobby
from ..session.resuming import CannotResume
from ..session.sheet import Sheet
from ..storage.identity import Identity, IdentityError
from ..storage.saved_games import Saved
from .card import advert_of, card_of, write_card
from .company import Company
from .crash import no_room, system_said
from .desk import Desk
from .entering import LOOPBACK, Entering, EnteringOutlets
from .finder import APP_VERSION, CHOICE_S, Finder, chosen_interfaces, listening_hosts
from .forming import Forming, FormingOutlets
from .lessons import aftermath
from .lounge import Lounge
from .obeying import Obeying, ObeyingOutlets
from .patience import Patience
from .playing import Playing
from .returning import Returning, only_bots
from .router import Router, RouterOutlets, Whereabouts, arrival
from .seat import Update
from .settings import Exit, Settings
from .shelf import RESUME_EXITS, Shelf
from .spawn import bots_of
from .supervisor import ENDING_SIGNALS, INTERRUPT, Supervisor

NOT_SEATED = frozenset({"full", "declined", "playing"})
"""Why a table is closed to somebody who never played there."""


def run(settings: Settings, identity: Identity, saved: Saved | None = None) -> int:
    """Run the console, ``play``, ``open``, ``join`` or ``resume`` to its end; return the exit code.

    ``saved`` is the game to resume, and ``identity`` the one that plays it.

    Raises:
        NoSuchInterface, OSError: the network cannot be used at all.
    """
    return asyncio.run(Program(settings, identity, saved).run())


def _status(verdict: Verdict) -> str:
    """Return which sentence tells a verdict, below ``app.verdict.``."""
    if verdict.claimed is not None:
        return "claimed"
    if verdict.status is Status.FINISHED and verdict.convicted:
        return "convicted"
    return str(verdict.status)


class Program:
    """One run of the program; everything in here happens in the event loop."""

    def __init__(self, settings: Settings, identity: Identity, saved: Saved | None = None) -> None:
        self.settings = settings
        self.identity = identity
        self.saved = saved
        self.desk = Desk(settings)
        self.at = Whereabouts()
        self.only_bots = only_bots(settings, saved)
        self.interfaces = settings.interfaces or ((LOOPBACK,) if self.only_bots else ())
        self.mesh = Mesh(
            identity, name=self.desk.model.name, app_version=APP_VERSION, card=self._card
        )
        self.discovery = Discovery(
            chosen_interfaces(self.interfaces), identity.public, version=APP_VERSION
        )
        self.finder = Finder(
            self.mesh,
            self.discovery,
            changed=self._tables_changed,
            manual=lambda manual: self.entering.tell_manual(manual),
            seen=lambda seen: self.company.seen(seen.identity, seen.addresses),
            resting=lambda: self.at.forming is not None or self.at.game is not None,
        )
        self.company = Company(self.mesh)
        self.entering = Entering(
            settings,
            identity,
            self.desk.model.name,
            mesh=self.mesh,
            company=self.company,
            interfaces=self.interfaces,
            outlets=EnteringOutlets(
                form=self._form,
                tell=self.desk.tell,
                explain=self.desk.explain,
                list_tables=lambda: self.lounge.list_tables(where="shell"),
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
        self.shelf = Shelf(
            settings.folders, identity.public, lambda: self.desk.words, self.desk.shell.tell
        )
        self.lounge = Lounge(self.desk, self.finder, self.shelf, self.entering.own_addresses)
        self.router = self._router()
        self.obeying = self._obeying()
        self.code: int | None = None
        """What the last game that was played came to."""
        self.path: Path | None = None if saved is None else saved.path
        self.trusted: set[bytes] = set()
        """Players with whom words and digits were compared in this run."""

    def _router(self) -> Router:
        return Router(
            mesh=self.mesh,
            company=self.company,
            returning=self.returning,
            desk=self.desk,
            at=self.at,
            wait_s=self.settings.wait_s,
            outlets=RouterOutlets(
                refused=self.entering.tell_dial,
                unanswered=lambda: self._entered_none(Exit.ERROR),
                abandoned=lambda: self._left_table("opener_left"),
            ),
        )

    def _obeying(self) -> Obeying:
        return Obeying(
            desk=self.desk,
            at=self.at,
            lounge=self.lounge,
            shelf=self.shelf,
            entering=self.entering,
            finder=self.finder,
            outlets=ObeyingOutlets(
                named=self._named,
                open_table=self._open_table,
                resume=self._resume,
                again=self._again,
                leave=self._back_to_hall,
                quit=self._quit,
            ),
        )

    # --- life ---------------------------------------------------------------------------------

    async def run(self) -> int:
        """Run until the game is over, the player leaves, or a signal comes."""
        self.life = Supervisor(ENDING_SIGNALS | INTERRUPT if self.settings.auto else ENDING_SIGNALS)
        self.patience = Patience(
            asyncio.get_running_loop().call_later,
            lambda waited_s: self.desk.show(show_waiting(self.desk.model, waited_s)),
        )
        self.desk.greet(ask=self.settings.command == "console")
        try:
            await self.mesh.start(listening_hosts(self.interfaces))
            await self.discovery.start()
            self.life.start(self.router.run())
            self.life.start(self.finder.run())
            if not self.settings.auto:
                self.life.start(self.obeying.run())
            self.life.start(self._begin())
            return await self.life.result()
        except (OSError, IdentityError) as error:
            full = no_room(error)
            if full is None or self.saved is None:
                raise
            self.desk.tell("app.disk", detail=full)
            return Exit.ERROR
        finally:
            await self._close()

    async def _close(self) -> None:
        """Give the terminal back before anything else can fail, then let go of all the rest."""
        try:
            await self.desk.close()
        finally:
            await self.life.cancel()
            game = self.at.game
            # Whoever stops before the end is not back by itself: the others may choose at once.
            finished = game is not None and game.finished
            ended = asyncio.to_thread(self.entering.bots.end, at_once=not finished)
            farewell = None if finished else wire.write(wire.Farewell())
            await asyncio.gather(self.mesh.close(farewell), self.discovery.close(), ended)
            if game is not None:
                game.close()
        out = game is not None and game.out
        self.desk.part(self.path, saved=self._is_saved, out=out)

    @property
    def _is_saved(self) -> bool:
        """Whether the last game can be gone on with; one that was to be resumed is as it was."""
        game = self.at.game
        if game is not None and game.view is not None:
            return game.saved
        return self.saved is not None and self.saved.secrets.exists()

    # --- beginning ----------------------------------------------------------------------------

    async def _begin(self) -> None:
        match self.settings.command:
            case "console":
                named = not self.desk.model.naming
                await asyncio.sleep(CHOICE_S)
                if self._in_hall and named:
                    self.lounge.enter()
            case "play" | "open":
                self._open_table(None, self.desk.model.draft)
            case "resume":
                self._resume(self.saved)
            case "join":
                await self.entering.join(self.settings.target, self.finder)

    def _tables_changed(self) -> None:
        if self._in_hall and (self.settings.command == "console" or self.code is not None):
            self.lounge.list_tables(asked=False)

    @property
    def _in_hall(self) -> bool:
        """Whether the player is at no table, and has told a name."""
        return not (self.at.forming or self.at.game or self.desk.model.naming)

    def _resume(self, saved: Saved | None) -> None:
        if saved is not None:
            self.saved, self.path = saved, saved.path
            addresses = ", ".join(self.entering.own_addresses())
            self.returning.begin(saved, addresses, self.desk.tell, self.life.start)
            self.life.start(self._play(saved.contract, saved))

    def _open_table(
        self, name: str | None, draft: commands.Draft, former: Sheet | None = None
    ) -> None:
        self.only_bots = draft.bots == draft.seats - 1
        self.entering.open(name, draft, only_bots=self.only_bots, former=former)
        self.life.start(self._watch_bots())

    async def _watch_bots(self) -> None:
        """Give a table up if a bot that it waits for has ended."""
        forming = self.at.forming
        while forming is not None and forming is self.at.forming and self.at.game is None:
            if self.entering.bots.dead() & forming.lobby.reserved:
                self.desk.tell("app.bot_died", folder=str(self.settings.folders.root / "bots"))
                if self.settings.command != "console":
                    self.life.finish(Exit.ERROR)
                forming.step(Leave())
            await asyncio.sleep(1)

    def _entered_none(self, code: int) -> None:
        self.at.forming = None
        self.company.part()
        if self.settings.command != "console":
            self.life.finish(code)

    # --- the network --------------------------------------------------------------------------

    def _card(self) -> bytes:
        shown = None if self.at.forming is None else self.at.forming.view
        if shown is None or not shown.members:
            return b""
        return write_card(card_of(shown, playing=self.at.game is not None))

    # --- the table being formed ---------------------------------------------------------------

    def _form(self, lobby: Lobby) -> Forming:
        outlets = FormingOutlets(
            send=self.company.send,
            want=self.company.keep,
            show=self._show_table,
            agreed=lambda contract: self.life.start(self._play(contract)),
            closed=self._left_table,
        )
        at_once = self.settings.auto or self.only_bots
        forming = self.at.forming = Forming(lobby, outlets, ready_at_once=at_once)
        for event in self.company.linked:
            forming.step(arrival(event))
        for peer, data in self.company.take_wishes():
            forming.step(PeerSaid(peer=peer, data=data))
        if forming.view is None:
            self.router.await_opener(forming, patient=self.code is not None)
        return forming

    def _show_table(self, shown: LobbyView, notices: tuple[Notice, ...]) -> None:
        self.desk.show(show_lobby(self.desk.model, shown, notices))
        for seat in self.returning.suspects(shown.members):
            self.desk.tell("known.changed", name=self.desk.model.speech.names[seat])
        self.company.keep_only([member.key for member in shown.members])
        self._advertise(shown)

    def _advertise(self, shown: LobbyView) -> None:
        if shown.me == shown.opener:
            card = card_of(shown, playing=self.at.game is not None)
            self.life.start(self.discovery.advertise(self.mesh.port, **advert_of(card)))

    def _left_table(self, reason: str | None, code: int = Exit.UNFINISHED) -> None:
        self.at.forming = None
        self.desk.show(leave_table(self.desk.model, reason))
        self.company.part()
        if self.settings.command != "console" and self.code is None:
            self.life.finish(Exit.ERROR if reason in NOT_SEATED else code)
        else:
            self.life.start(self.discovery.withdraw())
            self.lounge.show_saved()
            self._tables_changed()

    # --- after a game -------------------------------------------------------------------------

    def _leave_game(self) -> bool:
        """Put a game away that is over; return whether it was played to its end."""
        game, self.at.game = self.at.game, None
        self.saved = None
        self.only_bots = False
        if game is None:
            return True
        if self.desk.model.compared:
            self.trusted |= {player.key for player in game.contract.players}
        game.close()
        return game.finished

    async def _end_bots(self, *, at_once: bool) -> None:
        await asyncio.to_thread(self.entering.bots.end, at_once=at_once)

    async def _again(self) -> None:
        """Form the table once more, with whoever wants to."""
        former = None if self.at.forming is None else self.at.forming.lobby.sheet
        if former is None:
            self.desk.tell("app.no_rematch")
            return
        await self._end_bots(at_once=not self._leave_game())
        self.at.forming = None
        self.company.spare(former.keys)
        if former.opener == self.identity.public:
            self._open_table(former.table, self.entering.draft_again(former), former)
        elif self.company.is_linked(former.opener):
            self.entering.sit_again(former)
        else:
            self.desk.tell("app.opener_gone")
            self._left_table("left")

    async def _back_to_hall(self) -> None:
        """Leave the game that is over, and its table."""
        finished = self._leave_game()
        self._left_table("left")
        await self._end_bots(at_once=not finished)

    # --- the game -----------------------------------------------------------------------------

    async def _play(self, contract: Contract, saved: Saved | None = None) -> None:
        """Play a game to its end, from its contract or from where ``saved`` stopped."""
        keys = {player.key for player in contract.players} - {self.identity.public}
        bots = {plan.key for plan in bots_of(self.settings.folders, keys)}
        entered = enter_game(self.desk.model, contract.options, keys <= self.trusted | bots)
        self.desk.show(Told(model=entered))
        game = self.at.game = Playing(
            self.settings, self.identity.private, contract, self.mesh.send, self._show_update
        )
        self.returning.stay(contract, lambda: game.over, self.life.start)
        linked = [event.peer for event in self.company.linked]
        try:
            verdict = await game.run(linked, self.company.take_early(), saved)
        except OSError as error:
            self.desk.tell("app.disk", detail=system_said(error))
            self.life.finish(Exit.ERROR)
            return
        except CannotResume as error:
            self.desk.explain("resume", error.reason, detail=error.detail)
            self._leave_game()
            self._left_table(None, RESUME_EXITS.get(error.reason, Exit.ERROR))
            return
        status = self.desk.words.tell(f"app.verdict.{_status(verdict)}")
        self.desk.tell("app.verified", verdict=status)
        done = game.finished or verdict.claimed is not None
        cheating = bool(verdict.convicted) or (game.cheated and not done)
        code = Exit.CHEAT if cheating else Exit.OK if done else Exit.UNFINISHED
        self._ended(code, verdict.status)

    def _ended(self, code: int, verdict: str) -> None:
        """End the program after a game, or let the player choose what comes next."""
        self.code = code
        self.patience.stop()
        if not self.desk.model.stays:
            self.life.finish(code)
            return
        self.desk.tell("app.log_path", path=str(self.path))
        self.desk.show(show_over(self.desk.model, str(self.path), verdict))

    def _show_update(self, update: Update) -> None:
        self.path = None if self.at.game is None else self.at.game.path
        self.patience.watch(update.view)
        self.desk.show(show_game(self.desk.model, update.events, update.view))
        for line in aftermath(self.desk.model.speech, self.settings.bot_cheats, update):
            self.desk.shell.tell(line)

    # --- the player ---------------------------------------------------------------------------

    def _named(self, name: str) -> None:
        self.mesh.name = self.entering.name = name
        self.lounge.enter()

    def _quit(self) -> None:
        if self.at.game is None and self.at.forming is not None:
            self.at.forming.step(Leave())
        game = self.at.game
        playing = game is not None and not game.over
        if game is not None and game.finished:
            self.life.finish(Exit.CHEAT if game.convicted else Exit.OK)
        if game is not None and game.cheated and not self.desk.model.log_path:
            # Its log is not verified yet, but that somebody was blamed is known.
            self.life.finish(Exit.CHEAT)
        if self.code is not None and not playing:
            self.life.finish(self.code)
        unplayed = playing or self.settings.command != "console"
        self.life.finish(Exit.UNFINISHED if unplayed else Exit.OK)
