"""Races between addresses, on a loop but without sockets."""

from __future__ import annotations

import asyncio

import pytest

from p2p_davinci.net.dialing import connect, race
from p2p_davinci.net.events import DialError
from p2p_davinci.net.limits import Limits

GAP_S = 0.02
ADDRESSES = [("a", 1), ("b", 1), ("c", 1)]


class Hosts:
    """What each host does: fail with a word, answer after some gaps, or (no entry) never answer."""

    def __init__(self, **behaviour: str | float) -> None:
        self.behaviour = behaviour
        self.tried: list[str] = []
        self.cancelled: list[str] = []
        self.second: list[str] = []

    async def attempt(self, host: str, _port: int) -> str:
        self.tried.append(host)
        does = self.behaviour.get(host, 1000.0)
        if isinstance(does, str):
            raise DialError(does)
        try:
            await asyncio.sleep(does * GAP_S)
        except asyncio.CancelledError:
            self.cancelled.append(host)
            raise
        return host

    def run(self) -> str:
        return asyncio.run(race(ADDRESSES, self.attempt, self.second.append, GAP_S))


def test_a_black_hole_does_not_hold_up_the_next_address() -> None:
    hosts = Hosts(b=0.0)
    assert hosts.run() == "b"
    assert hosts.tried == ["a", "b"]
    assert hosts.cancelled == ["a"]


def test_a_refusal_starts_the_next_address_at_once() -> None:
    async def timed() -> float:
        loop = asyncio.get_running_loop()
        begin = loop.time()
        hosts = Hosts(a="refused", b="refused", c=0.0)
        assert await race(ADDRESSES, hosts.attempt, hosts.second.append, 5.0) == "c"
        return loop.time() - begin

    assert asyncio.run(timed()) < 2.0


def test_a_quick_first_address_spares_the_others() -> None:
    hosts = Hosts(a=0.0)
    assert hosts.run() == "a"
    assert hosts.tried == ["a"]


def test_when_all_fail_the_first_reason_is_told() -> None:
    hosts = Hosts(a="timeout", b="refused", c="stranger")
    with pytest.raises(DialError) as caught:
        hosts.run()
    assert caught.value.reason == "timeout"
    assert hosts.tried == ["a", "b", "c"]


def test_no_address_is_unreachable() -> None:
    async def attempt(host: str, port: int) -> str:
        return f"{host}:{port}"

    unused: list[str] = []
    with pytest.raises(DialError) as caught:
        asyncio.run(race([], attempt, unused.append, GAP_S))
    assert caught.value.reason == "unreachable"


def test_a_second_success_is_handed_over_not_lost() -> None:
    async def scenario() -> list[str]:
        second: list[str] = []
        ready = asyncio.Event()

        async def attempt(host: str, _port: int) -> str:
            if host == "b":
                ready.set()
            await ready.wait()
            return host

        first = await race(ADDRESSES[:2], attempt, second.append, GAP_S)
        return sorted([first, *second])

    assert asyncio.run(scenario()) == ["a", "b"]


def test_cancelling_a_race_cancels_its_attempts() -> None:
    async def scenario() -> list[str]:
        hosts = Hosts()
        task = asyncio.create_task(race(ADDRESSES, hosts.attempt, hosts.second.append, GAP_S))
        await asyncio.sleep(1.5 * GAP_S)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        return sorted(hosts.cancelled)

    assert asyncio.run(scenario()) == ["a", "b"]


def test_a_success_is_not_lost_when_the_race_is_cancelled_just_then() -> None:
    async def scenario() -> list[str]:
        second: list[str] = []
        cancelled = asyncio.Event()

        async def attempt(host: str, _port: int) -> str:
            if host == "b":
                return host
            try:
                await asyncio.sleep(1000 * GAP_S)
            finally:
                cancelled.set()
                await asyncio.sleep(GAP_S)
            return host

        task = asyncio.create_task(race(ADDRESSES, attempt, second.append, GAP_S))
        await cancelled.wait()
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        return second

    assert asyncio.run(scenario()) == ["b"]


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 99999), ("x" * 300, 1)])
def test_an_address_that_is_none_is_unreachable(host: str, port: int) -> None:
    with pytest.raises(DialError) as caught:
        asyncio.run(connect(host, port, Limits()))
    assert caught.value.reason == "unreachable"
