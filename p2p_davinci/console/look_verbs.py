"""The verbs about the console itself: menu, name, language, tiles, theme, bell.

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from .clean import NAME_WIDTH_MAX, clean
from .commands import Page, Reading, SetLanguage, SetLook, SetName, ShowMenu, Theme, Tiles
from .context import Context
from .vocabulary import LANGUAGES, OFF, ON, PAGES

NAME_BYTES_MAX: Final = 64
TILES: Final[tuple[Tiles, ...]] = ("auto", "box", "block", "ascii")
THEMES: Final[tuple[Theme, ...]] = ("dark", "light", "mono")

_PLACES: Final[Mapping[Page, str]] = MappingProxyType(
    {"open": "hall", "saved": "hall", "rules": "lobby", "seats": "lobby", "away": "lobby"}
)
"""Where a page is to be had; the others everywhere."""


def menu(context: Context, rest: str) -> Reading:
    """``menu``, ``menu rules``: the choices that this place has to offer, by number."""
    page = PAGES.get(rest)
    if page is None:
        return context.refuse("grammar.no_page", page=context.quoted(rest))
    away = "game" if context.game is not None else "lobby"
    here = "hall" if away == "lobby" and context.lobby is None else away
    if _PLACES.get(page, here) != here:
        return context.refuse(f"grammar.page_{_PLACES[page]}")
    if page == "away" and context.lobby is not None and context.lobby.me != context.lobby.opener:
        return context.refuse("grammar.not_opener")
    return ShowMenu(page=page)


def read_name(text: str) -> str | None:
    """Return the name that ``text`` makes, or ``None`` if it makes none."""
    name = clean(text, NAME_WIDTH_MAX)
    return name if name and len(name.encode()) <= NAME_BYTES_MAX else None


def name(context: Context, said: str) -> Reading:
    """``name ana``: what the others call this player, from the next table on."""
    if context.lobby is not None or context.game is not None:
        return context.refuse("grammar.at_a_table")
    read = read_name(said)
    if read is None:
        return context.refuse("grammar.name_unclear", width=NAME_WIDTH_MAX)
    return SetName(name=read)


def language(context: Context, rest: str) -> Reading:
    """``language en``, ``language zh``; alone, the other one."""
    if not rest:
        return SetLanguage(lang="en" if context.speech.words.lang == "zh" else "zh")
    lang = LANGUAGES.get(rest)
    if lang is None:
        return context.refuse("grammar.language_unclear")
    return SetLanguage(lang="zh" if lang == "zh" else "en")


def tiles(context: Context, rest: str) -> Reading:
    """``tiles ascii``: how tiles are drawn."""
    for kind in TILES:
        if rest == kind:
            return SetLook(look=replace(context.look, tiles=kind))
    return context.refuse("grammar.tiles_unclear", kinds=context.speech.listed(TILES))


def theme(context: Context, rest: str) -> Reading:
    """``theme light``: the colours of the screen."""
    for kind in THEMES:
        if rest == kind:
            return SetLook(look=replace(context.look, theme=kind))
    return context.refuse("grammar.theme_unclear", kinds=context.speech.listed(THEMES))


def bell(context: Context, rest: str) -> Reading:
    """``bell off``: whether the terminal sounds when it is one's turn; alone, the other way."""
    if rest and rest not in ON | OFF:
        return context.refuse("grammar.bell_unclear")
    return SetLook(look=replace(context.look, bell=rest in ON if rest else not context.look.bell))
