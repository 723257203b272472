"""A game in progress: inputs in order to the worker thread, updates back, a bot's moves (asyncio).

One thread owns the session, so proofs never hold up a key press, and inputs are taken one by one:
those of the player first, those of each seat in the order in which they came (:mod:`.inbox`).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ..rules.moves import Move
from ..session import wire
from ..session.audit import Verdict
from ..session.contract import Contract
from ..session.events import (
    Blamed,
    GameView,
    Input,
    KeepWaiting,
    LinkDown,
    LinkUp,
    Offered,
    Play,
    Received,
    SaveAndStop,
    Slept,
    Stage,
    Tick,
    Voted,
    VoteOut,
)
from ..storage.saved_games import Saved, log_stem, secrets_of
from .card import plain_word
from .inbox import Inbox
from .seat import Seat, Update, verify_file
from .settings import Settings
from .worker import Worker

T = TypeVar("T")


class Playing:
    """One game at one seat; lives in the event loop.

    ``send`` takes the identity key of the player it is for and the bytes, ``show`` an update.
    """

    def __init__(
        self,
        settings: Settings,
        private: Ed25519PrivateKey,
        contract: Contract,
        send: Callable[[bytes, bytes], None],
        show: Callable[[Update], None],
    ) -> None:
        self.contract = contract
        self.path: Path | None = None
        self.view: GameView | None = None
        self.cheated = False
        """Whether somebody was blamed in this game."""
        self.convicted = False
        """Whether somebody was blamed with proof."""
        self._settings = settings
        self._keys = [player.key for player in contract.players]
        self._mine = self._keys.index(private.public_key().public_bytes_raw())
        self._send = send
        self._show = show
        self._loop = asyncio.get_running_loop()
        self._inbox = Inbox[Input | BaseException](len(self._keys))
        self._came = asyncio.Event()
        self._closed = False
        self._worker = Worker()
        self._answering: asyncio.Task[None] | None = None
        self._id = contract.hash
        self._farewell = wire.write(wire.Farewell(game=self._id))
        self._gone: set[int] = set()
        self._elsewhere: set[int] = set()
        """Who is linked, but plays another game: what they say means nothing here."""
        self._planned: tuple[int, int] | None = None
        self._waited: set[int] = set()
        self._seat = Seat(
            private=private,
            wait_s=settings.wait_s,
            send=lambda data, seat: self._from_worker(lambda: self._send_out(data, seat)),
            wake=lambda at_s: self._from_worker(lambda: self._wake(at_s)),
            cheat=settings.cheat,
        )

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        ended = self.view is not None and self.view.stage in (Stage.OVER, Stage.HALTED)
        return ended or self._closed

    @property
    def saved(self) -> bool:
        """Whether it was played here and can be gone on with another time."""
        if self.view is None or self.path is None:
            return False
        return secrets_of(self._settings.folders, self.path).exists()

    @property
    def out(self) -> bool:
        """Whether this player may only watch, and no round follows: nobody waits for it."""
        view = self.view
        if view is None or view.round < self.contract.options.rounds:
            return False
        return self._mine in view.out

    @property
    def finished(self) -> bool:
        """Whether it has been played to its end."""
        return self.view is not None and self.view.stage is Stage.OVER

    @property
    def decided(self) -> bool:
        """Whether the last move has been made, though the others may still have to sign."""
        return self.view is not None and self.view.stage not in (Stage.SETUP, Stage.PLAY)

    def seat_of(self, peer: bytes) -> int | None:
        """Return the seat of a player, ``None`` for anybody else."""
        return self._keys.index(peer) if peer in self._keys else None

    def feed(self, given: Input | BaseException) -> None:
        """Queue an input of one's own, or an error that ends the game here."""
        self._inbox.put(given)
        self._came.set()

    def linked(self, peer: bytes) -> None:
        """Take note that the link to a player stands."""
        seat = self._keys.index(peer)
        self._elsewhere.discard(seat)
        self._about(seat, LinkUp(seat=seat))

    def unlinked(self, peer: bytes) -> None:
        """Take note that the link to a player broke."""
        seat = self._keys.index(peer)
        self._about(seat, LinkDown(seat=seat))

    def slept(self) -> None:
        """Take note that this machine was asleep: the clock used here may have slept with it."""
        self.feed(Slept())

    def received(self, peer: bytes, data: bytes) -> None:
        """Take bytes from a player.

        Who tells that it stands in another game is away as if without a link; who did, or said
        farewell, and stands in this one is back.
        """
        seat = self._keys.index(peer)
        given: Input = Received(seat=seat, data=data)
        match wire.peek(data):
            case wire.Standing(game=self._id):
                self._returned(seat)
                self._inbox.put_latest(seat, given)
            case wire.Standing() if self.over:
                # Nothing else tells it any more that this program is not in its game.
                self._send(peer, wire.decline(data))
            case wire.Standing() if seat not in self._elsewhere:
                away = LinkDown(seat=seat, elsewhere=True)
                self._put_parting(seat, away, data, self._elsewhere)
            case wire.Farewell(game=self._id):
                self._put_parting(seat, given, data, self._gone)
            case wire.Farewell(game=None) if seat not in self._elsewhere:
                self._put_parting(seat, given, data, self._gone)
            case _ if seat not in self._elsewhere:
                self._inbox.put_from(seat, given, len(data))
        self._came.set()

    def _returned(self, seat: int) -> None:
        if seat in self._gone | self._elsewhere:
            self._gone.discard(seat)
            self._elsewhere.discard(seat)
            self._about(seat, LinkUp(seat=seat))

    def _put_parting(self, seat: int, given: Input, data: bytes, parted: set[int]) -> None:
        """Note that a seat is not here if that will be read: else returns wait without bound."""
        if self._inbox.put_from(seat, given, len(data)):
            parted.add(seat)

    async def run(
        self,
        linked: Sequence[bytes],
        early: Sequence[tuple[bytes, bytes]] = (),
        saved: Saved | None = None,
    ) -> Verdict:
        """Play to the end, from the beginning or from where ``saved`` stopped; verify the log.

        ``linked`` are the peers to whom a link stands, ``early`` what players sent before.

        Raises:
            CannotResume: the saved game cannot be gone on with.
            OSError: the game's files cannot be written.
        """
        # Before the first wait, so that what happens to the links meanwhile comes after it.
        absent = [
            LinkDown(seat=seat)
            for seat, key in enumerate(self._keys)
            if key not in linked and seat != self._mine
        ]
        for down in absent if saved is None else ():
            self.feed(down)
        for peer, data in early:
            if peer in self._keys:
                self.received(peer, data)
        if saved is None:
            path, update = await self._work(self._start)
        else:
            path = self.path = saved.path
            update = await self._work(lambda: self._return(saved, absent))
        self.path = path
        self._take(update)
        while not self.over:
            given = await self._next_input()
            if isinstance(given, BaseException):
                raise given
            self._take(await self._step(given))
        if not self.finished and self.view is not None and self.view.board is not None:
            # At a terminal this program runs on, and its links with it.
            self._send_out(self._farewell, None)
        await self._work(self._seat.settle)
        verdict = await self._work(partial(verify_file, path))
        self._answering = asyncio.create_task(self._answer())
        return verdict

    async def _answer(self) -> None:
        """Hand the end of the game over to whoever comes back and lacks it, until closed."""
        with contextlib.suppress(OSError):
            while True:
                given = await self._next_input()
                if not isinstance(given, Received):
                    continue
                await self._step(given)
                if not self.finished and wire.kind_of(given.data) == "at":
                    self._send_out(self._farewell, given.seat)

    def _start(self) -> tuple[Path, Update]:
        # The table's name is the opener's choice, and must not choose a folder.
        table, now = plain_word(self.contract.table), time.strftime("%Y%m%d-%H%M%S")
        stem = log_stem(now, table, self.contract, self._mine)
        folders = self._settings.folders
        return self._seat.start(folders, stem, self.contract, self._mine, time.monotonic())

    def _return(self, saved: Saved, absent: Sequence[LinkDown]) -> Update:
        """Go on with a game; who is not there yet is not lost, but looked for."""
        now_s = time.monotonic()
        update = self._seat.resume(saved, now_s)
        for down in absent:
            after = self._seat.step(down, now_s)
            update = replace(after, events=(*update.events, *after.events))
        return update

    def close(self) -> None:
        """Let the worker finish what it does, unless that takes long, and close the files."""
        self._closed = True
        if self._answering is not None:
            self._answering.cancel()
        if self._worker.close():
            self._seat.close()

    def _about(self, seat: int, given: LinkUp | LinkDown) -> None:
        self._inbox.put_about(seat, given)
        self._came.set()

    async def _next_input(self) -> Input | BaseException:
        while (given := self._inbox.take()) is None:
            self._came.clear()
            await self._came.wait()
        return given

    async def _step(self, given: Input) -> Update:
        return await self._work(lambda: self._seat.step(given, time.monotonic()))

    async def _work(self, job: Callable[[], T]) -> T:
        return await asyncio.wrap_future(self._worker.submit(job))

    def _from_worker(self, call: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(call)

    def _send_out(self, data: bytes, seat: int | None) -> None:
        for number, key in enumerate(self._keys):
            if number != self._mine and seat in (None, number):
                self._send(key, data)

    def _wake(self, at_s: float) -> None:
        delay_s = max(0.0, at_s - time.monotonic()) + 0.01
        self._loop.call_later(delay_s, self._pass_time)

    def _pass_time(self) -> None:
        self._inbox.put_time(Tick())
        self._came.set()

    def _take(self, update: Update) -> None:
        self.view = update.view
        blames = [event for event in update.events if isinstance(event, Blamed)]
        self.cheated = self.cheated or bool(blames)
        self.convicted = self.convicted or any(blamed.proved for blamed in blames)
        self._show(update)
        if self._settings.auto:
            self._choose(update)
        step = (update.view.round, update.view.step)
        if self._settings.auto and update.view.due and self._planned != step:
            self._planned = step
            self._loop.call_later(self._settings.pace_s, self._plan_move)

    def _choose(self, update: Update) -> None:
        """Decide for a player that nobody watches what to do about a silent one.

        It leaves nobody behind of its own accord, but follows a vote of another; if none comes it
        stops, so that all can resume.
        """
        voted = {lost.seat for lost in update.view.lost if set(lost.votes) - {self._mine}}
        for event in update.events:
            match event:
                case Offered(seat=seat, vote=True) if seat in voted:
                    self.feed(VoteOut(seat=seat))
                case Voted(by=by, seat=seat) if self._mine not in (by, seat):
                    self.feed(VoteOut(seat=seat))
                case Offered(seat=seat, vote=True) if seat not in self._waited:
                    self._waited.add(seat)
                    self.feed(KeepWaiting())
                case Offered():
                    self.feed(SaveAndStop())

    def _plan_move(self) -> None:
        # Not awaited: the move comes back as an input like any other.
        if not self.over:
            decided = self._worker.submit(self._seat.bot_move)
            decided.add_done_callback(lambda done: self._from_worker(lambda: self._make(done)))

    def _make(self, decided: Future[Move | None]) -> None:
        if decided.cancelled():
            return
        error = decided.exception()
        if error is not None:
            self.feed(error)
        elif (move := decided.result()) is not None:
            self.feed(Play(move=move))
