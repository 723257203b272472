"""Somebody falls silent: who is offered what, votes, promises, what a drop does, claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from p2p_davinci.rules.moves import Call, Dropped, Guess, Resign
from p2p_davinci.rules.state import Phase
from p2p_davinci.session import wire
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.events import (
    Claim,
    Halted,
    Happened,
    Keep,
    KeepWaiting,
    Left,
    LinkUp,
    Offered,
    Play,
    Promised,
    Received,
    Refused,
    SaveAndStop,
    Send,
    Slept,
    Stage,
    Voted,
    VoteOut,
)
from p2p_davinci.session.game import asks_player, own_faces, view
from p2p_davinci.session.play import step as session_step
from p2p_davinci.session.secrets import keep_heard
from p2p_davinci.session.silence import CALM_S, SLEEP_S
from p2p_davinci.session.voting import AHEAD_MAX
from p2p_davinci.session.work import WAIT_S, Who
from protocol import (
    DROP_KIND,
    PROMISE_KIND,
    Value,
    as_array,
    backs,
    read_aside,
    seal,
    seal_aside,
)
from tests.support.reborn import Disk, disk_of, reborn
from tests.support.recorded import payload_in
from tests.support.table import Peer, Table, each_proof_checked_once, new_table, seeded
from tests.support.vector_logs import PLANS
from tests.support.vector_play import play

Moment = Callable[[Table], bool]


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def pass_time(table: Table, seconds: float) -> None:
    """Let time go by as it does for running programs, in short ticks."""
    for _ in range(int(seconds // 5)):
        table.tick(5.0)
        table.deliver()


def step_of(kind: str, nth: int = 1) -> Moment:
    seen = 0

    def reached(table: Table) -> bool:
        nonlocal seen
        peer = table.due()
        seen += peer is not None and peer.game.round.step == kind
        return seen >= nth

    return reached


def at(kind: str, *, seats: int = 3, nth: int = 2) -> Table:
    """Return a table whose player in turn must do this now."""
    return _reached(kind, seats, nth).fork(seeded("fork"))


@cache
def _reached(kind: str, seats: int, nth: int) -> Table:
    return new_table(seats, "standard", seed=1).start().run_until(step_of(kind, nth))


def in_turn(table: Table) -> int:
    return table.peers[0].game.round.board.turn


def cut_off(table: Table, lost: int) -> list[Peer]:
    """Cut a seat off and wait until the others may choose; return them."""
    others = [peer for peer in table.peers if peer.seat != lost]
    for peer in others:
        table.disconnect(lost, peer.seat)
    pass_time(table, WAIT_S + 5)
    return others


def vote_out(table: Table, lost: int) -> list[Peer]:
    others = cut_off(table, lost)
    for peer in others:
        table.give(peer.seat, VoteOut(seat=lost))
    table.deliver()
    return others


def play_on(table: Table, lost: int) -> None:
    """Let the others play to the end."""
    for _ in range(300):
        table.deliver()
        peer = next((p for p in table.peers if p.seat != lost and asks_player(p.game)), None)
        if peer is None:
            break
        table.play(peer.seat, table.bot_move(peer))
    pass_time(table, 10)


def come_back(table: Table, lost: int) -> None:
    for peer in table.peers:
        if peer.seat != lost:
            table.connect(lost, peer.seat)
    table.deliver()
    pass_time(table, 15)


def signed(table: Table, seat: int, kind: str, body: Value, *, head: bytes | None = None) -> bytes:
    """Return the message with an aside that a seat signs although its program would not."""
    step = table.peers[seat].game.round.chain
    aside = seal_aside(
        session=step.session,
        seat=seat,
        counter=0,
        head=head or step.step.head,
        kind=kind,
        body=body,
        signer=table.who[seat],
    )
    return wire.write(wire.Remark(raw=aside.encode()))


# --- who is offered what ---------------------------------------------------------------------


def test_the_choice_comes_after_the_wait_and_only_about_who_is_awaited() -> None:
    table = at("guess")
    lost = in_turn(table)
    idle = next(seat for seat in range(3) if seat != lost)
    for peer in table.peers:
        if peer.seat not in (lost, idle):
            table.disconnect(idle, peer.seat)
    others = cut_off(table, lost)
    for peer in others:
        (offered,) = peer.told(Offered)
        assert (offered.seat, offered.vote, offered.claim) == (lost, True, False)
        assert offered.waited_s >= WAIT_S
        (silent,) = view(peer.game).lost
        assert (silent.seat, silent.votes) == (lost, ())
    assert table.peers[lost].told(Offered) == []


def test_a_player_who_thinks_with_the_link_up_is_never_offered_to_anybody() -> None:
    table = at("guess")
    pass_time(table, 3 * WAIT_S)
    assert all(peer.told(Offered) == [] for peer in table.peers)


def test_what_a_program_owes_by_itself_is_late_also_with_the_link_up() -> None:
    table = at("draw")
    drawer = table.due()
    assert drawer is not None
    lost = (drawer.seat + 1) % 3
    table.tamper = lambda sender, _to, data: None if sender == lost else data
    table.play(drawer.seat, table.bot_move(drawer))
    table.deliver()
    pass_time(table, WAIT_S + 5)
    assert [offer.seat for offer in drawer.told(Offered)] == [lost]


def test_a_vote_before_the_time_is_refused() -> None:
    table = at("guess")
    lost = in_turn(table)
    voter = (lost + 1) % 3
    table.disconnect(lost, voter)
    pass_time(table, WAIT_S / 2)
    table.give(voter, VoteOut(seat=lost))
    assert table.peers[voter].told(Refused)[-1].reason == "refused.no_vote"
    table.give(voter, Claim())
    assert table.peers[voter].told(Refused)[-1].reason == "refused.no_claim"
    assert table.peers[voter].game.ballots == {}


def test_who_waits_is_asked_again_after_as_long() -> None:
    table = at("guess")
    others = cut_off(table, in_turn(table))
    table.give(others[0].seat, KeepWaiting())
    (lost,) = view(others[0].game).lost
    assert (lost.offered, lost.patient_s) == (False, table.now_s + WAIT_S)
    pass_time(table, WAIT_S - 5)
    assert [len(peer.told(Offered)) for peer in others] == [1, 1]
    pass_time(table, 10)
    assert [len(peer.told(Offered)) for peer in others] == [2, 1]


def test_who_slept_suspects_nobody_for_a_while() -> None:
    table = at("guess")
    lost = in_turn(table)
    sleeper = (lost + 1) % 3
    table.disconnect(lost, sleeper)
    table.now_s += max(SLEEP_S, WAIT_S) * 4
    table.give(sleeper, LinkUp(seat=(lost + 2) % 3))
    pass_time(table, CALM_S - 5)
    assert table.peers[sleeper].told(Offered) == []


def test_who_is_told_of_its_sleep_suspects_nobody_for_a_while_either() -> None:
    table = at("guess")
    lost = in_turn(table)
    sleeper, other = (table.peers[(lost + nth) % 3] for nth in (1, 2))
    for peer in (sleeper, other):
        table.disconnect(lost, peer.seat)
    pass_time(table, WAIT_S - 5)
    table.give(sleeper.seat, Slept())
    pass_time(table, 10)
    assert (sleeper.told(Offered), len(other.told(Offered))) == ([], 1)
    pass_time(table, WAIT_S)
    assert len(sleeper.told(Offered)) == 1


def test_before_the_deal_is_complete_silence_ends_the_game() -> None:
    table = new_table(3, "classic", seed=1).start()
    table.mail.clear()
    table.disconnect(0, 1)
    pass_time(table, WAIT_S + 5)
    (halted,) = table.peers[0].told(Halted)
    assert (halted.reason, halted.seat) == ("silent", 1)


def test_whoever_leaves_is_offered_at_once_and_welcome_back() -> None:
    table = at("guess")
    lost = in_turn(table)
    other = table.peers[(lost + 1) % 3]
    table.give(other.seat, Left(seat=lost, reason="left"))
    assert [offer.seat for offer in other.told(Offered)] == [lost]
    assert view(other.game).left == (lost,)
    table.tick(1.0)
    table.disconnect(lost, other.seat)
    table.tick(1.0)
    assert len(other.told(Offered)) == 1, "the link that ends with a farewell is no new silence"
    table.give(other.seat, LinkUp(seat=lost))
    assert (view(other.game).lost, view(other.game).left) == ((), ())


# --- what a drop does ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seats"), [("draw", 3), ("guess", 3), ("more", 3), ("guess", 4)])
def test_a_turn_of_the_lost_player_passes_and_the_game_ends_without_it(
    kind: str, seats: int
) -> None:
    table = at(kind, seats=seats, nth=1)
    lost = in_turn(table)
    others = vote_out(table, lost)
    for peer in others:
        assert peer.game.round.dropped == (lost,)
        assert not any(peer.game.round.board.pile)
        assert [v.by for v in peer.told(Voted)][-1:] != []
        assert Dropped(seat=lost) in [event.fact for event in peer.told(Happened)]
    assert len({peer.game.round.chain.step.head for peer in others}) == 1
    play_on(table, lost)
    assert {view(peer.game).stage for peer in others} == {Stage.OVER}
    for peer in others:
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.dropped) == (Status.FINISHED, (lost,))
        assert lost in verdict.receipts_missing
        faces = view(peer.game).faces
        assert faces is not None
        assert None in faces[lost]


def test_the_lost_player_comes_back_to_watch_and_to_sign_the_result() -> None:
    table = at("guess")
    lost = in_turn(table)
    others = vote_out(table, lost)
    come_back(table, lost)
    late = table.peers[lost]
    assert late.game.round.dropped == (lost,)
    assert view(late.game).dropped == (lost,)
    assert late.game.round.chain.step.head == others[0].game.round.chain.step.head
    play_on(table, lost)
    verdict = verify_log(late.log_bytes)
    assert (verdict.status, verdict.receipts_missing) == (Status.FINISHED, ())


def test_an_answer_that_never_comes_makes_the_guess_void() -> None:
    table = at("guess")
    guesser = table.due()
    assert guesser is not None
    table.play(guesser.seat, table.bot_move(guesser))
    pending = guesser.game.round.board.pending
    assert pending is not None
    lost = pending.seat
    table.mail.clear()
    others = vote_out(table, lost)
    assert len(others) == 2
    come = guesser.game.round
    assert (come.step, come.board.phase) == ("guess", Phase.GUESS)
    assert come.drawn is not None
    assert come.board.pending is None


def test_a_drawn_tile_without_all_shares_goes_back() -> None:
    table = at("draw")
    drawer = table.due()
    assert drawer is not None
    lost = (drawer.seat + 1) % 3
    for peer in table.peers:
        if peer.seat != lost:
            table.disconnect(lost, peer.seat)
    table.play(drawer.seat, table.bot_move(drawer))
    table.deliver()
    assert drawer.game.round.step == "shares"
    vote_out(table, lost)
    assert drawer.game.round.drawn is None
    assert drawer.game.round.step == "guess"
    play_on(table, lost)
    assert verify_log(drawer.log_bytes).status is Status.FINISHED


def test_who_resigned_in_a_step_that_is_void_resigns_again() -> None:
    table = at("draw", seats=4)
    drawer = table.due()
    assert drawer is not None
    lost, tired = (drawer.seat + 1) % 4, (drawer.seat + 2) % 4
    for peer in table.peers:
        if peer.seat != lost:
            table.disconnect(lost, peer.seat)
    table.give(tired, Play(move=Resign()))
    table.play(drawer.seat, table.bot_move(drawer))
    table.deliver()
    vote_out(table, lost)
    assert table.peers[tired].game.resigning


def test_where_two_play_an_extra_round_the_one_beside_cannot_help_to_drop_either() -> None:
    """Three keys are still unknown, but only two players are in."""
    (plan,) = [plan for plan in PLANS if plan.name == "extra round"]
    table = play(plan, lambda table: len(table.peers[0].game.past) == 1 and arranged(table))
    lost = in_turn(table)
    assert len(table.peers[0].game.round.present) == 3
    (beside,) = table.peers[0].game.round.board.out
    offers = {peer.seat: peer.told(Offered)[-1] for peer in cut_off(table, lost)}
    assert {seat: (o.vote, o.claim) for seat, o in offers.items()} == {
        beside: (False, False),
        3 - beside - lost: (False, True),
    }
    for peer in table.peers:
        if peer.seat != lost:
            table.give(peer.seat, VoteOut(seat=lost))
    table.deliver()
    assert all(peer.game.ballots == {} for peer in table.peers)


def arranged(table: Table) -> bool:
    return table.peers[0].game.round.state is not None


def test_after_a_drop_two_are_left_and_nobody_can_be_dropped() -> None:
    table = at("guess")
    lost = in_turn(table)
    others = vote_out(table, lost)
    table.disconnect(others[0].seat, others[1].seat)
    pass_time(table, WAIT_S + 5)
    away = others[0].game.round.board.turn
    waiting = next(peer for peer in others if peer.seat != away)
    offered = waiting.told(Offered)[-1]
    assert (offered.seat, offered.vote, offered.claim) == (away, False, True)
    table.give(waiting.seat, VoteOut(seat=away))
    assert waiting.told(Refused)[-1].reason == "refused.no_vote"


# --- late messages ---------------------------------------------------------------------------


def heard_by_one() -> tuple[Table, int, Peer, Peer]:
    """Return a table where the lost player's guess reached whom it asks, but not the other."""
    table = at("guess")
    lost = in_turn(table)
    guess = table.bot_move(table.peers[lost])
    assert isinstance(guess, Guess)
    one = table.peers[guess.seat]
    (other,) = (peer for peer in table.peers if peer.seat not in (lost, one.seat))
    table.disconnect(one.seat, other.seat)
    table.disconnect(lost, other.seat)
    table.play(lost, guess)
    table.deliver()
    table.disconnect(lost, one.seat)
    pass_time(table, WAIT_S + 5)
    table.give(other.seat, VoteOut(seat=lost))
    return table, lost, one, other


def test_who_has_the_message_answers_a_vote_with_it_and_a_promise() -> None:
    table, lost, one, other = heard_by_one()
    assert one.game.round.chain.step.number > other.game.round.chain.step.number
    table.connect(one.seat, other.seat)
    table.deliver()
    pass_time(table, 5)
    assert [promise.by for promise in other.told(Promised)] == [one.seat, other.seat]
    assert one.game.round.chain.step.head == other.game.round.chain.step.head
    assert one.game.round.dropped == other.game.round.dropped == ()
    assert verify_log(other.log_bytes).status is Status.UNFINISHED
    assert verify_log(one.log_bytes).status is Status.UNFINISHED
    assert lost not in other.game.round.dropped


def said_by(data: bytes) -> int | None:
    payload = payload_in(data)
    return None if payload is None else payload.seat


def test_who_voted_takes_no_late_message_without_a_promise_but_passes_it_on() -> None:
    table, lost, one, other = heard_by_one()
    step = other.game.round.chain.step.number
    table.tamper = lambda _from, _to, data: None if said_by(data) == one.seat else data
    table.connect(lost, other.seat)
    table.deliver()
    assert other.game.round.chain.step.number == step
    assert len(other.game.held) == 1
    before = len(other.sent)
    pass_time(table, 5)
    assert other.game.round.chain.step.number == step
    passed = wire.write(wire.Chained(raw=other.game.held[0]))
    assert passed in other.sent[:before]


def test_two_late_messages_of_one_step_convict_their_signer() -> None:
    table, lost, one, other = heard_by_one()
    (said,) = one.game.round.transcript[other.game.round.chain.step.number]
    fields, proofs = as_array(said.payload.body, "guess.shape", length=2)
    target, slot, call = as_array(fields, "guess.shape", length=3)
    body = ((target, slot, "b0" if call != "b0" else "b1"), proofs)
    otherwise = seal(replace(said.payload, body=body), table.who[lost])
    for envelope in (said, said, otherwise):
        assert other.blamed is None
        data = wire.write(wire.Chained(raw=envelope.encode()))
        table.give(other.seat, Received(seat=lost, data=data))
        assert other.game.held == (said.encode(),)
    assert other.blamed is not None
    assert (other.blamed.seat, other.blamed.check) == (lost, "chain.doubled")
    assert other.blamed.proved
    assert other.evidence != []


def test_a_promise_goes_out_after_what_it_promises_is_on_the_disk() -> None:
    """The last message of a step is in the log only once the step closes, which is later."""
    table = at("guess")
    lost = in_turn(table)
    voter, other = cut_off(table, lost)
    table.give(voter.seat, VoteOut(seat=lost))
    table.deliver()
    table.play(lost, table.bot_move(table.peers[lost]))
    (said,) = table.peers[lost].game.round.transcript[-1]
    given = Received(seat=lost, data=wire.write(wire.Chained(raw=said.encode())))
    who = Who(signer=table.who[other.seat], entropy=seeded("who"))
    _, effects = session_step(other.game, given, table.now_s, who)
    kept = effects.index(Keep(record=keep_heard(said.encode())))
    sent = [wire.read(effect.data) for effect in effects[:kept] if isinstance(effect, Send)]
    assert sent == []
    later = [wire.read(effect.data) for effect in effects[kept:] if isinstance(effect, Send)]
    kinds = [read_aside(sent.raw).kind for sent in later if isinstance(sent, wire.Remark)]
    assert kinds == [PROMISE_KIND]


def test_a_message_at_a_later_head_is_no_promise() -> None:
    table, _, one, other = heard_by_one()
    voted_at = other.game.round.chain.step.number
    table.tamper = lambda _from, _to, data: None if data in promised(table) else data
    table.connect(one.seat, other.seat)
    table.deliver()
    pass_time(table, 10)
    assert one.game.round.chain.step.number > voted_at
    assert other.game.round.chain.step.number == voted_at
    table.tamper = lambda _from, _to, data: data
    pass_time(table, 10)
    assert other.game.round.chain.step == one.game.round.chain.step


def test_who_accepts_late_shows_why_in_what_it_signs_until_that_is_in_the_head() -> None:
    table, lost, one, other = heard_by_one()
    head = other.game.round.chain.step.head
    table.connect(one.seat, other.seat)
    table.deliver()
    for seat in (one.seat, other.seat):
        table.connect(lost, seat)
    pass_time(table, 5)
    play_on(table, -1)
    mine = [
        backs(envelope, head, lost) is not None
        for said in other.game.round.transcript
        for envelope in said
        if envelope.payload.seat == other.seat
    ]
    assert mine.count(True) == 1
    assert all(peer.blamed is None for peer in table.peers)


def four_with_one_late() -> tuple[Table, int, Peer, Peer, Peer]:
    """Return lost, who has its message, who has voted and accepted it late, and who knows neither.

    The last one is cut off, so its promise is missing.
    """
    table = at("guess", seats=4)
    lost = in_turn(table)
    guess = table.bot_move(table.peers[lost])
    assert isinstance(guess, Guess)
    has = table.peers[guess.seat]
    voter, away = (peer for peer in table.peers if peer.seat not in (lost, has.seat))
    for seat in (lost, has.seat, voter.seat):
        table.disconnect(seat, away.seat)
    for seat in (lost, has.seat):
        table.disconnect(seat, voter.seat)
    table.play(lost, guess)
    table.deliver()
    pass_time(table, WAIT_S + 5)
    table.give(voter.seat, VoteOut(seat=lost))
    table.connect(has.seat, voter.seat)
    table.deliver()
    pass_time(table, 5)
    return table, lost, has, voter, away


def test_who_accepts_late_signs_nothing_further_before_all_others_have_promised() -> None:
    table, lost, has, voter, away = four_with_one_late()
    assert voter.game.round.chain.step == has.game.round.chain.step
    assert view(voter.game).owing == (away.seat,)
    assert view(has.game).owing == (away.seat,)
    said = len([data for data in voter.sent if said_by(data) == voter.seat])
    table.connect(has.seat, lost)
    play_until_due(table, voter)
    pass_time(table, 10)
    assert len([data for data in voter.sent if said_by(data) == voter.seat]) == said
    for seat in (has.seat, voter.seat, lost):
        table.connect(seat, away.seat)
    table.connect(lost, voter.seat)
    table.deliver()
    pass_time(table, 15)
    assert view(voter.game).owing == ()
    assert {peer.game.round.dropped for peer in table.peers} == {()}
    assert all(peer.blamed is None for peer in table.peers)
    play_on(table, -1)
    assert {view(peer.game).stage for peer in table.peers} == {Stage.OVER}


def play_until_due(table: Table, awaited: Peer) -> None:
    """Let the others play until the game waits for one of them."""
    for _ in range(50):
        table.deliver()
        peer = next((p for p in table.peers if p is not awaited and asks_player(p.game)), None)
        if peer is None or awaited.seat in peer.game.round.chain.awaited:
            return
        table.play(peer.seat, table.bot_move(peer))


def test_who_waits_for_a_promise_is_told_whose_and_can_save() -> None:
    table, _, _, voter, away = four_with_one_late()
    pass_time(table, WAIT_S + 5)
    offered = [offer for offer in voter.told(Offered) if offer.seat == away.seat]
    assert {(o.vote, o.claim, o.promise) for o in offered} == {(False, False, True)}
    for wish in (VoteOut(seat=away.seat), Claim()):
        table.give(voter.seat, wish)
        assert voter.told(Refused)[-1].reason in ("refused.no_vote", "refused.no_claim")
    table.give(voter.seat, Play(move=Resign()))
    assert voter.game.resigning or voter.told(Refused)[-1].reason == "refused.promises"
    table.give(voter.seat, SaveAndStop())
    assert voter.told(Halted)[-1].seat == away.seat


def test_a_late_acceptance_survives_a_crash() -> None:
    table, _, _, voter, away = four_with_one_late()
    again = reborn(table, voter.seat)
    assert view(again.game).owing == (away.seat,)
    assert again.game.ballots == voter.game.ballots
    assert again.game.round.chain.step == voter.game.round.chain.step


def test_a_late_message_on_the_disk_without_a_promise_is_not_accepted_after_a_crash() -> None:
    """The crash came between the two records: nothing was signed that relies on the message."""
    table, lost, has, voter, _ = four_with_one_late()
    disk = disk_of(voter)
    kept = disk.secret_records
    cut = next(r.offset for r in kept if r.kind == "signed" and promises(r.data))
    logged = next(r.offset for r in disk.log_records if r.kind == "aside" and promises(r.data))
    again = reborn(table, voter.seat, Disk(log=disk.log[:logged], secrets=disk.secrets[:cut]))
    head = again.game.round.chain.step.head
    assert again.game.ballots[head].voters(lost) == (voter.seat,)
    assert lost in again.game.round.chain.awaited
    table.connect(has.seat, voter.seat)
    table.deliver()
    pass_time(table, 5)
    assert again.game.round.chain.step.head == has.game.round.chain.step.head


def promises(raw: bytes) -> bool:
    return read_aside(raw).kind == PROMISE_KIND


def test_who_missed_the_end_after_its_vote_gets_the_promise_it_needs() -> None:
    table = at("guess")
    lost = in_turn(table)
    one, other = (table.peers[(lost + nth) % 3] for nth in (1, 2))
    for seat in (lost, one.seat):
        table.disconnect(seat, other.seat)
    pass_time(table, WAIT_S + 5)
    table.give(other.seat, VoteOut(seat=lost))
    faces, _ = own_faces(one.game)
    slot, tile = next(
        (slot, tile)
        for slot, (tile, piece) in enumerate(
            zip(faces, one.game.round.board.rows[one.seat], strict=True), 1
        )
        if piece.standing
    )
    call = Call(colour=tile.colour, number=tile.number)
    for seat, move in (
        (lost, Guess(seat=one.seat, slot=slot, call=call)),
        (lost, Resign()),
        (one.seat, Resign()),
    ):
        table.play(seat, move)
        table.deliver()
    pass_time(table, WAIT_S + 5)
    assert view(one.game).stage is Stage.OVER
    table.connect(one.seat, other.seat)
    table.deliver()
    pass_time(table, 15)
    assert view(other.game).stage is Stage.OVER
    assert verify_log(other.log_bytes).winners == (other.seat,)


def test_a_vote_that_comes_before_its_step_counts_once_the_step_begins() -> None:
    table = at("guess")
    asking = table.peers[in_turn(table)]
    guess = table.bot_move(asking)
    assert isinstance(guess, Guess)
    step = asking.game.round.chain.step.number
    asked = table.peers[guess.seat]
    (other,) = (peer for peer in table.peers if peer not in (asking, asked))
    table.tamper = lambda _from, to, data: None if to == other.seat else data
    table.play(asking.seat, guess)
    table.deliver()
    later = asked.game.round.head_before(step + 1)
    vote = signed(table, asking.seat, DROP_KIND, asked.seat, head=later)
    table.give(other.seat, Received(seat=asking.seat, data=vote))
    assert other.told(Voted) == []
    (said,) = asking.game.round.transcript[step]
    missed = wire.write(wire.Chained(raw=said.encode()))
    table.give(other.seat, Received(seat=asking.seat, data=missed))
    assert [voted.by for voted in other.told(Voted)] == [asking.seat]
    assert other.game.ahead == ()


def test_of_votes_at_unknown_heads_only_so_many_are_kept_of_a_sender() -> None:
    table = at("guess")
    other = table.peers[0]
    for number in range(AHEAD_MAX + 1):
        vote = signed(table, 1, DROP_KIND, 2, head=bytes([number]) * 32)
        for sender in (1, 2, 2):
            table.give(0, Received(seat=sender, data=vote))
    assert [sum(who == sender for who, _ in other.game.ahead) for sender in (1, 2)] == [
        AHEAD_MAX
    ] * 2
    assert len(set(other.game.ahead)) == 2 * AHEAD_MAX


def promised(table: Table) -> set[bytes]:
    """The promises that were signed, as messages."""
    return {
        wire.write(wire.Remark(raw=promise.encode()))
        for peer in table.peers
        for ballot in peer.game.ballots.values()
        for promise in ballot.promises
    }


def test_two_who_promised_do_not_repeat_it_at_each_other_for_ever() -> None:
    table = at("guess", seats=4)
    lost = in_turn(table)
    *heard, other = (seat for seat in range(4) if seat != lost)
    for seat in (lost, *heard):
        table.disconnect(seat, other)
    table.play(lost, table.bot_move(table.peers[lost]))
    table.deliver()
    for seat in heard:
        table.disconnect(lost, seat)
    pass_time(table, WAIT_S + 5)
    table.give(other, VoteOut(seat=lost))
    for seat in heard:
        table.connect(seat, other)
    for _ in range(200):
        if table.mail:
            table.deliver_one()
    assert not table.mail
    assert {promise.by for promise in table.peers[other].told(Promised)} == {*heard, other}


def test_a_promise_survives_a_crash() -> None:
    table, lost, one, other = heard_by_one()
    table.connect(one.seat, other.seat)
    table.deliver()
    pass_time(table, 5)
    again = reborn(table, one.seat)
    table.give(again.seat, VoteOut(seat=lost))
    assert again.told(Refused)[-1].reason == "refused.no_vote"
    assert again.game.ballots == one.game.ballots


def voted_alone() -> tuple[Table, int, Peer, Peer]:
    """Return a table where one has voted about the lost player, and the other has not heard it."""
    table = at("guess")
    lost = in_turn(table)
    first, second = cut_off(table, lost)
    table.disconnect(first.seat, second.seat)
    table.give(first.seat, VoteOut(seat=lost))
    return table, lost, first, second


def test_a_vote_survives_a_crash_and_goes_out_again() -> None:
    table, lost, first, second = voted_alone()
    again = reborn(table, first.seat)
    assert again.game.ballots == first.game.ballots
    table.give(second.seat, VoteOut(seat=lost))
    table.connect(first.seat, second.seat)
    table.deliver()
    pass_time(table, 5)
    assert again.game.round.dropped == second.game.round.dropped == (lost,)


def test_a_vote_survives_the_loss_of_the_end_of_the_log() -> None:
    table, _, first, second = voted_alone()
    disk = disk_of(first)
    records = disk.log_records
    assert records[-1].kind == "aside"
    short = Disk(log=disk.log[: records[-1].offset], secrets=disk.secrets)
    assert reborn(table.fork(seeded("short")), first.seat, short).game.ballots == first.game.ballots
    steps = [record for record in records if record.kind == "envelope"]
    shorter = Disk(log=disk.log[: steps[-6].offset], secrets=disk.secrets)
    again = reborn(table, first.seat, shorter)
    assert again.game.ballots == {}
    table.connect(first.seat, second.seat)
    table.deliver()
    assert again.game.ballots == first.game.ballots


def test_a_promise_and_a_vote_convict_their_signer() -> None:
    table = at("guess")
    lost = in_turn(table)
    liar, honest = cut_off(table, lost)
    digest = bytes(32)
    for kind, body in ((PROMISE_KIND, (lost, digest)), (DROP_KIND, lost)):
        data = signed(table, liar.seat, kind, body)
        table.give(honest.seat, Received(seat=liar.seat, data=data))
    assert honest.blamed is not None
    assert (honest.blamed.seat, honest.blamed.check) == (liar.seat, "drop.contradiction")
    assert honest.blamed.proved
    verdict = verify_log(honest.log_bytes)
    assert verdict.status is Status.VOID
    assert verdict.blamed == (honest.blamed,)


@pytest.mark.parametrize(
    ("kind", "body"),
    [(DROP_KIND, "bo"), (DROP_KIND, 7), (PROMISE_KIND, 1), ("claim", None), ("claim", 1)],
)
def test_what_does_not_count_is_dropped_unlogged(kind: str, body: Value) -> None:
    table = at("guess")
    lost = in_turn(table)
    other, signer = (peer.seat for peer in table.peers if peer.seat != lost)
    records = len(table.peers[other].log.records)
    data = signed(table, signer, kind, body)
    table.give(other, Received(seat=signer, data=data))
    assert len(table.peers[other].log.records) == records
    assert table.peers[other].game.ballots == {}


# --- two are left ----------------------------------------------------------------------------


@pytest.mark.slow
def test_with_two_left_the_other_may_claim_and_the_log_calls_it_so() -> None:
    table = at("guess", seats=2)
    lost = in_turn(table)
    (other,) = cut_off(table, lost)
    (offered,) = other.told(Offered)
    assert (offered.vote, offered.claim) == (False, True)
    table.give(other.seat, Claim())
    (halted,) = other.told(Halted)
    assert (halted.reason, halted.seat) == ("claimed", other.seat)
    verdict = verify_log(other.log_bytes)
    assert (verdict.status, verdict.claimed, verdict.winners) == (
        Status.FINISHED,
        other.seat,
        (),
    )
    assert all(secret is None for secret in other.game.round.opened)


def test_a_claim_does_not_end_the_game_of_the_one_who_is_still_there() -> None:
    table = at("guess", seats=2)
    lost = in_turn(table)
    (other,) = cut_off(table, lost)
    data = signed(table, other.seat, "claim", None)
    table.give(lost, Received(seat=other.seat, data=data))
    assert table.peers[lost].told(Halted) == []


def test_whoever_is_awaited_cannot_claim() -> None:
    table = at("guess", seats=2)
    lost = in_turn(table)
    other = 1 - lost
    data = signed(table, lost, "claim", None)
    table.give(other, Received(seat=lost, data=data))
    assert table.peers[other].told(Halted) == []


def test_saving_says_who_was_silent_or_that_the_player_stopped() -> None:
    table = at("guess")
    lost = in_turn(table)
    first, _ = cut_off(table, lost)
    table.give(first.seat, SaveAndStop())
    (halted,) = first.told(Halted)
    assert (halted.reason, halted.seat) == ("silent", lost)
    table.give(lost, SaveAndStop())
    (own,) = table.peers[lost].told(Halted)
    assert (own.reason, own.seat) == ("saved", lost)
    assert verify_log(first.log_bytes).status is Status.UNFINISHED
