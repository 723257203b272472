"""The pages before a game: tables that were found, and the table that is being formed.

Pure. Names, table names and addresses come from peers and are cleaned here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..rules.options import PRESETS, Options
from ..session.lobby_events import LobbyView, Member
from ..text import Words
from .clean import NAME_WIDTH_MAX, clean
from .speech import Speech, speech

Lines = tuple[str, ...]
Where: TypeAlias = Literal["hall", "shell"]
"""Where tables are listed: in the console, or by a command that ends with the list."""

ADDRESS_WIDTH_MAX = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A table that answered: what it says of itself (``address`` is ``HOST:PORT``)."""

    table: str
    opener: str
    members: int
    seats: int
    options: Options
    address: str
    playing: bool = False

    @property
    def state(self) -> Literal["open", "full", "playing"]:
        """Whether there is a seat to be had, and if not, why."""
        if self.playing:
            return "playing"
        return "open" if self.members < self.seats else "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A saved game: its table, the names of its players in seat order, when it was last played."""

    table: str
    names: tuple[str, ...]
    when: str


def hall_lines(
    words: Words,
    found: Sequence[Found],
    own_addresses: Sequence[str],
    *,
    where: Where = "hall",
) -> Lines:
    """Return the list of tables, numbered from 1, or what to do when nobody is found."""
    if found:
        rows = [_found_line(words, number, table) for number, table in enumerate(found, start=1)]
        lines = [words.tell("hall.found", count=len(found)), *rows, words.tell(f"{where}.join")]
    else:
        lines = [words.tell(f"{where}.empty"), words.tell("hall.reasons")]
    if own_addresses and where == "hall":
        addresses = words.tell("comma").join(own_addresses)
        lines.append(words.tell("hall.address", addresses=addresses))
    return tuple(lines)


def _found_line(words: Words, number: int, found: Found) -> str:
    return words.tell(
        f"hall.{found.state}",
        number=number,
        table=clean(found.table, NAME_WIDTH_MAX),
        opener=clean(found.opener, NAME_WIDTH_MAX),
        members=found.members,
        seats=found.seats,
        rules=rules_name(words, found.options),
        address=clean(found.address, ADDRESS_WIDTH_MAX),
    )


# --- rules -----------------------------------------------------------------------------------


def rules_name(words: Words, options: Options) -> str:
    """Return the rules in short: the nearest preset, and what differs from it."""
    fields = options.fields()
    differing = {
        name: [f"{key} {value}" for key, value in fields if (key, value) not in preset.fields()]
        for name, preset in PRESETS.items()
    }
    name = min(differing, key=lambda preset: len(differing[preset]))
    if not differing[name]:
        return name
    return words.tell("rules.but", preset=name, changes=words.tell("comma").join(differing[name]))


def rules_lines(words: Words, options: Options) -> Lines:
    """Return every option of the rules as a sentence."""
    lines = [words.tell("rules.are", rules=rules_name(words, options))]
    lines += (option_sentence(words, options, key) for key, _ in options.fields())
    return tuple(lines)


def option_sentence(words: Words, options: Options, key: str) -> str:
    """Return the sentence for one option of the rules as it is set."""
    clock = options.clock
    if key == "clock" and clock is not None:
        return words.tell("rule.clock.on", think=clock.think_s, call=clock.call_s)
    if key == "rounds":
        return words.tell("rule.rounds", rounds=options.rounds)
    return words.tell(f"rule.{key}.{dict(options.fields())[key]}")


# --- a table being formed --------------------------------------------------------------------


def lobby_speech(words: Words, lobby: LobbyView) -> Speech:
    """Return how to speak at this table: its members in seat order, and which of them listens."""
    keys = [member.key for member in lobby.members]
    me = keys.index(lobby.me) if lobby.me in keys else None
    return speech(words, [member.name for member in lobby.members], me)


def lobby_lines(words: Words, lobby: LobbyView) -> Lines:
    """Return the whole page: seats in their order, rules, who begins, what to type."""
    spoken = lobby_speech(words, lobby)
    table = clean(lobby.table, NAME_WIDTH_MAX)
    if not lobby.members:
        return (words.tell("table.knocking", table=table),)
    seated = len(lobby.members)
    return (
        words.tell("table.head", table=table, members=seated, seats=lobby.seats),
        *(member_line(spoken, lobby, seat, member) for seat, member in enumerate(lobby.members)),
        words.tell("rules.are", rules=rules_name(words, lobby.options)),
        *_first_line(spoken, lobby),
        lobby_due(words, lobby),
    )


def member_line(spoken: Speech, lobby: LobbyView, seat: int, member: Member) -> str:
    """Return a member of the table: seat, name, and how far from playing."""
    words = spoken.words
    state = "ready" if member.ready else "thinking"
    if not member.linked:
        state = "unlinked"
    return words.tell(
        "table.member.you" if seat == spoken.me else "table.member.other",
        seat=seat + 1,
        name=spoken.names[seat],
        role=words.tell("table.opener") if member.key == lobby.opener else "",
        state=words.tell(f"table.state.{state}"),
    )


def _first_line(spoken: Speech, lobby: LobbyView) -> Lines:
    if lobby.options.first != "youngest":
        return ()
    keys = [member.key for member in lobby.members]
    if lobby.youngest not in keys:
        return (spoken.words.tell("table.youngest.nobody"),)
    return (spoken.tell("table.youngest", keys.index(lobby.youngest)),)


def lobby_due(words: Words, lobby: LobbyView) -> str:
    """Return what the table waits for, and what this player can do about it."""
    missing = lobby.seats - len(lobby.members)
    if missing > 0:
        return words.tell("table.waits_players", missing=missing)
    spoken = lobby_speech(words, lobby)
    unlinked = [seat for seat, member in enumerate(lobby.members) if not member.linked]
    if unlinked:
        return words.tell("table.waits_links", names=spoken.named(unlinked))
    mine = [member for member in lobby.members if member.key == lobby.me]
    if mine and not mine[0].ready:
        return words.tell("table.say_ready")
    unready = [seat for seat, member in enumerate(lobby.members) if not member.ready]
    return words.tell("table.waits_ready", names=spoken.named(unready))


def lobby_changes(words: Words, before: LobbyView, after: LobbyView) -> Lines:
    """Return what changed from one view of the same table to the next, in sentences."""
    old, new = lobby_speech(words, before), lobby_speech(words, after)
    was = {member.key: (seat, member) for seat, member in enumerate(before.members)}
    now = {member.key: (seat, member) for seat, member in enumerate(after.members)}
    lines = [old.tell("table.left", was[key][0]) for key in was if key not in now]
    lines += [new.tell("table.came", now[key][0]) for key in now if key not in was]
    if [key for key in was if key in now] != [key for key in now if key in was]:
        lines.append(words.tell("table.order", names=new.listed(new.names)))
    if before.seats != after.seats:
        lines.append(words.tell("table.seats", seats=after.seats))
    lines += _option_changes(words, before.options, after.options)
    if before.youngest != after.youngest:
        lines += _first_line(new, after)
    for key, (seat, member) in now.items():
        ready_before = key in was and was[key][1].ready
        if member.ready != ready_before:
            lines.append(new.tell("table.ready" if member.ready else "table.unready", seat))
    return tuple(lines)


def _option_changes(words: Words, before: Options, after: Options) -> list[str]:
    old = dict(before.fields())
    return [
        words.tell("table.option", option=key, value=value, was=old[key])
        for key, value in after.fields()
        if old[key] != value
    ]
