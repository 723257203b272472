"""Fault records of one, two or more items, who is convicted by them, and who still wins.

Expected verdicts are written down here from SPEC, never taken from what our code says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from p2p_davinci.session.messages import read_body
from protocol import HEADER, Envelope, encode, encode_record, seal
from tests.support.crypto import flipped
from tests.support.vector_cases import Json
from tests.support.vector_forged import sealed
from tests.support.vector_logs import Base, Changed, Said, spoiled_verdict
from tests.support.vector_parts import blame, fault_record, index_of, made_log


def faults(bases: Mapping[str, Base]) -> Iterator[Changed]:
    classic, tournament = bases["classic"], bases["tournament"]
    yield from _items(classic)
    yield from _pairs(classic)
    yield from _beside_receipts(classic)
    yield from _after_a_void_one(classic)
    yield from _of_earlier_rounds(tournament)
    yield from _winners(classic, tournament)
    yield from _short(classic)


def _invalid(base: Base, name: str, said: Said, check: str, *add: bytes, later: int = 0) -> Changed:
    """A log of one round that is wrong in the step of ``said``."""
    verdict = spoiled_verdict(base, said, check, index_of(base, said) + later)
    return made_log(base, f"invalid: {name}", said.offset, verdict, *add)


def _void(base: Base, name: str, said: Said, check: str, *raws: bytes | Envelope) -> Changed:
    """A log of one round that a fault record makes void before the first guess."""
    guess = base.kind("guess")[0]
    verdict: Json = {
        "status": "void",
        "blamed": blame(said, check),
        "head": guess.envelope.payload.head.hex(),
        "points": [[0, 0]],
        "totals": [0, 0],
        "winners": [],
        "awaited": [],
        "receipts_missing": [],
    }
    return made_log(base, f"void: {name}", guess.offset, verdict, fault_record(*raws))


# --- what a record holds ---------------------------------------------------------------------


def _items(base: Base) -> Iterator[Changed]:
    """One item, or the wrong number, or something else than bytes."""
    guess, answer = base.kind("guess")[0], base.kind("answer")[0]
    honest, signer = guess.envelope, base.table.who[guess.seat]
    own = sealed(base, guess, ((guess.seat, 1, "5"), ()))
    yield _void(base, "one item", guess, "rules.own_tile", own)
    elsewhere = seal(replace(honest.payload, head=bytes(32)), signer)
    for name, items in (
        ("of another head", (elsewhere,)),
        ("that is not signed", (_unsigned(own),)),
        ("of a later step", (sealed(base, answer, ((0,), ())),)),
        ("that is no envelope", (b"\xc0",)),
        ("of 40,000 bytes", (sealed(base, guess, (bytes(40_000),)),)),
    ):
        yield _invalid(base, f"an item {name}", guess, "log.fault", fault_record(*items))
    for name, data in (
        ("of numbers", encode((1,))),
        ("that is no array", encode(None)),
        ("without items", encode(())),
        ("of three items", encode((honest.encode(), own.encode(), own.encode()))),
    ):
        add = encode_record("fault", data)
        yield _invalid(base, f"a fault {name}", guess, "log.fault", add)


def _unsigned(envelope: Envelope) -> bytes:
    raw = envelope.encode()
    return flipped(raw, 8 * len(raw) - 8)


def _pairs(base: Base) -> Iterator[Changed]:
    """Two items: they convict by themselves, whatever the state of the log is."""
    guess, answer = base.kind("guess")[0], base.kind("answer")[0]
    honest, signer = guess.envelope, base.table.who[guess.seat]
    own = sealed(base, guess, ((guess.seat, 1, "5"), ()))
    elsewhere = seal(replace(honest.payload, head=bytes(32)), signer)
    false = sealed(base, answer, ((0,), ()))
    doubled = "chain.doubled"
    yield _void(base, "two guesses, the good one first", guess, doubled, honest, own)
    yield _void(base, "two guesses, the good one last", guess, doubled, own, honest)
    yield _void(base, "two heads", guess, doubled, elsewhere, honest)
    yield _void(base, "two answers of a step to come", answer, doubled, answer.envelope, false)
    other = seal(replace(own.payload, seat=1 - guess.seat), base.table.who[1 - guess.seat])
    later = seal(replace(own.payload, step=guess.step + 1), signer)
    strange = replace(honest.payload, session=bytes(32))
    unknown = (seal(strange, signer), seal(replace(strange, body=None), signer))
    nobody = tuple(
        seal(replace(honest.payload, seat=7, body=body), signer) for body in (None, (0,))
    )
    for name, items in (
        ("a message twice", (honest, honest)),
        ("a guess and the false answer behind it", (honest, false)),
        ("the false answer and the guess before it", (false, honest)),
        ("two seats", (honest, other)),
        ("two steps", (honest, later)),
        ("a session that no round has", unknown),
        ("a seat that is not there", nobody),
        ("one that is not signed", (honest, _unsigned(own))),
        ("one that is no envelope", (own, b"\xc0")),
    ):
        yield _invalid(base, f"a pair: {name}", guess, "log.fault", fault_record(*items))


def _beside_receipts(base: Base) -> Iterator[Changed]:
    """A receipt beside something else at another head is what a dropped seat signs."""
    receipt = base.kind("receipt")[1]
    said, signer = receipt.envelope, base.table.who[receipt.seat]
    winner = base.kind("key")[0].seat
    own = seal(replace(said.payload, kind="guess", head=bytes(32)), signer)
    here = seal(replace(said.payload, kind="guess"), signer)
    elsewhere = seal(replace(said.payload, head=bytes(32)), signer)
    for name, items in (
        ("a receipt and own words at another head", (said, own)),
        ("own words at another head and a receipt", (own, said)),
        ("own words at another head, alone", (own,)),
    ):
        yield _invalid(base, name, receipt, "log.fault", fault_record(*items))
    verdict: Json = {
        "status": "finished",
        "blamed": blame(receipt, "chain.doubled"),
        "winners": [seat for seat in (winner,) if seat != receipt.seat],
        "receipts_missing": [receipt.seat],
    }
    for name, items in (
        ("a receipt and own words at its head", (said, here)),
        ("receipts at two heads", (said, elsewhere)),
        ("own words at two heads", (here, own)),
    ):
        add = fault_record(*items)
        yield made_log(base, f"finished: {name}", receipt.offset, verdict, add)


def _after_a_void_one(base: Base) -> Iterator[Changed]:
    guess = base.kind("guess")[0]
    fault = fault_record(sealed(base, guess, ((guess.seat, 1, "5"), ())))
    contract = encode_record("contract", base.records[0].data)
    for name, add in (("a contract", contract), ("the fault again", fault)):
        what = f"{name} behind a fault that makes the game void"
        yield _invalid(base, what, guess, "log.after_fault", fault, add, later=1)
    bad = encode_record("note", encode(()))
    yield _invalid(base, "a bad note behind a fault", guess, "log.note", fault, bad, later=1)


def _of_earlier_rounds(base: Base) -> Iterator[Changed]:
    """In the second round two messages of the first are shown."""
    key = base.kind("key")[0]
    guess = base.kind("guess")[0]
    draw = next(said for said in base.kind("draw") if said.round == 1)
    again = sealed(base, guess, ((guess.seat, 1, "1"), ()))
    verdict: Json = {
        "status": "void",
        "blamed": blame(guess, "chain.doubled"),
        "head": draw.envelope.payload.head.hex(),
        "winners": [],
    }
    for name, items in (
        ("two guesses of an earlier round", (guess.envelope, again)),
        ("a guess of an earlier round", (again,)),
    ):
        yield made_log(base, f"void: {name}", draw.offset, verdict, fault_record(*items))
    commit = base.kind("commit")[0]
    other = sealed(base, commit, ((bytes(32),), ()))
    sealed_twice = {**verdict, "blamed": blame(commit, "chain.doubled")}
    add = fault_record(commit.envelope, other)
    name = "void: two commitments of an earlier round"
    yield made_log(base, name, draw.offset, sealed_twice, add)
    at = next(k for k, record in enumerate(base.records) if record.offset == draw.offset)
    invalid: Json = {"status": "invalid", "check": "log.fault", "record": at, "claimed": None}
    across = fault_record(key.envelope, seal_like(base, draw, key))
    yield made_log(base, "invalid: a pair of two rounds", draw.offset, invalid, across)


def seal_like(base: Base, said: Said, step: Said) -> Envelope:
    """Return what the speaker of ``step`` might have said under its number in another round."""
    payload = replace(said.envelope.payload, seat=step.seat, step=step.step)
    return seal(payload, base.table.who[step.seat])


# --- who wins --------------------------------------------------------------------------------


def _winners(classic: Base, tournament: Base) -> Iterator[Changed]:
    """A finished game, and behind it the proof that somebody spoke twice in its middle."""
    winner = classic.kind("key")[0].seat
    for seat, name in ((winner, "the winner"), (1 - winner, "the loser")):
        won = [] if seat == winner else [winner]
        verdict: Json = {
            "status": "finished",
            "blamed": _twice(classic, seat)[1],
            "winners": won,
            "totals": [0, 0],
            "receipts_missing": [],
        }
        yield _ended(classic, f"finished: {name} spoke twice", verdict, seat)
    verdict = {
        "status": "finished",
        "blamed": [*_twice(classic, 0)[1], *_twice(classic, 1)[1]],
        "winners": [],
        "receipts_missing": [],
    }
    yield _ended(classic, "finished: both spoke twice", verdict, 0, 1)
    points = [_points(receipts) for receipts in _last_receipts(tournament)]
    for seat in (0, 1):
        left = [[0 if k == seat else value for k, value in enumerate(row)] for row in points]
        verdict = {
            "status": "finished",
            "blamed": _twice(tournament, seat)[1],
            "winners": [1 - seat],
            "points": left,
            "totals": [sum(row[k] for row in left) for k in (0, 1)],
        }
        yield _ended(tournament, f"finished: seat {seat} spoke twice", verdict, seat)


def _twice(base: Base, seat: int) -> tuple[bytes, list[Json]]:
    """Return the fault record that shows two payloads of a seat, and its blame."""
    said = next(s for s in base.said if s.seat == seat and s.envelope.payload.kind == "guess")
    return fault_record(said.envelope, sealed(base, said, None)), blame(said, "chain.doubled")


def _ended(base: Base, name: str, verdict: Json, *seats: int) -> Changed:
    add = b"".join(_twice(base, seat)[0] for seat in seats)
    return made_log(base, name, len(base.log), verdict, add)


def _last_receipts(base: Base) -> Iterator[Said]:
    """Return a receipt of each round."""
    for round_ in range(base.said[-1].round + 1):
        yield next(said for said in base.kind("receipt") if said.round == round_)


def _points(receipt: Said) -> list[int]:
    points = read_body(receipt.envelope.payload.body).fields[1]
    if not isinstance(points, tuple):
        raise TypeError("a receipt has points")
    return [value for value in points if isinstance(value, int)]


# --- what hardly begins ----------------------------------------------------------------------


def _short(base: Base) -> Iterator[Changed]:
    """A log that ends before its first contract does, and a length that no record has."""
    nothing: Json = {
        "status": "unfinished",
        "points": [],
        "totals": [],
        "head": None,
        "winners": [],
        "awaited": [],
        "receipts_missing": [],
        "blamed": [],
        "notes": [],
    }
    start = len(HEADER)
    yield made_log(base, "a header alone", start, {**nothing, "torn_bytes": 0})
    yield made_log(base, "within the first record", start + 40, {**nothing, "torn_bytes": 40})
    zeros = made_log(base, "a header and zeros", start, {**nothing, "torn_bytes": 9}, bytes(9))
    yield zeros
    second = base.records[1].offset
    for name, at in (("first", start), ("second", second)):
        for follow in (b"", b"\x93"):
            add = (65_569).to_bytes(4, "big") + follow
            yield Changed(
                of=base.plan.name,
                name=f"unreadable: too long a {name} record, cut off behind {len(follow)} bytes",
                keep=at,
                add=add,
                error="log.record",
            )
