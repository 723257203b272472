"""What a standing tile may still be, from what one seat knows.

A *layout* gives every standing tile a face such that rows ascend, no tile stands twice, colours
agree with the backs, and no tile is one that a proved answer has excluded. A ruled miss excludes
nothing, because it is decided without the tile. All layouts are counted together by going through
the numbers in row order and asking, for each, at which row's next place it stands, if at any: what
is left to do depends only on how far each row is filled and which jokers are used. So the result
is exact, and takes time in proportion to the product of the rows' lengths.

This module concludes from the rules alone; it does not guess how people play.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .state import Piece, View
from .tiles import Colour, Tile

Weights: TypeAlias = Mapping[Tile, float]
"""Weight by tile, all positive: how many layouts show the tile there, relative to the others."""

_Mark: TypeAlias = tuple[int, int, Tile]
"""In this row (index), at this place (from 0), stands this tile."""
_JOKER_MASKS = len(Colour) ** 2


def candidates(view: View) -> tuple[tuple[frozenset[Tile], ...], ...]:
    """Return by seat and place the tiles that can stand there.

    An open tile, and one's own, is its only candidate. Every set is empty if no layout is
    possible at all, which true answers never bring about.
    """
    return tuple(tuple(frozenset(place) for place in row) for row in weigh(view))


def weigh(view: View) -> tuple[tuple[Weights, ...], ...]:
    """Return by seat and place the candidates with their weights.

    Layouts count alike, but for the jokers: one in a row of n tiles counts 1/n, since its owner
    was free to put it anywhere.
    """
    state = view.state
    own = () if view.seat is None else view.own
    seen = {piece.face for row in state.rows for piece in row} | {*own, view.drawn}
    unknown = state.options.tiles - seen
    hidden = [
        seat
        for seat, row in enumerate(state.rows)
        if seat != view.seat and any(piece.face is None for piece in row)
    ]
    rows = [tuple(_place(piece, unknown) for piece in state.rows[seat]) for seat in hidden]
    marks = _Count(rows, unknown).marks()
    found: dict[tuple[int, int], dict[Tile, float]] = defaultdict(dict)
    for (row, place, tile), weight in marks.items():
        found[hidden[row], place][tile] = weight
    return tuple(
        tuple(
            {tile: 1.0} if tile is not None else found[seat, place]
            for place, tile in enumerate(own if seat == view.seat else _faces(row))
        )
        for seat, row in enumerate(state.rows)
    )


def _faces(row: Sequence[Piece]) -> list[Tile | None]:
    return [piece.face for piece in row]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A place in a row: its open tile, or the unknown tiles that its back and answers allow."""

    face: Tile | None
    allowed: frozenset[Tile]


def _place(piece: Piece, unknown: frozenset[Tile]) -> _Place:
    if piece.face is not None:
        return _Place(face=piece.face, allowed=frozenset())
    allowed = frozenset(t for t in unknown - piece.misses if piece.back in (None, t.colour))
    return _Place(face=None, allowed=allowed)


_Edge: TypeAlias = tuple[int, int, float, tuple[_Mark, ...]]
"""From this progress to that one, with this weight, by putting these tiles down."""
_Step: TypeAlias = tuple[int, float, tuple[_Mark, ...]]


class _Count:
    """The count over all layouts of some rows.

    A *progress* is one number: the jokers used (a bit each), then each row's number of filled
    places, as digits of a mixed radix. Jokers, hidden and open, are put down as soon as the place
    to their left is filled, so that every layout is reached in exactly one way.
    """

    def __init__(self, rows: Sequence[Sequence[_Place]], unknown: frozenset[Tile]) -> None:
        self._rows = rows
        # In an order that is the same in every process, as ``None`` has a hash of each one's own.
        jokers = (tile for tile in unknown if tile.number is None)
        self._jokers = sorted(jokers, key=lambda tile: tile.code)
        self._pins = {
            place.face: (index, filled)
            for index, row in enumerate(rows)
            for filled, place in enumerate(row)
            if place.face is not None and place.face.number is not None
        }
        numbers = {tile for tile in unknown if tile.number is not None}
        self._numbers = sorted(numbers | self._pins.keys(), key=lambda tile: tile.code)
        self._radix = [_JOKER_MASKS]
        for row in rows:
            self._radix.append(self._radix[-1] * (len(row) + 1))
        self._known_steps: dict[tuple[int, int, int], list[_Step]] = {}

    def marks(self) -> dict[_Mark, float]:
        """Return for every row, place and tile the weight of the layouts that have it there."""
        layers: list[list[_Edge]] = []
        reached = self._start(layers)
        for tile in self._numbers:
            reached = self._advance(layers, reached, tile)
        return _fold(layers, self._goals(reached))

    def _start(self, layers: list[list[_Edge]]) -> set[int]:
        reached = {0}
        for row in range(len(self._rows)):
            edges = [
                (progress, progress + more, weight, marks)
                for progress in reached
                for more, weight, marks in self._steps(row, 0, progress % _JOKER_MASKS)
            ]
            layers.append(edges)
            reached = {edge[1] for edge in edges}
        return reached

    def _advance(self, layers: list[list[_Edge]], reached: set[int], tile: Tile) -> set[int]:
        pin = self._pins.get(tile)
        edges: list[_Edge] = [] if pin else [(p, p, 1.0, ()) for p in reached]
        rows = range(len(self._rows)) if pin is None else pin[:1]
        for index in rows:
            row, radix = self._rows[index], self._radix[index]
            for progress in reached:
                filled = progress // radix % (len(row) + 1)
                if pin is None:
                    if filled == len(row) or tile not in row[filled].allowed:
                        continue
                    mark: tuple[_Mark, ...] = ((index, filled, tile),)
                elif filled == pin[1]:
                    mark = ()
                else:
                    continue
                after = progress + radix
                for more, weight, marks in self._steps(index, filled + 1, after % _JOKER_MASKS):
                    edges.append((progress, after + more, weight, mark + marks))
        layers.append(edges)
        return {edge[1] for edge in edges}

    def _steps(self, row: int, filled: int, used: int) -> list[_Step]:
        """Return the ways to put down jokers from place ``filled`` on, and what each adds."""
        key = (row, filled, used)
        if key not in self._known_steps:
            self._known_steps[key] = self._find_steps(row, filled, used)
        return self._known_steps[key]

    def _find_steps(self, row: int, filled: int, used: int) -> list[_Step]:
        places = self._rows[row]
        if filled == len(places):
            return [(0, 1.0, ())]
        place, radix = places[filled], self._radix[row]
        if place.face is not None and place.face.number is None:
            further = self._steps(row, filled + 1, used)
            return [(radix + more, weight, marks) for more, weight, marks in further]
        steps: list[_Step] = [(0, 1.0, ())]
        for joker in self._jokers:
            bit = 1 << joker.colour
            if used & bit or joker not in place.allowed:
                continue
            for more, weight, marks in self._steps(row, filled + 1, used | bit):
                mark = (row, filled, joker)
                steps.append((radix + bit + more, weight / len(places), (mark, *marks)))
        return steps

    def _goals(self, reached: set[int]) -> dict[int, float]:
        full = self._radix[-1] - _JOKER_MASKS
        return {progress: 1.0 for progress in reached if progress - progress % _JOKER_MASKS == full}


def _fold(layers: Sequence[Sequence[_Edge]], goals: Mapping[int, float]) -> dict[_Mark, float]:
    """Return the weight of all ways through the layers to a goal, by mark on the way."""
    ways: list[dict[int, float]] = [{0: 1.0}]
    for edges in layers:
        here: dict[int, float] = defaultdict(float)
        for source, target, weight, _ in edges:
            here[target] += ways[-1][source] * weight
        ways.append(here)
    total: dict[_Mark, float] = defaultdict(float)
    onward: Mapping[int, float] = goals
    for edges, before in zip(reversed(layers), reversed(ways[:-1]), strict=True):
        back: dict[int, float] = defaultdict(float)
        for source, target, weight, marks in edges:
            rest = weight * onward.get(target, 0.0)
            if rest:
                back[source] += rest
                for mark in marks:
                    total[mark] += before[source] * rest
        onward = back
    return dict(total)
