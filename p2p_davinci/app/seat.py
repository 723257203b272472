"""One seat in play, with its files: what runs in the worker thread, away from the event loop.

Proofs take milliseconds that a screen must not wait for, so everything here is called from one
thread that owns the session; what comes back are values.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol import Signer

from ..bots.strategy import choose, choose_arrangement, choose_take
from ..rules.moves import Move
from ..session.audit import Verdict, verify_log
from ..session.contract import Contract
from ..session.events import Blamed, Event, GameView, Halted, Input
from ..session.game import view
from ..session.resuming import SETTLED, CannotResume, recall
from ..session.work import Who
from ..storage.folders import Folders
from ..storage.journal import LogFile
from ..storage.saved_games import Saved, keep_evidence, new_files, open_saved
from .cheats import Cheater
from .driver import Driver, Outlets, mend


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What one input came to: events for the player, and the game as it now looks.

    ``evidence`` is the seat that was convicted of double speaking and the file that proves it, if
    that happened now.
    """

    events: tuple[Event, ...]
    view: GameView
    evidence: tuple[int, Path] | None = None


class Seat:
    """A driver with a log and a secrets file on disk, and a bot's mind if one is wanted.

    ``send`` and ``wake`` are called from the worker thread. ``cheat`` names what this seat will do
    that it must not (:data:`.cheats.CHEATS`).
    """

    def __init__(
        self,
        *,
        private: Ed25519PrivateKey,
        wait_s: float,
        send: Callable[[bytes, int | None], None],
        wake: Callable[[float], None],
        cheat: str | None = None,
    ) -> None:
        signer = Signer(private)
        self._who = Who(signer=signer, entropy=os.urandom, wait_s=wait_s)
        self._send = send
        if cheat is not None:
            self._send = Cheater(cheat, signer, send, lambda: self._started.game).send
        self._wake = wake
        self._events: list[Event] = []
        self._files: tuple[LogFile, LogFile] | None = None
        """The log and the secrets file."""
        self._evidence: tuple[int, Path] | None = None
        self._driver: Driver | None = None
        self._settled = False
        self._rng = random.SystemRandom()

    def start(
        self, folders: Folders, stem: str, contract: Contract, seat: int, now_s: float
    ) -> tuple[Path, Update]:
        """Make the files of a game and begin it; return the log's path.

        Raises:
            OSError: the files cannot be made or written.
        """
        log, secrets = self._files = new_files(folders, stem)
        self._drive(log, secrets).start(contract, seat, now_s)
        return log.path, self._update()

    def resume(self, saved: Saved, now_s: float) -> Update:
        """Go on with a saved game.

        Raises:
            CannotResume: why it cannot be gone on with.
            OSError: its files cannot be read, mended or written.
        """
        log, secrets = self._files = open_saved(saved)
        try:
            recalled = recall(log.records, secrets.records, saved.key)
            mend(recalled, log, secrets)
            self._drive(log, secrets).resume(recalled, now_s)
        except CannotResume as error:
            self._settled = error.reason in SETTLED
            self._driver = None
            raise
        return self._update()

    def _drive(self, log: LogFile, secrets: LogFile) -> Driver:
        outlets = Outlets(
            log=log,
            secrets=secrets,
            send=self._send,
            show=self._events.append,
            wake=self._wake,
            testify=self._testify,
        )
        self._driver = Driver(outlets, self._who)
        return self._driver

    def step(self, given: Input, now_s: float) -> Update:
        """Take one input.

        Raises:
            OSError: something could not be written; nothing that depends on it was sent.
        """
        self._started.step(given, now_s)
        return self._update()

    def bot_move(self) -> Move | None:
        """Return what a bot does now, or ``None`` if nothing is asked of this seat."""
        shown = view(self._started.game)
        if not shown.due:
            return None
        contract = self._started.game.round.contract
        if shown.kind == "take":
            return choose_take(contract.options, len(contract.playing), self._rng)
        if shown.board is None:
            return choose_arrangement(shown.dealt, self._rng)
        return choose(shown.board, self._rng)

    def close(self) -> None:
        """Close the files, and settle what is over."""
        for file in self._files or ():
            file.close()
        self.settle()

    def settle(self) -> None:
        """Delete the secrets of a game that nobody can go on with, where the system lets it."""
        if self._files is not None and self._done:
            _, secrets = self._files
            secrets.delete()

    @property
    def _done(self) -> bool:
        if self._driver is None:
            return self._settled
        if not self._driver.kept:
            # Perhaps nobody but this program knows how it ended: it is gone on with from the disk.
            return False
        game = self._driver.game
        match game.stopped:
            case Blamed(proved=proved):
                return proved
            case Halted(reason=reason):
                return reason == "claimed"
            case _:
                return game.ended

    @property
    def _started(self) -> Driver:
        if self._driver is None:
            raise RuntimeError("the game has not been started")
        return self._driver

    def _update(self) -> Update:
        events, self._events[:] = tuple(self._events), ()
        evidence, self._evidence = self._evidence, None
        return Update(events=events, view=view(self._started.game), evidence=evidence)

    def _testify(self, seat: int, data: bytes) -> None:
        if self._files is None:
            raise RuntimeError("the game has not been started")
        log, _ = self._files
        self._evidence = seat, keep_evidence(log.path, data)


def verify_file(path: Path) -> Verdict:
    """Verify a log from the disk, as anybody could.

    Raises:
        OSError: it cannot be read.
        PeerFault: it is no log.
    """
    return verify_log(path.read_bytes())
