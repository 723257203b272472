"""A peer killed and started again from what its disk kept."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_davinci.app.driver import mend
from p2p_davinci.session.resuming import Recalled, recall
from p2p_davinci.session.secrets import KINDS
from protocol import HEADER, SECRETS_HEADER, Record, read_log

from .table import Memory, Peer, Table


@dataclass(slots=True)
class Disk:
    """The files of a peer after a crash, as records."""

    log: bytes
    secrets: bytes

    @property
    def log_records(self) -> tuple[Record, ...]:
        return read_log(self.log)[0]

    @property
    def secret_records(self) -> tuple[Record, ...]:
        return read_log(self.secrets, header=SECRETS_HEADER, kinds=KINDS)[0]

    def recall(self, public: bytes) -> Recalled:
        return recall(self.log_records, self.secret_records, public)


def disk_of(peer: Peer, *, unsynced: bool = True) -> Disk:
    """What a crash leaves; without ``unsynced`` the power fails too."""

    def kept(memory: Memory) -> bytes:
        return b"".join(memory.records if unsynced else memory.records[: memory.synced])

    return Disk(log=HEADER + kept(peer.log), secrets=SECRETS_HEADER + kept(peer.secrets))


class _Cut(Memory):
    """A journal that knows where its records lie in a file."""

    def __init__(self, header: bytes, data: bytes) -> None:
        super().__init__()
        self._header = header
        self.fill(data)

    def fill(self, data: bytes) -> None:
        self.records = []
        rest = data[len(self._header) :]
        while rest:
            size = 4 + int.from_bytes(rest[:4], "big")
            self.records.append(rest[:size])
            rest = rest[size:]
        self.synced = len(self.records)

    def cut(self, size: int) -> None:
        self.fill((self._header + b"".join(self.records))[:size])


def reborn(table: Table, seat: int, disk: Disk | None = None) -> Peer:
    """Kill a peer and start it again from its disk; what it had not sent by then is not sent."""
    old = table.peers[seat]
    disk = disk or disk_of(old)
    recalled = disk.recall(table.who[seat].public)
    log, secrets = _Cut(HEADER, disk.log), _Cut(SECRETS_HEADER, disk.secrets)
    mend(recalled, log, secrets)
    peer = table._peer(seat, table.who[seat], table.rng.randbytes)
    peer.log.records, peer.log.synced = log.records, log.synced
    peer.secrets.records, peer.secrets.synced = secrets.records, secrets.synced
    table.peers[seat] = peer
    peer.driver.resume(recalled, table.now_s)
    return peer
