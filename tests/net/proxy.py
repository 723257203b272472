"""A bad network: a TCP relay on loopback that can be cut, held still, or black-holed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Self

from .meshes import HERE


class Proxy:
    """Relay ``port`` to ``target``; ``held`` stops the bytes, ``cut`` ends every connection."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self.visits = 0
        self._target = target
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._enter, HERE, 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        self._server.close()
        self.cut()
        self._flowing.set()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def hold(self) -> None:
        """Let no byte through, without a sign to either side."""
        self._flowing.clear()

    def release(self) -> None:
        self._flowing.set()

    def cut(self) -> None:
        """Reset every connection."""
        for writer in self._writers:
            writer.transport.abort()

    def _enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.visits += 1
        task = asyncio.create_task(self._relay(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with self._tracked(writer):
            there_reader, there_writer = await asyncio.open_connection(HERE, self._target)
            async with self._tracked(there_writer):
                await asyncio.gather(
                    self._carry(reader, there_writer), self._carry(there_reader, writer)
                )

    @contextlib.asynccontextmanager
    async def _tracked(self, writer: asyncio.StreamWriter) -> AsyncIterator[None]:
        self._writers.add(writer)
        try:
            yield
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on bytes and then the end of them, both only while the relay flows."""
        data = b"first"
        while data:
            try:
                data = await reader.read(4096)
            except OSError:
                data = b""
            await self._flowing.wait()
            with contextlib.suppress(OSError):
                if data:
                    writer.write(data)
                    await writer.drain()
                else:
                    writer.write_eof()
