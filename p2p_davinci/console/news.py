"""News of a game: the session's events and views go into the model, sentences come out.

Pure. What an event says is told by it; what only shows when two views are compared (who is out,
an empty pile, a link that broke, whose turn it is now) is told by the comparison, so nothing is
forgotten when a program catches up after a break.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..rules.moves import Guessed, Overran, Placed, Stopped
from ..rules.options import Options
from ..rules.state import Phase, State
from ..session.events import (
    Dealt,
    Drew,
    Event,
    GameOver,
    GameView,
    Halted,
    Happened,
    Offered,
    Progress,
    Refused,
    RoundOver,
    Stage,
)
from .board import board_lines, turn_number
from .commands import Place
from .model import Lines, LogLine, Model, Note, Told, told
from .prompts import Situation, legal, now
from .telling import Scene, tell_event

LOG_LINES_KEPT = 2000

_PRIVATE = (Dealt, Drew, Refused, Progress)
"""Events that the log of what everybody saw leaves out."""
_CLOSING = (RoundOver, GameOver, Halted)
"""Events that are told after everything that led to them."""


def enter_game(model: Model, options: Options, compared: bool = False) -> Model:
    """Prepare for a game that begins under these rules; ``compared``: all are known to be real."""
    return replace(
        model,
        options=options,
        game=None,
        mark=None,
        notes=(),
        question=None,
        reminded=False,
        page="main",
        placing=False,
        log_path="",
        compared=compared,
    )


def show_game(model: Model, events: Sequence[Event], view: GameView) -> Told:
    """Take the events of one step of the session and the view after it; tell them in order.

    Raises:
        ValueError: no :func:`enter_game` before.
    """
    options = model.options
    if options is None:
        raise ValueError("enter_game comes first")
    known = before = model.game
    if before is not None and before.round != view.round:
        model = replace(model, mark=None, notes=())
        before = None
    facts = [event for event in events if not isinstance(event, _CLOSING)]
    closing = [event for event in events if isinstance(event, _CLOSING)]
    moved = any(isinstance(event, Happened) for event in facts)
    after = replace(model, game=view, placing=model.placing and not moved)
    after, lines = _tell(after, options, before, facts)
    changed = _table_changes(after, before, view)
    after = _logged(after, changed, before)
    after, closed = _tell(after, options, before, closing)
    lines = (*lines, *changed, *closed, *_end_rows(after, before, view))
    offered = [event.seat for event in events if isinstance(event, Offered)]
    lines = (*lines, *_link_changes(after, known, view, offered))
    lines = (*lines, *_comparison(after, before, view))
    if known is None and view.resigning:
        lines = (*lines, model.words.tell("resign.waits"))
    return told(after, (*lines, *_due(after, before, view)))


def _tell(
    model: Model, options: Options, before: GameView | None, events: Sequence[Event]
) -> tuple[Model, Lines]:
    view = model.game
    guess = None if before is None or before.board is None else before.board.state.pending
    lines: list[str] = []
    for event in _thinned(events):
        if isinstance(event, Happened) and isinstance(event.fact, Guessed):
            guess = event.fact
        if view is None:
            break
        scene = Scene(speech=model.speech, options=options, view=view, guess=guess)
        spoken = tell_event(scene, event)
        model = _followed(model, event)
        if not isinstance(event, _PRIVATE):
            model = _logged(model, spoken, before)
        lines += spoken
        if isinstance(event, Refused):
            lines.append(legal(_situation(model, options, view)))
    return model, tuple(lines)


def _thinned(events: Sequence[Event]) -> Iterator[Event]:
    """Leave out the progress that is overtaken within the same batch."""
    last = {event.kind: event for event in events if isinstance(event, Progress)}
    for event in events:
        if not isinstance(event, Progress) or last[event.kind] is event:
            yield event


def _situation(model: Model, options: Options, view: GameView) -> Situation:
    return Situation(speech=model.speech, options=options, view=view)


def _logged(model: Model, lines: Lines, before: GameView | None) -> Model:
    board = None if before is None else before.board
    turn = 1 if board is None else turn_number(board.state)
    number = 1 if model.game is None else model.game.round
    new = tuple(LogLine(round=number, turn=turn, text=line) for line in lines)
    return replace(model, log=(*model.log, *new)[-LOG_LINES_KEPT:])


def _followed(model: Model, event: Event) -> Model:
    """Let mark and notes follow their tiles when a row grows."""
    if not isinstance(event, Happened) or not isinstance(event.fact, Stopped | Placed | Overran):
        return model
    if event.fact.slot is None:
        return model
    grown = Place(seat=event.seat, slot=event.fact.slot)
    notes = tuple(Note(place=_moved(note.place, grown), text=note.text) for note in model.notes)
    mark = None if model.mark is None else _moved(model.mark, grown)
    return replace(model, notes=notes, mark=mark)


def _moved(place: Place, grown: Place) -> Place:
    if place.seat == grown.seat and place.slot >= grown.slot:
        return replace(place, slot=place.slot + 1)
    return place


# --- what two views show when they are compared ----------------------------------------------


def _state(view: GameView | None) -> State | None:
    return None if view is None or view.board is None else view.board.state


def _table_changes(model: Model, before: GameView | None, view: GameView) -> Lines:
    """Tell who fell out, and that the pile is empty now."""
    old, new = _state(before), _state(view)
    if old is None or new is None:
        return ()
    lines = [model.speech.tell("out", seat) for seat in _fallen(old, new)]
    if any(old.pile) and not any(new.pile):
        why = "closed" if new.dropped else "empty"
        lines.append(model.words.tell(f"pile.{why}.{new.options.empty_miss}"))
    return tuple(lines)


def _fallen(old: State, new: State) -> Iterator[int]:
    return (seat for seat in new.out if seat not in (*old.out, *new.dropped))


def _link_changes(
    model: Model, before: GameView | None, view: GameView, offered: Sequence[int]
) -> Lines:
    """Tell who left, whose link broke, and who is back; each once.

    Who is not there when one's own program comes back is looked for, as was told already.
    That somebody ``offered`` has left is told with the offer.
    """
    if view.stage in (Stage.OVER, Stage.HALTED):
        return ()
    speech = model.speech
    down, left = ((), ()) if before is None else (before.down, before.left)
    gone = [seat for seat in view.left if seat not in (*left, *offered)]
    broken = () if before is None else view.down
    lost = [seat for seat in broken if seat not in (*down, *view.left)]
    back = [seat for seat in {*down, *left} if seat not in (*view.down, *view.left)]
    return (
        *(speech.tell("link.left_out" if seat in view.out else "link.left", seat) for seat in gone),
        *(
            speech.tell("link.elsewhere" if seat in view.elsewhere else "link.down", seat)
            for seat in lost
        ),
        *(speech.tell("link.up", seat) for seat in sorted(back)),
    )


def _comparison(model: Model, before: GameView | None, view: GameView) -> Lines:
    if model.compared or not view.compare or (before is not None and before.compare):
        return ()
    return comparison_lines(model)


def comparison_lines(model: Model) -> Lines:
    """Return the words and digits that all must see alike, and what comparing them is for."""
    view = model.game
    if view is None:
        return ()
    words = model.words.tell("compare", words=" ".join(view.compare), digits=view.digits)
    return words, model.words.tell("compare.done" if model.compared else "compare.why")


def _end_rows(model: Model, before: GameView | None, view: GameView) -> Lines:
    told = before is not None and before.faces is not None
    # The last rows stay on the screen; those of another round make room for the next deal.
    rounds = 1 if model.options is None else model.options.rounds
    if view.faces is None or told or (model.on_screen and view.round >= rounds):
        return ()
    return board_lines(model.speech, view)


def _due(model: Model, before: GameView | None, view: GameView) -> Lines:
    """Tell whose turn it is and what is due, unless that was told before."""
    options = model.options
    if options is None:
        return ()
    situation = _situation(model, options, view)
    lines = now(situation)
    if not lines:
        return _board_between(model, before, view)
    if before is not None and lines == now(_situation(model, options, before)):
        return ()
    if view.due:
        help_ = () if model.on_screen else (legal(situation),)
        return (*_board_now(model, before, situation), *lines, *help_)
    if model.on_screen:
        return ()
    # While a round is set up, its progress says already who is awaited.
    return (*_board_now(model, before, situation), *(lines if view.board is not None else ()))


def _board_now(model: Model, before: GameView | None, situation: Situation) -> Lines:
    board = situation.state_view
    if board is None:
        return ()
    begins = _state(before) is None
    state = board.state
    mine = situation.my_turn and state.drawn is None and state.phase in (Phase.DRAW, Phase.GUESS)
    if (begins or mine) and not model.on_screen:
        return board_lines(model.speech, situation.view, model.mark)
    return ()


def _board_between(model: Model, before: GameView | None, view: GameView) -> Lines:
    """Tell the table though nothing is due, to a player whose program came back just then."""
    # Faces are told as the rows at the end.
    if _state(before) is not None or view.faces is not None or model.on_screen:
        return ()
    return board_lines(model.speech, view, model.mark)


# --- time ------------------------------------------------------------------------------------


def show_quiet(model: Model, seat: int, silent_s: int) -> Told:
    """Tell that nothing was heard from ``seat`` for so many seconds; 0: it is heard again."""
    if silent_s == 0:
        return told(model, (model.speech.tell("link.heard", seat),))
    return told(model, (model.speech.tell("link.quiet", seat, seconds=silent_s),))


def show_waiting(model: Model, waited_s: int) -> Told:
    """Tell whom the table has been waiting for, for what, and for how many seconds."""
    view, words = model.game, model.words
    if view is None:
        return Told(model=model)
    # About whom the player is being asked, nothing more need be said.
    asked = [lost.seat for lost in view.lost if lost.offered]
    awaited = [seat for seat in view.awaited if seat not in asked]
    if not awaited:
        return Told(model=model)
    line = words.tell(
        "wait.long",
        names=model.speech.named(awaited),
        step=words.reason("step", view.kind),
        seconds=waited_s,
    )
    return told(model, (line,))
