"""Which of several connections to one peer is *the* link (PEER, one link).

Both sides dial, so two connections may stand at once, and each side sees them in another order. The
peer with the smaller key decides: it says *go*, with a growing number, on one connection, and the
other obeys the highest number it has seen. Every new connection begins with a *claim* of the
larger key: the highest number it has ever seen from this peer, and the number it holds now (0:
none). So the smaller key can tell a late twin (dropped) from a peer that has seen the present link
and lost it unnoticed (the new connection takes over at once).

A peer that was started again has a higher boot number; its connections displace older ones.
Sans-I/O: connections are named by opaque ids, effects are returned in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Send a claim on this connection."""

    link: bytes
    seen: int
    holding: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Go:
    """Send a go on this connection."""

    link: bytes
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Up:
    """The link is now this connection."""

    link: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Down:
    """The link is gone; ``reason`` says why, or is empty: why its connection ended."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Close this connection, telling the other side ``reason``."""

    link: bytes
    reason: str


Effect: TypeAlias = Claim | Go | Up | Down | Drop


class Choice:
    """The connections to one peer. Not a single method waits, sends or closes anything."""

    def __init__(self, *, decides: bool) -> None:
        """``decides``: this side has the smaller key."""
        self.link: bytes | None = None
        """The connection in use."""
        self._decides = decides
        self._boot = 0
        self._open: set[bytes] = set()
        self._number = 0
        """Deciding: the last number given. Obeying: the highest seen."""

    @property
    def idle(self) -> bool:
        """Whether no connection is left."""
        return not self._open

    def opened(self, link: bytes, boot: int) -> list[Effect]:
        """Take a connection that has just authenticated the peer, started for the boot-th time."""
        if boot < self._boot:
            return [Drop(link=link, reason="stale")]
        effects: list[Effect] = []
        if boot > self._boot:
            effects = self._forget_older()
            self._boot = boot
        self._open.add(link)
        if not self._decides:
            holding = self._number if self.link is not None else 0
            effects.append(Claim(link=link, seen=self._number, holding=holding))
        return effects

    def claimed(self, link: bytes, seen: int, holding: int) -> list[Effect]:
        """Take a claim (deciding side)."""
        if link not in self._open or link == self.link:
            return []
        if self.link is None:
            return self._choose(link, seen)
        if seen < self._number or holding == self._number:
            return self._drop(link, "duplicate")
        replaced = [Down(reason="replaced"), *self._drop(self.link, "replaced")]
        return replaced + self._choose(link, seen)

    def go(self, link: bytes, number: int) -> list[Effect]:
        """Take a go (obeying side)."""
        if link not in self._open:
            return []
        if number <= self._number:
            return [] if link == self.link else self._drop(link, "duplicate")
        self._number = number
        if link == self.link:
            return []
        old, self.link = self.link, link
        replaced: list[Effect] = []
        if old is not None:
            replaced = [Down(reason="replaced"), *self._drop(old, "replaced")]
        return [*replaced, Up(link=link)]

    def lost(self, link: bytes) -> list[Effect]:
        """Take the end of a connection, whatever ended it."""
        if link not in self._open:
            return []
        self._open.discard(link)
        if link != self.link:
            return []
        self.link = None
        return [Down()]

    def leave(self, reason: str) -> list[Effect]:
        """Close every connection."""
        effects: list[Effect] = [] if self.link is None else [Down(reason=reason)]
        self.link = None
        return effects + [e for link in sorted(self._open) for e in self._drop(link, reason)]

    def _choose(self, link: bytes, seen: int) -> list[Effect]:
        self.link = link
        self._number = max(self._number, seen) + 1
        return [Go(link=link, number=self._number), Up(link=link)]

    def _forget_older(self) -> list[Effect]:
        effects = self.leave("replaced")
        if not self._decides:
            self._number = 0
        return effects

    def _drop(self, link: bytes, reason: str) -> list[Effect]:
        self._open.discard(link)
        return [Drop(link=link, reason=reason)]
