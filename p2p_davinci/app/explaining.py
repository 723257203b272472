"""What was proved in a step of a logged game, by whom, and why it convinces: in plain words.

For lessons: every statement is told each time it is made, the reason for believing it once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from protocol import DROP_KIND, Envelope

from ..console.speech import Speech
from ..session.messages import read_body
from ..session.state import Round
from .retelling import Chapter

WHY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "commit": "seal",
        "open": "key",
        "shuffle": "shuffle",
        "take": "take",
        "shares.deal": "share",
        "shares.draw": "share",
        "arrange": "order",
        "answer.hit": "opening",
        "answer.miss": "miss",
        "stop.hidden": "order",
        "place": "opening",
        "place.order": "opening",
        "turn-up": "opening",
        "overdue": "clock",
        "overdue.hidden": "clock",
        "resign": "secret",
        "key": "secret",
        "key.out": "secret",
        "receipt": "receipt",
        DROP_KIND: "drop",
    }
)
"""The reason for believing each statement; where there is nothing to believe there is none."""


class Explainer:
    """Explains the chapters of a game, in their order."""

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        self._told: set[str] = set()

    def lines(self, round_: Round, chapter: Chapter) -> tuple[str, ...]:
        """Return what the messages of a chapter prove, and why, where it was not told before."""
        if chapter.step >= len(round_.transcript):
            return ()
        if chapter.kind == DROP_KIND:
            return self._explained(DROP_KIND, chapter.seats)
        said: dict[str, list[int]] = {}
        for envelope in round_.transcript[chapter.step]:
            said.setdefault(_statement(envelope, chapter, round_), []).append(envelope.payload.seat)
        return tuple(line for key, seats in said.items() for line in self._explained(key, seats))

    def _explained(self, statement: str, seats: Sequence[int]) -> tuple[str, ...]:
        words = self._speech.words
        what = words.tell(f"explain.{statement}", names=self._speech.named(seats))
        reason = WHY.get(statement)
        if reason is None or reason in self._told:
            return (what,)
        self._told.add(reason)
        return what, words.tell(f"explain.why.{reason}")


def _statement(envelope: Envelope, chapter: Chapter, round_: Round) -> str:
    """Return which statement a message makes; its form and its author tell."""
    kind, body = envelope.payload.kind, read_body(envelope.payload.body)
    match kind:
        case "shares":
            return "shares.draw" if chapter.turn else "shares.deal"
        case "answer":
            return "answer.miss" if body.fields[0] is False else "answer.hit"
        case "stop" | "overdue" if body.proofs:
            return f"{kind}.hidden"
        case "place" if body.proofs[-1]:
            return "place.order"
        case "key" if envelope.payload.seat != round_.board.winner:
            return "key.out"
    return kind
