"""What a closed step means to this seat's player: events made from two states of the game."""

from __future__ import annotations

from .events import Begun, Dealt, Drew, Event, Happened, Progress, RoundOver
from .game import Game, own_faces, running_totals
from .state import Round

SETUP_STEPS = frozenset({"commit", "open", "shuffle", "take", "shares", "arrange"})


def progress(round_: Round) -> tuple[Event, ...]:
    """Return how far the current set-up step has come."""
    if round_.state is not None or round_.step not in SETUP_STEPS:
        return ()
    if round_.step == "shuffle":
        done, total = round_.shuffled + len(round_.spoken), round_.seats
    else:
        done, total = len(round_.spoken), len(round_.chain.step.kinds)
    return (Progress(kind=round_.step, done=done, total=total),)


def news(before: Game, after: Game) -> tuple[Event, ...]:
    """Return what happened to the game when a step closed, in the order in which to tell it."""
    return (
        *_deal(before, after),
        *_facts(before.round, after.round),
        *_private(before, after),
        *_results(before.round, after.round),
    )


def _deal(before: Game, after: Game) -> tuple[Event, ...]:
    if before.round.step == "shares" and before.round.state is None:
        tiles, _ = own_faces(after)
        return (Dealt(tiles=tiles),) if tiles else ()
    state = after.round.state
    if before.round.state is None and state is not None:
        return (Begun(number=len(after.round.results) + 1, first=state.turn),)
    return ()


def _facts(before: Round, after: Round) -> tuple[Event, ...]:
    if after.state is None:
        return ()
    known = 0 if before.state is None else len(before.state.history)
    return tuple(Happened(seat=seat, fact=fact) for seat, fact in after.state.history[known:])


def _private(before: Game, after: Game) -> tuple[Event, ...]:
    _, had = own_faces(before)
    _, drawn = own_faces(after)
    return (Drew(tile=drawn),) if drawn is not None and drawn != had else ()


def _results(before: Round, after: Round) -> tuple[Event, ...]:
    state = after.state
    if before.step != "key" or state is None or state.winner is None:
        return ()
    return (RoundOver(winner=state.winner, points=state.points, totals=running_totals(after)),)
