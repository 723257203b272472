"""Discovery over the loopback interface, for tests."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TypeVar

from nacl.signing import SigningKey

from p2p_davinci.net.discovery import Discovery, Seen
from p2p_davinci.net.interfaces import Interface, all_interfaces

HANG_GUARD_S = 10.0
E = TypeVar("E")
_RUN = os.urandom(24)
"""Other runs of these tests may be heard on the same loopback interface."""


def loopback() -> tuple[Interface, ...]:
    return tuple(interface for interface in all_interfaces() if interface.loopback)


def key(number: int) -> bytes:
    return bytes(SigningKey(_RUN + number.to_bytes(8, "big")).verify_key)


@contextlib.asynccontextmanager
async def searching(
    identity: bytes,
    interfaces: Callable[[], Sequence[Interface]] = loopback,
    *,
    poll_s: float = 5.0,
) -> AsyncIterator[Discovery]:
    discovery = Discovery(interfaces, identity, version=1, poll_s=poll_s)
    await discovery.start()
    try:
        yield discovery
    finally:
        await discovery.close()


async def event(discovery: Discovery, kind: type[E]) -> E:
    """Return the next event of this kind; others are passed over."""
    async with asyncio.timeout(HANG_GUARD_S):
        while True:
            found = await discovery.events.get()
            if isinstance(found, kind):
                return found


async def sighting(discovery: Discovery, identity: bytes) -> Seen:
    """Return the next sighting of this peer."""
    while (seen := await event(discovery, Seen)).identity != identity:
        pass
    return seen


def waiting(discovery: Discovery, *identities: bytes) -> list[object]:
    """Take what waits, without sightings of anybody but these peers."""
    found: list[object] = []
    while not discovery.events.empty():
        told = discovery.events.get_nowait()
        if not isinstance(told, Seen) or told.identity in identities:
            found.append(told)
    return found
