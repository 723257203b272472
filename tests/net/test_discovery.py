"""Multicast DNS on the loopback interface, between discoveries in one process."""

from __future__ import annotations

import asyncio
import dataclasses
import errno
import ipaddress
from collections.abc import Sequence
from typing import Any

import pytest
from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from p2p_davinci.net import discovery as module
from p2p_davinci.net.advert import SERVICE_TYPE, Advert, new_instance
from p2p_davinci.net.discovery import Discovery, Gone, ManualMode, Searching, Seen
from p2p_davinci.net.interfaces import Interface, NoSuchInterface, named_interfaces

from .discovering import event, key, loopback, searching, sighting, waiting


async def _two_meet_change_and_part() -> None:
    async with searching(key(1)) as first, searching(key(2)) as second:
        twin = asyncio.gather(
            first.advertise(4001, table="river-lamp", state="open", seats="1/4"),
            second.advertise(4002, table="stone-owl", state="open", seats="1/2"),
        )
        seen_by_second = await sighting(second, key(1))
        seen_by_first = await sighting(first, key(2))
        await twin
        assert seen_by_second.identity == key(1)
        assert (seen_by_second.table, seen_by_second.seats) == ("river-lamp", "1/4")
        assert ("127.0.0.1", 4001) in seen_by_second.addresses
        assert seen_by_first.identity == key(2), "one's own entry was reported"

        await first.advertise(4001, table="river-lamp", state="playing", seats="4/4")
        changed = await sighting(second, key(1))
        assert changed.instance == seen_by_second.instance
        assert (changed.table, changed.state, changed.seats) == ("river-lamp", "playing", "4/4")

        async with searching(key(3)) as late:
            tables: dict[bytes, str] = {}
            while not tables.keys() >= {key(1), key(2)}:
                seen = await event(late, Seen)
                tables[seen.identity] = seen.table
            assert (tables[key(1)], tables[key(2)]) == ("river-lamp", "stone-owl")

        await first.withdraw()
        await _departure(second, seen_by_second.instance)
        assert not any(isinstance(told, Seen) for told in waiting(first, key(1)))


def test_two_discoveries_meet_follow_changes_and_hear_goodbyes() -> None:
    asyncio.run(_two_meet_change_and_part())


async def _departure(discovery: Discovery, instance: str) -> None:
    while (await event(discovery, Gone)).instance != instance:
        pass


async def _network_comes_and_goes() -> None:
    present: list[Interface] = []

    def interfaces() -> Sequence[Interface]:
        return present

    async with searching(key(1), interfaces, poll_s=0.05) as offline, searching(key(2)) as other:
        assert await event(offline, ManualMode) == ManualMode(reason="no-interface")
        await offline.advertise(4001, table="river-lamp", state="open", seats="1/4")
        await asyncio.sleep(0.15)
        assert waiting(offline) == [], "the same reason was told again"
        lo = loopback()[0]
        present.append(dataclasses.replace(lo, addresses=lo.addresses[:1]))
        assert (await event(offline, Searching)).interfaces == (lo.name,)
        first = await sighting(other, key(1))
        assert first.addresses == (("127.0.0.1", 4001),)
        more = (*lo.addresses[:1], ipaddress.ip_interface("127.0.0.9/8"))
        present[:] = [dataclasses.replace(lo, addresses=more)]
        changed = await sighting(other, key(1))
        assert changed.instance == first.instance
        assert set(changed.addresses) == {("127.0.0.1", 4001), ("127.0.0.9", 4001)}
        present.clear()
        assert (await event(offline, ManualMode)).reason == "no-interface"
        await _departure(other, first.instance)


@pytest.mark.slow
def test_a_table_told_offline_is_found_when_the_network_comes() -> None:
    asyncio.run(_network_comes_and_goes())


class _Refusing:
    """Stands for zeroconf on a machine where something is in the way."""

    error: Exception

    def __init__(self, **_: Any) -> None:
        raise self.error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.EADDRINUSE, "5353"), "port-taken"),
        (OSError(errno.ENETUNREACH, "no route"), "no-multicast"),
        (RuntimeError("No adapter found"), "no-multicast"),
    ],
)
def test_whatever_zeroconf_raises_is_told_once_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    async def scenario() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(module, "AsyncZeroconf", _Refusing)
            patch.setattr(_Refusing, "error", error, raising=False)
            async with searching(key(1), poll_s=0.02) as discovery:
                assert (await event(discovery, ManualMode)).reason == reason
                await discovery.advertise(4001, table="t", state="open", seats="1/4")
                await asyncio.sleep(0.1)
                assert waiting(discovery) == []
                patch.undo()
                await discovery.withdraw()
                assert await event(discovery, Searching)

    asyncio.run(scenario())


def test_an_interface_that_is_not_there_is_named_as_the_reason() -> None:
    async def scenario() -> ManualMode:
        async with searching(key(1), lambda: named_interfaces(["lo", "nosuch9"])) as discovery:
            return await event(discovery, ManualMode)

    if loopback()[0].name != "lo":
        pytest.skip("the loopback interface has another name here")
    assert asyncio.run(scenario()) == ManualMode(reason="no-interface", detail="nosuch9")
    with pytest.raises(NoSuchInterface):
        named_interfaces(["nosuch9"])


async def _hear_of(records: dict[str, Any]) -> list[object]:
    """Register a record as it stands, by zeroconf itself, and return what discovery tells."""
    async with searching(key(2)) as discovery:
        await event(discovery, Searching)
        zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
        info = ServiceInfo(SERVICE_TYPE, port=4001, server="x.local.", **records)
        sending = await zeroconf.async_register_service(info, cooperating_responders=True)
        await asyncio.sleep(0.3)
        asyncio.ensure_future(sending).cancel()
        await zeroconf.async_close()
        return waiting(discovery, key(1))


@pytest.mark.slow
@pytest.mark.parametrize("forged", ["name", "far", "words"])
def test_forged_records_are_not_reported_or_lead_nowhere(forged: str) -> None:
    advert = Advert(identity=key(1), version=1, table="t", state="open", seats="1/4")
    instance = new_instance(key(3 if forged == "name" else 1), lambda n: bytes(n))
    properties = advert.properties()
    if forged == "words":
        properties["table"] = "\u202eevil"
    told = asyncio.run(
        _hear_of(
            {
                "name": f"{instance}.{SERVICE_TYPE}",
                "properties": properties,
                "parsed_addresses": ["198.51.100.7", "8.8.8.8", "fe80::1"],
            }
        )
    )
    seen = [e for e in told if isinstance(e, Seen)]
    if forged == "far":
        assert [e.addresses for e in seen] == [()], "an address beyond the link was offered"
    else:
        assert seen == []
