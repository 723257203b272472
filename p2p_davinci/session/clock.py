"""The clock at one seat: calling it, being called, seeing that it is obeyed (PEER, the clock).

There is no trusted clock. The caller's program refuses to call too early, the thinker's program
admits by itself that time is up, and the others only report one that does not.
"""

from __future__ import annotations

from dataclasses import replace

from protocol import Aside, Entropy

from ..rules.engine import actor
from ..rules.moves import Overdue, Overran, Place, Reveal
from ..rules.options import Clock
from ..rules.state import Phase
from ..rules.tiles import legal_slots
from .chance import pick
from .events import ClockCalled, ClockIgnored, Effect, Show, Wake
from .flow import THINKING
from .game import ClockCall, Game, Refusal, own_faces
from .state import Round

TOLERANCE_S = 10.0
"""How long after the end of a called clock the others wait before they report it.

It is longer than it takes until a call that was lost on its way is sent again.
"""
RETURNS_MAX = 3
"""How often a thinker whose link came back is given the whole time of a call anew."""


def running(game: Game) -> Clock | None:
    """Return the clock if one runs now."""
    return game.round.contract.options.clock if game.round.step in THINKING else None


def check_call(game: Game, seat: int, now_s: float) -> None:
    """Refuse a clock call by ``seat``.

    Raises:
        Refusal: ``no_clock`` (there is none), ``clock_rests`` (it does not run now),
            ``own_clock``, ``clock_out``, ``clock_called``, ``clock_early`` (with the seconds still
            to wait).

    """
    if game.round.contract.options.clock is None:
        raise Refusal("refused.no_clock")
    clock = running(game)
    if clock is None:
        raise Refusal("refused.clock_rests")
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
    clock, round_ = game.round.contract.options.clock, game.round
    if clock is None or not _thinking(round_):
        return game, ()
    board = round_.board
    heard = {known.by for known in game.calls}
    if call.head not in round_.clock_heads or call.seat in {*heard, *board.out, board.turn}:
        return game, ()
    begun_s = max(now_s, game.since_s + clock.think_s)
    called = ClockCall(raw=call.encode(), by=call.seat, deadline_s=begun_s + clock.call_s)
    # Another's call is kept, too: whose comes first differs from seat to seat.
    after = replace(game, calls=(*game.calls, called))
    return after, () if game.calls else (_shown(called, after, clock), *remind(after, now_s))


def _shown(call: ClockCall, game: Game, clock: Clock) -> Effect:
    turn = game.round.board.turn
    return Show(event=ClockCalled(by=call.by, seat=turn, call_s=clock.call_s))


def forget_calls(game: Game) -> Game:
    """Return the game without calls whose callers, or whose round, are out of it."""
    state = game.round.state
    left = (call for call in game.calls if state is not None and call.by not in state.out)
    return replace(game, calls=tuple(left))


def returned(game: Game, seat: int, now_s: float) -> tuple[Game, tuple[Effect, ...]]:
    """Return the game in which a thinker whose link is back has the whole time of a call.

    It may hear the call only now. A link that breaks again and again stops no clock.
    """
    clock, call = running(game), game.call
    if clock is None or call is None or seat != actor(game.round.board):
        return game, ()
    if call.returns >= RETURNS_MAX:
        return game, ()
    deadline_s = max(call.deadline_s, now_s + clock.call_s)
    call = replace(call, deadline_s=deadline_s, ignored=False, returns=call.returns + 1)
    game = replace(game, calls=(call, *game.calls[1:]))
    return game, remind(game, now_s)


def resumed(game: Game, now_s: float) -> tuple[Game, tuple[Effect, ...]]:
    """Return the game as its seat goes on with it after its program was away.

    Its own thinking time counts as over, since the others' clocks ran on. A call that it had heard
    has its whole time once more: so much the others give it when its link is back.
    """
    clock, round_ = game.round.contract.options.clock, game.round
    if clock is None:
        return replace(game, since_s=now_s), ()
    spent_s = clock.think_s if _thinking(round_) and game.seat == round_.board.turn else 0
    game = replace(game, since_s=now_s - spent_s)
    deadline_s = now_s + clock.call_s
    game = replace(game, calls=tuple(replace(call, deadline_s=deadline_s) for call in game.calls))
    told = game.calls[:1] if _thinking(round_) else ()
    return game, (*(_shown(call, game, clock) for call in told), *remind(game, now_s))


def _thinking(round_: Round) -> bool:
    """Whether somebody owes a draw or a guess, be it that his tile still awaits its shares."""
    drawing = round_.step == "shares" and round_.state is not None
    return round_.step in THINKING or (drawing and round_.board.phase is Phase.GUESS)


def remind(game: Game, now_s: float) -> tuple[Effect, ...]:
    """Return the wish to be woken when a called clock has run out, if one runs."""
    rest = _overdue(game)
    if rest is not None:
        return (Wake(at_s=max(now_s, game.opened_s + rest.call_s)),)
    if game.call is None or running(game) is None:
        return ()
    own = game.seat == actor(game.round.board)
    deadline_s = game.call.deadline_s + (0.0 if own else TOLERANCE_S)
    return (Wake(at_s=max(now_s, deadline_s)),)


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


def finish_overdue(game: Game, now_s: float, entropy: Entropy) -> Place | Reveal | None:
    """Return how a turn that was overdue ends if its player leaves the rest undecided, too.

    After as long as a call gives, one of the legal places is chosen by chance: any other choice
    would tell the others more than the place itself.
    """
    clock = _overdue(game)
    if clock is None or now_s < game.opened_s + clock.call_s:
        return None
    board = game.round.board
    if game.round.step == "turn-up":
        pieces = enumerate(board.rows[board.turn], 1)
        return Reveal(slot=pick([slot for slot, piece in pieces if piece.standing], entropy))
    row, drawn = own_faces(game)
    return None if drawn is None else Place(slot=pick(legal_slots(row, drawn), entropy))


def _overdue(game: Game) -> Clock | None:
    """Return the clock if this seat's turn was overdue and something in it is left to decide."""
    round_ = game.round
    if round_.step not in ("place", "turn-up") or game.seat != actor(round_.board):
        return None
    *_, (_, last) = round_.board.history
    return round_.contract.options.clock if isinstance(last, Overran) else None


def report_ignored(game: Game, now_s: float) -> tuple[Game, tuple[Effect, ...]]:
    """Tell the player, once, about a thinker whose program does not obey the clock."""
    call = game.call
    if call is None or running(game) is None or game.seat == actor(game.round.board):
        return game, ()
    if call.ignored or now_s < max(call.deadline_s + TOLERANCE_S, game.calm_s):
        return game, ()
    thinker = game.round.board.turn
    if thinker in game.down or thinker in game.gone:
        # Whoever is away is told of as such, and perhaps never heard the call.
        return game, ()
    shown = Show(event=ClockIgnored(seat=thinker))
    return replace(game, calls=(replace(call, ignored=True), *game.calls[1:])), (shown,)
