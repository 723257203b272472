"""Where connections come in: one port for IPv4 and IPv6, and a bound on strangers.

PEER, limits of the door.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import sys
from collections import Counter
from collections.abc import Callable, Sequence

from .connection import READER_BYTES
from .limits import Limits
from .link import busy_preface

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - friends on the LAN are to come in
_PORT_TRIES = 16
_NOT_HERE = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}

Visit = Callable[[asyncio.StreamReader, asyncio.StreamWriter, str], None]


class Door:
    """Listening sockets; ``visit`` is called for every connection that there is room for."""

    def __init__(self, limits: Limits, visit: Visit) -> None:
        self.port = 0
        self._limits = limits
        self._visit = visit
        self._servers: list[asyncio.Server] = []
        self._half_open: Counter[str] = Counter()

    async def open(self, hosts: Sequence[str], port: int) -> None:
        """Listen at every address of ``hosts`` on one port, ``port`` or (0) the kernel's choice.

        An address family that this machine lacks is skipped.

        Raises:
            OSError: no address can be listened at, or the port is taken.
        """
        sockets = _bind(hosts, port)
        self.port = sockets[0].getsockname()[1]
        for bound in sockets:
            server = await asyncio.start_server(self._enter, sock=bound, limit=READER_BYTES)
            self._servers.append(server)

    def close(self) -> None:
        """Stop listening; connections that have come in are not touched."""
        for server in self._servers:
            server.close()
        self._servers.clear()

    def release(self, host: str) -> None:
        """Count one stranger less from ``host``: it has authenticated itself, or is gone."""
        self._half_open[host] -= 1
        if self._half_open[host] <= 0:
            del self._half_open[host]

    def _enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peername = writer.get_extra_info("peername")
        if not self._servers or not peername:
            writer.transport.abort()
            return
        host = str(peername[0])
        if not self._has_room(host):
            writer.write(busy_preface())
            writer.close()
            return
        self._half_open[host] += 1
        self._visit(reader, writer, host)

    def _has_room(self, host: str) -> bool:
        return (
            self._half_open.total() < self._limits.half_open
            and self._half_open[host] < self._limits.half_open_per_host
        )


def _bind(hosts: Sequence[str], port: int) -> list[socket.socket]:
    for _ in range(_PORT_TRIES):
        try:
            return _bind_all(hosts, port)
        except OSError as error:
            # The kernel's choice for the first address may be taken at the second.
            if port or error.errno != errno.EADDRINUSE:
                raise
    raise OSError(errno.EADDRINUSE, "no port is free for all addresses")


def _bind_all(hosts: Sequence[str], port: int) -> list[socket.socket]:
    bound: list[socket.socket] = []
    missing: OSError | None = None
    with contextlib.ExitStack() as undo:
        for host in hosts:
            try:
                one = _bind_one(host, bound[0].getsockname()[1] if bound else port)
            except OSError as error:
                if error.errno not in _NOT_HERE:
                    raise
                missing = error
                continue
            undo.callback(one.close)
            bound.append(one)
        if not bound:
            raise missing or OSError(errno.EADDRNOTAVAIL, "no address to listen at")
        undo.pop_all()
    return bound


def _bind_one(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST
    )[0]
    one = socket.socket(family, kind, protocol)
    try:
        if sys.platform == "win32":
            one.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.setblocking(False)
        one.bind(address)
    except BaseException:
        one.close()
        raise
    return one
