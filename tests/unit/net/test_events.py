from __future__ import annotations

import asyncio

from p2p_davinci.net.events import Event, EventQueue, PeerRefused, Received, Refusals

PEER = bytes(32)


def message(number: int) -> Received:
    return Received(peer=PEER, data=bytes([number]))


def test_the_queue_asks_for_patience_while_its_backlog_is_full() -> None:
    async def scenario() -> None:
        queue = EventQueue(backlog=2)
        await asyncio.wait_for(queue.room(), 1)
        for number in range(3):
            queue.put_nowait(message(number))
        waiting = asyncio.create_task(queue.room())
        await asyncio.sleep(0)
        assert await queue.get() == message(0)
        await asyncio.sleep(0)
        assert not waiting.done(), "two still wait"
        assert queue.get_nowait() == message(1)
        await asyncio.wait_for(waiting, 1)
        assert queue.qsize() == 1

    asyncio.run(scenario())


def test_the_same_refusal_is_told_once_until_time_has_passed() -> None:
    told: list[Event] = []
    now_s = [0.0]
    refusals = Refusals(told.append, lambda: now_s[0])
    for _ in range(3):
        refusals.tell(None, "192.0.2.1", "version", "9")
    refusals.tell(PEER, "192.0.2.1", "declined")
    refusals.tell(None, "192.0.2.2", "version", "9")
    assert told == [
        PeerRefused(peer=None, host="192.0.2.1", reason="version", detail="9"),
        PeerRefused(peer=PEER, host="192.0.2.1", reason="declined"),
        PeerRefused(peer=None, host="192.0.2.2", reason="version", detail="9"),
    ]
    now_s[0] = Refusals.GAP_S
    refusals.tell(None, "192.0.2.1", "version", "9")
    assert len(told) == 4


def test_refusals_remember_a_bounded_number() -> None:
    told: list[Event] = []
    refusals = Refusals(told.append, lambda: 0.0)
    for number in range(Refusals.REMEMBERED_MAX + 1):
        refusals.tell(None, f"h{number}", "version")
    refusals.tell(None, "h0", "version")
    assert len(told) == Refusals.REMEMBERED_MAX + 2
    refusals.tell(None, "h5", "version")
    assert len(told) == Refusals.REMEMBERED_MAX + 2
