"""The whole screen as lines, from what the console knows and what the player is looking at.

Pure: the same model, the same :class:`Ui` and the same size give the same lines. From the top they
are a header, the table or a page of choices, the log, and two short lines on what is due; the line
that is typed in and the list of keys are below. A page to be read takes the place of table and log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from prompt_toolkit.utils import get_cwidth

from ..rules.state import State
from ..session.events import GameView, Stage
from ..text import Words
from .board import turn_number
from .canvas import Line, beside, filled, fit, wrap
from .choices import Item, Offer
from .clean import NAME_WIDTH_MAX, clean
from .drawing import Art
from .model import Model
from .offers import offer
from .places import deal_lines, focus_lines, hall_lines, lobby_page_lines, name_lines
from .status import due_line, hint_line
from .tabletop import fits, table_lines, table_size

STATUS_HEIGHT: Final = 2
BELOW_HEIGHT: Final = 2
"""Lines below what is painted here: the input and the keys."""
WIDTH_MIN: Final = 40
TITLE_FROM_WIDTH: Final = 70
"""The header names the program from this width on."""
LOG_HEIGHT_LEAST: Final = 2
"""Lines that the log keeps, its title among them, so that there is one to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedLine:
    """Something that was told, and the round and the turn in which it was (0: outside a game)."""

    text: str
    round: int
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ui:
    """What the player looks at, beyond what the console knows.

    ``scroll`` is how many lines the log, or the page that is open, is turned back or on; ``sheet``
    is that page; ``picked`` the name of the choice that the arrows stand on, which holds as long as
    ``topic`` is what is being asked; ``completed`` are
    words that complete what is being typed; ``now_s`` is the time on the session's clock.
    """

    feed: tuple[FeedLine, ...] = ()
    scroll: int = 0
    sheet: tuple[str, ...] | None = None
    topic: str = ""
    picked: str = ""
    completed: tuple[str, ...] = ()
    art: Art = "box"
    now_s: float | None = None


def picked_item(found: Offer | None, ui: Ui) -> Item | None:
    """Return the choice that the arrows stand on: what was picked, or where they begin."""
    if found is None or not found.items:
        return None
    first = None if found.first is None else found.items[found.first]
    return next((item for item in found.items if name_of(item) == ui.picked), first)


def name_of(item: Item) -> str:
    """Return what a choice is remembered by while its value and its place change."""
    return item.name or item.line


def turn_of(model: Model | None) -> tuple[int, int]:
    """Return the round and the turn that is being played; zeros outside a game."""
    view = None if model is None else model.game
    if view is None:
        return 0, 0
    return view.round, 0 if view.board is None else turn_number(view.board.state)


def turned_to(model: Model, ui: Ui) -> Ui:
    """Return ``ui`` for what is asked now: on another question the arrows begin anew."""
    found = offer(model)
    topic = "" if found is None else found.topic
    return ui if topic == ui.topic else replace(ui, topic=topic, picked="")


# --- the screen ------------------------------------------------------------------------------


def needed_size(model: Model) -> tuple[int, int]:
    """Return the width and height that a window needs to show this moment."""
    fixed = 1 + STATUS_HEIGHT + BELOW_HEIGHT
    if model.game is None or model.game.board is None:
        return WIDTH_MIN, fixed + 6
    width, height = table_size(model.game)
    return max(WIDTH_MIN, width), fixed + height + 1 + LOG_HEIGHT_LEAST


def paint(model: Model, ui: Ui, width: int, height: int) -> tuple[Line, ...]:
    """Return the ``height`` lines of ``width`` cells above the input line."""
    if not _is_enough(model, width, height):
        return filled(_too_small(model, width, height), height, width)
    found = offer(model)
    picked = picked_item(found, ui)
    room = height - 1 - STATUS_HEIGHT
    if ui.sheet is not None:
        middle = sheet_lines(model, ui.sheet, ui.scroll, width, room)
    else:
        middle = _middle(model, ui, found, picked, width, room)
    status = (
        (("class:due", due_line(model, ui.now_s)),),
        (("class:hint", hint_line(model, picked, ui.completed)),),
    )
    return (_header(model, width), *middle, *(fit(line, width) for line in status))


def _is_enough(model: Model, width: int, height: int) -> bool:
    needs_width, needs_height = needed_size(model)
    if width >= needs_width and height + BELOW_HEIGHT >= needs_height:
        return True
    view, room = model.game, height - 1 - STATUS_HEIGHT - 1 - LOG_HEIGHT_LEAST
    return view is not None and view.board is not None and fits(view, width, room)


def _too_small(model: Model, width: int, height: int) -> tuple[Line, ...]:
    words = model.words
    needs_width, needs_height = needed_size(model)
    text = words.tell(
        "screen.small",
        width=width,
        height=height + BELOW_HEIGHT,
        needs_width=needs_width,
        needs_height=needs_height,
    )
    lines = (text, words.tell("screen.small.help"), due_line(model))
    return tuple((("class:alarm", line),) for text in lines for line in wrap(text, max(1, width)))


def _header(model: Model, width: int) -> Line:
    words, view = model.words, model.game
    left, right = [], []
    if model.lobby is not None:
        table = clean(model.lobby.table, NAME_WIDTH_MAX)
        left.append(words.tell("screen.table", table=table))
    if view is not None:
        left += _counts(model, view)
        if view.compare and not model.compared and not model.over:
            right.append(words.tell("screen.not_compared"))
        if model.over:
            right.append(_ending(model, view))
        elif view.board is not None and view.board.state.winner is None:
            right.append(_pile(model.words, view.board.state))
    title = words.tell("screen.title")
    if width >= TITLE_FROM_WIDTH and get_cwidth("  ".join((title, *left, *right))) <= width - 2:
        left.insert(0, title)
    return _bar(f" {'  '.join(left)}", f"  {'  '.join(right)} ", "class:header", width)


def _ending(model: Model, view: GameView) -> str:
    """Return in a few words how the game that is over ended."""
    if view.stage is Stage.HALTED:
        return model.words.tell("screen.stopped")
    names = model.speech.briefly(view.winners) or model.words.tell("nobody")
    return model.words.tell("screen.won", names=names)


def _pile(words: Words, state: State) -> str:
    pile = state.pile
    if state.dropped and not any(pile):
        return words.tell("screen.pile.closed")
    if len(pile) == 1 or not any(pile):
        return words.tell("screen.pile", left=sum(pile))
    return words.tell("screen.pile.colours", left=sum(pile), black=pile[0], white=pile[1])


def _bar(left: str, right: str, style: str, width: int) -> Line:
    return tuple((style, text) for _, text in beside(((style, left),), ((style, right),), width))


def _counts(model: Model, view: GameView) -> list[str]:
    words, texts = model.words, []
    if model.options is not None and model.options.rounds > 1:
        texts.append(words.tell("screen.round", round=view.round))
    if view.board is not None and view.board.state.winner is None:
        texts.append(words.tell("screen.turn", turn=turn_number(view.board.state)))
    return texts


# --- between header and status ---------------------------------------------------------------


def _middle(
    model: Model, ui: Ui, found: Offer | None, picked: Item | None, width: int, room: int
) -> tuple[Line, ...]:
    main = _main(model, ui, found, picked, width, room - LOG_HEIGHT_LEAST)
    log = log_lines(model, ui, width, room - len(main))
    return (*(fit(line, width) for line in main), *log)


def _main(
    model: Model, ui: Ui, found: Offer | None, picked: Item | None, width: int, room: int
) -> Sequence[Line]:
    """Return what stands above the log: at most ``room`` lines, but one at the least."""
    return _main_lines(model, ui, found, picked, width, max(1, room))[: max(1, room)]


def _main_lines(
    model: Model, ui: Ui, found: Offer | None, picked: Item | None, width: int, room: int
) -> Sequence[Line]:
    view, speech = model.game, model.speech
    if model.naming:
        return name_lines(model.words, model.name, width, room)
    if view is not None and model.page != "look":
        if view.board is None:
            return deal_lines(model, view, ui.art, found, picked, width, room)
        focus = focus_lines(model, view, width)
        table = table_lines(speech, view, model.mark, ui.art, width, room - len(focus))
        return (*table, *focus)
    if model.lobby is not None and model.page == "main":
        return lobby_page_lines(model.words, model.lobby, found, picked, width, room)
    return hall_lines(found, picked, width, room)


def scroll_max(model: Model, ui: Ui, width: int, height: int) -> int:
    """Return how far the log, or the page that is open, can be turned."""
    room = height - 1 - STATUS_HEIGHT
    if ui.sheet is not None:
        return max(0, len(_sheet_texts(ui.sheet, width)) - (room - 1))
    found = offer(model)
    main = _main(model, ui, found, picked_item(found, ui), width, room - LOG_HEIGHT_LEAST)
    return max(0, len(_log_texts(model, ui, width)) - (room - len(main) - 1))


def _log_texts(model: Model, ui: Ui, width: int) -> list[str]:
    return [line for entry in _visible(model, ui.feed) for line in wrap(entry.text, width - 1)]


def _sheet_texts(sheet: Sequence[str], width: int) -> list[str]:
    return [line for text in sheet for line in wrap(text, width - 2)]


def log_lines(model: Model, ui: Ui, width: int, room: int) -> tuple[Line, ...]:
    """Return the log's title and its last lines, or earlier ones if it is turned back."""
    if room <= 0:
        return ()
    lines = _log_texts(model, ui, width)
    height = room - 1
    back = min(ui.scroll, max(0, len(lines) - height))
    end = len(lines) - back
    shown = lines[max(0, end - height) : end]
    words = model.words
    title = f"-- {words.tell('screen.log')} "
    newer = f" {words.tell('screen.older')} --" if back else ""
    rule = _ruled(title, newer, width)
    return (rule, *filled([(("class:log", f" {line}"),) for line in shown], height, width))


def _ruled(left: str, right: str, width: int) -> Line:
    """Return a rule of dashes with a text at either end."""
    dashes = "-" * max(0, width - get_cwidth(left) - get_cwidth(right))
    return fit((("class:rule", f"{left}{dashes}{right}"),), width)


def _visible(model: Model, feed: Sequence[FeedLine]) -> Sequence[FeedLine]:
    """Return what may be looked up: by real-life manners this turn and the one before."""
    view, options = model.game, model.options
    if view is None or options is None or options.aids != "real-life":
        return feed
    round_, turn = turn_of(model)
    return [line for line in feed if line.round == round_ and line.turn >= turn - 1]


def sheet_lines(
    model: Model, sheet: Sequence[str], scroll: int, width: int, room: int
) -> tuple[Line, ...]:
    """Return a page to be read, as far as it has been turned on."""
    lines = _sheet_texts(sheet, width)
    height = room - 1
    top = min(scroll, max(0, len(lines) - height))
    shown = lines[top : top + height]
    rule = _ruled("--", f" {model.words.tell('screen.page')} --", width)
    return (*filled([(("class:sheet", f" {line}"),) for line in shown], height, width), rule)
