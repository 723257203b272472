"""What goes into a lobby and what comes out: inputs, effects, and the view of a table being formed.

Members are named by their identity keys (32 bytes). Everything here is a value; the lobby itself
is in :mod:`.lobby`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ..rules.options import Options
from .contract import Contract

# --- inputs: the network ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerCame:
    """An authenticated link to ``peer`` stands; ``name`` is the nickname from its hello."""

    peer: bytes
    name: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerWent:
    """The link to ``peer`` broke."""

    peer: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerSaid:
    """Bytes from ``peer``."""

    peer: bytes
    data: bytes


# --- inputs: the player ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SetReady:
    """Agree to the table exactly as it is shown now; any later change takes this back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOrder:
    """Propose a seating: the members' keys in the order in which they sit."""

    order: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetYoungest:
    """Mark who is youngest (``None``: nobody, the coin decides)."""

    member: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOption:
    """Change one option of the rules; both are the text that ``--option KEY=VALUE`` takes."""

    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRules:
    """Change to a preset."""

    preset: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSeats:
    """Change how many players the table waits for (2 to 4)."""

    seats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Refuse a member (only the opener may, and only before the game begins)."""

    member: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """Leave the table."""


LobbyCommand: TypeAlias = (
    SetReady | SetOrder | SetYoungest | SetOption | SetRules | SetSeats | Decline | Leave
)
LobbyInput: TypeAlias = PeerCame | PeerWent | PeerSaid | LobbyCommand


# --- effects ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell:
    """Send these bytes to ``peer``, or to every member if it is ``None``."""

    data: bytes
    peer: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Want:
    """Keep a link to this member."""

    peer: bytes
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """Everybody is ready for the same table: play under this contract."""

    contract: Contract


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """This seat is not at the table any more; ``reason`` is a catalogue key below ``closed.``."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Tell the player; ``key`` is a catalogue key below ``lobby.``."""

    key: str
    values: tuple[tuple[str, str], ...] = ()


LobbyEffect: TypeAlias = Tell | Want | Agreed | Closed | Notice


# --- the view --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A player at the table, in seat order."""

    key: bytes
    name: str
    addresses: tuple[str, ...]
    ready: bool
    linked: bool
    """Whether this seat has a link to the member (always true for oneself)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyView:
    """All that a screen needs to know of a table that is being formed.

    ``members`` is empty until the opener has seated this player. ``seats`` is how many the table
    waits for; the game begins when that many are there, all linked with one another and ready.
    """

    table: str
    me: bytes
    opener: bytes
    members: tuple[Member, ...]
    seats: int
    options: Options
    youngest: bytes | None
    revision: int
