"""What a listener hears when something happens: helpers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from p2p_davinci.console.news import show_game
from p2p_davinci.rules.moves import (
    Fact,
)
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import (
    Event,
    GameView,
    Happened,
)
from tests.unit.console.scenes import (
    game_view,
    model_of,
    moments,
    rules,
    state_after,
)

CLASSIC = moments(rules())
W4, B9 = parse_tile("w4"), parse_tile("b9")


def news(
    before: GameView | None,
    events: Sequence[Event],
    after: GameView,
    options: Options | None = None,
    **changes: object,
) -> tuple[str, ...]:
    model = replace(model_of(before, options or rules()), **changes)  # type: ignore[arg-type]
    return show_game(model, events, after).lines


def fact_told(
    before: GameView, seat: int, fact: Fact, after: GameView, options: Options | None = None
) -> str:
    return news(before, [Happened(seat=seat, fact=fact)], after, options)[0]


def others_turn(*facts: Fact, options: Options | None = None, me: int = 0) -> GameView:
    """Return seat ``me``'s view in seat 1's turn."""
    return game_view(state_after(options or rules(), facts, first=1), seat=me)
