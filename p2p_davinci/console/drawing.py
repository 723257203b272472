"""One tile as three lines of four cells: in boxes, in solid blocks, or in letters alone.

Pure. A standing tile has walls, an open one brackets around its number; the letter says the
colour. So nothing depends on colours, and what a style adds may be missing. Box-drawing characters
take two cells in some terminals; ``block`` and ``ascii`` use none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from ..rules.tiles import Colour
from ..text import Lang
from .canvas import Fragment, padded

Art: TypeAlias = Literal["box", "block", "ascii"]
ARTS: Final[tuple[Art, ...]] = ("box", "block", "ascii")

TILE_WIDTH: Final = 4
TILE_HEIGHT: Final = 3
LINE_TILE_WIDTH: Final = 5
_LETTERS: Final[Mapping[Lang, tuple[str, str]]] = MappingProxyType(
    {"en": ("B", "W"), "zh": ("黑", "白")}
)
_STYLES: Final = ("class:tile.black", "class:tile.white")


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What a tile shows to one player.

    ``value`` is a number, ``-`` for a joker or ``?``; ``colour`` is ``None`` if the player does not
    know it; ``foot`` is the slot, or a letter where there is none; ``sign`` takes the last cell
    (``*`` marked, ``!`` named and not answered).
    """

    value: str
    colour: Colour | None
    standing: bool
    foot: str
    sign: str = ""
    own: bool = False


def letter(colour: Colour | None, lang: Lang) -> str:
    """Return the letter of a colour; nothing if it is not known."""
    return "" if colour is None else _LETTERS[lang][colour]


def style_of(picture: Picture) -> str:
    """Return the style of the tile's face."""
    styles = ["class:tile" if picture.colour is None else _STYLES[picture.colour]]
    if picture.own and picture.standing:
        styles.append("class:tile.own")
    if picture.sign:
        styles.append("class:tile.sign")
    return " ".join(styles)


def draw(picture: Picture, art: Art, lang: Lang) -> tuple[Fragment, Fragment, Fragment]:
    """Return the tile's three lines, each of four cells."""
    style = style_of(picture)
    head = letter(picture.colour, lang)
    value = picture.value.rjust(2)
    if not picture.standing:
        return (
            ("class:foot", f" {padded(head, 3)}"),
            (style, f"[{value}]"),
            ("class:foot", f" {padded(picture.foot, 2)}{picture.sign or ' '}"),
        )
    wall, line, corners = _WALLS[art]
    ends = corners[3] if not picture.sign else picture.sign
    return (
        (style, f"{corners[0]}{padded(head, 2, line)}{corners[1]}"),
        (style, f"{wall}{value}{wall}"),
        (style, f"{corners[2]}{padded(picture.foot, 2, line)}{ends}"),
    )


_WALLS: Final[Mapping[Art, tuple[str, str, str]]] = MappingProxyType(
    {
        "box": ("\u2502", "\u2500", "\u250c\u2510\u2514\u2518"),
        "block": ("|", " ", "||||"),
        "ascii": ("|", "-", "++++"),
    }
)
"""Of a standing tile: its wall, its floor and ceiling, its corners from the top left."""


def in_line(picture: Picture) -> Fragment:
    """Return the tile in five cells of one line, for windows that are not high enough."""
    head = "?" if picture.colour is None else picture.colour.letter
    body = f"{'' if picture.value == head else head}{picture.value}"
    left, right = "[]" if picture.standing else "  "
    return style_of(picture), padded(f"{left}{body}{picture.sign or right}", LINE_TILE_WIDTH)
