"""Cheats with what is turned up: answers to a guess, and one's own tiles."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p_davinci.rules.moves import Draw, Place, Reveal
from p2p_davinci.session import placing, turns
from p2p_davinci.session.messages import Body, order_fields, read_body
from p2p_davinci.session.rows import NO_FIELDS
from protocol import Payload, Value, prove_miss
from tests.cheat.moments import Says, at, said_before, says
from tests.support.cheating import (
    Cheat,
    Scene,
    expect_found_out,
    expect_twin_passes,
    opened,
    remade,
    scene_at,
)
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import (
    Moment,
    recording,
    spent,
)
from tests.support.table import seeded

# --- answers ---------------------------------------------------------------------------------


def is_hit(hit: bool) -> Callable[[Moment], bool]:
    return lambda moment: read_body(moment.payload.body).fields[0] is hit


def opens(slot: int) -> Says:
    """Answer with the opening of the tile at a slot of one's own row, whatever was asked."""

    def says(scene: Scene) -> Payload:
        held = scene.round.hands[scene.seat][slot - 1]
        return scene.says(opened(scene.round, scene.me, held, (True,)))

    return says


def denies(slot: int | None = None, called: int | None = None) -> Says:
    """Say that it was a miss, proving that another tile is not the called one, or not another."""

    def says(scene: Scene) -> Payload:
        question = turns.asked(scene.round)
        held = question.held if slot is None else scene.round.hands[scene.seat][slot - 1]
        code = scene.me.secrets.code_of(held)
        wrong = question.called.code if called is None else called
        tag = scene.round.tag(scene.seat, "answer.miss", (False,))
        pretended = code if code != wrong else code + 1
        key = scene.me.secrets.key
        proof = prove_miss(key, held.cipher, pretended, wrong, tag, seeded(0))
        return scene.says(Body(fields=(False,), proofs=(proof,)))

    return says


def opened_with_another_key(scene: Scene) -> Payload:
    held = turns.asked(scene.round).held
    return scene.says(opened(scene.round, scene.me_with_another_key, held, (True,)))


def key_for_the_tile(scene: Scene) -> Payload:
    """Give the key, which opens the tile as well, instead of a share with its proof."""
    return scene.says(Body(fields=(True, scene.me.secrets.key)))


def last_tile(moment: Moment) -> bool:
    """Whether somebody is guessed out of a round that goes on."""
    seat = moment.payload.seat
    before = next(peer for peer in moment.table.peers if peer.seat != seat).game.round.board
    hit = read_body(moment.payload.body).fields[0] is True
    return hit and sum(piece.standing for piece in before.rows[seat]) == 1 and not before.out


def misses_with_more(*fields: Value, proofs: tuple[bytes, ...] = ()) -> Says:
    """Prove a true miss, over more fields than it has or with more proofs."""

    def says(scene: Scene) -> Payload:
        question, key = turns.asked(scene.round), scene.me.secrets.key
        said = (False, *fields)
        tag = scene.round.tag(scene.seat, "answer.miss", said)
        code = scene.me.secrets.code_of(question.held)
        cipher = question.held.cipher
        proof = prove_miss(key, cipher, code, question.called.code, tag, seeded(0))
        return scene.says(Body(fields=said, proofs=(proof, *proofs)))

    return says


ANSWERING = [
    Cheat(
        name="a miss with a field too many",
        moment=at("answer", seat=1, where=is_hit(False)),
        says=misses_with_more(0),
        check="answer.shape",
    ),
    Cheat(
        name="a miss with a proof too many",
        moment=at("answer", seat=1, where=is_hit(False)),
        says=misses_with_more(proofs=(b"",)),
        check="answer.shape",
    ),
    Cheat(
        name="a false miss",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=denies(),
        check="sigma.equation",
    ),
    Cheat(
        name="a miss of another tile",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=denies(slot=2),
        check="sigma.equation",
    ),
    Cheat(
        name="a miss of another call",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=denies(called=24),
        check="sigma.equation",
    ),
    Cheat(
        name="a miss without proof",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=lambda scene: scene.says(Body(fields=(False,), proofs=(b"",))),
        check="sigma.length",
    ),
    Cheat(
        name="the miss of an earlier guess",
        moment=at("answer", seat=1, nth=2),
        says=said_before("answer", 1),
        check="sigma.equation",
    ),
    Cheat(
        name="a false hit",
        moment=at("answer", seat=1, where=is_hit(False)),
        says=opens(2),
        check="answer.code",
    ),
    Cheat(
        name="a hit that opens another tile",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=opens(3),
        check="sigma.equation",
    ),
    Cheat(
        name="a hit opened with another key",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=opened_with_another_key,
        check="sigma.equation",
    ),
    Cheat(
        name="a hit without proof",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=lambda scene: scene.with_proofs(),
        check="answer.shape",
    ),
    Cheat(
        name="neither hit nor miss",
        moment=at("answer", seat=1, where=is_hit(True)),
        says=lambda scene: scene.with_field(0, 1),
        check="answer.shape",
    ),
    Cheat(
        name="the key instead of the last tile",
        moment=at("answer", of=lambda: recording("standard"), where=last_tile),
        says=key_for_the_tile,
        check="answer.shape",
    ),
]


# --- turning up ------------------------------------------------------------------------------


def places(slot: int, *, shown: int | None = None, order: bool = True) -> Says:
    """Place the drawn tile at a slot with the honest order proof, or without.

    ``shown`` is the slot of the tile that is turned up instead of the drawn one.
    """

    def says(scene: Scene) -> Payload:
        round_ = scene.round
        held = round_.drawn if shown is None else round_.hands[scene.seat][shown - 1]
        assert held is not None
        points = scene.body.fields[2:4] if order else order_fields(NO_FIELDS)
        proof = scene.body.proofs[1] if order else b""
        return scene.says(opened(round_, scene.me, held, (slot,), points, proof))

    return says


def turns_up(slot: int, shown: int) -> Says:
    """Name one slot, and open the tile at another."""

    def says(scene: Scene) -> Payload:
        held = scene.round.hands[scene.seat][shown - 1]
        return scene.says(opened(scene.round, scene.me, held, (slot,)))

    return says


def slots(scene: Scene, *, standing: bool) -> list[int]:
    row = scene.round.board.rows[scene.seat]
    return [slot for slot, piece in enumerate(row, 1) if piece.standing is standing]


TURNING_UP = [
    Cheat(
        name="keeping the drawn tile hidden after a miss",
        moment=at("place", seat=0),
        says=says("stop", None),
        check="chain.kind",
    ),
    Cheat(
        name="turning up another tile than the drawn one",
        moment=at("place", seat=0),
        says=places(4, shown=1),
        check="sigma.equation",
    ),
    Cheat(
        name="placing it elsewhere than opened",
        moment=at("place", seat=0),
        says=lambda scene: scene.with_field(0, 3),
        check="sigma.equation",
    ),
    Cheat(
        name="placing it elsewhere than proved",
        moment=at("place", seat=0),
        says=places(3),
        check="sigma.equation",
    ),
    Cheat(
        name="placing it at an end, where one gap less is to be proved",
        moment=at("place", seat=0),
        says=places(1),
        check="point.length",
    ),
    Cheat(
        name="placing it nowhere",
        moment=at("place", seat=0),
        says=places(6),
        check="place.shape",
    ),
    Cheat(
        name="placing it without an order proof",
        moment=at("place", seat=0),
        says=places(4, order=False),
        check="point.length",
    ),
    Cheat(
        name="turning up a tile that lies open",
        moment=at("turn-up", of=spent),
        says=lambda scene: turns_up(slots(scene, standing=False)[0], 1)(scene),
        check="rules.face_up",
    ),
    Cheat(
        name="turning up another tile than named",
        moment=at("turn-up", of=spent),
        says=lambda scene: turns_up(*slots(scene, standing=True)[:2])(scene),
        check="sigma.equation",
    ),
    Cheat(
        name="turning up nothing",
        moment=at("turn-up", of=spent),
        says=lambda scene: scene.with_field(0, 0),
        check="turn-up.shape",
    ),
    Cheat(
        name="drawing instead of turning up",
        moment=at("turn-up", of=spent),
        says=says("draw", 0),
        check="chain.kind",
    ),
]

CHEATS = ANSWERING + TURNING_UP


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_a_cheat_with_what_is_turned_up_is_found_out(cheat: Cheat) -> None:
    expect_found_out(cheat)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_the_honest_message_passes(cheat: Cheat) -> None:
    expect_twin_passes(cheat)


def test_who_is_out_gives_its_key_in_the_next_step_while_the_round_goes_on() -> None:
    game = recording("standard")
    said = [moment.payload for moment in game.moments]
    gone_out = game.find("answer", where=last_tile)
    key = game.find("key")
    following = min(p.step for p in said if p.step > gone_out.payload.step)
    assert (key.payload.step, key.payload.seat) == (following, gone_out.payload.seat)
    scene = scene_at(key)
    assert scene.round.chain.awaited == (key.payload.seat,)
    assert scene.round.board.winner is None
    scene.tell(remade(scene))
    scene.expect_accepted()
    after = scene.others[0].game.round
    assert after.opened[key.payload.seat] is not None
    assert after.step == "more"


def test_who_is_guessed_out_last_keeps_its_key() -> None:
    end = recording("standard").end.peers[0].game.round
    givers = [
        moment.payload.seat
        for moment in recording("standard").moments
        if moment.payload.kind == "key"
    ]
    last = next(s for s in range(end.seats) if s not in givers)
    assert (end.opened[last], last in end.board.out) == (None, True)
    assert all(piece.face is not None for piece in end.board.rows[last])
    assert givers[-1] == end.board.winner


def test_any_standing_tile_may_be_turned_up() -> None:
    moment = spent().find("turn-up", seat=1)
    scene = scene_at(moment)
    row = scene.round.board.rows[scene.seat]
    standing = [slot for slot, piece in enumerate(row, 1) if piece.standing]
    assert len(row) in standing
    for slot in standing:
        scene = scene_at(moment)
        made = placing.make_turn_up(scene.round, scene.me, Reveal(slot=slot))
        scene.tell(scene.says(made))
        scene.expect_accepted()


def test_the_drawn_tile_is_opened_by_a_share_even_where_one_other_stands() -> None:
    hands = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
    hits = (guess("2.1", "b1"), guess("2.2", "b2"), guess("2.3", "w6"))
    after = (Draw(deck=0), guess("1.1", "b11"), Place(slot=None))
    moves = (Draw(deck=0), *hits, guess("2.4", "b11"), Place(slot=None), *after)
    game = record_dealt(dealt_table(hands, "b6"), hands, "b6", moves)
    moment = game.find("place", seat=1)
    scene = scene_at(moment)
    assert sum(piece.standing for piece in scene.round.board.rows[1]) == 1
    scene.tell(remade(scene))
    scene.expect_accepted()
    assert len(read_body(moment.payload.body).proofs) == 2
