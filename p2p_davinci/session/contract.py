"""The contract of a round: what everybody signs before the first tile moves (SPEC, contract).

Its hash is the session id until the keys are open. Every player adds 16 fresh bytes, so the same
people under the same rules never sign the same contract twice.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from protocol import (
    PROTOCOL_VERSION,
    PeerFault,
    Value,
    as_array,
    as_bytes,
    as_text,
    as_uint,
    check_identity,
    decode,
    encode,
    label,
)

from ..rules.options import BadOption, Options, options_from_fields

TITLE = "p2p-davinci contract"
KEY_BYTES = 32
FRESH_BYTES = 16
NAME_BYTES_MAX = 64
HEAD_BYTES = 32
PLAYERS_MIN = 2
PLAYERS_MAX = 4
_HASH_LABEL = label("contract")


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player as the contract names him: identity key (32 bytes) and nickname (1–64 bytes)."""

    key: bytes
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Previous:
    """What the rounds before this one left behind.

    ``rounds`` have been played, ``head`` is the last one's final head, ``totals`` are the points
    so far, ``playing`` are the seats that take tiles in this round: all, or in an extra round the
    tied alone (the others still shuffle, and give shares).
    """

    rounds: int
    head: bytes
    totals: tuple[int, ...]
    playing: tuple[int, ...]


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
            before = (p.rounds, p.head, p.totals, p.playing)
        return encode(
            (
                TITLE,
                PROTOCOL_VERSION,
                self.table,
                self.options.fields(),
                tuple((player.key, player.name) for player in self.players),
                self.first,
                self.fresh,
                before,
            )
        )

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that take tiles, ascending."""
        everybody = tuple(range(len(self.players)))
        return everybody if self.previous is None else self.previous.playing

    @property
    def hash(self) -> bytes:
        """SHA-256 over label and canonical bytes (32 bytes)."""
        return hashlib.sha256(_HASH_LABEL + self.encode()).digest()


def read_contract(data: bytes) -> Contract:
    """Return the contract that ``data`` encodes.

    Raises:
        PeerFault: ``codec.*``; ``contract.shape``, ``contract.version``, ``contract.options``,
            ``contract.table`` (1–64 bytes), ``contract.players`` (2–4, distinct keys, names of
            1–64 bytes), ``identity.key``,
            ``contract.first``, ``contract.fresh``, ``contract.previous``.

    """
    title, version, table, options, players, first, fresh, previous = as_array(
        decode(data), "contract.shape", length=8
    )
    if title != TITLE or as_uint(version, "contract.version") != PROTOCOL_VERSION:
        raise PeerFault("contract.version", f"{title!r} {version!r}")
    named = _read_players(as_array(players, "contract.players"))
    last = len(named) - 1
    contract = Contract(
        table=as_text(table, "contract.table", bytes_min=1, bytes_max=NAME_BYTES_MAX),
        options=_read_options(as_array(options, "contract.options")),
        players=named,
        first=None if first is None else as_uint(first, "contract.first", at_most=last),
        fresh=tuple(
            as_bytes(item, "contract.fresh", length=FRESH_BYTES)
            for item in as_array(fresh, "contract.fresh", length=len(named))
        ),
        previous=None if previous is None else _read_previous(previous, len(named)),
    )
    _check_first(contract)
    return contract


def _check_first(contract: Contract) -> None:
    """Refuse an agreed first player who may not be agreed on, or who takes no tiles."""
    if contract.first is None:
        return
    if contract.options.first != "youngest" or contract.first not in contract.playing:
        raise PeerFault("contract.first", "nobody can be agreed on here")


def _read_options(fields: tuple[Value, ...]) -> Options:
    pairs = []
    for field in fields:
        key, value = as_array(field, "contract.options", length=2)
        pairs.append(
            (
                as_text(key, "contract.options", bytes_max=NAME_BYTES_MAX),
                as_text(value, "contract.options", bytes_max=NAME_BYTES_MAX),
            )
        )
    try:
        return options_from_fields(pairs)
    except BadOption as error:
        raise PeerFault("contract.options", error.reason) from None


def _read_players(players: tuple[Value, ...]) -> tuple[Player, ...]:
    read = []
    for player in players:
        key, name = as_array(player, "contract.players", length=2)
        read.append(
            Player(
                key=as_bytes(key, "contract.players", length=KEY_BYTES),
                name=as_text(name, "contract.players", bytes_min=1, bytes_max=NAME_BYTES_MAX),
            )
        )
        check_identity(read[-1].key)
    distinct = len({player.key for player in read}) == len(read)
    if not (distinct and PLAYERS_MIN <= len(read) <= PLAYERS_MAX):
        raise PeerFault("contract.players")
    return tuple(read)


def _read_previous(previous: Value, seats: int) -> Previous:
    rounds, head, totals, playing = as_array(previous, "contract.previous", length=4)
    read = Previous(
        rounds=as_uint(rounds, "contract.previous"),
        head=as_bytes(head, "contract.previous", length=HEAD_BYTES),
        totals=tuple(
            as_uint(item, "contract.previous")
            for item in as_array(totals, "contract.previous", length=seats)
        ),
        playing=tuple(
            as_uint(item, "contract.previous", at_most=seats - 1)
            for item in as_array(playing, "contract.previous")
        ),
    )
    if list(read.playing) != sorted(set(read.playing)) or len(read.playing) < PLAYERS_MIN:
        raise PeerFault("contract.previous")
    return read
