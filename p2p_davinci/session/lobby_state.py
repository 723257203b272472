"""What one member knows of a table being formed: the sheet, who is linked, who is ready.

Values only; what changes them is :mod:`.lobby`.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol import Entropy

from ..rules.options import SEATS_MAX, SEATS_MIN, Options
from .contract import FRESH_BYTES
from .lobby_events import LobbyView, Member
from .sheet import Sheet, Sitting

SHEETS_KEPT = 8
"""How many late revisions are remembered with their "ready": somebody may have begun with one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """One member's side of a lobby; for the opener ``me`` is ``opener``.

    ``fresh`` are this member's bytes for the contract (16). ``sheets`` are the last revisions,
    newest first; ``ready`` tells who is ready for which, as (sheet hash, member), in the order in
    which it was heard. ``willing`` is the hash of the sheet that this member's
    player has agreed to; the others are told when all of them are linked, so a "ready" also says:
    I see everybody. ``reserved`` are keys that the opener holds seats for.
    """

    me: bytes
    opener: bytes
    name: str
    addresses: tuple[str, ...] = ()
    fresh: bytes
    linked: frozenset[bytes] = frozenset()
    sheets: tuple[Sheet, ...] = ()
    ready: tuple[tuple[bytes, bytes], ...] = ()
    willing: bytes | None = None
    reserved: frozenset[bytes] = frozenset()
    declined: frozenset[bytes] = frozenset()
    done: bool = False

    @property
    def sheet(self) -> Sheet | None:
        """The sheet as it stands, once the opener has shown it."""
        return self.sheets[0] if self.sheets else None

    @property
    def agrees(self) -> bool:
        """Whether this member's player has agreed to the sheet as it stands."""
        return self.sheet is not None and self.willing == self.sheet.hash


def open_table(
    *,
    me: bytes,
    name: str,
    addresses: tuple[str, ...],
    table: str,
    seats: int,
    options: Options,
    entropy: Entropy,
    reserved: frozenset[bytes] = frozenset(),
) -> Lobby:
    """Return the lobby of a table that one opens oneself, for ``seats`` (2 to 4) players.

    Raises:
        ValueError: not two to four seats, or fewer than are reserved.
    """
    fresh = entropy(FRESH_BYTES)
    if not SEATS_MIN <= seats <= SEATS_MAX or len(reserved) >= seats:
        raise ValueError(f"{seats} seats, {len(reserved)} of them reserved")
    sheet = Sheet(
        table=table,
        revision=1,
        opener=me,
        seats=seats,
        options=options,
        youngest=None,
        sitting=(Sitting(key=me, name=name, addresses=addresses, fresh=fresh),),
    )
    return Lobby(
        me=me,
        opener=me,
        name=name,
        addresses=addresses,
        fresh=fresh,
        sheets=(sheet,),
        reserved=reserved,
    )


def join_table(
    *, me: bytes, opener: bytes, name: str, addresses: tuple[str, ...], entropy: Entropy
) -> Lobby:
    """Return the lobby of somebody who asks ``opener`` for a seat as soon as a link stands."""
    fresh = entropy(FRESH_BYTES)
    return Lobby(me=me, opener=opener, name=name, addresses=addresses, fresh=fresh)


def lobby_view(lobby: Lobby) -> LobbyView | None:
    """Return what to show, or ``None`` before the opener has shown the table."""
    sheet = lobby.sheet
    if sheet is None:
        return None
    digest = sheet.hash
    members = tuple(
        Member(
            key=member.key,
            name=member.name,
            addresses=member.addresses,
            ready=(digest, member.key) in lobby.ready,
            linked=member.key == lobby.me or member.key in lobby.linked,
        )
        for member in sheet.sitting
    )
    return LobbyView(
        table=sheet.table,
        me=lobby.me,
        opener=sheet.opener,
        members=members,
        seats=sheet.seats,
        options=sheet.options,
        youngest=sheet.youngest,
        revision=sheet.revision,
    )
