"""From a decision to a message: what a seat says when it moves, and what it says by itself.

Everything that can be refused to one's own player is refused here, before anything is proved or
sent; what the others may refuse is in the steps' checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from ..rules.deal import check_arrange, check_take
from ..rules.legal import check_move, check_standing, choose_slot
from ..rules.moves import (
    Arrange,
    Draw,
    Guess,
    Move,
    Overdue,
    Place,
    Resign,
    Reveal,
    Stop,
    Take,
)
from . import deal, ending, placing, setup, turns
from .flow import speakers
from .game import Game, Refusal, asks_player, own_faces
from .secrets import Made, Seat
from .state import Round

AUTOMATIC: Final[Mapping[str, Callable[[Round, Seat], Made]]] = MappingProxyType(
    {
        "commit": setup.make_commit,
        "open": setup.make_open,
        "shuffle": setup.make_shuffle,
        "shares": deal.make_shares_sent,
        "answer": turns.make_answer,
        "key": ending.make_key,
        "receipt": ending.make_receipt,
    }
)
"""The messages that leave nothing to decide."""


def automatic(game: Game, me: Seat) -> tuple[str, Made] | None:
    """Return the kind and body of what the program says by itself now, if it must."""
    round_ = game.round
    if game.resigning and "resign" in speakers(round_).get(me.seat, ()):
        return "resign", ending.make_resign(round_, me)
    if asks_player(game):
        return None
    if round_.step == "arrange":
        return "arrange", deal.make_arrange(round_, me, sorted_hand(game))
    if round_.step == "place":
        return "place", placing.make_place(round_, me, Place())
    return round_.step, AUTOMATIC[round_.step](round_, me)


def sorted_hand(game: Game) -> Arrange:
    """Return the ascending order of one's hand, jokers at the right."""
    tiles, _ = own_faces(game)
    return Arrange(order=tuple(sorted(range(len(tiles)), key=lambda k: tiles[k].code)))


def decided(game: Game, me: Seat, move: Move, call: bytes | None) -> tuple[str, Made]:
    """Return the kind and body of a move that this seat's player has decided on.

    ``call`` is the signed clock call that an overdue turn must show.

    Raises:
        IllegalMove: the rules refuse it.
        Refusal: the step does not ask for it.

    """
    round_ = game.round
    match move:
        case Take():
            _need(game, "take")
            check_take(round_.contract.options, len(round_.contract.playing), move)
            return "take", deal.make_take(round_, me, move)
        case Arrange():
            _need(game, "arrange")
            check_arrange(own_faces(game)[0], move)
            return "arrange", deal.make_arrange(round_, me, move)
    if round_.state is None:
        raise Refusal("refused.not_now")
    check_move(round_.state, me.seat, move)
    if round_.step == "shares":
        raise Refusal("refused.not_now")
    return _turn_move(game, me, move, call)


def _turn_move(game: Game, me: Seat, move: Move, call: bytes | None) -> tuple[str, Made]:
    round_ = game.round
    match move:
        case Draw():
            return "draw", turns.make_draw(round_, me, move)
        case Guess():
            return "guess", turns.make_guess(round_, me, move)
        case Stop():
            _check_slot(game, move.slot)
            return "stop", placing.make_stop(round_, me, move)
        case Place():
            _check_slot(game, move.slot)
            return "place", placing.make_place(round_, me, move)
        case Reveal():
            check_standing(round_.board, me.seat, move.slot)
            return "turn-up", placing.make_turn_up(round_, me, move)
        case Overdue() if call is not None:
            return "overdue", placing.make_overdue(round_, me, move, call)
        case Resign() if "resign" in speakers(round_).get(me.seat, ()):
            return "resign", ending.make_resign(round_, me)
    raise Refusal("refused.not_now")


def _need(game: Game, step: str) -> None:
    if game.round.step != step or not asks_player(game):
        raise Refusal("refused.not_now")


def _check_slot(game: Game, slot: int | None) -> None:
    row, drawn = own_faces(game)
    if drawn is not None:
        choose_slot(row, drawn, slot)
