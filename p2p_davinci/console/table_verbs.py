"""The verbs for finding and forming a table: tables, open, join, ready, seat, option and kin.

Pure. Members are named by their shown names or by their number in the list as shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ..rules.options import FORMS, PRESETS, SEATS_MAX, SEATS_MIN, BadOption, Options, changed
from ..session.events import Stage
from ..session.lobby_events import (
    Decline,
    Leave,
    LobbyView,
    SetOption,
    SetOrder,
    SetReady,
    SetRules,
    SetSeats,
    SetYoungest,
)
from .clean import NAME_WIDTH_MAX, clean
from .commands import (
    Ask,
    DeleteGame,
    Draft,
    FindTables,
    JoinAddress,
    JoinTable,
    LeaveGame,
    ListSaved,
    OpenTable,
    Reading,
    Rematch,
    ResumeGame,
    SetDraft,
    ShowRules,
)
from .context import Context
from .spelling import read_seat
from .vocabulary import MYSELF, NOBODY

PORT_MAX = 65535

_ADDRESS = re.compile(r"(?:\[(?P<six>[0-9a-f:.%\w]+)\]|(?P<host>[^\s:\[\]]+)):(?P<port>[0-9]{1,5})")
_OPTION = re.compile(r"(?P<key>\S+?)\s*[=\s]\s*(?P<value>\S+)")
_WORD = re.compile(r"[\s,;、]+")


def _in_lobby(
    act: Callable[[Context, LobbyView, str], Reading],
) -> Callable[[Context, str], Reading]:
    def verb(context: Context, rest: str) -> Reading:
        if context.lobby is None or context.game is not None:
            return context.refuse("grammar.no_lobby")
        if not context.lobby.members:
            return context.refuse("grammar.not_seated")
        return act(context, context.lobby, rest)

    return verb


@_in_lobby
def ready(_context: Context, _lobby: LobbyView, _rest: str) -> Reading:
    """``ready``: agree to the table as it is shown."""
    return SetReady()


def _member(context: Context, lobby: LobbyView, text: str) -> bytes | None:
    if text in MYSELF:
        return lobby.me
    seat = read_seat(text, context.speech.names)
    return None if seat is None else lobby.members[seat].key


def _no_member(context: Context, text: str) -> Reading:
    names = context.speech.listed(context.speech.names)
    return context.refuse("grammar.no_player", who=context.quoted(text), names=names)


@_in_lobby
def seat(context: Context, lobby: LobbyView, rest: str) -> Reading:
    """``seat bo ana cy``: propose the order in which the members sit."""
    order: list[bytes] = []
    for word in _WORD.split(rest) if rest else ():
        key = _member(context, lobby, word)
        if key is None:
            return _no_member(context, word)
        order.append(key)
    if sorted(order) != sorted(member.key for member in lobby.members):
        names = context.speech.listed(context.speech.names)
        return context.refuse("grammar.seat_all", names=names)
    return SetOrder(order=tuple(order))


@_in_lobby
def youngest(context: Context, lobby: LobbyView, rest: str) -> Reading:
    """``youngest bo``, ``youngest nobody``: mark who begins."""
    if rest in NOBODY:
        return SetYoungest(member=None)
    key = _member(context, lobby, rest)
    return _no_member(context, rest) if key is None else SetYoungest(member=key)


def option(context: Context, rest: str) -> Reading:
    """``option jokers no``: change one option, of this table or of the one to be opened."""
    options = _options_here(context)
    if options is None:
        return context.refuse("grammar.no_lobby")
    match = _OPTION.fullmatch(rest)
    if match is None:
        return context.refuse("grammar.option_unclear", options=context.speech.listed(FORMS))
    try:
        after = changed(options, {match["key"]: match["value"]})
    except BadOption as bad:
        return context.refusal(
            context.speech.words.reason("option", bad.reason, **dict(bad.values))
        )
    if context.lobby is not None:
        return SetOption(key=match["key"], value=match["value"])
    text = context.speech.words.tell("draft.option", option=match["key"], value=match["value"])
    return SetDraft(draft=replace(context.draft, options=after), text=text)


def _options_here(context: Context) -> Options | None:
    """Return the rules that can be changed here: a lobby's, or those of the table to be opened."""
    if context.game is not None:
        return None
    if context.lobby is None:
        return context.draft.options
    return context.lobby.options if context.lobby.members else None


def rules(context: Context, rest: str) -> Reading:
    """``rules``: tell them; ``rules standard``: change to a preset."""
    if not rest:
        return ShowRules()
    if _options_here(context) is None:
        return context.refuse("grammar.no_lobby")
    if rest not in PRESETS:
        presets = context.speech.listed(PRESETS)
        return context.refuse("option.unknown_preset", preset=context.quoted(rest), presets=presets)
    if context.lobby is not None:
        return SetRules(preset=rest)
    text = context.speech.words.tell("draft.rules", preset=rest)
    return SetDraft(draft=replace(context.draft, options=PRESETS[rest]), text=text)


def players(context: Context, rest: str) -> Reading:
    """``players 3``: change how many the table waits for, or the one to be opened."""
    if _options_here(context) is None:
        return context.refuse("grammar.no_lobby")
    if rest not in map(str, range(SEATS_MIN, SEATS_MAX + 1)):
        return context.refuse("grammar.players_unclear")
    if context.lobby is not None:
        return SetSeats(seats=int(rest))
    return _drafted(context, seats=int(rest), bots=min(context.draft.bots, int(rest) - 1))


def bots(context: Context, rest: str) -> Reading:
    """``bots 1``: how many of the players of the table to be opened are programs."""
    if _at_a_table(context):
        return context.refuse("grammar.bots_late")
    if rest not in map(str, range(SEATS_MAX)):
        return context.refuse("grammar.bots_unclear")
    return _drafted(context, seats=max(context.draft.seats, int(rest) + 1), bots=int(rest))


def _drafted(context: Context, *, seats: int, bots: int) -> SetDraft:
    draft = Draft(options=context.draft.options, seats=seats, bots=bots)
    text = context.speech.words.tell("draft.seats", seats=seats, bots=bots)
    return SetDraft(draft=draft, text=text)


@_in_lobby
def decline(context: Context, lobby: LobbyView, rest: str) -> Reading:
    """``decline bo``: the opener sends somebody away; asked first."""
    key = _member(context, lobby, rest)
    if key is None:
        return _no_member(context, rest)
    if lobby.me != lobby.opener:
        return context.refuse("grammar.not_opener")
    if key == lobby.me:
        return context.refuse("grammar.decline_self")
    seat = next(seat for seat, member in enumerate(lobby.members) if member.key == key)
    text = context.speech.words.tell("slip.decline", name=context.speech.names[seat])
    return Ask(text=text, command=Decline(member=key))


def leave(context: Context, _rest: str) -> Reading:
    """``leave``: stand up from a table that is being formed, or from a game that is over."""
    if _is_over(context):
        return LeaveGame()
    if context.game is not None:
        return context.refuse("grammar.leave_game")
    return context.refuse("grammar.no_lobby") if context.lobby is None else Leave()


def again(context: Context, _rest: str) -> Reading:
    """``again``: another game with the same people, once this one is over."""
    return Rematch() if _is_over(context) else context.refuse("grammar.not_over")


def _is_over(context: Context) -> bool:
    return context.game is not None and context.game.stage in (Stage.OVER, Stage.HALTED)


# --- no table yet ----------------------------------------------------------------------------


def _at_a_table(context: Context) -> bool:
    return context.lobby is not None or context.game is not None


def tables(context: Context, _rest: str) -> Reading:
    """``tables``: list the tables on this network."""
    return context.refuse("grammar.at_a_table") if _at_a_table(context) else FindTables()


def open_table(context: Context, rest: str) -> Reading:
    """``open``, ``open NAME``: a table as it was drafted."""
    if _at_a_table(context):
        return context.refuse("grammar.at_a_table")
    return OpenTable(name=clean(rest, NAME_WIDTH_MAX) or None, draft=context.draft)


def saved(context: Context, _rest: str) -> Reading:
    """``saved``: list the games that are not over."""
    return context.refuse("grammar.at_a_table") if _at_a_table(context) else ListSaved()


def resume(context: Context, rest: str) -> Reading:
    """``resume 1``: go on with a saved game."""
    if _at_a_table(context):
        return context.refuse("grammar.at_a_table")
    return ResumeGame(word=rest) if rest else context.refuse("grammar.which_saved")


def delete(context: Context, rest: str) -> Reading:
    """``delete 1``: delete a saved game; asked first."""
    if _at_a_table(context):
        return context.refuse("grammar.at_a_table")
    if not rest:
        return context.refuse("grammar.which_saved")
    text = context.speech.words.tell("saved.ask_delete", word=context.quoted(rest))
    return Ask(text=text, command=DeleteGame(word=rest))


def join(context: Context, rest: str) -> Reading:
    """``join 2`` (in the list as last shown), ``join HOST:PORT``, ``join [ADDRESS]:PORT``."""
    if _at_a_table(context):
        return context.refuse("grammar.at_a_table")
    if rest.isdecimal() and len(rest) <= len(str(PORT_MAX)):
        if not 1 <= int(rest) <= context.found:
            return context.refuse("grammar.no_table", number=rest, found=context.found)
        return JoinTable(index=int(rest) - 1)
    return read_address(rest) or context.refuse("grammar.address_unclear")


def read_address(text: str) -> JoinAddress | None:
    """Return what ``HOST:PORT`` or ``[ADDRESS]:PORT`` is to join, ``None`` if it is neither."""
    match = _ADDRESS.fullmatch(text)
    if match is None or not 1 <= int(match["port"]) <= PORT_MAX:
        return None
    return JoinAddress(host=match["six"] or match["host"], port=int(match["port"]))
