"""Corners of rounds, clocks and whole steps: see :mod:`.vector_corners`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from p2p_davinci.session import flow, placing, setup
from p2p_davinci.session.game import learn
from p2p_davinci.session.messages import read_body
from p2p_davinci.session.secrets import Made, Seat
from p2p_davinci.session.state import Round
from protocol import (
    PROTOCOL_VERSION,
    Envelope,
    Payload,
    Value,
    as_array,
    as_bytes,
    encode,
    encode_record,
    label,
    seal,
    seal_aside,
)
from protocol.group import edwards25519
from tests.support.vector_cases import KEYS, Json
from tests.support.vector_forged import sealed
from tests.support.vector_logs import Base, Changed, Said
from tests.support.vector_parts import (
    blame,
    envelope_record,
    fault_record,
    index_of,
    made_log,
    note_record,
)

# --- rounds ----------------------------------------------------------------------------------


def contracts(base: Base) -> Iterator[Changed]:
    at = next(k for k, record in enumerate(base.records) if k and record.kind == "contract")
    contract, following = base.records[at : at + 2]
    commit = next(said for said in base.kind("commit") if said.round == 1)
    points = as_array(read_body(base.kind("receipt")[0].envelope.payload.body).fields[1], "points")
    payload = commit.envelope.payload
    verdict: Json = {
        "status": "invalid",
        "check": "log.contract",
        "record": at,
        "head": payload.head.hex(),
        "points": [list(points), None],
        "winners": [],
        "awaited": [],
    }
    again = encode_record("contract", contract.data)
    twice = {**verdict, "record": at + 1}
    yield made_log(base, "invalid: the second contract twice", following.offset, twice, again)
    yield made_log(
        base, "invalid: no second contract", contract.offset, verdict, resume=following.offset
    )
    said = seal_aside(
        session=payload.session,
        seat=0,
        counter=1,
        head=payload.head,
        kind="say",
        body="hello",
        signer=base.table.who[0],
    )
    aside = encode_record("aside", said.encode())
    yield made_log(base, "invalid: an aside before the contract", contract.offset, verdict, aside)
    fault = fault_record(sealed(base, commit, ((bytes(31),), ())))
    yield made_log(base, "invalid: a fault before the contract", contract.offset, verdict, fault)
    yield made_log(
        base,
        "a note before the second contract",
        contract.offset,
        {"status": "unfinished", "awaited": [0, 1], "notes": [["halted", "quit", None]]},
        note_record("halted", "quit", None),
        again,
    )


def other_rounds(base: Base) -> Iterator[Changed]:
    """An envelope of the first round, of a step that it never had."""
    guess = base.kind("guess")[0]
    never = seal(replace(guess.envelope.payload, step=4000), base.table.who[guess.seat])
    for kind, check in (("commit", "log.sequence"), ("shuffle", "chain.session")):
        here = next(said for said in base.kind(kind) if said.round == 1)
        verdict: Json = {"status": "invalid", "check": check, "record": index_of(base, here)}
        name = f"invalid: a step that no round had, at {kind}"
        yield made_log(base, name, here.offset, verdict, envelope_record(never))


def resigned_beside(base: Base) -> Changed:
    """Who does not play the extra round resigns in the shares of a draw; the draw goes on."""
    shares = [said for said in base.kind("shares") if said.round == 1]
    draw = next(said for said in base.kind("draw") if said.round == 1)
    beside = next(s for s in shares if s.step == draw.step + 1 and s.seat == 0)
    others = [s for s in shares if s.step == beside.step and s.seat != 0]
    secret = base.seat_of(beside).secrets.key
    resigned = sealed(base, beside, ((secret,), ()), kind="resign")
    verdict: Json = {"status": "unfinished", "awaited": [draw.seat]}
    records = (envelope_record(resigned), *(envelope_record(said.envelope) for said in others))
    return made_log(base, "one who does not play resigns", beside.step_offset, verdict, *records)


# --- the clock -------------------------------------------------------------------------------


def clock(base: Base) -> Iterator[Changed]:
    guess = next(s for s in base.kind("overdue") if base.game_at(s).round.step == "guess")
    draws = [s for s in base.kind("draw") if s.step < guess.step]
    heads = [s.envelope.payload.head for s in draws]
    caller = 1 - guess.seat

    def called(head: bytes) -> tuple[Value, ...]:
        """The fields of a clock call."""
        session = guess.envelope.payload.session
        return (PROTOCOL_VERSION, session, caller, 9, head, "clock", None, ())

    def signed(fields: tuple[Value, ...]) -> bytes:
        data = encode(fields)
        return encode((data, base.table.who[caller].sign(label("aside"), data)))

    def overdue(call: bytes) -> Envelope:
        return sealed(base, guess, ((call, None), ()))

    def void(name: str, check: str, envelope: Envelope, said: Said = guess) -> Changed:
        verdict: Json = {"status": "void", "blamed": blame(said, check)}
        return made_log(
            base, f"void: overdue: {name}", said.step_offset, verdict, fault_record(envelope)
        )

    good: Json = {"status": "unfinished", "awaited": [guess.seat]}
    since_draw = envelope_record(overdue(signed(called(heads[-1]))))
    yield made_log(base, "called before the draw, overdue after it", guess.offset, good, since_draw)
    yield void("called in the turn before", "overdue.call", overdue(signed(called(heads[-2]))))
    fields = called(heads[-1])
    for at, value, check in (
        (0, PROTOCOL_VERSION - 1, "aside.version"),
        (1, b"", "aside.session"),
        (2, "0", "aside.seat"),
        (3, "9", "aside.counter"),
        (4, b"", "aside.head"),
        (5, "", "aside.kind"),
        (7, (0,), "aside.backing"),
    ):
        bad: tuple[Value, ...] = (*fields[:at], value, *fields[at + 1 :])
        yield void(check, check, overdue(signed(bad)))
    yield void("aside.shape", "aside.shape", overdue(signed(fields[:-1])))
    more = next(s for s in base.kind("overdue") if base.game_at(s).round.step == "more")
    body = read_body(more.envelope.payload.body)

    def changed(at: int, value: Value) -> Envelope:
        parts = (*body.fields[:at], value, *body.fields[at + 1 :])
        return sealed(base, more, replace(body, fields=parts).encode())

    yield void("no such deck after a hit", "overdue.shape", changed(1, 2), more)
    yield void("a slot that is text", "overdue.shape", changed(2, "1"), more)
    wrong = signed(called(heads[0]))
    for name, value, check in (
        ("a bad value before a bad call", KEYS[0][:31], "point.length"),
        ("a bad call before bad proofs", KEYS[0], "overdue.call"),
    ):
        parts = (wrong, *body.fields[1:3], value, *body.fields[4:])
        yield void(name, check, sealed(base, more, replace(body, fields=parts).encode()), more)
    call = as_bytes(body.fields[0], "call")
    yield void("a deck after a hit", "rules.deck_unwanted", _drawing(base, more, call), more)


def _drawing(base: Base, said: Said, call: bytes) -> Envelope:
    """An overdue turn after a hit, good but for the deck that it names."""
    me = base.seat_of(said)
    game = learn(replace(base.game_at(said), seat=said.seat, secrets=me.secrets))
    me = replace(me, secrets=game.secrets or me.secrets)
    slot = placing.slots_for(game.round, me)[0]
    made = placing._make_hidden(game.round, me, slot, (call, 0))
    return sealed(base, said, made.body.encode())


# --- what only a whole step shows ------------------------------------------------------------


def cancelling_keys(base: Base) -> Changed:
    """Two players whose keys add up to nothing; both know their own."""
    commit = base.kind("commit")[0]
    one, two = base.seat_of(commit, 0), base.seat_of(commit, 1)
    minus = edwards25519.scalar_sub(edwards25519.zero, one.secrets.key)
    two = replace(two, secrets=replace(two.secrets, key=minus))
    round_, records = base.game_at(commit).round, b""
    for me in (one, two):
        round_, said = _spoken(round_, me, "commit", setup.make_commit(round_, me))
        records += envelope_record(said)
    round_ = flow.close(round_)
    round_, said = _spoken(round_, one, "open", setup.make_open(round_, one))
    records += envelope_record(said)
    _, last = _spoken(round_, two, "open", setup.make_open(round_, two))
    verdict: Json = {
        "status": "void",
        "blamed": [{"seat": 1, "step": 1, "check": "key.identity"}],
        "points": [None],
        "head": last.payload.head.hex(),
    }
    return made_log(
        base, "void: keys that cancel out", commit.offset, verdict, records, fault_record(last)
    )


def _spoken(round_: Round, me: Seat, kind: str, made: Made) -> tuple[Round, Envelope]:
    payload = Payload(
        session=round_.chain.session,
        seat=me.seat,
        step=round_.chain.step.number,
        head=round_.chain.step.head,
        kind=kind,
        body=made.body.encode(),
    )
    envelope = seal(payload, me.signer)
    return flow.hear(round_, envelope, flow.check(round_, envelope)), envelope
