"""What a bot does: every choice that a seat can have, under all options.

It makes the call that hits most often, goes on while that is worth the risk, and shows what the
others could name anyway. Randomness is passed in, so that the same seed plays the same game.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from ..rules.moves import Arrange, Call, Draw, Guess, Move, Place, Reveal, Stop, Take
from ..rules.options import Options, hand_size
from ..rules.state import Phase, View
from ..rules.tiles import Tile, legal_slots
from .belief import Chance, chances, exposure

GO_ON_CHANCE: Final = 0.42
"""From this chance of a hit on, a further guess is worth risking a tile for.

Found by letting bots with other values play this one: higher ones lose to it, lower ones gain
nothing.
"""


def choose(view: View, rng: random.Random) -> Move:
    """Return the move that the bot in ``view``'s seat makes now; it must be that seat's turn.

    Raises:
        ValueError: no move of this seat's player is due.
    """
    state = view.state
    if view.seat != state.turn:
        raise ValueError("not this seat's turn")
    match state.phase:
        case Phase.DRAW:
            return Draw(deck=rng.choice([deck for deck, left in enumerate(state.pile) if left]))
        case Phase.GUESS:
            return _call(_best(view, rng))
        case Phase.MORE:
            best = _best(view, rng)
            return _call(best) if best.chance >= _enough(view) else Stop(slot=_slot(view, rng))
        case Phase.PLACE:
            return Place(slot=_slot(view, rng))
        case Phase.REVEAL:
            return Reveal(slot=_least_loss(view, rng))
        case _:
            raise ValueError(f"nothing to choose in {state.phase}")


def choose_take(options: Options, seats: int, rng: random.Random) -> Take:
    """Return how many tiles of each deck to take at the start."""
    size = hand_size(seats)
    if len(options.decks) == 1:
        return Take(counts=(size,))
    black = rng.randint(0, size)
    return Take(counts=(black, size - black))


def choose_arrangement(tiles: Sequence[Tile], rng: random.Random) -> Arrange:
    """Return a legal order of one's first tiles, jokers anywhere."""
    order: list[int] = []
    indices = sorted(range(len(tiles)), key=lambda index: tiles[index].code)
    for index in indices:
        slot = rng.choice(legal_slots([tiles[other] for other in order], tiles[index]))
        order.insert(slot - 1, index)
    return Arrange(order=tuple(order))


def _best(view: View, rng: random.Random) -> Chance:
    found = chances(view)
    most = max(chance.chance for chance in found)
    return rng.choice([chance for chance in found if chance.chance == most])


def _call(chance: Chance) -> Guess:
    call = Call(colour=chance.tile.colour, number=chance.tile.number)
    return Guess(seat=chance.seat, slot=chance.slot, call=call)


def _enough(view: View) -> float:
    """Return the chance of a hit that makes a further guess worth it; nothing if it is free."""
    costs = view.drawn is not None or view.state.options.empty_miss == "reveal"
    return GO_ON_CHANCE if costs else 0.0


def _slot(view: View, rng: random.Random) -> int | None:
    if view.drawn is None:
        return None
    return rng.choice(legal_slots(view.own, view.drawn))


def _least_loss(view: View, rng: random.Random) -> int:
    known = exposure(view)
    most = max(known.values())
    return rng.choice([slot for slot, chance in known.items() if chance == most])
