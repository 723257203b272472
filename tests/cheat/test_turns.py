"""Cheats with the tiles: taking, shares, draws, guesses and stops."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_davinci.rules.moves import Move, Stop
from p2p_davinci.rules.state import Phase
from p2p_davinci.session import deal
from p2p_davinci.session.messages import Body, read_body
from protocol import Payload, as_bytes
from protocol.group import edwards25519
from tests.cheat.moments import Says, at, game, said_before, says
from tests.support.cheating import Cheat, Scene, expect_found_out, expect_twin_passes
from tests.support.recorded import (
    Moment,
    Recording,
    patient,
    record,
    recording,
    right_guess,
    spent,
)
from tests.support.table import Peer, Table, new_table

# --- taking, and shares ----------------------------------------------------------------------


def before_the_first_turn(moment: Moment) -> bool:
    return moment.table.peers[0].game.round.state is None


def in_a_turn(moment: Moment) -> bool:
    return not before_the_first_turn(moment)


def points(change: Callable[[list[bytes]], list[bytes]]) -> Says:
    """Change the shares in the honest message, and leave its proof as it is."""

    def says(scene: Scene) -> Payload:
        blob = as_bytes(scene.body.fields[0], "shares")
        shares = [blob[k : k + 32] for k in range(0, len(blob), 32)]
        return scene.with_field(0, b"".join(change(shares)))

    return says


SHARING = [
    Cheat(
        name="a tile too many",
        moment=at("take", of=lambda: recording("classic")),
        says=lambda scene: scene.with_field(0, (4, 1)),
        check="take.size",
    ),
    Cheat(
        name="more tiles of a colour than a hand has",
        moment=at("take", of=lambda: recording("classic")),
        says=lambda scene: scene.with_field(0, (5, 0)),
        check="take.shape",
    ),
    Cheat(
        name="tiles of a third colour",
        moment=at("take", of=lambda: recording("classic")),
        says=lambda scene: scene.with_field(0, (2, 1, 1)),
        check="take.shape",
    ),
    Cheat(
        name="shares made with another key",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=lambda scene: scene.says(
            deal.make_shares_sent(scene.round, scene.me_with_another_key)
        ),
        check="sigma.equation",
    ),
    Cheat(
        name="one share wrong",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=points(lambda shares: [edwards25519.generator, *shares[1:]]),
        check="sigma.equation",
    ),
    Cheat(
        name="a share missing",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=points(lambda shares: shares[1:]),
        check="point.length",
    ),
    Cheat(
        name="a share too many",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=points(lambda shares: [*shares, shares[0]]),
        check="point.length",
    ),
    Cheat(
        name="one share twice",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=points(lambda shares: [shares[1], *shares[1:]]),
        check="sigma.equation",
    ),
    Cheat(
        name="two shares swapped",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=points(lambda shares: [shares[1], shares[0], *shares[2:]]),
        check="sigma.equation",
    ),
    Cheat(
        name="shares without a proof",
        moment=at("shares", seat=1, where=before_the_first_turn),
        says=lambda scene: scene.with_proofs(),
        check="shares.shape",
    ),
    Cheat(
        name="the share of another turn",
        moment=at("shares", seat=2, nth=2),
        says=said_before("shares", 1),
        check="sigma.equation",
    ),
    Cheat(
        name="somebody else's share",
        moment=at("shares", seat=1, where=in_a_turn),
        says=lambda scene: scene.says(
            read_body(game().find("shares", seat=2, where=in_a_turn).payload.body)
        ),
        check="sigma.equation",
    ),
    Cheat(
        name="an identity for a share",
        moment=at("shares", seat=1, where=in_a_turn),
        says=lambda scene: scene.with_field(0, edwards25519.identity),
        check="point.identity",
    ),
    Cheat(
        name="a share of one's own drawn tile",
        moment=at("shares", seat=1, where=in_a_turn),
        seat=0,
        says=lambda scene: scene.says(
            deal.make_shares_sent(scene.round, replace(scene.me, seat=1))
        ),
        check="chain.speaker",
    ),
]


# --- drawing and guessing --------------------------------------------------------------------


def no_black_left(moment: Moment) -> bool:
    pile = moment.table.peers[1 - moment.payload.seat].game.round.board.pile
    return pile[0] == 0 and pile[1] > 0


def after_a_hit(moment: Moment) -> bool:
    return moment.table.peers[2].game.round.step == "more"


DRAWING = [
    Cheat(
        name="drawing twice",
        moment=at("guess", seat=0),
        says=says("draw", 0),
        check="chain.kind",
    ),
    Cheat(
        name="drawing out of turn",
        moment=at("draw", seat=1),
        seat=2,
        says=says("draw", 0),
        check="chain.speaker",
    ),
    Cheat(
        name="guessing out of turn",
        moment=at("draw", seat=1),
        seat=0,
        says=says("guess", 2, 1, "b4"),
        check="chain.speaker",
    ),
    Cheat(
        name="guessing before the draw",
        moment=at("draw", seat=1),
        says=says("guess", 0, 1, "b0"),
        check="chain.kind",
    ),
    Cheat(
        name="drawing from a deck that is not there",
        moment=at("draw", seat=1),
        says=says("draw", 1),
        check="draw.shape",
    ),
    Cheat(
        name="drawing a colour that is used up",
        moment=at("draw", of=spent, where=no_black_left),
        says=says("draw", 0),
        check="rules.colour_used_up",
    ),
    Cheat(
        name="stopping without a guess",
        moment=at("guess", seat=0),
        says=says("stop", None),
        check="chain.kind",
    ),
    Cheat(
        name="pointing at one's own tile",
        moment=at("guess", seat=0),
        says=says("guess", 0, 1, "b0"),
        check="rules.own_tile",
    ),
    Cheat(
        name="pointing at nobody",
        moment=at("guess", seat=0),
        says=says("guess", 3, 1, "b1"),
        check="guess.shape",
    ),
    Cheat(
        name="pointing beside the row",
        moment=at("guess", seat=0),
        says=says("guess", 1, 5, "b1"),
        check="rules.no_such_slot",
    ),
    Cheat(
        name="pointing at an open tile",
        moment=at("guess", seat=0, where=after_a_hit),
        says=says("guess", 1, 1, "b2"),
        check="rules.face_up",
    ),
    Cheat(
        name="calling a tile that is not in the game",
        moment=at("guess", seat=0),
        says=says("guess", 1, 1, "b12"),
        check="rules.no_such_tile",
    ),
    Cheat(
        name="calling nonsense",
        moment=at("guess", seat=0),
        says=says("guess", 1, 1, "x1"),
        check="guess.call",
    ),
    Cheat(
        name="answering for somebody else",
        moment=at("answer", seat=1),
        seat=2,
        says=lambda scene: scene.says(scene.body),
        check="chain.speaker",
    ),
]


@functools.cache
def stopped_with_nothing_drawn() -> Recording:
    """Seat 0 hits with an empty pile and stops."""
    table = new_table(2, "standard", seed="stopped")
    state = {"stopping": False}

    def script(table: Table, peer: Peer) -> Move | None:
        board = peer.game.round.board
        if board.drawn is not None or board.phase is Phase.DRAW:
            return patient(table, peer)
        if board.phase is Phase.MORE:
            return None if state["stopping"] else stop()
        return right_guess(table, peer.seat)

    def stop() -> Move:
        state["stopping"] = True
        return Stop()

    return record(table, script)


STOPPING = [
    Cheat(
        name="standing a tile although none was drawn",
        moment=at("stop", of=stopped_with_nothing_drawn),
        says=lambda scene: scene.with_field(0, 1),
        check="stop.shape",
    ),
    Cheat(
        name="standing a tile with all its fields although none was drawn",
        moment=at("stop", of=stopped_with_nothing_drawn),
        says=lambda scene: scene.says(Body(fields=(1, b"", b"", b""), proofs=(b"", b""))),
        check="stop.shape",
    ),
]

CHEATS = SHARING + DRAWING + STOPPING


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_a_cheat_with_tiles_is_found_out(cheat: Cheat) -> None:
    expect_found_out(cheat)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_the_honest_message_passes(cheat: Cheat) -> None:
    expect_twin_passes(cheat)
