"""Cheats with silence: claiming against the living, voting in bad faith, and taking it back."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

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
from protocol import (
    DROP_KIND,
    PROMISE_KIND,
    Payload,
    Value,
    backs,
    encode_record,
    read_envelope,
    seal,
    seal_aside,
)
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
    table: Table,
    by: int,
    kind: str,
    body: Value,
    *,
    head: bytes | None = None,
    counter: int = 0,
    backing: tuple[bytes, ...] = (),
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
        backing=backing,
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


def test_a_late_vote_at_the_head_of_a_drop_takes_nothing_back() -> None:
    """Who was dropped had voted about another, as it heard nobody."""
    table = four().fork(seeded("late vote"))
    silence(table, 1)
    table.play(0, Draw(deck=0))
    table.tamper = lambda sender, _to, data: None if sender == 1 else data
    table.deliver()
    vote = signed(table, 1, DROP_KIND, 2, head=table.peers[0].game.round.chain.step.head)
    table.wait(int(WAIT_S))
    for seat in (0, 2, 3):
        table.give(seat, VoteOut(seat=1))
        table.deliver()
    table.play(0, guess("3.1", "11"))
    table.deliver()
    before = table.peers[0].game.round
    assert before.dropped == (1,)
    say(table, 1, 0, vote)
    assert table.peers[0].told(Voted)[-1].by == 1
    assert table.peers[0].game.round == before
    assert verdict_of(table.peers[0].log_bytes).head == before.chain.step.head


def drawn_and_voted_out(*, answered: bool) -> tuple[Table, bytes]:
    """Return a table where seat 0 drew and, if the others answered, has heard them do so.

    Then it hears both others vote about it at the head before its draw.
    """
    table = after()
    head = table.peers[0].game.round.chain.step.head
    if not answered:
        table.tamper = lambda sender, to, data: None if (sender, to) != (0, 0) else data
    table.play(0, Draw(deck=0))
    table.deliver()
    table.tamper = lambda _from, _to, data: data
    for by in (1, 2):
        say(table, by, 0, signed(table, by, DROP_KIND, 0, head=head))
    return table, head


def test_a_seat_that_all_others_dropped_follows_whatever_it_said_meanwhile() -> None:
    table, _ = drawn_and_voted_out(answered=False)
    assert table.peers[0].game.round.dropped == (0,)
    assert table.peers[0].blamed is None


def test_a_seat_that_was_answered_after_its_message_stops_with_proof_instead() -> None:
    table, _ = drawn_and_voted_out(answered=True)
    blamed = table.peers[0].blamed
    assert blamed is not None
    assert (blamed.seat, blamed.check, blamed.proved) == (1, "drop.contradiction", True)
    verdict = verdict_of(table.peers[0].log_bytes)
    assert (verdict.status, verdict.blamed) == (Status.VOID, (blamed,))


def test_a_later_message_of_another_is_no_promise() -> None:
    table = after()
    table.disconnect(0, 1)
    table.wait(int(WAIT_S))
    table.give(1, VoteOut(seat=0))
    table.mail.clear()
    table.tamper = lambda _from, to, data: None if to == 1 else data
    table.play(0, Draw(deck=0))
    table.deliver()
    draw, share = (last_said(table, seat) for seat in (0, 2))
    for data in (draw, share):
        say(table, 2, 1, data)
    assert view(table.peers[1].game).kind == "draw"
    say(table, 2, 1, signed(table, 2, PROMISE_KIND, (0, digest_in(draw)), head=head_in(draw)))
    assert view(table.peers[1].game).kind == "guess"


def head_in(data: bytes) -> bytes:
    payload = payload_in(data)
    assert payload is not None
    return payload.head


def digest_in(data: bytes) -> bytes:
    message = wire.read(data)
    assert isinstance(message, wire.Chained)
    return read_envelope(message.raw).digest


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
    table.tamper = lambda _from, to, data: None if to == 2 else data
    table.play(0, Draw(deck=0))
    table.deliver()
    table.tamper = lambda _from, _to, data: data
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


# --- late messages -------------------------------------------------------------------------

FOUR = ("b0 b3 w5", "b1 b2 w6", "w0 w1 b4", "b5 b7 w9")


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """Four seats: 0 is to draw and is thought silent, 1 has voted about it, 3 has and lies."""

    table: Table
    head: bytes
    draw: bytes

    def promise(self, by: int, *, backing: tuple[bytes, ...] = ()) -> bytes:
        body = (0, digest_in(self.draw))
        return signed(self.table, by, PROMISE_KIND, body, head=self.head, backing=backing)

    def vote(self, by: int, *, backing: tuple[bytes, ...] = ()) -> bytes:
        return signed(self.table, by, DROP_KIND, 0, head=self.head, backing=backing)


def late() -> Late:
    """Seat 1 has voted, and the draw has reached 3 only."""
    table = four().fork(seeded("late"))
    head = table.peers[0].game.round.chain.step.head
    table.tamper = lambda _from, _to, _data: None
    for other in (1, 2, 3):
        table.disconnect(0, other)
    table.wait(int(WAIT_S))
    table.give(1, VoteOut(seat=0))
    table.deliver()
    table.play(0, Draw(deck=0))
    draw = last_said(table, 0)
    table.mail.clear()
    return Late(table=table, head=head, draw=draw)


@functools.cache
def four() -> Table:
    return record_dealt(dealt_table(FOUR, "b6"), FOUR, "b6", ()).end


def test_nobody_is_convicted_and_no_tile_seen_by_a_promise_that_is_taken_back() -> None:
    """The liar promises to one who has voted, waits for its next words, and votes all the same."""
    case = late()
    table = case.table
    say(table, 3, 1, case.draw)
    say(table, 3, 1, case.promise(3))
    honest = table.peers[1]
    assert view(honest.game).kind == "shares"
    said = [payload for payload in map(payload_in, honest.sent) if payload is not None]
    assert {payload.head for payload in said if payload.step > 7} <= {case.head}
    assert view(honest.game).owing == (2,)
    say(table, 3, 1, case.vote(3))
    blamed = honest.blamed
    assert blamed is not None
    assert (blamed.seat, blamed.check, blamed.proved) == (3, "drop.contradiction", True)
    verdict = verdict_of(honest.log_bytes)
    assert (verdict.status, verdict.blamed) == (Status.VOID, (blamed,))


def test_the_words_of_who_accepted_late_convict_the_one_whose_promise_they_hold() -> None:
    """Another honest seat, which follows the votes, sees it as soon as it hears one of them."""
    case = late()
    table = case.table
    say(table, 3, 1, case.draw)
    say(table, 3, 1, case.promise(3))
    (mine,) = (p for p in table.peers[1].game.ballots[case.head].promises if p.seat == 1)
    assert backs(mine, case.head, 0) is not None
    table.give(2, VoteOut(seat=0))
    for by in (1, 3):
        say(table, by, 2, case.vote(by))
    assert table.peers[2].game.round.dropped == (0,)
    say(table, 1, 2, wire.write(wire.Remark(raw=mine.encode())))
    blamed = table.peers[2].blamed
    assert blamed is not None
    assert (blamed.seat, blamed.check, blamed.proved) == (3, "drop.contradiction", True)
    assert verdict_of(table.peers[2].log_bytes).status is Status.VOID


@pytest.mark.parametrize("first", ["vote", "share"])
def test_to_vote_and_to_play_on_convicts(first: str) -> None:
    table = after()
    head = table.peers[0].game.round.chain.step.head
    vote = signed(table, 2, DROP_KIND, 0)
    if first == "vote":
        table.tamper = lambda sender, _to, data: None if sender == 2 else data
    table.play(0, Draw(deck=0))
    table.deliver()
    table.tamper = lambda _from, _to, data: data
    say(table, 2, 1, vote)
    if first == "vote":
        assert table.peers[1].blamed is None, "a vote that merely comes late"
        say(table, 2, 1, last_said(table, 2))
    blamed = table.peers[1].blamed
    assert blamed is not None
    assert (blamed.seat, blamed.check, blamed.proved) == (2, "drop.contradiction", True)
    assert table.peers[1].game.round.head_before(blamed.step) == head
    verdict = verdict_of(table.peers[1].log_bytes)
    assert (verdict.status, verdict.blamed) == (Status.VOID, (blamed,))


def backed_by(case: Late, *, how: str) -> tuple[bytes, ...]:
    """Return backings that are none."""
    table = case.table
    promise = case.promise(3)
    other = signed(table, 3, PROMISE_KIND, (0, bytes(32)), head=case.head)
    forged = bytearray(raw_of(promise))
    forged[-1] ^= 1
    return {
        "nothing": (b"",),
        "vote": (raw_of(case.vote(3)),),
        "own": (raw_of(case.promise(1)),),
        "other payload": (raw_of(other),),
        "unsigned": (bytes(forged),),
        "not required": (raw_of(case.promise(0)),),
        "backed": (raw_of(case.promise(3, backing=(raw_of(case.promise(2)),))),),
        "elsewhere": (raw_of(signed(table, 3, PROMISE_KIND, (0, bytes(32)), head=bytes(32))),),
    }[how]


def raw_of(data: bytes) -> bytes:
    message = wire.read(data)
    assert isinstance(message, wire.Chained | wire.Remark)
    return message.raw


BAD_BACKING = [
    "nothing",
    "vote",
    "own",
    "other payload",
    "unsigned",
    "not required",
    "backed",
    "elsewhere",
]


@pytest.mark.parametrize("how", BAD_BACKING)
def test_an_envelope_with_a_backing_that_is_none_convicts(how: str) -> None:
    case = late()
    table = case.table
    say(table, 3, 2, case.draw)
    assert view(table.peers[2].game).kind == "shares"
    table.tamper = lambda _from, _to, data: data
    say(table, 3, 1, case.draw)
    now = table.peers[2].game.round.chain
    share = Payload(
        session=now.session,
        seat=1,
        step=now.step.number,
        head=now.step.head,
        kind="shares",
        body=((), ()),
        backing=backed_by(case, how=how),
    )
    data = wire.write(wire.Chained(raw=seal(share, table.who[1]).encode()))
    say(table, 1, 2, data)
    blamed = table.peers[2].blamed
    assert blamed is not None
    assert (blamed.seat, blamed.check, blamed.proved) == (1, "drop.backing", True)


@pytest.mark.parametrize("how", BAD_BACKING)
def test_a_promise_with_a_backing_that_is_none_does_not_count(how: str) -> None:
    """Promises that it holds count for themselves, as if they had come alone."""
    case = late()
    data = case.promise(1, backing=backed_by(case, how=how))
    say(case.table, 1, 2, data)
    game = case.table.peers[2].game
    counted = {p.encode() for ballot in game.ballots.values() for p in ballot.promises}
    assert raw_of(data) not in counted
    assert game.stopped is None


@pytest.mark.parametrize("items", [1, 2])
def test_an_aside_is_not_taken_in_for_what_its_backing_brings(items: int) -> None:
    """A promise holds one promise at most; with two of them only these count."""
    case = late()
    backing = (raw_of(case.promise(2)),) * items
    record = encode_record("aside", raw_of(case.promise(1, backing=backing)))
    verdict = verdict_of(case.table.peers[1].log_bytes + record)
    expected = (Status.UNFINISHED, None) if items == 1 else (Status.INVALID, "log.aside")
    assert (verdict.status, verdict.check) == expected


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
        assert (verdict.status, verdict.blamed) == (Status.VOID, (blamed,))


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
