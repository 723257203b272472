"""Peers met before: name, identity key, addresses (PEER, remembered peers).

A remembered name is a promise of sameness: who comes under it with another key is reported, never
silently taken for the old one. Names are kept as the peers gave them; cleaning is the screen's
part. Several programs may share the file, so it is read for every question, and changed under a
lock from what it holds then.
"""

from __future__ import annotations

import enum
import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from .files import locked, write_private
from .identity import KEY_BYTES

PEERS_MAX = 500
ADDRESSES_MAX = 8
_VERSION = 1

Address: TypeAlias = tuple[str, int]
"""A host and a port."""


class Standing(enum.Enum):
    """What memory says about a name and a key."""

    NEW = "new"
    """Neither has been seen."""
    KNOWN = "known"
    """This key has used this name before."""
    RENAMED = "renamed"
    """A remembered key under a name that nobody has used before."""
    OTHER_KEY = "other-key"
    """The name is remembered with other keys only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPeer:
    """One remembered peer; ``key`` is its 32-byte identity."""

    key: bytes
    name: str
    addresses: tuple[Address, ...]


class KnownPeers:
    """The remembered peers of one player, the latest last, in a JSON file."""

    def __init__(self, path: Path) -> None:
        """Read ``path``; a missing file is an empty memory.

        A file that cannot be understood is set aside as ``NAME.damaged`` and ``damaged`` is true.

        Raises:
            OSError: the file is there but cannot be read or set aside.
        """
        self._path = path
        self.damaged = False
        self.peers()

    def standing(self, name: str, key: bytes) -> Standing:
        """Say what is remembered about somebody who goes by ``name`` and proved ``key``.

        Names are the same that differ in case or in Unicode compatibility forms only.

        Raises:
            OSError: as for :meth:`peers`.
        """
        alike = _folded(name)
        peers = self.peers()
        same_name = {peer.key for peer in peers if _folded(peer.name) == alike}
        if same_name:
            return Standing.KNOWN if key in same_name else Standing.OTHER_KEY
        return Standing.RENAMED if any(peer.key == key for peer in peers) else Standing.NEW

    def peers(self) -> tuple[KnownPeer, ...]:
        """Return everybody remembered, the latest last.

        Raises:
            OSError: the file is there but cannot be read or set aside.
        """
        with locked(self._path):
            return tuple(self._read().values())

    def remember(self, name: str, key: bytes, addresses: Sequence[Address]) -> None:
        """Write down a peer, in place of what was known of ``key``.

        The first 8 addresses are kept; beyond 500 peers the oldest is forgotten.

        Raises:
            OSError: the file cannot be read or written.
        """
        with locked(self._path):
            peers = self._read()
            peers.pop(key, None)
            peers[key] = KnownPeer(key=key, name=name, addresses=tuple(addresses[:ADDRESSES_MAX]))
            write_private(self._path, _write(list(peers.values())[-PEERS_MAX:]))

    def _read(self) -> dict[bytes, KnownPeer]:
        try:
            return _parse(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except (ValueError, KeyError, TypeError):
            self._path.replace(self._path.with_name(self._path.name + ".damaged"))
            self.damaged = True
            return {}


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _write(peers: Iterable[KnownPeer]) -> bytes:
    rows = [
        {"key": peer.key.hex(), "name": peer.name, "addresses": [list(a) for a in peer.addresses]}
        for peer in peers
    ]
    document = {"version": _VERSION, "peers": rows}
    return json.dumps(document, ensure_ascii=True, indent=1).encode("ascii")


def _parse(data: bytes) -> dict[bytes, KnownPeer]:
    document = json.loads(data)
    if document["version"] != _VERSION:
        raise ValueError("another version of the file")
    peers = [_parse_peer(row) for row in document["peers"]]
    return {peer.key: peer for peer in peers[-PEERS_MAX:]}


def _parse_peer(row: dict[str, object]) -> KnownPeer:
    key, name, addresses = row["key"], row["name"], row["addresses"]
    if not isinstance(key, str) or not isinstance(name, str) or not isinstance(addresses, list):
        raise TypeError("a field of another type")
    raw = bytes.fromhex(key)
    if len(raw) != KEY_BYTES:
        raise ValueError("not a key")
    pairs = tuple((str(host), int(port)) for host, port in addresses[:ADDRESSES_MAX])
    return KnownPeer(key=raw, name=name, addresses=pairs)
