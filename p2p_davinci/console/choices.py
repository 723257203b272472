"""Choices within a game: a colour to draw, a slot, a tile to turn up, an arrangement, yes or no.

Pure. Each choice stands for a line of the grammar. What is offered depends only on what the player
is asked, never on whether the own tiles leave a choice: one is asked in the same way either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import NamedTuple

from ..rules.legal import is_in
from ..rules.state import Phase, View
from ..rules.tiles import Colour, Tile
from ..session.events import Lost, Stage
from ..text import Words
from .prompts import Situation, drawn_slots, may_choose, standing_slots
from .speech import Speech


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A choice: what is typed to take it, what it says, and the line that it stands for.

    A line that ends with a blank is a beginning, to be completed by the player. ``back`` is the
    line for the other direction, where an item is a value that can be turned up and down. ``name``
    stays when value and place in the list change.
    """

    key: str
    text: str
    line: str
    back: str | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Choices and what they are about; ``across``: short ones, to be shown side by side.

    ``topic`` stays while only the choices change, and is another when something else is asked.
    ``first`` is the index of the one that the arrows begin at, ``None`` where nothing is suggested:
    what depends on tiles that only the player sees has no default, since the others know the rule.
    """

    topic: str
    title: str
    items: tuple[Item, ...]
    across: bool = False
    first: int | None = 0


class Row(NamedTuple):
    """An item before it has a number; without a name its line is its name."""

    text: str
    line: str
    back: str | None = None
    name: str | None = None


def numbered(topic: str, title: str, rows: Sequence[Row]) -> Offer:
    """Return an offer of these rows, with numbers from 1 to take them by."""
    return Offer(
        topic=topic,
        title=title,
        items=tuple(
            Item(
                key=str(number),
                text=row.text,
                line=row.line,
                back=row.back,
                name=row.name or row.line,
            )
            for number, row in enumerate(rows, start=1)
        ),
    )


def yes_or_no(words: Words, topic: str) -> Offer:
    """Return the two answers to a question; the harmless one first."""
    items = [
        Item(key=words.tell(f"menu.key.{line}"), text=words.tell(f"menu.{line}"), line=line)
        for line in ("no", "yes")
    ]
    return Offer(topic=topic, title=words.tell("menu.question"), items=tuple(items), across=True)


def silence_offer(situation: Situation) -> Offer | None:
    """Return what can be done about a player who has been silent for too long."""
    view, words = situation.view, situation.speech.words
    silent = [lost for lost in view.lost if may_choose(view, lost)]
    if not silent:
        return None
    state = None if view.board is None else view.board.state
    still_in = set() if state is None else {s for s in range(state.seats) if is_in(state, s)}
    others = max(len(still_in - {lost.seat}) for lost in silent)
    voted = all(view.seat in lost.votes for lost in silent)
    beyond = {1: ["claim"]}.get(others, ["vote"] if others > 1 and not voted else [])
    if all(lost.promise for lost in silent):
        beyond = []
    items = tuple(
        Item(key=words.tell(f"menu.key.{line}"), text=words.tell(f"menu.{line}"), line=line)
        for line in ("wait", *beyond, "save")
    )
    topic = "silent.voted" if voted else "silent"
    return Offer(topic=topic, title=_silent_title(situation, silent), items=items, across=True)


def _silent_title(situation: Situation, silent: Sequence[Lost]) -> str:
    """Return who is silent, or whose vote is awaited where this player has voted."""
    view, speech = situation.view, situation.speech
    names = speech.briefly([lost.seat for lost in silent])
    state = None if view.board is None else view.board.state
    if state is not None and all(view.seat in lost.votes for lost in silent):
        gone = {lost.seat for lost in silent}
        voters = {seat for seat in range(state.seats) if is_in(state, seat)} - gone
        missing = {seat for seat in voters if any(seat not in lost.votes for lost in silent)}
        return speech.words.tell("menu.voted", names=speech.briefly(sorted(missing)))
    key = "menu.gone" if all(lost.left for lost in silent) else "menu.silent"
    if all(lost.promise for lost in silent):
        key = "menu.promises"
    return speech.words.tell(key, names=names)


def game_offer(situation: Situation, *, placing: bool) -> Offer | None:
    """Return the choices of this moment; ``placing``: the player stops and is asked for a slot."""
    view, words = situation.view, situation.speech.words
    if not view.due:
        return None
    if view.stage is Stage.SETUP:
        if view.kind == "take":
            return _take_offer(words, view.hand)
        if view.kind == "arrange":
            return _arrange_offer(words, view.dealt)
        return None
    if view.board is None or view.stage is not Stage.PLAY:
        return None
    return _turn_offer(situation, view.board, placing)


def _take_offer(words: Words, size: int) -> Offer:
    items = tuple(
        Item(
            key=str(black),
            text=words.tell("menu.take", black=black, white=size - black),
            line=f"take {black} {size - black}",
        )
        for black in range(size + 1)
    )
    title = words.tell("menu.take_title", count=size)
    return Offer(topic="take", title=title, items=items, across=True, first=size // 2)


def _arrange_offer(words: Words, dealt: Sequence[Tile]) -> Offer:
    """Offer every order that the tiles may stand in, none of them suggested."""
    rows: list[Row] = []
    for order in _orders(dealt):
        text = " ".join(str(dealt[index]) for index in order)
        rows.append(Row(text, f"arrange {text}"))
    return replace(numbered("arrange", words.tell("menu.arrange"), rows), first=None)


def _orders(dealt: Sequence[Tile]) -> list[tuple[int, ...]]:
    """Return the orders in which numbers ascend; jokers stand anywhere."""
    numbers = sorted(
        (index for index, tile in enumerate(dealt) if tile.number is not None),
        key=lambda index: dealt[index].code,
    )
    return [
        order
        for order in permutations(range(len(dealt)))
        if [index for index in order if index in numbers] == numbers
    ]


def _turn_offer(situation: Situation, board: View, placing: bool) -> Offer | None:
    words, speech = situation.speech.words, situation.speech
    if board.seat is None or board.state.turn != board.seat:
        return None
    match board.state.phase:
        case Phase.DRAW:
            return _draw_offer(speech, board.state.pile)
        case Phase.PLACE if board.drawn is not None:
            title = words.tell("menu.place", tile=speech.tile(board.drawn))
            return _slot_offer(title, board, board.drawn, "slot")
        case Phase.MORE if board.drawn is not None and placing:
            title = words.tell("menu.stop", tile=speech.tile(board.drawn))
            return _slot_offer(title, board, board.drawn, "stop")
        case Phase.REVEAL:
            return _reveal_offer(speech, board)
        case _:
            return None


def _draw_offer(speech: Speech, pile: Sequence[int]) -> Offer:
    words = speech.words
    if len(pile) == 1:
        text = words.tell("menu.left", left=pile[0])
        items = [Item(key=words.tell("form.draw"), text=text, line="draw")]
    else:
        items = [
            Item(
                key=speech.colour(colour),
                text=words.tell("menu.left", left=pile[colour]),
                line=f"draw {'bw'[colour]}",
            )
            for colour in Colour
            if pile[colour]
        ]
    return Offer(topic="draw", title=words.tell("menu.draw_title"), items=tuple(items), across=True)


def _slot_offer(title: str, board: View, drawn: Tile, verb: str) -> Offer:
    """Offer the slots for the drawn tile, each as the neighbours it would have; none suggested."""
    items = tuple(
        Item(
            key=str(slot),
            text=_between(board.own, slot, drawn),
            line=f"{verb} {slot}",
        )
        for slot in drawn_slots(board)
    )
    return Offer(topic=verb, title=title, items=items, across=True, first=None)


def _between(row: Sequence[Tile], slot: int, drawn: Tile) -> str:
    left = f"{row[slot - 2]} " if slot > 1 else ""
    right = f" {row[slot - 1]}" if slot <= len(row) else ""
    return f"{left}[{drawn}]{right}"


def _reveal_offer(speech: Speech, board: View) -> Offer:
    words = speech.words
    items = tuple(
        Item(
            key=str(slot),
            text=speech.tile(board.own[slot - 1]),
            line=f"reveal {slot}",
        )
        for slot in standing_slots(board)
    )
    return Offer(topic="reveal", title=words.tell("menu.reveal_title"), items=items, across=True)
