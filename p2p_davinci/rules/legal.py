"""What may be done now: whose move it is, of which kinds, and why a move would be refused.

Only public knowledge is used, so that everybody refuses the same moves with the same words, and
nobody's hidden tiles show in a refusal. :mod:`.engine` holds what the moves then bring about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from .illegal import IllegalMove, Reason, place_text, refuse_seat
from .moves import Call, Draw, Drop, Guess, Guessed, Move, Overdue, Place, Resign, Reveal, Stop
from .options import Options
from .state import Phase, State
from .tiles import Colour, Tile, legal_slots

DROP_OTHERS_MIN: Final = 2
"""How many others must still be in for them to go on without a seat."""

# --- what is due -----------------------------------------------------------------------------

DUE: Final[Mapping[Phase, Reason]] = MappingProxyType(
    {
        Phase.DRAW: "draw_first",
        Phase.GUESS: "guess_first",
        Phase.ANSWER: "answer_first",
        Phase.MORE: "guess_or_stop",
        Phase.PLACE: "place_first",
        Phase.REVEAL: "reveal_first",
        Phase.OVER: "over",
    }
)
"""Why nothing else may be done in a phase: the reason names what is due."""

MOVES: Final[Mapping[Phase, frozenset[type[Move]]]] = MappingProxyType(
    {
        Phase.DRAW: frozenset({Draw, Resign}),
        Phase.GUESS: frozenset({Guess, Resign}),
        Phase.ANSWER: frozenset(),
        Phase.MORE: frozenset({Guess, Stop, Resign}),
        Phase.PLACE: frozenset({Place}),
        Phase.REVEAL: frozenset({Reveal}),
        Phase.OVER: frozenset(),
    }
)
"""The kinds of move that the player who must act may choose from."""


def actor(state: State) -> int | None:
    """Return the seat that must act: the one in turn, or the owner of the tile that was named."""
    if state.phase is Phase.OVER:
        return None
    return state.turn if state.pending is None else state.pending.seat


def moves(state: State) -> frozenset[type[Move]]:
    """Return the kinds of move open to :func:`actor`.

    Empty in ``ANSWER``, where the truth leaves no choice. An overdue turn is nobody's choice and
    is never among them.
    """
    return MOVES[state.phase]


def named_tile(state: State, guessed: Guess | Guessed) -> Tile | None:
    """Return the tile that a legal guess names, or ``None`` for a ruled miss.

    A call without a colour is completed by the back it points at where numbers alone are calls,
    and is a miss by rule where a call needs both.
    """
    call = guessed.call
    if call.colour is not None:
        return Tile(colour=call.colour, number=call.number)
    back = state.rows[guessed.seat][guessed.slot - 1].back
    if state.options.call == "colour" or back is None:
        return None
    return Tile(colour=back, number=call.number)


# --- checks of a move, before anything is said -----------------------------------------------


def check_guess(state: State, seat: int, guess: Guess | Guessed) -> None:
    """Refuse a guess by ``seat`` that points at nothing it may point at, or names no tile.

    Raises:
        IllegalMove: ``no_such_seat``, ``own_tile``, ``out``, ``no_such_slot``, ``face_up``,
            ``no_such_tile``.
    """
    target = guess.seat
    _check_seat(state, target)
    if target == seat:
        raise IllegalMove("own_tile")
    if not is_in(state, target):
        raise refuse_seat("out", target)
    check_standing(state, target, guess.slot)
    if not _names_a_tile(state.options, guess.call):
        raise IllegalMove("no_such_tile", (("tile", str(guess.call)),))


def check_standing(state: State, seat: int, slot: int) -> None:
    """Refuse a place without a standing tile.

    Raises:
        IllegalMove: ``no_such_slot``, ``face_up``.
    """
    place = ("place", place_text(seat, slot))
    row = state.rows[seat]
    if not 1 <= slot <= len(row):
        raise IllegalMove("no_such_slot", (place, ("tiles", str(len(row)))))
    face = row[slot - 1].face
    if face is not None:
        raise IllegalMove("face_up", (place, ("tile", str(face))))


def check_draw(state: State, deck: int) -> None:
    """Refuse to draw from a deck that is not there or has no tile left; one of them has.

    Raises:
        IllegalMove: ``no_such_deck``, ``colour_used_up``.
    """
    if not 0 <= deck < len(state.pile):
        raise IllegalMove("no_such_deck", (("deck", str(deck + 1)),))
    if not state.pile[deck]:
        raise IllegalMove("colour_used_up", (("deck", str(deck + 1)),))


def check_resign(state: State, seat: int) -> None:
    """Refuse a resignation by somebody who is out or owes something first.

    Raises:
        IllegalMove: ``no_such_seat``, ``over``, ``already_out``, ``answer_first`` (a guess is
            pending by or against ``seat``), ``place_first``, ``reveal_first``.
    """
    _check_seat(state, seat)
    if state.phase is Phase.OVER:
        raise IllegalMove("over")
    if not is_in(state, seat):
        raise refuse_seat("already_out", seat)
    owing = state.phase in (Phase.ANSWER, Phase.PLACE, Phase.REVEAL)
    if owing and seat in (state.turn, actor(state)):
        raise IllegalMove(DUE[state.phase])


def check_drop(state: State, seat: int) -> None:
    """Refuse to go on without somebody a second time, or when it would leave a single player.

    Who is out may still owe a key or shares, so the others may go on without it as well.

    Raises:
        IllegalMove: ``no_such_seat``, ``over``, ``already_dropped``, ``too_few``.
    """
    _check_seat(state, seat)
    if state.phase is Phase.OVER:
        raise IllegalMove("over")
    if seat in state.dropped:
        raise refuse_seat("already_dropped", seat)
    others = sum(is_in(state, other) for other in range(state.seats) if other != seat)
    if others < DROP_OTHERS_MIN:
        raise IllegalMove("too_few")


def check_overdue(state: State, deck: int | None, slot: int | None) -> None:
    """Refuse to call a turn overdue where no clock runs or nothing is owed to it.

    Raises:
        IllegalMove: ``no_clock``, what is due instead, ``deck_needed`` or as for
            :func:`check_draw` before the draw, ``deck_unwanted`` after it; ``slot_unwanted`` or as
            for :func:`check_slot`.
    """
    if state.options.clock is None:
        raise IllegalMove("no_clock")
    if state.phase not in (Phase.DRAW, Phase.GUESS, Phase.MORE):
        raise IllegalMove(DUE[state.phase])
    if state.phase is not Phase.DRAW:
        if deck is not None:
            raise IllegalMove("deck_unwanted")
    elif deck is None:
        raise IllegalMove("deck_needed")
    else:
        check_draw(state, deck)
    if slot is not None and state.phase is not Phase.MORE:
        raise IllegalMove("slot_unwanted")
    check_slot(state, slot)


def check_slot(state: State, slot: int | None) -> None:
    """Refuse a place for the drawn tile that is not there, or one for no tile.

    Whether the order allows it depends on faces: see :func:`choose_slot`.

    Raises:
        IllegalMove: ``slot_unwanted``, ``no_such_slot``.
    """
    if slot is None:
        return
    if state.drawn is None:
        raise IllegalMove("slot_unwanted")
    tiles = len(state.rows[state.turn])
    if not 1 <= slot <= tiles + 1:
        place = ("place", place_text(state.turn, slot))
        raise IllegalMove("no_such_slot", (place, ("tiles", str(tiles))))


def choose_slot(row: Sequence[Tile | None], tile: Tile, slot: int | None) -> int:
    """Return where ``tile`` will stand in ``row``: ``slot``, or the only legal one.

    Raises:
        IllegalMove: ``slot_needed`` (none was named, several are legal), ``slot_illegal``.
    """
    legal = legal_slots(row, tile)
    if slot is None and len(legal) == 1:
        return legal[0]
    values = (("tile", str(tile)), ("slots", ", ".join(map(str, legal))))
    if slot is None:
        raise IllegalMove("slot_needed", values)
    if slot not in legal:
        raise IllegalMove("slot_illegal", (("slot", str(slot)), *values))
    return slot


def check_move(state: State, seat: int, move: Move) -> None:
    """Refuse what public knowledge can refuse of a move that ``seat`` wants to make now.

    Raises:
        IllegalMove: ``over``, ``not_your_turn``, what is due instead (``draw_first``,
            ``guess_first``, …; ``pile_empty`` for a draw that is skipped), or what the check of
            this kind of move says.
    """
    if isinstance(move, Resign):
        check_resign(state, seat)
        return
    if isinstance(move, Drop):
        check_drop(state, seat)
        return
    if state.phase is Phase.OVER:
        raise IllegalMove("over")
    if seat != state.turn:
        raise refuse_seat("not_your_turn", state.turn)
    if isinstance(move, Overdue):
        check_overdue(state, move.deck, move.slot)
        return
    if type(move) not in MOVES[state.phase]:
        skipped = isinstance(move, Draw) and state.phase is Phase.GUESS and state.drawn is None
        raise IllegalMove("pile_empty" if skipped else DUE[state.phase])
    _CHECKS[type(move)](state, move)


_CHECKS: Final[Mapping[type[Move], Callable[[State, Any], None]]] = MappingProxyType(
    {
        Draw: lambda state, move: check_draw(state, move.deck),
        Guess: lambda state, move: check_guess(state, state.turn, move),
        Stop: lambda state, move: check_slot(state, move.slot),
        Place: lambda state, move: check_slot(state, move.slot),
        Reveal: lambda state, move: check_standing(state, state.turn, move.slot),
    }
)


def is_in(state: State, seat: int) -> bool:
    """Tell whether ``seat`` is still in the round: whether one of its tiles stands."""
    return any(piece.standing for piece in state.rows[seat])


def _check_seat(state: State, seat: int) -> None:
    if not 0 <= seat < state.seats:
        raise refuse_seat("no_such_seat", seat)


def _names_a_tile(options: Options, call: Call) -> bool:
    colour = Colour.BLACK if call.colour is None else call.colour
    return Tile(colour=colour, number=call.number) in options.tiles
