"""Bots as processes of their own: each finds the table like any peer and plays over TCP."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..storage.files import open_private
from ..storage.folders import Folders
from ..storage.identity import Identity, IdentityError, plan_identity, profiles

BOT_NAMES = ("ada", "bob", "cleo")
FOLDERS_MAX = 32
"""In how many games at once a bot of one name may play."""
END_WAIT_S = 5.0
LEAVE_WAIT_S = 1.0
OWN_GROUP: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""What a new session is on Windows, which knows none; 0 everywhere else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotPlan:
    """A bot before it runs: its name, its folders, and the key its seat is reserved for.

    ``cheat`` names what it does that it must not.
    """

    name: str
    folders: Folders
    key: bytes
    cheat: str | None = None


def bots_of(folders: Folders, keys: Collection[bytes]) -> tuple[BotPlan, ...]:
    """Return plans for those of these players who are bots of this player's own."""
    return tuple(
        BotPlan(name=folder.name, folders=folders.bot(folder.name), key=key)
        for folder in sorted(folders.bots.glob("*"))
        for key in profiles(folders.bot(folder.name).identity)
        if key in keys
    )


class Bots:
    """The bot processes that this program started, and nobody else's."""

    def __init__(self) -> None:
        self._running: dict[bytes, subprocess.Popen[bytes]] = {}
        self._planned: dict[bytes, Identity] = {}

    def plan(
        self,
        folders: Folders,
        count: int,
        taken: str,
        cheat: str | None = None,
        *,
        seated: Collection[bytes] = (),
    ) -> tuple[BotPlan, ...]:
        """Return plans for ``count`` bots (up to 3), none of them named like the player ``taken``.

        The first of them does what ``cheat`` names. They are none of the players ``seated`` in
        games that are not over, as long as there are others. Nobody else plans the same ones until
        they have ended here.

        Raises:
            IdentityError: a bot's folder cannot be used.
        """
        self._let_go()
        names = [name for name in (*BOT_NAMES, "dora") if name != taken.casefold()]
        plans: list[BotPlan] = []
        for name in names[:count]:
            own, identity = _free_folder(folders, name, seated)
            self._planned[identity.public] = identity
            lie = cheat if not plans else None
            plans.append(BotPlan(name=name, folders=own, key=identity.public, cheat=lie))
        return tuple(plans)

    def _let_go(self) -> None:
        for key in [key for key in self._planned if not self.runs(key)]:
            self._planned.pop(key).close()

    def start(
        self,
        plan: BotPlan,
        *,
        table: str,
        address: str,
        interfaces: Sequence[str],
        pace_s: float,
        wait_s: float,
    ) -> None:
        """Start a bot that looks for ``table`` (``NAME/FINGERPRINT``), else dials ``address``.

        In the game it waits ``wait_s`` seconds for a lost peer.

        Raises:
            OSError: the process cannot be started.
        """
        typed = ["join", table, "--name", plan.name]
        if plan.cheat is not None:
            typed += ["--cheat", plan.cheat]
        self._run(plan, typed, address, interfaces, pace_s, wait_s)

    def resume(
        self,
        plan: BotPlan,
        *,
        game: str,
        address: str,
        interfaces: Sequence[str],
        pace_s: float,
        wait_s: float,
    ) -> None:
        """Start a bot that goes on with its own saved ``game`` and dials ``address``.

        If its process of before still runs, that one goes on and the new one ends at once.

        Raises:
            OSError: the process cannot be started.
        """
        self._run(plan, ["resume", game], address, interfaces, pace_s, wait_s)

    def _run(
        self,
        plan: BotPlan,
        typed: Sequence[str],
        address: str,
        interfaces: Sequence[str],
        pace_s: float,
        wait_s: float,
    ) -> None:
        command = [sys.executable, "-m", "p2p_davinci", *typed, "--auto", "--plain"]
        command += ["--data", str(plan.folders.root), "--lang", "en"]
        command += ["--address", address, "--pace", str(pace_s), "--wait", str(wait_s)]
        for interface in interfaces:
            command += ["--interface", interface]
        # It holds the bot's hidden tiles.
        with open_private(plan.folders.root / "output.txt") as output:
            self._running[plan.key] = subprocess.Popen(  # noqa: S603 - our own program, no shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                # An interrupt typed at the player's terminal is for the player alone.
                start_new_session=True,
                creationflags=OWN_GROUP,
            )

    def runs(self, key: bytes) -> bool:
        """Tell whether a bot that was started here still runs."""
        return key in self._running and self._running[key].poll() is None

    def dead(self) -> frozenset[bytes]:
        """Return the keys of the bots that have ended."""
        return frozenset(k for k, bot in self._running.items() if bot.poll() is not None)

    def end(self, *, at_once: bool) -> None:
        """End the bots, after they had a moment to end by themselves unless it must be ``at_once``.

        Whatever a bot does when it ends, its game is on its disk.
        """
        bots = list(self._running.values())
        waits = (0.0, LEAVE_WAIT_S) if at_once else (END_WAIT_S, END_WAIT_S)
        for ask, wait_s in zip(
            (subprocess.Popen.terminate, subprocess.Popen.kill), waits, strict=True
        ):
            _await(bots, wait_s)
            for bot in bots:
                if bot.poll() is None:
                    ask(bot)
        _await(bots, END_WAIT_S)
        self._running.clear()
        self._let_go()


def _free_folder(
    folders: Folders, name: str, seated: Collection[bytes]
) -> tuple[Folders, Identity]:
    """Return a folder of its own for a bot: a player may play several games at once.

    A bot that sits in a game already is the last choice: that game could not be resumed meanwhile.
    """
    numbers = range(2, FOLDERS_MAX + 1)
    own_folders = [folders.bot(name), *(folders.bot(f"{name}-{number}") for number in numbers)]
    own_folders.sort(key=lambda own: any(key in seated for key in profiles(own.identity)))
    for own in own_folders:
        identity = plan_identity(own.identity)
        if identity is not None:
            return own, identity
    raise IdentityError("in-use", str(folders.bots))


def _await(bots: Sequence[subprocess.Popen[bytes]], seconds: float) -> None:
    end_s = time.monotonic() + seconds
    for bot in bots:
        with contextlib.suppress(subprocess.TimeoutExpired):
            bot.wait(max(0.0, end_s - time.monotonic()))
