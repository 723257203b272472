"""The peers around a table: who is kept, who is let go, whose early words are held."""

from __future__ import annotations

from typing import cast

import pytest

from p2p_davinci.app.company import EARLY_MAX, Company
from p2p_davinci.net.events import Address, PeerUp
from p2p_davinci.net.mesh import Mesh
from protocol import encode
from tests.support.room import KEYS

ME, BO, CY = KEYS[:3]
ENVELOPE = encode(("envelope", b"raw"))


class FakeMesh:
    """Remembers what is asked of it."""

    def __init__(self) -> None:
        self.wanted: dict[bytes, list[Address]] = {}
        self.forgotten: list[bytes] = []
        self.sent: list[tuple[bytes, bytes]] = []

    def want(self, peer: bytes, addresses: list[Address]) -> None:
        if peer == ME:
            raise ValueError("a peer does not link to itself")
        self.wanted[peer] = addresses

    def forget(self, peer: bytes) -> None:
        self.forgotten.append(peer)

    def send(self, peer: bytes, data: bytes) -> None:
        self.sent.append((peer, data))


@pytest.fixture
def mesh() -> FakeMesh:
    return FakeMesh()


@pytest.fixture
def company(mesh: FakeMesh) -> Company:
    return Company(cast("Mesh", mesh))


def up(peer: bytes) -> PeerUp:
    return PeerUp(peer=peer, name="?", card=b"", addresses=())


def test_what_is_for_all_goes_to_all_that_are_linked(company: Company, mesh: FakeMesh) -> None:
    company.came(up(BO))
    company.came(up(CY))
    company.send(None, b"all")
    company.went(CY)
    company.send(None, b"one")
    company.send(CY, b"straight")
    assert mesh.sent == [(BO, b"all"), (CY, b"all"), (BO, b"one"), (CY, b"straight")]


def test_addresses_that_are_none_are_left_out_and_nobody_keeps_himself(
    company: Company, mesh: FakeMesh
) -> None:
    company.keep(BO, ("10.0.0.1:1", "nonsense", "10.0.0.2:99999"))
    company.keep(ME, ("10.0.0.1:1",))
    assert mesh.wanted == {BO: [("10.0.0.1", 1)]}
    company.keep_only(())
    assert mesh.forgotten == [BO]


def test_whoever_is_no_member_any_more_is_let_go_once(company: Company, mesh: FakeMesh) -> None:
    for peer in (BO, CY):
        company.keep(peer, ())
    company.keep_only([ME, BO])
    company.keep_only([ME, BO])
    assert mesh.forgotten == [CY]


def test_when_the_table_is_left_everybody_is_let_go(company: Company, mesh: FakeMesh) -> None:
    company.keep(BO, ())
    company.came(up(CY))
    company.hold(BO, ENVELOPE, [BO])
    company.part()
    assert set(mesh.forgotten) == {BO, CY}
    assert company.take_early() == ()


def test_only_members_are_heard_early_and_only_what_belongs_to_a_game(company: Company) -> None:
    company.hold(CY, ENVELOPE, [ME, BO])
    company.hold(BO, encode(("ready", bytes(32))), [ME, BO])
    company.hold(BO, b"\xff", [ME, BO])
    company.hold(BO, ENVELOPE, [ME, BO])
    assert company.take_early() == ((BO, ENVELOPE),)
    assert company.take_early() == ()


def test_not_more_is_held_than_any_game_begins_with(company: Company) -> None:
    for _ in range(2 * EARLY_MAX):
        company.hold(BO, ENVELOPE, [BO])
    assert len(company.take_early()) == EARLY_MAX
