"""The full mesh: links to all the peers one wants, kept up, and the door for those who come.

PEER, staying together. Knows peer ids (32-byte identity keys) and bytes; what the bytes mean, who
may sit where and what a peer's card says are the application's.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from ..storage.identity import Identity, check_identity_key
from .certificate import Credentials, make_credentials
from .connection import Connection
from .dialing import connect, keep, race
from .door import EVERYWHERE, Door
from .events import (
    Address,
    Asked,
    DialError,
    Event,
    EventQueue,
    PeerRefused,
    Refusals,
)
from .hello import NONCE_BYTES, Hello, Role
from .interfaces import Places
from .limits import FRAME_BODY_BYTES_MAX, HOSTS_MAX, NAME_BYTES_MAX, Limits
from .link import LINK_VERSION, Kind, Link, LinkError
from .peer import Peer
from .watch import Watch

_FINAL = frozenset(("version", "declined", "busy", "fault", "timeout"))
"""Why a shaken connection did not become a link; whatever else happened, it was lost."""

_PEERS_MAX = 256
"""Peers remembered while they have no connection."""

Shaken = tuple[Connection, Hello]


def awake_clock() -> float:
    """Return monotonic seconds that go on while the machine sleeps, where the system tells them."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


class Mesh:
    """Links to other peers; everything runs in the event loop that called :meth:`start`.

    ``name`` is 1 to 64 bytes of UTF-8 (it may be set anew at any time), ``card`` returns at most
    2,048 bytes whenever somebody new is greeted, ``accept`` may turn an authenticated peer away,
    ``app_version`` is 0 to 2**32 - 1 and must be equal on both sides. ``clock`` gives monotonic
    seconds, ``entropy(n)`` n unpredictable bytes.
    """

    def __init__(
        self,
        identity: Identity,
        *,
        name: str,
        app_version: int,
        card: Callable[[], bytes] = bytes,
        accept: Callable[[bytes], bool] | None = None,
        clock: Callable[[], float] = awake_clock,
        entropy: Callable[[int], bytes] = os.urandom,
        limits: Limits | None = None,
    ) -> None:
        if not 1 <= len(name.encode("utf-8")) <= NAME_BYTES_MAX:
            raise ValueError("a name has 1 to 64 bytes of UTF-8")
        self.name = name
        self.limits = limits or Limits()
        self.events = EventQueue(self.limits.backlog)
        self._identity = identity
        self._app_version = app_version
        self._card = card
        self._accept = accept
        self._clock = clock
        self._entropy = entropy
        self._door = Door(self.limits, self._visit)
        self._places = Places(None)
        self._credentials: Credentials | None = None
        self._boot = 0
        self._peers: dict[bytes, Peer] = {}
        self._keepers: dict[bytes, asyncio.Task[None]] = {}
        self._proved: dict[bytes, Address] = {}
        """Where a person's own dial reached somebody: may be dialled again, on-link or not."""
        self._early: set[asyncio.Task[None]] = set()
        """Handshakes of visitors, and the ticker: cancelled first when closing."""
        self._serving: set[asyncio.Task[None]] = set()
        self._refusals = Refusals(self._emit, clock)
        self._watch = Watch(self.limits, clock, self._emit, lambda: list(self._peers.values()))
        self._closing = False

    # --- what an application calls ------------------------------------------------------------

    @property
    def port(self) -> int:
        """The port listened at, the same for IPv4 and IPv6; 0 before :meth:`start`."""
        return self._door.port

    def addresses(self) -> tuple[Address, ...]:
        """Return where others can dial us, the likeliest first."""
        return tuple((host, self.port) for host in self._places.own()[:HOSTS_MAX])

    def linked(self) -> tuple[bytes, ...]:
        """Return the peers to whom a link stands."""
        return tuple(key for key, peer in self._peers.items() if peer.link is not None)

    async def start(self, hosts: Sequence[str] | None = None, port: int = 0) -> None:
        """Listen at ``hosts`` (addresses of this machine; ``None``: all) and begin to keep links.

        With ``hosts`` given, only what is on-link there is dialled for :meth:`want`.

        Raises:
            OSError: no address can be listened at, or the key file cannot be written.
            IdentityError: ``folder``.
        """
        self._places = Places(hosts)
        self._boot = self._identity.next_boot()
        self._credentials = make_credentials(self._identity.folder)
        await self._door.open(EVERYWHERE if hosts is None else hosts, port)
        self._spawn(self._early, self._watch.run())

    def want(self, peer: bytes, addresses: Sequence[Address]) -> None:
        """Keep a link to ``peer``: dial it, and dial it again whenever the link is lost.

        ``addresses`` are added to those known; what is not on-link is dialled only if a person's
        own :meth:`dial` has reached this peer there.

        Raises:
            IdentityError: ``peer`` is no identity key.
            ValueError: it is our own.
        """
        check_identity_key(peer)
        if peer == self._identity.public:
            raise ValueError("a peer does not link to itself")
        wanted = self._peer(peer)
        wanted.learn(tuple(addresses))
        if peer not in self._keepers and not self._closing:
            self._keepers[peer] = asyncio.create_task(
                keep(
                    wanted,
                    dial=self._dial_known,
                    tell=self._tell_failure,
                    limits=self.limits,
                    entropy=self._entropy,
                )
            )

    def forget(self, peer: bytes) -> None:
        """Stop keeping a link to ``peer`` and close the one there is."""
        keeper = self._keepers.pop(peer, None)
        if keeper is not None:
            keeper.cancel()
        self._proved.pop(peer, None)
        known = self._peers.get(peer)
        if known is not None:
            known.leave("left", told="forgotten")

    async def dial(self, host: str, port: int) -> bytes:
        """Link to whoever listens at an address a person gave, and return who that is.

        Raises:
            DialError: any of its reasons but ``stranger``.
        """
        connection, hello = await self._reach(host, port, Role.PEER)
        reason = self._objection(hello)
        if reason:
            self._turn_away(connection, reason)
            raise DialError(reason, str(hello.app_version))
        self._proved[hello.identity] = (host, port)
        await self._settle(connection, hello, (host, port))
        return hello.identity

    async def ask(self, host: str, port: int) -> Asked:
        """Hear who listens at an address, and its card, without linking to it.

        Raises:
            DialError: ``refused``, ``timeout``, ``unreachable``, ``version``, ``self``, ``busy``,
                ``not_ours``, ``fault``, ``lost``.
        """
        connection, hello = await self._reach(host, port, Role.ASK)
        self._turn_away(connection, "left")
        if hello.app_version != self._app_version:
            raise DialError("version", str(hello.app_version))
        hosts = dict.fromkeys((host, *hello.hosts))
        return Asked(
            peer=hello.identity,
            name=hello.name,
            card=hello.card,
            addresses=tuple((h, port if h == host else hello.port) for h in hosts),
        )

    def send(self, peer: bytes, data: bytes) -> None:
        """Send a message, at most 65,536 bytes, to a linked peer; without a link it is dropped.

        Never waits. When more than 256 KiB wait for a peer its link is cut (``slow``).

        Raises:
            ValueError: the message is too long.
        """
        if len(data) > FRAME_BODY_BYTES_MAX:
            raise ValueError(f"a message of {len(data)} bytes")
        known = self._peers.get(peer)
        if known is not None and known.link is not None:
            known.link.send(Kind.DATA, data)

    async def close(self, farewell: bytes | None = None) -> None:
        """Send ``farewell`` to all, let what is queued go out within a second, close everything.

        No event comes after this was called. May be called twice.
        """
        if farewell is not None and not self._closing:
            for key in self.linked():
                self.send(key, farewell)
        self._closing = True
        self._door.close()
        self.events.release()
        for peer in self._peers.values():
            peer.leave("left", told="left")
        await _cancel([*self._early, *self._keepers.values()])
        self._keepers.clear()
        if self._serving:
            await asyncio.wait(self._serving, timeout=2 * self.limits.linger_s)
        await _cancel(list(self._serving))

    # --- visitors -----------------------------------------------------------------------------

    def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str) -> None:
        self._spawn(self._early, self._greet(reader, writer, host))

    async def _greet(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str
    ) -> None:
        connection = self._connection(reader, writer, Role.PEER, dialer=False)
        try:
            hello = await connection.shake()
        except (LinkError, OSError) as error:
            if isinstance(error, LinkError) and error.reason == "version":
                self._refusals.tell(None, host, "version", error.detail)
            await connection.close()
            return
        except asyncio.CancelledError:
            await connection.close()
            raise
        finally:
            self._door.release(host)
        reason = "left" if hello.role == Role.ASK else self._objection(hello)
        if reason:
            if reason != "left":
                self._refusals.tell(hello.identity, host, reason, str(hello.app_version))
            self._turn_away(connection, reason)
            return
        self._adopt(connection, hello, None)

    def _objection(self, hello: Hello) -> str:
        """Return why this authenticated peer gets no link, or an empty text."""
        if hello.app_version != self._app_version:
            return "version"
        if self._accept is not None and not self._accept(hello.identity):
            return "declined"
        return "" if self._has_room(hello.identity) else "busy"

    def _has_room(self, key: bytes) -> bool:
        own = len(self._peers[key].connections()) if key in self._peers else 0
        standing = sum(len(peer.connections()) for peer in self._peers.values())
        in_all = key in self._keepers or standing < self.limits.links
        return in_all and own < self.limits.links_per_peer

    def _turn_away(self, connection: Connection, reason: str) -> None:
        connection.leave(reason)
        self._spawn(self._serving, _drain(connection))

    def _adopt(
        self, connection: Connection, hello: Hello, told: Address | None
    ) -> asyncio.Future[str]:
        peer = self._peer(hello.identity)
        settled = peer.adopt(connection, hello, told)
        self._spawn(self._serving, peer.serve(connection))
        return settled

    # --- dialling -----------------------------------------------------------------------------

    async def _reach(self, host: str, port: int, role: Role) -> Shaken:
        """Connect and shake hands.

        Raises:
            DialError: why not.
        """
        reader, writer = await connect(host, port, self.limits)
        connection = self._connection(reader, writer, role, dialer=True)
        try:
            hello = await connection.shake()
        except LinkError as error:
            raise DialError(error.reason, error.detail) from None
        except OSError as error:
            raise DialError("timeout" if isinstance(error, TimeoutError) else "lost") from None
        finally:
            if connection.link.peer is None or self._closing:
                await connection.close()
        if self._closing:
            raise DialError("lost")
        return connection, hello

    async def _settle(self, connection: Connection, hello: Hello, told: Address) -> None:
        """Adopt a connection and wait until it, or a twin of it, is the link.

        Raises:
            DialError: it will not be.
        """
        settled = self._adopt(connection, hello, told)
        try:
            async with asyncio.timeout(self.limits.handshake_s):
                reason = await settled
        except TimeoutError:
            reason = "timeout"
        if reason:
            raise DialError(reason if reason in _FINAL else "lost")

    async def _dial_known(self, peer: Peer) -> None:
        async def attempt(host: str, port: int) -> tuple[Shaken, Address]:
            connection, hello = await self._reach(host, port, Role.PEER)
            reason = "stranger" if hello.identity != peer.key else self._objection(hello)
            if reason:
                self._turn_away(connection, "left" if reason == "stranger" else reason)
                raise DialError(reason, str(hello.app_version))
            return (connection, hello), (host, port)

        def second(late: tuple[Shaken, Address]) -> None:
            if peer.key in self._keepers:
                self._adopt(*late[0], late[1])
            else:
                self._turn_away(late[0][0], "left")

        proved = self._proved.get(peer.key)
        addresses = [a for a in peer.addresses if a == proved or self._places.on_link(a[0])]
        (connection, hello), told = await race(addresses, attempt, second, self.limits.race_gap_s)
        await self._settle(connection, hello, told)

    # --- small parts --------------------------------------------------------------------------

    def _connection(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        role: Role,
        *,
        dialer: bool,
    ) -> Connection:
        if self._credentials is None:
            raise RuntimeError("the mesh has not been started")
        link = Link(
            credentials=self._credentials,
            key=self._identity.private,
            hello=self._hello(role),
            dialer=dialer,
            unproved_bytes=self.limits.unproved_bytes,
        )
        return Connection(reader, writer, link, limits=self.limits, clock=self._clock)

    def _hello(self, role: Role) -> Hello:
        return Hello(
            link_version=LINK_VERSION,
            app_version=self._app_version,
            role=role,
            boot=self._boot,
            port=self.port,
            nonce=self._entropy(NONCE_BYTES),
            identity=self._identity.public,
            name=self.name,
            card=self._card(),
            hosts=self._places.own()[:HOSTS_MAX],
        )

    def _peer(self, key: bytes) -> Peer:
        """Return the peer with this key.

        One that is gone is remembered for a while: it may come back over a new connection before
        the other side has missed the old one, and then its last number counts.
        """
        if key not in self._peers:
            idle = (k for k, p in self._peers.items() if p.idle and k not in self._keepers)
            if len(self._peers) >= _PEERS_MAX and (oldest := next(idle, None)) is not None:
                del self._peers[oldest]
            decides = self._identity.public < key
            self._peers[key] = Peer(key, decides=decides, events=self.events, emit=self._emit)
        return self._peers[key]

    def _tell_failure(self, peer: Peer, error: DialError) -> None:
        host = peer.addresses[0][0] if peer.addresses else ""
        self._refusals.tell(peer.key, host, error.reason, error.detail)

    def _emit(self, event: Event) -> None:
        if not self._closing and (self.events.has_room or not isinstance(event, PeerRefused)):
            self.events.put_nowait(event)

    def _spawn(self, group: set[asyncio.Task[None]], work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        group.add(task)
        task.add_done_callback(group.discard)


async def _drain(connection: Connection) -> None:
    """Read and ignore until a leaving connection is closed."""
    try:
        while True:
            await connection.next_frame()
    except (LinkError, OSError):
        return
    finally:
        await connection.close()


async def _cancel(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
