"""A liar: a peer that tells the others different things, once."""

from __future__ import annotations

import random
from dataclasses import replace

from p2p_davinci.session import wire
from protocol import PeerFault, read_envelope, seal

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
