"""Logs that somebody touched: no other game than the one that was played comes out of them.

Whatever is done to a log, the verifier returns a verdict or says that it is no log. It calls a
game finished only if every round in it was played as the peers played it (a log cut off after the
deciding step proves the result, and says whose receipts are missing).
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from p2p_davinci.rules.moves import Draw
from p2p_davinci.session.audit import Status, Verdict, verify_log
from p2p_davinci.session.messages import Body
from protocol import (
    HEADER,
    PeerFault,
    encode,
    encode_record,
    read_aside,
    read_envelope,
    read_log,
    seal,
)
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import calls_clock, finish, passes, recording
from tests.support.table import Table, each_proof_checked_once, new_table, seeded

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7")
Logged = tuple[str, bytes]


@pytest.fixture(autouse=True, scope="module")
def proofs_checked_once() -> Iterator[None]:
    with each_proof_checked_once():
        yield


@functools.cache
def finished() -> Table:
    """A short game of two with a clock call in its log."""
    rules = {"clock": "60+20"}
    events = (passes(60), calls_clock(1), Draw(deck=0), guess("2.1", "b11"))
    table = record_dealt(dealt_table(HANDS, "b9", overrides=rules), HANDS, "b9", events).end
    return finish(table.fork(seeded("log")))


@functools.cache
def original() -> tuple[Logged, ...]:
    return records(finished().peers[0].log_bytes)


def records(log: bytes) -> tuple[Logged, ...]:
    read, torn = read_log(log)
    assert torn == 0
    return tuple((record.kind, record.data) for record in read)


def written(log: tuple[Logged, ...]) -> bytes:
    return HEADER + b"".join(encode_record(kind, data) for kind, data in log)


def covered(verdict: Verdict) -> list[list[bytes]]:
    """What a verdict covers: all that was said in its rounds."""
    return [
        [envelope.data for said in round_.transcript for envelope in said]
        for round_ in verdict.rounds
    ]


def judged(data: bytes) -> Verdict | None:
    """Return the verdict, or ``None`` for what is no log."""
    try:
        return verify_log(data)
    except PeerFault:
        return None


def expect_nothing_else(data: bytes) -> None:
    """Check that a touched log proves nothing but the game that was played."""
    verdict = judged(data)
    if verdict is None or verdict.status is not Status.FINISHED:
        return
    true = verify_log(finished().peers[0].log_bytes)
    assert verdict.winners == true.winners
    assert verdict.contract == true.contract
    for touched, played in zip(covered(verdict), covered(true), strict=True):
        assert touched == played[: len(touched)]


def test_the_log_itself_is_finished_and_covers_what_was_played() -> None:
    verdict = verify_log(written(original()))
    assert (verdict.status, verdict.receipts_missing) == (Status.FINISHED, ())
    assert len(covered(verdict)[0]) == sum(kind == "envelope" for kind, _ in original())
    assert {kind for kind, _ in original()} == {"contract", "envelope", "aside"}


# --- by chance -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(100))
def test_a_changed_byte_makes_no_other_game(seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(written(original()))
    for _ in range(rng.choice([1, 1, 1, 3])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    expect_nothing_else(bytes(data))


@pytest.mark.parametrize("seed", range(20))
def test_a_cut_log_makes_no_other_game(seed: int) -> None:
    data = written(original())
    cut = random.Random(seed).randrange(len(data))
    verdict = judged(data[:cut])
    if cut >= len(HEADER) + len(encode_record(*original()[0])):
        assert verdict is not None
        assert verdict.status in (Status.UNFINISHED, Status.FINISHED)
        assert verdict.check is None
    expect_nothing_else(data[:cut])


def dropped(log: list[Logged], at: int, _other: int) -> None:
    del log[at]


def doubled(log: list[Logged], at: int, _other: int) -> None:
    log.insert(at, log[at])


def moved(log: list[Logged], at: int, other: int) -> None:
    log.insert(other, log.pop(at))


def exchanged(log: list[Logged], at: int, other: int) -> None:
    log[at], log[other] = log[other], log[at]


def relabelled(log: list[Logged], at: int, other: int) -> None:
    kinds = ("contract", "envelope", "aside", "fault", "note")
    log[at] = kinds[other % 5], log[at][1]


def reversed_from(log: list[Logged], at: int, _other: int) -> None:
    log[at:] = log[at:][::-1]


@pytest.mark.parametrize("touch", [dropped, doubled, moved, exchanged, relabelled, reversed_from])
@pytest.mark.parametrize("seed", range(6))
def test_records_in_another_order_make_no_other_game(
    seed: int, touch: Callable[[list[Logged], int, int], None]
) -> None:
    rng = random.Random(f"{touch.__name__} {seed}")
    log = list(original())
    touch(log, rng.randrange(len(log)), rng.randrange(len(log)))
    expect_nothing_else(written(tuple(log)))


# --- on purpose ------------------------------------------------------------------------------


def nth(kind: str, *, seat: int | None = None) -> int:
    """Return the index of the record of the first message of this kind."""
    return next(
        index
        for index, (logged, data) in enumerate(original())
        if logged == "envelope"
        and read_envelope(data).payload.kind == kind
        and seat in (None, read_envelope(data).payload.seat)
    )


def with_record(index: int, kind: str, data: bytes) -> bytes:
    log = list(original())
    log[index] = kind, data
    return written(tuple(log))


def signed_anew(index: int, *, seat: int, **changes: object) -> bytes:
    """Return the log in which a seat signed a changed version of an envelope."""
    payload = replace(read_envelope(original()[index][1]).payload, **changes)  # type: ignore[arg-type]
    return with_record(index, "envelope", seal(payload, finished().who[seat]).encode())


def expect_invalid(data: bytes, check: str, record: int) -> None:
    verdict = verify_log(data)
    assert (verdict.status, verdict.check) == (Status.INVALID, check)
    assert verdict.record == record


def test_what_another_seat_signed_is_invalid() -> None:
    index = nth("guess", seat=0)
    expect_invalid(signed_anew(index, seat=1), "envelope.signature", index)


def test_a_guess_changed_by_its_own_signer_breaks_what_follows() -> None:
    index = nth("guess", seat=0)
    body = Body(fields=(1, 1, "b2")).encode()
    expect_invalid(signed_anew(index, seat=0, body=body), "chain.head", index + 1)


def test_the_last_message_changed_by_its_signer_is_still_checked() -> None:
    index = len(original()) - 1
    seat = read_envelope(original()[index][1]).payload.seat
    body = Body(fields=(1 - seat, (0, 0), None)).encode()
    verdict = verify_log(signed_anew(index, seat=seat, body=body))
    assert verdict.status is Status.INVALID


def test_an_envelope_signed_twice_differently_is_the_same_game() -> None:
    # Ed25519 signatures are deterministic here, so this is the very same log.
    index = nth("guess", seat=0)
    assert signed_anew(index, seat=0) == written(original())


def test_a_log_of_other_players_cannot_borrow_these_moves() -> None:
    other = new_table(2, "standard", {"clock": "60+20"}, seed="others", first=0)
    log = (("contract", other.contract.encode()), *original()[1:])
    expect_invalid(written(log), "envelope.signature", 1)


def test_moves_cannot_be_borrowed_for_a_changed_contract() -> None:
    contract = replace(finished().contract, table="another table")
    log = (("contract", contract.encode()), *original()[1:])
    expect_invalid(written(log), "chain.session", 1)


def test_a_log_cannot_begin_with_a_later_round() -> None:
    table = recording("tournament", 3, 2, rounds="2").end
    contract = table.peers[0].game.round.contract
    assert contract.previous is not None
    with pytest.raises(PeerFault) as caught:
        verify_log(written((("contract", contract.encode()),)))
    assert caught.value.check == "contract.previous"


def test_two_halves_of_different_games_do_not_make_one() -> None:
    later = recording("standard", 2).end
    half = len(original()) // 2
    log = (*original()[:half], *records(later.peers[0].log_bytes)[half:])
    verdict = verify_log(written(log))
    assert (verdict.status, verdict.record) == (Status.INVALID, half)


def test_seats_must_be_logged_in_order() -> None:
    log = list(original())
    log[1], log[2] = log[2], log[1]
    expect_invalid(written(tuple(log)), "log.seat_order", 2)


@pytest.mark.parametrize(
    ("kind", "data", "check"),
    [
        ("envelope", b"", "codec.canonical"),
        ("aside", b"", "log.aside"),
        ("aside", encode((b"", bytes(64))), "log.aside"),
        ("fault", b"", "codec.canonical"),
        ("fault", encode(()), "log.fault"),
        ("fault", encode((1,)), "log.fault"),
        ("fault", encode((b"nonsense",)), "log.fault"),
        ("note", b"", "codec.canonical"),
        ("note", encode(()), "log.note"),
        ("note", encode(("why",)), "log.note"),
        ("note", encode(("halted", "left")), "log.note"),
        ("note", encode(("halted", "left", 2)), "log.note"),
        ("note", encode(("halted", "x" * 65, 1)), "log.note"),
        ("note", encode(("suspicion", 9, 1, "codec.canonical")), "log.note"),
        ("contract", b"", "log.contract"),
    ],
)
def test_a_record_that_no_peer_writes_makes_a_log_invalid(
    kind: str, data: bytes, check: str
) -> None:
    index = nth("guess", seat=0)
    log = (*original()[:index], (kind, data), *original()[index:])
    expect_invalid(written(log), check, index)


def test_an_honest_envelope_is_no_fault() -> None:
    index = nth("guess", seat=0)
    for later in (index, index + 1, nth("commit")):
        fault = encode((original()[later][1],))
        log = (*original()[:index], ("fault", fault))
        expect_invalid(written(log), "log.fault", index)


def test_nothing_but_notes_follows_a_fault() -> None:
    index = nth("guess", seat=0)
    payload = replace(read_envelope(original()[index][1]).payload, body=Body(fields=()).encode())
    fault = "fault", encode((seal(payload, finished().who[0]).encode(),))
    note = "note", encode(("halted", "left", 1))
    before = original()[:index]
    verdict = verify_log(written((*before, fault, note)))
    assert verdict.status is Status.VOID
    assert [(blamed.seat, blamed.check) for blamed in verdict.blamed] == [(0, "guess.shape")]
    assert [(n.kind, n.reason, n.seat) for n in verdict.notes] == [("halted", "left", 1)]
    expect_invalid(written((*before, fault, original()[index])), "log.after_fault", index + 1)


def test_an_aside_may_not_be_told_twice() -> None:
    (index,) = (k for k, (kind, _) in enumerate(original()) if kind == "aside")
    assert read_aside(original()[index][1]).kind == "clock"
    log = (*original()[: index + 1], *original()[index:])
    expect_invalid(written(log), "log.aside", index + 1)


def test_a_log_cut_after_the_deciding_step_proves_the_result() -> None:
    index = nth("key")
    verdict = verify_log(written(original()[:index]))
    assert (verdict.status, verdict.winners) == (Status.FINISHED, (1,))
    assert verdict.receipts_missing == (0, 1)


def test_a_log_cut_before_the_deciding_step_says_who_was_awaited() -> None:
    verdict = verify_log(written(original()[: nth("key") - 1]))
    assert (verdict.status, verdict.winners) == (Status.UNFINISHED, ())
    assert verdict.awaited == (0,)


def test_a_log_without_the_last_receipt_says_whose_it_is() -> None:
    verdict = verify_log(written(original()[:-1]))
    assert (verdict.status, verdict.receipts_missing) == (Status.FINISHED, (1,))


def test_a_torn_record_is_reported() -> None:
    verdict = verify_log(written(original())[:-3])
    assert verdict.torn_bytes == len(encode_record(*original()[-1])) - 3
    assert verdict.receipts_missing == (1,)


@pytest.mark.parametrize(
    ("data", "check"),
    [
        (b"", "log.magic"),
        (HEADER + encode_record("note", encode(("halted", "left", None))), "log.contract"),
        (HEADER + encode_record("contract", encode(())), "contract.shape"),
    ],
)
def test_what_does_not_begin_with_a_contract_is_no_log(data: bytes, check: str) -> None:
    with pytest.raises(PeerFault) as caught:
        verify_log(data)
    assert caught.value.check == check
