"""How much one seat may ask of this one, and say beside the game (PEER, limits at a table).

A question of a few bytes makes a program send much, and a remark makes it write to its disk. Both
are free while honest programs ask, and run out for one that does nothing else. Nobody is blamed:
what is above the budget is just not done. It knows neither messages nor games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """At most ``most`` at once, and ``per_s`` more with every second."""

    most: float
    per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What was left of a budget at a time; below zero after something large."""

    left: float
    at_s: float


AGAIN: Final = Budget(most=262_144, per_s=65_536)
"""Bytes sent again to a seat that asks: more than two rounds of a table's messages at once."""
REMARKS: Final = Budget(most=20, per_s=2)
"""Numbered asides heard of a seat."""
OWN_REMARKS: Final = Budget(most=10, per_s=1)
"""Those of one's own player: so few that the others hear every one."""


def spend(
    kept: Mapping[int, Allowance], seat: int, budget: Budget, cost: float, now_s: float
) -> Mapping[int, Allowance] | None:
    """Return what is left to every seat after ``seat`` spent ``cost``, ``None`` if it may not.

    It may as long as anything is left, so something larger than the budget is only waited for.
    """
    before = kept.get(seat)
    left = budget.most
    if before is not None:
        left = min(budget.most, before.left + (now_s - before.at_s) * budget.per_s)
    if left <= 0:
        return None
    return {**kept, seat: Allowance(left=left - cost, at_s=now_s)}
