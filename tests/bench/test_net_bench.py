"""What a handshake and a message cost, in one process on loopback or without sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from p2p_davinci.net.choice import Choice, Claim, Go
from p2p_davinci.net.events import PeerUp, Received
from p2p_davinci.net.limits import FRAME_BODY_BYTES_MAX
from p2p_davinci.net.link import Kind
from p2p_davinci.net.mesh import Mesh

from ..net.meshes import HERE, event, identity
from ..unit.net.ends import Maker, pump


def test_handshake_without_sockets(benchmark: Any, tmp_path: Path) -> None:
    make = Maker(tmp_path)
    _, listener = benchmark(make.linked)
    assert listener.peer is not None


@pytest.mark.parametrize("size", [100, FRAME_BODY_BYTES_MAX])
def test_frame_through_a_link(benchmark: Any, tmp_path: Path, size: int) -> None:
    dialer, listener = Maker(tmp_path).linked()
    body = bytes(size)

    def carry() -> int:
        dialer.send(Kind.DATA, body)
        pump(dialer, listener)
        frame = listener.next_frame()
        return 0 if frame is None else len(frame.body)

    assert benchmark(carry) == size


def test_choosing_between_two_connections(benchmark: Any) -> None:
    def race() -> bool:
        decider, other = Choice(decides=True), Choice(decides=False)
        for link in (b"a", b"b"):
            decider.opened(link, 1)
            for claim in other.opened(link, 1):
                assert isinstance(claim, Claim)
                for go in decider.claimed(link, claim.seen, claim.holding):
                    if isinstance(go, Go):
                        other.go(link, go.number)
        return decider.link == other.link == b"a"

    assert benchmark(race)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    with asyncio.Runner() as runner:
        yield runner.get_loop()


def test_message_there_and_back_over_sockets(
    benchmark: Any, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> None:
    async def link() -> tuple[Mesh, Mesh, bytes, bytes]:
        one, two = (Mesh(identity(tmp_path), name=name, app_version=1) for name in ("ana", "bo"))
        await one.start([HERE])
        await two.start([HERE])
        there = await one.dial(HERE, two.port)
        return one, two, there, (await event(two, PeerUp)).peer

    one, two, there, here = loop.run_until_complete(link())

    async def ping() -> bytes:
        one.send(there, b"ping")
        two.send(here, (await event(two, Received)).data)
        return (await event(one, Received)).data

    assert benchmark(lambda: loop.run_until_complete(ping())) == b"ping"

    async def close() -> None:
        await one.close()
        await two.close()

    loop.run_until_complete(close())
