"""Tiles, places, players and piles as they are spoken, in one language and for one player.

Pure. Seats count from 0 in values and from 1 in what is spoken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from ..rules.moves import Call
from ..rules.tiles import Colour, Tile
from ..text import Words
from .clean import cut, display_names

NAMES_WIDTH = 30
"""Columns that a list of names takes on a line of the screen."""

_COLOUR_KEYS = ("black", "white")


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """Who speaks to whom: the language, the names by seat, and the seat of the listener."""

    words: Words
    names: tuple[str, ...]
    me: int | None

    def name(self, seat: int) -> str:
        """Return the player's name, or "you"."""
        return self.words.tell("you") if seat == self.me else self.names[seat]

    def tell(self, key: str, seat: int, **values: str | int) -> str:
        """Return ``key``'s sentence about ``seat``: ``key.you`` to himself, else ``key.other``.

        The latter gets the placeholder ``name``.
        """
        if seat == self.me:
            return self.words.tell(f"{key}.you", **values)
        return self.words.tell(f"{key}.other", name=self.names[seat], **values)

    def listed(self, items: Iterable[str]) -> str:
        """Return the items with the language's comma between them."""
        return self.words.tell("comma").join(items)

    def run(self, *sentences: str) -> str:
        """Return the sentences as one line of running text."""
        return self.words.tell("space").join(sentence for sentence in sentences if sentence)

    def named(self, seats: Iterable[int]) -> str:
        """Return the players' names in a list."""
        return self.listed(self.name(seat) for seat in seats)

    def briefly(self, seats: Sequence[int]) -> str:
        """Return the players' names in a list that fits beside a few words, each cut if need be."""
        comma = self.words.tell("comma")
        room = max(1, NAMES_WIDTH // max(1, len(seats)) - get_cwidth(comma))
        return comma.join(cut(self.name(seat), room) for seat in seats)

    def colour(self, colour: Colour) -> str:
        """Return the colour's word."""
        return self.words.tell(f"colour.{_COLOUR_KEYS[colour]}")

    def tile(self, tile: Tile) -> str:
        """Return the tile as it is spoken: "white 5", "black joker"."""
        return self.call(Call(colour=tile.colour, number=tile.number))

    def tiles(self, tiles: Sequence[Tile]) -> str:
        """Return the tiles, spoken, in a list."""
        return self.listed(self.tile(tile) for tile in tiles)

    def call(self, call: Call) -> str:
        """Return the call as it is spoken; without a colour only the number, or "joker"."""
        if call.colour is None:
            return self.words.tell("joker") if call.number is None else str(call.number)
        key = _COLOUR_KEYS[call.colour]
        if call.number is None:
            return self.words.tell(f"joker.{key}")
        return self.words.tell(f"tile.{key}", number=call.number)

    def back(self, colour: Colour | None) -> str:
        """Return "a black tile", "a white tile", or "a tile" with hidden backs."""
        return self.words.tell("back.any" if colour is None else f"back.{_COLOUR_KEYS[colour]}")

    def deck(self, deck: int, decks: int) -> str:
        """Return what a draw from ``deck`` (of so many decks) looks like to everybody."""
        return self.back(Colour(deck) if decks > 1 else None)

    def pile(self, pile: Sequence[int]) -> str:
        """Return how many tiles are left, by colour if the backs are open."""
        if len(pile) == 1 or not any(pile):
            return self.words.tell("pile.one_deck", left=sum(pile))
        return self.words.tell("pile.two_decks", left=sum(pile), black=pile[0], white=pile[1])

    def order(self, tiles: Sequence[Tile]) -> str:
        """Return tiles in the short notation that is typed, from the left."""
        return " ".join(str(tile) for tile in tiles)


def speech(words: Words, names: Sequence[str], me: int | None) -> Speech:
    """Return how to speak to seat ``me`` of players with these (uncleaned) names."""
    reserved = (words.tell("you"), words.tell("nobody"))
    shown = display_names(names, reserved, words.tell("nameless"))
    return Speech(words=words, names=shown, me=me)
