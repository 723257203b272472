"""Lines of a screen as styled pieces of text, measured in the cells that a terminal gives them.

Pure. Widths are the terminal library's; nothing here knows what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from prompt_toolkit.utils import get_cwidth

from .clean import cut

Fragment: TypeAlias = tuple[str, str]
"""A style and the text that has it."""
Line: TypeAlias = tuple[Fragment, ...]

_NOT_FIRST = frozenset("，。；：、？！）」》,.;:?!)")
"""Characters that do not begin a line."""


def line_width(line: Line) -> int:
    """Return how many cells a line takes."""
    return sum(get_cwidth(text) for _, text in line)


def fit(line: Line, width: int) -> Line:
    """Return the line cut, or filled with blanks, to exactly ``width`` cells."""
    kept: list[Fragment] = []
    left = width
    for style, text in line:
        shown = cut(text, left) if get_cwidth(text) > left else text
        if shown:
            kept.append((style, shown))
            left -= get_cwidth(shown)
        if shown != text:
            break
    return (*kept, ("", " " * left)) if left else tuple(kept)


def beside(left: Line, right: Line, width: int) -> Line:
    """Return two lines as one of ``width`` cells, the second at its right end."""
    room = width - line_width(right)
    return fit((*fit(left, room), *right), width) if room > 0 else fit(left, width)


def padded(text: str, width: int, filler: str = " ") -> str:
    """Return ``text`` cut or filled up at its right to ``width`` cells."""
    shown = cut(text, width) if get_cwidth(text) > width else text
    return shown + filler * (width - get_cwidth(shown))


@lru_cache(maxsize=2048)
def wrap(text: str, width: int, indent: int = 2) -> tuple[str, ...]:
    """Return ``text`` in lines of at most ``width`` cells, all but the first indented.

    A line ends after a blank or beside a wide character; what is longer than a line is cut.
    """
    lines: list[str] = []
    line, blank = "", ""
    for word in _words(text):
        if word == " ":
            blank = " " if line.strip() else ""
            continue
        for piece in _pieces(word, max(1, width - indent)):
            if get_cwidth(line + blank + piece) <= width:
                line += blank + piece
            else:
                lines.append(line)
                line = " " * indent + piece
            blank = ""
    return (*lines, line) if line.strip() or not lines else tuple(lines)


def _words(text: str) -> Iterator[str]:
    """Yield the parts of a text between which a line may end; a blank is a part of its own."""
    word = ""
    for char in text:
        if char == " ":
            yield from filter(None, (word, " "))
            word = ""
        elif (
            word and char not in _NOT_FIRST and (get_cwidth(char) == 2 or get_cwidth(word[-1]) == 2)
        ):
            yield word
            word = char
        else:
            word += char
    if word:
        yield word


def _pieces(word: str, width: int) -> Iterator[str]:
    while get_cwidth(word) > width:
        piece = cut(word, width) or word[:1]
        yield piece
        word = word[len(piece) :]
    if word:
        yield word


def filled(lines: Sequence[Line], height: int, width: int) -> tuple[Line, ...]:
    """Return exactly ``height`` lines of ``width`` cells: the first ones, then empty ones."""
    shown = [fit(line, width) for line in lines[:height]]
    return (*shown, *((("", " " * width),) for _ in range(height - len(shown))))
