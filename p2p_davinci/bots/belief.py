"""What a bot believes of the others' tiles: chances from the layouts that are still possible.

Every layout that the seat's view allows counts (:mod:`..rules.candidates`); how the others play is
not read into it. A ruled miss teaches nothing, here as there.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.candidates import weigh
from ..rules.legal import is_in
from ..rules.state import View
from ..rules.tiles import Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """That the tile at ``seat``.``slot`` is ``tile`` has this chance (above 0, at most 1)."""

    seat: int
    slot: int
    tile: Tile
    chance: float


def chances(view: View) -> tuple[Chance, ...]:
    """Return every call that may hit, at each standing tile of the other players still in."""
    state = view.state
    found = []
    for seat, row in enumerate(weigh(view)):
        if seat == view.seat or not is_in(state, seat):
            continue
        for slot, weights in enumerate(row, start=1):
            if not state.rows[seat][slot - 1].standing:
                continue
            total = sum(weights.values())
            found += [
                Chance(seat=seat, slot=slot, tile=tile, chance=weight / total)
                for tile, weight in weights.items()
            ]
    return tuple(found)


def exposure(view: View) -> dict[int, float]:
    """Return, by slot of one's own standing tiles, how surely a watcher can name the tile."""
    state = view.state
    if view.seat is None:
        return {}
    watched = weigh(View(state=state, seat=None))[view.seat]
    found = {}
    for slot, (piece, tile) in enumerate(zip(state.rows[view.seat], view.own, strict=True), 1):
        if piece.standing:
            weights = watched[slot - 1]
            found[slot] = weights[tile] / sum(weights.values())
    return found
