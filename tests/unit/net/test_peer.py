"""When a keeper is told to dial."""

from __future__ import annotations

import asyncio

import pytest

from p2p_davinci.net.events import EventQueue
from p2p_davinci.net.limits import HOSTS_MAX
from p2p_davinci.net.peer import Peer

LONG_S = 30.0


def peer() -> Peer:
    queue = EventQueue(8)
    return Peer(bytes(32), decides=True, events=queue, emit=queue.put_nowait)


async def soon(work: asyncio.Task[None]) -> bool:
    done, _ = await asyncio.wait([work], timeout=1.0)
    return bool(done)


@pytest.mark.parametrize("news", ["addresses", "doubt"])
def test_news_cuts_a_pause_short(news: str) -> None:
    async def scenario() -> None:
        known = peer()
        await known.needed()
        pause = asyncio.create_task(known.news(LONG_S))
        await asyncio.sleep(0)
        if news == "doubt":
            known.doubt()
        else:
            known.learn((("192.0.2.1", 4001),))
        assert await soon(pause)

    asyncio.run(scenario())


def test_without_news_a_pause_lasts_its_time() -> None:
    async def scenario() -> float:
        loop = asyncio.get_running_loop()
        begin = loop.time()
        await peer().news(0.05)
        return loop.time() - begin

    assert asyncio.run(scenario()) >= 0.045


def test_the_latest_addresses_come_first_and_few_are_kept() -> None:
    known = peer()
    for number in range(HOSTS_MAX + 3):
        known.learn(((f"192.0.2.{number}", 4001),))
    known.learn((("192.0.2.5", 4001),))
    assert known.addresses[:2] == (("192.0.2.5", 4001), ("192.0.2.10", 4001))
    assert len(known.addresses) == HOSTS_MAX
