"""Tables being formed, as the console gets them."""

from __future__ import annotations

from p2p_davinci.rules.options import Options
from p2p_davinci.session.lobby_events import LobbyView, Member

ANA, BO, CY = (bytes((n,)) * 32 for n in (1, 2, 3))


def member(key: bytes, name: str, *, ready: bool = False, linked: bool = True) -> Member:
    return Member(key=key, name=name, addresses=(), ready=ready, linked=linked)


MEMBERS = (member(ANA, "ana"), member(BO, "bo"), member(CY, "cy"))


def lobby(
    members: tuple[Member, ...] = MEMBERS,
    *,
    me: bytes = ANA,
    opener: bytes = ANA,
    options: Options | None = None,
    youngest: bytes | None = None,
    seats: int = 3,
) -> LobbyView:
    return LobbyView(
        table="river-lamp",
        me=me,
        opener=opener,
        members=members,
        seats=seats,
        options=options or Options(),
        youngest=youngest,
        revision=1,
    )
