"""How tiles, calls, places and players are spelt in a typed line, in both languages at once.

Pure. A line is folded first: compatibility forms (full-width letters and digits) become plain,
capitals small, and every dash that an input method makes becomes ``-``. Source for the folding:
Unicode Standard Annex 15 (NFKC).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from ..rules.moves import Call
from ..rules.tiles import NUMBER_MAX, Colour, Tile
from .commands import Place

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500\u30fc"), "-")

_BLACK = ("black", "dark", "黑色", "深色", "黑", "深", "b")
_WHITE = ("white", "light", "白色", "浅色", "白", "浅", "w")
_JOKER = ("joker(?![a-z])", "dash(?![a-z])", "横杠", "横杆", "百搭", "杠", "-+")
_COLOUR = "|".join((*_BLACK, *_WHITE))
_VALUE = rf"(?:{'|'.join(_JOKER)}|[0-9]+)"
_CALL = re.compile(rf"(?:(?P<before>{_COLOUR})\s*)?(?P<value>{_VALUE})(?:\s*(?P<after>{_COLOUR}))?")
_TILE = re.compile(rf"(?P<before>{_COLOUR})\s*(?P<value>{_VALUE})(?P<after>)")
_PLACE = re.compile(r"([0-9]{1,3})\s*[.,。·]\s*([0-9]{1,3})")
_SLOT = re.compile(r"[.\s]*([0-9]{1,3})")
_SEPARATORS = re.compile(r"[\s,;、/]*")


def fold(line: str) -> str:
    """Return ``line`` in the one form in which everything is recognised."""
    return unicodedata.normalize("NFKC", line).translate(_DASHES).casefold().strip()


def read_colour(text: str) -> Colour | None:
    """Return the colour that folded ``text`` names, if it names one."""
    if text in _BLACK:
        return Colour.BLACK
    return Colour.WHITE if text in _WHITE else None


def read_call(text: str) -> Call | None:
    """Return the call that folded ``text`` is: ``b7``, ``white 7``, ``joker``, ``白 7``, ``7``."""
    match = _CALL.fullmatch(text.strip())
    return None if match is None else _call_of(match)


def _call_of(match: re.Match[str]) -> Call | None:
    if match["before"] and match["after"]:
        return None
    colour = read_colour(match["before"] or match["after"] or "")
    if not match["value"].isdecimal():
        return Call(colour=colour, number=None)
    number = int(match["value"]) if len(match["value"]) <= len(str(NUMBER_MAX)) else NUMBER_MAX + 1
    return Call(colour=colour, number=number) if number <= NUMBER_MAX else None


def read_tiles(text: str) -> tuple[Tile, ...] | None:
    """Return the tiles that folded ``text`` lists, each with its colour, or ``None``."""
    tiles: list[Tile] = []
    at = _skip(text, 0)
    while at < len(text):
        match = _TILE.match(text, at)
        call = None if match is None else _call_of(match)
        if match is None or call is None or call.colour is None:
            return None
        tiles.append(Tile(colour=call.colour, number=call.number))
        at = _skip(text, match.end())
    return tuple(tiles)


def _skip(text: str, at: int) -> int:
    match = _SEPARATORS.match(text, at)
    return at if match is None else match.end()


def read_seat(text: str, names: Sequence[str]) -> int | None:
    """Return the seat that folded ``text`` means: its number from 1, a name, or its beginning.

    A beginning counts only if one name alone has it.
    """
    text = text.strip()
    if re.fullmatch(r"[0-9]{1,3}", text):
        return int(text) - 1 if 1 <= int(text) <= len(names) else None
    folded = [fold(name) for name in names]
    if text in folded:
        return folded.index(text)
    begun = [seat for seat, name in enumerate(folded) if text and name.startswith(text)]
    return begun[0] if len(begun) == 1 else None


def split_place(text: str, names: Sequence[str]) -> tuple[Place, str] | None:
    """Return the place at the beginning of folded ``text`` and what follows it, or ``None``.

    A place is ``2.3`` or a player's name and a slot, ``bo 3``; it need not exist in the game.
    """
    match = _PLACE.match(text)
    if match is not None:
        return Place(seat=int(match[1]) - 1, slot=int(match[2])), text[match.end() :].strip()
    for seat, rest in _after_names(text, names):
        slot = _SLOT.match(rest)
        if slot is not None:
            return Place(seat=seat, slot=int(slot[1])), rest[slot.end() :].strip()
    return None


def _after_names(text: str, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield (seat, rest of the line) for every name the line begins with, longest first."""
    folded = sorted(((fold(name), seat) for seat, name in enumerate(names)), reverse=True)
    for name, seat in sorted(folded, key=lambda pair: -len(pair[0])):
        if name and text.startswith(name):
            yield seat, text[len(name) :]
