"""Everything about one remote peer: its connections, which of them is the link, its frames."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from . import choice
from .choice import Choice
from .connection import Connection
from .events import Address, Event, EventQueue, PeerDown, PeerUp, Received
from .framing import Frame
from .hello import Hello
from .limits import HOSTS_MAX
from .link import Kind, LinkError

_CLAIM = struct.Struct(">QQ")
_GO = struct.Struct(">Q")
_NUMBER_MAX = 2**63

BYE_REASONS = frozenset(
    ("left", "replaced", "duplicate", "stale", "declined", "version", "busy", "undecided")
)
"""Why a peer may say that it closes a connection; any other word counts as ``lost``."""

_DOWN_REASONS = frozenset(("left", "silent", "lost", "slow", "replaced", "fault"))
"""Why the end of a connection may have ended the link; any other reason counts as ``lost``."""


class _Bye(Exception):  # noqa: N818 - not an error
    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(slots=True, kw_only=True)
class _Strand:
    """One authenticated connection; ``settled`` gets "" (it, or a twin, is the link) or why not."""

    connection: Connection
    hello: Hello
    told: Address | None
    settled: asyncio.Future[str] = field(repr=False)


class Peer:
    """One remote peer, ``key`` its 32-byte identity."""

    def __init__(
        self,
        key: bytes,
        *,
        decides: bool,
        events: EventQueue,
        emit: Callable[[Event], None],
    ) -> None:
        self.key = key
        self.addresses: tuple[Address, ...] = ()
        """Where it is worth dialling, the best first, at most 8."""
        self._choice = Choice(decides=decides)
        self._decides = decides
        self._events = events
        self._emit = emit
        self._strands: dict[bytes, _Strand] = {}
        self._changed = asyncio.Event()
        self._news = asyncio.Event()
        self._doubted = False

    @property
    def link(self) -> Connection | None:
        """The connection in use."""
        name = self._choice.link
        return None if name is None else self._strands[name].connection

    @property
    def idle(self) -> bool:
        """Whether no connection is left."""
        return not self._strands

    def connections(self) -> tuple[Connection, ...]:
        """Return all connections, leaving ones too."""
        return tuple(strand.connection for strand in self._strands.values())

    def learn(self, addresses: tuple[Address, ...]) -> None:
        """Put these addresses before those known, and dial again soon if there is no link."""
        merged = dict.fromkeys((*addresses, *self.addresses))
        self.addresses = tuple(merged)[:HOSTS_MAX]
        self._news.set()

    def doubt(self) -> None:
        """Have the peer dialled even if a link seems to stand.

        If the other side still holds the old link it drops the new one; otherwise the new one
        takes over.
        """
        self._doubted = True
        self._news.set()
        self._changed.set()

    async def needed(self) -> None:
        """Wait until there is a reason to dial: neither a link nor a candidate, or a doubt."""
        while not (self._choice.idle or self._doubted):
            self._changed.clear()
            await self._changed.wait()
        self._doubted = False
        self._news.clear()

    async def news(self, timeout_s: float) -> None:
        """Wait for new addresses, a link or a doubt, but no longer than ``timeout_s``."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._news.wait()

    def adopt(
        self, connection: Connection, hello: Hello, told: Address | None
    ) -> asyncio.Future[str]:
        """Take an authenticated connection; ``told`` is the address it was dialled at, if it was.

        The future gets an empty text when the peer is linked, or the reason why it is not.
        :meth:`serve` must follow at once.
        """
        settled = asyncio.get_running_loop().create_future()
        name = connection.link.id
        self._strands[name] = _Strand(
            connection=connection, hello=hello, told=told, settled=settled
        )
        self._apply(self._choice.opened(name, hello.boot))
        return settled

    async def serve(self, connection: Connection) -> None:
        """Read a connection to its end and release it."""
        name = connection.link.id
        reason = "lost"
        try:
            while True:
                frame = await connection.next_frame()
                if not connection.leaving:
                    await self._take(name, connection, frame)
        except _Bye as bye:
            reason = bye.reason
        except LinkError as error:
            reason = error.reason
        except OSError:
            reason = "lost"
        finally:
            reason = connection.cut_reason or reason
            ended = reason if reason in _DOWN_REASONS else "lost"
            self._apply(self._choice.lost(name), ended=ended)
            self._settle(name, reason)
            del self._strands[name]
            self._changed.set()
            await connection.close()

    def leave(self, reason: str, *, told: str) -> None:
        """Close all connections, saying ``reason``; the application is told ``told``."""
        self._apply(self._choice.leave(reason), ended=told)

    # --- frames -------------------------------------------------------------------------------

    async def _take(self, name: bytes, connection: Connection, frame: Frame) -> None:
        match frame.kind:
            case Kind.DATA:
                await self._take_data(name, connection, frame.body)
            case Kind.BEAT:
                pass
            case Kind.CLAIM if self._decides:
                seen, holding = _numbers(_CLAIM, frame.body)
                self._apply(self._choice.claimed(name, seen, holding))
            case Kind.GO if not self._decides:
                (number,) = _numbers(_GO, frame.body)
                self._apply(self._choice.go(name, number))
            case Kind.BYE:
                word = frame.body.decode("ascii", "replace")
                raise _Bye(word if word in BYE_REASONS else "lost")
            case _:
                raise LinkError("fault", f"frame {frame.kind}")

    async def _take_data(self, name: bytes, connection: Connection, data: bytes) -> None:
        if self._choice.link != name:
            raise LinkError("fault", "data before go")
        connection.waiting = True
        await self._events.room()
        connection.waiting = False
        if self._choice.link == name:
            self._emit(Received(peer=self.key, data=data))

    # --- effects ------------------------------------------------------------------------------

    def _apply(self, effects: list[choice.Effect], *, ended: str = "") -> None:
        for effect in effects:
            match effect:
                case choice.Down(reason=reason):
                    self._emit(PeerDown(peer=self.key, reason=ended or reason))
                    self._changed.set()
                case choice.Claim(link=name, seen=seen, holding=holding):
                    self._strands[name].connection.send(Kind.CLAIM, _CLAIM.pack(seen, holding))
                case choice.Go(link=name, number=number):
                    self._strands[name].connection.send(Kind.GO, _GO.pack(number))
                case choice.Up(link=name):
                    self._up(name)
                case choice.Drop(link=name, reason=reason):
                    self._settle(name, reason)
                    self._strands[name].connection.leave(reason)

    def _up(self, name: bytes) -> None:
        strand = self._strands[name]
        addresses = _told(strand)
        self.learn(addresses)
        self._emit(
            PeerUp(
                peer=self.key,
                name=strand.hello.name,
                card=strand.hello.card,
                addresses=addresses,
            )
        )
        for other in self._strands:
            self._settle(other, "")

    def _settle(self, name: bytes, reason: str) -> None:
        settled = self._strands[name].settled
        if not settled.done():
            settled.set_result("" if reason == "duplicate" else reason)


def _numbers(layout: struct.Struct, body: bytes) -> tuple[int, ...]:
    if len(body) != layout.size:
        raise LinkError("fault", "numbers")
    numbers: tuple[int, ...] = layout.unpack(body)
    if max(numbers) >= _NUMBER_MAX:
        raise LinkError("fault", "numbers")
    return numbers


def _told(strand: _Strand) -> tuple[Address, ...]:
    """Return where the peer listens: where it was reached, where it is seen, what it says."""
    hello = strand.hello
    found = [] if strand.told is None else [strand.told]
    if hello.port:
        hosts = (strand.connection.host, *hello.hosts)
        found += [(host, hello.port) for host in hosts]
    return tuple(dict.fromkeys(found))[:HOSTS_MAX]
