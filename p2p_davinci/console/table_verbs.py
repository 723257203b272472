"""The verbs for finding and forming a table: tables, open, join, ready, seat, option and kin.

Pure. Members are named by their shown names or by their number in the list as shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..rules.options import FORMS, PRESETS, SEATS_MAX, SEATS_MIN, BadOption, changed
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
    FindTables,
    JoinAddress,
    JoinTable,
    ListSaved,
    OpenTable,
    Reading,
    ResumeGame,
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


@_in_lobby
def option(context: Context, lobby: LobbyView, rest: str) -> Reading:
    """``option jokers no``: change one option."""
    match = _OPTION.fullmatch(rest)
    if match is None:
        return context.refuse("grammar.option_unclear", options=context.speech.listed(FORMS))
    try:
        changed(lobby.options, {match["key"]: match["value"]})
    except BadOption as bad:
        return context.refusal(
            context.speech.words.reason("option", bad.reason, **dict(bad.values))
        )
    return SetOption(key=match["key"], value=match["value"])


def rules(context: Context, rest: str) -> Reading:
    """``rules``: tell them; ``rules standard``: change to a preset."""
    if rest:
        return _set_rules(context, rest)
    return context.refuse("grammar.no_rules") if context.options is None else ShowRules()


@_in_lobby
def _set_rules(context: Context, _lobby: LobbyView, rest: str) -> Reading:
    if rest not in PRESETS:
        presets = context.speech.listed(PRESETS)
        return context.refuse("option.unknown_preset", preset=context.quoted(rest), presets=presets)
    return SetRules(preset=rest)


@_in_lobby
def players(context: Context, _lobby: LobbyView, rest: str) -> Reading:
    """``players 3``: change how many the table waits for."""
    if rest not in map(str, range(SEATS_MIN, SEATS_MAX + 1)):
        return context.refuse("grammar.players_unclear")
    return SetSeats(seats=int(rest))


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
    """``leave``: stand up from a table that is being formed."""
    if context.lobby is None or context.game is not None:
        return context.refuse("grammar.no_lobby")
    return Leave()


# --- no table yet ----------------------------------------------------------------------------


def _at_a_table(context: Context) -> bool:
    return context.lobby is not None or context.game is not None


def tables(context: Context, _rest: str) -> Reading:
    """``tables``: list the tables on this network."""
    return context.refuse("grammar.at_a_table") if _at_a_table(context) else FindTables()


def open_table(context: Context, rest: str) -> Reading:
    """``open``, ``open NAME``."""
    if _at_a_table(context):
        return context.refuse("grammar.at_a_table")
    return OpenTable(name=clean(rest, NAME_WIDTH_MAX) or None)


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
    match = _ADDRESS.fullmatch(rest)
    if match is None or not 1 <= int(match["port"]) <= PORT_MAX:
        return context.refuse("grammar.address_unclear")
    return JoinAddress(host=match["six"] or match["host"], port=int(match["port"]))
