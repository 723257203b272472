"""What the keys do on the screen beyond typing: marks, choices, pages, the log.

Pure: a key changes what the player looks at, or stands for a line of the grammar.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from ..rules.legal import is_in
from ..rules.state import State
from ..session.events import GameView, Stage
from .choices import Offer
from .commands import Place
from .model import Model
from .offers import offer
from .screen import Ui, name_of, picked_item

Key: TypeAlias = Literal["up", "down", "left", "right", "enter", "escape", "pageup", "pagedown"]
PAGE_LINES: Final = 5
SCROLL_MAX: Final = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Steered:
    """What a key came to: a new :class:`Ui`, a line to read, or the beginning of one to type."""

    ui: Ui
    line: str | None = None
    begun: str | None = None


def steer(model: Model, ui: Ui, key: Key) -> Steered:
    """Return what ``key`` does while nothing is being typed."""
    if key in ("pageup", "pagedown"):
        return Steered(ui=_scrolled(ui, PAGE_LINES if key == "pageup" else -PAGE_LINES))
    if ui.sheet is not None:
        return _turn_sheet(ui, key)
    found = offer(model)
    if key == "escape":
        return _escaped(model, ui)
    if found is not None:
        return _choose(found, ui, key)
    if key == "enter":
        return Steered(ui=ui, line="")
    return _point(model, ui, key)


def _scrolled(ui: Ui, lines: int) -> Ui:
    """Turn the log back by ``lines``, or a page that is open on by as many the other way."""
    step = lines if ui.sheet is None else -lines
    return replace(ui, scroll=min(SCROLL_MAX, max(0, ui.scroll + step)))


def _turn_sheet(ui: Ui, key: Key) -> Steered:
    if key in ("up", "down"):
        return Steered(ui=_scrolled(ui, 1 if key == "up" else -1))
    return Steered(ui=replace(ui, sheet=None, scroll=0))


def _escaped(model: Model, ui: Ui) -> Steered:
    """Step back: from a question, from a page of choices, from the past of the log, from a mark."""
    if model.question is not None:
        return Steered(ui=ui, line="no")
    if ui.scroll:
        return Steered(ui=replace(ui, scroll=0))
    if model.page != "main" or model.placing:
        return Steered(ui=ui, line="menu")
    if model.mark is not None:
        return Steered(ui=ui, line="mark clear")
    return Steered(ui=ui)


def _choose(found: Offer, ui: Ui, key: Key) -> Steered:
    picked = picked_item(found, ui)
    if picked is None:
        return _begin(found, ui, key)
    if key == "enter":
        return _take(ui, picked.line)
    if key in ("left", "right") and not found.across:
        line = picked.back if key == "left" else picked.line
        if picked.back is None or line is None:
            return Steered(ui=ui)
        return Steered(ui=replace(ui, picked=name_of(picked)), line=line)
    step = 1 if key in ("down", "right") else -1
    at = (found.items.index(picked) + step) % len(found.items)
    return Steered(ui=replace(ui, picked=name_of(found.items[at])))


def _begin(found: Offer, ui: Ui, key: Key) -> Steered:
    """Step on the first or the last choice where none was suggested; Enter takes nothing."""
    if key == "enter" or not found.items or (key in ("left", "right") and not found.across):
        return Steered(ui=ui)
    item = found.items[0 if key in ("down", "right") else -1]
    return Steered(ui=replace(ui, picked=name_of(item)))


def _take(ui: Ui, line: str) -> Steered:
    if line.endswith(" "):
        return Steered(ui=ui, begun=line)
    return Steered(ui=ui, line=line)


# --- pointing at a tile ----------------------------------------------------------------------


def _point(model: Model, ui: Ui, key: Key) -> Steered:
    view = model.game
    place = None if view is None else moved_mark(view, model.mark, key)
    if place is None:
        return Steered(ui=ui)
    return Steered(ui=ui, line=f"mark {place}")


def moved_mark(view: GameView, mark: Place | None, key: Key) -> Place | None:
    """Return where an arrow moves the mark: among the others' standing tiles, round the circle.

    ``None`` if there is no such tile, or no row yet.
    """
    if view.board is None or view.stage is not Stage.PLAY:
        return None
    state = view.board.state
    seats = [seat for seat in _circle(state, view.seat) if _standing(state, seat)]
    if not seats:
        return None
    if mark is None or mark.seat not in seats:
        seat = seats[-1 if key in ("up", "left") else 0]
        slots = _standing(state, seat)
        return Place(seat=seat, slot=slots[-1 if key in ("up", "left") else 0])
    if key in ("up", "down"):
        return _other_row(state, seats, mark, 1 if key == "down" else -1)
    slots = _standing(state, mark.seat)
    if key == "right":
        return Place(
            seat=mark.seat, slot=next((slot for slot in slots if slot > mark.slot), slots[0])
        )
    before = [slot for slot in slots if slot < mark.slot]
    return Place(seat=mark.seat, slot=before[-1] if before else slots[-1])


def _circle(state: State, me: int | None) -> list[int]:
    return [seat for seat in range(state.seats) if seat != me and is_in(state, seat)]


def _standing(state: State, seat: int) -> list[int]:
    return [slot for slot, piece in enumerate(state.rows[seat], start=1) if piece.standing]


def _other_row(state: State, seats: list[int], mark: Place, step: int) -> Place:
    seat = seats[(seats.index(mark.seat) + step) % len(seats)]
    slots = _standing(state, seat)
    return Place(seat=seat, slot=min(slots, key=lambda slot: abs(slot - mark.slot)))
