"""Logs of games that went on without somebody: votes, promises, claims, and what is wrong there.

Expected verdicts are written down here from SPEC, never taken from what our code says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from protocol import (
    DROP_KIND,
    PROMISE_KIND,
    Aside,
    Payload,
    Record,
    Value,
    encode_record,
    read_aside,
    seal,
    seal_aside,
)
from tests.support.crypto import flipped
from tests.support.vector_cases import Json
from tests.support.vector_logs import Base, Changed
from tests.support.vector_parts import envelope_record, fault_record, made_log


def silences(bases: Mapping[str, Base]) -> Iterator[Changed]:
    two, turn = bases["going on without two"], bases["going on without the one in turn"]
    yield from _votes(two)
    yield from _contradictions(two)
    yield from _in_a_record(two)
    yield from _behind_a_drop(two)
    yield _taken_back(turn)
    yield from _late(bases["a late message"])
    yield from _claims(bases["claimed"])


def _asides(base: Base) -> list[Record]:
    return [record for record in base.records if record.kind == "aside"]


def _end(base: Base, record: Record) -> int:
    """Where the record behind this one begins."""
    ends = [*(one.offset for one in base.records), len(base.log)]
    return ends[base.records.index(record) + 1]


def _signed(base: Base, like: Aside, seat: int, kind: str, body: Value, counter: int = 0) -> Aside:
    """Return what ``seat`` might have signed at the head of another vote."""
    return seal_aside(
        session=like.session,
        seat=seat,
        counter=counter,
        head=like.head,
        kind=kind,
        body=body,
        signer=base.table.who[seat],
    )


def _invalid(base: Base, name: str, record: Record, check: str, add: bytes) -> Changed:
    """A log that is wrong in what is put before a record of the game's."""
    verdict: Json = {"status": "invalid", "check": check, "record": base.records.index(record)}
    return made_log(base, f"invalid: {name}", record.offset, verdict, add)


# --- votes -----------------------------------------------------------------------------------


def _votes(base: Base) -> Iterator[Changed]:
    """Three vote about seat 3, in the shares of the first draw, which is seat 2's."""
    first, second, third = _asides(base)[:3]
    vote = read_aside(first.data)
    open_: Json = {"status": "unfinished", "awaited": [0, 1, 3], "dropped": []}
    yield made_log(base, "before the last vote", third.offset, open_)
    gone: Json = {"status": "unfinished", "awaited": [2], "dropped": [3], "receipts_missing": []}
    yield made_log(base, "behind the last vote", _end(base, third), gone)
    promise = _signed(base, vote, 1, PROMISE_KIND, (3, bytes(32)))
    yield made_log(base, "a promise", second.offset, open_, _record(promise))
    not_new = encode_record("aside", first.data)
    yield _invalid(base, "a vote twice", second, "log.aside", not_new)
    for name, seat, kind, body, counter in (
        ("about oneself", 1, DROP_KIND, 1, 0),
        ("by the silent seat", 3, DROP_KIND, 3, 0),
        ("about who need not speak", 1, DROP_KIND, 2, 0),
        ("about nobody", 1, DROP_KIND, None, 0),
        ("about a seat that is not there", 1, DROP_KIND, 4, 0),
        ("with a number", 1, DROP_KIND, 3, 1),
        ("that is a promise of 31 bytes", 1, PROMISE_KIND, (3, bytes(31)), 0),
        ("that is a claim where four are in", 2, "claim", None, 0),
    ):
        aside = _signed(base, vote, seat, kind, body, counter)
        yield _invalid(base, f"a vote {name}", second, "log.aside", _record(aside))
    elsewhere = _signed(base, replace(vote, head=bytes(32)), 1, DROP_KIND, 3)
    yield _invalid(base, "a vote at no head", second, "log.aside", _record(elsewhere))


def _in_a_record(base: Base) -> Iterator[Changed]:
    """Votes in a fault record drop nobody, so what is said behind a drop is early there."""
    third = _asides(base)[2]
    guess = base.kind("guess")[0]
    wrong = replace(guess.envelope.payload, body=((guess.seat, 1, "5"), ()))
    lie = seal(wrong, base.table.who[guess.seat])
    for name, items in (
        ("the last vote, and a wrong guess behind it", (third.data, lie.encode())),
        ("a wrong guess behind a drop that is none yet", (lie.encode(),)),
        ("the last vote", (third.data,)),
    ):
        yield _invalid(base, f"in a record, {name}", third, "log.fault", fault_record(*items))
    following = next(record for record in base.records if record.offset == guess.offset)
    verdict: Json = {
        "status": "void",
        "blamed": [{"seat": guess.seat, "step": guess.step, "check": "rules.own_tile"}],
        "dropped": [3],
    }
    name = "void: a wrong guess behind a drop"
    yield made_log(base, name, following.offset, verdict, fault_record(lie))


def _record(aside: Aside) -> bytes:
    return encode_record("aside", aside.encode())


def _contradictions(base: Base) -> Iterator[Changed]:
    first, second, _ = _asides(base)[:3]
    vote = read_aside(first.data)
    step = base.kind("draw")[0].step + 1

    def signed(kind: str, body: Value) -> Aside:
        return _signed(base, vote, vote.seat, kind, body)

    one, other = (signed(PROMISE_KIND, (3, bytes([k]) * 32)) for k in (1, 2))
    about_another = signed(DROP_KIND, 1)
    verdict: Json = {
        "status": "void",
        "blamed": [{"seat": vote.seat, "step": step, "check": "drop.contradiction"}],
        "head": vote.head.hex(),
        "winners": [],
        "awaited": [],
        "dropped": [],
    }
    for name, pair in (
        ("a vote and a promise", (vote, one)),
        ("a promise and a vote", (one, vote)),
        ("two promises", (one, other)),
        ("two votes", (vote, about_another)),
    ):
        at = first.offset
        raws = tuple(aside.encode() for aside in pair)
        yield made_log(base, f"void: {name}", at, verdict, fault_record(*raws))
    alone = fault_record(one.encode())
    yield _invalid(base, "a promise alone against a vote in the log", second, "log.fault", alone)
    same = fault_record(first.data, first.data)
    yield _invalid(base, "one vote as a fault", first, "log.fault", same)
    yield _invalid(base, "a contradiction unblamed", second, "drop.contradiction", _record(one))


# --- what follows ----------------------------------------------------------------------------


def _behind_a_drop(base: Base) -> Iterator[Changed]:
    """Seat 3 was dropped in the step behind the draw; who drew then guesses without a tile."""
    guess = base.kind("guess")[0]
    following = next(r for r in base.records if r.offset == guess.offset)
    late = guess.envelope.payload
    again = seal(replace(late, seat=3), base.table.who[3])
    add = envelope_record(again)
    yield _invalid(base, "the dropped one speaks", following, "chain.speaker", add)
    past = replace(late, seat=3, step=late.step - 1, head=bytes(32))
    for name, payload in (
        ("what the dropped one said", past),
        ("what another said in a step that was dropped", replace(past, seat=0)),
        ("of the dropped one, at another head", replace(late, seat=3, head=bytes(32))),
    ):
        envelope = seal(payload, base.table.who[payload.seat])
        yield _invalid(base, name, following, "log.sequence", envelope_record(envelope))
    speaker: Json = {
        "status": "void",
        "blamed": [{"seat": 3, "step": late.step, "check": "chain.speaker"}],
        "dropped": [3],
    }
    name = "void: the dropped one speaks"
    yield made_log(base, name, guess.offset, speaker, fault_record(again))


def _taken_back(base: Base) -> Changed:
    """Seat 1 drew and was dropped; one who is out might have heard it guess before the votes."""
    first = _asides(base)[0]
    last_shares = max(said.step for said in base.kind("shares"))
    vote = read_aside(first.data)
    payload = replace(
        base.kind("guess")[0].envelope.payload,
        seat=1,
        step=last_shares + 1,
        head=vote.head,
        body=((0, _standing(base, 0), "5"), ()),
    )
    guess = envelope_record(seal(payload, base.table.who[1]))
    verdict = {
        "status": "finished",
        "winners": [base.kind("key")[-1].seat],
        "head": base.kind("receipt")[0].envelope.payload.head.hex(),
        "dropped": [1],
        "receipts_missing": [],
    }
    return made_log(base, "taken back", first.offset, verdict, guess, resume=first.offset)


def _standing(base: Base, seat: int) -> int:
    """A slot of a row whose piece stands when the votes are read."""
    last = max(base.kind("shares"), key=lambda said: said.step)
    row = base.game_at(last).round.board.rows[seat]
    return next(slot for slot, piece in enumerate(row, 1) if piece.standing)


# --- a late message --------------------------------------------------------------------------


def _late(base: Base) -> Iterator[Changed]:
    """Seat 0 has voted about a guess and accepted it late: its next word holds a promise.

    The game is cut off there.
    """
    vote, *promises = (read_aside(record.data) for record in _asides(base))
    plain = next(p for p in promises if p.seat != 0)
    late = next(p for p in promises if p.seat == 0)
    word = next(said for said in base.said if said.envelope.payload.backing)
    guess = max(s.step for s in base.kind("guess") if s.envelope.payload.head == vote.head)
    bare = replace(word.envelope.payload, backing=())

    def sealed(payload: Payload, *items: bytes) -> bytes:
        return seal(replace(payload, backing=items), base.table.who[0]).encode()

    def again(like: Aside, *items: bytes, seat: int = 0, body: Value = None) -> bytes:
        return seal_aside(
            session=like.session,
            seat=seat,
            counter=0,
            head=like.head,
            kind=PROMISE_KIND,
            body=like.body if body is None else body,
            backing=items,
            signer=base.table.who[seat],
        ).encode()

    def void(name: str, check: str, step: int, *items: bytes, seat: int = 0) -> Changed:
        blamed: Json = {"seat": seat, "step": step, "check": check}
        verdict: Json = {"status": "void", "blamed": [blamed], "winners": [], "dropped": []}
        return made_log(base, f"void: {name}", word.offset, verdict, fault_record(*items))

    against = "drop.contradiction"
    yield void("a vote and a later word", against, guess, vote.encode(), sealed(bare))
    yield void("a later word and a vote", against, guess, sealed(bare), vote.encode())
    yield void("a later word beside the vote in the log", against, guess, sealed(bare))
    yield void("a vote and a plain promise", against, guess, vote.encode(), again(late))
    taken = _signed(base, vote, plain.seat, DROP_KIND, vote.body)
    pair = (plain.encode(), taken.encode())
    yield void("the promise taken back", against, guess, *pair, seat=plain.seat)
    honest = fault_record(vote.encode(), word.envelope.encode())
    at = next(record for record in base.records if record.offset == word.offset)
    yield _invalid(base, "a vote and a later word with its promise", at, "log.fault", honest)
    honest = fault_record(vote.encode(), late.encode())
    yield _invalid(base, "a vote and a promise with its promise", at, "log.fault", honest)
    bald = encode_record("envelope", sealed(bare))
    yield _invalid(base, "a later word without its promise", at, against, bald)
    speaker = plain.body[0] if isinstance(plain.body, tuple) else None
    for name, item in (
        ("nothing", b""),
        ("a vote", vote.encode()),
        ("a promise of its own", again(late)),
        ("a promise of the silent seat", again(plain, seat=_seat(speaker))),
        ("a promise of another payload", again(plain, seat=plain.seat, body=(speaker, bytes(32)))),
        ("a promise that relies on another", again(plain, late.backing[0], seat=plain.seat)),
        ("a promise with a bad signature", flipped(plain.encode(), -1)),
        ("a promise about no head", _promise_at(base, plain, bytes(32))),
        ("a promise about its own head", _promise_at(base, plain, bare.head)),
    ):
        yield void(f"backed by {name}", "drop.backing", bare.step, sealed(bare, item))
        if name != "a promise of another payload":
            aside = encode_record("aside", again(late, item))
            # Promises in a backing count as read: this one contradicts the vote.
            check = against if name == "a promise of its own" else "log.aside"
            yield _invalid(base, f"a promise backed by {name}", at, check, aside)


def _seat(value: Value) -> int:
    if not isinstance(value, int):
        raise TypeError(f"no seat: {value!r}")
    return value


def _promise_at(base: Base, like: Aside, head: bytes) -> bytes:
    moved = replace(like, head=head)
    return _signed(base, moved, like.seat, PROMISE_KIND, like.body).encode()


# --- claims ----------------------------------------------------------------------------------


def _claims(base: Base) -> Iterator[Changed]:
    """Seat 0 claims the game when a draw is seat 1's."""
    (record,) = _asides(base)
    claim, end = read_aside(record.data), _end(base, record)
    verdict: Json = {"status": "finished", "claimed": 0, "winners": [], "receipts_missing": []}
    yield made_log(base, "the claim alone", end, verdict)
    for name, seat, body, counter in (
        ("by who is awaited", 1, None, 0),
        ("with a number", 0, None, 1),
        ("with a body", 0, 1, 0),
        ("by nobody", 2, None, 0),
    ):
        signer = min(seat, 1)
        aside = seal_aside(
            session=claim.session,
            seat=seat,
            counter=counter,
            head=claim.head,
            kind="claim",
            body=body,
            signer=base.table.who[signer],
        )
        yield _invalid(base, f"a claim {name}", record, "log.aside", _record(aside))
    elsewhere = _signed(base, replace(claim, head=bytes(32)), 0, "claim", None)
    yield _invalid(base, "a claim at another head", record, "log.aside", _record(elsewhere))
    payload = replace(base.said[-1].envelope.payload, seat=1, kind="draw", body=((0,), ()))
    last = max(base.said, key=lambda said: said.step)
    draw = replace(payload, step=last.step + 1, head=claim.head)
    said = _signed(base, claim, 0, "say", "hello", 1)
    for name, check, add in (
        ("play goes on", "log.sequence", envelope_record(seal(draw, base.table.who[1]))),
        ("somebody talks", "log.aside", _record(said)),
        ("the claim again", "log.aside", encode_record("aside", record.data)),
        ("a fault", "log.fault", fault_record(last.envelope)),
        ("the contract", "log.contract", encode_record("contract", base.records[0].data)),
    ):
        spoiled: Json = {
            "status": "invalid",
            "check": check,
            "record": base.records.index(record) + 1,
            "claimed": None,
        }
        yield made_log(base, f"invalid: behind a claim, {name}", end, spoiled, add)
