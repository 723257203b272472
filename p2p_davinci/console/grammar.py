"""From a typed line to a command, a question, or a refusal that says what to type instead.

Pure. The grammar knows how things are spelt and asks about slips that would cost a turn (a colour
that the back contradicts, a colour left out where it counts); whether a move is legal is the
rules' business, and they are asked before any question is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from ..rules.legal import named_tile
from ..rules.moves import Call, Guess
from . import local_verbs, look_verbs, staying_verbs, table_verbs, turn_verbs
from .commands import Ask, Place, PlayMove, Reading
from .context import Context
from .spelling import fold, read_call, split_place
from .vocabulary import split_verb

Verb = Callable[[Context, str], Reading]

_EQUALS = re.compile(r"=|:|\bis\b|是|为")


def read(line: str, context: Context) -> Reading | None:
    """Return what ``line`` means in ``context``; ``None`` for an empty line."""
    text = fold(line)
    if not text:
        return None
    verb = split_verb(text)
    if verb is not None and verb[0] in _FREE:
        said = line.strip()[len(verb[1]) :].strip()
        return _FREE[verb[0]](context, said)
    guess = _read_guess(text, context)
    if guess is not None:
        return guess
    if verb is not None:
        return _VERBS[verb[0]](context, verb[2])
    return _unknown(text, context)


def _unknown(text: str, context: Context) -> Reading:
    if context.game is None:
        address = table_verbs.read_address(text) if context.lobby is None else None
        return address or context.refuse("grammar.unknown", line=context.quoted(text))
    place = split_place(text, context.speech.names)
    if place is not None:
        return context.refuse(
            "grammar.call_unclear", place=str(place[0]), call=context.quoted(place[1])
        )
    return context.not_now(context.speech.words.tell("grammar.unknown", line=context.quoted(text)))


# --- guesses ---------------------------------------------------------------------------------


def _read_guess(text: str, context: Context) -> Reading | None:
    """Read ``2.3 = 7``, ``bo 3 white 7``, ``guess 2.3 7``, or a bare call for the marked tile."""
    verb = split_verb(text)
    if verb is not None and verb[0] == "guess":
        text = verb[2]
    where, call = _split_guess(text, context)
    if call is None:
        return None
    if context.game is None:
        return context.refuse("grammar.no_game")
    if where is None:
        return context.refuse("grammar.no_mark", call=context.quoted(text))
    return guess_at(where, call, context)


def _split_guess(text: str, context: Context) -> tuple[Place | None, Call | None]:
    bare = read_call(text.removeprefix("="))
    if bare is not None:
        return context.mark, bare
    place = split_place(text, context.speech.names)
    if place is None:
        return None, None
    rest = place[1]
    equals = _EQUALS.match(rest)
    return place[0], read_call(rest if equals is None else rest[equals.end() :])


def guess_at(place: Place, call: Call, context: Context) -> Reading:
    """Return the guess, the question that a slip deserves, or why it cannot be made now."""
    guess = Guess(seat=place.seat, slot=place.slot, call=call)
    command = turn_verbs.play(context, guess)
    board, options = context.board, context.options
    if not isinstance(command, PlayMove) or board is None or options is None:
        return command
    back = board.state.rows[place.seat][place.slot - 1].back
    if call.colour is None and back is not None:
        named = call if options.call == "number" else replace(call, colour=back)
        return PlayMove(move=replace(guess, call=named))
    speech = context.speech
    if named_tile(board.state, guess) is None:
        text = speech.words.tell("slip.no_colour", place=str(place), call=str(call))
        return Ask(text=text, command=command)
    if back is not None and call.colour is not back:
        text = speech.words.tell(
            "slip.wrong_colour",
            place=str(place),
            back=speech.back(back),
            call=speech.call(call),
            right=str(replace(call, colour=back)),
        )
        return Ask(text=text, command=command)
    return command


_FREE: Mapping[str, Verb] = MappingProxyType(
    {"say": local_verbs.say, "note": local_verbs.note, "name": look_verbs.name}
)
"""Verbs whose argument is kept as it was typed."""

_VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "guess": lambda context, rest: _unknown(rest, context),
        "draw": turn_verbs.draw,
        "stop": turn_verbs.stop,
        "slot": turn_verbs.slot,
        "reveal": turn_verbs.reveal,
        "resign": turn_verbs.resign,
        "clock": turn_verbs.clock,
        "vote": staying_verbs.vote,
        "wait": staying_verbs.wait,
        "claim": staying_verbs.claim,
        "save": staying_verbs.save,
        "take": turn_verbs.take,
        "arrange": turn_verbs.arrange,
        "board": local_verbs.board,
        "row": local_verbs.row,
        "repeat": local_verbs.repeat,
        "legal": local_verbs.legal,
        "log": local_verbs.log,
        "candidates": local_verbs.candidates,
        "mark": local_verbs.mark,
        "compare": local_verbs.compare,
        "compared": local_verbs.compared,
        "help": local_verbs.explain,
        "language": look_verbs.language,
        "menu": look_verbs.menu,
        "tiles": look_verbs.tiles,
        "theme": look_verbs.theme,
        "bell": look_verbs.bell,
        "quit": local_verbs.leave_program,
        "ready": table_verbs.ready,
        "seat": table_verbs.seat,
        "youngest": table_verbs.youngest,
        "option": table_verbs.option,
        "rules": table_verbs.rules,
        "players": table_verbs.players,
        "bots": table_verbs.bots,
        "decline": table_verbs.decline,
        "leave": table_verbs.leave,
        "tables": table_verbs.tables,
        "open": table_verbs.open_table,
        "join": table_verbs.join,
        "saved": table_verbs.saved,
        "resume": table_verbs.resume,
        "delete": table_verbs.delete,
        "again": table_verbs.again,
    }
)
