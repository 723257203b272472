"""Peers met before: name, identity key, addresses (SPEC, remembered peers).

A remembered name is a promise of sameness: who comes under it with another key is reported, never
silently taken for the old one. Names are as the peers gave them; cleaning is the screen's part.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from .files import make_private_folder, write_private
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
    """The remembered peers of one profile, the latest last, in a JSON file."""

    def __init__(self, path: Path) -> None:
        """Read ``path``; a missing file is an empty memory.

        A file that cannot be understood is set aside as ``NAME.damaged`` and ``damaged`` is true.

        Raises:
            OSError: the file is there but cannot be read or set aside.
        """
        self._path = path
        self._peers: dict[bytes, KnownPeer] = {}
        self.damaged = False
        if not path.exists():
            return
        try:
            self._peers = _parse(path.read_bytes())
        except (ValueError, KeyError, TypeError):
            path.replace(path.with_name(path.name + ".damaged"))
            self.damaged = True

    def standing(self, name: str, key: bytes) -> Standing:
        """Say what is remembered about somebody who calls himself ``name`` and proved ``key``."""
        peer = self._peers.get(key)
        if peer is not None and peer.name == name:
            return Standing.KNOWN
        if any(other.name == name for other in self._peers.values()):
            return Standing.OTHER_KEY
        return Standing.NEW if peer is None else Standing.RENAMED

    def peers(self) -> tuple[KnownPeer, ...]:
        """Return everybody remembered, the latest last."""
        return tuple(self._peers.values())

    def remember(self, name: str, key: bytes, addresses: Sequence[Address]) -> None:
        """Write down a peer, in place of what was known of ``key``.

        The first 8 addresses are kept; beyond 500 peers the oldest is forgotten.

        Raises:
            OSError: the file cannot be written.
        """
        self._peers.pop(key, None)
        self._peers[key] = KnownPeer(key=key, name=name, addresses=tuple(addresses[:ADDRESSES_MAX]))
        while len(self._peers) > PEERS_MAX:
            del self._peers[next(iter(self._peers))]
        make_private_folder(self._path.parent)
        write_private(self._path, _write(self._peers.values()))


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
