"""The network interfaces of this machine, and which addresses lie on the same link.

PEER, finding. What a record or a peer tells is dialled only if it is on-link: a forged record
cannot send us across the network.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import ifaddr

IPInterface: TypeAlias = ipaddress.IPv4Interface | ipaddress.IPv6Interface

_VIRTUAL = ("docker", "br-", "veth", "virbr", "cni", "flannel", "vmnet", "vboxnet", "lxc", "podman")
_TUNNELS = ("tun", "tap", "utun", "wg", "ppp", "ipsec", "tailscale", "zt")


class NoSuchInterface(Exception):  # noqa: N818 - what happened
    """The person named an interface that this machine has not; ``name`` is what was named."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """One interface; ``index`` is the system's number (0: unknown)."""

    name: str
    index: int
    addresses: tuple[IPInterface, ...]

    @property
    def loopback(self) -> bool:
        """Whether it leads only back to this machine."""
        return bool(self.addresses) and all(a.ip.is_loopback for a in self.addresses)

    def dialable(self) -> tuple[str, ...]:
        """Return its addresses that another machine on the link can dial, IPv4 first.

        Link-local IPv6 is left out: it means nothing without the dialler's own scope.
        """
        return tuple(host for host in self.announced() if not host.startswith("fe80:"))

    def announced(self) -> tuple[str, ...]:
        """Return all its addresses, IPv4 first and link-local IPv6 last, for multicast DNS.

        Who hears of a link-local address there knows the scope: the interface he heard it on.
        """
        ips = sorted(
            (own.ip for own in self.addresses),
            key=lambda ip: (ip.version, ip.version == 6 and ip.is_link_local),
        )
        return tuple(str(ip) for ip in ips)


def all_interfaces() -> tuple[Interface, ...]:
    """Return every interface that has an address, the likeliest to lead to friends first.

    Ordinary ones come before bridges of containers and virtual machines, these before tunnels,
    loopback is last.

    Raises:
        OSError: the system does not tell.
    """
    found = [
        Interface(
            name=adapter.nice_name,
            index=adapter.index or 0,
            addresses=tuple(_addresses(adapter.ips)),
        )
        for adapter in ifaddr.get_adapters()
    ]
    return tuple(sorted((i for i in found if i.addresses), key=lambda i: (_rank(i), i.index)))


def lan_interfaces() -> tuple[Interface, ...]:
    """Return the interfaces that lead to other machines, in the order of ``all_interfaces``.

    Raises:
        OSError: the system does not tell.
    """
    return tuple(interface for interface in all_interfaces() if not interface.loopback)


def named_interfaces(names: Sequence[str]) -> tuple[Interface, ...]:
    """Return the interfaces with these names, or that have one of these addresses.

    Raises:
        NoSuchInterface: the first that is not there.
        OSError: the system does not tell.
    """
    present = all_interfaces()
    chosen = []
    for name in names:
        match = next((i for i in present if name in _names(i)), None)
        if match is None:
            raise NoSuchInterface(name)
        if match not in chosen:
            chosen.append(match)
    return tuple(chosen)


def on_link(host: str, interfaces: Iterable[Interface]) -> bool:
    """Tell whether an address is in a subnet of one of the interfaces.

    Link-local IPv6 counts only with a scope (``fe80::1%3``); a host name never does.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.is_link_local:
        return address.scope_id is not None
    return any(address in own.network for i in interfaces for own in i.addresses)


def _names(interface: Interface) -> tuple[str, ...]:
    return (interface.name, *(str(own.ip) for own in interface.addresses))


def _addresses(ips: Iterable[ifaddr.IP]) -> Iterable[IPInterface]:
    for ip in ips:
        text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
        yield ipaddress.ip_interface(f"{text.partition('%')[0]}/{ip.network_prefix}")


def _rank(interface: Interface) -> int:
    if interface.loopback:
        return 3
    name = interface.name.lower()
    if name.startswith(_TUNNELS):
        return 2
    return 1 if name.startswith(_VIRTUAL) else 0


class Places:
    """Where this peer listens and whom it may dial.

    ``hosts`` are the addresses it is limited to, ``None`` for all of the machine.
    """

    def __init__(self, hosts: Sequence[str] | None) -> None:
        self._hosts = None if hosts is None else tuple(hosts)

    def own(self) -> tuple[str, ...]:
        """Return the addresses at which others can dial, the likeliest first; may be empty."""
        if self._hosts is not None:
            return self._hosts
        return tuple(host for interface in self._present() for host in interface.dialable())

    def on_link(self, host: str) -> bool:
        """Tell whether ``host`` is on a link of the interfaces in use."""
        own = self._hosts
        present = self._present(loopback=True)
        if own is not None:
            present = tuple(i for i in present if any(str(a.ip) in own for a in i.addresses))
        return on_link(host, present)

    def _present(self, *, loopback: bool = False) -> tuple[Interface, ...]:
        try:
            return all_interfaces() if loopback else lan_interfaces()
        except OSError:
            return ()
