"""How a terminal draws boxes: print one, ask where the cursor is, take the answer (asyncio).

Box-drawing characters are among those whose width is ambiguous (Unicode Standard Annex 11): most
terminals give them one cell, some Chinese ones two, and then a row of tiles would be torn.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Mapping

from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output

from .drawing import Art

ANSWER_S = 0.2
"""How long an answer is waited for."""

_BOX = "\u250c"
_ASK = "\x1b[6n"
_WIPE = "\r\x1b[K"
_ANSWER = re.compile(r"\x1b\[[0-9]+;([0-9]+)R")


async def find_art(keys: Input, output: Output, environ: Mapping[str, str]) -> Art:
    """Return how tiles can be drawn on this terminal.

    Keys that are pressed meanwhile are kept for whoever reads next.
    """
    if not _can_say(output, _BOX):
        return "ascii"
    if sys.platform == "win32":
        return "box"
    column = await _column_after_box(keys, output)
    if column is None:
        return "block" if _speaks_wide(environ) else "box"
    return "box" if column == 2 else "block"


def _can_say(output: Output, text: str) -> bool:
    try:
        text.encode(output.encoding() or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _speaks_wide(environ: Mapping[str, str]) -> bool:
    """Tell whether the environment's language is one whose terminals draw boxes two cells wide."""
    spoken = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    return spoken[:2].lower() in ("zh", "ja", "ko")


async def _column_after_box(keys: Input, output: Output) -> int | None:
    """Return the column, from 1, in which the cursor stands after a box; ``None``: no answer."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[int] = loop.create_future()

    def ready() -> None:
        others: list[KeyPress] = []
        for press in keys.read_keys():
            match = _ANSWER.fullmatch(press.data) if press.key is Keys.CPRResponse else None
            if match is None:
                others.append(press)
            elif not answer.done():
                answer.set_result(int(match[1]))
        store_typeahead(keys, others)

    with keys.raw_mode(), keys.attach(ready):
        output.write_raw(f"\r{_BOX}{_ASK}")
        output.flush()
        try:
            return await asyncio.wait_for(answer, ANSWER_S)
        except TimeoutError:
            return None
        finally:
            output.write_raw(_WIPE)
            output.flush()
