"""The colours of the screen. Nothing depends on them: letters and shapes say the same."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from prompt_toolkit.styles import Style

from .commands import Theme

_SHAPES: Final = {
    "header": "reverse",
    "keys": "reverse",
    "title": "bold",
    "due": "bold",
    "picked": "reverse",
    "turn": "bold",
    "alarm": "bold",
    "tile.own": "bold",
    "tile.sign": "bold reverse",
}
"""What needs no colour."""

_DARK: Final = {
    "tile.black": "fg:ansibrightyellow bg:ansiblack",
    "tile.white": "fg:ansiblack bg:ansiwhite",
    "foot": "fg:ansibrightblack",
    "rule": "fg:ansibrightblack",
    "hint": "fg:ansibrightcyan",
    "alarm": "fg:ansibrightyellow bold",
    "ready": "fg:ansibrightgreen",
    "turn": "fg:ansibrightgreen bold",
    "note": "fg:ansibrightmagenta",
    "computed": "fg:ansibrightblue underline",
    "own": "fg:ansibrightcyan bold",
}
_LIGHT: Final = {
    "tile.black": "fg:ansiwhite bg:ansiblack",
    "tile.white": "fg:ansiblack bg:ansiwhite",
    "foot": "fg:ansibrightblack",
    "rule": "fg:ansibrightblack",
    "hint": "fg:ansiblue",
    "alarm": "fg:ansired bold",
    "ready": "fg:ansigreen",
    "turn": "fg:ansigreen bold",
    "note": "fg:ansimagenta",
    "computed": "fg:ansiblue underline",
    "own": "fg:ansiblue bold",
}
_MONO: Final = {"tile.white": "reverse", "computed": "underline"}

STYLES: Final[Mapping[Theme, Style]] = MappingProxyType(
    {
        "dark": Style.from_dict({**_SHAPES, **_DARK}),
        "light": Style.from_dict({**_SHAPES, **_LIGHT}),
        "mono": Style.from_dict({**_SHAPES, **_MONO}),
    }
)
