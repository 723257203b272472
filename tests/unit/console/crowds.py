"""Tables as full as games can make them, and names as hostile as peers can choose them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from p2p_davinci.rules.options import Options, options_from
from p2p_davinci.rules.state import Phase, Piece, State, View
from p2p_davinci.rules.tiles import Tile
from p2p_davinci.session.events import GameView
from tests.unit.console.scenes import game_view

ROOMY = options_from("classic", {"twelve": "yes"})
"""28 tiles, jokers among them."""
CROWDS = ((14, 14), (10, 9, 9), (7, 7, 7, 7), (11, 6, 6, 5), (13, 13))
"""Lengths of rows that can really occur, by seat."""
HOSTILE = (
    "\u202eevil\x1b[31m",
    "x" * 200,
    "\u5f20\u4e09\u674e\u56db\u738b\u4e94\u8d75\u516d\u94b1\u4e03\u5b59\u516b",
    "a\u0301\u0302\u0303\u0304\u0305" * 4,
)
"""Names: direction and colour changes, endless, wide, and with marks piled up."""
PLAIN = ("ana", "bo", "cy", "dee")


def crowded(
    lengths: Sequence[int],
    options: Options = ROOMY,
    *,
    names: Sequence[str] = PLAIN,
    drawn: bool = False,
) -> GameView:
    """Return seat 0's view in its turn: rows of these lengths, every third tile open."""
    tiles = sorted(options.tiles, key=lambda tile: (tile.number is None, tile.code))
    state, own = _state(lengths, options, tiles)
    mine = tiles[-1] if drawn else None
    if drawn:
        state = replace(state, drawn=Piece(back=options.back_of(tiles[-1])), phase=Phase.GUESS)
    view = game_view(state, own=own, drawn=mine, names=tuple(names[: len(lengths)]))
    return replace(view, board=View(state=state, seat=0, own=own, drawn=mine))


def _state(
    lengths: Sequence[int], options: Options, tiles: Sequence[Tile]
) -> tuple[State, tuple[Tile, ...]]:
    hands: list[list[Tile]] = [[] for _ in lengths]
    for tile in tiles[: sum(lengths)]:
        # Whoever lacks most gets the next one, so that every row is spread over all numbers.
        gaps = [length - len(hand) for length, hand in zip(lengths, hands, strict=True)]
        hands[gaps.index(max(gaps))].append(tile)
    rows = [
        tuple(
            Piece(back=options.back_of(tile), face=tile if slot % 3 == 2 else None)
            for slot, tile in enumerate(hand)
        )
        for hand in hands
    ]
    decks = len(options.decks)
    state = State(
        options=options,
        rows=tuple(rows),
        pile=(3, 2)[:decks] if decks > 1 else (5,),
        turn=0,
        phase=Phase.DRAW,
        points=(0,) * len(lengths),
    )
    return state, tuple(hands[0])
