"""Silence and sleep: which peers are quiet, and whether this machine was away itself.

PEER, staying together. Time is the caller's clock; what is found changes links and displays only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from .connection import Connection
from .events import Event, PeerQuiet, Woke
from .limits import Limits
from .link import Kind
from .peer import Peer


class Watch:
    """Look at all peers every ``tick_s``; ``peers`` lists them."""

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float],
        emit: Callable[[Event], None],
        peers: Callable[[], Iterable[Peer]],
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._emit = emit
        self._peers = peers

    async def run(self) -> None:
        """Watch until cancelled."""
        last_s = self._clock()
        while True:
            await asyncio.sleep(self._limits.tick_s)
            now_s = self._clock()
            gap_s = now_s - last_s
            last_s = now_s
            if gap_s > self._limits.tick_s + self._limits.jump_s:
                self._wake(now_s, gap_s)
            else:
                self._look(now_s)

    def _wake(self, now_s: float, gap_s: float) -> None:
        """Drop all suspicion after a sleep, and find out which links are left."""
        self._emit(Woke(gap_s=gap_s))
        for peer in self._peers():
            for connection in peer.connections():
                connection.heard_s = connection.opened_s = now_s
                connection.send(Kind.BEAT)
            peer.doubt()

    def _look(self, now_s: float) -> None:
        for peer in self._peers():
            for connection in peer.connections():
                self._look_at(peer, connection, now_s)

    def _look_at(self, peer: Peer, connection: Connection, now_s: float) -> None:
        if connection.waiting:
            connection.heard_s = now_s
        silent_s = now_s - connection.heard_s
        if silent_s >= self._limits.silent_s:
            connection.cut("silent")
        elif connection is not peer.link:
            if now_s - connection.opened_s >= self._limits.undecided_s:
                connection.cut("undecided")
        elif connection.quiet != (silent_s >= self._limits.quiet_s):
            connection.quiet = not connection.quiet
            self._emit(PeerQuiet(peer=peer.key, silent_s=silent_s if connection.quiet else 0.0))
