"""The sheet of a table that is being formed: who sits where, under which rules (SPEC, contract).

Pure values: reading one that a peer shows, and changing one as a member proposes.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from protocol import (
    PeerFault,
    Value,
    as_array,
    as_bytes,
    as_text,
    as_uint,
    check_identity,
    encode,
    label,
)

from ..rules.options import (
    SEATS_MAX,
    SEATS_MIN,
    BadOption,
    Options,
    options_from,
    options_from_fields,
)
from .contract import FRESH_BYTES, KEY_BYTES, NAME_BYTES_MAX, Contract, Player
from .lobby_events import (
    Decline,
    LobbyCommand,
    SetOption,
    SetOrder,
    SetRules,
    SetSeats,
    SetYoungest,
)

ADDRESSES_MAX = 8
TEXT_BYTES_MAX = 64

_SHEET_LABEL = label("table")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """One seat of the sheet: identity key, nickname, addresses (``host:port``), fresh bytes (16).

    The fresh bytes are in the sheet so that the sheet alone makes the contract: whoever tells
    different members different ones gets no contract at all, instead of two.
    """

    key: bytes
    name: str
    addresses: tuple[str, ...]
    fresh: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What everybody at the table sees; ``sitting`` is in seat order."""

    table: str
    revision: int
    opener: bytes
    seats: int
    options: Options
    youngest: bytes | None
    sitting: tuple[Sitting, ...]

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The members' identity keys in seat order."""
        return tuple(member.key for member in self.sitting)

    def fields(self) -> tuple[Value, ...]:
        """Return the sheet as it is sent."""
        return (
            self.table,
            self.revision,
            self.opener,
            self.seats,
            self.options.fields(),
            self.youngest,
            tuple((m.key, m.name, m.addresses, m.fresh) for m in self.sitting),
        )

    @property
    def hash(self) -> bytes:
        """What a "ready" names (32 bytes)."""
        return hashlib.sha256(_SHEET_LABEL + encode(self.fields())).digest()


def unique_name(name: str, sheet: Sheet) -> str:
    """Return ``name``, numbered if somebody at the table has it already."""
    taken = {member.name.casefold() for member in sheet.sitting}
    candidates = (name, *(f"{_cut(name, NAME_BYTES_MAX - 2)} {k}" for k in range(2, 6)))
    return next(candidate for candidate in candidates if candidate.casefold() not in taken)


def _cut(text: str, bytes_max: int) -> str:
    return text.encode()[:bytes_max].decode(errors="ignore")


def read_addresses(value: Value) -> tuple[str, ...]:
    """Return the first addresses of a member.

    Raises:
        PeerFault: ``lobby.address``.
    """
    return tuple(
        as_text(item, "lobby.address", bytes_max=TEXT_BYTES_MAX)
        for item in as_array(value, "lobby.address")[:ADDRESSES_MAX]
    )


def read_name(value: Value) -> str:
    """Return a nickname of 1 to 64 bytes.

    Raises:
        PeerFault: ``lobby.name``.
    """
    name = as_text(value, "lobby.name", bytes_max=NAME_BYTES_MAX)
    if not name:
        raise PeerFault("lobby.name")
    return name


def read_sheet(values: tuple[Value, ...]) -> Sheet:
    """Return the sheet that an opener shows.

    Raises:
        PeerFault: ``lobby.*``, ``identity.key``.
        BadOption: rules that no table can have.
    """
    table, revision, opener, seats, options, youngest, sitting = as_array(
        values, "lobby.table", length=7
    )
    members = []
    for item in as_array(sitting, "lobby.table"):
        key, name, addresses, fresh = as_array(item, "lobby.table", length=4)
        members.append(
            Sitting(
                key=as_bytes(key, "lobby.table", length=KEY_BYTES),
                name=read_name(name),
                addresses=read_addresses(addresses),
                fresh=as_bytes(fresh, "lobby.table", length=FRESH_BYTES),
            )
        )
        check_identity(members[-1].key)
    pairs = [as_array(pair, "lobby.table", length=2) for pair in as_array(options, "lobby.table")]
    sheet = Sheet(
        table=as_text(table, "lobby.table", bytes_min=1, bytes_max=NAME_BYTES_MAX),
        revision=as_uint(revision, "lobby.table"),
        opener=as_bytes(opener, "lobby.table", length=KEY_BYTES),
        seats=as_uint(seats, "lobby.table", at_most=SEATS_MAX),
        options=options_from_fields(
            [
                (
                    as_text(key, "lobby.table", bytes_max=TEXT_BYTES_MAX),
                    as_text(value, "lobby.table", bytes_max=TEXT_BYTES_MAX),
                )
                for key, value in pairs
            ]
        ),
        youngest=None if youngest is None else as_bytes(youngest, "lobby.table", length=KEY_BYTES),
        sitting=tuple(members),
    )
    fits = sheet.seats >= SEATS_MIN and len(members) <= sheet.seats
    known = sheet.opener in sheet.keys and sheet.youngest in (None, *sheet.keys)
    if not (fits and known and len(set(sheet.keys)) == len(members)):
        raise PeerFault("lobby.table")
    return sheet


def proposal(given: LobbyCommand) -> tuple[Value, ...]:
    """Return a member's change of the sheet as :func:`changed` takes it.

    Raises:
        TypeError: the command changes no sheet.
    """
    match given:
        case SetOrder(order=order):
            return ("order", order)
        case SetYoungest(member=member):
            return ("youngest", member)
        case SetOption(key=key, value=value):
            return ("option", key, value)
        case SetRules(preset=preset):
            return ("rules", preset)
        case SetSeats(seats=seats):
            return ("seats", seats)
        case Decline(member=member):
            return ("decline", member)
    raise TypeError(f"no change: {given!r}")


def changed(sheet: Sheet, values: tuple[Value, ...]) -> Sheet:
    """Return the sheet after a member's proposal.

    Raises:
        PeerFault: ``lobby.change``: it makes no sense.
        BadOption: rules that no table can have.
    """
    what, *rest = values or (None,)
    if what == "option":
        key, text = as_array(tuple(rest), "lobby.change", length=2)
        return replace(sheet, options=_with_option(sheet.options, key, text))
    (value,) = as_array(tuple(rest), "lobby.change", length=1)
    match what:
        case "rules":
            preset = as_text(value, "lobby.change", bytes_max=TEXT_BYTES_MAX)
            return replace(sheet, options=options_from(preset, {}))
        case "order":
            return replace(sheet, sitting=_reordered(sheet, value))
        case "youngest" if value is None or value in sheet.keys:
            key = None if value is None else as_bytes(value, "lobby.change")
            return replace(sheet, youngest=key)
        case "seats":
            seats = as_uint(value, "lobby.change", at_most=SEATS_MAX)
            if seats >= max(SEATS_MIN, len(sheet.sitting)):
                return replace(sheet, seats=seats)
    raise PeerFault("lobby.change")


def _with_option(options: Options, key: Value, value: Value) -> Options:
    name = as_text(key, "lobby.change", bytes_max=TEXT_BYTES_MAX)
    text = as_text(value, "lobby.change", bytes_max=TEXT_BYTES_MAX)
    fields = dict(options.fields())
    if name not in fields:
        raise BadOption("unknown_option", (("option", name),))
    return options_from_fields(tuple({**fields, name: text}.items()))


def _reordered(sheet: Sheet, order: Value) -> tuple[Sitting, ...]:
    keys = [as_bytes(key, "lobby.change") for key in as_array(order, "lobby.change")]
    if sorted(keys) != sorted(sheet.keys):
        raise PeerFault("lobby.change")
    by_key = {member.key: member for member in sheet.sitting}
    return tuple(by_key[key] for key in keys)


def without(sheet: Sheet, key: bytes) -> Sheet:
    """Return the sheet without a member."""
    return replace(
        sheet,
        sitting=tuple(member for member in sheet.sitting if member.key != key),
        youngest=None if sheet.youngest == key else sheet.youngest,
    )


def contract_of(sheet: Sheet) -> Contract:
    """Return the contract that a full sheet becomes."""
    marked = sheet.options.first == "youngest" and sheet.youngest is not None
    return Contract(
        table=sheet.table,
        options=sheet.options,
        players=tuple(Player(key=m.key, name=m.name) for m in sheet.sitting),
        first=sheet.keys.index(sheet.youngest) if marked and sheet.youngest else None,
        fresh=tuple(m.fresh for m in sheet.sitting),
    )
