"""Before the first turn: how many tiles of which colour, and in which order they stand."""

from __future__ import annotations

from collections.abc import Sequence

from .illegal import IllegalMove
from .moves import Arrange, Take
from .options import Options, hand_size
from .tiles import Tile, in_order


def check_take(options: Options, seats: int, take: Take) -> None:
    """Refuse a split of one's first tiles over the decks that does not make a hand.

    Any split that does can be met: with four players all hands together are 12 tiles, and no
    colour has fewer.

    Raises:
        IllegalMove: ``wrong_count``.
    """
    size = hand_size(seats)
    counts = take.counts
    if len(counts) != len(options.decks) or min(counts) < 0 or sum(counts) != size:
        raise IllegalMove("wrong_count", (("tiles", str(size)),))


def check_arrange(tiles: Sequence[Tile], arrange: Arrange) -> None:
    """Refuse an order that leaves a dealt tile out or does not ascend.

    Raises:
        IllegalMove: ``wrong_arrangement``, ``wrong_order``.
    """
    if sorted(arrange.order) != list(range(len(tiles))):
        raise IllegalMove("wrong_arrangement", (("tiles", str(len(tiles))),))
    if not in_order([tiles[index] for index in arrange.order]):
        raise IllegalMove("wrong_order")
