"""One typed line against the model: a question answered, a look around, or a command to pass on.

Pure. What the application must carry out comes back as :attr:`Reply.command`; everything else has
been done here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from ..rules.candidates import candidates
from ..rules.moves import Resign
from ..session.events import KeepWaiting, Say
from . import commands as c
from .board import board_lines, row_lines, turn_number
from .clean import NAME_WIDTH_MAX
from .grammar import read
from .lobby import lobby_due, rules_lines
from .look_verbs import read_name
from .model import Lines, Model, Note, over_line, told
from .news import comparison_lines
from .offers import chosen_line, offer_lines
from .prompts import legal, now
from .shell import How
from .spelling import fold
from .vocabulary import NO, VERBS, YES, split_verb


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a line came to: the new model, lines to tell, and a command for the application.

    ``how`` says what a screen does with the lines.
    """

    model: Model
    lines: Lines = ()
    command: c.Outward | None = None
    how: How = "told"


def read_line(model: Model, line: str) -> Reply:
    """Return what a typed line does; nothing is sent without a command in the reply."""
    if model.naming:
        named = _answer_name(model, line)
        if named is not None:
            return named
    word = fold(line)
    chosen = chosen_line(model, word)
    question, model = model.question, replace(model, question=None)
    if question is not None and word in YES:
        return _carry_out(model, question)
    if question is not None and word in NO:
        return _say(model, (model.words.tell("question.dropped"),))
    if question is None and word in YES | NO and split_verb(word) is None:
        return _say(model, (model.words.tell("question.none"),))
    reading = read(line if chosen is None else chosen, model.context)
    model = replace(model, placing=False)
    match reading:
        case None:
            return _say(model, due_lines(model))
        case c.Refusal(text=text):
            return _say(model, (text,))
        case c.Ask(text=text, command=command):
            asked = model.words.tell("question.answer")
            return _say(replace(model, question=command), (text, asked))
        case _:
            return _carry_out(model, reading)


def _answer_name(model: Model, line: str) -> Reply | None:
    """Take the line as the player's name, unless it is a command that makes sense before one."""
    verb = split_verb(fold(line))
    if verb is not None:
        key, word, rest = verb
        whole = not rest or rest.isdecimal()
        if key == "quit":
            return _carry_out(model, c.Quit())
        if key in ("language", "name") or (key in _ASIDE and whole):
            return None
        if key in _LATER and whole:
            return _say(model, (model.words.tell("grammar.name_first", word=word),))
    name = read_name(line if line.strip() else model.name)
    if name is None:
        return _say(model, (model.words.tell("grammar.name_unclear", width=NAME_WIDTH_MAX),))
    return _carry_out(model, c.SetName(name=name))


_ASIDE = frozenset(("help", "log", "note", "menu", "legal", "repeat", "tiles", "theme", "bell"))
"""Verbs that are no names on their own or with a number; keys stand for some of them."""
_LATER = frozenset(("saved", "resume", "delete", "open", "join", "tables"))
"""Verbs that are no names either, but need one first."""


def _say(model: Model, lines: Lines, how: How = "told") -> Reply:
    after = told(model, lines)
    return Reply(model=after.model, lines=after.lines, how=how)


def _carry_out(model: Model, command: c.Command) -> Reply:
    done_here = _LOCAL.get(type(command))
    if done_here is not None:
        return done_here(model, command)
    match command:
        case c.SetLanguage(lang=lang):
            after = replace(model, lang=lang)
            return replace(_say(after, (after.words.tell("language.set"),)), command=command)
        case c.SetName(name=name):
            after = replace(model, name=name, naming=False)
            line = after.words.tell("name.set", name=name)
            return replace(_say(after, (line,)), command=command)
        case c.SetLook(look=look):
            after = replace(model, look=look)
            bell = after.words.tell(f"menu.bell.{'on' if look.bell else 'off'}")
            line = after.words.tell("look.set", tiles=look.tiles, theme=look.theme, bell=bell)
            return replace(_say(after, (line,), "seen"), command=command)
        case c.PlayMove(move=Resign()) if model.game is not None and not model.game.due:
            spoken = _say(model, (model.words.tell("resign.waits"),))
            return replace(spoken, command=command)
        case KeepWaiting():
            spoken = _say(model, (model.words.tell("silent.waiting"),))
            return replace(spoken, command=command)
        case Say():
            return _with_manners(Reply(model=model, command=command))
    return Reply(model=model, command=cast("c.Outward", command))


def _with_manners(reply: Reply) -> Reply:
    """Remind once a game, where people play by real-life manners, of what not to discuss."""
    model = reply.model
    if model.reminded or model.options is None or model.options.aids != "real-life":
        return reply
    spoken = _say(replace(model, reminded=True), (model.words.tell("said.manners"),))
    return replace(spoken, command=reply.command)


def due_lines(model: Model) -> Lines:
    """Return whose turn it is, what is due, and what may be typed."""
    if model.asks_on:
        return (over_line(model),)
    situation = model.context.situation
    if situation is not None:
        return (*now(situation), legal(situation))
    if model.lobby is not None and model.lobby.members:
        return (lobby_due(model.words, model.lobby), model.words.tell("legal.lobby"))
    return (model.words.tell("legal.hall"),)


# --- looking and remembering -----------------------------------------------------------------


def _board(model: Model, _command: c.ShowBoard) -> Reply:
    lines = () if model.game is None else board_lines(model.speech, model.game, model.mark)
    return _say(model, lines)


def _row(model: Model, command: c.ShowRow) -> Reply:
    if model.game is None:
        return Reply(model=model)
    return _say(model, row_lines(model.speech, model.game, command.seat, model.mark))


def _repeat(model: Model, _command: c.Repeat) -> Reply:
    return Reply(model=model, lines=model.last)


def _legal(model: Model, _command: c.ShowLegal) -> Reply:
    return _say(model, due_lines(model))


def _log(model: Model, command: c.ShowLog) -> Reply:
    """Under real-life manners only the turn before and this one can be looked up."""
    entries = model.log
    limits: Lines = ()
    board = None if model.game is None else model.game.board
    if model.options is not None and model.options.aids == "real-life":
        turn = 1 if board is None else turn_number(board.state)
        number = 1 if model.game is None else model.game.round
        entries = tuple(e for e in entries if e.round == number and e.turn >= turn - 1)
        limits = (model.words.tell("log.real_life"),)
    lines = tuple(entry.text for entry in entries[-command.count :]) if command.count else ()
    lines = lines or (model.words.tell("log.empty"),)
    return _say(model, (*lines, *limits), "latest")


def _set_note(model: Model, command: c.SetNote) -> Reply:
    kept = tuple(note for note in model.notes if note.place != command.place)
    if not command.text:
        after = replace(model, notes=kept)
        return _say(after, (model.words.tell("note.cleared", place=str(command.place)),))
    notes = (*kept, Note(place=command.place, text=command.text))
    ordered = tuple(sorted(notes, key=lambda note: (note.place.seat, note.place.slot)))
    return _say(
        replace(model, notes=ordered),
        (model.words.tell("note.kept", place=str(command.place), text=command.text),),
    )


def _notes(model: Model, command: c.ShowNotes) -> Reply:
    lines = tuple(
        model.words.tell("note.is", place=str(note.place), text=note.text)
        for note in model.notes
        if command.place in (None, note.place)
    )
    if command.place is None:
        lines = (*lines, *_all_candidates(model))
    return _say(model, lines or (model.words.tell("note.none"),), "apart")


def _all_candidates(model: Model) -> Lines:
    """Return what every hidden tile may still be, where the table allows such aids."""
    board = None if model.game is None else model.game.board
    if board is None or model.options is None or model.options.aids != "assisted":
        return ()
    lines = [model.words.tell("candidates.title")]
    for seat, row in enumerate(candidates(board)):
        for slot, found in enumerate(row, start=1):
            if seat != board.seat and board.state.rows[seat][slot - 1].standing:
                tiles = " ".join(map(str, sorted(found, key=lambda tile: tile.code)))
                lines.append(
                    model.words.tell("candidates.row", place=f"{seat + 1}.{slot}", tiles=tiles)
                )
    return tuple(lines)


def _candidates(model: Model, command: c.ShowCandidates) -> Reply:
    board = None if model.game is None else model.game.board
    if board is None:
        return Reply(model=model)
    found = candidates(board)[command.place.seat][command.place.slot - 1]
    tiles = " ".join(map(str, sorted(found, key=lambda tile: tile.code)))
    key = "candidates.are" if tiles else "candidates.none"
    return _say(model, (model.words.tell(key, place=str(command.place), tiles=tiles),))


def _mark(model: Model, command: c.SetMark) -> Reply:
    key = "mark.cleared" if command.place is None else "mark.set"
    line = model.words.tell(key, place=str(command.place))
    return _say(replace(model, mark=command.place), (line,), "seen")


def _help(model: Model, command: c.ShowHelp) -> Reply:
    words = model.words
    if command.topic is not None:
        other = words.tell("comma").join(VERBS[command.topic])
        return _say(
            model, (words.tell(f"help.{command.topic}"), words.tell("help.also", words=other))
        )
    pages = ["help.game"] if model.game is not None else ["help.table"]
    pages += ["help.keys", "help.always"] if model.on_screen else ["help.always"]
    lines = [line for page in pages for line in words.tell(page).splitlines()]
    return _say(model, tuple(lines), "apart")


def _rules(model: Model, _command: c.ShowRules) -> Reply:
    options = model.context.options
    if options is not None:
        return _say(model, rules_lines(model.words, options), "apart")
    draft = model.draft
    table = model.words.tell("draft.are", seats=draft.seats, bots=draft.bots)
    return _say(model, (table, *rules_lines(model.words, draft.options)), "apart")


def _menu(model: Model, command: c.ShowMenu) -> Reply:
    after = replace(model, page=command.page)
    return _say(after, offer_lines(after), "seen")


def _draft(model: Model, command: c.SetDraft) -> Reply:
    return _say(replace(model, draft=command.draft), (command.text,), "seen")


def _ask_slot(model: Model, _command: c.AskSlot) -> Reply:
    after = replace(model, placing=True)
    return _say(after, offer_lines(after), "seen")


def _compare(model: Model, _command: c.ShowCompare) -> Reply:
    return _say(model, comparison_lines(model))


def _compared(model: Model, _command: c.MarkCompared) -> Reply:
    after = replace(model, compared=True)
    return _say(after, (model.words.tell("compare.done"),))


_LOCAL: Mapping[type[c.Command], Callable[[Model, Any], Reply]] = MappingProxyType(
    {
        c.ShowBoard: _board,
        c.ShowRow: _row,
        c.Repeat: _repeat,
        c.ShowLegal: _legal,
        c.ShowLog: _log,
        c.SetNote: _set_note,
        c.ShowNotes: _notes,
        c.ShowCandidates: _candidates,
        c.SetMark: _mark,
        c.ShowHelp: _help,
        c.ShowRules: _rules,
        c.ShowCompare: _compare,
        c.MarkCompared: _compared,
        c.ShowMenu: _menu,
        c.SetDraft: _draft,
        c.AskSlot: _ask_slot,
    }
)
"""What the console does by itself."""
