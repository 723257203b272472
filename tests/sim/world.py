"""A table of peers in one process on virtual time: the application's own driver, and trouble.

One seed chooses rules, players, moves and faults. Everything random comes from it, so a run repeats
exactly. There is a time of trouble, then everything heals and the game must come to an end.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from p2p_davinci.app.driver import Driver, Outlets, mend
from p2p_davinci.bots.strategy import choose, choose_arrangement, choose_take
from p2p_davinci.rules.moves import Call, Guess, Move, Resign
from p2p_davinci.rules.state import Phase
from p2p_davinci.rules.tiles import tile_of_code
from p2p_davinci.session import secrets as secrets_file
from p2p_davinci.session import wire
from p2p_davinci.session.contract import Contract
from p2p_davinci.session.events import (
    CallClock,
    Claim,
    Event,
    Input,
    KeepWaiting,
    LinkDown,
    LinkUp,
    Offered,
    Play,
    Received,
    SaveAndStop,
    Say,
    Tick,
    VoteOut,
)
from p2p_davinci.session.game import Game, asks_player, view
from p2p_davinci.session.resuming import CannotResume, recall
from p2p_davinci.session.work import Who
from protocol import HEADER, SECRETS_HEADER, Signer
from protocol.log import KINDS
from tests.support.table import contract_for, seeded, signers

from .disks import Crashed, Journal
from .doors import Doors
from .wires import Ends, Wires

TROUBLE_S = 240.0
HEALED_S = 1500.0
LUCKY = 0.6
"""How often a guess hits without thinking, so that games are short."""
WAIT_S = 20.0
"""How long the players of a simulation wait before they are offered a choice."""


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
    ahead_s: float = 0.0
    """How far its clock is ahead of the world's."""
    fuse: int | None = None
    exited: bool = False
    """Whether the program ended by itself: its game stopped, or its player left."""
    lost_for_good: bool = False
    planned: tuple[int, int, int] | None = None
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
        self.luck = LUCKY
        self.healed = False
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        entropy = seeded(("table", seed))
        who = signers(seats, entropy)
        self.contract: Contract = contract_for(who, preset, overrides, entropy=entropy)
        links = Doors if meshed else Wires
        self.wires: Wires | Doors = links(seats, self.rng, lambda: self.now_s, self.later, self)
        self.hosts = [self._host(seat, signer) for seat, signer in enumerate(who)]
        self.sent: list[tuple[int, bytes]] = []
        self.tamper: Callable[[int, int, bytes], bytes] = lambda _from, _to, data: data
        self.watch: Callable[[Host], None] = lambda _: None

    def _host(self, seat: int, signer: Signer) -> Host:
        touched = partial(self._burn, seat)
        return Host(
            seat=seat,
            signer=signer,
            rng=random.Random(f"player {self.seed} {seat}"),
            log=Journal(HEADER, KINDS, touched),
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
        return host.exited or (host.driver is not None and host.driver.game.ended)

    # --- programs -----------------------------------------------------------------------------

    def _program(self, host: Host) -> Driver:
        host.life += 1
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
        host.fuse, host.frozen_until_s, host.planned = None, 0.0, None
        host.exited, host.choices = False, 0
        try:
            recalled = recall(host.log.records(), host.secrets.records(), host.signer.public)
            mend(recalled, host.log, host.secrets)
        except CannotResume as refusal:
            if refusal.reason not in ("finished", "void", "log") or host.last is None:
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
        if host.frozen_until_s > self.now_s:
            self.later(host.frozen_until_s, partial(self._give_if, host, host.life, given))
            return
        self._run_program(host, lambda driver: driver.step(given, self._clock(host)))

    def _give_if(self, host: Host, life: int, given: Input) -> None:
        if host.life == life:
            self.give(host, given)

    def _clock(self, host: Host) -> float:
        return self.now_s + host.ahead_s

    def _wake(self, host: Host, at_s: float) -> None:
        self.later(at_s - host.ahead_s + 0.01, partial(self._give_if, host, host.life, Tick()))

    def sleep(self, host: Host, for_s: float) -> None:
        """Let a program's clock jump; what it meant to do meanwhile it does now."""
        host.ahead_s += for_s
        self.give(host, Tick())

    def _run_program(self, host: Host, call: Callable[[Driver], None]) -> None:
        if host.driver is None:
            return
        try:
            call(host.driver)
        except (Crashed, OSError):
            self.crash(host)
            return
        host.last = host.driver.game
        self.watch(host)
        if host.last.stopped is not None:
            self._exit(host)
        self._play(host)

    def _exit(self, host: Host) -> None:
        host.exited = True
        self.later(self.now_s + 0.2, lambda: self._cut_off(host, noticed_s=1.0))

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
        for other in range(len(self.hosts)):
            if other != host.seat and seat in (None, other):
                said = self.tamper(host.seat, other, data)
                self.sent.append((host.seat, said))
                self.wires.send(host.seat, other, said)

    def up(self, seat: int, other: int) -> None:
        self.give(self.hosts[seat], LinkUp(seat=other))

    def down(self, seat: int, other: int) -> None:
        if not self.wires.stands(seat, other):
            self.give(self.hosts[seat], LinkDown(seat=other))
        self.later(self.now_s + self.rng.uniform(0.3, 3), lambda: self._redial(seat, other))

    def heard(self, seat: int, other: int, frame: bytes) -> None:
        self.give(self.hosts[seat], Received(seat=other, data=frame))

    def _redial(self, one: int, other: int) -> None:
        hosts = (self.hosts[one], self.hosts[other])
        if all(host.driver is not None and not host.exited for host in hosts):
            self.wires.connect(one, other)
        if not self.wires.stands(one, other):
            self.later(self.now_s + 2 + self.rng.random(), lambda: self._redial(one, other))

    def _connect_all(self) -> None:
        for host in self.hosts:
            for other in self.hosts[: host.seat]:
                self._redial(host.seat, other.seat)

    def _heal(self) -> None:
        self.healed = True
        seats = range(len(self.hosts))
        self.wires.allowed = {(a, b) for a in seats for b in seats if a != b}
        for host in self.hosts:
            host.log.full = host.secrets.full = False
            host.fuse, host.frozen_until_s = None, 0.0
            if host.exited and host.last is not None and not host.last.ended:
                host.driver = None
                host.life += 1
                self._cut_off(host, noticed_s=0.0)
            self.restart(host)
        self._connect_all()

    # --- players ------------------------------------------------------------------------------

    def _play(self, host: Host) -> None:
        if host.driver is None:
            return
        game = host.driver.game
        events, host.events[:] = tuple(host.events), ()
        for event in events:
            if isinstance(event, Offered):
                self.later(
                    self.now_s + host.rng.uniform(0.5, 8),
                    partial(self._choose, host, host.life, event),
                )
        now = (host.life, game.round.contract.previous is not None, game.round.chain.step.number)
        step = (now[0], len(game.past), now[2])
        if asks_player(game) and host.planned != step:
            host.planned = step
            think_s = host.rng.choice((0.1, 1.0, 3.0)) * host.rng.random()
            self.later(self.now_s + think_s, partial(self._move, host, step))

    def _move(self, host: Host, step: tuple[int, int, int]) -> None:
        if host.driver is None or host.planned != step or host.exited:
            return
        game = host.driver.game
        if (host.life, len(game.past), game.round.chain.step.number) != step:
            return
        if asks_player(game):
            self.give(host, Play(move=self._decide(host, game)))

    def _decide(self, host: Host, game: Game) -> Move:
        shown = view(game)
        options = game.round.contract.options
        if shown.kind == "take":
            return choose_take(options, len(game.round.contract.playing), host.rng)
        if shown.board is None:
            return choose_arrangement(shown.dealt, host.rng)
        if shown.board.state.phase in (Phase.GUESS, Phase.MORE) and host.rng.random() < self.luck:
            return self._lucky(host, game) or choose(shown.board, host.rng)
        return choose(shown.board, host.rng)

    def _lucky(self, host: Host, game: Game) -> Guess | None:
        """Return a guess that hits: what it takes to play many games to their end soon."""
        round_ = game.round
        targets = [
            (other, slot, held)
            for other in self.hosts
            if other is not host
            for slot, held in enumerate(round_.hands[other.seat], 1)
            if round_.board.rows[other.seat][slot - 1].standing
        ]
        other, slot, held = host.rng.choice(targets)
        secrets = None if other.last is None else other.last.secrets
        code = None if secrets is None else secrets.codes.get((held.deck, held.index))
        if code is None:
            return None
        tile = tile_of_code(code)
        call = Call(colour=tile.colour, number=tile.number)
        return Guess(seat=other.seat, slot=slot, call=call)

    def _choose(self, host: Host, life: int, offered: Offered) -> None:
        """Decide what to do about a silent player."""
        if host.life != life or host.driver is None or host.exited:
            return
        host.choices += 1
        if self.healed and host.choices > 3:
            self.give(host, SaveAndStop())
            return
        ways: list[Input] = [KeepWaiting(), KeepWaiting()]
        if offered.vote:
            ways += [VoteOut(seat=offered.seat)] * 5
        if offered.claim:
            ways.append(Claim())
        way = host.rng.choice(ways)
        self.give(host, way)
        if isinstance(way, VoteOut):
            self.later(self.now_s + 2 * WAIT_S, partial(self.give, host, KeepWaiting()))
        elif not self.healed and host.rng.random() < 0.1:
            self.give(host, SaveAndStop())

    def whim(self, host: Host) -> None:
        """Say something, resign, or call the clock."""
        wish = host.rng.choice(("say", "say", "clock", "clock", "resign"))
        if wish == "say":
            self.give(host, Say(text="hm"))
        elif wish == "clock":
            self.give(host, CallClock())
        elif host.rng.random() < 0.5:
            self.give(host, Play(move=Resign()))
