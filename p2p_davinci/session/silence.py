"""Who is silent, since when, and when the others may choose what to do (PEER, when to vote).

Suspicion is local: it rests on this seat's own clock and links, decides what its player is offered,
and never enters the game's state. A clock that jumps (the laptop slept) suspects nobody for a
while.
"""

from __future__ import annotations

from dataclasses import replace

from . import clock
from .events import Lost, Offered, Wake
from .flow import DONE
from .game import Game, decides, owing
from .voting import may_claim, may_vote, voters
from .work import WAIT_S, Work

SLEEP_S = 20.0
"""After so long without a single input this program itself was asleep."""
CALM_S = 30.0
"""How long nobody is suspected after that."""


def wake_up(work: Work) -> None:
    """Take note of the time; after a sleep suspicion begins anew."""
    if work.now_s - work.game.last_s > SLEEP_S and work.who is not None:
        calm_down(work)
    work.game = replace(work.game, last_s=work.now_s)


def calm_down(work: Work) -> None:
    """Suspect nobody for a while of the silence so far: this machine was asleep."""
    game, now_s = work.game, work.now_s
    work.game = replace(
        game,
        down=dict.fromkeys(game.down, now_s),
        opened_s=now_s,
        calm_s=now_s + CALM_S,
        doubts=tuple(replace(doubt, since_s=now_s) for doubt in game.doubts),
    )


def keep_waiting(work: Work) -> None:
    """Offer nothing again before everybody has had as much time once more."""
    patience = {lost.seat: work.now_s + _wait_s(work) for lost in work.game.lost}
    kept = tuple(replace(lost, offered=False) for lost in work.game.lost)
    work.game = replace(work.game, patience={**work.game.patience, **patience}, lost=kept)
    work.effects.extend(Wake(at_s=at_s) for at_s in patience.values())


def look_out(work: Work) -> None:
    """Find out who is silent, and offer the choice to the player where it is open."""
    game = work.game
    if work.me() is None:
        return
    before = {lost.seat: lost for lost in game.lost}
    found = [] if not work.live else [_lost(work, seat) for seat in _awaited(game)]
    lost = tuple(_offered(work, one, before.get(one.seat)) for one in found if one is not None)
    work.game = replace(game, lost=lost)


def _wait_s(work: Work) -> float:
    return WAIT_S if work.who is None else work.who.wait_s


def playing(game: Game) -> bool:
    """Tell whether the deal is complete and the round not decided: then the others may choose."""
    round_ = game.round
    return round_.state is not None and round_.state.winner is None


def mute(work: Work) -> tuple[int, ...]:
    """Return who is linked and owes its program's word for too long where nobody can be dropped.

    That is twice as long as one may be away, since a link may come back only at the end of that.
    """
    game = work.game
    if playing(game) or decides(game.round) or game.round.step == DONE or work.me() is None:
        return ()
    if work.now_s < max(game.opened_s + 2 * _wait_s(work), game.calm_s):
        return ()
    return tuple(seat for seat in game.round.chain.awaited if seat != game.seat)


def _awaited(game: Game) -> tuple[int, ...]:
    """The seats that owe their word in this step, or a promise that this seat needs."""
    if not playing(game):
        return ()
    seats = {*game.round.chain.awaited, *owing(game)}
    return tuple(sorted(seats - {game.seat}))


def _lost(work: Work, seat: int) -> Lost | None:
    game = work.game
    since_s = _silent_since(game, seat)
    if since_s is None:
        return None
    wait_s = 0.0 if seat in game.gone else _wait_s(work)
    opens_s = max(since_s + wait_s, game.calm_s)
    return Lost(
        seat=seat,
        since_s=since_s,
        opens_s=opens_s,
        patient_s=game.patience.get(seat, 0.0),
        votes=voters(game, seat),
        left=seat in game.gone,
        promise=seat not in game.round.chain.awaited,
    )


def _silent_since(game: Game, seat: int) -> float | None:
    """Since when ``seat`` owes what its program says by itself, or is away while it should act."""
    away_s = game.down.get(seat)
    if not decides(game.round) or seat in owing(game):
        return game.opened_s
    if away_s is not None or seat in game.gone:
        # Before this step it may have spoken through others, without a link to this seat.
        return game.opened_s if away_s is None else max(away_s, game.opened_s)
    if game.call is None or clock.running(game) is None:
        return None
    return game.call.deadline_s


def _offered(work: Work, lost: Lost, before: Lost | None) -> Lost:
    if before is None or before.opens_s != lost.opens_s:
        work.effects.append(Wake(at_s=max(work.now_s, lost.opens_s)))
    if before is not None and before.offered and _same_silence(before, lost):
        return replace(lost, offered=True)
    if work.now_s < lost.asks_s:
        return lost
    work.show(
        Offered(
            seat=lost.seat,
            waited_s=max(0, int(work.now_s - lost.since_s)),
            vote=may_vote(work.game, lost.seat),
            claim=may_claim(work.game, lost.seat),
            left=lost.left,
            promise=lost.promise,
        )
    )
    return replace(lost, offered=True)


def _same_silence(before: Lost, lost: Lost) -> bool:
    """Whether it was offered already: a link that breaks after a farewell begins no new silence."""
    return before.since_s == lost.since_s or (before.left and lost.left)
