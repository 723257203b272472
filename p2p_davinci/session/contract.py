"""The contract of a round: what everybody signs before the first tile moves (SPEC, contract).

Its hash is the session id until the keys are open. Every player adds 16 fresh bytes, so the same
people under the same rules never sign the same contract twice.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from protocol import PeerFault, Value, check_identity, decode, encode

from ..rules.options import BadOption, Options, options_from_fields

TITLE = "p2p-davinci contract"
VERSION = 1
KEY_BYTES = 32
FRESH_BYTES = 16
NAME_BYTES_MAX = 64
HEAD_BYTES = 32
PLAYERS_MIN = 2
PLAYERS_MAX = 4
_HASH_LABEL = b"p2p-davinci/1 contract\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player as the contract names him: identity key (32 bytes) and nickname (1–64 bytes)."""

    key: bytes
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Previous:
    """What the rounds before this one left behind.

    ``rounds`` have been played, ``head`` is the last one's final head, ``totals`` are the points
    so far by *table seat* (the seat in the table's first contract), ``seats`` are the table seats
    of this contract's players: all of them, or only the tied in an extra round.
    """

    rounds: int
    head: bytes
    totals: tuple[int, ...]
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """One round's contract; ``players`` and ``fresh`` are in seat order.

    ``first`` is the seat that begins by agreement, or ``None`` for the coin.
    """

    table: str
    options: Options
    players: tuple[Player, ...]
    first: int | None
    fresh: tuple[bytes, ...]
    previous: Previous | None = None

    def encode(self) -> bytes:
        """Return the canonical bytes."""
        before: Value = None
        if self.previous is not None:
            p = self.previous
            before = (p.rounds, p.head, p.totals, p.seats)
        return encode(
            (
                TITLE,
                VERSION,
                self.table,
                self.options.fields(),
                tuple((player.key, player.name) for player in self.players),
                self.first,
                self.fresh,
                before,
            )
        )

    @property
    def hash(self) -> bytes:
        """SHA-256 over label and canonical bytes (32 bytes)."""
        return hashlib.sha256(_HASH_LABEL + self.encode()).digest()


def read_contract(data: bytes) -> Contract:
    """Return the contract that ``data`` encodes.

    Raises:
        PeerFault: ``codec.*``; ``contract.shape``, ``contract.version``, ``contract.options``,
            ``contract.players`` (2–4, distinct valid keys, names of 1–64 bytes),
            ``contract.first``, ``contract.fresh``, ``contract.previous``.
    """
    match decode(data):
        case (str(title), int(version), str(table), tuple(fields), tuple(players), first, fresh, p):
            if title != TITLE or version != VERSION:
                raise PeerFault("contract.version", f"{title!r} {version}")
        case _:
            raise PeerFault("contract.shape")
    named = _read_players(players)
    return Contract(
        table=table,
        options=_read_options(fields),
        players=named,
        first=_read_first(first, len(named)),
        fresh=_read_fresh(fresh, len(named)),
        previous=_read_previous(p, len(named)),
    )


def _read_options(fields: tuple[Value, ...]) -> Options:
    pairs = []
    for field in fields:
        match field:
            case (str(key), str(value)):
                pairs.append((key, value))
            case _:
                raise PeerFault("contract.options")
    try:
        return options_from_fields(pairs)
    except BadOption as error:
        raise PeerFault("contract.options", error.reason) from None


def _read_players(players: tuple[Value, ...]) -> tuple[Player, ...]:
    read = []
    for player in players:
        match player:
            case (bytes(key), str(name)) if 1 <= len(name.encode()) <= NAME_BYTES_MAX:
                check_identity(key)
                read.append(Player(key=key, name=name))
            case _:
                raise PeerFault("contract.players")
    distinct = len({player.key for player in read}) == len(read)
    if not (distinct and PLAYERS_MIN <= len(read) <= PLAYERS_MAX):
        raise PeerFault("contract.players")
    return tuple(read)


def _read_first(first: Value, seats: int) -> int | None:
    match first:
        case None:
            return None
        case int() if not isinstance(first, bool) and first < seats:
            return first
        case _:
            raise PeerFault("contract.first")


def _read_fresh(fresh: Value, seats: int) -> tuple[bytes, ...]:
    if not isinstance(fresh, tuple) or len(fresh) != seats:
        raise PeerFault("contract.fresh")
    read = tuple(item for item in fresh if isinstance(item, bytes) and len(item) == FRESH_BYTES)
    if len(read) != seats:
        raise PeerFault("contract.fresh")
    return read


def _read_previous(previous: Value, seats: int) -> Previous | None:
    match previous:
        case None:
            return None
        case (int(rounds), bytes(head), tuple(totals), tuple(table_seats)) if (
            len(head) == HEAD_BYTES and len(table_seats) == seats
        ):
            return Previous(
                rounds=rounds, head=head, totals=_ints(totals), seats=_ints(table_seats)
            )
        case _:
            raise PeerFault("contract.previous")


def _ints(values: tuple[Value, ...]) -> tuple[int, ...]:
    if any(not isinstance(value, int) or isinstance(value, bool) for value in values):
        raise PeerFault("contract.previous")
    return tuple(value for value in values if isinstance(value, int))
