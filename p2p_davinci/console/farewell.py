"""What stays on the terminal after the screen is gone: how things ended, in a few lines.

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..session.events import GameView, Stage
from .model import Lines, Model
from .telling import points_line

UNSEEN_LINES_MAX: Final = 12


def farewell_lines(model: Model | None, unseen: Sequence[str]) -> Lines:
    """Return the last lines that nobody may have seen, and how the game ended, if there was one.

    ``unseen`` was told after the last line was typed.
    """
    ended = () if model is None or model.game is None else _ended(model, model.game)
    latest = tuple(unseen[-UNSEEN_LINES_MAX:])
    return (*latest, *(line for line in ended if line not in latest))


def _ended(model: Model, view: GameView) -> Lines:
    words, speech = model.words, model.speech
    match view.stage:
        case Stage.OVER:
            names = speech.named(view.winners) or words.tell("nobody")
            lines = [words.tell("farewell.over", names=names)]
            if any(view.totals):
                lines.append(points_line(speech, "points.total", view.totals))
            head = view.head.hex()[:16]
            return (*lines, words.tell("game_over.head", head=head))
        case Stage.HALTED:
            return (words.tell("farewell.halted"),)
        case _:
            return (words.tell("farewell.unfinished"),)
