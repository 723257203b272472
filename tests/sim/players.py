"""The players of a table in trouble: what they do on their turn, and while somebody is silent.

Some think for long, some call the clock on them, some resign: their tempers come from the seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import partial

from p2p_davinci.bots.strategy import choose, choose_arrangement, choose_take
from p2p_davinci.rules.engine import actor
from p2p_davinci.rules.moves import Call, Guess, Move, Resign
from p2p_davinci.rules.state import Phase
from p2p_davinci.rules.tiles import tile_of_code
from p2p_davinci.session.clock import running
from p2p_davinci.session.events import (
    Blamed,
    CallClock,
    Claim,
    ClockCalled,
    ClockIgnored,
    Event,
    Halted,
    Input,
    KeepWaiting,
    Offered,
    Play,
    Promised,
    SaveAndStop,
    Say,
    Voted,
    VoteOut,
)
from p2p_davinci.session.game import Game, asks_player, view

from .world import WAIT_S, Broken, Host, World

SLOW = 0.3
"""How many players like to think until the clock is called, and longer."""
DAWDLES = 0.5
"""How often these do where a clock runs."""
CALLS = 0.6
"""How often another calls the clock once it may be called."""
RESIGNS_AFTER_CALL = 0.25
RESIGNS = 0.06
"""How many players resign somewhere in the first minute, whatever happens."""

Step = tuple[int, int, int]
"""(life of the program, rounds played, step): where a player was asked."""


@dataclass(slots=True)
class Mind:
    """What a player has in mind: for which step it decides already, and which turn it watches."""

    rng: random.Random
    slow: bool = False
    planned: Step | None = None
    watched: Step | None = None


@dataclass(slots=True)
class Players:
    """All players of a table."""

    world: World
    luck: float
    """How often a guess hits without thinking, so that games are short."""
    minds: list[Mind] = field(default_factory=list)

    def __post_init__(self) -> None:
        for host in self.world.hosts:
            mind = Mind(rng=random.Random(f"temper {self.world.seed} {host.seat}"))
            mind.slow = mind.rng.random() < SLOW
            self.minds.append(mind)
            if mind.rng.random() < RESIGNS:
                at_s = mind.rng.uniform(2, 60)
                self.world.later(at_s, partial(self.world.give, host, Play(move=Resign())))

    def act(self, host: Host, events: tuple[Event, ...]) -> None:
        """Let a player see what its program shows, and decide what to do when."""
        for event in events:
            self._note(host, event)
        if host.driver is None:
            return
        game = host.driver.game
        step = (host.life, len(game.past), game.round.chain.step.number)
        mind = self.minds[host.seat]
        if asks_player(game) and mind.planned != step:
            mind.planned = step
            self.world.later(self._answers_s(host, game), partial(self._move, host, step))
        if running(game) is not None and mind.watched != step:
            mind.watched = step
            self._watch_the_clock(host, game, step)

    def _note(self, host: Host, event: Event) -> None:
        met = self.world.met
        match event:
            case Offered():
                self._offered(host, event)
            case Voted(by=by):
                met["vote"] += by == host.seat
            case Promised(by=by):
                met["promise"] += by == host.seat
            case ClockCalled(by=by):
                met["call"] += by == host.seat
            case ClockIgnored(seat=seat):
                met["ignored"] += 1
                if self.world.settled:
                    raise Broken(f"seat {host.seat} is told that seat {seat} ignores the clock")
            case Blamed(check=check, proved=True):
                met[f"convicted {check}"] += 1
            case Halted(reason=reason):
                met[f"halt {reason}"] += 1

    # --- moves --------------------------------------------------------------------------------

    def _answers_s(self, host: Host, game: Game) -> float:
        """Return when a player that is asked something will answer."""
        think_s = host.rng.choice((0.1, 1.0, 3.0)) * host.rng.random()
        clock, mind = running(game), self.minds[host.seat]
        if clock is not None and mind.slow and mind.rng.random() < DAWDLES:
            think_s += clock.think_s + mind.rng.uniform(0, 3 * clock.call_s)
        return self.world.now_s + think_s

    def _move(self, host: Host, step: Step) -> None:
        game = self._at(host, step)
        if game is not None and asks_player(game):
            self.world.give(host, Play(move=self._decide(host, game)))

    def _at(self, host: Host, step: Step) -> Game | None:
        """Return the game of a player's program if it still is in a step."""
        if host.driver is None or host.exited:
            return None
        game = host.driver.game
        here = (host.life, len(game.past), game.round.chain.step.number)
        return game if here == step else None

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
            for other in self.world.hosts
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

    # --- the clock ----------------------------------------------------------------------------

    def _watch_the_clock(self, host: Host, game: Game, step: Step) -> None:
        clock, temper = running(game), self.minds[host.seat].rng
        if clock is None or actor(game.round.board) == host.seat or temper.random() >= CALLS:
            return
        at_s = self.world.now_s + clock.think_s + temper.uniform(0, 2)
        self.world.later(at_s, partial(self._call, host, step))

    def _call(self, host: Host, step: Step) -> None:
        """Call the clock on who still thinks; now and then have enough of the game right after."""
        if self._at(host, step) is None:
            return
        self.world.give(host, CallClock())
        temper = self.minds[host.seat].rng
        if temper.random() < RESIGNS_AFTER_CALL:
            at_s = self.world.now_s + temper.choice((0.0, 0.5, 3.0))
            self.world.later(at_s, partial(self._resign_after_call, host))

    def _resign_after_call(self, host: Host) -> None:
        call = None if host.driver is None else host.driver.game.call
        if call is not None and call.by == host.seat:
            self.world.met["resign after call"] += 1
            self.world.give(host, Play(move=Resign()))

    # --- silence ------------------------------------------------------------------------------

    def _offered(self, host: Host, offered: Offered) -> None:
        world = self.world
        world.met["offer"] += 1
        if world.settled:
            raise Broken(f"stuck: seat {host.seat} is offered to go on without seat {offered.seat}")
        at_s = world.now_s + host.rng.uniform(0.5, 8)
        world.later(at_s, partial(self._choose, host, host.life, offered))

    def _choose(self, host: Host, life: int, offered: Offered) -> None:
        """Decide what to do about a silent player; once all are well, wait for everybody."""
        world = self.world
        if host.life != life or host.driver is None or host.exited:
            return
        if world.healed and not world.hopeless:
            world.give(host, KeepWaiting())
            return
        host.choices += 1
        if world.healed and host.choices > 3:
            world.give(host, SaveAndStop())
            return
        ways: list[Input] = [KeepWaiting(), KeepWaiting()]
        if offered.vote:
            ways += [VoteOut(seat=offered.seat)] * 5
        if offered.claim:
            ways.append(Claim())
        way = host.rng.choice(ways)
        world.give(host, way)
        if isinstance(way, VoteOut):
            world.later(world.now_s + 2 * WAIT_S, partial(world.give, host, KeepWaiting()))
        elif not world.healed and host.rng.random() < 0.1:
            world.give(host, SaveAndStop())


def whim(world: World, host: Host) -> None:
    """Say something, resign, or call the clock, whether or not that makes sense now."""
    wish = host.rng.choice(("say", "say", "clock", "clock", "resign"))
    if wish == "say":
        world.give(host, Say(text="hm"))
    elif wish == "clock":
        world.give(host, CallClock())
    elif host.rng.random() < 0.5:
        world.give(host, Play(move=Resign()))
