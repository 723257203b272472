"""A table of peers in one process on virtual time: the application's own driver, and trouble.

One seed chooses rules, players, moves and faults. Everything random comes from it, so a run repeats
exactly. There is a time of trouble, then everything heals and the game must come to an end.
"""

from __future__ import annotations

import errno
import heapq
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from p2p_davinci.app.driver import Driver, Outlets, mend
from p2p_davinci.session import secrets as secrets_file
from p2p_davinci.session import wire
from p2p_davinci.session.contract import Contract
from p2p_davinci.session.events import (
    Blamed,
    Event,
    Halted,
    Input,
    LinkDown,
    LinkUp,
    Received,
    Tick,
)
from p2p_davinci.session.game import Game
from p2p_davinci.session.resuming import SETTLED, CannotResume, recall
from p2p_davinci.session.work import Who
from protocol import HEADER, SECRETS_HEADER, Signer
from protocol.log import LOG_KINDS
from tests.support.table import contract_for, seeded, signers

from .disks import Crashed, Journal
from .doors import Doors
from .wires import Ends, Wires

TROUBLE_S = 240.0
HEALED_S = 1500.0
SETTLED_S = 60.0
"""After so long without a broken link or a start, once healed, nobody has a reason to be silent."""
WAIT_S = 20.0
"""How long the players of a simulation wait before they are offered a choice."""


class Broken(AssertionError):  # noqa: N818 - it says what happened
    """Something that must never be false was."""


@dataclass(slots=True)
class Host:
    """One peer: its disk, and its program while that runs."""

    seat: int
    signer: Signer
    rng: random.Random
    log: Journal
    secrets: Journal
    driver: Driver | None = None
    life: int = 0
    frozen_until_s: float = 0.0
    frozen: bool = False
    waiting: list[Input] = field(default_factory=list)
    """What it was given while it was frozen."""
    ahead_s: float = 0.0
    """How far its clock is ahead of the world's."""
    fuse: int | None = None
    exited: bool = False
    """Whether the program ended by itself: its game stopped, or its player left."""
    lost_for_good: bool = False
    last: Game | None = None
    events: list[Event] = field(default_factory=list)
    choices: int = 0


class World(Ends):
    """The peers, the wires, and the clock."""

    def __init__(
        self, seed: int, seats: int, preset: str, overrides: dict[str, str], *, meshed: bool = False
    ) -> None:
        self.seed = seed
        self.rng = random.Random(f"world {seed}")
        self.now_s = 0.0
        self.healed = False
        self.spoilt = False
        """Whether a liar has voted or promised in bad faith: it may hold the others up for good."""
        self.troubled_s = 0.0
        """When a link broke last, or a program started."""
        self.met: Counter[str] = Counter()
        """How often something happened that these tables are there for."""
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        entropy = seeded(("table", seed))
        who = signers(seats, entropy)
        self.contract: Contract = contract_for(who, preset, overrides, entropy=entropy)
        links = Doors if meshed else Wires
        self.wires: Wires | Doors = links(seats, self.rng, lambda: self.now_s, self.later, self)
        self.hosts = [self._host(seat, signer) for seat, signer in enumerate(who)]
        self.frames = 0
        self.tamper: Callable[[int, int, bytes], bytes | None] = lambda _from, _to, data: data
        self.watch: Callable[[Host], None] = lambda _: None
        """Called after every step of a program."""
        self.listen: Callable[[Host, bytes], None] = lambda _host, _data: None
        """Called before a message leaves a program."""
        self.act: Callable[[Host, tuple[Event, ...]], None] = lambda _host, _events: None
        """Called with what a program shows its player."""

    def _host(self, seat: int, signer: Signer) -> Host:
        touched = partial(self._burn, seat)
        return Host(
            seat=seat,
            signer=signer,
            rng=random.Random(f"player {self.seed} {seat}"),
            log=Journal(HEADER, LOG_KINDS, touched),
            secrets=Journal(SECRETS_HEADER, secrets_file.KINDS, touched),
        )

    # --- time ---------------------------------------------------------------------------------

    def later(self, at_s: float, call: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._queue, (max(at_s, self.now_s), self._count, call))

    def run(self) -> None:
        """Play through the time of trouble, heal, and go on until nobody expects anything."""
        for host in self.hosts:
            self._begin(host)
        self._connect_all()
        self._run_until(TROUBLE_S)
        self._heal()
        self._run_until(TROUBLE_S + HEALED_S)

    def _run_until(self, end_s: float) -> None:
        while self._queue and self._queue[0][0] <= end_s and not self.over:
            at_s, _, call = heapq.heappop(self._queue)
            self.now_s = at_s
            call()
        self.now_s = end_s if not self.over else self.now_s

    @property
    def over(self) -> bool:
        """Whether every peer has come to an end, or can never play again."""
        return all(host.lost_for_good or self._ended(host) for host in self.hosts)

    def _ended(self, host: Host) -> bool:
        ended = host.driver is not None and host.driver.game.ended
        return ended or (host.exited and self.hopeless)

    @property
    def hopeless(self) -> bool:
        """Whether somebody may never play on, so that the others may be left without an end."""
        return self.spoilt or any(host.lost_for_good or _settled(host) for host in self.hosts)

    @property
    def settled(self) -> bool:
        """Whether all is well and has been for so long that every game goes on or is over."""
        if not self.healed or self.hopeless or self.now_s - self.troubled_s < SETTLED_S:
            return False
        seats = range(len(self.hosts))
        linked = all(self.wires.stands(a, b) for a in seats for b in seats if a != b)
        return linked and self.running(*seats)

    # --- programs -----------------------------------------------------------------------------

    def _program(self, host: Host) -> Driver:
        host.life += 1
        host.events.clear()
        self.troubled_s = self.now_s
        self.wires.started(host.seat)
        outlets = Outlets(
            log=host.log,
            secrets=host.secrets,
            send=partial(self._send, host),
            show=host.events.append,
            wake=lambda at_s: self._wake(host, at_s),
            testify=lambda _seat, _data: None,
        )
        entropy = seeded((self.seed, host.seat, host.life))
        return Driver(outlets, Who(signer=host.signer, entropy=entropy, wait_s=WAIT_S))

    def _begin(self, host: Host) -> None:
        host.driver = self._program(host)
        self._run_program(host, lambda d: d.start(self.contract, host.seat, self._clock(host)))
        self._all_down(host)

    def restart(self, host: Host) -> None:
        """Start the program again, from what is on the disk."""
        if host.driver is not None or host.lost_for_good:
            return
        host.fuse, host.frozen, host.waiting = None, False, []
        host.exited, host.choices = False, 0
        try:
            recalled = recall(host.log.records(), host.secrets.records(), host.signer.public)
            mend(recalled, host.log, host.secrets)
        except CannotResume as refusal:
            empty = refusal.detail == "log.contract"
            if not (empty or refusal.reason in SETTLED) or host.last is None:
                raise
            host.lost_for_good = True
            return
        except OSError:
            self.later(self.now_s + host.rng.uniform(1, 60), lambda: self.restart(host))
            return
        host.driver = self._program(host)
        self._run_program(host, lambda driver: driver.resume(recalled, self._clock(host)))
        self._all_down(host)

    def _all_down(self, host: Host) -> None:
        for other in range(len(self.hosts)):
            if other != host.seat and not self.wires.stands(host.seat, other):
                self.give(host, LinkDown(seat=other))

    def give(self, host: Host, given: Input) -> None:
        """Give a program one input, now or when it thaws."""
        if host.driver is None or host.exited:
            return
        if host.frozen:
            host.waiting.append(given)
            return
        self._run_program(host, lambda driver: driver.step(given, self._clock(host)))

    def freeze(self, host: Host, for_s: float) -> None:
        """Stop a program for a while; whatever it is given meanwhile it takes in then."""
        host.frozen = True
        host.frozen_until_s = max(host.frozen_until_s, self.now_s + for_s)
        self.later(host.frozen_until_s, lambda: self._thaw(host))

    def _thaw(self, host: Host) -> None:
        if self.now_s >= host.frozen_until_s:
            waiting, host.waiting, host.frozen = host.waiting, [], False
            for given in waiting:
                self.give(host, given)

    def _give_if(self, host: Host, life: int, given: Input) -> None:
        if host.life == life:
            self.give(host, given)

    def _clock(self, host: Host) -> float:
        return self.now_s + host.ahead_s

    def _wake(self, host: Host, at_s: float) -> None:
        self.later(at_s - host.ahead_s + 0.01, partial(self._give_if, host, host.life, Tick()))

    def sleep(self, host: Host, for_s: float) -> None:
        """Let a program's clock jump; what it meant to do meanwhile it does now."""
        self.met["clock jump"] += 1
        host.ahead_s += for_s
        self.give(host, Tick())

    def _run_program(self, host: Host, call: Callable[[Driver], None]) -> None:
        if host.driver is None:
            return
        try:
            call(host.driver)
        except Crashed:
            self.met["died midway"] += 1
            self.crash(host, power=host.rng.random() < 0.5)
            return
        except OSError as error:
            self.met["disk full" if error.errno == errno.ENOSPC else "disk fails"] += 1
            self.crash(host)
            return
        host.last = host.driver.game
        self.watch(host)
        if host.last.stopped is not None:
            self._exit(host)
        events, host.events[:] = tuple(host.events), ()
        self.act(host, events)

    def _exit(self, host: Host) -> None:
        """End a program that has stopped; once all are well, its player comes back soon."""
        host.exited = True
        self.later(self.now_s + 0.2, lambda: self._cut_off(host, noticed_s=1.0))
        if self.healed and not self.hopeless:
            self.later(self.now_s + host.rng.uniform(1, 10), lambda: self._come_back(host))

    def _come_back(self, host: Host) -> None:
        if host.exited and host.last is not None and not host.last.ended:
            host.driver = None
            host.life += 1
            self._cut_off(host, noticed_s=0.0)
            self.restart(host)

    def _burn(self, seat: int) -> None:
        host = self.hosts[seat]
        if host.fuse is not None:
            host.fuse -= 1
            if host.fuse <= 0:
                raise Crashed

    def crash(self, host: Host, *, power: bool = True) -> None:
        """End a program at once; without power also what was not synced is gone."""
        host.driver = None
        host.life += 1
        self.met["lost power" if power else "killed"] += 1
        if power:
            host.log.lose_power(host.rng)
            host.secrets.lose_power(host.rng)
        self._cut_off(host, noticed_s=3.0)
        self.later(self.now_s + host.rng.uniform(1, 60), lambda: self.restart(host))

    def _cut_off(self, host: Host, noticed_s: float) -> None:
        for other in self.hosts:
            if other is not host:
                self.wires.reset(host.seat, other.seat, noticed_s)

    def leave(self, host: Host) -> None:
        """End a program as its player would: the others are told; resumed when all is healed."""
        if host.driver is not None and not host.exited:
            for other in self.hosts:
                if other is not host:
                    self.wires.send(host.seat, other.seat, wire.write(wire.Farewell()))
            self._exit(host)

    # --- messages -----------------------------------------------------------------------------

    def _send(self, host: Host, data: bytes, seat: int | None) -> None:
        self._burn(host.seat)
        self.listen(host, data)
        for other in range(len(self.hosts)):
            if other != host.seat and seat in (None, other):
                said = self.tamper(host.seat, other, data)
                self.frames += 1
                if said is not None:
                    self.wires.send(host.seat, other, said)

    def up(self, seat: int, other: int) -> None:
        self.give(self.hosts[seat], LinkUp(seat=other))

    def down(self, seat: int, other: int) -> None:
        self.troubled_s = self.now_s
        if not self.wires.stands(seat, other):
            self.give(self.hosts[seat], LinkDown(seat=other))
        self.later(self.now_s + self.rng.uniform(0.3, 3), lambda: self._redial(seat, other))

    def heard(self, seat: int, other: int, frame: bytes) -> None:
        self.give(self.hosts[seat], Received(seat=other, data=frame))

    def _redial(self, one: int, other: int) -> None:
        if self.running(one, other):
            self.wires.connect(one, other)
        if not self.wires.stands(one, other):
            self.later(self.now_s + 2 + self.rng.random(), lambda: self._redial(one, other))

    def running(self, *seats: int) -> bool:
        """Tell whether there are programs at these seats that can be dialled."""
        hosts = [self.hosts[seat] for seat in seats]
        return all(host.driver is not None and not host.exited for host in hosts)

    def _connect_all(self) -> None:
        for host in self.hosts:
            for other in self.hosts[: host.seat]:
                self._redial(host.seat, other.seat)

    def _heal(self) -> None:
        self.healed = True
        self.wires.heal()
        for host in self.hosts:
            host.log.mended()
            host.secrets.mended()
            host.fuse, host.frozen_until_s = None, 0.0
            self._thaw(host)
            self._come_back(host)
            self.restart(host)
        self._connect_all()


def _settled(host: Host) -> bool:
    """Tell whether a host's program has stopped so that its player will not go on."""
    stopped = None if host.last is None else host.last.stopped
    if isinstance(stopped, Halted):
        return stopped.reason == "claimed"
    return isinstance(stopped, Blamed)
