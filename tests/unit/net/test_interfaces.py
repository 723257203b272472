from __future__ import annotations

import ipaddress

import ifaddr
import pytest

from p2p_davinci.net.interfaces import (
    Interface,
    NoSuchInterface,
    Places,
    all_interfaces,
    lan_interfaces,
    named_interfaces,
    on_link,
)


def adapter(name: str, index: int, *texts: str) -> ifaddr.Adapter:
    ips = []
    for text in texts:
        own = ipaddress.ip_interface(text)
        ip = str(own.ip) if own.version == 4 else (str(own.ip), 0, index)
        ips.append(ifaddr.IP(ip, own.network.prefixlen, name))
    return ifaddr.Adapter(name, name, ips, index)


ADAPTERS = [
    adapter("lo", 1, "127.0.0.1/8", "::1/128"),
    adapter("tun0", 2, "10.8.0.2/24"),
    adapter("docker0", 3, "172.17.0.1/16"),
    adapter("wlan0", 5, "fe80::5/64", "2001:db8::5/64", "192.0.2.5/24"),
    adapter("eth0", 4, "198.51.100.4/24"),
    adapter("down0", 6),
]


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ifaddr.get_adapters", lambda: ADAPTERS)


def test_ordinary_interfaces_come_first_then_bridges_tunnels_and_loopback() -> None:
    assert [i.name for i in all_interfaces()] == ["eth0", "wlan0", "docker0", "tun0", "lo"]
    assert [i.name for i in lan_interfaces()] == ["eth0", "wlan0", "docker0", "tun0"]


def test_interfaces_are_named_by_name_or_address_and_once() -> None:
    chosen = named_interfaces(["wlan0", "127.0.0.1", "192.0.2.5"])
    assert [i.name for i in chosen] == ["wlan0", "lo"]
    with pytest.raises(NoSuchInterface) as caught:
        named_interfaces(["wlan0", "wlan1"])
    assert caught.value.name == "wlan1"


def test_link_local_addresses_are_not_told_to_others() -> None:
    (wlan,) = named_interfaces(["wlan0"])
    assert wlan.dialable() == ("192.0.2.5", "2001:db8::5")
    assert wlan.announced() == ("192.0.2.5", "2001:db8::5", "fe80::5")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("192.0.2.77", True),
        ("2001:db8::77", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("192.0.3.1", False),
        ("8.8.8.8", False),
        ("2001:db9::1", False),
        ("fe80::1", False),
        ("fe80::1%5", True),
        ("fe80::1%wlan0", True),
        ("friend.example", False),
        ("", False),
    ],
)
def test_only_addresses_of_the_own_subnets_are_on_link(host: str, expected: bool) -> None:
    assert on_link(host, all_interfaces()) is expected


def test_places_without_a_limit_are_the_lan_and_every_subnet() -> None:
    places = Places(None)
    assert places.own() == (
        "198.51.100.4",
        "192.0.2.5",
        "2001:db8::5",
        "172.17.0.1",
        "10.8.0.2",
    )
    assert places.on_link("127.0.0.1")
    assert places.on_link("192.0.2.77")


def test_places_limited_to_an_address_know_only_its_interface() -> None:
    places = Places(["127.0.0.1"])
    assert places.own() == ("127.0.0.1",)
    assert places.on_link("127.0.0.9")
    assert not places.on_link("192.0.2.77")


def test_a_system_that_does_not_tell_has_no_places(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> list[ifaddr.Adapter]:
        raise OSError("no")

    monkeypatch.setattr("ifaddr.get_adapters", fail)
    assert Places(None).own() == ()
    assert not Places(None).on_link("127.0.0.1")


def test_an_interface_without_addresses_is_not_loopback() -> None:
    assert not Interface(name="x", index=1, addresses=()).loopback
