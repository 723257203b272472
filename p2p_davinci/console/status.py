"""The two short lines above the input: what is due from whom, and what can be done about it.

Pure. The log tells the same at length; these lines never take more than one line of 79 cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from ..rules.state import Phase, View
from ..session.events import GameView, Stage
from ..session.lobby_events import LobbyView
from ..text import Words
from .choices import Item, Offer
from .commands import Place
from .lobby import lobby_speech
from .model import Model
from .offers import offer
from .prompts import Situation, legal_forms
from .speech import Speech

SILENT_FROM_S: Final = 4
"""From so many seconds on a silence is counted; answers take a moment."""


def due_line(model: Model, now_s: float | None = None) -> str:
    """Return whom this moment awaits, and for what; ``now_s`` is on the session's clock."""
    words = model.words
    found = offer(model)
    if found is not None and found.across:
        return found.title
    if model.naming:
        return words.tell("status.name")
    if model.game is not None:
        return _silence(model, model.game, now_s) or _game_line(model, model.game)
    if model.lobby is not None:
        return _lobby_line(model, model.lobby)
    return words.tell("status.hall")


def _silence(model: Model, view: GameView, now_s: float | None) -> str:
    """Return how long somebody has been silent, unless it is this player's move all the same."""
    if now_s is None or view.due:
        return ""
    left = [lost.seat for lost in view.lost if lost.left]
    if left:
        return model.words.tell("status.left", names=model.speech.briefly(left))
    silent = [lost for lost in view.lost if now_s - lost.since_s >= SILENT_FROM_S]
    if not silent:
        return ""
    left_s = math.ceil(min(lost.asks_s for lost in silent) - now_s)
    return model.words.tell(
        "status.silent" if left_s > 0 else "status.silent.waits",
        names=model.speech.briefly([lost.seat for lost in silent]),
        silent=int(now_s - min(lost.since_s for lost in silent)),
        left=left_s,
    )


def _game_line(model: Model, view: GameView) -> str:
    speech, words = model.speech, model.words
    match view.stage:
        case Stage.PLAY | Stage.ENDING if view.owing:
            return words.tell("status.promises", names=speech.briefly(view.owing))
        case Stage.OVER:
            names = speech.briefly(view.winners) or words.tell("nobody")
            return words.tell("status.over", names=names)
        case Stage.HALTED:
            return words.tell("status.halted")
        case Stage.ENDING:
            return words.tell("status.ending")
        case Stage.SETUP if view.due and view.kind in ("take", "arrange"):
            return words.tell(f"status.{view.kind}")
        case Stage.PLAY if view.board is not None:
            return _turn_line(speech, view, view.board)
        case _:
            step = words.reason("step", view.kind)
            return words.tell("status.setup", step=step, names=speech.briefly(view.awaited))


def _turn_line(speech: Speech, view: GameView, board: View) -> str:
    state, words = board.state, speech.words
    if view.kind == "key":
        return words.tell("status.key", names=speech.briefly(view.awaited))
    if state.pending is not None:
        place = str(Place(seat=state.pending.seat, slot=state.pending.slot))
        values = {"place": place, "call": speech.call(state.pending.call)}
        if state.pending.seat == speech.me:
            return words.tell("status.answer.mine", **values)
        return words.tell("status.answer", name=speech.names[state.pending.seat], **values)
    if state.turn != board.seat:
        return words.tell(f"status.their.{state.phase.value}", name=speech.names[state.turn])
    if not view.due:
        return words.tell("status.sending", names=speech.briefly(view.awaited))
    match state.phase:
        case Phase.GUESS:
            empty = "_empty" if board.drawn is None else ""
            return words.tell(f"status.guess{empty}.{state.options.call}")
        case phase:
            return words.tell(f"status.{phase.value}")


def _lobby_line(model: Model, lobby: LobbyView) -> str:
    words = model.words
    if not lobby.members:
        return words.tell("status.lobby.knocking")
    missing = lobby.seats - len(lobby.members)
    if missing > 0:
        return words.tell("status.lobby.players", missing=missing)
    spoken = lobby_speech(words, lobby)
    unlinked = [seat for seat, member in enumerate(lobby.members) if not member.linked]
    if unlinked:
        return words.tell("status.lobby.links", names=spoken.briefly(unlinked))
    if any(not member.ready for member in lobby.members if member.key == lobby.me):
        return words.tell("status.lobby.say")
    unready = [seat for seat, member in enumerate(lobby.members) if not member.ready]
    return words.tell("status.lobby.ready", names=spoken.briefly(unready))


def hint_line(model: Model, picked: Item | None, completed: Sequence[str]) -> str:
    """Return what can be done: words that complete the input, choices, or what may be typed."""
    words = model.words
    if completed:
        return words.tell("status.words", words=" ".join(completed))
    found = offer(model)
    if found is not None and found.across and found.items:
        return strip(words, found, picked)
    if found is not None and picked is None and found.items:
        return words.tell("status.pick")
    if found is not None and picked is not None:
        return words.tell("status.adjust" if picked.back is not None else "status.choose")
    situation = model.context.situation
    if situation is None:
        return ""
    return words.tell("status.type", forms=model.speech.listed(_short_forms(situation)))


def strip(words: Words, found: Offer, picked: Item | None) -> str:
    """Return short choices side by side, the picked one in brackets and explained."""
    keys = [f"[{item.key}]" if item == picked else f" {item.key} " for item in found.items]
    text = words.tell("status.pick") if picked is None else picked.text
    return f"{''.join(keys)}  {text}"


def _short_forms(situation: Situation) -> list[str]:
    help_ = situation.speech.words.tell("form.help")
    return [*legal_forms(situation, short=True), help_]
