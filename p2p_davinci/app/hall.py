"""The tables of this network as they are known here: heard of, asked, listed, chosen.

Pure bookkeeping. Being heard of is a hint; a table is listed when it answered.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..net.discovery import Seen
from ..net.events import Address, Asked
from ..storage.identity import fingerprint
from .card import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A table that answered: where, and what its card says."""

    instance: str
    peer: bytes
    address: Address
    card: Card


MISSES_MAX = 40
"""How often in a row a table may leave a question unanswered: an advertisement outlives a killed
program by two minutes, but a busy one may not answer at once either."""
SEEN_MAX = 256
"""How many advertisements are kept; many more than there are tables in any room."""


class Hall:
    """The list. Instances are mDNS names; what is typed by hand is not in here."""

    def __init__(self) -> None:
        self._seen: dict[str, Seen] = {}
        self._withdrawn: set[str] = set()
        self._misses: dict[str, int] = {}
        self._listed: dict[str, Listed] = {}

    def heard(self, seen: Seen) -> bool:
        """Take note of an advertisement; return whether there was room for it.

        Anybody can advertise, so only so many are kept; those withdrawn make room for new ones.
        """
        if seen.instance not in self._seen and len(self._seen) >= SEEN_MAX:
            if not self._withdrawn:
                return False
            oldest = next(iter(self._withdrawn))
            self._forget(oldest)
            self._listed.pop(oldest, None)
        self._seen[seen.instance] = seen
        self._withdrawn.discard(seen.instance)
        return True

    def withdrawn(self, instance: str) -> None:
        """Take note of a goodbye. It may be forged: the next question decides."""
        if instance in self._seen:
            self._withdrawn.add(instance)

    def seen(self, instance: str) -> Seen | None:
        """Return the advertisement of an instance that is still worth asking."""
        return self._seen.get(instance)

    def answered(self, instance: str, asked: Asked, address: Address, card: Card | None) -> bool:
        """Take note of an answer; return whether the list changed."""
        seen = self._seen.get(instance)
        before = self._listed.pop(instance, None)
        self._misses.pop(instance, None)
        if seen is None or card is None or asked.peer != seen.identity:
            return before is not None
        listed = Listed(instance=instance, peer=asked.peer, address=address, card=card)
        self._listed[instance] = listed
        return listed != before

    def silent(self, instance: str) -> bool:
        """Take note that there was no answer; return whether the list changed."""
        misses = self._misses.get(instance, 0) + 1
        self._misses[instance] = misses
        if misses >= MISSES_MAX or instance in self._withdrawn:
            self._forget(instance)
        return self._listed.pop(instance, None) is not None

    def _forget(self, instance: str) -> None:
        self._seen.pop(instance, None)
        self._misses.pop(instance, None)
        self._withdrawn.discard(instance)

    @property
    def tables(self) -> tuple[Listed, ...]:
        """The tables that answered, by name; one of which several tell, as its opener tells it."""
        tables: dict[tuple[str, bytes], Listed] = {}
        for listed in sorted(self._listed.values(), key=_rank):
            tables.setdefault((listed.card.table, listed.card.opener), listed)
        return tuple(tables.values())

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


def _rank(listed: Listed) -> tuple[str, bool, str]:
    return listed.card.table, listed.peer != listed.card.opener, listed.instance


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
