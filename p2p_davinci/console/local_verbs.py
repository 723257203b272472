"""The verbs that look, remember and talk: board, row, log, note, mark, say, help, quit and kin.

Pure.
"""

from __future__ import annotations

import re

from ..rules.legal import is_in
from ..session.events import Say, Stage
from .clean import CHAT_WIDTH_MAX, clean
from .commands import (
    Ask,
    MarkCompared,
    Place,
    Quit,
    Reading,
    Refusal,
    Repeat,
    SetMark,
    SetNote,
    ShowBoard,
    ShowCandidates,
    ShowCompare,
    ShowHelp,
    ShowLegal,
    ShowLog,
    ShowNotes,
    ShowRow,
)
from .context import Context
from .spelling import fold, read_seat, split_place
from .vocabulary import CLEAR, MYSELF, NOBODY, split_verb

NOTE_WIDTH_MAX = 60
LOG_LINES = 10
"""How many lines ``log`` tells without a number."""
LOG_LINES_MAX = 500
TWO = 2
"""So many left in a game can claim it, and more can vote to go on without somebody."""

_NUMBER = re.compile(r"[0-9]{1,4}")


def say(context: Context, said: str) -> Reading:
    """``say …``: the text goes out as it was typed, without control characters."""
    text = clean(said, CHAT_WIDTH_MAX)
    if context.game is None:
        return context.refuse("grammar.no_game")
    if not text:
        return context.refuse("grammar.say_what")
    return Say(text=text)


def note(context: Context, said: str) -> Reading:
    """``note 2.3 5 7``, ``note bo 3 clear``, ``note 2.3``, ``note``: private remarks."""
    if context.board is None or context.options is None:
        return context.refuse("grammar.no_game")
    if context.options.aids == "real-life":
        return context.refuse("grammar.no_notes")
    if not said:
        return ShowNotes(place=None)
    found = split_place(fold(said), context.speech.names)
    if found is None:
        return context.refuse("grammar.place_unclear")
    place, rest = found
    missing = _missing_place(context, place)
    if missing is not None:
        return missing
    if not rest:
        return ShowNotes(place=place)
    return SetNote(place=place, text="" if rest in CLEAR else clean(rest, NOTE_WIDTH_MAX))


def _missing_place(context: Context, place: Place) -> Refusal | None:
    board = context.board
    if board is None:
        return context.refuse("grammar.no_game")
    if not 0 <= place.seat < board.state.seats:
        return context.refuse("illegal.no_such_seat", seat=place.seat + 1)
    tiles = len(board.state.rows[place.seat])
    if not 1 <= place.slot <= tiles:
        return context.refuse("illegal.no_such_slot", place=str(place), tiles=tiles)
    return None


def mark(context: Context, rest: str) -> Reading:
    """``mark 2.3``, ``mark bo 3``, ``mark clear``: the tile that a bare call names."""
    if rest in CLEAR | NOBODY:
        return SetMark(place=None)
    found = split_place(rest, context.speech.names)
    if found is None or found[1]:
        return context.refuse("grammar.place_unclear")
    return _missing_place(context, found[0]) or SetMark(place=found[0])


def candidates(context: Context, rest: str) -> Reading:
    """``candidates 2.3``: what the tile may still be, where the table allows such aids."""
    if context.board is None or context.options is None:
        return context.refuse("grammar.no_game")
    if context.options.aids != "assisted":
        return context.refuse("grammar.no_candidates")
    found = split_place(rest, context.speech.names)
    if found is None or found[1]:
        return context.refuse("grammar.place_unclear")
    return _missing_place(context, found[0]) or ShowCandidates(place=found[0])


def board(context: Context, _rest: str) -> Reading:
    """``board``: the whole table."""
    return ShowBoard() if context.board is not None else context.refuse("grammar.no_board")


def row(context: Context, rest: str) -> Reading:
    """``row bo``, ``row 2``, ``row me``; without a name one's own row."""
    if context.board is None:
        return context.refuse("grammar.no_board")
    if context.board.seat is not None and (not rest or rest in MYSELF):
        return ShowRow(seat=context.board.seat)
    seat = read_seat(rest, context.speech.names)
    return _no_player(context, rest) if seat is None else ShowRow(seat=seat)


def _no_player(context: Context, text: str) -> Refusal:
    names = context.speech.listed(context.speech.names)
    return context.refuse("grammar.no_player", who=context.quoted(text), names=names)


def repeat(_context: Context, _rest: str) -> Reading:
    """``repeat``: tell the last lines again."""
    return Repeat()


def legal(_context: Context, _rest: str) -> Reading:
    """``legal``: what may be done now."""
    return ShowLegal()


def log(context: Context, rest: str) -> Reading:
    """``log``, ``log 30``: what happened, the latest last."""
    if rest and not _NUMBER.fullmatch(rest):
        return context.refuse("grammar.log_unclear")
    return ShowLog(count=min(int(rest), LOG_LINES_MAX) if rest else LOG_LINES)


def compare(context: Context, _rest: str) -> Reading:
    """``compare``: the words and digits that all must see alike."""
    if context.game is None or not context.game.compare:
        return context.refuse("grammar.no_compare")
    return ShowCompare()


def compared(context: Context, _rest: str) -> Reading:
    """``compared``: the players have compared them."""
    if context.game is None or not context.game.compare:
        return context.refuse("grammar.no_compare")
    return MarkCompared()


def explain(context: Context, rest: str) -> Reading:
    """``help``, ``help draw``: all commands, or one."""
    if not rest:
        return ShowHelp(topic=None)
    verb = split_verb(rest)
    if verb is None or verb[2]:
        return context.refuse("grammar.no_help", topic=context.quoted(rest))
    return ShowHelp(topic=verb[0])


def leave_program(context: Context, _rest: str) -> Reading:
    """``quit``: asks, and says what leaving does to the others."""
    return Ask(text=context.speech.words.tell(f"quit.{_where(context)}"), command=Quit())


def _where(context: Context) -> str:
    if context.game is not None:
        if context.game.stage in (Stage.OVER, Stage.HALTED) or context.game.seat is None:
            return "over"
        if context.game.stage is Stage.SETUP:
            return "deal"
        board = context.game.board
        if board is not None and context.game.seat in board.state.out:
            return "out"
        if context.game.resigning:
            return "resigning"
        left = [] if board is None else [is_in(board.state, s) for s in range(board.state.seats)]
        return "two" if sum(left) == TWO else "game"
    return "hall" if context.lobby is None else "lobby"
