"""One link per peer, whoever dials; kept, lost, found again."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_davinci.net.events import PeerDown, PeerQuiet, PeerUp, Received, Woke
from p2p_davinci.net.mesh import Mesh, awake_clock
from p2p_davinci.storage.identity import Identity

from .meshes import HANG_GUARD_S, HERE, QUICK, alone, event, identity, pair, running, waiting
from .proxy import Proxy

RACES = 300


def link_ids(mesh: Mesh, peer: bytes) -> list[bytes]:
    known = mesh._peers.get(peer)
    return [] if known is None else [c.link.id for c in known.connections() if not c.leaving]


async def settle(one: Mesh, two: Mesh) -> None:
    """Wait until both hold one connection with each other and no more, the same one."""
    here, there = one._identity.public, two._identity.public
    async with asyncio.timeout(HANG_GUARD_S):
        while True:
            mine, theirs = link_ids(one, there), link_ids(two, here)
            if len(mine) == 1 and mine == theirs and there in one.linked() and here in two.linked():
                return
            await asyncio.sleep(0.002)


async def race(one: Mesh, two: Mesh) -> None:
    here, there = one._identity.public, two._identity.public
    one.want(there, [(HERE, two.port)])
    two.want(here, [(HERE, one.port)])
    await settle(one, two)
    ups = {mesh: [e for e in waiting(mesh) if not isinstance(e, PeerDown)] for mesh in (one, two)}
    assert [e.peer for e in ups[one] if isinstance(e, PeerUp)] == [there], "a flap"
    assert [e.peer for e in ups[two] if isinstance(e, PeerUp)] == [here], "a flap"
    one.send(there, b"ping")
    two.send(here, b"pong")
    assert await event(two, Received) == Received(peer=here, data=b"ping")
    assert await event(one, Received) == Received(peer=there, data=b"pong")
    one.forget(there)
    two.forget(here)
    async with asyncio.timeout(HANG_GUARD_S):
        while not (alone(one) and alone(two)):
            await asyncio.sleep(0.002)
    waiting(one)
    waiting(two)


@pytest.mark.slow
def test_simultaneous_dials_end_in_exactly_one_link_300_times(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, dial_gap_s=0.001, beat_s=1.0, quiet_s=3.0, silent_s=9.0)
        async with pair(tmp_path, limits=limits, hosts=[HERE]) as (one, two):
            for number in range(RACES):
                await (race(one, two) if number % 2 else race(two, one))

    asyncio.run(scenario())


def test_a_lost_link_is_dialled_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two), Proxy(two.port) as proxy:
            there, here = two._identity.public, one._identity.public
            one.want(there, [(HERE, proxy.port)])
            for _ in range(3):
                assert (await event(one, PeerUp)).peer == there
                assert (await event(two, PeerUp)).peer == here
                proxy.cut()
                assert (await event(one, PeerDown)).reason == "lost"
                assert (await event(two, PeerDown)).reason == "lost"
            await event(one, PeerUp)
            await settle(one, two)

    asyncio.run(scenario())


def test_one_closed_door_is_enough(tmp_path: Path) -> None:
    """Only the other side can be dialled, as after a wake with a stale firewall entry."""

    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            two._door.close()
            one.want(two._identity.public, [(HERE, two.port)])
            two.want(one._identity.public, [(HERE, one.port)])
            await settle(one, two)

    asyncio.run(scenario())


def test_a_peer_that_comes_back_elsewhere_is_found_by_what_it_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        first = identity(tmp_path)
        async with running(first) as one:
            two_identity = identity(tmp_path)
            async with running(two_identity) as two:
                one.want(two_identity.public, [(HERE, two.port)])
                await event(one, PeerUp)
            assert (await event(one, PeerDown)).reason == "left"
            async with running(two_identity) as again:
                one.want(two_identity.public, [(HERE, again.port)])
                assert ("::1", again.port) in (await event(one, PeerUp)).addresses

    asyncio.run(scenario())


def test_a_restarted_peer_displaces_its_ghost_at_once(tmp_path: Path) -> None:
    """The old process was killed; nothing told the other side."""

    async def scenario() -> None:
        limits = replace(QUICK, quiet_s=20.0, silent_s=30.0)
        two_identity = identity(tmp_path)
        async with running(identity(tmp_path), limits=limits) as one, Proxy(one.port) as proxy:
            ghost = Mesh(two_identity, name="bo", app_version=1, limits=limits)
            await ghost.start([HERE])
            await ghost.dial(HERE, proxy.port)
            await event(one, PeerUp)
            proxy.hold()
            async with running(two_identity, limits=limits) as again:
                await again.dial(HERE, one.port)
                assert (await event(one, PeerDown)).reason == "replaced"
                assert (await event(one, PeerUp)).peer == two_identity.public
                again.send(one._identity.public, b"here again")
                assert (await event(one, Received)).data == b"here again"
                proxy.cut()
                await ghost.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("loser", [0, 1])
def test_a_side_that_lost_the_link_unnoticed_by_the_other_gets_a_new_one(
    tmp_path: Path, loser: int
) -> None:
    async def scenario() -> None:
        limits = replace(QUICK, quiet_s=20.0, silent_s=30.0)
        async with pair(tmp_path, limits=limits) as meshes, Proxy(meshes[1].port) as proxy:
            one, two = meshes
            await one.dial(HERE, proxy.port)
            await settle(one, two)
            proxy.hold()
            lost, unaware = meshes[loser], meshes[1 - loser]
            peer = lost._peers[unaware._identity.public]
            assert peer.link is not None
            peer.link.cut("lost")
            await event(lost, PeerDown)
            assert unaware.linked()
            await lost.dial(HERE, unaware.port)
            await settle(one, two)
            assert (await event(unaware, PeerDown)).reason == "replaced"

    asyncio.run(scenario())


# --- silence ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_heartbeats_keep_an_idle_link_and_one_that_only_one_side_talks_on(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two), running(identity(tmp_path)) as idle:
            there = await one.dial(HERE, two.port)
            await idle.dial(HERE, one.port)
            await settle(one, two)
            await settle(one, idle)
            for mesh in (one, two, idle):
                waiting(mesh)
            end_s = time.monotonic() + 2 * QUICK.silent_s
            while time.monotonic() < end_s:
                one.send(there, b"talk")
                await asyncio.sleep(QUICK.beat_s / 5)
            assert waiting(one) == waiting(idle) == []
            assert all(isinstance(told, Received) for told in waiting(two))

    asyncio.run(scenario())


def test_silence_is_told_first_and_then_ends_the_link(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two), Proxy(two.port) as proxy:
            there = await one.dial(HERE, proxy.port)
            await settle(one, two)
            proxy.hold()
            quiet = await event(one, PeerQuiet)
            assert quiet.peer == there
            assert quiet.silent_s >= QUICK.quiet_s
            assert await event(one, PeerDown) == PeerDown(peer=there, reason="silent")
            assert (await event(two, PeerDown)).reason in ("silent", "lost")

    asyncio.run(scenario())


def test_a_short_silence_ends_with_word_of_it_and_nothing_is_lost(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two), Proxy(two.port) as proxy:
            there = await one.dial(HERE, proxy.port)
            await settle(one, two)
            proxy.hold()
            one.send(there, b"held up")
            await event(one, PeerQuiet)
            proxy.release()
            assert await event(one, PeerQuiet) == PeerQuiet(peer=there, silent_s=0.0)
            assert (await event(two, Received)).data == b"held up"
            assert one.linked() == (there,)

    asyncio.run(scenario())


class Clock:
    """The real clock, and a jump."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def __call__(self) -> float:
        return awake_clock() + self.ahead_s


@pytest.mark.parametrize("sleeper", [0, 1])
def test_a_jump_of_the_clock_suspects_nobody_and_probes_every_link(
    tmp_path: Path, sleeper: int
) -> None:
    async def scenario(identities: list[Identity]) -> None:
        clock = Clock()
        async with (
            running(identities[sleeper], clock=clock) as slept,
            running(identities[1 - sleeper]) as other,
            Proxy(other.port) as proxy,
        ):
            slept.want(other._identity.public, [(HERE, proxy.port)])
            await settle(slept, other)
            waiting(slept)
            waiting(other)
            clock.ahead_s = 3600.0
            assert (await event(slept, Woke)).gap_s > 3599
            async with asyncio.timeout(HANG_GUARD_S):
                while proxy.visits < 2:
                    await asyncio.sleep(0.005)
            await asyncio.sleep(0.1)
            await settle(slept, other)
            assert waiting(slept) == waiting(other) == [], "a healthy link was given up"

    both = sorted((identity(tmp_path), identity(tmp_path)), key=lambda who: who.public)
    asyncio.run(scenario(both))


@pytest.mark.slow
def test_a_process_that_stood_still_suspects_nobody(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as (one, two):
            one.want(two._identity.public, [(HERE, two.port)])
            await settle(one, two)
            time.sleep(2 * QUICK.silent_s)
            assert (await event(one, Woke)).gap_s > QUICK.silent_s
            await settle(one, two)
            told = [*waiting(one), *waiting(two)]
            assert not any(isinstance(e, PeerQuiet | PeerDown) for e in told)

    asyncio.run(scenario())
