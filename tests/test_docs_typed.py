"""What the manual says can be typed: all of it is understood, and nothing is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2p_davinci.console.commands import Place, Refusal
from p2p_davinci.console.context import Context
from p2p_davinci.console.grammar import read
from p2p_davinci.console.model import Model
from p2p_davinci.console.spelling import fold, read_call, split_place
from p2p_davinci.console.vocabulary import NO, PAGES, VERBS, YES, split_verb
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.state import Phase
from p2p_davinci.session.events import GameView, Lost, Stage
from p2p_davinci.text import Lang
from tests.test_docs import LANGS, MANUALS, SPAN, page
from tests.unit.console.lobbies import lobby
from tests.unit.console.scenes import context_of, dealing, game_view, moments, rules, state_after

NAMES = ("ana", "ada", "bo")
HELPED = rules(aids="assisted", clock="60+20")
HIDDEN = rules("standard")
SHOWN = re.compile(r"\[.*\]|\(.*\)|w4|Tab")
"""What the console shows, and a key."""


def typed(lang: Lang) -> list[str]:
    """The lines that the manual says can be typed, but for the places and names it explains."""
    first = {"en": "Saying things to the program", "zh": "怎样对程序说话"}[lang]
    text = page(MANUALS[lang]).partition(f"\n## {first}\n")[2]
    found = [span for span in SPAN.findall(text) if not SHOWN.fullmatch(span)]
    explained = {"2.3", "ada 3", "p2p-davinci resume", "--wait"}
    return [span for span in found if span not in explained]


def at(view: GameView, options: Options) -> Context:
    return context_of(replace(view, names=NAMES), options, mark=Place(seat=1, slot=3))


def contexts() -> Iterator[Context]:
    """Every place where something can be typed that cannot be typed elsewhere."""
    hall = Model(lang="en")
    yield replace(hall.context, found=1)
    yield replace(hall, lobby=lobby()).context
    dealt = ("w-", "b3", "w5", "b8")
    yield at(dealing("take"), HELPED)
    yield at(dealing("arrange", dealt=dealt), HELPED)
    turn = moments(HELPED)
    yield from (at(view, HELPED) for view in (turn.draw, turn.guess, turn.more, turn.place))
    yield at(moments(HIDDEN).draw, HIDDEN)
    missed = state_after(HELPED)
    yield at(game_view(replace(missed, phase=Phase.REVEAL, pile=(0, 0))), HELPED)
    yield at(game_view(state_after(HELPED, first=1)), HELPED)
    silent = Lost(seat=1, since_s=0.0, opens_s=0.0, votes=(), offered=True)
    yield at(replace(turn.draw, lost=(silent,)), HELPED)
    yield at(replace(turn.draw, stage=Stage.OVER), HELPED)


def verb_of(line: str) -> str | None:
    """The verb that begins a line; a call without one is a guess."""
    verb = split_verb(fold(line))
    if verb is not None:
        return verb[0]
    place = split_place(fold(line), NAMES)
    rest = fold(line) if place is None else re.sub("^ *=", "", place[1])
    return None if read_call(rest) is None else "guess"


@pytest.mark.parametrize("lang", LANGS)
def test_everything_that_the_manual_says_can_be_typed_is_understood(lang: Lang) -> None:
    lines = [line for line in typed(lang) if fold(line) not in YES | NO | {"guess", "猜"}]
    assert len(lines) >= 80
    everywhere = list(contexts())
    refused = [
        line
        for line in lines
        if all(isinstance(read(line, context), Refusal) for context in everywhere)
    ]
    assert refused == []


@pytest.mark.parametrize("lang", LANGS)
def test_the_manual_leaves_out_nothing_that_can_be_typed(lang: Lang) -> None:
    lines = typed(lang)
    assert set(VERBS) - {verb_of(line) for line in lines} == set()
    assert {"yes", "no"} <= set(lines) or {"是", "否"} <= set(lines)
    pages = {rest for line in lines for verb, _, rest in [split_verb(fold(line)) or ("", "", "")]}
    assert {PAGES[rest] for rest in pages if rest in PAGES} == set(PAGES.values())


@pytest.mark.parametrize("lang", LANGS)
def test_the_manual_speaks_its_own_language(lang: Lang) -> None:
    spellings = {verb: [word for word in words if word.isascii()] for verb, words in VERBS.items()}
    foreign = []
    for line in typed(lang):
        verb = split_verb(fold(line))
        if verb is not None and verb[1] != "?":
            english = verb[1] in spellings[verb[0]]
            foreign += [line] if english is not (lang == "en") else []
    assert foreign == []
