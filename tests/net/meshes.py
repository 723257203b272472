"""Meshes on the loopback interface, for tests."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from p2p_davinci.net.certificate import Credentials, make_credentials
from p2p_davinci.net.events import Event, Woke
from p2p_davinci.net.hello import Hello, Role
from p2p_davinci.net.limits import Limits
from p2p_davinci.net.link import LINK_VERSION, Link
from p2p_davinci.net.mesh import Mesh
from p2p_davinci.storage.identity import Identity, load_identity

HERE = "127.0.0.1"
LOOPBACK = (HERE, "::1")
HANG_GUARD_S = 10.0
QUICK = Limits(
    handshake_s=1.0,
    beat_s=0.05,
    quiet_s=0.2,
    silent_s=0.5,
    tick_s=0.02,
    jump_s=0.15,
    dial_gap_s=0.02,
    redial_max_s=0.1,
    race_gap_s=0.05,
    linger_s=0.5,
)
"""Waiting made short; the counts and sizes are the real ones.

As with the real ones, a standstill of this process counts as sleep before it counts as silence.
"""

E = TypeVar("E", bound=Event)
_folders = itertools.count()


def identity(folder: Path, name: str = "") -> Identity:
    return load_identity(folder / (name or f"peer-{next(_folders)}"))


@contextlib.asynccontextmanager
async def running(
    who: Identity,
    *,
    hosts: Sequence[str] = LOOPBACK,
    name: str = "ana",
    app_version: int = 1,
    limits: Limits = QUICK,
    **more: Any,
) -> AsyncIterator[Mesh]:
    """Run a mesh; afterwards nothing of it may be left in the loop."""
    mesh = Mesh(who, name=name, app_version=app_version, limits=limits, **more)
    await mesh.start(hosts)
    try:
        yield mesh
    finally:
        await mesh.close()


@contextlib.asynccontextmanager
async def pair(folder: Path, **more: Any) -> AsyncIterator[tuple[Mesh, Mesh]]:
    """Run two meshes, the one with the smaller key first; they are not linked yet."""
    first, second = sorted((identity(folder), identity(folder)), key=lambda who: who.public)
    async with running(first, **more) as one, running(second, **more) as two:
        yield one, two


async def event(mesh: Mesh, kind: type[E]) -> E:
    """Return the next event of this kind; others are passed over."""
    async with asyncio.timeout(HANG_GUARD_S):
        while True:
            found = await mesh.events.get()
            if isinstance(found, kind):
                return found


def waiting(mesh: Mesh) -> list[Event]:
    """Take what waits; that this process stood still (a busy machine) is no news."""
    found: list[Event] = []
    while not mesh.events.empty():
        told = mesh.events.get_nowait()
        if not isinstance(told, Woke):
            found.append(told)
    return found


def alone(mesh: Mesh) -> bool:
    """Tell whether no connection to an authenticated peer is left."""
    return all(peer.idle for peer in mesh._peers.values())


class Stranger:
    """A bare TCP connection to a mesh, with an end of a link to drive by hand."""

    def __init__(self, folder: Path, who: Identity | None = None) -> None:
        self.who = who or identity(folder)
        self.credentials: Credentials = make_credentials(self.who.folder)
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    def link(self, *, dialer: bool = True, **changes: Any) -> Link:
        fields: dict[str, Any] = {
            "link_version": LINK_VERSION,
            "app_version": 1,
            "role": Role.PEER,
            "boot": 1,
            "port": 0,
            "nonce": bytes(32),
            "identity": self.who.public,
            "name": "stranger",
            "card": b"",
            "hosts": (),
        }
        return Link(
            credentials=self.credentials,
            key=self.who.private,
            hello=Hello(**{**fields, **changes}),
            dialer=dialer,
            unproved_bytes=Limits().unproved_bytes,
        )

    async def connect(self, mesh: Mesh) -> None:
        self.reader, self.writer = await asyncio.open_connection(HERE, mesh.port)

    async def shake(self, link: Link) -> None:
        """Run the handshake from this side."""
        while link.peer is None:
            link.receive(await self.read())
            await self.push(link)

    async def read(self) -> bytes:
        """Return what comes next; empty when the mesh has closed the connection."""
        async with asyncio.timeout(HANG_GUARD_S):
            try:
                return await self.reader.read(65536)
            except ConnectionError:
                return b""

    async def push(self, link: Link) -> None:
        self.writer.write(link.take_output())
        await self.writer.drain()

    async def ended(self) -> bytes:
        """Read until the mesh closes the connection; return all that came."""
        found = b""
        async with asyncio.timeout(HANG_GUARD_S):
            while data := await self.read():
                found += data
        return found

    def close(self) -> None:
        self.writer.transport.abort()
        self.who.close()
