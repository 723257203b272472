"""What may stand in place of the word being typed; pure. It offers spellings, never a guess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..rules.options import FORMS, PRESETS, SEATS_MAX, SEATS_MIN
from .context import Context
from .spelling import fold
from .vocabulary import VERBS, split_verb

_HALL = ("tables", "open", "join", "saved", "resume", "delete", "rules")
_LOBBY = ("ready", "seat", "youngest", "option", "rules", "players", "decline", "leave")
_GAME = (
    *("draw", "stop", "slot", "reveal", "take", "arrange", "resign", "clock", "say"),
    *(
        "board",
        "row",
        "repeat",
        "log",
        "note",
        "candidates",
        "mark",
        "compare",
        "compared",
        "rules",
    ),
)
_ALWAYS = ("legal", "help", "language", "quit")
_NAMED = frozenset(("row", "note", "candidates", "mark", "seat", "youngest", "decline", "guess"))


def completions(context: Context, text: str) -> tuple[str, ...]:
    """Return the words that may replace the last word of ``text`` (what follows its last blank)."""
    head, _, last = text.rpartition(" ")
    offered = _first_words(context) if not head.strip() else _next_words(context, head)
    begun = fold(last)
    return tuple(word for word in offered if fold(word).startswith(begun))


def _first_words(context: Context) -> tuple[str, ...]:
    if context.game is not None:
        verbs: Sequence[str] = _GAME
    else:
        verbs = _HALL if context.lobby is None else _LOBBY
    spellings = (_spelt(context, verb) for verb in (*verbs, *_ALWAYS))
    return (*spellings, *(context.speech.names if context.game is not None else ()))


def _spelt(context: Context, verb: str) -> str:
    words = VERBS[verb]
    if context.speech.words.lang == "en":
        return words[0]
    return next((word for word in words if not word.isascii()), words[0])


def _next_words(context: Context, head: str) -> Iterable[str]:
    verb = split_verb(fold(head))
    match verb:
        case None:
            return ()
        case ("draw" | "take", _, _):
            return ("black", "white") if context.speech.words.lang == "en" else ("黑", "白")
        case ("option", _, ""):
            return FORMS
        case ("option", _, key) if key in FORMS:
            return FORMS[key].choices
        case ("rules", _, _):
            return PRESETS
        case ("players", _, _):
            return map(str, range(SEATS_MIN, SEATS_MAX + 1))
        case ("language", _, _):
            return ("en", "zh")
        case ("help", _, _):
            return (_spelt(context, name) for name in VERBS)
        case (name, _, _) if name in _NAMED:
            return context.speech.names
        case _:
            return ()
