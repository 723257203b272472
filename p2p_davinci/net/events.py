"""What the mesh tells the application, and why a dial failed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Address: TypeAlias = tuple[str, int]
"""A host and a port."""


class DialError(Exception):
    """A dial failed.

    ``reason`` is a catalogue key: ``refused`` (nothing listens there), ``timeout``,
    ``unreachable`` (no such host, no route), ``version`` (``detail`` is theirs), ``self`` (our own
    address), ``busy`` (no room), ``declined`` (they do not want us), ``not_ours`` (something else
    listens there), ``stranger`` (another peer than the one expected), ``fault`` (it broke the
    protocol; ``detail`` is for developers), ``lost`` (the connection ended).
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(reason, detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The answer to an ask: who is there, and its card."""

    peer: bytes
    name: str
    card: bytes
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerUp:
    """The link to ``peer`` stands.

    ``name`` and ``card`` are as the peer wrote them; ``addresses`` are where it says it listens,
    the one it is seen at first.
    """

    peer: bytes
    name: str
    card: bytes
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerDown:
    """The link to ``peer`` is gone.

    ``reason``: ``left`` (it said so), ``silent``, ``lost``, ``slow`` (it did not take what was
    sent), ``replaced`` (a newer link follows at once), ``forgotten`` (we let go of it), ``fault``.
    What was sent and not yet answered may be lost.
    """

    peer: bytes
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerQuiet:
    """Nothing was heard from ``peer`` for ``silent_s`` seconds; 0: it is heard again."""

    peer: bytes
    silent_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRefused:
    """Somebody who was dialled, or who dialled, and no link came of it.

    ``reason`` is as in :class:`DialError`; ``peer`` is ``None`` if nobody was authenticated.
    """

    peer: bytes | None
    host: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One message of the application from ``peer``."""

    peer: bytes
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Woke:
    """The clock jumped by ``gap_s`` seconds: this machine slept, or this process was stopped."""

    gap_s: float


Event: TypeAlias = PeerUp | PeerDown | PeerQuiet | PeerRefused | Received | Woke


class EventQueue(asyncio.Queue[Event]):
    """A queue that never refuses news of links, and makes messages wait while it is long."""

    def __init__(self, backlog: int) -> None:
        super().__init__()
        self._backlog = backlog
        self._room = asyncio.Event()
        self._room.set()

    def put_nowait(self, item: Event) -> None:
        """Add an event at once."""
        super().put_nowait(item)
        if self.qsize() >= self._backlog:
            self._room.clear()

    async def get(self) -> Event:
        """Wait for the next event and take it."""
        item = await super().get()
        if self.qsize() < self._backlog:
            self._room.set()
        return item

    def get_nowait(self) -> Event:
        """Take the next event; raises ``asyncio.QueueEmpty`` if there is none."""
        item = super().get_nowait()
        if self.qsize() < self._backlog:
            self._room.set()
        return item

    @property
    def has_room(self) -> bool:
        """Whether fewer events than the backlog are waiting."""
        return self._room.is_set()

    def release(self) -> None:
        """Let everybody through who waits for room: nobody takes events any more."""
        self._room.set()

    async def room(self) -> None:
        """Wait until fewer events than the backlog are waiting."""
        await self._room.wait()


class Refusals:
    """Tell of refusals, but not of the same one again and again."""

    GAP_S = 10.0
    REMEMBERED_MAX = 64

    def __init__(self, emit: Callable[[Event], None], clock: Callable[[], float]) -> None:
        self._emit = emit
        self._clock = clock
        self._told_s: dict[tuple[str, str], float] = {}

    def tell(self, peer: bytes | None, host: str, reason: str, detail: str = "") -> None:
        """Emit a :class:`PeerRefused` unless this host and reason were told within ``GAP_S``."""
        now_s = self._clock()
        told_s = self._told_s.get((host, reason))
        if told_s is not None and now_s - told_s < self.GAP_S:
            return
        self._told_s.pop((host, reason), None)
        self._told_s[host, reason] = now_s
        if len(self._told_s) > self.REMEMBERED_MAX:
            del self._told_s[next(iter(self._told_s))]
        self._emit(PeerRefused(peer=peer, host=host, reason=reason, detail=detail))
