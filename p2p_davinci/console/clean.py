"""Make text from a peer fit to be shown: one line, no tricks, no wider than its place.

Pure. Removed are control, format (bidi, zero-width), private and unassigned characters, blanks
that look like nothing, and marks piled on one letter (Unicode Standard Annex 9 and Technical
Report 36 say what such characters can do). Widths are those of the terminal library.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from prompt_toolkit.utils import get_cwidth

NAME_WIDTH_MAX = 16
"""Columns of a player's name."""
CHAT_WIDTH_MAX = 300
"""Columns of something said."""

_MARKS_MAX = 2
_INVISIBLE_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_BANNED = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_PLAIN = dict(
    zip("\u2018\u2019\u201c\u201d\u2026\u2013\u2014\u2015\u00b7\u00d7", "''\"\".---.x", strict=True)
)
_MARKS = frozenset(("Mn", "Me", "Mc"))
_NUMBERED = re.compile(r"\(\d+\)$")


def clean(text: str, width_max: int) -> str:
    """Return ``text`` as one harmless line of at most ``width_max`` columns (NFC)."""
    kept: list[str] = []
    marks = _MARKS_MAX
    for char in unicodedata.normalize("NFC", _spaced(text)):
        category = unicodedata.category(char)
        if category in _BANNED or char in _INVISIBLE_LETTERS:
            continue
        if category in _MARKS:
            marks += 1
            if marks > _MARKS_MAX or "\ufe00" <= char <= "\ufe0f":
                continue
        else:
            marks = 0
        kept.append(" " if category == "Zs" else char)
    return cut(" ".join("".join(kept).split()), width_max)


def _spaced(text: str) -> str:
    return "".join(" " if char in "\t\n\v\f\r\x85\u2028\u2029" else char for char in text)


def narrowed(text: str) -> str:
    """Return ``text`` with a plain character for each whose width depends on the terminal.

    Such a width is called ambiguous in Unicode Standard Annex 11; the length stays the same.
    """
    return "".join(
        _PLAIN.get(char, "?") if unicodedata.east_asian_width(char) == "A" else char
        for char in text
    )


def cut(text: str, width_max: int) -> str:
    """Return the longest beginning of ``text`` that takes at most ``width_max`` columns."""
    width = 0
    for index, char in enumerate(text):
        width += get_cwidth(char)
        if width > width_max:
            return text[:index].rstrip()
    return text


def display_names(names: Sequence[str], reserved: Sequence[str], nameless: str) -> tuple[str, ...]:
    """Return the players' names as they are shown, in seat order and all different.

    A name that is empty becomes ``nameless``; one that somebody else has too, that looks numbered
    already, or that is among ``reserved`` (words by which the console means something else), gets
    its seat number.
    """
    cleaned = [clean(name, NAME_WIDTH_MAX) or nameless for name in names]
    folded = [unicodedata.normalize("NFKC", name).casefold() for name in cleaned]
    taken = {*(word.casefold() for word in reserved), nameless.casefold()}
    return tuple(
        f"{name} ({seat})"
        if fold in taken or folded.count(fold) > 1 or _NUMBERED.search(fold)
        else name
        for seat, (name, fold) in enumerate(zip(cleaned, folded, strict=True), start=1)
    )
