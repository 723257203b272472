"""The hidden faces, for whoever may know them all: the referee, tests and exploration.

A :class:`Truth` stands beside the public :class:`~.state.State` and grows with it. With it a move
becomes the fact it brings about, answers come by themselves, and the true faces decide which
slots are legal. No peer of a real game holds one before the round's keys are open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from .engine import apply, award_due
from .illegal import refuse_tile
from .legal import check_move, choose_slot, named_tile
from .moves import (
    Answered,
    Awarded,
    Draw,
    Drawn,
    Drop,
    Dropped,
    Fact,
    Guess,
    Guessed,
    Move,
    Overdue,
    Overran,
    Place,
    Placed,
    Resign,
    Resigned,
    Reveal,
    Revealed,
    Stop,
    Stopped,
)
from .options import Options
from .state import Phase, State, View
from .tiles import Tile, legal_slots


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Every row's true tiles from the left, by seat, and the tile drawn and not yet placed."""

    hands: tuple[tuple[Tile, ...], ...]
    drawn: Tile | None = None

    def left(self, options: Options) -> tuple[Tile, ...]:
        """Return the tiles in the pile, in code order."""
        gone = {tile for hand in self.hands for tile in hand} | {self.drawn}
        return tuple(tile for deck in options.decks for tile in deck if tile not in gone)


def view_of(state: State, truth: Truth, seat: int | None) -> View:
    """Return what ``seat`` knows; a watcher (``None``) knows what everybody knows."""
    if seat is None:
        return View(state=state, seat=None)
    drawn = truth.drawn if seat == state.turn else None
    return View(state=state, seat=seat, own=truth.hands[seat], drawn=drawn)


def resolve(
    state: State, truth: Truth, move: Move, *, seat: int, tile: Tile | None = None
) -> tuple[Fact, Truth]:
    """Return the fact that ``seat``'s move brings about, and the truth after it.

    ``tile`` is the tile that comes up where the move takes one from the pile, and is not looked
    at elsewhere.

    Raises:
        IllegalMove: as for :func:`.legal.check_move` and :func:`.legal.choose_slot`;
            ``no_such_tile`` or ``tile_elsewhere`` for a ``tile`` that the deck does not hold.
        ValueError: the move takes a tile, and none was given.
    """
    check_move(state, seat, move)
    match move:
        case Draw():
            drawn = _from_pile(state, truth, move.deck, tile)
            return Drawn(deck=move.deck), replace(truth, drawn=drawn)
        case Guess():
            return Guessed(seat=move.seat, slot=move.slot, call=move.call), truth
        case Stop():
            if truth.drawn is None:
                return Stopped(slot=None), truth
            slot = choose_slot(truth.hands[seat], truth.drawn, move.slot)
            return Stopped(slot=slot), _stand(truth, seat, truth.drawn, slot)
        case Place():
            drawn = cast("Tile", truth.drawn)
            slot = choose_slot(truth.hands[seat], drawn, move.slot)
            return Placed(slot=slot, tile=drawn), _stand(truth, seat, drawn, slot)
        case Reveal():
            return Revealed(slot=move.slot, tile=truth.hands[seat][move.slot - 1]), truth
        case Resign():
            return _resign(state, truth, seat)
        case Drop():
            kept = None if seat == state.turn else truth.drawn
            return Dropped(seat=seat), replace(truth, drawn=kept)
        case _:
            return _overrun(state, truth, cast("Overdue", move), tile)


def answer(state: State, truth: Truth) -> Answered:
    """Return the true answer to the pending guess."""
    guessed = cast("Guessed", state.pending)
    tile = truth.hands[guessed.seat][guessed.slot - 1]
    return Answered(tile=tile if tile == named_tile(state, guessed) else None)


def advance(
    state: State, truth: Truth, move: Move, *, seat: int, tile: Tile | None = None
) -> tuple[State, Truth]:
    """Return state and truth after a move and all that follows it without a choice.

    That is the answer to a guess, and the award after the end.

    Raises:
        IllegalMove: as for :func:`resolve`.
    """
    fact, after = resolve(state, truth, move, seat=seat, tile=tile)
    state = apply(state, fact)
    if state.phase is Phase.ANSWER:
        state = apply(state, answer(state, after))
    if award_due(state):
        state = apply(state, Awarded(row=after.hands[cast("int", state.winner)]))
    return state, after


def _from_pile(state: State, truth: Truth, deck: int, tile: Tile | None) -> Tile:
    if tile is None:
        raise ValueError("the move takes a tile from the pile: which?")
    if tile not in state.options.decks[deck]:
        raise refuse_tile("no_such_tile", tile)
    if tile not in truth.left(state.options):
        raise refuse_tile("tile_elsewhere", tile)
    return tile


def _resign(state: State, truth: Truth, seat: int) -> tuple[Resigned, Truth]:
    hand = truth.hands[seat]
    if seat != state.turn or truth.drawn is None:
        return Resigned(seat=seat, row=hand, drawn=None), truth
    after = _stand(truth, seat, truth.drawn, _leftmost(hand, truth.drawn))
    return Resigned(seat=seat, row=hand, drawn=truth.drawn), after


def _overrun(state: State, truth: Truth, move: Overdue, tile: Tile | None) -> tuple[Overran, Truth]:
    if move.deck is not None:
        drawn = _from_pile(state, truth, move.deck, tile)
        return Overran(deck=move.deck), replace(truth, drawn=drawn)
    if state.phase is not Phase.MORE or truth.drawn is None:
        return Overran(), truth
    hand = truth.hands[state.turn]
    slot = _leftmost(hand, truth.drawn)
    if move.slot is not None:
        slot = choose_slot(hand, truth.drawn, move.slot)
    return Overran(slot=slot), _stand(truth, state.turn, truth.drawn, slot)


def _leftmost(hand: Sequence[Tile], tile: Tile) -> int:
    return legal_slots(hand, tile)[0]


def _stand(truth: Truth, seat: int, tile: Tile, slot: int) -> Truth:
    hand = truth.hands[seat]
    longer = (*hand[: slot - 1], tile, *hand[slot - 1 :])
    return Truth(hands=(*truth.hands[:seat], longer, *truth.hands[seat + 1 :]))
