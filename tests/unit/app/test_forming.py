"""A table being formed at one member: where the lobby's effects go, and when ready says itself."""

from __future__ import annotations

from p2p_davinci.app.forming import Forming, FormingOutlets
from p2p_davinci.session.contract import Contract
from p2p_davinci.session.lobby_events import (
    Leave,
    LobbyView,
    Notice,
    PeerCame,
    PeerSaid,
    SetReady,
    SetYoungest,
)
from protocol import as_array, decode, encode
from tests.support.room import KEYS, Room


class Listener:
    """Outlets that remember what went through them, in order."""

    def __init__(self) -> None:
        self.sent: list[tuple[bytes | None, bytes]] = []
        self.wanted: list[tuple[bytes, tuple[str, ...]]] = []
        self.shown: list[tuple[LobbyView, tuple[Notice, ...]]] = []
        self.agreed: list[Contract] = []
        self.closed: list[str] = []

    def outlets(self) -> FormingOutlets:
        return FormingOutlets(
            send=lambda peer, data: self.sent.append((peer, data)),
            want=lambda peer, addresses: self.wanted.append((peer, addresses)),
            show=lambda view, notices: self.shown.append((view, notices)),
            agreed=self.agreed.append,
            closed=self.closed.append,
        )

    @property
    def kinds(self) -> list[object]:
        """The kinds of what was sent."""
        return [as_array(decode(data), "kind")[0] for _, data in self.sent]


def at_the_opener(seats: int, *, ready_at_once: bool = False) -> tuple[Forming, Listener]:
    listener = Listener()
    lobby = Room(seats).people[0].lobby
    return Forming(lobby, listener.outlets(), ready_at_once=ready_at_once), listener


def sits(number: int, name: str) -> tuple[PeerCame, PeerSaid]:
    key = KEYS[number]
    return (
        PeerCame(peer=key, name=name, addresses=()),
        PeerSaid(peer=key, data=encode(("sit", name, ("10.0.0.9:9",), bytes(16)))),
    )


def test_effects_go_to_their_outlets() -> None:
    forming, heard = at_the_opener(3)
    for given in sits(1, "bo"):
        forming.step(given)
    assert heard.wanted == [(KEYS[1], ("10.0.0.9:9",))]
    assert [peer for peer, _ in heard.sent] == [KEYS[1]]
    view, notices = heard.shown[-1]
    assert [member.name for member in view.members] == ["ana", "bo"]
    assert notices == ()
    assert view == forming.view


def test_a_notice_is_shown_with_the_table() -> None:
    forming, heard = at_the_opener(2)
    forming.step(SetYoungest(member=KEYS[3]))
    assert heard.shown[-1][1] == (Notice(key="lobby.impossible"),)


def test_who_leaves_is_told_so_and_shown_no_table_any_more() -> None:
    forming, heard = at_the_opener(2)
    shown = len(heard.shown)
    forming.step(Leave())
    assert (heard.closed, len(heard.shown)) == (["left"], shown)
    assert heard.sent == [(None, encode(("bye",)))]


def test_the_contract_comes_when_all_are_ready() -> None:
    forming, heard = at_the_opener(2)
    for given in sits(1, "bo"):
        forming.step(given)
    sheet = forming.lobby.sheet
    assert sheet is not None
    forming.step(PeerSaid(peer=KEYS[1], data=encode(("ready", sheet.hash))))
    assert heard.agreed == []
    forming.step(SetReady())
    (contract,) = heard.agreed
    assert [player.name for player in contract.players] == ["ana", "bo"]
    assert heard.kinds == ["table", "ready"]


def test_a_bot_is_ready_by_itself_once_for_every_full_table() -> None:
    forming, heard = at_the_opener(2, ready_at_once=True)
    forming.show()
    assert heard.kinds == []
    for given in sits(1, "bo"):
        forming.step(given)
    assert heard.kinds == ["table", "ready"]
    forming.show()
    assert heard.kinds == ["table", "ready"]
    forming.step(SetYoungest(member=KEYS[1]))
    assert heard.kinds == ["table", "ready", "table", "ready"]


def test_a_bot_that_does_not_see_everybody_yet_waits_and_is_ready_then() -> None:
    room = Room(3, mesh=False).fill("bo", "cy")
    heard = Listener()
    forming = Forming(room.people[1].lobby, heard.outlets(), ready_at_once=True)
    forming.show()
    forming.show()
    assert heard.kinds == []
    forming.step(PeerCame(peer=KEYS[2], name="cy", addresses=()))
    assert heard.kinds == ["ready"]
