"""Logs that are cut, torn, forged or spoiled, each with what a verifier must say of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from p2p_davinci.session import placing
from p2p_davinci.session.contract import read_contract
from protocol import HEADER, Value, encode, encode_record, seal, seal_aside
from tests.support.crypto import flipped
from tests.support.table import each_proof_checked_once
from tests.support.vector_cases import Json
from tests.support.vector_corners import broken_logs, corners
from tests.support.vector_faults import faults
from tests.support.vector_forged import FORGERIES, Forged, forge, sealed
from tests.support.vector_lies import lies
from tests.support.vector_logs import Base, Changed, Said, bases, spoiled_verdict, whole
from tests.support.vector_play import Plan, play
from tests.support.vector_silence import silences


def logs() -> Json:
    """Return all logs: whole games, those made of them, and one that cannot be cut from another."""
    games = bases()
    with each_proof_checked_once():
        forged = [forge(games[forgery.game], forgery) for forgery in FORGERIES]
        forged += lies(games)
        changed = [_void(one) for one in forged]
        changed += [*_cut(games["classic"]), *_spoiled(games), *_unreadable(games["classic"])]
        changed += [*corners(games), *broken_logs(games["classic"])]
        changed += [*faults(games), *silences(games)]
        return {
            "games": [whole(game) for game in (*games.values(), _rightmost())],
            "changed": [one.shown() for one in changed],
        }


def _void(forged: Forged) -> Changed:
    blamed = {"seat": forged.seat, "step": forged.step, "check": forged.check}
    verdict: Json = {"blamed": [blamed], "check": None, "record": None}
    if forged.stands:
        status = "finished"
        more = {"receipts_missing": list(forged.stands), "winners": list(forged.winners)}
    else:
        status = "void"
        more = {"winners": [], "awaited": [], "receipts_missing": []}
    return Changed(
        of=forged.game,
        name=f"{status}: {forged.what}",
        keep=forged.keep,
        add=forged.tail,
        verdict={"status": status} | verdict | more,
    )


# --- cut -------------------------------------------------------------------------------------


def _cut(base: Base) -> Iterator[Changed]:
    def unfinished(
        name: str, said: Said, *awaited: int, add: bytes = b"", **more: Value
    ) -> Changed:
        verdict: Json = {"status": "unfinished", "awaited": list(awaited)} | more
        return Changed(of="classic", name=name, keep=said.offset, add=add, verdict=verdict)

    opened, taken = base.kind("open")[1], base.kind("take")[0]
    guess, answer = base.kind("guess")[1], base.kind("answer")[1]
    yield unfinished("before the second key", opened, 1)
    yield unfinished("before the hands", taken, 0, 1)
    yield unfinished("before an answer", answer, answer.seat)
    torn = base.log[answer.offset : answer.offset + 40]
    yield unfinished("torn", answer, answer.seat, add=torn, torn_bytes=40)
    yield unfinished("a tail of zeros", guess, guess.seat, add=bytes(512), torn_bytes=512)
    yield unfinished("three bytes", guess, guess.seat, add=b"\0\0\1", torn_bytes=3)
    for note, shown in (
        (("halted", "left", 1), ["halted", "left", 1]),
        (("halted", "quit", None), ["halted", "quit", None]),
        (("halted", "x", 0), ["halted", "x", 0]),
        (("suspicion", 1, 9, "envelope.signature"), ["suspicion", "envelope.signature", 1]),
        (("suspicion", 0, 2**64 - 1, "y"), ["suspicion", "y", 0]),
    ):
        record = encode_record("note", encode(note))
        yield replace(
            unfinished(f"a note: {shown[1]}", guess, guess.seat, add=record),
            verdict={"status": "unfinished", "awaited": [guess.seat], "notes": [shown]},
        )
    first, second = base.kind("receipt")
    yield _finished("no receipt", first, 0, 1)
    yield _finished("one receipt", second, 1)
    key = _finished("no key", base.kind("key")[0], 0, 1)
    head = base.kind("key")[0].envelope.payload.head.hex()
    yield replace(key, verdict={**(key.verdict or {}), "head": head})


def _finished(name: str, said: Said, *missing: int) -> Changed:
    verdict: Json = {"status": "finished", "receipts_missing": list(missing)}
    return Changed(of="classic", name=name, keep=said.offset, verdict=verdict)


# --- invalid ---------------------------------------------------------------------------------


def _spoiled(games: Mapping[str, Base]) -> Iterator[Changed]:
    base = games["classic"]
    commits, guess = base.kind("commit"), base.kind("guess")[0]
    number = {record.offset: index for index, record in enumerate(base.records)}
    end = [*(record.offset for record in base.records[1:]), len(base.log)]
    after = dict(zip(number, end, strict=True))

    def invalid(
        name: str, said: Said, check: str, add: bytes, resume: int | None = None, later: int = 0
    ) -> Changed:
        verdict = spoiled_verdict(base, said, check, number[said.offset] + later)
        return Changed(
            of="classic",
            name=f"invalid: {name}",
            keep=said.offset,
            add=add,
            resume=resume,
            verdict=verdict,
        )

    def enveloped(raw: bytes) -> bytes:
        return encode_record("envelope", raw)

    first, second = (base.log[said.offset : after[said.offset]] for said in commits)
    both = after[commits[1].offset]
    honest = guess.envelope.encode()
    yield invalid("two records swapped", commits[0], "log.seat_order", second + first, both, 1)
    yield invalid("a record twice", commits[1], "log.sequence", first)
    yield invalid("a record left out", guess, "log.sequence", b"", after[guess.offset])
    wrong = sealed(base, guess, ((guess.seat, 1, "5"), ()))
    unblamed = enveloped(wrong.encode())
    yield invalid("a fault that is no fault record", guess, "rules.own_tile", unblamed)
    unsigned = enveloped(flipped(honest, 8 * len(honest) - 8))
    yield invalid("a signature changed", guess, "envelope.signature", unsigned)
    stranger = seal(guess.envelope.payload, base.table.who[1 - guess.seat])
    yield invalid("signed by another", guess, "envelope.signature", enveloped(stranger.encode()))
    nobody = seal(replace(guess.envelope.payload, seat=7), base.table.who[0])
    yield invalid("of a seat that is not there", guess, "envelope.seat", enveloped(nobody.encode()))
    huge = sealed(base, guess, (bytes(40_000),))
    yield invalid("of 40,000 bytes", guess, "envelope.size", enveloped(huge.encode()))
    said = guess.envelope.payload
    elsewhere = {"session": replace(said, session=bytes(32)), "head": replace(said, head=bytes(32))}
    for what, payload in elsewhere.items():
        raw = seal(payload, base.table.who[guess.seat]).encode()
        yield invalid(f"of another {what}", guess, f"chain.{what}", enveloped(raw))
    fault = encode_record("fault", encode((honest,)))
    yield invalid("an honest message as a fault", guess, "log.fault", fault)
    convicting = encode_record("fault", encode((wrong.encode(),)))
    goes_on = convicting + enveloped(honest)
    yield invalid("play goes on after a fault", guess, "log.after_fault", goes_on, later=1)
    bad: tuple[tuple[Value, ...], ...] = (
        *((), ("halted",), ("halted", "left", 2), ("why", "", 0), ("why", "x", 0)),
        *(("suspicion", 0, 1, "x" * 65), ("suspicion", 2, 1, "x")),
    )
    for note in bad:
        add = encode_record("note", encode(note))
        what = " ".join("-" if value is None else str(value)[:8] for value in note)
        yield invalid(f"a bad note ({what})", guess, "log.note", add)
    contract = encode_record("contract", base.records[0].data)
    yield invalid("the contract again", guess, "log.contract", contract)
    yield from _spoiled_asides(games["clock"])
    yield from _spoiled_rounds(games["tournament"])
    last = base.kind("receipt")[1]
    yield Changed(
        of="classic",
        name="invalid: more after the end",
        keep=len(base.log),
        add=enveloped(last.envelope.encode()),
        verdict=spoiled_verdict(base, last, "log.sequence", len(base.records)),
    )


def _spoiled_asides(base: Base) -> Iterator[Changed]:
    at = next(index for index, record in enumerate(base.records) if record.kind == "aside")
    aside, following = base.records[at], base.records[at + 1]
    session = base.kind("shuffle")[0].envelope.payload.session
    for name, seat, signer, counter, where in (
        ("signed by another", 0, 1, 50, session),
        ("of a seat that is not there", 2, 0, 50, session),
        ("with no counter", 0, 0, 0, session),
        ("of another session", 0, 0, 50, bytes(32)),
    ):
        raw = seal_aside(
            session=where,
            seat=seat,
            counter=counter,
            head=bytes(32),
            kind="say",
            body="hello",
            signer=base.table.who[signer],
        ).encode()
        yield Changed(
            of="clock",
            name=f"invalid: an aside {name}",
            keep=aside.offset,
            add=encode_record("aside", raw),
            verdict={"status": "invalid", "check": "log.aside", "record": at},
        )
    yield Changed(
        of="clock",
        name="invalid: an aside twice",
        keep=following.offset,
        add=encode_record("aside", aside.data),
        verdict={"status": "invalid", "check": "log.aside", "record": at + 1},
    )


def _spoiled_rounds(base: Base) -> Iterator[Changed]:
    at = next(k for k, record in enumerate(base.records) if k and record.kind == "contract")
    contract = base.records[at]
    other = encode_record("contract", base.records[0].data)
    verdict: Json = {"status": "invalid", "check": "log.contract", "record": at}
    yield Changed(
        of="tournament",
        name="invalid: another second contract",
        keep=contract.offset,
        add=other,
        verdict=verdict,
    )
    yield Changed(
        of="tournament",
        name="after the first round",
        keep=base.records[at + 1].offset,
        verdict={"status": "unfinished", "awaited": [0, 1], "winners": []},
    )
    second = base.kind("receipt")[1]
    yield Changed(
        of="tournament",
        name="in the receipts of the first round",
        keep=second.offset,
        verdict={"status": "unfinished", "awaited": [second.seat], "winners": []},
    )
    yield Changed(
        of="tournament",
        name="the second round alone",
        keep=len(HEADER),
        resume=contract.offset,
        error="contract.previous",
    )


# --- unreadable ------------------------------------------------------------------------------


def _unreadable(base: Base) -> Iterator[Changed]:
    second = base.records[1]
    for name, keep, add, error, resume in (
        ("nothing", 0, b"", "log.magic", None),
        ("another beginning", 0, b"P", "log.magic", 1),
        ("cut in the header", 16, b"", "log.magic", None),
        ("another version", 16, b"\1", "log.version", 17),
        ("no contract", 17, b"", "log.contract", second.offset),
        ("too long a record", second.offset, (65_569).to_bytes(4, "big"), "log.record", None),
        ("a record of nothing", second.offset, bytes(4) + b"\1", "log.record", None),
        ("a record that is no pair", second.offset, b"\0\0\0\1\xc0", "log.record", None),
        ("an unknown kind", second.offset, encode_record("envelop", b""), "log.record", None),
        ("a contract of nothing", 17, encode_record("contract", b""), "codec.canonical", None),
        ("a contract of one player", 17, _alone(base.records[0].data), "contract.players", None),
    ):
        yield Changed(
            of="classic", name=f"unreadable: {name}", keep=keep, add=add, resume=resume, error=error
        )


def _alone(data: bytes) -> bytes:
    contract = read_contract(data)
    alone = replace(contract, players=contract.players[:1], fresh=contract.fresh[:1])
    return encode_record("contract", alone.encode())


# --- chance ----------------------------------------------------------------------------------


def _rightmost() -> Base:
    """A game in which an overdue turn leaves its tile at the rightmost of several slots."""
    plan = Plan(
        name="rightmost",
        about="An overdue turn left its tile at the rightmost of its slots; any would do.",
        options={"clock": "60+20"},
        hit=200,
        seed=8,
        events={"more 0": "clock"},
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(placing, "pick", lambda slots, _entropy: slots[-1])
        return Base(plan, play(plan))
