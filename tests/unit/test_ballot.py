"""Votes and promises about a silent seat, one rule at a time."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from protocol.chain import (
    DROP_KIND,
    PROMISE_KIND,
    Ballot,
    Chain,
    accept,
    check_ballot,
    close_without,
    contradiction,
    count,
    dropped,
    may_accept,
    may_vote,
    open_step,
    owes_promise,
)
from protocol.codec import label
from protocol.envelope import Aside
from protocol.errors import Misuse
from tests.support.envelopes import HEAD, SESSION, said, signed
from tests.support.faults import expect_fault

LOST = 2
EMPTY = Ballot(head=HEAD, present=(0, 1, 2, 3))
SAID = said(seat=LOST, kind="shares")
OTHERWISE = said(seat=LOST, kind="shares", body=(1,))


def vote(seat: int, lost: int = LOST) -> Aside:
    return signed(seat, DROP_KIND, lost)


def promise(seat: int, digest: bytes = SAID.digest) -> Aside:
    return signed(seat, PROMISE_KIND, (LOST, digest))


def ballot(*asides: Aside) -> Ballot:
    counted = EMPTY
    for aside in asides:
        check_ballot(counted, aside)
        counted = count(counted, aside)
    return counted


def chain(*, heard: bool = False) -> Chain:
    step = open_step(SESSION, 7, HEAD, {0: ["shares"], LOST: ["shares"], 3: ["shares"]})
    return accept(step, SAID) if heard else step


@pytest.mark.parametrize(
    ("aside", "check"),
    [
        (signed(0, "say", LOST), "drop.kind"),
        (signed(0, DROP_KIND, LOST, head=SESSION), "drop.head"),
        (signed(0, DROP_KIND, LOST, counter=1), "drop.counter"),
        (signed(0, DROP_KIND, "bo"), "drop.shape"),
        (signed(0, DROP_KIND, 16), "drop.shape"),
        (signed(0, PROMISE_KIND, LOST), "drop.shape"),
        (signed(0, PROMISE_KIND, (LOST, b"")), "drop.shape"),
        (signed(0, PROMISE_KIND, ("bo", SAID.digest)), "drop.shape"),
        (signed(LOST, DROP_KIND, LOST), "drop.signer"),
        (signed(4, DROP_KIND, LOST), "drop.signer"),
        (signed(0, DROP_KIND, 4), "drop.signer"),
    ],
)
def test_what_does_not_count_is_named(aside: Aside, check: str) -> None:
    with expect_fault(check):
        check_ballot(EMPTY, aside)


def test_two_players_cannot_vote() -> None:
    two = replace(EMPTY, present=(0, LOST))
    with expect_fault("drop.seats"):
        check_ballot(two, vote(0))
    assert not may_vote(two, chain(), 0, LOST)
    assert dropped(replace(two, votes=(vote(0),))) is None


def test_three_players_can_vote_one_of_them_out() -> None:
    three = replace(EMPTY, present=(0, LOST, 3))
    assert may_vote(three, chain(), 0, LOST)
    for seat in (0, 3):
        check_ballot(three, vote(seat))
        assert dropped(three) is None
        three = count(three, vote(seat))
    assert dropped(three) == LOST


def test_votes_of_another_head_close_no_step() -> None:
    elsewhere = replace(ballot(vote(0), vote(1), vote(3)), head=SESSION)
    with pytest.raises(Misuse):
        close_without(chain().step, elsewhere, LOST)


def test_votes_and_promises_are_counted_once_and_in_seat_order() -> None:
    counted = ballot(vote(3), vote(0), vote(3), promise(1), promise(1))
    assert counted.voters(LOST) == (0, 3)
    assert counted.promised(LOST, SAID.digest) == (1,)
    assert [counted.voted(seat) for seat in range(4)] == [LOST, None, None, LOST]
    assert ballot(vote(0), vote(3), promise(1)) == counted


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (vote(0), vote(0, 1)),
        (vote(0), promise(0)),
        (promise(0), vote(0)),
        (promise(0), promise(0, OTHERWISE.digest)),
    ],
)
def test_what_no_honest_seat_signs_together_contradicts(first: Aside, second: Aside) -> None:
    counted = ballot(first)
    assert contradiction(counted, second) == first
    with expect_fault("drop.contradiction"):
        count(counted, second)


def test_a_vote_about_one_seat_and_a_promise_about_another_do_not_contradict() -> None:
    assert contradiction(ballot(promise(0)), vote(0, 1)) is None
    assert contradiction(ballot(vote(0)), vote(1)) is None


def test_one_votes_once_about_somebody_else_who_is_awaited() -> None:
    assert may_vote(EMPTY, chain(), 0, LOST)
    assert not may_vote(EMPTY, chain(), LOST, LOST)
    assert not may_vote(EMPTY, chain(), 4, LOST)
    assert not may_vote(EMPTY, chain(), 0, 1)
    assert not may_vote(EMPTY, chain(heard=True), 0, LOST)
    assert not may_vote(ballot(vote(0, 3)), chain(), 0, LOST)
    assert not may_vote(ballot(promise(0)), chain(), 0, LOST)
    assert not may_vote(replace(EMPTY, present=(0, 1, 3)), chain(), 0, LOST)


def test_whoever_voted_takes_the_late_message_only_if_another_voter_stands_by_it() -> None:
    assert may_accept(EMPTY, 0, SAID)
    assert may_accept(ballot(vote(0, 1)), 0, SAID)
    assert not may_accept(ballot(vote(0)), 0, SAID)
    assert may_accept(ballot(vote(0), promise(1)), 0, SAID)
    assert not may_accept(ballot(vote(0), promise(1)), 0, OTHERWISE)


def test_a_promise_is_owed_once_to_those_who_voted_against_what_was_accepted() -> None:
    accepted = {LOST: SAID}
    assert owes_promise(ballot(vote(0)), 1, accepted) == (LOST,)
    assert owes_promise(ballot(vote(0)), 1, {}) == ()
    assert owes_promise(EMPTY, 1, accepted) == ()
    assert owes_promise(ballot(vote(0), promise(1)), 1, accepted) == ()
    assert owes_promise(ballot(vote(0)), 0, accepted) == ()
    assert owes_promise(ballot(vote(0)), LOST, accepted) == ()


def test_all_others_present_must_sign() -> None:
    assert dropped(ballot(vote(0), vote(1))) is None
    assert dropped(ballot(vote(0), vote(1), vote(3))) == LOST


def test_the_head_after_a_drop_hashes_the_votes() -> None:
    voted = ballot(vote(0), vote(1), vote(3))
    said_so = b"".join(bytes([v.seat]) + hashlib.sha256(v.data).digest() for v in voted.votes)
    number = (7).to_bytes(8, "little")
    expected = hashlib.sha256(label("drop") + HEAD + number + bytes([LOST]) + said_so).digest()
    assert close_without(chain().step, voted, LOST) == expected


def test_closing_without_all_votes_is_misuse() -> None:
    with pytest.raises(Misuse):
        close_without(chain().step, ballot(vote(0), vote(1)), LOST)
    with pytest.raises(Misuse):
        close_without(replace(chain().step, head=SESSION), ballot(vote(0)), LOST)
