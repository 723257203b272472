"""The tables of this network as they are known here: heard of, asked, listed, chosen.

Pure bookkeeping. Being heard of is a hint; a table is listed when it answered.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..net.discovery import Seen
from ..net.events import Asked
from ..net.identity import fingerprint
from ..net.known import Address
from .card import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A table that answered: where, and what its card says."""

    instance: str
    peer: bytes
    address: Address
    card: Card


class Hall:
    """The list. Instances are mDNS names; what is typed by hand is not in here."""

    def __init__(self) -> None:
        self._seen: dict[str, Seen] = {}
        self._listed: dict[str, Listed] = {}

    def heard(self, seen: Seen) -> None:
        """Take note of an advertisement."""
        self._seen[seen.instance] = seen

    def gone(self, instance: str) -> None:
        """Take note that an instance is said to be gone, or did not answer."""
        self._seen.pop(instance, None)
        self._listed.pop(instance, None)

    def where(self, instance: str) -> tuple[Address, ...]:
        """Return where to ask an instance, the machine's own loopback last."""
        seen = self._seen.get(instance)
        if seen is None:
            return ()
        return tuple(sorted(seen.addresses, key=lambda a: a[0] in ("127.0.0.1", "::1")))

    def answered(self, instance: str, asked: Asked, address: Address, card: Card | None) -> bool:
        """Take note of an answer; return whether the list changed."""
        seen = self._seen.get(instance)
        before = self._listed.pop(instance, None)
        if seen is None or card is None or asked.peer != seen.identity:
            return before is not None
        listed = Listed(instance=instance, peer=asked.peer, address=address, card=card)
        self._listed[instance] = listed
        return listed != before

    @property
    def tables(self) -> tuple[Listed, ...]:
        """The tables that answered, by name."""
        return tuple(sorted(self._listed.values(), key=lambda t: (t.card.table, t.instance)))

    @property
    def open_tables(self) -> tuple[Listed, ...]:
        """The tables that have a free seat."""
        return tuple(table for table in self.tables if table.card.state == "open")

    def named(self, target: str) -> tuple[Listed, ...]:
        """Return the tables that ``NAME`` or ``NAME/FINGERPRINT`` names."""
        name, _, print_ = target.partition("/")
        return tuple(
            table
            for table in self.tables
            if table.card.table == name and fingerprint(table.card.opener).startswith(print_)
        )


def read_address(text: str) -> Address | None:
    """Return the address in ``HOST:PORT`` (``[HOST]:PORT`` for IPv6), ``None`` if it is none."""
    host, colon, port = text.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    host = host[1:-1] if bracketed else host
    if not colon or not host or not (port.isascii() and port.isdigit() and len(port) <= 5):
        return None
    if (":" in host and not bracketed) or not 1 <= int(port) <= 65535:
        return None
    return host, int(port)


def address_text(address: Address) -> str:
    """Return an address as :func:`read_address` takes it."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
