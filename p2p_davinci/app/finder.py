"""Finding tables: discovery's hints, each asked over the network before it is listed (asyncio)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from protocol import PROTOCOL_VERSION, PeerFault

from ..console.lobby import Found, hall_lines
from ..net.dialing import race
from ..net.discovery import Discovery, Gone, ManualMode, Searching, Seen
from ..net.events import Address, Asked, DialError
from ..net.interfaces import Interface, all_interfaces, named_interfaces
from ..net.mesh import Mesh
from ..storage.identity import Identity, fingerprint
from ..text import Words, language
from .card import Card, read_card
from .hall import SEEN_MAX, Hall, Listed, address_text
from .settings import Exit

APP_VERSION = PROTOCOL_VERSION
ASK_AGAIN_S = 3.0
"""How often a listed table is asked anew: what it says of itself changes."""
FALLBACK_S = 6.0
"""How long a table is looked for before the address given with it is dialled."""
CHOICE_S = 1.5
"""How long other tables may still appear before the only one is taken."""
RACE_GAP_S = 0.25
"""Between the questions to two addresses of one program."""

PASSING = frozenset({"busy", "lost"})
"""Why a dial fails where too many come at once: worth another try."""
PAUSES_S = (0.25, 0.5, 1.0, 2.0)
"""Before the second, third, ... try, on average."""

T = TypeVar("T")
Answer: TypeAlias = tuple[Asked, Address]


def chosen_interfaces(names: Sequence[str]) -> Callable[[], Sequence[Interface]]:
    """Return what tells the interfaces to use: the named ones, or all of the machine."""

    def tell() -> Sequence[Interface]:
        return named_interfaces(names) if names else all_interfaces()

    return tell


def listening_hosts(names: Sequence[str]) -> Sequence[str] | None:
    """Return the addresses to listen at: those of the named interfaces, ``None`` for all.

    Raises:
        NoSuchInterface, OSError: as for ``named_interfaces``.
    """
    if not names:
        return None
    return [str(a.ip) for i in named_interfaces(names) for a in i.addresses if _usable(a.ip)]


def _usable(ip: object) -> bool:
    return not getattr(ip, "is_link_local", False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Where the tables are that were looked for: none, one, or too many to choose from."""

    addresses: tuple[Address, ...]


class Finder:
    """Discovery and the hall of tables, kept up to date while it runs.

    ``changed`` is called when the list has changed, ``manual`` when searching stops working (with
    the reason) and when it works again (with ``None``), ``seen`` with every advertisement. While
    ``resting()`` is true, nobody is asked anything, and the list grows old.
    """

    def __init__(
        self,
        mesh: Mesh,
        discovery: Discovery,
        *,
        changed: Callable[[], None],
        manual: Callable[[ManualMode | None], None],
        seen: Callable[[Seen], None],
        resting: Callable[[], bool],
    ) -> None:
        self.hall = Hall()
        self._resting = resting
        self._tell_seen = seen
        self._mesh = mesh
        self._discovery = discovery
        self._changed = changed
        self._tell_manual = manual
        self._manual = False
        self._asking: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Follow discovery for ever; cancel it to stop."""
        try:
            while True:
                self._take(await self._discovery.events.get())
        finally:
            for task in self._asking.values():
                task.cancel()

    async def find(self, target: str | None, fallback: Address | None, wait_s: float) -> Sought:
        """Look for a table (``None``: the only open one) for at most ``wait_s`` seconds.

        Where others may still appear, the only one is taken after a moment; ``fallback`` is the
        answer if the target has not shown itself by then, or cannot because searching fails.
        """
        since_s = time.monotonic()
        last_s = wait_s if fallback is None else min(wait_s, FALLBACK_S)
        while (waited_s := time.monotonic() - since_s) < last_s:
            tables = self.hall.open_tables if target is None else self.hall.named(target)
            if tables and (target is not None or waited_s >= CHOICE_S):
                return Sought(addresses=tuple(listed.address for listed in tables))
            if self._manual and fallback is not None:
                break
            await asyncio.sleep(0.1)
        return Sought(addresses=() if fallback is None else (fallback,))

    def _take(self, event: Seen | Gone | Searching | ManualMode) -> None:
        match event:
            case Seen():
                self._tell_seen(event)
                room = self.hall.heard(event) and len(self._asking) < SEEN_MAX
                if room and event.instance not in self._asking:
                    task = asyncio.create_task(self._keep_asking(event.instance))
                    self._asking[event.instance] = task
            case Gone(instance=instance):
                self.hall.withdrawn(instance)
            case ManualMode():
                self._manual = True
                self._tell_manual(event)
            case Searching():
                if self._manual:
                    self._manual = False
                    self._tell_manual(None)

    async def _keep_asking(self, instance: str) -> None:
        while (seen := self.hall.seen(instance)) is not None:
            if self._resting():
                await asyncio.sleep(ASK_AGAIN_S)
                continue
            answer = await self._ask(seen)
            if answer is None:
                changed = self.hall.silent(instance)
            else:
                asked, address, card = answer
                changed = self.hall.answered(instance, asked, address, card)
            if changed:
                self._changed()
            await asyncio.sleep(ASK_AGAIN_S)
        self._asking.pop(instance, None)

    async def _ask(self, seen: Seen) -> tuple[Asked, Address, Card | None] | None:
        """Ask who advertises, at all its addresses; ``None`` if nobody answers in our language."""

        async def attempt(host: str, port: int) -> Answer:
            asked = await self._mesh.ask(host, port)
            if asked.peer != seen.identity:
                raise DialError("stranger")
            return asked, (host, port)

        with contextlib.suppress(DialError, PeerFault):
            # The machine's own loopback last: there it may be anybody's.
            addresses = sorted(seen.addresses, key=lambda a: a[0] in ("127.0.0.1", "::1"))
            asked, address = await race(addresses, attempt, _ignore, RACE_GAP_S)
            return asked, address, read_card(asked.card)
        return None


async def patiently(dial: Callable[[], Awaitable[T]]) -> T:
    """Return what ``dial`` returns, trying again for a while where too many come at once.

    Raises:
        DialError: the last one, or one that another try would not change.
    """
    for pause_s in PAUSES_S:
        try:
            return await dial()
        except DialError as error:
            if error.reason not in PASSING:
                raise
        await asyncio.sleep(pause_s * (0.5 + random.random()))  # noqa: S311 - to part a crowd
    return await dial()


def _ignore(_late: Answer) -> None:
    """A second answer says no more than the first."""


def found_rows(tables: Sequence[Listed]) -> tuple[Found, ...]:
    """Return the tables as the console lists them."""
    return tuple(
        Found(
            table=listed.card.table,
            opener=listed.card.opener_name,
            members=listed.card.members,
            seats=listed.card.seats,
            options=listed.card.options,
            address=address_text(listed.address),
            playing=listed.card.state == "playing",
        )
        for listed in tables
    )


def card_json(card: Card, address: Address) -> str:
    """Return a table as one line of JSON."""
    return json.dumps(
        {
            "table": card.table,
            "opener": card.opener_name,
            "fingerprint": fingerprint(card.opener),
            "state": card.state,
            "members": card.members,
            "seats": card.seats,
            "rules": dict(card.options.fields()),
            "address": address_text(address),
        }
    )


def run_tables(
    *,
    identity: Identity,
    interfaces: Sequence[str],
    wait_s: float,
    as_json: bool,
    lang: str | None,
    environ: dict[str, str],
    tell: Callable[[str], None],
    complain: Callable[[str], None],
) -> int:
    """List the tables that answer within ``wait_s`` seconds; return the exit code.

    Where none can be searched for, that is an error.
    """
    words = Words(language(lang, environ))
    tables, manual = asyncio.run(_look(identity, interfaces, wait_s))
    if manual is not None and not tables:
        complain(words.reason("manual", manual.reason, detail=manual.detail))
        return Exit.ERROR
    if as_json:
        for listed in tables:
            tell(card_json(listed.card, listed.address))
        return 0
    for line in hall_lines(words, found_rows(tables), (), where="shell"):
        tell(line)
    return 0


async def _look(
    identity: Identity, interfaces: Sequence[str], wait_s: float
) -> tuple[tuple[Listed, ...], ManualMode | None]:
    """Return the tables that answered, and what last kept the search from working, if it does."""
    manual: list[ManualMode | None] = [None]
    mesh = Mesh(identity, name="?", app_version=APP_VERSION)
    discovery = Discovery(chosen_interfaces(interfaces), identity.public, version=APP_VERSION)
    finder = Finder(
        mesh,
        discovery,
        changed=lambda: None,
        manual=manual.append,
        seen=lambda _: None,
        resting=lambda: False,
    )
    await mesh.start(listening_hosts(interfaces))
    await discovery.start()
    task = asyncio.create_task(finder.run())
    ends_s = time.monotonic() + wait_s
    try:
        while time.monotonic() < ends_s:
            await asyncio.sleep(min(0.1, wait_s))
        return finder.hall.tables, manual[-1]
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await discovery.close()
        await mesh.close()
