"""Meshes on real sockets: linking, messages, asking, refusing, leaving."""

from __future__ import annotations

import asyncio
import gc
import socket
import time
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_davinci.net.events import DialError, PeerDown, PeerRefused, PeerUp, Received
from p2p_davinci.net.limits import CARD_BYTES_MAX, FRAME_BODY_BYTES_MAX
from p2p_davinci.net.mesh import Mesh
from p2p_davinci.storage.identity import IdentityError

from .meshes import HERE, LOOPBACK, QUICK, alone, event, identity, pair, running, waiting


def test_a_dial_links_both_and_tells_who_is_there(tmp_path: Path) -> None:
    async def scenario() -> None:
        ana, bo = identity(tmp_path), identity(tmp_path)
        async with (
            running(ana, name="ana", card=lambda: b"ana's table") as one,
            running(bo, name="안나.🀄\u202e", card=lambda: bytes(CARD_BYTES_MAX)) as two,
        ):
            assert await one.dial(HERE, two.port) == bo.public
            told_ana, told_bo = await event(one, PeerUp), await event(two, PeerUp)
            assert (told_ana.peer, told_ana.name) == (bo.public, "안나.🀄\u202e")
            assert told_ana.card == bytes(CARD_BYTES_MAX)
            assert (told_bo.peer, told_bo.name, told_bo.card) == (
                ana.public,
                "ana",
                b"ana's table",
            )
            assert set(told_bo.addresses) == {(host, one.port) for host in LOOPBACK}
            assert one.linked() == (bo.public,)

    asyncio.run(scenario())


def test_messages_of_every_size_arrive_whole_and_in_order(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            there = await one.dial(HERE, two.port)
            here = (await event(two, PeerUp)).peer
            sizes = [0, 1, 1000, FRAME_BODY_BYTES_MAX, 7]
            for size in sizes:
                one.send(there, b"a" * size)
                two.send(here, b"b" * size)
            for size in sizes:
                assert await event(two, Received) == Received(peer=here, data=b"a" * size)
                assert await event(one, Received) == Received(peer=there, data=b"b" * size)
            with pytest.raises(ValueError, match="65537"):
                one.send(there, bytes(FRAME_BODY_BYTES_MAX + 1))

    asyncio.run(scenario())


def test_a_message_to_nobody_is_dropped(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            one.send(bytes(32), b"hello?")
            await one.dial(HERE, two.port)
            await event(two, PeerUp)
            assert waiting(two) == []

    asyncio.run(scenario())


@pytest.mark.parametrize("host", LOOPBACK)
def test_ipv4_and_ipv6_lead_to_the_same_port(tmp_path: Path, host: str) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            assert two.addresses() == tuple((own, two.port) for own in LOOPBACK)
            await one.dial(host, two.port)
            assert (await event(one, PeerUp)).addresses[0] == (host, two.port)

    asyncio.run(scenario())


def test_asking_tells_who_is_there_and_leaves_no_link(tmp_path: Path) -> None:
    async def scenario() -> None:
        bo = identity(tmp_path)
        async with (
            running(identity(tmp_path)) as one,
            running(bo, name="bo", card=lambda: b"open, 1/4") as two,
        ):
            asked = await one.ask(HERE, two.port)
            assert (asked.peer, asked.name, asked.card) == (bo.public, "bo", b"open, 1/4")
            assert asked.addresses[0] == (HERE, two.port)
            await asyncio.sleep(0.05)
            assert waiting(one) == waiting(two) == []
            assert one.linked() == two.linked() == ()

    asyncio.run(scenario())


async def reason_of(mesh: Mesh, host: str, port: int) -> str:
    with pytest.raises(DialError) as dialled:
        await mesh.dial(host, port)
    with pytest.raises(DialError) as asked:
        await mesh.ask(host, port)
    assert asked.value.reason == dialled.value.reason
    return dialled.value.reason


def test_dialling_oneself_is_called_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(identity(tmp_path)) as mesh:
            assert await reason_of(mesh, HERE, mesh.port) == "self"
            assert mesh.linked() == ()

    asyncio.run(scenario())


def test_nobody_there_is_a_refusal(tmp_path: Path) -> None:
    async def scenario() -> None:
        with socket.socket() as reserved:
            reserved.bind((HERE, 0))
            async with running(identity(tmp_path)) as mesh:
                assert await reason_of(mesh, HERE, reserved.getsockname()[1]) == "refused"

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("greeting", "reason"),
    [(b"SSH-2.0-OpenSSH\r\n", "not_ours"), (b"", "timeout"), (None, "lost")],
)
def test_something_else_there_is_told_apart(
    tmp_path: Path, greeting: bytes | None, reason: str
) -> None:
    def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if greeting is None:
            writer.close()
        else:
            writer.write(greeting)
            opened.append(writer)

    opened: list[asyncio.StreamWriter] = []

    async def scenario() -> None:
        server = await asyncio.start_server(serve, HERE, 0)
        port = server.sockets[0].getsockname()[1]
        limits = replace(QUICK, handshake_s=0.3)
        async with running(identity(tmp_path), limits=limits) as mesh:
            assert await reason_of(mesh, HERE, port) == reason
        for writer in opened:
            writer.transport.abort()
        server.close()

    asyncio.run(scenario())


def test_another_version_is_told_to_both_in_words(tmp_path: Path) -> None:
    async def scenario() -> None:
        old, new = identity(tmp_path), identity(tmp_path)
        async with (
            running(old, app_version=1) as one,
            running(new, app_version=2) as two,
        ):
            with pytest.raises(DialError) as caught:
                await one.dial(HERE, two.port)
            assert (caught.value.reason, caught.value.detail) == ("version", "2")
            refused = await event(two, PeerRefused)
            assert (refused.peer, refused.reason, refused.detail) == (old.public, "version", "1")
            with pytest.raises(DialError, match="version"):
                await one.ask(HERE, two.port)
            assert one.linked() == two.linked() == ()

    asyncio.run(scenario())


def test_whom_the_application_declines_gets_no_link(tmp_path: Path) -> None:
    async def scenario() -> None:
        unwanted = identity(tmp_path)
        async with (
            running(unwanted) as one,
            running(identity(tmp_path), accept=lambda key: key != unwanted.public) as two,
        ):
            with pytest.raises(DialError) as caught:
                await one.dial(HERE, two.port)
            assert caught.value.reason == "declined"
            assert (await event(two, PeerRefused)).peer == unwanted.public
            assert (await one.ask(HERE, two.port)).name == "ana"
            assert two.linked() == ()

    asyncio.run(scenario())


def test_a_wanted_peer_that_declines_is_reported_and_not_pestered(tmp_path: Path) -> None:
    async def scenario() -> None:
        bo = identity(tmp_path)
        visits: list[bytes] = []

        def decline(key: bytes) -> bool:
            visits.append(key)
            return False

        async with (
            running(identity(tmp_path)) as one,
            running(bo, accept=decline) as two,
        ):
            one.want(bo.public, [(HERE, two.port)])
            refused = await event(one, PeerRefused)
            assert (refused.peer, refused.host, refused.reason) == (bo.public, HERE, "declined")
            await asyncio.sleep(0.3)
            assert len(visits) <= 6, "the pauses do not grow"
            assert waiting(one) == [], "the same refusal was told again"

    asyncio.run(scenario())


def test_a_full_house_is_busy(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, links=1)
        async with (
            running(identity(tmp_path), limits=limits) as full,
            running(identity(tmp_path)) as first,
            running(identity(tmp_path)) as second,
        ):
            await first.dial(HERE, full.port)
            await event(full, PeerUp)
            with pytest.raises(DialError) as caught:
                await second.dial(HERE, full.port)
            assert caught.value.reason == "busy"
            assert len(full.linked()) == 1

    asyncio.run(scenario())


def test_a_wanted_peer_comes_in_even_then(tmp_path: Path) -> None:
    async def scenario() -> None:
        friend = identity(tmp_path)
        async with (
            running(identity(tmp_path), limits=replace(QUICK, links=1)) as full,
            running(identity(tmp_path)) as stranger,
            running(friend) as second,
        ):
            await stranger.dial(HERE, full.port)
            await event(full, PeerUp)
            full.want(friend.public, [])
            await second.dial(HERE, full.port)
            assert (await event(full, PeerUp)).peer == friend.public
            assert len(full.linked()) == 2

    asyncio.run(scenario())


def test_forgetting_a_peer_closes_the_link_and_ends_the_dialling(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            there = two._identity.public
            one.want(there, [(HERE, two.port)])
            await event(one, PeerUp)
            here = (await event(two, PeerUp)).peer
            one.forget(there)
            assert await event(one, PeerDown) == PeerDown(peer=there, reason="forgotten")
            assert await event(two, PeerDown) == PeerDown(peer=here, reason="left")
            await asyncio.sleep(0.2)
            assert waiting(one) == waiting(two) == []
            assert alone(one)
            assert alone(two)

    asyncio.run(scenario())


def test_the_memory_of_peers_that_are_gone_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p_davinci.net.mesh._PEERS_MAX", 2)

    async def scenario() -> None:
        async with running(identity(tmp_path)) as mesh:
            for _ in range(4):
                async with running(identity(tmp_path)) as visitor:
                    await visitor.dial(HERE, mesh.port)
                await event(mesh, PeerDown)
                await asyncio.sleep(0.02)
            assert len(mesh._peers) == 2

    asyncio.run(scenario())


def test_wanting_nonsense_or_oneself_is_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        who = identity(tmp_path)
        async with running(who) as mesh:
            with pytest.raises(IdentityError):
                mesh.want(bytes(32), [])
            with pytest.raises(ValueError, match="itself"):
                mesh.want(who.public, [(HERE, mesh.port)])

    asyncio.run(scenario())


@pytest.mark.parametrize("name", ["", "n" * 65, "한" * 22])
def test_a_name_beyond_the_limit_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        Mesh(identity(tmp_path), name=name, app_version=1)


# --- leaving ------------------------------------------------------------------------------------


def test_a_farewell_and_all_before_it_arrive_before_the_end(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(identity(tmp_path)) as two:
            async with running(identity(tmp_path)) as one:
                there = await one.dial(HERE, two.port)
                for number in range(3):
                    one.send(there, bytes([number]) * 60000)
                await one.close(b"farewell")
                await one.close(b"not twice")
            for number in range(3):
                assert (await event(two, Received)).data == bytes([number]) * 60000
            assert (await event(two, Received)).data == b"farewell"
            assert (await event(two, PeerDown)).reason == "left"

    asyncio.run(scenario())


def test_closing_does_not_wait_for_idle_clients_and_leaves_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        before = asyncio.all_tasks()
        who = identity(tmp_path)
        async with running(who) as mesh, running(identity(tmp_path)) as other:
            await other.dial(HERE, mesh.port)
            clients = [await asyncio.open_connection(HERE, mesh.port) for _ in range(3)]
            await asyncio.sleep(0.05)
            begin = time.monotonic()
            await mesh.close()
            assert time.monotonic() - begin < 2 * QUICK.linger_s
            for reader, _ in clients:
                await reader.read()
        for _, writer in clients:
            writer.transport.abort()
        await asyncio.sleep(0.05)
        assert asyncio.all_tasks() == before
        with pytest.raises(DialError):
            await mesh.dial(HERE, mesh.port)

    asyncio.run(scenario())
    gc.collect()


def test_closing_before_or_without_a_start_is_no_trouble(tmp_path: Path) -> None:
    async def scenario() -> None:
        mesh = Mesh(identity(tmp_path), name="ana", app_version=1)
        await mesh.close()
        assert mesh.port == 0

    asyncio.run(scenario())


def test_a_taken_port_is_told_and_nothing_stays_open(tmp_path: Path) -> None:
    async def scenario() -> None:
        who = identity(tmp_path)
        async with running(identity(tmp_path)) as mesh:
            late = Mesh(who, name="bo", app_version=1, limits=QUICK)
            with pytest.raises(OSError, match="ddress already in use"):
                await late.start([HERE], mesh.port)
            await late.close()

    asyncio.run(scenario())
    gc.collect()
