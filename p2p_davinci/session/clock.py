"""The clock option at one seat: calling it, being called, and watching that it is obeyed.

There is no trusted clock. The caller's program refuses to call too early, the thinker's program
admits by itself that time is up, and the others only report one that does not.
"""

from __future__ import annotations

from dataclasses import replace

from protocol import Aside

from ..rules.engine import actor
from ..rules.moves import Overdue
from ..rules.options import Clock
from ..rules.state import Phase
from .events import ClockCalled, ClockIgnored, Effect, Show, Wake
from .flow import THINKING
from .game import ClockCall, Game, Refusal

TOLERANCE_S = 5.0
"""How long after the end of a called clock the others wait before they report it."""


def running(game: Game) -> Clock | None:
    """Return the clock if one runs now."""
    return game.round.contract.options.clock if game.round.step in THINKING else None


def check_call(game: Game, seat: int, now_s: float) -> None:
    """Refuse a clock call by ``seat``.

    Raises:
        Refusal: ``no_clock`` (none runs), ``own_clock``, ``clock_out``, ``clock_called``,
            ``clock_early`` (with the seconds still to wait).

    """
    clock = running(game)
    if clock is None:
        raise Refusal("refused.no_clock")
    if seat == actor(game.round.board):
        raise Refusal("refused.own_clock")
    if seat in game.round.board.out:
        raise Refusal("refused.clock_out")
    if game.call is not None:
        raise Refusal("refused.clock_called")
    left_s = game.since_s + clock.think_s - now_s
    if left_s > 0:
        raise Refusal("refused.clock_early", (("seconds", str(int(left_s) + 1)),))


def hear_call(game: Game, call: Aside, now_s: float) -> tuple[Game, tuple[Effect, ...]]:
    """Return the game in which a clock call counts, if it does.

    An early call counts from the moment when thinking time is over by this seat's own clock.
    """
    clock = running(game)
    counts = call.head in game.round.clock_heads and call.seat not in game.round.board.out
    thinker = actor(game.round.board) if clock is not None else None
    if clock is None or not counts or game.call is not None or call.seat == thinker:
        return game, ()
    begun_s = max(now_s, game.since_s + clock.think_s)
    deadline_s = begun_s + clock.call_s
    called = ClockCall(raw=call.encode(), by=call.seat, deadline_s=deadline_s)
    shown = ClockCalled(by=call.seat, seat=game.round.board.turn, call_s=clock.call_s)
    wake_s = deadline_s if game.seat == thinker else deadline_s + TOLERANCE_S
    return replace(game, call=called), (Show(event=shown), Wake(at_s=wake_s))


def overdue_now(game: Game, now_s: float) -> Overdue | None:
    """Return the admission that this seat owes because its called time is up, if it does."""
    if running(game) is None or game.call is None or now_s < game.call.deadline_s:
        return None
    board = game.round.board
    if game.seat != actor(board):
        return None
    if board.phase is not Phase.DRAW:
        return Overdue()
    return Overdue(deck=next(deck for deck, left in enumerate(board.pile) if left))


def report_ignored(game: Game, now_s: float) -> tuple[Effect, ...]:
    """Return what to tell the player about a thinker whose program does not obey the clock."""
    if running(game) is None or game.call is None or game.seat == actor(game.round.board):
        return ()
    if now_s < game.call.deadline_s + TOLERANCE_S:
        return ()
    return (Show(event=ClockIgnored(seat=game.round.board.turn)),)
