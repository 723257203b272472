"""The verbs for a table that waits for somebody silent: vote, wait, claim, save.

Pure. Whether a choice is open is the session's to say; it offers it with the seat's silence.
"""

from __future__ import annotations

from ..session.events import Claim, KeepWaiting, Lost, SaveAndStop, Stage, VoteOut
from .commands import Ask, Reading, Refusal
from .context import Context
from .prompts import may_choose
from .spelling import read_seat


def vote(context: Context, rest: str) -> Reading:
    """``vote``, ``vote bo``: go on without a silent player; asked first."""
    found = _silent(context, rest)
    if isinstance(found, Refusal):
        return found
    name = context.speech.name(found.seat)
    text = context.speech.words.tell("slip.vote", name=name)
    return Ask(text=text, command=VoteOut(seat=found.seat))


def wait(context: Context, _rest: str) -> Reading:
    """``wait``: wait for a silent player as long again."""
    found = _silent(context, "")
    return found if isinstance(found, Refusal) else KeepWaiting()


def claim(context: Context, _rest: str) -> Reading:
    """``claim``: claim the game from the one other player left; asked first."""
    found = _silent(context, "")
    if isinstance(found, Refusal):
        return found
    return Ask(text=context.speech.words.tell("slip.claim"), command=Claim())


def save(context: Context, _rest: str) -> Reading:
    """``save``: stop here, to go on another time; asked first."""
    game = context.game
    if game is None or game.stage in (Stage.OVER, Stage.HALTED):
        return context.refuse("grammar.no_game")
    return Ask(text=context.speech.words.tell("slip.save"), command=SaveAndStop())


def _silent(context: Context, rest: str) -> Lost | Refusal:
    """Return who is meant: the one that was named, else the first about whom one may choose."""
    if context.game is None:
        return context.refuse("grammar.no_game")
    named = read_seat(rest, context.speech.names) if rest else None
    for lost in context.game.lost:
        if may_choose(context.game, lost) and (not rest or lost.seat == named):
            return lost
    if named is None or named in [lost.seat for lost in context.game.lost]:
        return context.refuse("silent.nobody")
    return context.refuse("silent.not_awaited", name=context.speech.names[named])
