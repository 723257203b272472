"""What strangers and careless peers can do to a mesh: nothing much."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_davinci.net.events import DialError, PeerDown, PeerRefused, PeerUp, Received
from p2p_davinci.net.framing import pack_frame
from p2p_davinci.net.hello import Role
from p2p_davinci.net.limits import FRAME_BODY_BYTES_MAX
from p2p_davinci.net.link import MAGIC, Kind, busy_preface
from p2p_davinci.net.mesh import Mesh

from .meshes import (
    HANG_GUARD_S,
    HERE,
    QUICK,
    Stranger,
    alone,
    event,
    identity,
    pair,
    running,
    waiting,
)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(HANG_GUARD_S):
        while not condition():
            await asyncio.sleep(0.002)


def half_open(mesh: Mesh) -> int:
    return mesh._door._half_open.total()


async def meet_behind_it(one: Mesh, two: Mesh) -> None:
    """Link two meshes and swap a message, whatever else goes on."""
    there = await one.dial(HERE, two.port)
    one.send(there, b"a real game")
    assert (await event(two, Received)).data == b"a real game"


def test_a_slow_handshake_is_ended_in_time(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, handshake_s=1.0)
        async with running(identity(tmp_path), limits=limits) as mesh:
            stranger = Stranger(tmp_path)
            begin = time.monotonic()
            await stranger.connect(mesh)
            link = stranger.link()
            link.receive(await stranger.read())
            data = link.take_output()
            for at in range(0, len(data), 40):
                stranger.writer.write(data[at : at + 40])
                await asyncio.sleep(0.03)
            await stranger.ended()
            assert 0.2 < time.monotonic() - begin < 2.0
            await until(lambda: half_open(mesh) == 0)
            stranger.close()

    asyncio.run(scenario())


def test_silent_connections_take_four_places_per_address_and_are_then_released(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, handshake_s=0.4)
        async with (
            running(identity(tmp_path), limits=limits) as mesh,
            running(identity(tmp_path)) as friend,
        ):
            idle = [Stranger(tmp_path) for _ in range(6)]
            for stranger in idle:
                await stranger.connect(mesh)
            assert await idle[4].ended() == busy_preface()
            assert await idle[5].ended() == busy_preface()
            assert half_open(mesh) == limits.half_open_per_host
            with pytest.raises(DialError, match="busy"):
                await friend.dial(HERE, mesh.port)
            for stranger in idle[:4]:
                assert (await stranger.ended()).startswith(MAGIC)
            await meet_behind_it(friend, mesh)
            for stranger in idle:
                stranger.close()

    asyncio.run(scenario())


def test_the_door_holds_sixteen_strangers_in_all(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, half_open_per_host=100)
        async with running(identity(tmp_path), limits=limits) as mesh:
            idle = [await asyncio.open_connection(HERE, mesh.port) for _ in range(17)]
            assert await idle[16][0].read() == busy_preface()
            assert half_open(mesh) == limits.half_open == 16
            for _, writer in idle:
                writer.transport.abort()
            await until(lambda: half_open(mesh) == 0)

    asyncio.run(scenario())


def test_established_links_are_not_touched_by_a_flood(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            there = await one.dial(HERE, two.port)
            await event(two, PeerUp)
            idle = [await asyncio.open_connection(HERE, two.port) for _ in range(300)]
            for number in range(20):
                one.send(there, bytes([number]))
                assert (await event(two, Received)).data == bytes([number])
            assert one.linked() == (there,)
            for _, writer in idle:
                writer.transport.abort()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "garbage",
    [b"GET / HTTP/1.1\r\n\r\n", bytes(100_000), MAGIC + b"\x01\x00\xff\xff", MAGIC[:4]],
)
def test_garbage_ends_only_its_own_connection(tmp_path: Path, garbage: bytes) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, handshake_s=1.0)
        async with (
            running(identity(tmp_path), limits=limits) as mesh,
            running(identity(tmp_path)) as friend,
        ):
            stranger = Stranger(tmp_path)
            await stranger.connect(mesh)
            stranger.writer.write(garbage)
            await stranger.ended()
            await until(lambda: half_open(mesh) == 0)
            await meet_behind_it(friend, mesh)
            stranger.close()

    asyncio.run(scenario())


def test_another_link_version_is_told_to_the_application_too(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(identity(tmp_path)) as mesh:
            stranger = Stranger(tmp_path)
            await stranger.connect(mesh)
            stranger.writer.write(MAGIC + b"\x63")
            assert (await stranger.ended()).startswith(MAGIC + b"\x01")
            refused = await event(mesh, PeerRefused)
            assert refused == PeerRefused(peer=None, host=HERE, reason="version", detail="99")
            stranger.close()

    asyncio.run(scenario())


def test_a_busy_or_foreign_listener_with_another_link_version_is_understood(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        heard: list[bytes] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(MAGIC + b"\x63 and so on")
            heard.append(await reader.read(1000))
            writer.transport.abort()

        server = await asyncio.start_server(serve, HERE, 0)
        async with running(identity(tmp_path)) as mesh:
            with pytest.raises(DialError) as caught:
                await mesh.dial(HERE, server.sockets[0].getsockname()[1])
        assert (caught.value.reason, caught.value.detail) == ("version", "99")
        await until(lambda: heard)
        assert heard[0].startswith(MAGIC + b"\x01")
        server.close()

    asyncio.run(scenario())


# --- authenticated, but badly behaved -----------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("decides", "kind", "body"),
    [
        (True, Kind.DATA, b"before any go"),
        (False, Kind.DATA, b"before any go"),
        (True, Kind.HELLO, b"again"),
        (True, Kind.PROOF, bytes(64)),
        (True, Kind.CLAIM, b"short"),
        (True, Kind.CLAIM, b"\xff" * 16),
        (False, Kind.CLAIM, bytes(16)),
        (False, Kind.GO, b"short"),
        (False, Kind.GO, b"\xff" * 8),
        (True, Kind.GO, bytes(8)),
        (True, 99, b""),
    ],
)
def test_a_frame_out_of_place_ends_the_connection(
    tmp_path: Path, decides: bool, kind: int, body: bytes
) -> None:
    smaller, larger = sorted((identity(tmp_path), identity(tmp_path)), key=lambda who: who.public)
    mine, theirs = (smaller, larger) if decides else (larger, smaller)

    async def scenario() -> None:
        errors: list[dict[str, object]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, told: errors.append(told))
        patient = replace(QUICK, silent_s=60.0, undecided_s=60.0)
        async with running(mine, limits=patient) as mesh:
            stranger = Stranger(tmp_path, theirs)
            await stranger.connect(mesh)
            link = stranger.link()
            await stranger.shake(link)
            link.send(kind, body)  # type: ignore[arg-type]
            await stranger.push(link)
            await stranger.ended()
            assert mesh.linked() == ()
            await until(lambda: alone(mesh))
            stranger.close()
        gc.collect()
        assert errors == []

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("word", "reason"), [(b"left", "left"), (b"busy", "lost"), (b"\xff\x1b[2J", "lost")]
)
def test_a_goodbye_says_only_what_is_agreed(tmp_path: Path, word: bytes, reason: str) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            there = await one.dial(HERE, two.port)
            here = (await event(two, PeerUp)).peer
            link = one._peers[there].link
            assert link is not None
            link.send(Kind.BYE, word)
            assert await event(two, PeerDown) == PeerDown(peer=here, reason=reason)

    asyncio.run(scenario())


@pytest.mark.parametrize("size", [FRAME_BODY_BYTES_MAX + 1, 2**32 - 1])
def test_a_declared_monster_frame_ends_the_link_as_a_fault(tmp_path: Path, size: int) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            there = await one.dial(HERE, two.port)
            here = (await event(two, PeerUp)).peer
            link = one._peers[there].link
            assert link is not None
            assert link.link._tls is not None
            link.link._tls.write(size.to_bytes(4, "big") + bytes([Kind.DATA]))
            link.send(Kind.BEAT)
            assert await event(two, PeerDown) == PeerDown(peer=here, reason="fault")

    asyncio.run(scenario())


def test_half_a_frame_for_ever_counts_as_alive_only_while_bytes_come(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(identity(tmp_path)) as mesh:
            stranger = Stranger(tmp_path)
            await stranger.connect(mesh)
            link = stranger.link()
            await stranger.shake(link)
            assert link._tls is not None
            link._tls.write(pack_frame(Kind.BEAT, bytes(1000))[:100])
            await stranger.push(link)
            begin = time.monotonic()
            await stranger.ended()
            assert time.monotonic() - begin < 3 * QUICK.silent_s
            stranger.close()

    asyncio.run(scenario())


def test_a_connection_that_is_never_chosen_is_ended(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, undecided_s=0.2, silent_s=30.0, quiet_s=20.0)
        async with running(identity(tmp_path), limits=limits) as mesh:
            stranger = Stranger(tmp_path)
            await stranger.connect(mesh)
            await stranger.shake(stranger.link())
            begin = time.monotonic()
            await stranger.ended()
            assert time.monotonic() - begin < 2.0
            assert waiting(mesh) == []
            stranger.close()

    asyncio.run(scenario())


def test_one_identity_cannot_take_all_places(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, silent_s=30.0, quiet_s=20.0)
        async with running(identity(tmp_path), limits=limits) as mesh:
            greedy = [Stranger(tmp_path) for _ in range(5)]
            for number, stranger in enumerate(greedy):
                stranger.who, stranger.credentials = greedy[0].who, greedy[0].credentials
                await stranger.connect(mesh)
                link = stranger.link(nonce=bytes([number]) * 32)
                await stranger.shake(link)
            link.receive(await greedy[4].ended())
            frame = link.next_frame()
            assert frame is not None
            assert (frame.kind, frame.body) == (Kind.BYE, b"busy")
            for stranger in greedy:
                stranger.close()

    asyncio.run(scenario())


def test_a_stuck_application_does_not_hold_up_the_end(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, backlog=2, linger_s=5.0)
        async with pair(tmp_path, limits=limits) as (one, two):
            there = await one.dial(HERE, two.port)
            await event(two, PeerUp)
            for _ in range(9):
                one.send(there, b"nobody reads this")
            await until(lambda: two.events.qsize() == limits.backlog)
            begin = time.monotonic()
            await two.close()
            assert time.monotonic() - begin < limits.linger_s / 2

    asyncio.run(scenario())


def test_refusals_do_not_pile_up_before_a_stuck_application(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(identity(tmp_path), limits=replace(QUICK, backlog=1)) as mesh:
            mesh._emit(PeerUp(peer=bytes(32), name="x", card=b"", addresses=()))
            mesh._refusals.tell(None, "192.0.2.1", "version", "9")
            assert [type(told) for told in waiting(mesh)] == [PeerUp]

    asyncio.run(scenario())


def test_an_asker_that_stays_is_shown_out(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(identity(tmp_path)) as mesh:
            stranger = Stranger(tmp_path)
            await stranger.connect(mesh)
            link = stranger.link(role=Role.ASK)
            await stranger.shake(link)
            link.receive(await stranger.ended())
            frame = link.next_frame()
            assert frame is not None
            assert (frame.kind, frame.body) == (Kind.BYE, b"left")
            assert mesh._peers == {}
            stranger.close()

    asyncio.run(scenario())


def test_a_peer_that_does_not_take_what_is_sent_is_cut_off(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            there = await one.dial(HERE, two.port)
            await event(two, PeerUp)
            # Beyond what the kernels buffer, in one go: nothing has time to leave.
            for _ in range(5):
                one.send(there, bytes(FRAME_BODY_BYTES_MAX))
            assert await event(one, PeerDown) == PeerDown(peer=there, reason="slow")

    asyncio.run(scenario())


def test_what_fits_the_outbound_bound_is_delivered(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            there = await one.dial(HERE, two.port)
            await event(two, PeerUp)
            for _ in range(4):
                one.send(there, bytes(FRAME_BODY_BYTES_MAX - 100))
            for _ in range(4):
                assert len((await event(two, Received)).data) == FRAME_BODY_BYTES_MAX - 100
            assert one.linked() == (there,)

    asyncio.run(scenario())


@pytest.mark.slow
def test_a_slow_application_slows_the_sender_and_is_not_taken_for_silence(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, backlog=4, outbound_bytes=64 * 1024 * 1024)
        async with pair(tmp_path, limits=limits) as (one, two):
            there = await one.dial(HERE, two.port)
            await event(two, PeerUp)
            for number in range(200):
                one.send(there, number.to_bytes(2, "big") + bytes(60000))
            await asyncio.sleep(2 * QUICK.silent_s)
            assert two.events.qsize() <= limits.backlog, "events pile up"
            for number in range(200):
                assert (await event(two, Received)).data[:2] == number.to_bytes(2, "big")
            assert one.linked() == (there,)

    asyncio.run(scenario())


# --- addresses ----------------------------------------------------------------------------------


def test_addresses_beyond_the_link_are_not_dialled(tmp_path: Path) -> None:
    async def scenario() -> None:
        bo = identity(tmp_path)
        async with running(identity(tmp_path)) as one, running(bo, hosts=[HERE]) as two:
            far = [("8.8.8.8", two.port), ("198.51.100.7", two.port), ("example.org", two.port)]
            one.want(bo.public, far)
            await asyncio.sleep(0.1)
            assert one.linked() == ()
            one.want(bo.public, [(HERE, two.port)])
            assert (await event(one, PeerUp)).peer == bo.public

    asyncio.run(scenario())


def test_a_record_that_points_at_another_peer_does_not_link_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        bo, eve = identity(tmp_path), identity(tmp_path)
        async with (
            running(identity(tmp_path)) as one,
            running(eve, name="bo") as other,
            running(bo, hosts=["::1"]) as two,
        ):
            one.want(bo.public, [(HERE, other.port)])
            refused = await event(one, PeerRefused)
            assert (refused.peer, refused.reason) == (bo.public, "stranger")
            one.want(bo.public, [(HERE, other.port), ("::1", two.port)])
            assert (await event(one, PeerUp)).peer == bo.public
            assert one.linked() == (bo.public,)
            assert not other.linked()

    asyncio.run(scenario())
