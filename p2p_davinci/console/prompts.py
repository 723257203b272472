"""What is due now: whose turn it is, what that player must do, and what the listener may type.

Pure; everything is derived from one view, so the same question always has the same answer. With
jokers in the game the player is asked for an arrangement and for every slot whether or not there
is a choice: asking only when a joker makes one would tell the others that it is there. Without
jokers there is never a choice, and the session acts by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..rules.options import Options
from ..rules.state import Phase, View
from ..rules.tiles import Colour, legal_slots
from ..session.events import GameView, Lost, Stage
from .speech import Speech

Lines = tuple[str, ...]

_DEAL_KINDS = frozenset(("take", "arrange"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A game at one moment for one listener."""

    speech: Speech
    options: Options
    view: GameView

    @property
    def state_view(self) -> View | None:
        """The board, while the round is being played."""
        return self.view.board if self.view.stage is Stage.PLAY else None

    @property
    def my_turn(self) -> bool:
        """Whether the listener is in turn (he may still have to wait for the others' programs)."""
        board = self.state_view
        return board is not None and board.seat is not None and board.state.turn == board.seat


def drawn_slots(view: View) -> tuple[int, ...]:
    """Return the slots at which one's own drawn tile may stand; none without one."""
    return () if view.drawn is None else legal_slots(view.own, view.drawn)


def standing_slots(view: View) -> tuple[int, ...]:
    """Return the slots of one's own tiles that still stand."""
    if view.seat is None:
        return ()
    row = view.state.rows[view.seat]
    return tuple(slot for slot, piece in enumerate(row, start=1) if piece.standing)


def may_choose(view: GameView, lost: Lost) -> bool:
    """Tell whether it is time to choose what to do about a silent player.

    It is when that is offered, and when somebody else has voted: also a player who wanted to wait
    can follow.
    """
    return lost.offered or (bool(lost.votes) and view.seat not in lost.votes)


# --- whose turn ------------------------------------------------------------------------------


def now(situation: Situation) -> Lines:
    """Return whose turn it is and what that player must do; empty when nothing is due."""
    view = situation.view
    if view.stage is Stage.SETUP:
        return _setup(situation)
    if situation.state_view is None:
        return ()
    if situation.my_turn:
        return _mine(situation, situation.state_view) if view.due else ()
    return _theirs(situation, situation.state_view)


def _setup(situation: Situation) -> Lines:
    view, words = situation.view, situation.speech.words
    if view.due and view.kind == "take":
        return (words.tell("ask.take", count=view.hand),)
    if view.due and view.kind == "arrange":
        return (words.tell("ask.arrange", tiles=situation.speech.order(view.dealt)),)
    step = words.reason("step", view.kind)
    return (words.tell("wait.setup", step=step, names=situation.speech.named(view.awaited)),)


def _mine(situation: Situation, board: View) -> Lines:
    speech, words, state = situation.speech, situation.speech.words, board.state
    match state.phase:
        case Phase.DRAW:
            return (words.tell("ask.draw", pile=speech.pile(state.pile)), *_clock(situation))
        case Phase.GUESS if board.drawn is not None:
            return (words.tell("ask.guess", tile=speech.tile(board.drawn)),)
        case Phase.GUESS:
            return (words.tell("ask.guess_empty"), *_clock(situation))
        case Phase.MORE:
            return (_more(situation, board),)
        case Phase.PLACE if board.drawn is not None:
            slots = speech.listed(map(str, drawn_slots(board)))
            return (words.tell("ask.place", tile=speech.tile(board.drawn), slots=slots),)
        case Phase.REVEAL:
            slots = speech.listed(map(str, standing_slots(board)))
            return (words.tell("ask.reveal", slots=slots),)
        case _:
            return ()


def _more(situation: Situation, board: View) -> str:
    speech, words = situation.speech, situation.speech.words
    if board.drawn is None:
        return words.tell(f"ask.more_empty.{situation.options.empty_miss}")
    tile = speech.tile(board.drawn)
    if situation.options.jokers:
        slots = speech.listed(map(str, drawn_slots(board)))
        return words.tell("ask.more_slot", tile=tile, slots=slots)
    return words.tell("ask.more", tile=tile)


def _theirs(situation: Situation, board: View) -> Lines:
    state = board.state
    if state.phase in (Phase.ANSWER, Phase.OVER) or situation.view.kind == "key":
        return ()
    line = situation.speech.tell(f"turn.{state.phase.value}", state.turn)
    return (line, *_clock(situation)) if state.phase is Phase.DRAW else (line,)


def _clock(situation: Situation) -> Lines:
    clock = situation.options.clock
    if clock is None:
        return ()
    line = situation.speech.words.tell("clock.rule", think=clock.think_s, call=clock.call_s)
    return (line,)


# --- what may be typed -----------------------------------------------------------------------


def legal(situation: Situation) -> str:
    """Return what the listener may type now."""
    forms = situation.speech.listed(legal_forms(situation))
    if not forms:
        return situation.speech.words.tell("legal.none")
    return situation.speech.words.tell("legal", forms=forms)


def legal_forms(situation: Situation, *, short: bool = False) -> list[str]:
    """Return each thing that the listener may type now; ``short``: slots as from-to."""
    view, words, board = situation.view, situation.speech.words, situation.state_view
    if view.stage is Stage.SETUP and view.due and view.kind in _DEAL_KINDS:
        return [words.tell(f"form.{view.kind}")]
    away = [words.tell("form.save")] if view.seat is not None and (view.lost or view.down) else []
    if board is None or board.seat is None:
        return away if view.stage is Stage.SETUP else []
    if not (situation.my_turn and view.due):
        forms = [] if situation.options.clock is None else [words.tell("form.clock")]
        forms += away
        return forms if board.seat in board.state.out else [*forms, words.tell("form.resign")]
    return _turn_forms(situation, board, short)


def _turn_forms(situation: Situation, board: View, short: bool) -> list[str]:
    words, phase = situation.speech.words, board.state.phase
    guesses = [words.tell(f"form.guess.{situation.options.call}")]
    if situation.options.jokers:
        guesses.append(words.tell("form.joker"))
    resign = words.tell("form.resign")
    match phase:
        case Phase.DRAW:
            return [*_draw_forms(situation, board), resign]
        case Phase.GUESS:
            return [*guesses, resign]
        case Phase.MORE:
            stop = "form.stop"
            if situation.options.jokers and board.drawn is not None:
                stop = "form.stop_slot"
            slots = _slots(drawn_slots(board), short)
            return [*guesses, words.tell(stop, slots=slots), resign]
        case Phase.PLACE:
            return [words.tell("form.slot", slots=_slots(drawn_slots(board), short))]
        case Phase.REVEAL:
            return [words.tell("form.reveal", slots=_slots(standing_slots(board), short))]
        case _:
            return []


def _slots(slots: Sequence[int], short: bool) -> str:
    if short and len(slots) > 1:
        return f"{slots[0]}-{slots[-1]}"
    return "/".join(map(str, slots))


def _draw_forms(situation: Situation, board: View) -> list[str]:
    words, pile = situation.speech.words, board.state.pile
    if len(pile) == 1:
        return [words.tell("form.draw")]
    return [
        words.tell("form.draw_colour", colour=situation.speech.colour(colour))
        for colour in Colour
        if pile[colour]
    ]
