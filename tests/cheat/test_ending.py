"""Cheats at the end of a round, and what may not be carried over into the next one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_davinci.session import setup, wire
from p2p_davinci.session.arriving import DOUBT_S
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.events import Blamed, GameOver
from p2p_davinci.session.messages import Body, read_body
from p2p_davinci.session.secrets import Seat
from protocol import Payload, as_array, as_uint, generate_secret, seal
from tests.support.cheating import Cheat, Scene, expect_found_out, expect_twin_passes, scene_at
from tests.support.recorded import Moment, Recording, decided, recording
from tests.support.table import seeded

Says = Callable[[Scene], Payload]


@functools.cache
def two_rounds() -> Recording:
    return recording("tournament", 3, 2, rounds="2")


def at(kind: str, *, number: int = 1, seat: int | None = None) -> Callable[[], Moment]:
    """Before a message in round ``number``."""

    def of_that_round(moment: Moment) -> bool:
        return len(moment.table.peers[0].game.round.results) == number - 1

    def wanted(moment: Moment) -> bool:
        return of_that_round(moment) and (kind != "key" or decided(moment))

    return lambda: two_rounds().find(kind, seat=seat, where=wanted)


def of_one_out() -> Moment:
    """The moment before the key of a seat that has gone out while the round goes on."""
    return recording("standard").find("key", where=lambda moment: not decided(moment))


def another_secret(index: int) -> Says:
    return lambda scene: scene.with_field(index, scene.me_with_another_key.secrets.key)


def points_changed(scene: Scene) -> Payload:
    points = [as_uint(p, "points") for p in as_array(scene.body.fields[1], "points")]
    points[scene.seat] += 1
    return scene.with_field(1, tuple(points))


ENDING = [
    Cheat(
        name="a wrong key at the end",
        moment=at("key"),
        says=another_secret(0),
        check="key.secret",
    ),
    Cheat(
        name="no key at the end",
        moment=at("key"),
        says=lambda scene: scene.with_field(0, b""),
        check="scalar.length",
    ),
    Cheat(
        name="a receipt instead of the key",
        moment=at("key"),
        says=lambda scene: scene.says(Body(fields=(scene.seat, (0, 0, 0), bytes(16))), "receipt"),
        check="chain.kind",
    ),
    Cheat(
        name="the winner's key from somebody else",
        moment=lambda: not_won_by(2),
        seat=2,
        says=lambda scene: scene.says(scene.body),
        check="chain.speaker",
    ),
    Cheat(
        name="a wrong key from one who is out",
        moment=of_one_out,
        says=another_secret(0),
        check="key.secret",
    ),
    Cheat(
        name="no key but zero from one who is out",
        moment=of_one_out,
        says=lambda scene: scene.with_field(0, bytes(32)),
        check="key.zero",
    ),
    Cheat(
        name="resigning where the key is due",
        moment=of_one_out,
        says=lambda scene: scene.says(scene.body, "resign"),
        check="chain.kind",
    ),
    Cheat(
        name="a guess while somebody's key is due",
        moment=of_one_out,
        seat=0,
        says=lambda scene: scene.says(Body(fields=(2, 1, "b5")), "guess"),
        check="chain.speaker",
    ),
    Cheat(
        name="another winner in a receipt",
        moment=at("receipt", seat=1),
        says=lambda scene: scene.with_field(0, (as_uint(scene.body.fields[0], "winner") + 1) % 3),
        check="receipt.result",
    ),
    Cheat(
        name="other points in a receipt",
        moment=at("receipt", seat=1),
        says=points_changed,
        check="receipt.result",
    ),
    Cheat(
        name="no fresh bytes for the next round",
        moment=at("receipt", seat=1),
        says=lambda scene: scene.with_field(2, None),
        check="receipt.fresh",
    ),
    Cheat(
        name="few fresh bytes for the next round",
        moment=at("receipt", seat=1),
        says=lambda scene: scene.with_field(2, b"few"),
        check="receipt.shape",
    ),
    Cheat(
        name="resigning with a wrong key",
        moment=at("draw"),
        says=lambda scene: scene.says(
            Body(fields=(scene.me_with_another_key.secrets.key,)), "resign"
        ),
        check="key.secret",
    ),
    Cheat(
        name="resigning for somebody else",
        moment=lambda: recording("standard").find("draw", seat=0),
        seat=1,
        says=lambda scene: scene.says(Body(fields=(scene.me.secrets.key,)), "resign"),
        check="chain.speaker",
    ),
    Cheat(
        name="resigning instead of turning up the drawn tile",
        moment=lambda: recording("standard").find("place"),
        says=lambda scene: scene.says(Body(fields=(scene.me.secrets.key,)), "resign"),
        check="chain.kind",
    ),
]


def not_won_by(seat: int) -> Moment:
    """The moment before the key of somebody else, who has won the first of two rounds."""
    moment = at("key")()
    if moment.payload.seat == seat:
        raise AssertionError("the cheater has won")
    return moment


@pytest.mark.parametrize("cheat", ENDING, ids=str)
def test_a_cheat_at_the_end_is_found_out(cheat: Cheat) -> None:
    expect_found_out(cheat)


@pytest.mark.parametrize("cheat", ENDING, ids=str)
def test_the_honest_message_passes(cheat: Cheat) -> None:
    expect_twin_passes(cheat)


# --- the last receipts -----------------------------------------------------------------------


def fresh_for_no_round(scene: Scene) -> Payload:
    return scene.with_field(2, bytes(16))


def expect_result_stands(scene: Scene, check: str, step: int) -> None:
    """Check that the honest peers name the cheater, end the game, and count the other receipts."""
    for peer in scene.others:
        (blamed,) = peer.told(Blamed)
        assert (blamed.seat, blamed.step, blamed.check) == (scene.seat, step, check)
        assert (blamed.proved, blamed.stands) == (True, True)
        assert len(peer.told(GameOver)) == 1
        assert (peer.blamed, peer.game.ended) == (None, True)
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.blamed) == (Status.FINISHED, blamed)
        assert verdict.receipts_missing == (scene.seat,)
        assert verdict.winners == peer.told(GameOver)[0].winners


def test_a_false_last_receipt_does_not_unmake_the_result() -> None:
    scene = scene_at(at("receipt", seat=1, number=2)())
    scene.table.tamper = lambda sender, _to, data: None if sender == scene.seat else data
    scene.tell(fresh_for_no_round(scene))
    assert [peer.game.accused is not None for peer in scene.others] == [True, True]
    scene.table.deliver()
    expect_result_stands(scene, "receipt.fresh", scene.honest.step)


def test_a_second_false_receipt_adds_nothing() -> None:
    scene = scene_at(at("receipt", seat=1, number=2)())
    scene.table.tamper = lambda sender, _to, data: None if sender == scene.seat else data
    scene.tell(fresh_for_no_round(scene))
    scene.tell(scene.with_field(2, bytes(15)))
    scene.send(b"nonsense")
    scene.table.deliver()
    expect_result_stands(scene, "receipt.fresh", scene.honest.step)


def test_speaking_twice_before_does_not_unmake_the_result_if_only_receipts_are_due() -> None:
    scene = scene_at(at("receipt", seat=1, number=2)())
    key = at("commit", seat=1, number=2)().payload
    scene.tell(replace(key, body=Body(fields=(bytes(32),)).encode()))
    scene.tell(scene.honest)
    scene.table.deliver()
    expect_result_stands(scene, "chain.doubled", key.step)


def test_nonsense_among_the_last_receipts_stops_nothing() -> None:
    scene = scene_at(at("receipt", seat=1, number=2)())
    scene.send(b"nonsense")
    scene.tell(scene.honest)
    scene.table.deliver()
    for peer in scene.others:
        (blamed,) = peer.told(Blamed)
        assert (blamed.proved, blamed.stands, peer.game.ended) == (False, True, True)
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.blamed) == (Status.FINISHED, None)
        assert [(note.kind, note.seat) for note in verdict.notes] == [("suspicion", 1)]


# --- decided, but for the key ----------------------------------------------------------------


def before_the_key() -> tuple[Scene, Scene]:
    """A loser and the winner, who owes its key, after the only round; nothing is scored."""
    moment = recording("standard").find("key", where=decided)
    winner = moment.payload.seat
    loser = scene_at(moment, seat=(winner + 1) % 3)
    return loser, replace(loser, seat=winner)


def test_a_loser_cannot_unmake_a_decided_game_before_or_after_the_key() -> None:
    loser, winner = before_the_key()
    third = next(peer.seat for peer in loser.others if peer.seat != winner.seat)
    loser.table.tamper = lambda sender, _to, data: None if sender == loser.seat else data
    false = loser.says(loser.body)
    loser.tell(false, to=[third])
    assert loser.table.peers[third].game.accused is not None
    loser.table.deliver()
    loser.tell(false, to=[winner.seat])
    loser.table.deliver()
    expect_result_stands(loser, "chain.speaker", loser.honest.step)


def test_nonsense_from_a_loser_does_not_stop_a_decided_game() -> None:
    loser, _ = before_the_key()
    loser.send(b"nonsense")
    loser.table.deliver()
    for peer in loser.others:
        (blamed,) = peer.told(Blamed)
        assert (blamed.proved, blamed.stands, peer.game.ended) == (False, True, True)


@pytest.mark.parametrize("accomplice", [False, True])
def test_the_winner_can_unmake_it_with_a_false_key_also_if_somebody_else_is_blamed_before(
    accomplice: bool,
) -> None:
    loser, winner = before_the_key()
    table = loser.table
    table.mail.clear()
    if accomplice:
        loser.tell(loser.says(loser.body))
    winner.tell(another_secret(0)(winner))
    for peer in (peer for peer in winner.others if peer.seat != loser.seat):
        assert peer.blamed is not None
        found = (peer.blamed.seat, peer.blamed.check, peer.blamed.stands)
        assert found == (winner.seat, "key.secret", False)
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.blamed) == (Status.VOID, peer.blamed)
        assert verdict.winners == ()


def test_where_a_bonus_is_not_counted_yet_a_fault_of_a_loser_voids_the_game() -> None:
    """The winner, who knows its own key, has a finished game and names the same seat."""
    moment = at("key", number=2)()
    scene = scene_at(moment, seat=(moment.payload.seat + 1) % 3)
    scene.tell(scene.says(scene.body))
    for peer in scene.others:
        (blamed,) = peer.told(Blamed)
        has_key = peer.seat == moment.payload.seat
        found = (blamed.seat, blamed.check, blamed.proved, blamed.stands)
        assert found == (scene.seat, "chain.speaker", True, has_key)
        status = Status.FINISHED if has_key else Status.VOID
        assert verify_log(peer.log_bytes).status is status


def test_an_honest_last_receipt_is_not_taken_for_a_false_one() -> None:
    scene = scene_at(at("receipt", seat=1, number=2)())
    scene.tell(scene.honest)
    scene.expect_accepted()


# --- the next round --------------------------------------------------------------------------


def old_secrets(scene: Scene, *, nonce: bool = True, key: bool = True) -> Seat:
    """Return the cheater with nonce or key of the first round."""
    secrets = at("open", seat=scene.seat)().table.peers[scene.seat].game.secrets
    assert secrets is not None
    me = scene.me
    mixed = replace(
        me.secrets,
        nonce=secrets.nonce if nonce else me.secrets.nonce,
        key=secrets.key if key else me.secrets.key,
    )
    return replace(me, secrets=mixed)


def commit_and_open(scene: Scene, commit: Body, open_: Callable[[Scene], Body]) -> Scene:
    """Commit and, once all have, open; return the scene of the opening."""
    scene.tell(scene.says(commit))
    table = scene.table
    own = scene.sealed(scene.honest)
    table.tamper = lambda sender, _to, data: (
        None if sender == scene.seat and wire.write(wire.Chained(raw=own)) == data else data
    )
    while any(peer.game.round.step == "commit" for peer in scene.others):
        table.deliver_one()
    now = scene.round.chain.step
    honest = replace(scene.honest, kind="open", step=now.number, head=now.head)
    opening = replace(scene, honest=honest)
    opening.tell(opening.says(open_(opening)))
    return opening


def test_a_key_of_an_earlier_round_is_refused_although_it_is_committed_to() -> None:
    scene = scene_at(at("commit", number=2, seat=2)())
    me = old_secrets(scene, nonce=False)
    opening = commit_and_open(
        scene,
        setup.make_commit(scene.round, me).body,
        lambda opening: setup.make_open(opening.round, me).body,
    )
    opening.expect_blame("open.reused")


def test_a_commitment_of_an_earlier_round_cannot_be_opened_again() -> None:
    scene = scene_at(at("commit", number=2, seat=2)())
    me = old_secrets(scene)
    opening = commit_and_open(
        scene,
        read_body(at("commit", seat=2)().payload.body),
        lambda opening: setup.make_open(opening.round, me).body,
    )
    opening.expect_blame("commit.mismatch")


def test_a_fresh_key_committed_to_in_the_next_round_is_accepted() -> None:
    scene = scene_at(at("commit", number=2, seat=2)())
    key = generate_secret(seeded("fresh"))
    me = replace(scene.me, secrets=replace(scene.me.secrets, key=key))
    opening = commit_and_open(
        scene,
        setup.make_commit(scene.round, me).body,
        lambda opening: setup.make_open(opening.round, me).body,
    )
    opening.expect_accepted()


def test_an_envelope_of_an_earlier_round_means_nothing() -> None:
    scene = scene_at(at("commit", number=2, seat=2)())
    for moment in (at("commit", seat=2)(), at("open", seat=2)(), at("receipt", seat=2)()):
        raw = seal(moment.payload, scene.table.who[2]).encode()
        scene.send(wire.write(wire.Chained(raw=raw)))
    for peer in scene.others:
        assert peer.blamed is None
        assert not peer.game.doubts
        assert 2 in peer.game.round.chain.awaited
    scene.tell(scene.honest)
    scene.expect_accepted()


def test_saying_something_else_about_an_earlier_round_is_double_speaking() -> None:
    scene = scene_at(at("commit", number=2, seat=2)())
    receipt = at("receipt", seat=2)().payload
    (winner, points, _) = read_body(receipt.body).fields
    other = replace(receipt, body=Body(fields=(winner, points, bytes(16))).encode())
    scene.tell(other)
    scene.expect_blame("chain.doubled", step=receipt.step)


def test_a_changed_contract_is_another_game() -> None:
    moment = recording("standard").find("commit", seat=1)
    scene = scene_at(moment)
    contract = replace(scene.contract, fresh=(bytes(16),) * 3)
    scene.tell(replace(scene.honest, session=contract.hash))
    assert all(peer.blamed is None for peer in scene.others)
    scene.table.deliver()
    scene.table.tick(DOUBT_S)
    scene.expect_suspicion("chain.session")
