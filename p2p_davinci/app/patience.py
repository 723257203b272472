"""How long a table has been waiting for the same people, told at growing intervals.

A clock on the screen would write to the terminal every second; this is quiet most of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from ..session.events import GameView, Stage

TOLD_S: Final = (30, 90, 180, 300, 600)
"""After so many seconds the player is told; then again whenever the last of them has passed."""


class Alarm(Protocol):
    """A call that is still to come."""

    def cancel(self) -> None:
        """Let it not happen."""


CallLater = Callable[[float, Callable[[], None]], Alarm]


class Patience:
    """Watches for one player; ``tell`` is given the seconds that have passed."""

    def __init__(self, call_later: CallLater, tell: Callable[[int], None]) -> None:
        self._call_later = call_later
        self._tell = tell
        self._awaited: object = None
        self._alarm: Alarm | None = None

    def watch(self, view: GameView) -> None:
        """Take note of what the game waits for now."""
        awaited = (view.round, view.step, view.awaited) if _waits(view) else None
        if awaited != self._awaited:
            self.stop()
            self._awaited = awaited
            if awaited is not None:
                self._arm(0, TOLD_S[0])

    def stop(self) -> None:
        """Wait for nobody any more."""
        self._awaited = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _arm(self, passed_s: int, at_s: int) -> None:
        self._alarm = self._call_later(at_s - passed_s, lambda: self._told(at_s))

    def _told(self, passed_s: int) -> None:
        following = [at_s for at_s in TOLD_S if at_s > passed_s]
        self._arm(passed_s, following[0] if following else passed_s + TOLD_S[-1])
        self._tell(passed_s)


def _waits(view: GameView) -> bool:
    others = [seat for seat in view.awaited if seat != view.seat]
    return bool(others) and view.stage not in (Stage.OVER, Stage.HALTED)
