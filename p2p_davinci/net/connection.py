"""A link on a TCP connection: one reader, one writer task, bounds on both.

PEER, limits of the door. The owner calls :meth:`Connection.shake`, then :meth:`next_frame` until
it raises; :meth:`send` never waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections import deque
from collections.abc import Callable

from .framing import HEADER_BYTES, Frame
from .hello import Hello
from .limits import Limits
from .link import Kind, Link, LinkError

READER_BYTES = 16384
"""How much asyncio may buffer of what a connection sends before it stops reading (twice that)."""


class Connection:
    """One TCP connection; ``host`` is the other end's address as seen from here."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        link: Link,
        *,
        limits: Limits,
        clock: Callable[[], float],
    ) -> None:
        self.link = link
        self.heard_s = clock()
        """When something last came, on ``clock``."""
        self.opened_s = self.heard_s
        self.quiet = False
        """Whether the application was told that this peer is quiet."""
        self.waiting = False
        """Whether a message waits for the application, so that silence here is ours."""
        self.leaving = False
        """Whether the last frame has been queued: whatever still comes is ignored."""
        self.cut_reason = ""
        """Why this side cut the connection, if it did."""
        self._reader = reader
        self._writer = writer
        self._limits = limits
        self._clock = clock
        self._outbox: deque[tuple[Kind, bytes]] = deque()
        self._queued_bytes = 0
        self._wake = asyncio.Event()
        self._beat_due_s = 0.0
        self._write_task: asyncio.Task[None] | None = None
        self._linger: asyncio.TimerHandle | None = None
        peername = writer.get_extra_info("peername")
        self.host: str = peername[0] if peername else ""
        _tune(writer, limits)

    async def shake(self) -> Hello:
        """Run the handshake and return the peer's authenticated hello.

        Raises:
            LinkError: any of its reasons.
            TimeoutError: it took longer than ``handshake_s``.
            OSError: the connection broke.
        """
        async with asyncio.timeout(self._limits.handshake_s):
            self._push()
            while self.link.peer is None:
                await self._receive()
        self.heard_s = self.opened_s = self._clock()
        self._put_off_beat()
        self._write_task = asyncio.create_task(self._write())
        return self.link.peer

    async def next_frame(self) -> Frame:
        """Return the next frame after the handshake.

        Raises:
            LinkError: the peer broke the protocol, or the connection ended.
            OSError: the connection broke.
        """
        while (frame := self.link.next_frame()) is None:
            await self._receive()
            self.heard_s = self._clock()
            self._wake.set()
        return frame

    def send(self, kind: Kind, body: bytes = b"") -> None:
        """Queue one frame; a peer that leaves too much untaken is cut off (``slow``)."""
        if self.leaving or self.cut_reason:
            return
        self._outbox.append((kind, body))
        self._queued_bytes += HEADER_BYTES + len(body)
        unsent = self._writer.transport.get_write_buffer_size()
        if self._queued_bytes + unsent > self._limits.outbound_bytes:
            self.cut("slow")
        self._wake.set()

    def leave(self, reason: str) -> None:
        """Say goodbye, let it go out, and close; what is not out in time is cut."""
        if self.leaving or self.cut_reason:
            return
        self.send(Kind.BYE, reason.encode("ascii"))
        self.leaving = True
        loop = asyncio.get_running_loop()
        self._linger = loop.call_later(self._limits.linger_s, self._writer.transport.abort)

    def cut(self, reason: str) -> None:
        """Close at once; the reader sees the end of the connection."""
        self.cut_reason = self.cut_reason or reason
        self._writer.transport.abort()

    async def close(self) -> None:
        """Release everything; a connection that still stands is cut.

        Before the handshake is complete what has been written goes out first.
        """
        transport = self._writer.transport
        if self._linger is not None:
            self._linger.cancel()
        if self._write_task is None:
            transport.close()
        else:
            transport.abort()
            self._write_task.cancel()
            await asyncio.wait([self._write_task])
        try:
            async with asyncio.timeout(self._limits.linger_s):
                await self._writer.wait_closed()
        except OSError:  # TimeoutError is one
            transport.abort()

    async def _receive(self) -> None:
        data = await self._reader.read(READER_BYTES)
        if not data:
            raise LinkError("lost")
        try:
            self.link.receive(data)
        finally:
            if self._write_task is None:
                self._push()

    async def _write(self) -> None:
        """Write all frames after the handshake, in one task so that they keep their order."""
        try:
            while True:
                await self._write_next()
                if self.leaving and not self._outbox:
                    self._writer.write_eof()
                    return
        except OSError:
            self._writer.transport.abort()

    async def _write_next(self) -> None:
        try:
            async with asyncio.timeout_at(self._beat_due_s):
                await self._wake.wait()
        except TimeoutError:
            self.link.send(Kind.BEAT, b"")
            self._put_off_beat()
        self._wake.clear()
        self._push()
        while self._outbox:
            kind, body = self._outbox.popleft()
            self.link.send(kind, body)
            self._push()
            self._queued_bytes -= HEADER_BYTES + len(body)
            await self._writer.drain()

    def _put_off_beat(self) -> None:
        self._beat_due_s = asyncio.get_running_loop().time() + self._limits.beat_s

    def _push(self) -> None:
        data = self.link.take_output()
        if data:
            self._writer.write(data)


def _tune(writer: asyncio.StreamWriter, limits: Limits) -> None:
    """Ask the system to notice a dead peer too; the heartbeats do not depend on it."""
    sock = writer.get_extra_info("socket")
    if sock is None:
        return
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if sys.platform == "linux":
            # Well beyond silent_s: a peer that beats but takes nothing for a while is alive.
            timeout_ms = int(limits.silent_s * 4000)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, timeout_ms)
