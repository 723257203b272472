"""The card of a table: what a program says of its table to whoever asks, before any link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocol import PeerFault, as_array, as_bytes, as_text, as_uint, check_identity, decode, encode

from ..rules.options import SEATS_MAX, SEATS_MIN, BadOption, Options, options_from_fields
from ..session.lobby_events import LobbyView

CARD_BYTES_MAX = 2048
TEXT_BYTES_MAX = 64
KEY_BYTES = 32
WORD_CHARACTERS_MAX = 32

CardState: TypeAlias = Literal["open", "full", "playing"]
STATES: tuple[CardState, ...] = ("open", "full", "playing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A table as its members describe it; ``addresses`` are the opener's, ``host:port``."""

    table: str
    opener: bytes
    opener_name: str
    state: CardState
    members: int
    seats: int
    options: Options
    addresses: tuple[str, ...]


def card_of(view: LobbyView, *, playing: bool) -> Card:
    """Return the card of a table, as any of its members tells it."""
    opener = next((m for m in view.members if m.key == view.opener), view.members[0])
    free = len(view.members) < view.seats
    return Card(
        table=view.table,
        opener=view.opener,
        opener_name=opener.name,
        state="playing" if playing else "open" if free else "full",
        members=len(view.members),
        seats=view.seats,
        options=view.options,
        addresses=opener.addresses,
    )


def plain_word(text: str) -> str:
    """Return a peer's text as it may stand in a file name or on the network for all to read.

    What is left are ASCII letters, digits and dashes, 32 at most; ``table`` if that is nothing.
    """
    kept = "".join(c for c in text if c == "-" or (c.isascii() and c.isalnum()))
    return kept[:WORD_CHARACTERS_MAX].strip("-") or "table"


def advert_of(card: Card) -> dict[str, str]:
    """Return the words that advertise a table: its name in plain letters, its state, its seats."""
    return {
        "table": plain_word(card.table),
        "state": card.state,
        "seats": f"{card.members}of{card.seats}",
    }


def write_card(card: Card) -> bytes:
    """Return the bytes of a card; addresses are left out from the end until it fits."""
    for count in range(len(card.addresses), -1, -1):
        data = encode(
            (
                card.table,
                card.opener,
                card.opener_name,
                card.state,
                card.members,
                card.seats,
                card.options.fields(),
                card.addresses[:count],
            )
        )
        if len(data) <= CARD_BYTES_MAX:
            break
    return data


def read_card(data: bytes) -> Card | None:
    """Return the card in ``data``, or ``None`` for a program that is at no table.

    Raises:
        PeerFault: ``card.shape``, ``codec.*``, ``identity.key``: it is no card.
    """
    if not data:
        return None
    table, opener, name, state, members, seats, options, addresses = as_array(
        decode(data, bytes_max=CARD_BYTES_MAX), "card.shape", length=8
    )
    known = next((item for item in STATES if item == state), None)
    if known is None:
        raise PeerFault("card.shape")
    key = as_bytes(opener, "card.shape", length=KEY_BYTES)
    check_identity(key)
    pairs = [as_array(pair, "card.shape", length=2) for pair in as_array(options, "card.shape")]
    try:
        rules = options_from_fields(
            [(_text(key_text, 32), _text(value, 32)) for key_text, value in pairs]
        )
    except BadOption:
        raise PeerFault("card.shape", "options") from None
    card = Card(
        table=_text(table, TEXT_BYTES_MAX),
        opener=key,
        opener_name=_text(name, TEXT_BYTES_MAX),
        state=known,
        members=as_uint(members, "card.shape", at_most=SEATS_MAX),
        seats=as_uint(seats, "card.shape", at_most=SEATS_MAX),
        options=rules,
        addresses=tuple(_text(item, TEXT_BYTES_MAX) for item in as_array(addresses, "card.shape")),
    )
    if card.seats < SEATS_MIN:
        raise PeerFault("card.shape")
    return card


def _text(value: object, bytes_max: int) -> str:
    if not isinstance(value, str):
        raise PeerFault("card.shape")
    return as_text(value, "card.shape", bytes_max=bytes_max)
