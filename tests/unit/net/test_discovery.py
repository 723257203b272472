"""How often the network is told of a table, however often the program says what it is."""

from __future__ import annotations

import asyncio
from typing import Any

from p2p_davinci.net.discovery import Discovery


class Multicast:
    """What stands for zeroconf: it takes its time, and remembers the seats it was told."""

    def __init__(self) -> None:
        self.told: list[bytes | None] = []

    async def async_register_service(self, info: Any) -> Any:
        await asyncio.sleep(0.01)
        self.told.append(info.properties[b"seats"])
        return asyncio.sleep(0)

    async_update_service = async_register_service

    async def async_unregister_service(self, _info: Any) -> Any:
        self.told.append(None)
        return asyncio.sleep(0)


def told(*wishes: str | None) -> list[bytes | None]:
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

    asyncio.run(scenario())
    return list(multicast.told)


def test_a_table_that_stays_as_it_is_is_told_once() -> None:
    assert told(*["1of3"] * 50) == [b"1of3"]


def test_of_many_changes_while_one_is_told_the_last_one_is_told() -> None:
    assert told(*["1of3", "2of3"] * 50, "3of3") == [b"1of3", b"3of3"]


def test_a_table_withdrawn_and_opened_again_is_told_and_the_last_wish_counts() -> None:
    assert told("1of3", None) == [b"1of3", None]
    assert told("1of3", None, "1of3") == [b"1of3", b"1of3"]
