from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from p2p_davinci.app.patience import TOLD_S, Patience
from p2p_davinci.session.events import Stage
from tests.unit.console.scenes import game_view, moments, rules, state_after

CLASSIC = moments(rules())
THEIRS = game_view(state_after(rules(), first=1), due=False)


class Clock:
    """Alarms that ring when a test lets the time pass."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.alarms: list[tuple[float, Callable[[], None], Alarm]] = []

    def call_later(self, delay_s: float, call: Callable[[], None]) -> Alarm:
        alarm = Alarm()
        self.alarms.append((self.now_s + delay_s, call, alarm))
        return alarm

    def pass_until(self, at_s: float) -> None:
        while due := [entry for entry in self.alarms if entry[0] <= at_s]:
            first = min(due, key=lambda entry: entry[0])
            self.alarms.remove(first)
            self.now_s = first[0]
            if not first[2].cancelled:
                first[1]()
        self.now_s = at_s


class Alarm:
    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


def watched() -> tuple[Clock, Patience, list[int]]:
    clock, told = Clock(), list[int]()
    return clock, Patience(clock.call_later, told.append), told


def test_a_long_wait_is_told_at_growing_intervals_and_then_again_and_again() -> None:
    clock, patience, told = watched()
    patience.watch(THEIRS)
    clock.pass_until(TOLD_S[0] - 1)
    assert told == []
    clock.pass_until(3 * TOLD_S[-1])
    assert told == [*TOLD_S, 2 * TOLD_S[-1], 3 * TOLD_S[-1]]


def test_the_same_wait_seen_again_is_one_wait() -> None:
    clock, patience, told = watched()
    patience.watch(THEIRS)
    clock.pass_until(TOLD_S[0] - 1)
    patience.watch(replace(THEIRS, down=(1,)))
    clock.pass_until(TOLD_S[0])
    assert told == [TOLD_S[0]]


def test_another_step_is_another_wait() -> None:
    clock, patience, told = watched()
    patience.watch(THEIRS)
    clock.pass_until(TOLD_S[0] - 1)
    patience.watch(replace(THEIRS, step=THEIRS.step + 1))
    clock.pass_until(TOLD_S[0])
    assert told == []
    clock.pass_until(2 * TOLD_S[0])
    assert told == [TOLD_S[0]]


def test_ones_own_turn_and_the_end_are_no_waiting() -> None:
    for view in (CLASSIC.draw, replace(THEIRS, stage=Stage.OVER), replace(THEIRS, awaited=())):
        clock, patience, told = watched()
        patience.watch(THEIRS)
        patience.watch(view)
        clock.pass_until(TOLD_S[-1])
        assert told == []


def test_when_it_is_stopped_nothing_is_told_any_more() -> None:
    clock, patience, told = watched()
    patience.watch(THEIRS)
    patience.stop()
    clock.pass_until(TOLD_S[-1])
    assert told == []
