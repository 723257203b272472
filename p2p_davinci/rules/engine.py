"""The turns: which fact may follow in which phase, and what it makes of the state.

The engine knows only what everybody may know: a standing tile has no face here. It checks all
that public knowledge can check, order among the open tiles included; that a hidden tile stands
where it must is the business of the fairness protocol's proofs, or of :mod:`.truth` where the
faces are known. Everything is a pure function; :data:`TRANSITIONS` is the whole course of a round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias, cast

from .illegal import IllegalMove, refuse_seat, refuse_tile
from .legal import (
    DUE,
    actor,
    check_draw,
    check_drop,
    check_guess,
    check_move,
    check_overdue,
    check_resign,
    check_slot,
    check_standing,
    choose_slot,
    is_in,
    moves,
    named_tile,
)
from .moves import (
    Answered,
    Awarded,
    Drawn,
    Dropped,
    Fact,
    Guessed,
    Overran,
    Placed,
    Resigned,
    Revealed,
    Stopped,
)
from .options import Options, hand_size, validate
from .scoring import has_award, hit_points, standing_sum, win_points
from .state import Phase, Piece, Row, State
from .tiles import Colour, Tile, in_order, legal_slots

__all__ = [
    "TRANSITIONS",
    "IllegalMove",
    "actor",
    "apply",
    "award_due",
    "check_guess",
    "check_move",
    "check_standing",
    "choose_slot",
    "moves",
    "named_tile",
    "start",
]

# --- the beginning ---------------------------------------------------------------------------


def start(options: Options, backs: Sequence[Sequence[Colour | None]], first: int) -> State:
    """Return the state after the deal, with seat ``first`` to begin.

    ``backs`` are the rows by seat: for each tile from the left the colour its back shows, or
    ``None`` with hidden backs. A seat with an empty row sits the round out, as those who are not
    tied do in an extra round.

    Raises:
        BadOption: as for :func:`.options.validate`.
        ValueError: not two to four seats with the tiles that so many players take (which no
            colour is too few for), backs that these options do not show, or a first seat that
            does not play.
    """
    validate(options)
    playing = [row for row in backs if row]
    size = hand_size(len(playing))
    if any(len(row) != size for row in playing):
        raise ValueError(f"everyone takes {size} tiles")
    if not (0 <= first < len(backs) and backs[first]):
        raise ValueError(f"seat {first} does not play")
    if any((back is None) != (options.backs == "hidden") for row in playing for back in row):
        raise ValueError("backs that these options do not show")
    rows = tuple(tuple(Piece(back=back) for back in row) for row in backs)
    pile = tuple(
        len(deck) - sum(_deck(piece) == index for row in rows for piece in row)
        for index, deck in enumerate(options.decks)
    )
    return State(
        options=options,
        rows=rows,
        pile=pile,
        turn=first,
        phase=Phase.DRAW,
        points=(0,) * len(rows),
    )


def _deck(piece: Piece) -> int:
    return 0 if piece.back is None else int(piece.back)


# --- facts -----------------------------------------------------------------------------------


def apply(state: State, fact: Fact) -> State:
    """Return the state after ``fact``, with the fact added to its history.

    Raises:
        IllegalMove: the fact does not belong here (what is due instead), or contradicts what
            everybody knows.
    """
    transition = TRANSITIONS[state.phase].get(type(fact))
    if transition is None:
        raise IllegalMove(DUE[state.phase])
    after: State = transition(state, fact)
    return replace(after, history=(*state.history, (_cause(state, fact), fact)))


def _cause(state: State, fact: Fact) -> int:
    if isinstance(fact, Resigned | Dropped):
        return fact.seat
    if isinstance(fact, Awarded):
        return cast("int", state.winner)
    return cast("int", actor(state))


def _drawn(state: State, fact: Drawn) -> State:
    check_draw(state, fact.deck)
    pile = tuple(left - (deck == fact.deck) for deck, left in enumerate(state.pile))
    back = Colour(fact.deck) if state.options.backs == "open" else None
    return replace(state, pile=pile, drawn=Piece(back=back), phase=Phase.GUESS)


def _guessed(state: State, fact: Guessed) -> State:
    check_guess(state, state.turn, fact)
    if named_tile(state, fact) is None:
        return _missed(state)
    return replace(state, pending=fact, phase=Phase.ANSWER)


def _answered(state: State, fact: Answered) -> State:
    guessed = cast("Guessed", state.pending)
    named = cast("Tile", named_tile(state, guessed))
    answered = replace(state, pending=None)
    if fact.tile is None:
        piece = state.rows[guessed.seat][guessed.slot - 1]
        wiser = replace(piece, misses=piece.misses | {named})
        return _missed(_with_piece(answered, guessed.seat, guessed.slot, wiser))
    if fact.tile != named:
        raise refuse_tile("wrong_answer", fact.tile)
    hit = _turn_up(answered, guessed.seat, guessed.slot, named)
    earned = hit_points(state.options, last=not is_in(hit, guessed.seat))
    return _finish(replace(_with_points(hit, state.turn, earned), phase=Phase.MORE, hit=True))


def _missed(state: State) -> State:
    if state.drawn is not None:
        return replace(state, phase=Phase.PLACE)
    if state.options.empty_miss == "reveal":
        return replace(state, phase=Phase.REVEAL)
    return _pass_turn(state)


def _stopped(state: State, fact: Stopped) -> State:
    check_slot(state, fact.slot)
    if state.drawn is None:
        return _pass_turn(state)
    return _pass_turn(_insert(state, state.turn, _named_slot(fact.slot), state.drawn))


def _placed(state: State, fact: Placed) -> State:
    check_slot(state, fact.slot)
    drawn = cast("Piece", state.drawn)
    _check_face(state, drawn, fact.tile)
    placed = _insert(state, state.turn, fact.slot, replace(drawn, face=fact.tile))
    _check_order(placed, state.turn)
    return _pass_turn(placed)


def _revealed(state: State, fact: Revealed) -> State:
    check_standing(state, state.turn, fact.slot)
    return _pass_turn(_finish(_turn_up(state, state.turn, fact.slot, fact.tile)))


def _overran(state: State, fact: Overran) -> State:
    check_overdue(state, fact.deck, fact.slot)
    if state.phase is Phase.MORE:
        return _stopped(state, Stopped(slot=fact.slot))
    if fact.deck is None:
        return _missed(state)
    return _missed(_drawn(state, Drawn(deck=fact.deck)))


def _resigned(state: State, fact: Resigned) -> State:
    check_resign(state, fact.seat)
    _check_row(state, fact.seat, fact.row)
    tiles = list(fact.row)
    pieces = list(state.rows[fact.seat])
    drawn = state.drawn if fact.seat == state.turn else None
    if drawn is not None:
        tile = _check_drawn(state, drawn, fact)
        slot = legal_slots(tiles, tile)[0]
        tiles.insert(slot - 1, tile)
        pieces.insert(slot - 1, drawn)
    elif fact.drawn is not None:
        raise IllegalMove("drawn_unwanted")
    row = tuple(replace(p, face=tile) for p, tile in zip(pieces, tiles, strict=True))
    after = _with_row(state, fact.seat, row)
    if fact.seat != state.turn:
        return _finish(after)
    return _pass_turn(_finish(replace(after, drawn=None)))


def _awarded(state: State, fact: Awarded) -> State:
    if not award_due(state):
        raise IllegalMove("no_award")
    winner = cast("int", state.winner)
    _check_row(state, winner, fact.row)
    return _with_points(state, winner, standing_sum(state.rows[winner], fact.row))


def _dropped(state: State, fact: Dropped) -> State:
    check_drop(state, fact.seat)
    mine = fact.seat == state.turn
    if fact.returned and (mine or state.drawn is None):
        raise IllegalMove("drawn_needed")
    row = tuple(replace(piece, dead=piece.standing) for piece in state.rows[fact.seat])
    after = replace(_with_row(state, fact.seat, row), pile=(0,) * len(state.pile))
    if mine:
        return _pass_turn(replace(after, pending=None))
    if fact.returned:
        return replace(after, drawn=None, phase=Phase.GUESS)
    if state.pending is not None and state.pending.seat == fact.seat:
        return replace(after, pending=None, phase=Phase.MORE if state.hit else Phase.GUESS)
    return replace(after, phase=Phase.GUESS) if state.phase is Phase.DRAW else after


def award_due(state: State) -> bool:
    """Tell whether the round is over and its winner's row must still be opened and counted."""
    if state.phase is not Phase.OVER or not has_award(state.options):
        return False
    return not any(isinstance(fact, Awarded) for _, fact in state.history)


Transition: TypeAlias = Callable[[State, Any], State]

TRANSITIONS: Final[Mapping[Phase, Mapping[type[Fact], Transition]]] = MappingProxyType(
    {
        Phase.DRAW: {
            Drawn: _drawn,
            Overran: _overran,
            Resigned: _resigned,
            Dropped: _dropped,
        },
        Phase.GUESS: {
            Guessed: _guessed,
            Overran: _overran,
            Resigned: _resigned,
            Dropped: _dropped,
        },
        Phase.ANSWER: {Answered: _answered, Resigned: _resigned, Dropped: _dropped},
        Phase.MORE: {
            Guessed: _guessed,
            Stopped: _stopped,
            Overran: _overran,
            Resigned: _resigned,
            Dropped: _dropped,
        },
        Phase.PLACE: {Placed: _placed, Resigned: _resigned, Dropped: _dropped},
        Phase.REVEAL: {Revealed: _revealed, Resigned: _resigned, Dropped: _dropped},
        Phase.OVER: {Awarded: _awarded},
    }
)
"""Which facts may follow in each phase, and the function that makes the next state of each."""


# --- parts of a transition -------------------------------------------------------------------


def _finish(state: State) -> State:
    """End the round if one seat alone has a standing tile."""
    still_in = [seat for seat in range(state.seats) if is_in(state, seat)]
    if len(still_in) > 1:
        return state
    won = _with_points(state, still_in[0], win_points(state.options))
    return replace(won, phase=Phase.OVER, winner=still_in[0])


def _pass_turn(state: State) -> State:
    if state.phase is Phase.OVER:
        return state
    circle = [*range(state.turn + 1, state.seats), *range(state.turn + 1)]
    turn = next(seat for seat in circle if is_in(state, seat))
    phase = Phase.DRAW if any(state.pile) else Phase.GUESS
    return replace(state, turn=turn, phase=phase, drawn=None, hit=False)


def _turn_up(state: State, seat: int, slot: int, tile: Tile) -> State:
    piece = state.rows[seat][slot - 1]
    _check_face(state, piece, tile)
    after = _with_piece(state, seat, slot, replace(piece, face=tile))
    _check_order(after, seat)
    return after


def _insert(state: State, seat: int, slot: int, piece: Piece) -> State:
    row = state.rows[seat]
    return _with_row(state, seat, (*row[: slot - 1], piece, *row[slot - 1 :]))


def _named_slot(slot: int | None) -> int:
    if slot is None:
        raise IllegalMove("slot_missing")
    return slot


def _with_piece(state: State, seat: int, slot: int, piece: Piece) -> State:
    row = state.rows[seat]
    return _with_row(state, seat, (*row[: slot - 1], piece, *row[slot:]))


def _with_row(state: State, seat: int, row: Row) -> State:
    return replace(state, rows=(*state.rows[:seat], row, *state.rows[seat + 1 :]))


def _with_points(state: State, seat: int, earned: int) -> State:
    if not earned:
        return state
    points = state.points
    return replace(state, points=(*points[:seat], points[seat] + earned, *points[seat + 1 :]))


def _check_face(state: State, piece: Piece, tile: Tile) -> None:
    if tile not in state.options.tiles:
        raise refuse_tile("no_such_tile", tile)
    if piece.back not in (None, tile.colour):
        raise refuse_tile("wrong_back", tile)
    if any(other.face == tile for row in state.rows for other in row):
        raise refuse_tile("tile_elsewhere", tile)
    if tile in piece.misses:
        raise refuse_tile("tile_missed", tile)


def _check_order(state: State, seat: int) -> None:
    if not in_order([piece.face for piece in state.rows[seat]]):
        raise IllegalMove("wrong_order")


def _check_row(state: State, seat: int, tiles: Sequence[Tile]) -> None:
    row = state.rows[seat]
    if len(tiles) != len(row) or len(set(tiles)) != len(tiles):
        raise refuse_seat("wrong_row", seat)
    for piece, tile in zip(row, tiles, strict=True):
        if piece.face is None:
            _check_face(state, piece, tile)
        elif piece.face != tile:
            raise refuse_seat("wrong_row", seat)
    if not in_order(tiles):
        raise IllegalMove("wrong_order")


def _check_drawn(state: State, drawn: Piece, fact: Resigned) -> Tile:
    if fact.drawn is None:
        raise IllegalMove("drawn_needed")
    if fact.drawn in fact.row:
        raise refuse_tile("tile_elsewhere", fact.drawn)
    _check_face(state, drawn, fact.drawn)
    return fact.drawn
