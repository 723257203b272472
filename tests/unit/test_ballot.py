"""Votes and promises about a silent seat, one rule at a time."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from protocol.ballot import (
    CLAIM_KIND,
    DROP_KIND,
    PROMISE_KIND,
    Ballot,
    backing_of,
    backs,
    check_ballot,
    close_without,
    contradiction,
    contradicts,
    count,
    digest_of,
    dropped,
    is_plain,
    late_backing,
    lost_of,
    may_accept,
    may_vote,
    owes_promise,
    read_signed,
    unreleased,
)
from protocol.chain import Chain, accept, open_step
from protocol.codec import label
from protocol.envelope import Aside, Signed
from protocol.errors import Misuse
from tests.support.envelopes import HEAD, SESSION, said, signed
from tests.support.faults import expect_fault

LOST = 2
LATER = hashlib.sha256(b"later").digest()
EMPTY = Ballot(head=HEAD, present=(0, 1, 2, 3), droppable=(0, 2, 3))
SAID = said(seat=LOST, kind="shares")
OTHERWISE = said(seat=LOST, kind="shares", body=(1,))


def vote(
    seat: int, lost: int = LOST, *, head: bytes = HEAD, backing: tuple[Aside, ...] = ()
) -> Aside:
    return signed(seat, DROP_KIND, lost, head=head, backing=backing)


def promise(
    seat: int, digest: bytes = SAID.digest, *, lost: int = LOST, backing: tuple[Aside, ...] = ()
) -> Aside:
    return signed(seat, PROMISE_KIND, (lost, digest), backing=backing)


def late(seat: int, other: int) -> Aside:
    """A promise after a vote, backed by another's."""
    return promise(seat, backing=(promise(other),))


def ballot(*asides: Aside) -> Ballot:
    counted = EMPTY
    for aside in asides:
        check_ballot(counted, aside)
        counted = count(counted, aside)
    return counted


def chain(*, heard: bool = False) -> Chain:
    step = open_step(SESSION, 7, HEAD, {0: ["shares"], LOST: ["shares"], 3: ["shares"]})
    return accept(step, SAID) if heard else step


# --- what counts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("aside", "check"),
    [
        (signed(0, "say", LOST), "drop.kind"),
        (signed(0, CLAIM_KIND, None), "drop.kind"),
        (signed(0, DROP_KIND, LOST, head=SESSION), "drop.head"),
        (signed(0, DROP_KIND, LOST, counter=1), "drop.counter"),
        (signed(0, DROP_KIND, "bo"), "drop.shape"),
        (signed(0, DROP_KIND, 16), "drop.shape"),
        (signed(0, PROMISE_KIND, LOST), "drop.shape"),
        (signed(0, PROMISE_KIND, (LOST, b"")), "drop.shape"),
        (signed(0, PROMISE_KIND, (LOST, bytes(32), None)), "drop.shape"),
        (signed(0, PROMISE_KIND, (16, bytes(32))), "drop.shape"),
        (signed(0, PROMISE_KIND, ("bo", SAID.digest)), "drop.shape"),
        (signed(0, DROP_KIND, 1), "drop.seats"),
        (signed(0, PROMISE_KIND, (1, SAID.digest)), "drop.seats"),
        (signed(LOST, DROP_KIND, LOST), "drop.signer"),
        (signed(4, DROP_KIND, LOST), "drop.signer"),
        (signed(4, PROMISE_KIND, (LOST, SAID.digest)), "drop.signer"),
    ],
)
def test_what_does_not_count_is_named(aside: Aside, check: str) -> None:
    with expect_fault(check):
        check_ballot(EMPTY, aside)


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"kind": "say", "head": SESSION, "counter": 1, "body": None}, "drop.kind"),
        ({"head": SESSION, "counter": 1, "body": None}, "drop.head"),
        ({"counter": 1, "body": None}, "drop.counter"),
        ({"body": None, "seat": 4}, "drop.shape"),
        ({"body": 1, "seat": 1}, "drop.seats"),
    ],
)
def test_of_two_things_that_are_wrong_the_first_is_named(
    changes: dict[str, str], check: str
) -> None:
    with expect_fault(check):
        check_ballot(EMPTY, replace(vote(0), **changes))  # type: ignore[arg-type]


def test_what_a_ballot_is_about_is_read_from_its_body() -> None:
    assert lost_of(vote(0)) == lost_of(promise(0)) == LOST
    assert digest_of(promise(0)) == SAID.digest
    with expect_fault("drop.shape"):
        digest_of(signed(0, PROMISE_KIND, LOST))
    with expect_fault("drop.shape"):
        digest_of(signed(0, PROMISE_KIND, (LOST, b"")))


def test_votes_and_promises_are_counted_once_and_in_seat_order() -> None:
    counted = ballot(vote(3), vote(0), vote(3), promise(1), promise(1))
    assert counted.voters(LOST) == (0, 3)
    assert counted.voters(0) == ()
    assert counted.promised(LOST, SAID.digest) == (1,)
    assert counted.promised(LOST, OTHERWISE.digest) == ()
    assert [counted.voted(seat) for seat in range(4)] == [LOST, None, None, LOST]
    assert counted.promise(1, LOST) == promise(1)
    assert counted.promise(1, 0) is None
    assert ballot(vote(0), vote(3), promise(1)) == counted


def test_of_two_votes_of_a_seat_about_another_one_counts() -> None:
    assert ballot(vote(0), vote(0)).votes == (vote(0),)


def test_of_promises_about_one_payload_one_plain_and_one_backed_count() -> None:
    """A liar may make both; each of them can be what shows it."""
    both = ballot(promise(0), late(0, 1), late(0, 3), promise(0))
    assert both.promises == (promise(0), late(0, 1))
    assert both.promised(LOST, SAID.digest) == (0,)
    assert ballot(late(0, 3), late(0, 1)).promises == (late(0, 3),)


def test_promises_about_two_seats_count_side_by_side() -> None:
    assert len(ballot(promise(1), promise(1, lost=0), promise(1, lost=3)).promises) == 3


def test_who_promised_after_its_vote_has_accepted_late() -> None:
    assert ballot(vote(0), promise(1), late(0, 1)).late(0) == (LOST, SAID.digest)
    assert ballot(vote(0), promise(1)).late(0) is None
    assert ballot(vote(0), promise(1)).late(1) is None
    assert ballot(vote(0, 3), promise(0)).late(0) is None


# --- backing ---------------------------------------------------------------------------------


def test_an_envelope_and_a_ballot_are_told_apart_by_kind() -> None:
    for one in (SAID, vote(0), promise(0), signed(0, CLAIM_KIND, None)):
        assert read_signed(one.encode()) == one
    with expect_fault("envelope.shape"):
        read_signed(b"\x90")
    with expect_fault("envelope.backing"):
        read_signed(replace_backing(vote(0)))


def replace_backing(aside: Aside) -> bytes:
    """Return an aside of which the last field is nil instead of an array."""
    return replace(aside, data=aside.data[:-1] + b"\xc0").encode()


def test_the_promises_in_a_backing_are_read() -> None:
    item = promise(1)
    assert backing_of(vote(0)) == ()
    assert backing_of(vote(0, backing=(item,))) == (item,)
    assert backing_of(said(backing=(item.encode(),))) == (item,)


def test_a_backing_with_something_else_in_it_is_refused_and_backs_nothing() -> None:
    vote_in_it = vote(0, backing=(vote(1),))
    with expect_fault("drop.shape"):
        backing_of(vote_in_it)
    with expect_fault("aside.shape"):
        backing_of(said(backing=(b"\x90",)))
    assert backs(vote_in_it, HEAD, LOST) is None
    assert backs(said(backing=(b"\x90",)), HEAD, LOST) is None
    broken = said(backing=(promise(1).encode(), signed(1, PROMISE_KIND, LOST).encode()))
    assert backs(broken, HEAD, 0) is None


def test_a_backing_is_for_one_head_and_one_seat() -> None:
    other = promise(3, lost=0)
    word = said(backing=(other.encode(), promise(1).encode()))
    assert backs(word, HEAD, LOST) == promise(1)
    assert backs(word, HEAD, 0) == other
    assert backs(word, HEAD, 3) is None
    assert backs(word, LATER, LOST) is None


def test_a_promise_is_plain_if_it_relies_on_none() -> None:
    assert is_plain(promise(0))
    assert not is_plain(late(0, 1))


# --- what an honest seat may sign ------------------------------------------------------------


def test_one_votes_once_about_somebody_else_who_is_awaited() -> None:
    assert may_vote(EMPTY, chain(), 0, LOST)
    assert may_vote(ballot(promise(0, lost=3)), chain(), 0, LOST)
    assert not may_vote(EMPTY, chain(), LOST, LOST)
    assert not may_vote(EMPTY, chain(), 4, LOST)
    assert not may_vote(replace(EMPTY, droppable=(0, 3)), chain(), 0, LOST)
    assert not may_vote(replace(EMPTY, droppable=(0, 1)), chain(), 0, 1)
    assert not may_vote(EMPTY, chain(heard=True), 0, LOST)
    assert not may_vote(ballot(vote(0, 3)), chain(), 0, LOST)
    assert not may_vote(ballot(vote(0)), chain(), 0, LOST)
    assert not may_vote(ballot(promise(0)), chain(), 0, LOST)


def accepts(held: Ballot, digest: bytes = SAID.digest) -> bool:
    """Whether seat 0 may accept a message of the lost seat."""
    return may_accept(held, 0, LOST, digest)


def test_who_has_not_voted_about_a_seat_accepts_its_message() -> None:
    assert accepts(EMPTY)
    assert accepts(ballot(vote(0, 3)))
    assert accepts(ballot(vote(1)))


def test_who_voted_accepts_late_only_with_a_plain_promise_of_another() -> None:
    assert not accepts(ballot(vote(0)))
    assert accepts(ballot(vote(0), promise(1)))
    assert not accepts(ballot(vote(0), promise(1)), OTHERWISE.digest)
    assert not accepts(ballot(vote(0), vote(3), late(3, 1)))
    assert not accepts(replace(ballot(vote(0)), promises=(promise(0),)))
    assert accepts(ballot(vote(0), vote(3), late(3, 1), promise(1)))


def test_a_complete_drop_goes_before_a_late_message() -> None:
    """No such ballot is ever counted: seat 1 contradicts itself in it."""
    complete = replace(ballot(vote(0), vote(1), vote(3)), promises=(promise(1),))
    assert late_backing(complete, 0, LOST, SAID.digest) == promise(1)
    assert not accepts(complete)


def test_a_late_acceptance_is_backed_by_the_first_plain_promise() -> None:
    held = ballot(vote(0), late(1, 3), promise(3))
    assert late_backing(held, 0, LOST, SAID.digest) == promise(3)
    assert late_backing(held, 3, LOST, SAID.digest) is None


def test_a_promise_is_owed_once_to_those_who_voted_against_what_was_accepted() -> None:
    accepted = {LOST: SAID}
    assert owes_promise(ballot(vote(0)), 1, accepted) == (LOST,)
    assert owes_promise(ballot(vote(0)), 1, {}) == ()
    assert owes_promise(EMPTY, 1, accepted) == ()
    assert owes_promise(ballot(vote(0), promise(1)), 1, accepted) == ()
    assert owes_promise(ballot(vote(0)), LOST, accepted) == ()
    assert owes_promise(replace(ballot(vote(0)), droppable=(0,)), 1, accepted) == ()
    assert owes_promise(ballot(vote(0), vote(1, 0)), 3, {LOST: SAID, 0: SAID}) == (0, LOST)


def test_who_accepts_late_owes_the_promise_to_its_own_vote() -> None:
    assert owes_promise(ballot(vote(0)), 0, {LOST: SAID}) == (LOST,)
    assert owes_promise(ballot(vote(0), promise(1), late(0, 1)), 0, {LOST: SAID}) == ()


def test_who_accepted_late_awaits_the_promises_of_all_others() -> None:
    held = ballot(vote(0), promise(1), late(0, 1))
    assert unreleased(held, 0) == (3,)
    assert unreleased(count(held, promise(3)), 0) == ()
    assert unreleased(count(held, late(3, 1)), 0) == ()
    assert unreleased(count(held, promise(3, OTHERWISE.digest)), 0) == (3,)
    assert unreleased(held, 1) == ()
    assert unreleased(ballot(vote(0), promise(1)), 0) == ()


# --- contradictions --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (vote(0), vote(0, 3)),
        (vote(0), promise(0)),
        (promise(0), vote(0)),
        (promise(0), promise(0, OTHERWISE.digest)),
        (late(0, 1), promise(0, OTHERWISE.digest)),
    ],
)
def test_what_no_honest_seat_signs_together_contradicts(first: Aside, second: Aside) -> None:
    counted = ballot(first)
    assert contradiction(counted, second) == first
    with expect_fault("drop.contradiction"):
        count(counted, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (promise(0), vote(0, 3)),
        (vote(0), vote(1, 3)),
        (vote(0), vote(0)),
        (vote(0), late(0, 1)),
        (late(0, 1), vote(0)),
        (promise(0), promise(0)),
        (promise(0), late(0, 1)),
        (promise(0), promise(0, lost=3)),
    ],
)
def test_what_an_honest_seat_may_sign_together_does_not(first: Aside, second: Aside) -> None:
    assert contradiction(ballot(first), second) is None


def test_a_claim_at_the_head_of_a_vote_contradicts_nothing() -> None:
    assert not contradicts(vote(0), signed(0, CLAIM_KIND, None), beyond=False)
    assert not contradicts(vote(0), said(seat=0), beyond=False)


def words(*, backing: tuple[Aside, ...]) -> list[Signed]:
    """What seat 0 can sign at a later head that plays on."""
    encoded = tuple(item.encode() for item in backing)
    claim = signed(0, CLAIM_KIND, None, head=LATER, backing=backing)
    return [said(seat=0, step=8, head=LATER, backing=encoded), claim]


def test_a_vote_and_an_envelope_or_claim_beyond_contradict() -> None:
    for word in words(backing=()):
        assert contradicts(vote(0), word, beyond=True)
        assert not contradicts(vote(0), word, beyond=False)
        assert not contradicts(promise(0), word, beyond=True)


def test_a_vote_and_a_later_vote_or_promise_do_not() -> None:
    for kind, body in ((DROP_KIND, 3), (PROMISE_KIND, (3, bytes(32)))):
        assert not contradicts(vote(0), signed(0, kind, body, head=LATER), beyond=True)


def test_a_later_word_that_shows_a_promise_for_the_message_does_not() -> None:
    for word in words(backing=(promise(1),)):
        assert not contradicts(vote(0), word, beyond=True)
    elsewhere = signed(1, PROMISE_KIND, (LOST, SAID.digest), head=SESSION)
    for other in (promise(1, lost=3), elsewhere):
        for word in words(backing=(other,)):
            assert contradicts(vote(0), word, beyond=True)


# --- what follows ----------------------------------------------------------------------------


def test_all_others_present_must_vote() -> None:
    assert dropped(ballot(vote(0), vote(1))) is None
    assert dropped(ballot(vote(0), vote(1), vote(3))) == LOST
    assert dropped(ballot(vote(0), vote(1), vote(3, 0))) is None


def test_who_cannot_be_dropped_is_not() -> None:
    assert dropped(replace(ballot(vote(0), vote(1), vote(3)), droppable=(0,))) is None
    assert dropped(replace(EMPTY, droppable=())) is None


def test_three_players_can_vote_one_of_them_out() -> None:
    three = replace(EMPTY, present=(0, LOST, 3))
    for seat in (0, 3):
        assert may_vote(three, chain(), seat, LOST)
        check_ballot(three, vote(seat))
        assert dropped(three) is None
        three = count(three, vote(seat))
    assert dropped(three) == LOST


def test_the_head_after_a_drop_hashes_head_step_and_seat_and_no_vote() -> None:
    number = (7).to_bytes(8, "little")
    expected = hashlib.sha256(label("drop") + HEAD + number + bytes([LOST])).digest()
    assert close_without(chain().step, LOST) == expected
    assert close_without(chain(heard=True).step, LOST) == expected
    assert close_without(chain().step, 3) != expected


@pytest.mark.parametrize("lost", [-1, 16])
def test_closing_without_no_seat_is_misuse(lost: int) -> None:
    with pytest.raises(Misuse):
        close_without(chain().step, lost)
