"""Cheats at the end of a round, and what may not be carried over into the next one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_davinci.rules.scoring import totals, winners
from p2p_davinci.session import setup, wire
from p2p_davinci.session.arriving import DOUBT_S
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.ending import all_results
from p2p_davinci.session.events import Blamed, GameOver
from p2p_davinci.session.game import view
from p2p_davinci.session.messages import Body, read_body
from p2p_davinci.session.secrets import Seat
from protocol import Payload, as_array, as_uint, generate_secret, seal
from tests.support.cheating import Cheat, Scene, expect_found_out, expect_twin_passes, scene_at
from tests.support.reborn import reborn
from tests.support.recorded import Moment, Recording, decided, recording
from tests.support.table import seeded

pytestmark = pytest.mark.slow

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
        moment=lambda: not_won_by(1),
        seat=1,
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
        seat=2,
        says=lambda scene: scene.says(Body(fields=(1, 1, "b5")), "guess"),
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
    """Check that the honest peers convict the cheater, and end the game without its receipt.

    Who awaited others besides may have read a good one.
    """
    for peer in scene.others:
        (blamed,) = peer.told(Blamed)
        assert (blamed.seat, blamed.step, blamed.check) == (scene.seat, step, check)
        assert (blamed.proved, blamed.stands) == (True, True)
        assert len(peer.told(GameOver)) == 1
        assert (peer.blamed, peer.game.ended) == (None, True)
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.blamed) == (Status.FINISHED, (blamed,))
        assert set(verdict.receipts_missing) <= {scene.seat}
        over = peer.told(GameOver)[0]
        assert (verdict.winners, verdict.totals) == (over.winners, over.totals)
        assert verdict.convicted == (scene.seat,)
        assert scene.seat not in verdict.winners
        assert verdict.totals[scene.seat] == 0
        assert view(peer.game).winners == over.winners
        assert view(peer.game).totals == over.totals


def test_a_false_last_receipt_does_not_unmake_the_result() -> None:
    scene = scene_at(at("receipt", seat=1, number=2)())
    scene.table.tamper = lambda sender, _to, data: None if sender == scene.seat else data
    scene.tell(fresh_for_no_round(scene))
    assert [peer.game.convicted for peer in scene.others] == [(scene.seat,)] * 2
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


def won_by(moment: Moment) -> int:
    winner = moment.table.peers[0].game.round.board.winner
    assert winner is not None
    return winner


def test_a_winner_who_spoke_twice_in_mid_game_has_not_won() -> None:
    """Nothing is scored, so nobody has won; every log convicts, and no two logs differ in that."""
    key = recording("standard").find("key", where=decided)
    winner = won_by(key)
    moment = recording("standard").find("receipt", seat=winner)
    guess = recording("standard").find("guess", seat=winner).payload
    scene = scene_at(moment)
    scene.tell(replace(guess, body=Body(fields=(winner, 1, "1")).encode()))
    scene.table.deliver()
    for peer in scene.others:
        (over,) = peer.told(GameOver)
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.convicted) == (Status.FINISHED, (winner,))
        assert verdict.winners == over.winners == ()


def test_with_points_the_next_best_wins_if_the_best_spoke_twice() -> None:
    receipts = at("receipt", seat=1, number=2)()
    results = all_results(receipts.table.peers[0].game.round)
    (best,) = winners(receipts.table.contract.options, results)
    before = totals(results)
    others = [seat for seat in range(3) if seat != best]
    second = max(before[seat] for seat in others)
    moment = at("receipt", seat=best, number=2)()
    scene = scene_at(moment)
    commit = at("commit", seat=best, number=1)().payload
    scene.tell(replace(commit, body=Body(fields=(bytes(32),)).encode()))
    scene.table.deliver()
    for peer in scene.others:
        verdict = verify_log(peer.log_bytes)
        assert verdict.convicted == (best,)
        assert verdict.winners == tuple(seat for seat in others if before[seat] == second)
        assert verdict.totals == tuple(0 if seat == best else before[seat] for seat in range(3))
        assert peer.told(GameOver)[0].winners == verdict.winners


def test_two_can_be_convicted_once_the_result_stands() -> None:
    scene = scene_at(at("receipt", seat=1, number=2)())
    third = next(peer.seat for peer in scene.others if peer.seat != won_by(at("key", number=2)()))
    accomplice = replace(scene, seat=third)
    scene.table.tamper = lambda sender, _to, data: None if sender == scene.seat else data
    scene.tell(fresh_for_no_round(scene))
    accomplice.tell(accomplice.says(scene.body, "key"))
    scene.table.deliver()
    (honest,) = [peer for peer in scene.others if peer.seat != third]
    verdict = verify_log(honest.log_bytes)
    assert verdict.status is Status.FINISHED
    assert [(b.seat, b.check) for b in verdict.blamed] == [
        (scene.seat, "receipt.fresh"),
        (third, "chain.kind"),
    ]
    assert verdict.convicted == tuple(sorted((scene.seat, third)))
    assert verdict.winners == honest.told(GameOver)[0].winners
    assert not set(verdict.winners) & set(verdict.convicted)


def test_a_program_that_comes_back_from_its_disk_still_knows_who_is_convicted() -> None:
    scene = scene_at(at("receipt", seat=1, number=2)())
    scene.table.tamper = lambda sender, _to, data: None if sender == scene.seat else data
    raw = scene.tell(fresh_for_no_round(scene))
    seat = scene.others[0].seat
    before = scene.table.peers[seat].game
    peer = reborn(scene.table, seat)
    assert (peer.game.convicted, peer.game.accused) == ((scene.seat,), before.accused)
    assert peer.game.proof == before.proof == (wire.write(wire.Chained(raw=raw)),)
    scene.table.deliver()
    scene.table.tick(5.0)
    assert peer.game.ended
    verdict = verify_log(peer.log_bytes)
    assert (verdict.status, verdict.convicted) == (Status.FINISHED, (scene.seat,))


def test_nonsense_among_the_last_receipts_stops_nothing() -> None:
    scene = scene_at(at("receipt", seat=1, number=2)())
    scene.send(b"nonsense")
    scene.tell(scene.honest)
    scene.table.deliver()
    for peer in scene.others:
        (blamed,) = peer.told(Blamed)
        assert (blamed.proved, blamed.stands, peer.game.ended) == (False, True, True)
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.blamed) == (Status.FINISHED, ())
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
    assert loser.table.peers[third].game.convicted == (loser.seat,)
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
def test_a_winner_with_a_false_key_has_not_won_also_if_somebody_else_is_convicted_before(
    accomplice: bool,
) -> None:
    loser, winner = before_the_key()
    table = loser.table
    table.mail.clear()
    if accomplice:
        loser.tell(loser.says(loser.body))
    winner.tell(another_secret(0)(winner))
    for peer in (peer for peer in winner.others if peer.seat != loser.seat):
        assert (peer.blamed, peer.game.ended) == (None, True)
        found = peer.told(Blamed)[-1]
        assert (found.seat, found.check, found.stands) == (winner.seat, "key.secret", True)
        verdict = verify_log(peer.log_bytes)
        assert verdict.status is Status.FINISHED
        assert verdict.blamed == tuple(peer.told(Blamed))
        assert verdict.winners == peer.told(GameOver)[0].winners == ()


def test_a_true_key_of_a_winner_who_is_convicted_need_not_be_waited_for() -> None:
    """Who has it reads the row, who has not ends without it; nobody has won in either log."""
    loser, winner = before_the_key()
    guess = recording("standard").find("guess", seat=winner.seat).payload
    loser.table.mail.clear()
    winner.tell(replace(guess, body=Body(fields=(winner.seat, 1, "1")).encode()))
    for peer in (peer for peer in winner.others):
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.convicted) == (Status.FINISHED, (winner.seat,))
        assert (verdict.winners, verdict.receipts_missing) == ((), (0, 1, 2))


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
