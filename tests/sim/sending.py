"""What must be true of everything that an honest seat sends, at the moment when it leaves.

A seat never says two things where one is due, and whatever it signed, and whatever its promises
stand by, no crash can take from its disk any more.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p_davinci.session import wire
from protocol import DROP_KIND, PROMISE_KIND, Aside, Value, is_plain, read_aside, read_envelope

from .world import Broken, Host

PER_HEAD = frozenset({DROP_KIND, PROMISE_KIND, "claim"})
"""Asides that belong to a head; the others are numbered."""


@dataclass(slots=True)
class Listener:
    """All that was sent so far; what the liar says or sends is its own affair."""

    liar: int | None
    envelopes: dict[bytes, int] = field(default_factory=dict)
    asides: dict[bytes, Aside] = field(default_factory=dict)
    said: dict[tuple[object, ...], object] = field(default_factory=dict)
    """What a seat said in a step, under a number, or at a head about another."""

    def hear(self, host: Host, data: bytes) -> None:
        """Take in a message before it leaves a program.

        Raises:
            Broken: no honest seat sends this now.
        """
        if host.seat == self.liar:
            return
        match wire.read(data):
            case wire.Chained(raw=raw):
                self._envelope(host, raw)
            case wire.Remark(raw=raw):
                self._aside(host, raw)

    def _envelope(self, host: Host, raw: bytes) -> None:
        seat = self.envelopes.get(raw)
        if seat is None:
            envelope = read_envelope(raw)
            payload = envelope.payload
            seat = self.envelopes[raw] = payload.seat
            self._say(seat, (payload.session, payload.step), envelope.data)
        if seat == host.seat:
            _check_disk(host, raw)

    def _aside(self, host: Host, raw: bytes) -> None:
        aside = self.asides.get(raw)
        if aside is None:
            aside = self.asides[raw] = read_aside(raw)
            self._check_remark(aside)
        # A game that has ended has no file any more to keep a promise in, and nobody votes in it.
        ended = host.last is not None and host.last.ended
        if aside.seat == host.seat and not ended:
            _check_disk(host, raw)
            if aside.kind == PROMISE_KIND:
                _check_promise(host, aside)

    def _check_remark(self, aside: Aside) -> None:
        if aside.kind not in PER_HEAD:
            self._say(aside.seat, (aside.session, "number", aside.counter), aside.data)
        elif aside.kind == DROP_KIND:
            self._say(aside.seat, (aside.head, "vote"), aside.body)
            self._say(aside.seat, (aside.head, "without backing", aside.body), DROP_KIND)
        elif aside.kind == PROMISE_KIND:
            lost, digest = _promise(aside)
            self._say(aside.seat, (aside.head, "about", lost), digest)
            if is_plain(aside):
                self._say(aside.seat, (aside.head, "without backing", lost), PROMISE_KIND)

    def _say(self, seat: int, where: tuple[object, ...], what: object) -> None:
        if seat != self.liar and self.said.setdefault((seat, *where), what) != what:
            raise Broken(f"seat {seat} contradicts itself: {where[1:]}")


def _promise(aside: Aside) -> tuple[Value, Value]:
    match aside.body:
        case (lost, digest):
            return lost, digest
        case _:
            raise Broken(f"seat {aside.seat} promises {aside.body!r}")


def _check_disk(host: Host, raw: bytes) -> None:
    if not (host.secrets.keeps(raw) or host.log.keeps(raw)):
        raise Broken(f"seat {host.seat} sends what a crash would make it forget")


def _check_promise(host: Host, aside: Aside) -> None:
    kept = [
        read_envelope(record.data).digest
        for record in (*host.secrets.synced(), *host.log.synced())
        if record.kind in ("envelope", "heard")
    ]
    if _promise(aside)[1] not in kept:
        raise Broken(f"seat {host.seat} promises to stand by what a crash would make it forget")
