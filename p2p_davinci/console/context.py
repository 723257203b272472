"""All that the meaning of a typed line depends on: where the player is, and what he sees there."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.options import Options
from ..rules.state import View
from ..session.events import GameView
from ..session.lobby_events import LobbyView
from .clean import clean
from .commands import FIRST_LOOK, NEW_DRAFT, Draft, Look, Place, Refusal
from .prompts import Situation, legal
from .speech import Speech

QUOTED_WIDTH_MAX = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Where a line was typed: before any table, at a table being formed, or in a game.

    ``game`` hides ``lobby``. ``found`` is how many tables were last listed, ``draft`` the table
    that ``open`` would open.
    """

    speech: Speech
    options: Options | None = None
    game: GameView | None = None
    lobby: LobbyView | None = None
    found: int = 0
    mark: Place | None = None
    draft: Draft = NEW_DRAFT
    look: Look = FIRST_LOOK

    @property
    def situation(self) -> Situation | None:
        """The game, as :mod:`.prompts` wants it."""
        if self.game is None or self.options is None:
            return None
        return Situation(speech=self.speech, options=self.options, view=self.game)

    @property
    def board(self) -> View | None:
        """The board, once the rows stand."""
        return None if self.game is None else self.game.board

    @staticmethod
    def quoted(text: str) -> str:
        """Return what was typed as it may be told back."""
        return clean(text, QUOTED_WIDTH_MAX)

    def refuse(self, key: str, **values: str | int) -> Refusal:
        """Return a refusal: the sentence under ``key``, and that nothing was sent."""
        return self.refusal(self.speech.words.tell(key, **values))

    def refusal(self, why: str) -> Refusal:
        """Return a refusal for a reason that is already worded."""
        return Refusal(text=self.speech.run(why, self.speech.words.tell("nothing_sent")))

    def not_now(self, why: str) -> Refusal:
        """Return a refusal that also says what may be typed instead."""
        situation = self.situation
        hint = "" if situation is None else legal(situation)
        nothing = self.speech.words.tell("nothing_sent")
        return Refusal(text=self.speech.run(why, nothing, hint))
