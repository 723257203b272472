"""What is told when somebody was caught: where the evidence lies, and how a cheat was found."""

from __future__ import annotations

from collections.abc import Iterator

from ..console.speech import Speech
from ..session.events import Blamed, GameOver
from .cheats import CHEATS
from .seat import Update


def aftermath(speech: Speech, cheat: str | None, update: Update) -> Iterator[str]:
    """Yield what is to be told after the news of an update; ``cheat`` is what a bot was to try."""
    words = speech.words
    if update.evidence is not None:
        seat, path = update.evidence
        yield words.tell("app.evidence", name=speech.name(seat), path=str(path))
    if cheat is None:
        return
    for event in update.events:
        match event:
            case Blamed(seat=seat, check=check):
                name = speech.name(seat)
                yield words.tell(f"lesson.{cheat}.tried", name=name)
                if check in CHEATS[cheat].checks:
                    yield words.tell(f"lesson.{cheat}.caught", name=name)
                yield words.tell("lesson.more")
            case GameOver():
                yield words.tell("lesson.no_occasion", cheat=cheat)
