"""One simulated game from a seed: who plays what, and how it went."""

from __future__ import annotations

import hashlib
import random
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from p2p_davinci.rules.options import PRESETS

from . import faults
from .doors import Doors
from .lying import lie, vote_falsely
from .players import Players
from .sending import Listener
from .verdicts import check_end, check_log, check_together, end
from .watching import Watcher
from .world import Broken, World

FIRST_MESHED = 1_000_000
"""From this seed on peers dial each other, clocks jump, and a liar may tell each another story."""
FIRST_BRISK = 2_000_000
"""From this seed on nearly every guess hits and one log of a table is verified, not each.

So a game takes half the time, and twice as many fit into a long run.
"""
LUCK = 0.6
BRISK_LUCK = 0.95
LIARS = 0.25
"""At how many tables of three or four somebody lies."""
FALSE_VOTES = 0.6
"""How many liars vote in bad faith; the others say different things to different seats."""
CLOCKS = 0.3
"""At how many tables a clock may be called."""
SPOKEN_OF = ("overdue", "resign", "turn-up", "place")
"""Messages that not every game has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run ended: by seat, ``over``, the reason of a halt, ``blamed``, or ``gone``.

    ``met`` says by name how often something happened that these tables are there for.
    """

    ends: tuple[str, ...]
    dropped: int
    crashes: int
    steps: int
    seconds: float
    digest: str
    met: tuple[tuple[str, int], ...]


def run(seed: int) -> Outcome:
    """Play the game of a seed.

    Raises:
        Broken: what must be true is not; that no program raises anything is part of it.
    """
    rng = random.Random(f"plan {seed}")
    world = _table(seed, rng)
    liar = _seat_a_liar(world, rng)
    watcher = Watcher(liar=liar)
    world.watch = watcher.look
    world.listen = Listener(liar=liar).hear
    world.act = Players(world, luck=BRISK_LUCK if seed >= FIRST_BRISK else LUCK).act
    faults.plan(world, rng)
    try:
        world.run()
        check_end(world, watcher)
        for host in world.hosts if seed < FIRST_BRISK else [world.rng.choice(world.hosts)]:
            check_log(host, liar)
        if seed < FIRST_BRISK:
            world.met["logs that part"] += check_together(world, liar)
    except Broken:
        raise
    except Exception as error:
        raise Broken(_last_line(error)) from error
    return _outcome(world, watcher)


def _last_line(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{error!r} at {Path(last.filename).name}:{last.lineno}: {last.line}"


def _table(seed: int, rng: random.Random) -> World:
    seats = rng.choice((2, 3, 3, 3, 4, 4))
    overrides = {"rounds": rng.choice("112")} if rng.random() < 0.3 else {}
    preset = rng.choice(sorted(PRESETS))
    if overrides and PRESETS[preset].scoring == "none":
        overrides = {}
    if rng.random() < CLOCKS:
        overrides["clock"] = "8+4"
    return World(seed, seats, preset, overrides, meshed=seed >= FIRST_MESHED)


def _seat_a_liar(world: World, rng: random.Random) -> int | None:
    seats = len(world.hosts)
    if seats == 2 or rng.random() >= LIARS:
        return None
    liar = rng.randrange(seats)
    if rng.random() < FALSE_VOTES:
        vote_falsely(world, liar, rng)
    else:
        lie(world, liar, rng, to_each=world.seed >= FIRST_MESHED and rng.random() < 0.5)
    return liar


def _outcome(world: World, watcher: Watcher) -> Outcome:
    games = [host.last for host in world.hosts if host.last is not None]
    print_of_all = hashlib.sha256()
    for host in world.hosts:
        print_of_all.update(bytes(host.log.data) + bytes(host.secrets.data))
    return Outcome(
        ends=tuple(end(host) for host in world.hosts),
        dropped=len(watcher.dropped),
        crashes=sum(host.life for host in world.hosts) - len(world.hosts),
        steps=max(game.round.chain.step.number for game in games),
        seconds=world.now_s,
        digest=print_of_all.hexdigest(),
        met=_met(world, watcher),
    )


def _met(world: World, watcher: Watcher) -> tuple[tuple[str, int], ...]:
    """Return what happened at a table, by name."""
    longest = max((h.last for h in world.hosts if h.last), key=lambda g: len(g.round.transcript))
    kinds = Counter(
        envelope.payload.kind
        for round_ in (*longest.past, longest.round)
        for said in round_.transcript
        for envelope in said
    )
    met = world.met + Counter({kind: kinds[kind] for kind in SPOKEN_OF})
    met["drop"] = len(watcher.dropped)
    met["stale advert"] = world.wires.stale if isinstance(world.wires, Doors) else 0
    for host in world.hosts:
        met[f"end {end(host)}"] += 1
        met["accused"] += host.last is not None and bool(host.last.accused)
    met["hopeless"] = world.hopeless
    return tuple(sorted((name, times) for name, times in met.items() if times))
