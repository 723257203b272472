"""The verbs of the deal and of a turn: take, arrange, draw, stop, slot, reveal, resign, clock.

Pure. Every move is shown to the rules first, with public knowledge only; a slot is checked against
one's own faces, because no one else can.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..rules.illegal import IllegalMove
from ..rules.legal import check_move, choose_slot
from ..rules.moves import Arrange, Draw, Move, Resign, Reveal, Stop, Take
from ..rules.moves import Place as PlaceUp
from ..rules.state import Phase, View
from ..rules.tiles import Colour, Tile, in_order
from ..session.events import CallClock, Stage
from .commands import Ask, AskSlot, PlayMove, Reading, Refusal
from .context import Context
from .prompts import drawn_slots
from .spelling import read_colour, read_tiles
from .telling import refused

_NUMBER = re.compile(r"[0-9]{1,3}")
_COUNT = re.compile(r"([0-9]{1,2})\s*([^\s0-9,;、+]*)[\s,;、+]*")


def play(context: Context, move: Move) -> PlayMove | Refusal:
    """Return the move as a command, or why it cannot be made now."""
    game, board = context.game, context.board
    if game is None:
        return context.refuse("grammar.no_game")
    if board is None:
        return context.not_now(context.speech.words.tell("grammar.still_dealing"))
    if board.seat is None:
        return context.refuse("grammar.watching")
    try:
        check_move(board.state, board.seat, move)
    except IllegalMove as illegal:
        return context.not_now(illegal_move(context, illegal))
    if game.stage is not Stage.PLAY:
        return context.not_now(context.speech.words.tell("illegal.over"))
    if not (game.due or isinstance(move, Resign)):
        awaited = context.speech.named(game.awaited)
        return context.not_now(context.speech.words.tell("grammar.wait", names=awaited))
    return PlayMove(move=move)


def illegal_move(context: Context, illegal: IllegalMove) -> str:
    """Return the sentence for a move that the rules refuse."""
    return refused(context.speech, f"illegal.{illegal.reason}", illegal.values)


# --- a turn ----------------------------------------------------------------------------------


def draw(context: Context, rest: str) -> Reading:
    """``draw``, ``draw black``: with open backs the colour is needed while there are both."""
    board = context.board
    if board is None:
        return play(context, Draw(deck=0))
    pile = board.state.pile
    colour = read_colour(rest)
    if rest and colour is None:
        return context.not_now(context.speech.words.tell("grammar.which_colour"))
    if len(pile) == 1:
        if colour is not None:
            return context.not_now(context.speech.words.tell("grammar.backs_hidden"))
        return play(context, Draw(deck=0))
    left = [deck for deck in Colour if pile[deck]]
    if colour is None and len(left) > 1:
        asked = play(context, Draw(deck=left[0]))
        if isinstance(asked, Refusal):
            return asked
        return context.not_now(context.speech.words.tell("grammar.which_colour"))
    return play(context, Draw(deck=left[0] if colour is None and left else int(colour or 0)))


def stop(context: Context, rest: str) -> Reading:
    """``stop``, ``stop 3``: the slot is where the drawn tile will stand."""
    if rest and not _NUMBER.fullmatch(rest):
        return context.not_now(context.speech.words.tell("grammar.slot_unclear"))
    return _stand(context, Stop(slot=int(rest) if rest else None))


def slot(context: Context, rest: str) -> Reading:
    """``slot 3``: where the drawn tile goes, face up after a miss or face down when stopping."""
    board = context.board
    if not rest and board is not None and board.drawn is not None:
        return _which_slot(context, board, board.drawn)
    if not _NUMBER.fullmatch(rest):
        return context.not_now(context.speech.words.tell("grammar.slot_unclear"))
    if board is not None and board.state.phase is Phase.MORE:
        return _stand(context, Stop(slot=int(rest)))
    return _stand(context, PlaceUp(slot=int(rest)))


def _which_slot(context: Context, board: View, drawn: Tile) -> Refusal:
    slots = ", ".join(map(str, drawn_slots(board)))
    needed = IllegalMove("slot_needed", (("tile", str(drawn)), ("slots", slots)))
    return context.not_now(illegal_move(context, needed))


def _stand(context: Context, move: Stop | PlaceUp) -> Reading:
    command = play(context, move)
    board, options = context.board, context.options
    if isinstance(command, Refusal) or board is None or board.drawn is None or options is None:
        return command
    if options.jokers and move.slot is None:
        return AskSlot()
    try:
        choose_slot(board.own, board.drawn, move.slot)
    except IllegalMove as illegal:
        return context.not_now(illegal_move(context, illegal))
    return command


def reveal(context: Context, rest: str) -> Reading:
    """``reveal 2``: turn up one's own tile."""
    if not _NUMBER.fullmatch(rest):
        return context.not_now(context.speech.words.tell("grammar.slot_unclear"))
    return play(context, Reveal(slot=int(rest)))


def resign(context: Context, _rest: str) -> Reading:
    """``resign``: asked first, because it cannot be taken back."""
    command = play(context, Resign())
    if isinstance(command, Refusal):
        return command
    return Ask(text=context.speech.words.tell("slip.resign"), command=command)


def clock(context: Context, _rest: str) -> Reading:
    """``clock``: call the clock on the player in turn."""
    board = context.board
    if board is None or context.options is None:
        return context.refuse("grammar.no_game")
    if context.options.clock is None:
        return context.refuse("illegal.no_clock")
    if board.state.turn == board.seat:
        return context.refuse("grammar.own_clock")
    return CallClock()


# --- the deal --------------------------------------------------------------------------------


def take(context: Context, rest: str) -> Reading:
    """``take 3 black``, ``take 3 black 1 white``, ``take 3 1``: how many of each colour."""
    game = context.game
    if game is None or not (game.due and game.kind == "take"):
        return context.not_now(context.speech.words.tell("grammar.not_taking"))
    size = game.hand
    counts = _read_counts(rest, size)
    if counts is None or min(counts) < 0 or sum(counts) != size:
        return context.not_now(context.speech.words.tell("grammar.take_unclear", count=size))
    return PlayMove(move=Take(counts=counts))


def _read_counts(text: str, size: int) -> tuple[int, int] | None:
    found = _COUNT.findall(text)
    if "".join(match[0] for match in _COUNT.finditer(text)) != text or not found:
        return None
    numbers = [int(number) for number, _ in found]
    colours = [read_colour(word) for _, word in found]
    match numbers, colours:
        case [first], [Colour.BLACK]:
            return first, size - first
        case [first], [Colour.WHITE]:
            return size - first, first
        case [first, second], [Colour.BLACK, Colour.WHITE]:
            return first, second
        case [first, second], [Colour.WHITE, Colour.BLACK]:
            return second, first
        case [first, second], [None, None] if not any(word for _, word in found):
            return first, second
        case _:
            return None


def arrange(context: Context, rest: str) -> Reading:
    """``arrange b3 w- w5``: the order of one's own tiles."""
    game = context.game
    if game is None or not (game.due and game.kind == "arrange"):
        return context.not_now(context.speech.words.tell("grammar.not_arranging"))
    tiles = read_tiles(rest) if rest else None
    dealt = context.speech.order(game.dealt)
    if tiles is None or sorted(map(str, tiles)) != sorted(map(str, game.dealt)):
        return context.not_now(context.speech.words.tell("grammar.not_your_tiles", tiles=dealt))
    if not in_order(tiles):
        return context.not_now(context.speech.words.tell("grammar.not_in_order"))
    return PlayMove(move=Arrange(order=_order_of(tiles, game.dealt)))


def _order_of(tiles: Sequence[Tile], dealt: Sequence[Tile]) -> tuple[int, ...]:
    return tuple(dealt.index(tile) for tile in tiles)
