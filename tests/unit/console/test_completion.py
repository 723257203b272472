from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.console.completion import completions
from p2p_davinci.console.context import Context
from p2p_davinci.console.model import Model
from p2p_davinci.rules.options import FORMS, PRESETS
from tests.unit.console.lobbies import lobby
from tests.unit.console.scenes import context_of, moments, rules

CLASSIC = moments(rules())
GAME = context_of(CLASSIC.guess, CLASSIC.options)
CHINESE = context_of(CLASSIC.guess, CLASSIC.options, "zh")
TABLE = replace(Model(lang="en"), lobby=lobby()).context
HALL = Model(lang="en").context


@pytest.mark.parametrize(
    ("context", "text", "words"),
    [
        (GAME, "dr", ("draw",)),
        (GAME, "DR", ("draw",)),
        (GAME, "re", ("reveal", "resign", "repeat")),
        (GAME, "b", ("board", "bo")),
        (GAME, "draw ", ("black", "white")),
        (GAME, "draw w", ("white",)),
        (GAME, "row ", ("ana", "bo", "cy")),
        (GAME, "row c", ("cy",)),
        (GAME, "help dr", ("draw",)),
        (GAME, "language ", ("en", "zh")),
        (GAME, "nonsense ", ()),
        (GAME, "2.3 ", ()),
        (GAME, "say ", ()),
        (CHINESE, "牌", ("牌面", "牌列")),
        (CHINESE, "抽 ", ("黑", "白")),
        (TABLE, "o", ("option",)),
        (TABLE, "option ", tuple(FORMS)),
        (TABLE, "option jokers ", ("yes", "no")),
        (TABLE, "option wings ", ()),
        (TABLE, "rules ", tuple(PRESETS)),
        (TABLE, "players ", ("2", "3", "4")),
        (TABLE, "youngest b", ("bo",)),
        (HALL, "o", ("open",)),
        (HALL, "ready", ()),
    ],
)
def test_words_are_offered_for_where_one_is(
    context: Context, text: str, words: tuple[str, ...]
) -> None:
    assert completions(context, text) == words


def test_no_guess_is_ever_offered() -> None:
    texts = ("", "2.3 ", "2.3 = ", "bo 3 = ")
    offered = {word for text in texts for word in completions(GAME, text)}
    assert not any(any(char.isdigit() for char in word) for word in offered)
    assert {"black", "joker"} & offered == set()
