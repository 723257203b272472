"""Finding tables on the local network over multicast DNS (PEER, finding; RFC 6762, RFC 6763).

What is found is a hint where to dial, no more: a removal may be forged and an entry may outlive a
killed peer by two minutes. Nothing that goes wrong in here is raised to the application: it is told
that addresses have to be typed (:class:`ManualMode`), and again when searching works.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from zeroconf import (
    DNSQuestionType,
    IPVersion,
    NonUniqueNameException,
    ServiceInfo,
    ServiceStateChange,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from .advert import SERVICE_TYPE, Advert, BadAdvert, names_identity, new_instance, parse_advert
from .events import Address
from .interfaces import Interface, NoSuchInterface, on_link
from .limits import HOSTS_MAX

INTERFACES_MAX = 16
INSTANCES_MAX = 128
RESOLVING_MAX = 16
RESOLVE_MS = 1500
POLL_S = 5.0
CLOSE_S = 2.0
_NAME_TRIES = 3
_ASK = DNSQuestionType.QM
"""Answers come by multicast: of several programs that share UDP 5353 on one machine (another table,
the system's own responder) only one would get a unicast answer."""
_EVENTS_MAX = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Somebody advertises a table, or advertises it anew.

    ``identity`` (32 bytes) is a claim until a link proves it; ``addresses`` are on-link ones.
    """

    instance: str
    identity: bytes
    version: int
    table: str
    state: str
    seats: str
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """An instance is said to be gone; ask the peer itself before believing it."""

    instance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Searching:
    """Tables are searched and told on the interfaces with these names."""

    interfaces: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualMode:
    """Nothing can be found now; addresses have to be typed. It is tried again by itself.

    ``reason`` is a catalogue key: ``no-interface`` (no network, or not the one that was named,
    which is then ``detail``), ``port-taken`` (UDP 5353 is held
    by a program that does not share it), ``no-multicast`` (anything else the system or zeroconf
    said, in ``detail``).
    """

    reason: str
    detail: str = ""


Event: TypeAlias = Seen | Gone | Searching | ManualMode


class Discovery:
    """Search for tables, and tell of one's own, on the interfaces that ``interfaces`` returns.

    It is called every ``poll_s`` seconds: networks come and go. ``events`` holds at most 1,024
    entries; more are dropped while nobody takes them. ``identity`` is our own public key: what
    bears it is not reported.
    """

    def __init__(
        self,
        interfaces: Callable[[], Sequence[Interface]],
        identity: bytes,
        *,
        version: int,
        entropy: Callable[[int], bytes] = os.urandom,
        poll_s: float = POLL_S,
    ) -> None:
        self.events: asyncio.Queue[Event] = asyncio.Queue(_EVENTS_MAX)
        self._interfaces = interfaces
        self._identity = identity
        self._version = version
        self._entropy = entropy
        self._poll_s = poll_s
        self._lock = asyncio.Lock()
        self._poller: asyncio.Task[None] | None = None
        self._present: tuple[Interface, ...] = ()
        self._manual: ManualMode | None = None
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._own: tuple[int, Advert] | None = None
        self._telling = False
        """Whether what is wished now will be told by a call of before."""
        self._info: ServiceInfo | None = None
        self._seen: dict[str, Seen] = {}
        self._resolving: dict[str, asyncio.Task[None]] = {}
        self._sending: set[asyncio.Future[Any]] = set()

    async def start(self) -> None:
        """Begin to search; what stands in the way is told as an event."""
        await self._poll()
        self._poller = asyncio.create_task(self._poll_for_ever())

    async def advertise(self, port: int, *, table: str, state: str, seats: str) -> None:
        """Tell the network of a table at ``port`` from now on, also once a network comes.

        What is told already is not told again, and while one change is on its way, only the last
        of those that come meanwhile is told after it.

        Raises:
            ValueError: a word that :class:`~.advert.Advert` does not take.
        """
        advert = Advert(
            identity=self._identity, version=self._version, table=table, state=state, seats=seats
        )
        advert.properties()
        own = (port, advert)
        if own == self._own:
            return
        self._own = own
        if self._telling:
            return
        self._telling = True
        told = None
        try:
            while told is not self._own:
                told = self._own
                async with self._lock:
                    await self._guarded(self._publish())
                if self._sending:
                    await asyncio.wait(tuple(self._sending))
        finally:
            self._telling = False

    async def withdraw(self) -> None:
        """Stop telling of the table, with a goodbye; searching goes on."""
        self._own = None
        async with self._lock:
            if self._own is None:
                await self._guarded(self._unpublish())

    async def close(self) -> None:
        """Say goodbye on the network and release everything, within two seconds."""
        if self._poller is not None:
            self._poller.cancel()
            await asyncio.wait([self._poller])
        async with self._lock:
            await self._stop()

    # --- interfaces ---------------------------------------------------------------------------

    async def _poll_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self._poll_s)
            await self._poll()

    async def _poll(self) -> None:
        async with self._lock:
            await self._guarded(self._follow())

    async def _follow(self) -> None:
        """Search on the interfaces there are now."""
        present = tuple(self._interfaces())[:INTERFACES_MAX]
        if present == self._present and self._zeroconf is not None:
            return
        plan = _plan(present)
        if not plan:
            raise NoSuchInterface("")
        self._present = present
        version = IPVersion.All if any(isinstance(i, int) for i in plan) else IPVersion.V4Only
        if self._zeroconf is None:
            self._zeroconf = AsyncZeroconf(interfaces=plan, ip_version=version)
            await self._zeroconf.zeroconf.async_wait_for_start()
            self._browser = AsyncServiceBrowser(
                self._zeroconf.zeroconf,
                SERVICE_TYPE,
                handlers=[self._changed],
                question_type=_ASK,
            )
        else:
            await self._zeroconf.async_update_interfaces(plan, version)
        await self._publish()
        self._manual = None
        self._tell(Searching(interfaces=tuple(i.name for i in present)))

    async def _guarded(self, work: Any) -> None:
        """Run ``work``; whatever zeroconf or the system raises becomes manual mode."""
        try:
            await work
        except Exception as error:  # noqa: BLE001 - of any kind, see above
            await self._stop()
            self._tell_manual(_manual(error))

    async def _stop(self) -> None:
        """Close zeroconf, with goodbyes; the next poll starts it anew."""
        zeroconf, self._zeroconf = self._zeroconf, None
        browser, self._browser = self._browser, None
        self._present = ()
        self._info = None
        for task in [*self._resolving.values(), *self._sending]:
            task.cancel()
        self._resolving.clear()
        self._seen.clear()
        if zeroconf is None:
            return
        # Closing what has failed may fail again; it has been told.
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CLOSE_S):
                if browser is not None:
                    await browser.async_cancel()
                await zeroconf.async_close()

    # --- telling ------------------------------------------------------------------------------

    async def _publish(self) -> None:
        if self._own is None or self._zeroconf is None:
            return
        port, advert = self._own
        if self._info is not None:
            instance = self._info.name.removesuffix("." + SERVICE_TYPE)
            self._info = self._service_info(instance, port, advert)
            self._send(await self._zeroconf.async_update_service(self._info))
            return
        for attempt in range(_NAME_TRIES):
            info = self._service_info(new_instance(self._identity, self._entropy), port, advert)
            try:
                sending = await self._zeroconf.async_register_service(info)
            except NonUniqueNameException:
                if attempt == _NAME_TRIES - 1:
                    raise
                continue
            self._info = info
            self._send(sending)
            return

    async def _unpublish(self) -> None:
        info, self._info = self._info, None
        if info is not None and self._zeroconf is not None:
            await (await self._zeroconf.async_unregister_service(info))

    def _send(self, sending: Any) -> None:
        future: asyncio.Future[Any] = asyncio.ensure_future(sending)
        self._sending.add(future)
        future.add_done_callback(self._sent)

    def _sent(self, future: asyncio.Future[Any]) -> None:
        self._sending.discard(future)
        if not future.cancelled() and (error := future.exception()) is not None:
            self._tell_manual(_manual(error))

    def _service_info(self, instance: str, port: int, advert: Advert) -> ServiceInfo:
        addresses = [host for interface in self._present for host in interface.announced()]
        return ServiceInfo(
            SERVICE_TYPE,
            f"{instance}.{SERVICE_TYPE}",
            port=port,
            # A shared host name would resolve to every machine that uses it.
            server=f"{instance}.local.",
            parsed_addresses=addresses[:HOSTS_MAX],
            properties=advert.properties(),
        )

    # --- searching ----------------------------------------------------------------------------

    def _changed(
        self,
        *,
        zeroconf: Any,  # noqa: ARG002 - zeroconf passes these by name
        service_type: str,  # noqa: ARG002
        name: str,
        state_change: ServiceStateChange,
    ) -> None:
        instance = name.removesuffix("." + SERVICE_TYPE)
        if state_change is ServiceStateChange.Removed:
            if self._seen.pop(instance, None) is not None:
                self._tell(Gone(instance=instance))
            return
        # What a stranger's records make zeroconf raise concerns that entry alone.
        with contextlib.suppress(Exception):
            self._look_up(instance, AsyncServiceInfo(SERVICE_TYPE, name))

    def _look_up(self, instance: str, info: AsyncServiceInfo) -> None:
        running = self._zeroconf
        if running is None:
            return
        if info.load_from_cache(running.zeroconf):
            self._found(instance, info)
        elif instance not in self._resolving and len(self._resolving) < RESOLVING_MAX:
            self._resolving[instance] = asyncio.create_task(self._resolve(instance, info))

    async def _resolve(self, instance: str, info: AsyncServiceInfo) -> None:
        running = self._zeroconf
        try:
            with contextlib.suppress(Exception):  # as above
                if running is not None and await info.async_request(
                    running.zeroconf, RESOLVE_MS, _ASK
                ):
                    self._found(instance, info)
        finally:
            self._resolving.pop(instance, None)

    def _found(self, instance: str, info: AsyncServiceInfo) -> None:
        try:
            advert = parse_advert(info.properties)
        except BadAdvert:
            return
        if advert.identity == self._identity or not names_identity(instance, advert.identity):
            return
        seen = Seen(
            instance=instance,
            identity=advert.identity,
            version=advert.version,
            addresses=self._addresses(info),
            table=advert.table,
            state=advert.state,
            seats=advert.seats,
        )
        known = self._seen.get(instance)
        if known == seen or (known is None and len(self._seen) >= INSTANCES_MAX):
            return
        self._seen[instance] = seen
        self._tell(seen)

    def _addresses(self, info: AsyncServiceInfo) -> tuple[Address, ...]:
        hosts = [host for host in info.parsed_scoped_addresses() if on_link(host, self._present)]
        return tuple((host, info.port or 0) for host in hosts if info.port)[:HOSTS_MAX]

    # --- telling the application --------------------------------------------------------------

    def _tell_manual(self, event: ManualMode) -> None:
        if event != self._manual:
            self._manual = event
            self._tell(event)

    def _tell(self, event: Event) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self.events.put_nowait(event)


def _plan(interfaces: Sequence[Interface]) -> list[str | int]:
    """Return what zeroconf wants: an IPv4 address and an IPv6 index of each interface.

    One IPv4 address of an interface is enough. Multicast over IPv6 does not come back on the
    loopback interface.
    """
    plan: list[str | int] = []
    for interface in interfaces:
        first = next((a for a in interface.addresses if a.version == 4), None)
        if first is not None:
            plan.append(str(first.ip))
        if interface.index and not interface.loopback:
            plan += [interface.index] * any(a.version == 6 for a in interface.addresses)
    return plan


def _manual(error: BaseException) -> ManualMode:
    if isinstance(error, NoSuchInterface):
        return ManualMode(reason="no-interface", detail=error.name)
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return ManualMode(reason="port-taken", detail=str(error))
    return ManualMode(reason="no-multicast", detail=f"{type(error).__name__}: {error}")
