"""What can go wrong, chosen by a seed: one table of faults, each a function of the world."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from p2p_davinci.session.events import LinkUp, Slept

from .doors import Doors
from .players import whim as whimsical
from .world import World

SILENT_S = 15.0
"""After so long without a sign of life a link is given up, as in the application."""
Fault = Callable[[World, random.Random], None]


def _pair(world: World, rng: random.Random) -> tuple[int, int]:
    one, other = rng.sample(range(len(world.hosts)), 2)
    return one, other


def reset(world: World, rng: random.Random) -> None:
    world.wires.reset(*_pair(world, rng), noticed_s=rng.choice((0.0, 5.0, 15.0)))


def reset_all(world: World, rng: random.Random) -> None:
    for host in world.hosts:
        for other in world.hosts[: host.seat]:
            world.wires.reset(host.seat, other.seat, noticed_s=rng.choice((0.0, 5.0)))


def one_way(world: World, rng: random.Random) -> None:
    """Bytes in one direction do not arrive for a while; if it lasts, the link is given up."""
    pair = _pair(world, rng)
    for_s = rng.uniform(2, 30)
    world.wires.block(*pair, until_s=world.now_s + for_s)
    if for_s > SILENT_S:
        world.later(world.now_s + SILENT_S, lambda: world.wires.reset(*pair))


def cut_pair(world: World, rng: random.Random) -> None:
    pair = _pair(world, rng)
    _forbid(world, {pair, pair[::-1]}, rng.uniform(5, 120))


def partition(world: World, rng: random.Random) -> None:
    seats = list(range(len(world.hosts)))
    rng.shuffle(seats)
    half = set(seats[: rng.randint(1, len(seats) - 1)])
    ways = {(a, b) for a in seats for b in seats if (a in half) != (b in half)}
    _forbid(world, ways, rng.uniform(5, 150))


def _forbid(world: World, ways: set[tuple[int, int]], for_s: float) -> None:
    world.wires.allowed -= ways
    for one, other in sorted(ways):
        world.wires.reset(one, other, noticed_s=15.0)
    world.later(world.now_s + for_s, lambda: world.wires.allowed.update(ways))


def kill(world: World, rng: random.Random) -> None:
    host = rng.choice(world.hosts)
    if host.driver is not None:
        world.crash(host, power=False)


def power_cut(world: World, rng: random.Random) -> None:
    host = rng.choice(world.hosts)
    if host.driver is not None:
        world.crash(host, power=True)


def kill_all(world: World, rng: random.Random) -> None:
    for host in world.hosts:
        if host.driver is not None:
            world.crash(host, power=rng.random() < 0.5)


def fuse(world: World, rng: random.Random) -> None:
    """Crash between two of the next operations: writing, syncing, sending."""
    rng.choice(world.hosts).fuse = rng.randint(1, 40)


def freeze(world: World, rng: random.Random) -> None:
    world.freeze(rng.choice(world.hosts), rng.uniform(3, 90))


def bad_disk(world: World, rng: random.Random) -> None:
    """One of a program's files takes nothing more for a while, or what it took is not synced."""
    host = rng.choice(world.hosts)
    journal = rng.choice((host.log, host.secrets))
    journal.full = rng.random() < 0.5
    journal.failing = not journal.full
    world.later(world.now_s + rng.uniform(1, 60), journal.mended)


def double_news(world: World, rng: random.Random) -> None:
    """A link is announced that stands already."""
    one, other = _pair(world, rng)
    if world.wires.stands(one, other):
        world.give(world.hosts[one], LinkUp(seat=other))


def slow(world: World, rng: random.Random) -> None:
    world.wires.delay_s = rng.choice((0.005, 0.05, 0.5, 2.0))


def quit_(world: World, rng: random.Random) -> None:
    world.leave(rng.choice(world.hosts))


def whim(world: World, rng: random.Random) -> None:
    whimsical(world, rng.choice(world.hosts))


def clock_jump(world: World, rng: random.Random) -> None:
    """A program's clock jumps, or it is told of a sleep that its clock slept through."""
    host, for_s = rng.choice(world.hosts), rng.choice((0.0, 3.0, 15.0, 25.0, 90.0, 4000.0))
    if for_s:
        world.sleep(host, for_s)
    else:
        world.give(host, Slept())
        world.met["sleep"] += 1


def dial_both(world: World, rng: random.Random) -> None:
    """Both ends of a pair dial at one moment, whether or not a link stands."""
    pair = _pair(world, rng)
    if isinstance(world.wires, Doors) and world.running(*pair):
        world.wires.dial_both(*pair)


def adverts_lie(world: World, rng: random.Random) -> None:
    """What is advertised is stale or double for a while, and a link is to be made anew."""
    wires = world.wires
    if isinstance(wires, Doors):
        wires.adverts_lie = True
        reset(world, rng)
        world.later(world.now_s + rng.uniform(5, 60), lambda: setattr(wires, "adverts_lie", False))


FAULTS: Final[Mapping[Fault, int]] = MappingProxyType(
    {
        reset: 6,
        reset_all: 2,
        one_way: 4,
        cut_pair: 4,
        partition: 4,
        kill: 5,
        power_cut: 4,
        kill_all: 1,
        fuse: 5,
        freeze: 4,
        bad_disk: 3,
        double_news: 2,
        slow: 2,
        quit_: 1,
        whim: 4,
    }
)
"""Every fault of games over single links, and how often it is chosen."""

MESHED_FAULTS: Final[Mapping[Fault, int]] = MappingProxyType(
    {**FAULTS, clock_jump: 5, dial_both: 5, adverts_lie: 4}
)
"""The same where peers dial each other."""


def plan(world: World, rng: random.Random) -> None:
    """Schedule the faults of a run."""
    faults = MESHED_FAULTS if isinstance(world.wires, Doors) else FAULTS
    kinds, weights = list(faults), list(faults.values())
    for _ in range(rng.choice((0, 1, 2, 4, 8, 12))):
        fault = rng.choices(kinds, weights)[0]
        at_s = rng.uniform(0, rng.choice((20.0, 60.0, 120.0)))
        world.later(at_s, partial(_befall, world, rng, fault))


def _befall(world: World, rng: random.Random, fault: Fault) -> None:
    if not world.healed:
        world.met[fault.__name__] += 1
        fault(world, rng)
