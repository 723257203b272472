"""Liars: a peer that says different things to the others, and one that votes in bad faith."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

from p2p_davinci.session import wire
from p2p_davinci.session.backing import droppable
from p2p_davinci.session.game import accepted_at
from protocol import (
    DROP_KIND,
    PROMISE_KIND,
    PeerFault,
    read_aside,
    read_envelope,
    seal,
    seal_aside,
)

from .world import World

FIRST_LIE_MAX = 15
"""The lie is at the latest its so many-th message; a short game has few more."""


def lie(world: World, liar: int, rng: random.Random, *, to_each: bool) -> None:
    """Let a peer tell one of the others something else; or (``to_each``) each another story."""
    others = [seat for seat in range(len(world.hosts)) if seat != liar]
    victim = rng.choice(others)
    when = rng.randint(1, FIRST_LIE_MAX)
    left = dict.fromkeys(others if to_each else [victim], when)

    def tamper(sender: int, to: int, data: bytes) -> bytes:
        message = _chained(data)
        if sender != liar or to not in left or message is None:
            return data
        envelope = read_envelope(message.raw)
        if envelope.payload.seat != liar:
            return data
        left[to] -= 1
        if left[to]:
            return data
        world.met["lie"] += 1
        said = replace(envelope.payload, body=((to if len(left) > 1 else 0,), ()))
        return wire.write(wire.Chained(raw=seal(said, world.hosts[liar].signer).encode()))

    world.tamper = tamper


def _chained(data: bytes) -> wire.Chained | None:
    try:
        message = wire.read(data)
    except PeerFault:
        return None
    return message if isinstance(message, wire.Chained) else None


# --- a malicious voter -----------------------------------------------------------------------

SPEAKS_S = (5.0, 200.0)
"""Between which times of a run a malicious voter signs what it should not."""
WITHHOLDS = 0.3
"""How often it does not pass on to somebody what it should."""


def vote_falsely(world: World, liar: int, rng: random.Random) -> None:
    """Let a seat vote and promise as it likes, to whom it likes, and withhold what it should send.

    Somebody is often cut off besides, so that there is something to vote about.
    """
    others = [seat for seat in range(len(world.hosts)) if seat != liar]
    lost = rng.choice(others)
    kept_from = {seat for seat in others if rng.random() < WITHHOLDS}

    def withhold(sender: int, to: int, data: bytes) -> bytes | None:
        if sender != liar or to not in kept_from or not _is_about(data, lost):
            return data
        world.met["withheld"] += 1
        world.spoilt = True
        return None

    world.tamper = withhold
    for _ in range(rng.randint(1, 4)):
        at_s = rng.uniform(2, 150)
        for other in rng.sample(others, rng.randint(1, len(others))):
            if other != lost:
                world.later(at_s, partial(_cut, world, lost, other, rng.uniform(20, 90)))
    for _ in range(rng.randint(4, 30)):
        world.later(rng.uniform(*SPEAKS_S), partial(_sign_falsely, world, liar, rng))


def _cut(world: World, one: int, other: int, for_s: float) -> None:
    if world.healed:
        return
    ways = {(one, other), (other, one)}
    world.wires.allowed -= ways
    world.wires.reset(one, other, noticed_s=5.0)
    world.later(world.now_s + for_s, lambda: world.wires.allowed.update(ways))


def _is_about(data: bytes, lost: int) -> bool:
    """Whether a message is a word of a seat, or a promise to stand by one."""
    match wire.peek(data):
        case wire.Chained(raw=raw):
            return read_envelope(raw).payload.seat == lost
        case wire.Remark(raw=raw):
            return read_aside(raw).kind == PROMISE_KIND
    return False


def _sign_falsely(world: World, liar: int, rng: random.Random) -> None:
    """Sign a vote or a promise at a late head, and send it to some of the others."""
    game = world.hosts[liar].last
    if game is None or world.healed:
        return
    rounds = [at for at in (*game.trail[-6:], game.round) if droppable(at)]
    disputed = [at for at in rounds if at.chain.step.head in _disputed(world)]
    if not rounds:
        return
    at = rng.choice(disputed if disputed and rng.random() < 0.7 else rounds)
    lost = rng.choice(droppable(at))
    if lost == liar:
        return
    said = accepted_at(game, at).get(lost)
    digest = rng.randbytes(32) if said is None or rng.random() < 0.1 else said.digest
    kind, body = rng.choice(((DROP_KIND, lost), (PROMISE_KIND, (lost, digest))))
    known = game.ballots.get(at.chain.step.head)
    promises = () if known is None else tuple(p.encode() for p in known.promises)
    aside = seal_aside(
        session=at.chain.session,
        seat=liar,
        counter=0,
        head=at.chain.step.head,
        kind=kind,
        body=body,
        backing=(rng.choice(promises),) if promises and rng.random() < 0.3 else (),
        signer=world.hosts[liar].signer,
    )
    world.met[f"false {kind}"] += 1
    world.spoilt = True
    for other in range(len(world.hosts)):
        if other != liar and rng.random() < 0.6:
            world.wires.send(liar, other, wire.write(wire.Remark(raw=aside.encode())))


def _disputed(world: World) -> set[bytes]:
    """Return the heads at which somebody has voted."""
    games = [host.last for host in world.hosts if host.last is not None]
    return {head for game in games for head, ballot in game.ballots.items() if ballot.votes}
