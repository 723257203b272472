"""What may be chosen at a moment instead of typed, wherever the player is.

Pure. In plain mode choices are taken by number, on the screen with arrows and Enter; either way
what is taken is a line of the grammar.
"""

from __future__ import annotations

from .choices import Offer, game_offer, silence_offer, yes_or_no
from .model import Model
from .pages import hall_offer, lobby_offer, look_offer, open_offer, over_offer, saved_offer


def offer(model: Model) -> Offer | None:
    """Return the choices that this moment has to offer, if any."""
    words = model.words
    if model.question is not None:
        return yes_or_no(words, f"question {type(model.question).__name__}")
    if model.naming:
        return None
    if model.page == "look":
        return look_offer(words, model.look)
    if model.over:
        return over_offer(words, again=model.lobby is not None) if model.asks_on else None
    situation = model.context.situation
    if situation is not None:
        return game_offer(situation, placing=model.placing) or silence_offer(situation)
    if model.lobby is not None:
        return lobby_offer(words, model.lobby, model.page)
    if model.page == "open":
        return open_offer(words, model.draft)
    if model.page == "saved":
        return saved_offer(words, model.saved)
    return hall_offer(words, model.found, len(model.saved), model.name)


def chosen_line(model: Model, text: str) -> str | None:
    """Return the line of the choice that folded ``text`` takes, if it takes one."""
    found = offer(model)
    items = () if found is None else found.items
    return next((item.line for item in items if item.key == text), None)


def offer_lines(model: Model) -> tuple[str, ...]:
    """Return the choices as sentences, each with what takes it."""
    found = offer(model)
    if found is None:
        return (model.words.tell("menu.nothing"),)
    tell = model.words.tell
    rows = (tell("menu.item", number=item.key, text=item.text) for item in found.items)
    return (found.title, *rows, tell("menu.choose"))
