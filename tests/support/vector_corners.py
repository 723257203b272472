"""Logs that settle what a reader of SPEC.md alone had to guess, each a corner where two ways met.

Expected verdicts are written down here from SPEC, never taken from what our code says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from p2p_davinci.session.messages import read_body
from protocol import (
    PROTOCOL_VERSION,
    Value,
    as_array,
    decode,
    encode,
    encode_record,
    label,
    seal,
)
from tests.support import vector_rounds
from tests.support.crypto import TORSION, flipped, lifted
from tests.support.vector_cases import Json
from tests.support.vector_forged import sealed
from tests.support.vector_logs import Base, Changed, Said, spoiled_verdict
from tests.support.vector_parts import (
    blame,
    envelope_record,
    fault_record,
    index_of,
    made_log,
    note_record,
)

Bases = Mapping[str, Base]


def corners(bases: Bases) -> Iterator[Changed]:
    classic, tournament = bases["classic"], bases["tournament"]
    yield from _last_receipts(classic)
    yield from _before_the_key(classic, tournament)
    yield from _behind_the_end(classic)
    yield from _notes(classic)
    yield from _envelopes(classic)
    yield from _orders(bases)
    yield from vector_rounds.contracts(tournament)
    yield from vector_rounds.other_rounds(tournament)
    yield from vector_rounds.clock(bases["clock"])
    yield vector_rounds.resigned_beside(bases["extra round"])
    yield vector_rounds.cancelling_keys(classic)


# --- faults and the end ----------------------------------------------------------------------


def _spoiled(
    base: Base, name: str, said: Said, check: str, *add: bytes, later: int = 0, end: bool = False
) -> Changed:
    """A log of a game of one round that is wrong in the step of ``said``, or behind the end."""
    at, record = said.offset, index_of(base, said)
    if end:
        at, record = len(base.log), len(base.records)
    verdict = spoiled_verdict(base, said, check, record + later)
    return made_log(base, f"invalid: {name}", at, verdict, *add)


def _last_receipts(base: Base) -> Iterator[Changed]:
    first, second = base.kind("receipt")
    body = read_body(first.envelope.payload.body)
    false = sealed(base, first, replace(body, fields=(*body.fields[:2], bytes(16))).encode())
    verdict: Json = {
        "status": "finished",
        "blamed": blame(first, "receipt.fresh"),
        "receipts_missing": [first.seat],
        "head": first.envelope.payload.head.hex(),
    }
    winner = base.kind("key")[0].seat
    verdict["winners"] = [] if first.seat == winner else [winner]
    other = envelope_record(second.envelope)
    yield made_log(
        base,
        "finished: a false receipt, then the other",
        first.offset,
        verdict,
        fault_record(false),
        other,
    )
    yield made_log(
        base,
        "finished: a false receipt, then both",
        first.offset,
        {**verdict, "receipts_missing": []},
        fault_record(false),
        resume=first.offset,
    )
    twice = {**verdict, "blamed": blame(first, "chain.doubled")}
    yield made_log(
        base,
        "finished: two receipts",
        second.offset,
        {**twice, "receipts_missing": [second.seat]},
        fault_record(false),
    )
    yield _spoiled(
        base, "a false receipt without a fault", first, "receipt.fresh", envelope_record(false)
    )
    yield _spoiled(
        base,
        "two faults",
        first,
        "log.after_fault",
        fault_record(false),
        fault_record(false),
        later=1,
    )


def _before_the_key(classic: Base, tournament: Base) -> Iterator[Changed]:
    """The last round is decided and awaits the winner's key: no fault unmakes the result."""
    key = classic.kind("key")[0]
    winner, loser = key.seat, 1 - key.seat
    payload = replace(key.envelope.payload, seat=loser)
    out_of_turn = fault_record(seal(payload, classic.table.who[loser]))
    false = fault_record(sealed(classic, key, ((bytes(32),), ())))
    named = {"seat": loser, "step": key.step, "check": "chain.speaker"}
    stands: Json = {"status": "finished", "blamed": [named], "winners": [winner]}
    missing = {"receipts_missing": [0, 1], "head": key.envelope.payload.head.hex()}
    at = key.offset
    yield made_log(classic, "finished: the loser's fault", at, {**stands, **missing}, out_of_turn)
    goes_on = {**stands, "receipts_missing": []}
    yield made_log(
        classic, "finished: the loser's fault, then the rest", at, goes_on, out_of_turn, resume=at
    )
    zero: Json = {"status": "finished", "blamed": blame(key, "key.zero"), "winners": []} | missing
    yield made_log(classic, "finished: the winner's false key", at, zero, false)
    zero_later = {**zero, "receipts_missing": [], "head": _final_head(classic)}
    name = "finished: the winner's false key, then the rest"
    yield made_log(classic, name, at, zero_later, false, resume=at)
    both = {**zero, "blamed": [named, *blame(key, "key.zero")]}
    name = "finished: first the loser, then the winner"
    yield made_log(classic, name, at, both, out_of_turn, false)
    twice = ("log.after_fault", out_of_turn, out_of_turn)
    yield _spoiled(classic, "the loser's fault twice", key, *twice, later=1)
    empty = ("log.fault", out_of_turn, fault_record())
    yield _spoiled(classic, "a fault of nobody behind one", key, *empty, later=1)
    contract = encode_record("contract", classic.records[0].data)
    more = ("log.contract", out_of_turn, contract)
    yield _spoiled(classic, "a contract behind a fault", key, *more, later=1)
    again = ("key.zero", out_of_turn, envelope_record(sealed(classic, key, ((bytes(32),), ()))))
    yield _spoiled(classic, "a false key unblamed behind a fault", key, *again, later=1)
    unsigned = flipped(key.envelope.encode(), 8 * len(key.envelope.encode()) - 8)
    bad = ("envelope.signature", out_of_turn, encode_record("envelope", unsigned))
    yield _spoiled(classic, "an unsigned key behind a fault", key, *bad, later=1)
    last = tournament.kind("key")[-1]
    other = replace(last.envelope.payload, seat=1 - last.seat)
    verdict: Json = {
        "status": "void",
        "blamed": [{"seat": 1 - last.seat, "step": last.step, "check": "chain.speaker"}],
    }
    lie = fault_record(seal(other, tournament.table.who[1 - last.seat]))
    name = "void: the loser's fault while the bonus is not counted"
    yield made_log(tournament, name, last.offset, verdict, lie)


def _final_head(base: Base) -> str:
    return base.kind("receipt")[-1].envelope.payload.head.hex()


def _behind_the_end(base: Base) -> Iterator[Changed]:
    guess, last = base.kind("guess")[0], base.kind("receipt")[1]
    again = sealed(base, guess, ((guess.seat, 1, "1"), ()))
    verdict: Json = {
        "status": "finished",
        "blamed": blame(guess, "chain.doubled"),
        "receipts_missing": [],
        "winners": [seat for seat in (base.kind("key")[0].seat,) if seat != guess.seat],
        "head": last.envelope.payload.head.hex(),
        "notes": [["halted", "quit", None]],
    }
    fault = fault_record(guess.envelope, again)
    note = note_record("halted", "quit", None)
    yield made_log(base, "finished: two guesses, seen at last", len(base.log), verdict, fault, note)
    for name, raw in (("another guess", again.encode()), ("nonsense", b"\xc1")):
        add = encode_record("envelope", raw)
        yield _spoiled(base, f"{name} behind the end", last, "log.sequence", add, end=True)
    more = envelope_record(again)
    yield _spoiled(
        base, "a guess behind the last fault", last, "log.sequence", fault, more, later=1, end=True
    )
    honest = fault_record(guess.envelope)
    yield _spoiled(base, "no fault behind the end", last, "log.fault", honest, end=True)


# --- notes, envelopes, seat order ------------------------------------------------------------


def _notes(base: Base) -> Iterator[Changed]:
    guess, answer = base.kind("guess")[0], base.kind("answer")[0]
    for name, values in (
        ("a note of nothing", ("halted", "", None)),
        ("a check of nothing", ("suspicion", 0, 1, "")),
        ("a step that is text", ("suspicion", 0, "1", "sigma.equation")),
    ):
        add = note_record(*values)
        yield _spoiled(base, name, guess, "log.note", add)
    halted = note_record("halted", "left", 1)
    goes_on: Json = {"status": "unfinished", "awaited": [answer.seat], "notes": []}
    yield made_log(
        base, "halted, and gone on", guess.offset, goes_on, halted, envelope_record(guess.envelope)
    )
    wrong = envelope_record(sealed(base, guess, ((guess.seat, 1, "5"), ())))
    spoiled = _spoiled(base, "behind a note", guess, "rules.own_tile", halted, wrong, later=1)
    yield replace(spoiled, verdict={**(spoiled.verdict or {}), "notes": [["halted", "left", 1]]})


def _envelopes(base: Base) -> Iterator[Changed]:
    """Every way in which the form of an envelope can be wrong."""
    guess = base.kind("guess")[0]
    p, signer = guess.envelope.payload, base.table.who[guess.seat]
    fields: tuple[Value, ...] = (
        *(PROTOCOL_VERSION, p.session, p.seat, p.step, p.head, p.kind, p.body),
        (),
    )

    def signed(data: bytes) -> bytes:
        return encode((data, signer.sign(label("envelope"), data)))

    def changed(at: int, value: Value) -> bytes:
        return signed(encode((*fields[:at], value, *fields[at + 1 :])))

    data, signature = guess.envelope.data, guess.envelope.signature
    at = data.index(p.session) + len(p.session)
    for check, raw in (
        ("codec.canonical", guess.envelope.encode()[:-1]),
        ("codec.canonical", signed(data[:at] + b"\xcc" + data[at:])),
        ("envelope.shape", signed(encode(fields[:-1]))),
        ("envelope.version", changed(0, PROTOCOL_VERSION - 1)),
        ("envelope.session", changed(1, p.session[:31])),
        ("envelope.seat", changed(2, 16)),
        ("envelope.step", changed(3, "1")),
        ("envelope.head", changed(4, p.head + b"\0")),
        ("envelope.kind", changed(5, "")),
        ("envelope.backing", changed(7, (b"",) * 17)),
        ("envelope.signature", encode((data, signature[:32] + lifted(signature[32:])))),
    ):
        add = encode_record("envelope", raw)
        yield _spoiled(base, f"an envelope, {check}", guess, check, add)
    later = seal(replace(p, step=p.step + 1), signer)
    yield _spoiled(base, "of a later step", guess, "log.sequence", envelope_record(later))


def _orders(bases: Bases) -> Iterator[Changed]:
    """What is said first of an envelope that stands behind a higher seat's."""
    base = bases["classic"]
    one, two = base.kind("commit")
    short = sealed(base, one, ((bytes(31),), ()))
    yield _spoiled(
        base,
        "refused behind a higher seat",
        one,
        "commit.shape",
        envelope_record(two.envelope),
        envelope_record(short),
        later=1,
    )
    base = bases["resigning"]
    first, _, third, _ = base.kind("commit")
    yield _spoiled(
        base,
        "read before, behind a higher seat",
        first,
        "log.sequence",
        *(envelope_record(said.envelope) for said in (first, third, first)),
        later=2,
    )


# --- contracts -------------------------------------------------------------------------------


def broken_logs(base: Base) -> Iterator[Changed]:
    """Logs whose first contract fails each check."""
    contract = base.records[0]
    fields = as_array(decode(contract.data), "contract", length=8)
    players = fields[4]
    (key, _), other = [as_array(p, "player") for p in as_array(players, "players")]

    def changed(at: int, value: Value) -> tuple[Value, ...]:
        return (*fields[:at], value, *fields[at + 1 :])

    for name, check, made in (
        ("a field less", "contract.shape", fields[:-1]),
        ("another version", "contract.version", changed(1, PROTOCOL_VERSION - 1)),
        ("no name", "contract.players", changed(4, ((key, ""), other))),
        ("no table's name", "contract.table", changed(2, "")),
        ("no options", "contract.options", changed(3, ())),
        ("a key of order 8", "identity.key", changed(4, ((TORSION[8], "ana"), other))),
        ("a bad key of five", "identity.key", changed(4, (*((TORSION[8], "x"),) * 5,))),
        ("a seat that begins", "contract.first", changed(5, 0)),
        ("no fresh bytes", "contract.fresh", changed(6, ())),
        ("a seat that begins, no fresh bytes", "contract.fresh", (*changed(5, 0)[:6], (), None)),
    ):
        yield Changed(
            of=base.plan.name,
            name=f"unreadable: a contract with {name}",
            keep=contract.offset,
            add=encode_record("contract", encode(made)),
            error=check,
        )
