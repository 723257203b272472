"""Carry out what a session asks for, in an order that survives a crash: write, sync, then send.

A file of evidence comes last: nobody waits for it, and what it holds is in the log.
Synchronous, and without a clock or a network of its own: the application and the simulation both
run this very code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ..session.contract import Contract
from ..session.events import Append, Effect, Event, Input, Keep, Send, Show, Sync, Testify, Wake
from ..session.game import Game
from ..session.play import start, step
from ..session.resuming import Recalled, resume
from ..session.secrets import keep_envelope
from ..session.work import Who


class Journal(Protocol):
    """An append-only file, or what stands for one."""

    def append(self, record: bytes) -> None:
        """Add a record; it need not be on disk yet."""

    def sync(self) -> None:
        """Return once everything appended is on disk."""


class CutJournal(Journal, Protocol):
    """A journal from whose end something can be taken away."""

    def cut(self, size: int) -> None:
        """Drop everything from ``size`` bytes on, on the disk at once."""


def mend(recalled: Recalled, log: CutJournal, secrets: Journal) -> None:
    """Take a step that is only partly in the log out of it, but forget nothing of it.

    Raises:
        OSError: something could not be written; a later attempt finds what this one found.
    """
    if recalled.cut is None:
        return
    for raw in recalled.spoken:
        secrets.append(keep_envelope(raw))
    secrets.sync()
    log.cut(recalled.cut)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlets:
    """Where a seat's effects go.

    ``send`` takes the bytes and the seat (``None``: all others), ``show`` an event for the player,
    ``wake`` the time (monotonic seconds) of the next tick that the session wants, ``testify`` a
    file of evidence and the seat that it convicts.
    """

    log: Journal
    secrets: Journal
    send: Callable[[bytes, int | None], None]
    show: Callable[[Event], None]
    wake: Callable[[float], None]
    testify: Callable[[int, bytes], None]


class Driver:
    """One seat of one game, driven."""

    def __init__(self, outlets: Outlets, who: Who | None) -> None:
        self._outlets = outlets
        self._who = who
        self._game: Game | None = None
        self._kept = True

    @property
    def game(self) -> Game:
        """The game as it stands.

        Raises:
            RuntimeError: it has not been started.
        """
        if self._game is None:
            raise RuntimeError("the game has not been started")
        return self._game

    @property
    def kept(self) -> bool:
        """Whether all that the game as it stands came from was written; not so after an error."""
        return self._kept

    def start(self, contract: Contract, seat: int | None, now_s: float) -> None:
        """Begin a game.

        Raises:
            OSError: something could not be written; nothing that depends on it was sent.
        """
        self._game, effects = start(contract, seat, now_s, self._who)
        self._carry_out(effects)

    def resume(self, recalled: Recalled, now_s: float) -> None:
        """Go on with a game from the disk, mended before (:func:`mend`).

        Raises:
            CannotResume: ``secrets``: what was kept does not go with the log.
            RuntimeError: this driver only watches.
            OSError: as for :meth:`start`.
        """
        if self._who is None:
            raise RuntimeError("a watcher has nothing to go on with")
        self._game, effects = resume(recalled, now_s, self._who)
        self._carry_out(effects)

    def step(self, given: Input, now_s: float) -> None:
        """Take one input.

        Raises:
            OSError: as for :meth:`start`.
        """
        self._game, effects = step(self.game, given, now_s, self._who)
        self._carry_out(effects)

    def _carry_out(self, effects: tuple[Effect, ...]) -> None:
        unsynced: list[Journal] = []
        self._kept = False
        for effect in sorted(effects, key=lambda effect: isinstance(effect, Testify)):
            match effect:
                case Append(record=record):
                    self._append(self._outlets.log, record, unsynced)
                case Keep(record=record):
                    self._append(self._outlets.secrets, record, unsynced)
                case Sync():
                    self._sync(unsynced)
                case Send(data=data, seat=seat):
                    self._sync(unsynced)
                    self._outlets.send(data, seat)
                case Testify(seat=seat, data=data):
                    self._sync(unsynced)
                    self._outlets.testify(seat, data)
                case Wake(at_s=at_s):
                    self._outlets.wake(at_s)
                case Show(event=event):
                    self._outlets.show(event)
        self._sync(unsynced)
        self._kept = True

    @staticmethod
    def _append(journal: Journal, record: bytes, unsynced: list[Journal]) -> None:
        journal.append(record)
        if journal not in unsynced:
            unsynced.append(journal)

    @staticmethod
    def _sync(unsynced: list[Journal]) -> None:
        for journal in unsynced:
            journal.sync()
        unsynced.clear()
