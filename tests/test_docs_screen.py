"""The screen that the READMEs show is the one that is painted for the turn they tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.app.shells import SHELLS
from p2p_davinci.console.bindings import CHAT, LINES
from p2p_davinci.console.canvas import fit
from p2p_davinci.console.commands import Place
from p2p_davinci.console.screen import BELOW_HEIGHT, FeedLine, Ui, paint, turn_of
from p2p_davinci.console.vocabulary import split_verb
from p2p_davinci.rules.moves import Answered, Drawn
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import Drew
from p2p_davinci.text import Lang
from tests.test_docs import LANGS, LAST_STOP, READMES, TYPED, Replay, blocks, page
from tests.unit.console.scenes import guessed

WIDTH, HEIGHT = 80, 24


def screen_shown(lang: Lang) -> list[str]:
    """Replay the fifth turn up to its hit; return the whole screen, without blanks at the ends."""
    replay = Replay(lang)
    draw, guess, _ = TYPED[lang]
    replay.happens(LAST_STOP)
    replay.model = replace(replay.model, on_screen=True, compared=True)
    replay.lines.clear()
    replay.type(draw)
    replay.happens(Drawn(deck=0))
    replay.drawn = parse_tile("b0")
    replay.tell(Drew(tile=replay.drawn))
    replay.type(guess)
    replay.happens(guessed("2.1", "1"))
    replay.happens(Answered(tile=parse_tile("w1")))
    model = replace(replay.model, mark=Place(seat=1, slot=2))
    round_, turn = turn_of(model)
    feed = tuple(FeedLine(text=line, round=round_, turn=turn) for line in replay.lines)
    lines = paint(model, Ui(feed=feed), WIDTH, HEIGHT - BELOW_HEIGHT)
    keys = fit((("", model.words.tell("screen.keys")),), WIDTH)
    return ["".join(text for _, text in line).rstrip() for line in (*lines, (("", "> "),), keys)]


@pytest.mark.parametrize("lang", LANGS)
def test_screen_in_the_readme_is_what_is_painted(lang: Lang) -> None:
    (shown,) = blocks(READMES[lang], "text screen")
    assert shown.splitlines() == screen_shown(lang)


@pytest.mark.parametrize("lang", LANGS)
def test_readme_names_every_key(lang: Lang) -> None:
    text = page(READMES[lang])
    for key in (*LINES, "f4"):
        name = f"Ctrl-{key[-1].upper()}" if key.startswith("c-") else key.upper()
        assert f"`{name}`" in text
    assert all(split_verb(line) is not None for line in (*LINES.values(), CHAT))
    for key in ("Tab", "Esc", "PgUp", "Ctrl-P"):
        assert f"`{key}`" in text


@pytest.mark.parametrize("lang", LANGS)
def test_readme_names_every_shell_that_can_complete(lang: Lang) -> None:
    text = page(READMES[lang])
    assert [shell for shell in SHELLS if f"`{shell}`" not in text] == []
