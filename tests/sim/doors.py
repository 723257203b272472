"""Links as programs really make them: both ends dial, and the mesh's own choice picks one.

Between two peers several connections may stand at once, each of them a pair of streams that break
(:mod:`.wires`). Advertisements may be stale (nobody is there any more, or somebody else) and
double (two dials at once); a peer that was started again comes with a higher boot number.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from p2p_davinci.net.choice import Choice, Claim, Down, Drop, Effect, Go, Up

from .wires import Links, Pipe

DATA, CLAIM, GO, CLOSED = b"d", b"c", b"g", b"x"
NUMBER_BYTES = 8
RESET_S = 5.0
"""So often something is sent over every connection, so that its end is noticed."""
UNDECIDED_S = 10.0
"""After so long a connection that did not become the link is given up."""


@dataclass(slots=True)
class Line:
    """One connection: who holds an end of it open; by receiver, its streams and what waits."""

    pair: tuple[int, int]
    open: set[int] = field(default_factory=set)
    pipes: dict[int, Pipe] = field(default_factory=dict)
    waiting: dict[int, list[bytes]] = field(default_factory=dict)


class Doors(Links):
    """All connections of a table."""

    def __init__(self, seats: int, *places: Any) -> None:
        super().__init__(seats, *places)
        self._lines: dict[bytes, Line] = {}
        self._names = itertools.count()
        self._boots = [0] * seats
        self._choices: dict[tuple[int, int], Choice] = {}
        self.adverts_lie = False
        """Whether some of what is advertised is stale or double."""
        self.stale = 0
        """How often somebody dialled where the other was not."""

    def heal(self) -> None:
        super().heal()
        self.adverts_lie = False

    def started(self, seat: int) -> None:
        """Take note that a program has started: it knows of no connection of the one before."""
        self._boots[seat] += 1
        for other in range(len(self._boots)):
            self._choices[seat, other] = Choice(decides=seat < other)
        for name, line in self._lines.items():
            line.open.discard(seat)
            for end in line.pair:
                # What the other end sends over it is answered by a reset.
                at_s = self._now() + self._rng.uniform(0, RESET_S)
                self._later(at_s, partial(self._lost, name, end))

    def stands(self, one: int, other: int) -> bool:
        """Tell whether ``one`` believes in a link to ``other``."""
        return self._choices[one, other].link is not None

    def connect(self, one: int, other: int) -> None:
        """Let ``one`` dial ``other`` wherever that is advertised, unless it has a connection."""
        if not self._choices[one, other].idle:
            return
        places = [other]
        if self.adverts_lie:
            anywhere = range(len(self._boots))
            places = [self._rng.choice(anywhere) for _ in range(self._rng.choice((1, 2, 3)))]
        for place in places:
            # Whoever else is met there cannot prove to be the one that was dialled.
            if place == other:
                self._dial(one, other)
            else:
                self.stale += 1

    def dial_both(self, one: int, other: int) -> None:
        """Let both dial at the same moment, link or no link."""
        self._dial(one, other)
        self._dial(other, one)

    def _dial(self, one: int, other: int) -> None:
        if {(one, other), (other, one)} <= self.allowed:
            name = b"%06d" % next(self._names)
            pair = (one, other)
            self._lines[name] = Line(
                pair=pair, pipes={end: Pipe() for end in pair}, waiting={end: [] for end in pair}
            )
            for end in pair:
                at_s = self._now() + self._rng.uniform(0.5, 4) * self.delay_s
                self._later(at_s, lambda end=end: self._shaken(name, end))  # type: ignore[misc]

    def _shaken(self, name: bytes, seat: int) -> None:
        line = self._lines.get(name)
        if line is not None:
            other = _far(line, seat)
            line.open.add(seat)
            found = self._choices[seat, other].opened(name, self._boots[other])
            self._apply(seat, other, found)
            self._read(name, seat)
            self._later(self._now() + UNDECIDED_S, lambda: self._give_up(name, seat))

    def _give_up(self, name: bytes, seat: int) -> None:
        line = self._lines.get(name)
        if line is not None and seat in line.open:
            other = _far(line, seat)
            if self._choices[seat, other].link != name:
                self._write(name, seat, CLOSED)
                self._lost(name, seat)

    def reset(self, one: int, other: int, noticed_s: float = 0.0) -> None:
        """Break all connections of a pair: what is under way is lost; ends notice some time later.

        Whatever the ends make of the other connections meanwhile goes nowhere.
        """
        for name, line in tuple(self._lines.items()):
            if set(line.pair) == {one, other}:
                for pipe in line.pipes.values():
                    pipe.broken = True
                for end in line.pair:
                    at_s = self._now() + self._rng.uniform(0, noticed_s)
                    self._later(at_s, lambda n=name, end=end: self._lost(n, end))  # type: ignore[misc]

    def block(self, one: int, other: int, until_s: float) -> None:
        """Let nothing from ``one`` arrive at ``other`` before then."""
        for line in self._lines.values():
            if set(line.pair) == {one, other}:
                line.pipes[other].blocked_s = until_s

    def send(self, one: int, other: int, data: bytes) -> None:
        """Send a frame over the link; without one it is lost."""
        link = self._choices[one, other].link
        if link is not None:
            self._write(link, one, DATA + data)

    # --- one connection -----------------------------------------------------------------------

    def _lost(self, name: bytes, seat: int) -> None:
        line = self._lines.get(name)
        if line is None:
            return
        if seat in line.open:
            line.open.discard(seat)
            other = _far(line, seat)
            self._apply(seat, other, self._choices[seat, other].lost(name))
        if not line.open:
            self._lines.pop(name, None)

    def _write(self, name: bytes, sender: int, frame: bytes) -> None:
        receiver = _far(self._lines[name], sender)
        pipe = self._lines[name].pipes[receiver]
        for at_s, piece in pipe.cut(frame, self._rng, self._now(), self.delay_s):
            self._later(at_s, lambda p=piece: self._arrive(name, receiver, p))  # type: ignore[misc]

    def _arrive(self, name: bytes, seat: int, piece: bytes) -> None:
        line = self._lines.get(name)
        if line is not None and not line.pipes[seat].broken:
            line.waiting[seat] += line.pipes[seat].frames(piece)
            self._read(name, seat)

    def _read(self, name: bytes, seat: int) -> None:
        line = self._lines[name]
        while seat in line.open and line.waiting[seat]:
            frame = line.waiting[seat].pop(0)
            self._take(name, seat, _far(line, seat), frame[:1], frame[1:])

    def _take(self, name: bytes, seat: int, other: int, kind: bytes, body: bytes) -> None:
        choice = self._choices[seat, other]
        match kind:
            case b"d":
                if choice.link != name:
                    raise AssertionError(f"seat {seat} was sent data before go")
                self._ends.heard(seat, other, body)
            case b"c":
                seen, holding = _number(body[:NUMBER_BYTES]), _number(body[NUMBER_BYTES:])
                self._apply(seat, other, choice.claimed(name, seen, holding))
            case b"g":
                self._apply(seat, other, choice.go(name, _number(body)))
            case _:
                self._lost(name, seat)

    def _apply(self, seat: int, other: int, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Claim(link=name, seen=seen, holding=holding):
                    self._write(name, seat, CLAIM + _bytes(seen) + _bytes(holding))
                case Go(link=name, number=number):
                    self._write(name, seat, GO + _bytes(number))
                case Up():
                    self._ends.up(seat, other)
                case Down():
                    self._ends.down(seat, other)
                case Drop(link=name):
                    self._write(name, seat, CLOSED)
                    self._lines[name].open.discard(seat)


def _far(line: Line, seat: int) -> int:
    return line.pair[0] if seat == line.pair[1] else line.pair[1]


def _bytes(number: int) -> bytes:
    return number.to_bytes(NUMBER_BYTES, "big")


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")
