"""The table as lines of plain text: every tile with its place, its letter, and whether it stands.

Pure. ``2.3 [w?]`` is a standing tile of which only the back is seen, ``[??]`` one whose back says
nothing, ``[w5]`` a standing tile of the listener's own, ``w5`` an open one: brackets stand, no
brackets lie open, so nothing depends on colour. At the end ``[w5]`` are the tiles nobody found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..rules.moves import Drawn, Guessed, Overran, Placed, Revealed, Stopped
from ..rules.state import Piece, State
from ..rules.tiles import Tile
from ..session.events import GameView
from .clean import cut
from .commands import Place
from .speech import Speech

LINE_WIDTH = 78
"""Columns after which a row goes on in the next line."""

_BY_TURN = (Drawn, Guessed, Stopped, Placed, Revealed, Overran)
"""Facts that only the player in turn causes."""
_INDENT = "   "
_GAP = "  "
_MARK = "*"


def board_lines(speech: Speech, view: GameView, mark: Place | None = None) -> tuple[str, ...]:
    """Return the whole table: the pile, then every row; the marked place has a star.

    ``view.board`` must be there.
    """
    if view.board is None:
        return ()
    rows = (row_lines(speech, view, seat, mark) for seat in range(view.board.state.seats))
    return (_head(speech, view.board.state), *(line for row in rows for line in row))


def _head(speech: Speech, state: State) -> str:
    if state.winner is not None:
        return speech.tell("board.over", state.winner)
    pile = speech.pile(state.pile)
    return speech.tell("board.head", state.turn, pile=pile, turn=turn_number(state))


def turn_number(state: State) -> int:
    """Return which turn of the round it is, from 1, by the players who acted one after another."""
    actors = [seat for seat, fact in state.history if isinstance(fact, _BY_TURN)]
    if state.winner is None:
        actors.append(state.turn)
    return 1 + sum(seat != following for seat, following in pairwise(actors))


def row_lines(
    speech: Speech, view: GameView, seat: int, mark: Place | None = None
) -> tuple[str, ...]:
    """Return one row, in as many lines as it needs; ``view.board`` must be there."""
    if view.board is None:
        return ()
    state = view.board.state
    row = state.rows[seat]
    standing = sum(piece.standing for piece in row)
    status = "board.in" if standing else "board.out"
    if seat in state.dropped:
        status = "board.dropped"
    me = "you" if seat == speech.me else "other"
    head = speech.words.tell(
        f"board.row.{me}",
        seat=seat + 1,
        name=speech.names[seat],
        status=speech.words.tell(status, standing=standing, tiles=len(row)),
    )
    return tuple(_wrapped(head, _tiles(speech, view, seat, mark)))


def _tiles(speech: Speech, view: GameView, seat: int, mark: Place | None) -> list[str]:
    if view.board is None:
        return []
    state = view.board.state
    faces = known_faces(view, seat)
    texts = []
    for slot, (piece, face) in enumerate(zip(state.rows[seat], faces, strict=True), start=1):
        place = Place(seat=seat, slot=slot)
        star = _MARK if place == mark else ""
        texts.append(f"{star}{place} {tile_text(piece, face)}")
    if state.drawn is not None and state.turn == seat and state.winner is None:
        mine = view.board.drawn if seat == view.board.seat else None
        texts.append(speech.words.tell("board.drawn", tile=tile_text(state.drawn, mine)))
    return texts


def known_faces(view: GameView, seat: int) -> Sequence[Tile | None]:
    """Return what the listener knows of a row besides its open tiles."""
    if view.board is None:
        return ()
    row = view.board.state.rows[seat]
    if view.faces is not None and len(view.faces[seat]) == len(row):
        return view.faces[seat]
    if seat == view.board.seat:
        return view.board.own
    return [None] * len(row)


def tile_text(piece: Piece, known: Tile | None) -> str:
    """Return a tile as it stands or lies; ``known`` is its face if the listener knows it.

    ``(w?)`` is a hidden tile of a player without whom the others went on: out of play.
    """
    if piece.face is not None:
        return str(piece.face)
    if piece.dead:
        return "(??)" if piece.back is None else f"({piece.back.letter}?)"
    if known is not None:
        return f"[{known}]"
    return "[??]" if piece.back is None else f"[{piece.back.letter}?]"


def _wrapped(head: str, items: Sequence[str]) -> Iterator[str]:
    line = head
    for item in items:
        longer = f"{line}{_GAP}{item}"
        if cut(longer, LINE_WIDTH) == longer:
            line = longer
        else:
            yield line
            line = f"{_INDENT}{item}"
    yield line
