"""Links as streams that break: split anywhere, late, one-way, reset with the tail lost, cut."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

Later = Callable[[float, Callable[[], None]], None]
"""Do something at a time (virtual seconds)."""

FRAME_BYTES = 4


@dataclass(slots=True)
class Pipe:
    """One direction of a link: bytes arrive in order, in pieces, some time after they were sent."""

    arrives_s: float = 0.0
    blocked_s: float = 0.0
    broken: bool = False
    heard: bytearray = field(default_factory=bytearray)

    def cut(
        self, data: bytes, rng: random.Random, now_s: float, delay_s: float
    ) -> list[tuple[float, bytes]]:
        """Return a frame in pieces, each with the time when it arrives."""
        frame = len(data).to_bytes(FRAME_BYTES, "big") + data
        cuts = sorted(rng.randrange(len(frame) + 1) for _ in range(rng.choice((0, 0, 1))))
        pieces = []
        for start, end in zip((0, *cuts), (*cuts, len(frame)), strict=True):
            late_s = rng.uniform(0.2, 1.8) * delay_s
            self.arrives_s = max(self.arrives_s, self.blocked_s, now_s + late_s)
            pieces.append((self.arrives_s, frame[start:end]))
        return pieces

    def frames(self, piece: bytes) -> list[bytes]:
        """Take in a piece; return the frames that are whole now."""
        self.heard += piece
        whole = []
        while len(self.heard) >= FRAME_BYTES:
            size = FRAME_BYTES + int.from_bytes(self.heard[:FRAME_BYTES], "big")
            if len(self.heard) < size:
                break
            whole.append(bytes(self.heard[FRAME_BYTES:size]))
            del self.heard[:size]
        return whole


class Ends(Protocol):
    """What the ends of the links are told."""

    def up(self, seat: int, other: int) -> None:
        """The link of ``seat`` to ``other`` stands."""

    def down(self, seat: int, other: int) -> None:
        """``seat`` has noticed that its link to ``other`` broke."""

    def heard(self, seat: int, other: int, frame: bytes) -> None:
        """``seat`` has received a whole frame from ``other``."""


class Links:
    """All links of a table; which of them may stand is decided by whoever makes the faults."""

    def __init__(
        self, seats: int, rng: random.Random, now: Callable[[], float], later: Later, ends: Ends
    ) -> None:
        self._rng = rng
        self._now = now
        self._later = later
        self._ends = ends
        self.delay_s = 0.05
        self._all = {(a, b) for a in range(seats) for b in range(seats) if a != b}
        self.allowed = set(self._all)

    def heal(self) -> None:
        """Let everybody reach everybody again."""
        self.allowed = set(self._all)


class Wires(Links):
    """One connection between two peers at a time."""

    def __init__(self, *places: Any) -> None:
        super().__init__(*places)
        self._pipes: dict[tuple[int, int], Pipe] = {}

    def started(self, _seat: int) -> None:
        """Take note that a program has started; these links do not care which one."""

    def stands(self, one: int, other: int) -> bool:
        """Tell whether bytes that ``one`` sends to ``other`` go anywhere."""
        return (one, other) in self._pipes

    def connect(self, one: int, other: int) -> None:
        """Both ends dial; one link comes of it, unless the network forbids it."""
        pair = {(one, other), (other, one)}
        if pair <= self.allowed and not pair & self._pipes.keys():
            for way in sorted(pair):
                self._pipes[way] = Pipe()
            for end, far in sorted(pair):
                self._ends.up(end, far)

    def reset(self, one: int, other: int, noticed_s: float = 0.0) -> None:
        """Break a link: what is under way is lost; each end notices some time later."""
        for end, far in ((one, other), (other, one)):
            if self._pipes.pop((end, far), None) is not None:
                at_s = self._now() + self._rng.uniform(0, noticed_s)
                self._later(at_s, lambda end=end, far=far: self._ends.down(end, far))  # type: ignore[misc]

    def block(self, one: int, other: int, until_s: float) -> None:
        """Let nothing from ``one`` arrive at ``other`` before then."""
        pipe = self._pipes.get((one, other))
        if pipe is not None:
            pipe.blocked_s = until_s

    def send(self, one: int, other: int, data: bytes) -> None:
        """Send a frame; without a link it is lost."""
        pipe = self._pipes.get((one, other))
        if pipe is None:
            return
        for at_s, piece in pipe.cut(data, self._rng, self._now(), self.delay_s):
            self._later(at_s, lambda piece=piece: self._arrive(one, other, pipe, piece))  # type: ignore[misc]

    def _arrive(self, one: int, other: int, pipe: Pipe, piece: bytes) -> None:
        # A piece of a connection that is gone by now is lost with it.
        if self._pipes.get((one, other)) is not pipe:
            return
        for frame in pipe.frames(piece):
            self._ends.heard(other, one, frame)
