"""From a row on the table to the chain of an order proof (SPEC, order proofs).

When a proof is due, and over which neighbours, depends on public state alone: on where hidden and
open tiles stand, never on what a hidden tile is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from protocol import (
    Entropy,
    HiddenEntry,
    OpenEntry,
    OrderFields,
    OrderWitness,
    Point,
    ValueOpening,
    commit_order,
    order_sizes,
    prove_order,
    verify_order,
)

from ..rules.tiles import Tile
from .secrets import Seat, TileId
from .state import Held, Round

NO_FIELDS = OrderFields(keys=(), digits=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One tile of a row: hidden with its value commitment, or open (``face``)."""

    tile: TileId
    value: Point | None
    face: Tile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The statement of an order proof: entries from the left, and the gaps to prove."""

    entries: tuple[HiddenEntry | OpenEntry, ...]
    tiles: tuple[TileId, ...] = field(repr=False)
    gaps: tuple[int, ...]

    @property
    def sizes(self) -> tuple[int, int]:
        """How many sort keys and digit commitments the proof announces."""
        return order_sizes(self.entries, self.gaps)

    @property
    def due(self) -> bool:
        """Whether there is anything hidden to prove."""
        return self.sizes != (0, 0)

    def commit(
        self, openings: Mapping[TileId, ValueOpening], entropy: Entropy
    ) -> tuple[OrderFields, OrderWitness | None]:
        """Return the announced fields and the witness (``None`` where no proof is due)."""
        if not self.due:
            return NO_FIELDS, None
        known = {
            k: openings[tile]
            for k, tile in enumerate(self.tiles)
            if isinstance(self.entries[k], HiddenEntry)
        }
        return commit_order(self.entries, known, self.gaps, entropy)


NO_ORDER = Order(entries=(), tiles=(), gaps=())
"""The statement about a tile that stands in no order: an open joker."""


def links(row: Sequence[Held], faces: Sequence[Tile | None]) -> tuple[Link, ...]:
    """Return the links of a row; ``faces`` are its open tiles (``None`` where one stands)."""
    return tuple(
        Link(tile=(held.deck, held.index), value=held.value, face=face)
        for held, face in zip(row, faces, strict=True)
    )


def row_links(round_: Round, seat: int) -> tuple[Link, ...]:
    """Return the links of ``seat``'s row as it stands."""
    return links(round_.hands[seat], [piece.face for piece in round_.board.rows[seat]])


def order_of(round_: Round, row: Sequence[Link], new_slot: int | None) -> Order:
    """Return the statement for ``row``.

    ``new_slot`` (1 = leftmost) is the slot of the tile that has just come in, or ``None`` when the
    whole row is new. With jokers in the game every gap is proved anew, since sort keys are fresh.
    """
    chain = [link for link in row if not _open_joker(link)]
    entries = tuple(
        HiddenEntry(value=link.value, jokers=round_.joker_codes(link.tile[0]))
        if link.face is None and link.value is not None
        else OpenEntry(code=link.face.code if link.face is not None else 0)
        for link in chain
    )
    gaps = range(len(entries) - 1)
    if new_slot is not None and not round_.contract.options.jokers:
        gaps = range(max(0, new_slot - 2), min(len(entries) - 1, new_slot))
    return Order(entries=entries, tiles=tuple(link.tile for link in chain), gaps=tuple(gaps))


def _open_joker(link: Link) -> bool:
    return link.face is not None and link.face.number is None


def prove(
    order: Order, fields: OrderFields, witness: OrderWitness | None, tag: bytes, me: Seat
) -> bytes:
    """Return the proof string, empty where none is due."""
    if witness is None:
        return b""
    return prove_order(order.entries, fields, witness, tag, me.entropy)


def verify(order: Order, fields: OrderFields, proof: bytes, tag: bytes) -> None:
    """Check an order proof; it is empty where nothing hidden is near.

    Raises:
        PeerFault: ``order.open`` (two open neighbours do not ascend), ``sigma.*``.

    """
    verify_order(order.entries, order.gaps, fields, proof, tag)
