"""How often the network is told of a table, however often the program says what it is."""

from __future__ import annotations

import asyncio
from typing import Any

from p2p_davinci.net.discovery import Discovery


class Multicast:
    """What stands for zeroconf: it takes its time, and remembers the seats it was told."""

    def __init__(self) -> None:
        self.told: list[bytes | None] = []
        self.sending = self.sending_most = 0

    async def async_register_service(self, info: Any) -> Any:
        await asyncio.sleep(0.01)
        self.told.append(info.properties[b"seats"])
        return self._send()

    async def _send(self) -> None:
        self.sending += 1
        self.sending_most = max(self.sending_most, self.sending)
        await asyncio.sleep(0.02)
        self.sending -= 1

    async_update_service = async_register_service

    async def async_unregister_service(self, _info: Any) -> Any:
        self.told.append(None)
        return asyncio.sleep(0)


def told(*wishes: str | None, gap_s: float = 0.0) -> list[bytes | None]:
    """Return what goes out if these seats (``None``: no table any more) are wished one by one."""
    multicast: Any = Multicast()

    async def scenario() -> None:
        discovery = Discovery(lambda: (), bytes(32), version=1)
        discovery._zeroconf = multicast
        async with asyncio.TaskGroup() as tasks:
            for seats in wishes:
                tasks.create_task(
                    discovery.withdraw()
                    if seats is None
                    else discovery.advertise(4001, table="t", state="open", seats=seats)
                )
                await asyncio.sleep(gap_s)

    asyncio.run(scenario())
    assert multicast.sending_most == 1, "the network is told two things at once"
    return list(multicast.told)


def test_a_table_that_stays_as_it_is_is_told_once() -> None:
    assert told(*["1of3"] * 50) == [b"1of3"]


def test_of_many_changes_while_one_is_told_the_last_one_is_told() -> None:
    assert told(*["1of3", "2of3"] * 50, "3of3") == [b"1of3", b"3of3"]


def test_a_table_withdrawn_and_opened_again_is_told_and_the_last_wish_counts() -> None:
    assert told("1of3", None) == [b"1of3", None]
    assert told("1of3", None, "1of3") == [b"1of3", b"1of3"]


def test_a_table_that_never_stays_the_same_is_told_no_faster_than_it_goes_out() -> None:
    seats = told(*["1of3", "2of3"] * 50, "3of3", gap_s=0.001)
    assert seats[0] == b"1of3"
    assert seats[-1] == b"3of3"
