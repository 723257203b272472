"""What waits for a game: its own player's wishes first, then what each seat sent, in turn.

Time that has passed is told after what had arrived by then, so that nobody is taken for silent
whose word is waiting here.

However much one seat sends, it delays and costs nobody else, and what waits of it is bounded. What
is let go above that is like a frame that a network lost: the next time the seats tell each other
where they stand it is asked for again.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

T = TypeVar("T")

WAITING_BYTES_MAX: Final = 1_048_576
"""How much may wait of one seat: several times what an honest one ever sends at once."""
ITEM_BYTES: Final = 256
"""What any item counts besides its bytes."""


@dataclass(slots=True)
class _Sent(Generic[T]):
    """What one seat sent, as (arrival, bytes, item), oldest first; ``latest`` after all that."""

    items: deque[tuple[int, int, T]] = field(default_factory=deque)
    latest: T | None = None
    waiting_bytes: int = 0

    def take(self) -> T | None:
        if self.items:
            _, cost, item = self.items.popleft()
            self.waiting_bytes -= cost
            return item
        latest, self.latest = self.latest, None
        return latest


class Inbox(Generic[T]):
    """Items for one reader, from itself and from each of ``seats`` seats; never ``None``."""

    def __init__(self, seats: int) -> None:
        self._own: deque[T] = deque()
        self._times: deque[tuple[int, T]] = deque()
        self._arrivals = 0
        self._sent = [_Sent[T]() for _ in range(seats)]
        self._next = 0

    def put(self, item: T) -> None:
        """Add an item of one's own; it comes before whatever others sent."""
        self._own.append(item)

    def put_time(self, item: T) -> None:
        """Add an item about the time; it comes after what others have sent by now."""
        self._times.append((self._arrivals, item))

    def put_about(self, seat: int, item: T) -> None:
        """Add an item about a seat, which comes after what that seat has sent so far."""
        self._append(seat, 0, item)

    def put_from(self, seat: int, item: T, size: int) -> bool:
        """Add an item of ``size`` bytes from a seat; return whether there was room for it."""
        sent, cost = self._sent[seat], size + ITEM_BYTES
        if sent.waiting_bytes + cost > WAITING_BYTES_MAX:
            return False
        self._append(seat, cost, item)
        return True

    def put_latest(self, seat: int, item: T) -> None:
        """Add an item of which only the latest counts; it comes after all others of its seat."""
        self._sent[seat].latest = item

    def take(self) -> T | None:
        """Return the next item, ``None`` if nothing waits."""
        if self._own:
            return self._own.popleft()
        if self._times and self._times[0][0] < self._oldest():
            return self._times.popleft()[1]
        for turn in range(len(self._sent)):
            seat = (self._next + turn) % len(self._sent)
            item = self._sent[seat].take()
            if item is not None:
                self._next = seat + 1
                return item
        return None

    def _append(self, seat: int, cost: int, item: T) -> None:
        self._arrivals += 1
        self._sent[seat].items.append((self._arrivals, cost, item))
        self._sent[seat].waiting_bytes += cost

    def _oldest(self) -> float:
        """Return the arrival of the oldest item of any seat, infinity if none waits."""
        return min((sent.items[0][0] for sent in self._sent if sent.items), default=math.inf)
