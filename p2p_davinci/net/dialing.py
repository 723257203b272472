"""Dialling: one attempt at one address, races between several, and keeping a link up.

PEER, finding and staying together.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from .connection import READER_BYTES
from .events import Address, DialError
from .limits import Limits
from .peer import Peer

_TOLD = frozenset(("version", "declined", "stranger", "busy", "not_ours"))
"""Failures that a person should hear of; the others just mean that nobody is there yet."""

T = TypeVar("T")
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Attempt = Callable[[str, int], Awaitable[T]]


async def connect(host: str, port: int, limits: Limits) -> Streams:
    """Open a TCP connection within ``handshake_s``; a name's addresses are raced.

    Raises:
        DialError: ``refused``, ``timeout``, ``unreachable``.
    """
    if not 0 < port < 2**16:
        raise DialError("unreachable", f"port {port}")
    try:
        async with asyncio.timeout(limits.handshake_s):
            addresses = await _resolve(host, port)
            return await race(addresses, _open, _abort, limits.race_gap_s)
    except TimeoutError:
        raise DialError("timeout") from None


async def _resolve(host: str, port: int) -> list[Address]:
    """Look a name up; an address stands for itself, without a thread."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        pass
    else:
        return [(host, port)]
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:  # ValueError: it cannot be a name
        raise DialError("unreachable", str(error)) from None
    return [(name, port) for name in dict.fromkeys(_numeric(entry[4]) for entry in found)]


def _numeric(address: tuple[Any, ...]) -> str:
    """Return the host of a socket address, with the scope that link-local IPv6 needs."""
    scope = address[3] if len(address) == 4 else 0
    return f"{address[0]}%{scope}" if scope else str(address[0])


async def _open(host: str, port: int) -> Streams:
    try:
        return await asyncio.open_connection(host, port, limit=READER_BYTES)
    except ConnectionRefusedError:
        raise DialError("refused") from None
    except OSError as error:
        raise DialError("unreachable", str(error)) from None


def _abort(streams: Streams) -> None:
    streams[1].transport.abort()


async def race(
    addresses: Sequence[Address], attempt: Attempt[T], second: Callable[[T], None], gap_s: float
) -> T:
    """Return the first success of ``attempt`` over the addresses, started ``gap_s`` apart.

    A failure starts the next one at once. Whoever comes second is cancelled, or, if it has
    succeeded too, given to ``second``.

    Raises:
        DialError: all failed: the reason of the first; ``unreachable`` if there is no address.
    """
    waiting = list(addresses)
    running: set[asyncio.Task[T]] = set()
    won: list[T] = []
    errors: list[DialError] = []
    try:
        while (waiting or running) and not won:
            if waiting:
                host, port = waiting.pop(0)
                running.add(asyncio.create_task(_run(attempt, host, port)))
            done, running = await asyncio.wait(
                running,
                timeout=gap_s if waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            _sort(done, won, errors)
    finally:
        await _stop(running, won, second)
    if not won:
        raise errors[0] if errors else DialError("unreachable")
    for extra in won[1:]:
        second(extra)
    return won[0]


async def _run(attempt: Attempt[T], host: str, port: int) -> T:
    return await attempt(host, port)


def _sort(done: set[asyncio.Task[T]], won: list[T], errors: list[DialError]) -> None:
    """Part results and failed dials; anything else that was raised is raised here."""
    for task in done:
        try:
            won.append(task.result())
        except DialError as error:
            errors.append(error)


async def _stop(running: set[asyncio.Task[T]], won: list[T], second: Callable[[T], None]) -> None:
    """Cancel what still runs, and lose no success, not even if this race is cancelled now."""
    for task in running:
        task.cancel()
    try:
        late = await asyncio.gather(*running, return_exceptions=True)
    except asyncio.CancelledError:
        for result in won:
            second(result)
        raise
    won += [result for result in late if not isinstance(result, BaseException)]


async def keep(
    peer: Peer,
    *,
    dial: Callable[[Peer], Awaitable[None]],
    tell: Callable[[Peer, DialError], None],
    limits: Limits,
    entropy: Callable[[int], bytes],
) -> None:
    """Call ``dial`` whenever there is no link to ``peer``, with growing pauses, until cancelled."""
    failures = 0
    while True:
        await peer.needed()
        try:
            await dial(peer)
            failures = 0
        except DialError as error:
            failures += 1
            if error.reason in _TOLD:
                tell(peer, error)
        await asyncio.sleep(limits.dial_gap_s)
        if failures:
            longest_s = min(limits.redial_max_s, limits.dial_gap_s * 2.0 ** min(failures, 16))
            await peer.news(longest_s * (0.5 + entropy(1)[0] / 510))
