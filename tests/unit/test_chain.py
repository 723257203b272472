from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Collection, Mapping

import pytest

from protocol.chain import (
    EVIDENCE_MAGIC,
    Chain,
    DoubleSpeaking,
    accept,
    check_double_speaking,
    close,
    encode_evidence,
    initial_head,
    open_step,
    read_evidence,
    repeated,
)
from protocol.codec import Value, encode, label
from protocol.envelope import SEAT_MAX, STEP_MAX, Envelope
from protocol.errors import Misuse
from tests.support.envelopes import HEAD, SESSION, said, signer
from tests.support.faults import expect_fault

OTHER = hashlib.sha256(b"other").digest()
TURN: Mapping[int, Collection[str]] = {1: {"guess", "stop", "resign"}}
ALL: Mapping[int, Collection[str]] = {2: ["shares"], 0: ["shares"], 3: ("shares", "resign")}


def chain(kinds: Mapping[int, Collection[str]] = TURN) -> Chain:
    return open_step(SESSION, 7, HEAD, kinds)


def test_head_before_the_first_step_binds_the_contract() -> None:
    assert initial_head(OTHER) == hashlib.sha256(label("initial head") + OTHER).digest()
    assert initial_head(OTHER) != initial_head(HEAD)


def test_contract_hash_of_another_length_is_misuse() -> None:
    with pytest.raises(Misuse):
        initial_head(b"contract")


def test_step_begins_with_everybody_awaited_in_seat_order() -> None:
    begun = chain(ALL)
    assert begun.awaited == (0, 2, 3)
    assert begun.step.kinds[2] == (3, frozenset({"shares", "resign"}))
    assert not begun.complete
    assert begun.spoken == ()


def test_one_speaker_may_choose_among_several_kinds() -> None:
    for kind in ("guess", "stop", "resign"):
        spoken = accept(chain(), said(kind=kind))
        assert spoken.complete
        assert spoken.awaited == ()


def test_speaking_in_any_order_gives_the_same_chain() -> None:
    first = said(seat=0, kind="shares")
    second = said(seat=2, kind="shares")
    third = said(seat=3, kind="resign")
    one = accept(accept(accept(chain(ALL), first), second), third)
    other = accept(accept(accept(chain(ALL), third), first), second)
    assert one == other
    assert one.spoken == ((0, first), (2, second), (3, third))
    assert close(one) == close(other)


def test_awaited_shrinks_as_seats_speak_and_the_chain_before_stays_as_it_was() -> None:
    begun = chain(ALL)
    then = accept(begun, said(seat=2, kind="shares"))
    assert (begun.awaited, then.awaited) == ((0, 2, 3), (0, 3))
    assert not then.complete


@pytest.mark.parametrize(
    ("envelope", "check"),
    [
        (said(session=OTHER, kind="guess"), "chain.session"),
        (said(step=6, kind="guess"), "chain.step"),
        (said(step=8, kind="guess"), "chain.step"),
        (said(seat=0, kind="guess"), "chain.speaker"),
        (said(head=OTHER, kind="guess"), "chain.head"),
        (said(kind="draw"), "chain.kind"),
    ],
)
def test_what_the_step_does_not_expect_is_refused_by_name(envelope: Envelope, check: str) -> None:
    with expect_fault(check):
        accept(chain(), envelope)


def test_a_kind_allowed_to_one_seat_is_not_allowed_to_another() -> None:
    with expect_fault("chain.kind"):
        accept(chain(ALL), said(seat=0, kind="resign"))


def test_the_same_payload_again_changes_nothing_and_can_be_told() -> None:
    first = said(seat=2, kind="shares")
    assert not repeated(chain(ALL), first)
    once = accept(chain(ALL), first)
    assert repeated(once, first)
    assert accept(once, first) is once


def test_the_same_payload_under_a_second_signature_is_a_repetition_too() -> None:
    first = said(seat=2, kind="shares")
    again = dataclasses.replace(first, signature=bytes(64))
    once = accept(chain(ALL), first)
    assert accept(once, again) is once


@pytest.mark.parametrize(
    "second",
    [
        said(seat=2, kind="shares", body=(1,)),
        said(seat=2, kind="shares", head=OTHER),
        said(seat=2, kind="resign"),
    ],
)
def test_another_payload_of_a_seat_that_has_spoken_is_doubled(second: Envelope) -> None:
    once = accept(chain(ALL), said(seat=2, kind="shares"))
    assert not repeated(once, second)
    with expect_fault("chain.doubled"):
        accept(once, second)


def test_next_head_hashes_head_step_and_payloads_in_seat_order() -> None:
    zero, two, three = (said(seat=seat, kind="shares") for seat in (0, 2, 3))
    done = accept(accept(accept(chain(ALL), two), three), zero)
    expected = label("head") + HEAD + (7).to_bytes(8, "little")
    for seat, envelope in ((0, zero), (2, two), (3, three)):
        expected += bytes([seat]) + hashlib.sha256(envelope.data).digest()
    assert close(done) == hashlib.sha256(expected).digest()


def test_next_head_does_not_depend_on_signatures() -> None:
    envelope = said(kind="guess")
    again = dataclasses.replace(envelope, signature=bytes(64))
    assert close(accept(chain(), envelope)) == close(accept(chain(), again))


def test_next_head_depends_on_head_number_and_payload() -> None:
    def after(number: int, head: bytes, body: Value) -> bytes:
        begun = open_step(SESSION, number, head, TURN)
        return close(accept(begun, said(step=number, head=head, kind="guess", body=body)))

    heads = {after(7, HEAD, 1), after(8, HEAD, 1), after(7, OTHER, 1), after(7, HEAD, 2)}
    assert len(heads) == 4
    assert all(len(head) == 32 for head in heads)


def test_first_and_last_step_and_seat_that_can_be_are_opened() -> None:
    for number, seat in ((0, 0), (STEP_MAX, SEAT_MAX)):
        begun = open_step(SESSION, number, HEAD, {seat: {"draw"}})
        assert (begun.step.number, begun.awaited) == (number, (seat,))


def test_closing_an_incomplete_step_is_misuse() -> None:
    with pytest.raises(Misuse, match="awaits"):
        close(accept(chain(ALL), said(seat=2, kind="shares")))


@pytest.mark.parametrize(
    ("session", "number", "head", "kinds"),
    [
        (b"", 7, HEAD, TURN),
        (SESSION, -1, HEAD, TURN),
        (SESSION, STEP_MAX + 1, HEAD, TURN),
        (SESSION, 7, HEAD[:31], TURN),
        (SESSION, 7, HEAD, {}),
        (SESSION, 7, HEAD, {-1: {"draw"}}),
        (SESSION, 7, HEAD, {SEAT_MAX + 1: {"draw"}}),
        (SESSION, 7, HEAD, {0: {"draw"}, 1: set()}),
        (SESSION, 7, HEAD, {0: "draw"}),
    ],
)
def test_opening_a_step_that_cannot_be_is_misuse(
    session: bytes, number: int, head: bytes, kinds: Mapping[int, Collection[str]]
) -> None:
    with pytest.raises(Misuse):
        open_step(session, number, head, kinds)


# --- double speaking ---------------------------------------------------------------------------

FIRST = said(body=(1,))
SECOND = said(body=(2,))
KEY = signer(1).public


def test_two_payloads_of_one_step_are_evidence_in_either_order() -> None:
    check_double_speaking(FIRST, SECOND, KEY)
    check_double_speaking(SECOND, FIRST, KEY)
    assert FIRST.data != SECOND.data


def test_two_heads_of_one_step_are_evidence() -> None:
    other = said(head=OTHER, body=(1,))
    check_double_speaking(FIRST, other, KEY)
    assert other.payload.step == FIRST.payload.step


@pytest.mark.parametrize(
    ("second", "check"),
    [
        (said(session=OTHER, body=(2,)), "evidence.session"),
        (said(step=8, body=(2,)), "evidence.step"),
        (said(seat=2, body=(2,)), "evidence.seat"),
        (FIRST, "evidence.same"),
        (said(kind="receipt", head=OTHER), "evidence.receipt"),
        (
            dataclasses.replace(said(kind="receipt", head=OTHER), signature=bytes(64)),
            "evidence.receipt",
        ),
        (dataclasses.replace(FIRST, signature=bytes(64)), "evidence.same"),
        (dataclasses.replace(SECOND, signature=FIRST.signature), "evidence.signature"),
    ],
)
def test_what_two_honest_envelopes_could_be_is_no_evidence(second: Envelope, check: str) -> None:
    with expect_fault(check):
        check_double_speaking(FIRST, second, KEY)


def test_a_receipt_and_something_else_are_evidence_only_at_one_head() -> None:
    receipt, elsewhere = said(kind="receipt"), said(kind="receipt", head=OTHER)
    check_double_speaking(FIRST, receipt, KEY)
    check_double_speaking(receipt, elsewhere, KEY)
    for pair in ((FIRST, elsewhere), (elsewhere, FIRST)):
        with expect_fault("evidence.receipt"):
            check_double_speaking(*pair, KEY)


def test_own_words_at_another_head_beside_a_receipt_are_of_another_head_in_their_step() -> None:
    receipts: Mapping[int, Collection[str]] = {1: {"receipt"}, 2: {"receipt"}}
    spoken = accept(chain(receipts), said(kind="receipt"))
    with expect_fault("chain.head"):
        accept(spoken, said(kind="stop", head=OTHER))
    with expect_fault("chain.doubled"):
        accept(spoken, said(kind="receipt", head=OTHER))
    with expect_fault("chain.doubled"):
        accept(spoken, said(kind="stop"))


def test_a_bad_signature_under_the_first_envelope_is_no_evidence() -> None:
    forged = dataclasses.replace(FIRST, signature=SECOND.signature)
    with expect_fault("evidence.signature"):
        check_double_speaking(forged, SECOND, KEY)


def test_evidence_does_not_speak_against_another_key() -> None:
    with expect_fault("evidence.signature"):
        check_double_speaking(FIRST, SECOND, signer(2).public)


def test_evidence_against_an_invalid_key_is_refused() -> None:
    with expect_fault("identity.key"):
        check_double_speaking(FIRST, SECOND, bytes(32))


def test_evidence_comes_back_from_its_file() -> None:
    data = encode_evidence(DoubleSpeaking(first=FIRST, second=SECOND), KEY)
    evidence, key = read_evidence(data)
    assert (evidence.first, evidence.second, key) == (FIRST, SECOND, KEY)
    check_double_speaking(evidence.first, evidence.second, key)


def test_evidence_of_the_longest_envelopes_fits_its_file() -> None:
    long = DoubleSpeaking(first=said(body=b"x" * 65_000), second=said(body=b"y" * 65_000))
    assert read_evidence(encode_evidence(long, KEY)) == (long, KEY)


def test_reading_evidence_checks_nothing_but_its_form() -> None:
    one = DoubleSpeaking(first=FIRST, second=FIRST)
    assert read_evidence(encode_evidence(one, KEY)) == (one, KEY)


PAIR: tuple[Value, ...] = (FIRST.encode(), SECOND.encode())


@pytest.mark.parametrize(
    ("data", "check"),
    [
        (b"", "evidence.magic"),
        (encode((2, KEY, *PAIR)), "evidence.magic"),
        (EVIDENCE_MAGIC, "codec.canonical"),
        (EVIDENCE_MAGIC + encode(1), "evidence.shape"),
        (EVIDENCE_MAGIC + encode(()), "evidence.version"),
        (EVIDENCE_MAGIC + encode((1, KEY, *PAIR)), "evidence.version"),
        (EVIDENCE_MAGIC + encode((2, KEY, PAIR[0])), "evidence.shape"),
        (EVIDENCE_MAGIC + encode((2, KEY[:31], *PAIR)), "evidence.shape"),
        (EVIDENCE_MAGIC + encode((2, KEY, "first", PAIR[1])), "evidence.shape"),
        (EVIDENCE_MAGIC + encode((2, KEY, PAIR[0], None)), "evidence.shape"),
        (EVIDENCE_MAGIC + encode((2, KEY, PAIR[0], encode(1))), "envelope.shape"),
        (EVIDENCE_MAGIC + encode((2, KEY, *PAIR)) + b"\0", "codec.canonical"),
    ],
)
def test_broken_evidence_file_is_refused_by_name(data: bytes, check: str) -> None:
    with expect_fault(check):
        read_evidence(data)
