"""What nobody may learn: twin games that differ in hidden tiles look alike, and no secret is told.

Twins are two tables with the same public course (calls, answers, slots, tiles turned up) and other
tiles hidden. Whatever a peer sends must have the same kinds, lengths and order in both.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from p2p_davinci.console.model import Model
from p2p_davinci.console.news import enter_game
from p2p_davinci.console.offers import offer
from p2p_davinci.rules.moves import Draw, Move, Place, Stop
from p2p_davinci.session import wire
from p2p_davinci.session.events import Dealt, Drew
from p2p_davinci.session.game import asks_player, own_faces, own_tiles, view
from p2p_davinci.session.secrets import Seat
from protocol import make_shares, read_envelope
from protocol.group import SECOND_BASE, edwards25519
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import Event, Recording, calls_clock, passes, recording
from tests.support.table import Peer, Table, each_proof_checked_once, new_table

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True, scope="module")
def proofs_checked_once() -> Iterator[None]:
    with each_proof_checked_once():
        yield


# --- twins -----------------------------------------------------------------------------------

PILE = "w3 w11"
COURSE: tuple[Move, ...] = (
    Draw(deck=0),
    guess("2.1", "b1"),
    Stop(slot=4),
    Draw(deck=-1),
    guess("1.1", "w11"),
    Place(slot=3),
    Draw(deck=-1),
    guess("2.4", "w10"),
    Place(slot=6),
)
"""Seat 0 hits and stops with its tile hidden, then both miss (deck -1: the last one)."""

FIRST = (("b0 b3 w5 w8", "b1 b2 w6 w7"), "b6")
OTHER = (("b2 b4 w4 w9", "b1 b3 w8 w10"), "b8")
COLOURS = (("w0 b2 b4 w9", "b1 w1 b8 b9"), "w5")
JOKERS = (("b0 b- w5 w8", "b1 b2 w- w7"), "b6")
JOKER_DRAWN = (("b0 b3 w5 w8", "b1 b2 w- w7"), "b-")
JOKER_ENDS = (("b- b3 w5 w8", "b1 b2 w6 w-"), "b6")

Deal = tuple[tuple[str, ...], str]


@functools.cache
def played(deal: Deal, preset: str, backs: str) -> Table:
    hands, drawn = deal
    table = dealt_table(hands, "", preset, {"backs": backs})
    decks = len(table.contract.options.decks)
    course = [Draw(deck=move.deck % decks) if isinstance(move, Draw) else move for move in COURSE]
    return record_dealt(table, hands, f"{drawn} {PILE}", course).end


def shape(peer: Peer) -> list[tuple[str, int]]:
    """What anybody on the line sees of what a peer says: kinds, order, lengths."""
    seen = []
    for data in peer.sent:
        message = wire.read(data)
        assert isinstance(message, wire.Chained)
        seen.append((read_envelope(message.raw).payload.kind, len(data)))
    return seen


TWINS = [
    ("standard", "hidden", FIRST, OTHER),
    ("standard", "hidden", FIRST, COLOURS),
    ("standard", "open", FIRST, OTHER),
    ("advanced", "hidden", FIRST, COLOURS),
    ("advanced", "hidden", FIRST, JOKERS),
    ("advanced", "hidden", FIRST, JOKER_DRAWN),
    ("advanced", "hidden", JOKERS, JOKER_ENDS),
    ("advanced", "open", FIRST, OTHER),
    ("advanced", "open", FIRST, JOKERS),
    ("advanced", "open", FIRST, JOKER_DRAWN),
    ("advanced", "open", JOKERS, JOKER_ENDS),
]


@pytest.mark.parametrize(("preset", "backs", "deal", "twin"), TWINS)
def test_games_that_differ_in_hidden_tiles_look_alike(
    preset: str, backs: str, deal: Deal, twin: Deal
) -> None:
    one, other = played(deal, preset, backs), played(twin, preset, backs)
    hidden = [own_faces(peer.game) for peer in one.peers]
    assert hidden != [own_faces(peer.game) for peer in other.peers]
    for mine, its in zip(one.peers, other.peers, strict=True):
        assert shape(mine) == shape(its)
        assert [len(r) for r in mine.log.records] == [len(r) for r in its.log.records]


def test_a_game_with_another_public_course_does_not_look_alike() -> None:
    one = played(FIRST, "standard", "hidden")
    other = recording("standard", 2).end
    assert shape(one.peers[0]) != shape(other.peers[0])


# --- what is asked, and what is chosen when time is up ---------------------------------------

LATE: tuple[Move | Event, ...] = (
    Draw(deck=0),
    guess("2.1", "b1"),
    passes(60),
    calls_clock(1),
    passes(20),
    Draw(deck=0),
    guess("1.1", "w11"),
    Place(slot=3),
    Draw(deck=0),
    passes(60),
    calls_clock(1),
    passes(20),
    passes(21),
)
"""Seat 0 lets its time run out after a hit, and later with a tile that it must turn up."""

HANDS_ALIKE = [
    (("b0 b3 w5 w8", "b-"), ("b0 b3 w5 w8", "b6")),
    (("b0 b3 w5 w8", "b6"), ("b0 b3 w- w8", "b6")),
    (("b3 w- w5 w8", "b4"), ("b3 b- w5 w8", "b4")),
    (("w- b3 w5 w8", "b6"), ("b3 w5 w8 w-", "b6")),
]
"""A joker drawn or a number, in the hand or not, on this side of it or on that."""


@functools.cache
def late(hand: str, drawn: str) -> Recording:
    hands = (hand, "b1 b2 w6 w7")
    table = dealt_table(hands, drawn, "advanced", {"clock": "60+20"})
    return record_dealt(table, hands, f"{drawn} w3 w4", LATE)


def offered(peer: Peer) -> tuple[str, bool, int | None] | None:
    """Return what a player is asked, and what Enter would take."""
    shown = view(peer.game)
    options = peer.game.round.contract.options
    model = replace(enter_game(Model(lang="en"), options), game=shown, placing=shown.kind == "more")
    asked = offer(model)
    return None if asked is None else (asked.topic, asked.across, asked.first)


def course_of(recording: Recording) -> list[tuple[Any, ...]]:
    """What the others can see of each message, and what each player was asked before it."""
    seen: list[tuple[Any, ...]] = []
    for moment in recording.moments:
        peers = moment.table.peers
        asked = [(asks_player(peer.game), offered(peer)) for peer in peers]
        said, (_, _, data) = moment.payload, moment.table.mail[0]
        seen.append((said.seat, said.step, said.kind, len(data), moment.table.now_s, asked))
    return seen


@pytest.mark.parametrize(("one", "other"), HANDS_ALIKE)
def test_what_is_asked_and_when_and_what_is_suggested_tells_nothing_of_jokers(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert course_of(late(*one)) == course_of(late(*other))


def test_with_jokers_in_the_game_no_order_and_no_slot_is_ever_suggested() -> None:
    course = [asked for *_, asked in course_of(late("b0 b3 w5 w8", "b-"))]
    found = {offer_ for step in course for _, offer_ in step if offer_ is not None}
    assert {topic for topic, _, _ in found} >= {"arrange", "slot"}
    assert all(first is None for topic, _, first in found if topic in ("arrange", "slot"))


@pytest.mark.parametrize("preset", ["classic", "standard", "advanced"])
def test_the_deal_looks_alike_whatever_is_dealt(preset: str) -> None:
    def dealt(seed: int) -> Table:
        table = new_table(2, preset, seed=(preset, "deal", seed)).start()
        for _ in range(4):
            table.deliver()
            peer = table.due()
            if peer is not None and peer.game.round.state is None:
                table.play(peer.seat, table.bot_move(peer))
        table.deliver()
        return table

    one, other = dealt(0), dealt(1)
    assert one.peers[0].game.round.step == "draw"
    sizes = [[sorted(shape(peer)) for peer in table.peers] for table in (one, other)]
    assert sizes[0] == sizes[1]


# --- secrets ---------------------------------------------------------------------------------


def secrets_of(peer: Peer) -> dict[str, bytes]:
    """Return the byte strings that would tell what a peer keeps to itself."""
    game = peer.game
    found: dict[str, bytes] = {}
    secrets, round_ = game.secrets, game.round
    assert secrets is not None
    if round_.opened[peer.seat] is None:
        found["key"] = secrets.key
    if not round_.keys:
        found["nonce"] = secrets.nonce
    row = () if round_.state is None else round_.state.rows[peer.seat]
    faces = [piece.face for piece in row]
    for k, held in enumerate(own_tiles(round_, peer.seat) if round_.hands else ()):
        tile = (held.deck, held.index)
        if (k < len(faces) and faces[k] is not None) or tile not in secrets.codes:
            continue
        found[f"{tile} in clear"] = edwards25519.multiple(secrets.codes[tile], SECOND_BASE)
        found[f"{tile} opened"] = make_shares(secrets.key, [held.cipher])[0]
        if tile in secrets.openings:
            found[f"{tile} blinding"] = secrets.openings[tile].blinding
    return found


MOMENTS = [
    (preset, kind, nth)
    for preset in ("classic", "standard", "advanced")
    for kind, nth in (("commit", 1), ("shuffle", 2), ("arrange", 2), ("guess", 4), ("key", 0))
]


@pytest.mark.parametrize(("preset", "kind", "nth"), MOMENTS)
def test_no_secret_is_sent_logged_or_told(preset: str, kind: str, nth: int) -> None:
    table = recording(preset).find(kind, nth=nth).table
    said = b"".join(data for peer in table.peers for data in (*peer.sent, *peer.log.records))
    for peer in table.peers:
        told = [event for other in table.peers if other is not peer for event in other.events]
        hidden = {name: value for name, value in secrets_of(peer).items() if kind != "key"}
        assert hidden or kind == "key"
        for name, value in hidden.items():
            assert value not in said, name
            assert not appears(value, repr(told)), name


def test_secrets_are_found_where_they_are() -> None:
    peer = recording("standard").find("guess", nth=4).table.peers[0]
    kept = b"".join(peer.secrets.records)
    found = secrets_of(peer)
    assert found["key"] in kept
    assert {"key", "in clear", "opened", "blinding"} <= {name.split(") ")[-1] for name in found}
    assert appears(found["key"], repr(peer.game.secrets and peer.game.secrets.key))


@pytest.mark.parametrize("preset", ["classic", "advanced"])
def test_nobody_is_told_what_another_was_dealt_or_drew(preset: str) -> None:
    table = recording(preset).find("guess", nth=6).table
    for peer in table.peers:
        own = set(own_faces(peer.game)[0]) | {own_faces(peer.game)[1]}
        told = [event.tiles for event in peer.told(Dealt)]
        told += [(event.tile,) for event in peer.told(Drew)]
        assert {tile for tiles in told for tile in tiles} == own - {None}


def appears(secret: bytes, text: str) -> bool:
    """Whether a text spells a byte string: as Python does, in hex, or as a number."""
    spelt = (repr(secret)[2:-1], secret.hex())
    numbers = (int.from_bytes(secret, "little"), int.from_bytes(secret, "big"))
    return any(word in text for word in (*spelt, *map(str, numbers)))


@pytest.mark.parametrize("preset", ["classic", "standard"])
def test_no_secret_is_in_a_repr(preset: str) -> None:
    table = recording(preset).find("guess", nth=4).table
    for peer in table.peers:
        game, who = peer.game, peer.driver._who
        assert who is not None
        assert game.secrets is not None
        seat = Seat(seat=0, signer=who.signer, entropy=who.entropy, secrets=game.secrets)
        for shown in (game, game.round, game.secrets, seat, who, peer.driver):
            for name, value in secrets_of(peer).items():
                assert not appears(value, repr(shown)), (name, type(shown))


def test_a_view_holds_no_tile_of_another_that_stands() -> None:
    table = recording("advanced").find("guess", nth=6).table
    for peer in table.peers:
        board = view(peer.game).board
        assert board is not None
        assert board.own == own_faces(peer.game)[0]
        faces = [piece.face for row in board.state.rows for piece in row if piece.standing]
        assert set(faces) == {None}
