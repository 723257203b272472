"""What a session makes of an envelope before anything comes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.session.game import Game
from p2p_davinci.session.hearing import (
    ENVELOPE_BYTES_MAX,
    Accepted,
    Doubtful,
    Early,
    Faulty,
    Known,
    contradiction,
    judge,
)
from p2p_davinci.session.messages import Body, order_fields
from protocol import (
    Evidence,
    HiddenEntry,
    Payload,
    commit_order,
    commit_values,
    prove_order,
    read_envelope,
    seal,
)
from tests.support.crypto import TAG
from tests.support.recorded import Moment, recording
from tests.support.table import seeded

LISTENER = 0


def moment(kind: str, nth: int = 0) -> Moment:
    """A moment at which somebody else than the listener owes a message."""
    found = [
        m
        for m in recording("standard").moments
        if m.payload.kind == kind and m.payload.seat != LISTENER
    ]
    return found[nth]


def listener(at: Moment) -> Game:
    return at.table.peers[LISTENER].game


def signed(at: Moment, payload: Payload | None = None) -> bytes:
    said = at.payload if payload is None else payload
    return seal(said, at.table.who[said.seat]).encode()


@pytest.mark.parametrize("kind", ["commit", "shuffle", "guess", "receipt"])
def test_what_is_due_and_right_is_accepted(kind: str) -> None:
    at = moment(kind)
    judged = judge(listener(at), signed(at), at.payload.seat)
    assert isinstance(judged, Accepted)
    assert judged.envelope == read_envelope(signed(at))


def test_it_does_not_matter_who_brings_it() -> None:
    at = moment("guess")
    other = 3 - at.payload.seat
    assert isinstance(judge(listener(at), signed(at), other), Accepted)


@pytest.mark.parametrize(("size", "check"), [(0, "codec.canonical"), (1, "envelope.size")])
def test_an_envelope_may_be_as_long_as_the_limit(size: int, check: str) -> None:
    judged = judge(listener(moment("guess")), bytes(ENVELOPE_BYTES_MAX + size), 1)
    assert isinstance(judged, Faulty)
    assert judged.fault.check == check


def test_a_step_that_an_earlier_round_never_had_is_of_no_session() -> None:
    game = recording("tournament", 3, 2, rounds="2")
    at = game.find("commit", seat=1, nth=1)
    now = at.table.peers[LISTENER].game
    (past,) = now.past
    beyond = replace(
        game.find("receipt", seat=1).payload,
        step=len(past.transcript),
        head=now.round.chain.step.head,
    )
    judged = judge(now, signed(at, beyond), 1)
    assert isinstance(judged, Early)
    opened = game.find("shuffle", seat=1, nth=1)
    later = opened.table.peers[LISTENER].game
    assert judge(later, signed(opened, beyond), 1) == Doubtful(
        check="chain.session", step=len(past.transcript)
    )


@pytest.mark.parametrize("kind", ["commit", "open", "shuffle", "place"])
def test_what_was_heard_before_is_known(kind: str) -> None:
    at = moment("receipt")
    assert judge(listener(at), signed(moment(kind)), 1) == Known()


def test_what_was_heard_in_an_earlier_round_is_known() -> None:
    game = recording("tournament", 3, 2, rounds="2")
    later = game.find("guess", where=lambda m: bool(m.table.peers[0].game.past))
    for kind in ("commit", "open", "guess", "receipt"):
        raw = seal(game.find(kind).payload, later.table.who[game.find(kind).payload.seat])
        assert judge(later.table.peers[0].game, raw.encode(), 1) == Known()


@pytest.mark.parametrize(
    ("now", "then"), [("commit", "open"), ("commit", "shuffle"), ("guess", "key")]
)
def test_what_belongs_to_a_later_step_is_early(now: str, then: str) -> None:
    at, later = moment(now), recording("standard").find(then)
    raw = seal(later.payload, later.table.who[later.payload.seat]).encode()
    assert judge(listener(at), raw, later.payload.seat) == Early()


def test_what_belongs_to_the_next_round_is_early_while_receipts_are_awaited() -> None:
    game = recording("tournament", 3, 2, rounds="2")
    later = game.find("commit", where=lambda m: bool(m.table.peers[0].game.past))
    raw = seal(later.payload, later.table.who[later.payload.seat]).encode()
    for kind, judged in (
        ("receipt", Early()),
        ("guess", Doubtful(check="chain.session", step=0)),
    ):
        at = game.find(kind, nth=0)
        assert judge(at.table.peers[0].game, raw, later.payload.seat) == judged


def test_no_round_is_expected_after_the_last() -> None:
    at = moment("receipt")
    stray = signed(at, replace(at.payload, session=bytes(32), step=0))
    assert judge(listener(at), stray, 1) == Doubtful(check="chain.session", step=0)


@pytest.mark.parametrize(
    ("changes", "check"),
    [({"session": bytes(32)}, "chain.session"), ({"head": bytes(32)}, "chain.head")],
)
def test_what_does_not_go_with_what_was_read_is_doubtful(
    changes: dict[str, bytes], check: str
) -> None:
    at = moment("guess")
    raw = signed(at, replace(at.payload, **changes))  # type: ignore[arg-type]
    assert judge(listener(at), raw, at.payload.seat) == Doubtful(check=check, step=at.payload.step)


def test_a_step_that_is_over_at_another_head_is_doubtful() -> None:
    at, earlier = moment("place"), moment("draw")
    quiet = next(s for s in (1, 2) if s != earlier.payload.seat)
    raw = signed(at, replace(earlier.payload, seat=quiet, head=bytes(32)))
    judged = judge(listener(at), raw, quiet)
    assert judged == Doubtful(check="chain.head", step=earlier.payload.step)


@pytest.mark.parametrize(
    ("kind", "changes", "check"),
    [
        ("guess", {"kind": "draw"}, "chain.kind"),
        ("guess", {"kind": "nonsense"}, "chain.kind"),
        ("guess", {"body": None}, "body.shape"),
        ("guess", {"body": Body(fields=()).encode()}, "guess.shape"),
    ],
)
def test_what_a_seat_signed_for_this_step_is_proof(
    kind: str, changes: dict[str, object], check: str
) -> None:
    at = moment(kind)
    raw = signed(at, replace(at.payload, **changes))  # type: ignore[arg-type]
    judged = judge(listener(at), raw, LISTENER)
    assert isinstance(judged, Faulty)
    fault = judged.fault
    assert (fault.check, fault.seat, fault.step) == (check, at.payload.seat, at.payload.step)
    assert (fault.evidence, judged.evidence) == (Evidence.PROOF, None)


def test_speaking_in_a_step_that_was_somebody_elses_is_proof() -> None:
    at, earlier = moment("place"), moment("draw")
    quiet = next(s for s in (1, 2) if s != earlier.payload.seat)
    judged = judge(listener(at), signed(at, replace(earlier.payload, seat=quiet)), quiet)
    assert isinstance(judged, Faulty)
    assert (judged.fault.check, judged.fault.seat) == ("chain.speaker", quiet)
    assert judged.fault.evidence is Evidence.PROOF


def test_saying_two_things_in_one_step_is_proof_with_both() -> None:
    at, earlier = moment("place"), moment("commit")
    lie = signed(at, replace(earlier.payload, body=Body(fields=(bytes(32),)).encode()))
    judged = judge(listener(at), lie, 1)
    assert isinstance(judged, Faulty)
    assert judged.evidence is not None
    assert judged.evidence.first == read_envelope(signed(earlier))
    assert judged.evidence.second == read_envelope(lie)


def test_what_is_not_signed_is_held_against_who_brings_it() -> None:
    at = moment("guess")
    envelope = seal(at.payload, at.table.who[at.payload.seat])
    nobody = replace(at.payload, seat=len(at.table.who))
    for raw, check in (
        (replace(envelope, signature=bytes(64)).encode(), "envelope.signature"),
        (signed(at, at.payload)[:-1], "codec.canonical"),
        (seal(nobody, at.table.who[0]).encode(), "envelope.seat"),
        (b"x" * (ENVELOPE_BYTES_MAX + 1), "envelope.size"),
    ):
        judged = judge(listener(at), raw, 2)
        assert isinstance(judged, Faulty)
        assert (judged.fault.check, judged.fault.seat) == (check, 2)
        assert judged.fault.evidence is Evidence.SUSPICION


def test_two_envelopes_contradict_each_other_only_in_one_step_of_one_seat() -> None:
    at = moment("guess")
    said = read_envelope(signed(at))
    other = replace(at.payload, head=bytes(32))
    assert contradiction(signed(at), said) is None
    assert contradiction(signed(at, replace(other, step=3)), said) is None
    assert contradiction(signed(at, replace(other, session=bytes(32))), said) is None
    found = contradiction(signed(at, other), said)
    assert found is not None
    assert (found.fault.check, found.fault.seat) == ("chain.doubled", at.payload.seat)


def test_the_longest_honest_message_is_far_from_the_limit() -> None:
    """With jokers in the game a stop proves the order of the whole row, of 24 tiles at most."""
    entropy = seeded("longest")
    codes = [101, *range(1, 23), 102]
    values, openings = commit_values(codes, entropy)
    row = [HiddenEntry(value=value, jokers=(101, 102)) for value in values]
    gaps = range(len(row) - 1)
    fields, witness = commit_order(row, dict(enumerate(openings)), gaps, entropy)
    proof = prove_order(row, fields, witness, TAG, entropy)
    body = Body(fields=(24, values[0], *order_fields(fields)), proofs=(bytes(96), proof))
    at = moment("guess")
    raw = signed(at, replace(at.payload, body=body.encode()))
    assert 10000 < len(raw) < ENVELOPE_BYTES_MAX * 2 / 3
