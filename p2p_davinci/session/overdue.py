"""What only an opened key shows: whether an overdue turn left its tile where it must stand.

The tile of a turn that ran out after a hit stays hidden at its leftmost legal slot. With jokers in
the row no order proof tells the leftmost from the others, so it is checked once the owner's key is
known (SPEC, overdue turns).
"""

from __future__ import annotations

from collections.abc import Mapping

from protocol import PeerFault, Scalar, decrypt

from ..rules.moves import Overran, Placed, Stopped
from ..rules.tiles import Tile, legal_slots, tile_of_code
from .record import history
from .secrets import TileId
from .state import Round


def check_slots(round_: Round, seat: int) -> None:
    """Check the slots of the tiles that overdue turns of ``seat``, whose key is known, left hidden.

    Raises:
        PeerFault: ``overdue.slot``, with seat and step: one is not the leftmost that was legal.
        PeerFault: ``open.code``: a tile decrypts to none of its deck.
    """
    secret = round_.opened[seat]
    if secret is None or round_.state is None or round_.contract.options.clock is None:
        return
    faces = _faces(round_, seat, secret)
    row = [faces[(held.deck, held.index)] for held in round_.arranged[seat]]
    steps = iter(_overdue_steps(round_, seat))
    drawn: TileId | None = None
    for mover, fact, taken in history(round_):
        drawn = drawn if taken is None else taken
        if mover != seat:
            continue
        number = next(steps) if isinstance(fact, Overran) else None
        if isinstance(fact, Stopped | Placed | Overran) and fact.slot is not None and drawn:
            slots = legal_slots(row, faces[drawn])
            if isinstance(fact, Overran) and fact.slot != slots[0]:
                raise PeerFault("overdue.slot", seat=seat, step=number)
            row.insert(fact.slot - 1, faces[drawn])


def _faces(round_: Round, seat: int, secret: Scalar) -> Mapping[TileId, Tile]:
    return {
        (held.deck, held.index): tile_of_code(decrypt(held.cipher, secret, round_.codes[held.deck]))
        for held in round_.hands[seat]
    }


def _overdue_steps(round_: Round, seat: int) -> list[int]:
    return [
        number
        for number, said in enumerate(round_.transcript)
        for envelope in said
        if envelope.payload.kind == "overdue" and envelope.payload.seat == seat
    ]
