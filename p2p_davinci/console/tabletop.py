"""The rows of all players as they lie on the table, for a window of a given size.

Pure. Every row is one line of tiles, three cells high where there is room and one cell high where
there is not; a row never goes on in a second line, so that slots stand where one looks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..rules.state import Piece, State
from ..rules.tiles import Tile
from ..session.events import GameView
from ..text import Words
from .board import known_faces
from .canvas import Fragment, Line, fit
from .commands import Place
from .drawing import LINE_TILE_WIDTH, TILE_HEIGHT, TILE_WIDTH, Art, Picture, draw, in_line
from .speech import Speech

LABEL_WIDTH_MIN: Final = 10
LABEL_WIDTH_FLAT: Final = 8
LABEL_WIDTH_MAX: Final = 22
MARKED: Final = "*"
NAMED: Final = "!"
"""The sign of the tile that has been named and not yet answered."""
_DRAWN_GAP: Final = 2


def pictures(
    view: GameView, seat: int, mark: Place | None
) -> tuple[tuple[Picture, ...], Picture | None]:
    """Return a row's tiles as the player of ``view`` sees them, and the one drawn to it."""
    if view.board is None:
        return (), None
    state = view.board.state
    faces = known_faces(view, seat)
    row = tuple(
        _picture(
            piece, face, str(slot), _sign(state, Place(seat=seat, slot=slot), mark), view, seat
        )
        for slot, (piece, face) in enumerate(zip(state.rows[seat], faces, strict=True), start=1)
    )
    if state.drawn is None or state.turn != seat or state.winner is not None:
        return row, None
    mine = view.board.drawn if seat == view.board.seat else None
    return row, _picture(state.drawn, mine, "", "", view, seat)


def _picture(
    piece: Piece, known: Tile | None, foot: str, sign: str, view: GameView, seat: int
) -> Picture:
    tile = piece.face or known
    if tile is None:
        value, colour = "x" if piece.dead else "?", piece.back
    else:
        value, colour = "-" if tile.number is None else str(tile.number), tile.colour
    return Picture(
        value=value,
        colour=colour,
        standing=piece.standing,
        foot=foot,
        sign=sign,
        own=seat == view.seat,
    )


def _sign(state: State, place: Place, mark: Place | None) -> str:
    pending = state.pending
    if pending is not None and (pending.seat, pending.slot) == (place.seat, place.slot):
        return NAMED
    return MARKED if place == mark else ""


# --- the whole table -------------------------------------------------------------------------


def table_size(view: GameView) -> tuple[int, int]:
    """Return the cells in width and height that the table takes with each row in one line."""
    seats = 0 if view.board is None else view.board.state.seats
    return _needed(view, LINE_TILE_WIDTH, LABEL_WIDTH_FLAT), seats + 1


def fits(view: GameView, width: int, height: int) -> bool:
    """Tell whether the table fits, in one way or the other."""
    needs_width, needs_height = table_size(view)
    return (width >= needs_width and height >= needs_height) or _fits_high(view, width, height)


def _fits_high(view: GameView, width: int, height: int) -> bool:
    seats = 0 if view.board is None else view.board.state.seats
    return seats * TILE_HEIGHT <= height and _needed(view, TILE_WIDTH, LABEL_WIDTH_MIN) <= width


def _needed(view: GameView, tile_width: int, label: int) -> int:
    if view.board is None:
        return label
    state = view.board.state
    drawn = [0] * state.seats
    if state.drawn is not None:
        drawn[state.turn] = tile_width + _DRAWN_GAP
    lengths = (len(row) * tile_width + more for row, more in zip(state.rows, drawn, strict=True))
    return label + max(lengths)


def table_lines(
    speech: Speech, view: GameView, mark: Place | None, art: Art, width: int, height: int
) -> tuple[Line, ...]:
    """Return the rows in as many lines as they take; ``view.board`` must be there.

    Whether they are all in view is told by :func:`fits`.
    """
    if view.board is None:
        return ()
    seats = range(view.board.state.seats)
    mark = mark if view.board.state.winner is None else None
    if _fits_high(view, width, height):
        gap = 1 if _needed(view, TILE_WIDTH + 1, LABEL_WIDTH_MIN) <= width else 0
        label = _label_width(view, TILE_WIDTH + gap, LABEL_WIDTH_MIN, width)
        rows = (_high_row(speech, view, seat, mark, art, label, gap) for seat in seats)
        return tuple(fit(line, width) for row in rows for line in row)
    label = _label_width(view, LINE_TILE_WIDTH, LABEL_WIDTH_FLAT, width)
    flat = (_flat_row(speech, view, seat, mark, label) for seat in seats)
    return tuple(fit(line, width) for line in (_ruler(view, label), *flat))


def _label_width(view: GameView, tile_width: int, least: int, width: int) -> int:
    spare = width - _needed(view, tile_width, least)
    return min(LABEL_WIDTH_MAX, least + max(0, spare))


def _high_row(
    speech: Speech,
    view: GameView,
    seat: int,
    mark: Place | None,
    art: Art,
    label: int,
    gap: int,
) -> tuple[Line, ...]:
    row, drawn = pictures(view, seat, mark)
    lang = speech.words.lang
    lines: list[list[Fragment]] = [[text] for text in _label(speech, view, seat, label)]
    for picture in row:
        for line, piece in zip(lines, draw(picture, art, lang), strict=True):
            line += [piece, ("", " " * gap)]
    if drawn is not None:
        for line, piece in zip(lines, draw(drawn, art, lang), strict=True):
            line += [("", " " * _DRAWN_GAP), piece]
    return tuple(map(tuple, lines))


def _flat_row(speech: Speech, view: GameView, seat: int, mark: Place | None, label: int) -> Line:
    row, drawn = pictures(view, seat, mark)
    (name, *_) = _label(speech, view, seat, label)
    extra: Line = () if drawn is None else (("", " " * _DRAWN_GAP), in_line(drawn))
    return (name, *map(in_line, row), *extra)


def _ruler(view: GameView, label: int) -> Line:
    longest = 0 if view.board is None else max(map(len, view.board.state.rows))
    slots = "".join(f" {slot}".ljust(LINE_TILE_WIDTH) for slot in range(1, longest + 1))
    return (("class:foot", " " * label + slots),)


def _label(speech: Speech, view: GameView, seat: int, width: int) -> Sequence[Fragment]:
    """Return what stands left of a row: who, how many still stand, and what else to know."""
    if view.board is None:
        return ()
    state, words = view.board.state, speech.words
    turn = state.turn == seat and state.winner is None
    style = "class:turn" if turn else "class:name"
    sign = ">" if turn or state.winner == seat else " "
    texts = (
        f"{sign}{seat + 1} {speech.names[seat]}",
        f"   {_standing(words, state, seat)}",
        f"   {_remark(speech, view, seat)}",
    )
    lines = [fit(((style, text),), width - 1) for text in texts]
    return tuple((style, "".join(text for _, text in line) + " ") for line in lines)


def _standing(words: Words, state: State, seat: int) -> str:
    if seat in state.dropped:
        return words.tell("screen.dropped")
    standing = sum(piece.standing for piece in state.rows[seat])
    if not standing:
        return words.tell("board.out")
    return words.tell("screen.standing", standing=standing, tiles=len(state.rows[seat]))


def _remark(speech: Speech, view: GameView, seat: int) -> str:
    words = speech.words
    if seat in view.down:
        return words.tell("screen.down")
    if any(lost.seat == seat and lost.offered for lost in view.lost):
        return words.tell("screen.silent")
    points = words.tell("screen.points", points=view.totals[seat]) if any(view.totals) else ""
    return "  ".join(filter(None, (points, words.tell("you") if seat == view.seat else "")))
