"""Cheats with silence: claiming against the living, voting in bad faith, and taking it back."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from p2p_davinci.rules.moves import Draw, Dropped, Move
from p2p_davinci.session import wire
from p2p_davinci.session.audit import Status
from p2p_davinci.session.events import (
    Claim,
    Halted,
    KeepWaiting,
    Offered,
    Promised,
    Received,
    Refused,
    Stage,
    Voted,
    VoteOut,
)
from p2p_davinci.session.game import view
from p2p_davinci.session.work import WAIT_S
from protocol import DROP_KIND, PROMISE_KIND, Value, seal_aside
from tests.support.cheating import verdict_of
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import finish, payload_in, recording
from tests.support.table import Table, seeded

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")


@functools.cache
def stage(seats: int, *moves: Move) -> Table:
    hands = HANDS[:seats]
    return record_dealt(dealt_table(hands, "b6"), hands, "b6", moves).end


def after(*moves: Move, seats: int = 3) -> Table:
    """The table after these moves; seat 0 begins."""
    return stage(seats, *moves).fork(seeded("silence"))


def signed(
    table: Table, by: int, kind: str, body: Value, *, head: bytes | None = None, counter: int = 0
) -> bytes:
    """Return a vote, promise or claim by a seat, as it is sent."""
    chain = table.peers[by].game.round.chain
    aside = seal_aside(
        session=chain.session,
        seat=by,
        counter=counter,
        head=chain.step.head if head is None else head,
        kind=kind,
        body=body,
        signer=table.who[by],
    )
    return wire.write(wire.Remark(raw=aside.encode()))


def say(table: Table, by: int, to: int, data: bytes) -> None:
    table.give(to, Received(seat=by, data=data))


def silence(table: Table, seat: int) -> None:
    """Cut a seat off from everybody, for as long as one waits."""
    for other in range(len(table.peers)):
        if other != seat:
            table.disconnect(seat, other)
    table.wait(int(WAIT_S))


# --- claims ----------------------------------------------------------------------------------


def test_the_last_one_still_there_may_claim_the_game() -> None:
    table = after(seats=2)
    silence(table, 0)
    assert [(o.vote, o.claim) for o in table.peers[1].told(Offered)] == [(False, True)]
    table.give(1, Claim())
    assert table.peers[1].game.stopped == Halted(reason="claimed", seat=1)
    verdict = verdict_of(table.peers[1].log_bytes)
    assert (verdict.status, verdict.claimed, verdict.winners) == (Status.FINISHED, 1, ())


def test_a_claim_against_a_seat_that_is_there_ends_nothing() -> None:
    table = after(seats=2)
    say(table, 1, 0, signed(table, 1, "claim", None))
    assert table.peers[0].game.stopped is None
    table.play(0, Draw(deck=0))
    assert table.peers[0].told(Refused) == []
    verdict = verdict_of(table.peers[0].log_bytes)
    assert (verdict.status, verdict.claimed) == (Status.UNFINISHED, None)


def test_who_is_out_believes_a_claim_only_after_the_wait() -> None:
    hits = [guess(f"2.{slot}", tile) for slot, tile in enumerate(HANDS[1].split(), 1)]
    table = after(Draw(deck=0), *hits)
    table.disconnect(0, 1)
    table.wait(10)
    say(table, 2, 1, signed(table, 2, "claim", None))
    assert table.peers[1].game.stopped is None
    table.wait(int(WAIT_S))
    say(table, 2, 1, signed(table, 2, "claim", None))
    assert table.peers[1].game.stopped == Halted(reason="claimed", seat=2)


def test_nobody_is_offered_a_claim_while_the_other_only_thinks() -> None:
    table = after(seats=2)
    table.wait(2 * int(WAIT_S))
    assert table.peers[1].told(Offered) == []
    table.give(1, Claim())
    assert table.peers[1].told(Refused) == [Refused(reason="refused.no_claim")]
    assert table.peers[1].game.stopped is None


# --- votes -----------------------------------------------------------------------------------


def test_all_others_together_go_on_without_a_silent_seat() -> None:
    table = after()
    silence(table, 0)
    for seat in (1, 2):
        assert [(o.seat, o.vote, o.claim) for o in table.peers[seat].told(Offered)] == [
            (0, True, False)
        ]
    table.give(1, VoteOut(seat=0))
    table.deliver()
    assert view(table.peers[1].game).dropped == ()
    table.give(2, VoteOut(seat=0))
    table.deliver()
    votes = [(v.by, v.seat, v.missing) for v in table.peers[1].told(Voted)]
    assert votes == [(1, 0, (2,)), (2, 0, ())]
    finish_without(table, 0)
    for seat in (1, 2):
        shown = view(table.peers[seat].game)
        assert (shown.stage, shown.dropped) == (Stage.OVER, (0,))
        verdict = verdict_of(table.peers[seat].log_bytes)
        assert (verdict.status, verdict.dropped, verdict.check) == (Status.FINISHED, (0,), None)
        assert verdict.winners == shown.winners
        assert verdict.receipts_missing == (0,)


def finish_without(table: Table, seat: int) -> None:
    table.tamper = lambda sender, to, data: None if seat in (sender, to) else data
    finish(table)
    table.wait(6)


def test_a_vote_that_is_heard_again_takes_nothing_back() -> None:
    """As it is whenever somebody asks what it lacks."""
    table = after()
    votes = [signed(table, by, DROP_KIND, 0) for by in (1, 2)]
    silence(table, 0)
    for seat in (1, 2):
        table.give(seat, VoteOut(seat=0))
    table.deliver()
    table.play(1, guess("3.1", "11"))
    table.deliver()
    before = [table.peers[seat].game.round for seat in (1, 2)]
    assert {round_.dropped for round_ in before} == {(0,)}
    assert {round_.board.turn for round_ in before} == {2}
    for by, vote in zip((1, 2), votes, strict=True):
        say(table, by, 3 - by, vote)
    assert [table.peers[seat].game.round for seat in (1, 2)] == before


@pytest.mark.parametrize(("further", "dropped"), [(False, (0,)), (True, ())])
def test_votes_take_back_two_steps_and_never_more(further: bool, dropped: tuple[int, ...]) -> None:
    """The draw and its shares were the last two; then the drawer guesses."""
    table = after(Draw(deck=0))
    draw = table.peers[0].game.trail[-2].chain.step
    if further:
        table.play(0, guess("2.1", "11"))
        table.deliver()
    for by in (1, 2):
        say(table, by, 0, signed(table, by, DROP_KIND, 0, head=draw.head))
    assert table.peers[0].game.round.dropped == dropped


def test_somebody_else_who_went_on_vouches_without_a_promise() -> None:
    """The honest twin: the share of seat 2 names a head that contains the draw."""
    table = after()
    table.disconnect(0, 1)
    table.wait(int(WAIT_S))
    table.give(1, VoteOut(seat=0))
    table.mail.clear()
    table.tamper = lambda _from, to, data: None if to == 1 else data
    table.play(0, Draw(deck=0))
    table.deliver()
    draw, share = (last_said(table, seat) for seat in (0, 2))
    say(table, 2, 1, draw)
    assert view(table.peers[1].game).kind == "draw"
    say(table, 2, 1, share)
    assert view(table.peers[1].game).kind == "guess"


def last_said(table: Table, seat: int) -> bytes:
    """The last envelope that a seat has sent."""
    return [data for data in table.peers[seat].sent if payload_in(data) is not None][-1]


def test_who_is_voted_about_cannot_vouch_for_itself() -> None:
    """It may speak twice in a row; its own later message is no word of somebody else."""
    table = after(Draw(deck=0))
    silence(table, 0)
    table.give(1, VoteOut(seat=0))
    now = table.peers[1].game.round.chain
    table.play(0, guess("2.1", "11"))
    said = [data for data in table.peers[0].sent if payload_in(data) is not None][-2:]
    assert [payload.kind for payload in map(payload_in, said) if payload] == ["guess", "place"]
    for data in reversed(said):
        say(table, 0, 1, data)
    for data in said:
        say(table, 0, 1, data)
    assert table.peers[1].game.round.chain == now


@pytest.mark.parametrize("who", [1, 2])
def test_one_vote_alone_drops_nobody(who: int) -> None:
    table = after()
    silence(table, 0)
    table.give(who, VoteOut(seat=0))
    table.deliver()
    table.wait(int(WAIT_S))
    assert all(view(peer.game).dropped == () for peer in table.peers)
    assert all(peer.game.stopped is None for peer in table.peers)


def test_an_early_vote_drops_nobody_who_is_there() -> None:
    table = after()
    say(table, 2, 1, signed(table, 2, DROP_KIND, 0))
    table.give(1, VoteOut(seat=0))
    assert table.peers[1].told(Refused) == [Refused(reason="refused.no_vote")]
    table.play(0, Draw(deck=0))
    table.deliver()
    assert view(table.peers[1].game).kind == "guess"


def test_a_vote_comes_to_nothing_once_the_seat_has_spoken() -> None:
    table = after()
    vote = signed(table, 2, DROP_KIND, 0)
    table.play(0, Draw(deck=0))
    table.deliver()
    say(table, 2, 1, vote)
    table.deliver()
    (promised,) = table.peers[2].told(Promised)[:1]
    assert (promised.by, promised.seat) == (1, 0)
    assert all(view(peer.game).dropped == () for peer in table.peers)
    assert all(peer.blamed is None for peer in table.peers)


def test_who_promises_shows_at_once_what_it_stands_by() -> None:
    table = after()
    table.disconnect(0, 2)
    table.play(0, Draw(deck=0))
    table.deliver()
    assert [view(peer.game).kind for peer in table.peers[1:]] == ["shares", "draw"]
    say(table, 2, 1, signed(table, 2, DROP_KIND, 0))
    table.deliver()
    assert [view(peer.game).kind for peer in table.peers[1:]] == ["guess", "guess"]


def test_who_waits_is_not_asked_again_at_once() -> None:
    table = after()
    silence(table, 0)
    table.give(1, KeepWaiting())
    table.wait(int(WAIT_S) - 1)
    assert len(table.peers[1].told(Offered)) == 1
    table.wait(1)
    assert len(table.peers[1].told(Offered)) == 2


# --- in bad faith ----------------------------------------------------------------------------


def both(table: Table) -> tuple[bytes, bytes]:
    """To vote somebody out, and to stand by what he said."""
    return signed(table, 2, DROP_KIND, 0), signed(table, 2, PROMISE_KIND, (0, bytes(32)))


def two_promises(table: Table) -> tuple[bytes, bytes]:
    """To stand by two different messages of one seat."""
    one = signed(table, 2, PROMISE_KIND, (0, bytes(32)))
    return one, signed(table, 2, PROMISE_KIND, (0, b"\x01" * 32))


@pytest.mark.parametrize("lies", [both, two_promises])
@pytest.mark.parametrize("first", [0, 1])
def test_signing_what_excludes_itself_is_proof(
    lies: Callable[[Table], tuple[bytes, bytes]], first: int
) -> None:
    table = after()
    pair = lies(table)
    for data in (pair[first], pair[1 - first]):
        say(table, 2, 1, data)
    table.deliver()
    for seat in (0, 1):
        blamed = table.peers[seat].blamed
        assert blamed is not None
        assert (blamed.seat, blamed.check, blamed.proved) == (2, "drop.contradiction", True)
        verdict = verdict_of(table.peers[seat].log_bytes)
        assert (verdict.status, verdict.blamed) == (Status.VOID, blamed)


def test_a_vote_said_twice_is_no_contradiction() -> None:
    table = after()
    for _ in range(2):
        say(table, 2, 1, signed(table, 2, DROP_KIND, 0))
    assert table.peers[1].blamed is None
    assert len(table.peers[1].told(Voted)) == 1


@pytest.mark.parametrize(
    ("by", "kind", "body", "counter"),
    [
        (2, DROP_KIND, 2, 0),
        (2, DROP_KIND, 1, 0),
        (2, DROP_KIND, 7, 0),
        (2, DROP_KIND, None, 0),
        (2, DROP_KIND, 0, 1),
        (0, DROP_KIND, 0, 0),
        (2, PROMISE_KIND, 0, 0),
        (2, PROMISE_KIND, (0, b""), 0),
        (2, "claim", None, 0),
        (2, "claim", 0, 0),
    ],
)
def test_a_vote_that_does_not_count_leaves_no_trace(
    by: int, kind: str, body: Value, counter: int
) -> None:
    table = after()
    before = table.peers[1].game
    records = len(table.peers[1].log.records)
    say(table, by, 1, signed(table, by, kind, body, counter=counter))
    game = table.peers[1].game
    assert (game.ballots, game.stopped, game.round) == (before.ballots, None, before.round)
    assert len(table.peers[1].log.records) == records


def test_a_vote_at_a_head_that_never_was_leaves_no_trace() -> None:
    table = after()
    say(table, 2, 1, signed(table, 2, DROP_KIND, 0, head=bytes(32)))
    assert table.peers[1].game.ballots == {}


@pytest.mark.parametrize("kind", [DROP_KIND, "claim"])
def test_before_the_deal_is_complete_there_is_nothing_to_vote_about(kind: str) -> None:
    table = recording("standard").find("shuffle", seat=0).table.fork(seeded("silence"))
    before = table.peers[1].game
    say(table, 2, 1, signed(table, 2, kind, 0 if kind == DROP_KIND else None))
    game = table.peers[1].game
    assert (game.ballots, game.stopped, game.round) == ({}, None, before.round)


def test_who_is_out_has_no_vote() -> None:
    hits = [guess(f"2.{slot}", tile) for slot, tile in enumerate(HANDS[1].split(), 1)]
    table = after(Draw(deck=0), *hits)
    say(table, 1, 2, signed(table, 1, DROP_KIND, 0))
    assert table.peers[2].game.ballots == {}
    silence(table, 0)
    assert [(o.vote, o.claim) for o in table.peers[2].told(Offered)] == [(False, True)]


def test_a_dropped_seat_that_comes_back_is_not_heard() -> None:
    table = after()
    silence(table, 0)
    table.play(0, Draw(deck=0))
    for seat in (1, 2):
        table.give(seat, VoteOut(seat=0))
        table.deliver()
    for other in (1, 2):
        table.connect(0, other)
    table.deliver()
    table.wait(15)
    for seat in (1, 2):
        peer = table.peers[seat]
        assert (peer.blamed, peer.game.stopped) == (None, None)
        assert Dropped(seat=0) in [fact for _, fact in peer.game.round.board.history]
    assert view(table.peers[1].game).board is not None
