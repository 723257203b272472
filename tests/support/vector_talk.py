"""Vectors of what is signed, chained and committed to: envelopes to evidence, and contracts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from p2p_davinci.rules.options import PRESETS, Clock, Options
from p2p_davinci.session.contract import Contract, Player, Previous
from protocol.chain import (
    EVIDENCE_MAGIC,
    DoubleSpeaking,
    accept,
    close,
    encode_evidence,
    initial_head,
    open_step,
)
from protocol.codec import Value, encode, label
from protocol.coin import coin, commit, comparison, session_id
from protocol.envelope import Envelope, seal, seal_aside
from protocol.group import Point, edwards25519
from tests.support.crypto import TORSION, lifted, seeded
from tests.support.envelopes import HEAD, SESSION, payload, said, signer
from tests.support.vector_cases import KEYS, Json, case, shown

ANA, BO = signer(1), signer(2)
OTHER: Final = hashlib.sha256(b"another").digest()
_NAMES: Final = ("ana", "bo", "cy", "dee")


# --- envelopes and asides --------------------------------------------------------------------


def envelopes() -> Json:
    good = said()
    fields = (2, SESSION, 1, 7, HEAD, "draw", (0,), ())
    data = encode(fields)
    with_a_float = data[:-3] + b"\xca" + bytes(4) + data[-1:]
    cases = [
        *_signed("envelope", good.encode(), fields, ("step", 3)),
        case("the longest kind", raw=said(kind="!" * 8 + "~" * 8).encode(), key=ANA.public),
        case(
            "the last seat and step, the longest backing",
            raw=_packed((2, SESSION, 15, 2**32 - 1, HEAD, "k", None, (b"",) * 16)),
        ),
        case("with trailing bytes", "codec.canonical", raw=good.encode() + b"\0", key=ANA.public),
        case(
            "a float for a body",
            "codec.canonical",
            raw=_raw(with_a_float),
        ),
        case("payload not canonical", "codec.canonical", raw=_raw(_longer_seat(data))),
    ]
    for one in cases:
        one.setdefault("key", ANA.public.hex())
    return {"cases": cases}


def asides() -> Json:
    good = seal_aside(
        session=SESSION, seat=1, counter=1, head=HEAD, kind="say", body="hello", signer=ANA
    )
    fields = (2, SESSION, 1, 1, HEAD, "say", "hello", ())
    return {"cases": _signed("aside", good.encode(), fields, ("counter", 3))}


def _signed(
    what: str, good: bytes, fields: tuple[Value, ...], number: tuple[str, int]
) -> list[Json]:
    """Return a good one, and one broken for each check of form and signature."""
    name, at = number
    purpose = label(what)

    def changed(index: int, value: Value) -> bytes:
        return _packed((*fields[:index], value, *fields[index + 1 :]), purpose)

    data, other = encode(fields), (*fields[:5], "x", *fields[6:])
    signature = ANA.sign(purpose, data)
    elsewhere = label("aside" if what == "envelope" else "envelope")
    forged = encode((data, _torsioned(purpose + data)))
    bad = [
        ("not an array", f"{what}.shape", encode(data)),
        ("three parts", f"{what}.shape", encode((data, signature, None))),
        ("data is no bytes", f"{what}.shape", encode((7, signature))),
        ("payload is no array", f"{what}.shape", _raw(encode(7), purpose)),
        ("a field less", f"{what}.shape", _packed(fields[:-1], purpose)),
        ("a field more", f"{what}.shape", _packed((*fields, None), purpose)),
        ("no fields", f"{what}.version", _packed((), purpose)),
        ("version 1", f"{what}.version", changed(0, 1)),
        ("version true", f"{what}.version", changed(0, True)),
        ("a session of 31 bytes", f"{what}.session", changed(1, SESSION[:31])),
        ("seat 16", f"{what}.seat", changed(2, 16)),
        ("seat true", f"{what}.seat", changed(2, True)),
        (f"{name} 2**32", f"{what}.{name}", changed(at, 2**32)),
        (f"{name} is text", f"{what}.{name}", changed(at, "7")),
        ("a head of 33 bytes", f"{what}.head", changed(4, HEAD + b"\0")),
        ("no kind", f"{what}.kind", changed(5, "")),
        ("a kind of 17 characters", f"{what}.kind", changed(5, "k" * 17)),
        ("a kind with a space", f"{what}.kind", changed(5, "a b")),
        ("a kind that is bytes", f"{what}.kind", changed(5, b"draw")),
        ("a backing that is no array", f"{what}.backing", changed(7, b"")),
        ("a backing with text in it", f"{what}.backing", changed(7, ("",))),
        ("a backing of 17 items", f"{what}.backing", changed(7, (b"",) * 17)),
        ("a signature of 63 bytes", f"{what}.signature", encode((data, signature[:63]))),
        ("another payload's signature", f"{what}.signature", encode((encode(other), signature))),
        ("signed for something else", f"{what}.signature", _raw(data, elsewhere)),
        ("S plus the order", f"{what}.signature", encode((data, _lifted(signature)))),
        ("R with a part of order 8", f"{what}.signature", forged),
    ]
    return [
        case("good", raw=good, key=ANA.public, payload=hashlib.sha256(data).digest()),
        *(case(name, error, raw=raw, key=ANA.public) for name, error, raw in bad),
        case("under another key", f"{what}.signature", raw=good, key=BO.public),
        case("under a key of order 8", "identity.key", raw=good, key=TORSION[8]),
        case("under a key with a part of order 2", "identity.key", raw=good, key=_mixed_key()),
        case("under a key of 31 bytes", "identity.key", raw=good, key=ANA.public[:31]),
    ]


def _raw(data: bytes, purpose: bytes = label("envelope")) -> bytes:
    return encode((data, ANA.sign(purpose, data)))


def _packed(fields: tuple[Value, ...], purpose: bytes = label("envelope")) -> bytes:
    return _raw(encode(fields), purpose)


def _longer_seat(data: bytes) -> bytes:
    """Return a payload whose seat is written in two bytes."""
    at = data.index(SESSION) + len(SESSION)
    return data[:at] + b"\xcc" + data[at:]


def _lifted(signature: bytes) -> bytes:
    return signature[:32] + lifted(signature[32:])


def _mixed_key() -> bytes:
    return edwards25519.add(Point(ANA.public), Point(TORSION[2]))


def _torsioned(message: bytes) -> bytes:
    """Return ANA's signature with a torsioned R: good only where the cofactor is multiplied in."""
    digest = bytearray(hashlib.sha512(bytes([2]) * 32).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    secret = edwards25519.scalar(int.from_bytes(digest, "little"))
    nonce = edwards25519.reduce(hashlib.sha512(b"nonce" + message).digest())
    r = edwards25519.add(edwards25519.mul_base(nonce), Point(TORSION[8]))
    challenge = edwards25519.reduce(hashlib.sha512(r + ANA.public + message).digest())
    return r + edwards25519.scalar_add(nonce, edwards25519.scalar_mul(challenge, secret))


# --- steps -----------------------------------------------------------------------------------


def steps() -> Json:
    """Envelopes that arrive in one step, one after the other, and the head after it."""
    chain = open_step(SESSION, 7, HEAD, {0: {"draw"}, 1: {"draw", "resign"}, 3: {"shares"}})
    arriving: list[tuple[str, str | None, Envelope]] = [
        ("another session", "chain.session", said(session=OTHER)),
        ("the step before", "chain.step", said(step=6)),
        ("the step after", "chain.step", said(step=8)),
        ("a seat that need not speak", "chain.speaker", said(seat=2)),
        ("another head", "chain.head", said(head=OTHER)),
        ("a kind that is not allowed", "chain.kind", said(kind="guess")),
        ("seat 3 first", None, said(seat=3, kind="shares", body=(3,))),
        ("seat 1", None, said(kind="resign", body=(1,))),
        ("seat 1 once more, the same", None, said(kind="resign", body=(1,))),
        ("seat 1, something else", "chain.doubled", said(body=(1,))),
        ("seat 1, of another head", "chain.doubled", said(head=OTHER, kind="?")),
        ("seat 0", None, said(seat=0, body=(0,))),
    ]
    for _, error, envelope in arriving:
        if error is None:
            chain = accept(chain, envelope)
    return {
        "session": SESSION.hex(),
        "step": 7,
        "head": HEAD.hex(),
        "kinds": {"0": ["draw"], "1": ["draw", "resign"], "3": ["shares"]},
        "keys": {str(seat): signer(seat).public.hex() for seat in range(4)},
        "envelopes": [case(name, error, raw=e.encode()) for name, error, e in arriving],
        "head_after": close(chain).hex(),
        "initial_heads": [
            {"contract_hash": h.hex(), "head": initial_head(h).hex()} for h in (HEAD, OTHER)
        ],
    }


def opening() -> Json:
    """Commitments, session ids, coins and what is compared."""
    entropy = seeded("vectors, opening")
    nonces, fresh = [entropy(32) for _ in KEYS], entropy(32)
    commitments: list[Json] = [
        {"contract_hash": fresh, "seat": seat, "nonce": nonce, "key": key}
        | {"commitment": commit(fresh, seat, nonce, key)}
        for seat, (nonce, key) in enumerate(zip(nonces, KEYS, strict=True))
    ]
    session = session_id(fresh, nonces, KEYS)
    words, digits = comparison(session)
    sides = (1, 2, 3, 4, 200, 256)
    first = commitments[0]
    return {
        "commitments": [
            *(case(f"seat {one['seat']}", **one) for one in commitments),
            case("of another seat", "commit.mismatch", **first | {"seat": 1}),
            case("another nonce", "commit.mismatch", **first | {"nonce": nonces[1]}),
            case("another key", "commit.mismatch", **first | {"key": KEYS[1]}),
            case("another contract", "commit.mismatch", **first | {"contract_hash": OTHER}),
        ],
        "session": shown_values(
            {"contract_hash": fresh, "nonces": nonces, "keys": KEYS, "session": session}
        ),
        "coins": [
            shown_values({"nonces": some, "sides": s, "coin": coin(some, s)})
            for some in (nonces, nonces[:2])
            for s in sides
        ],
        "comparisons": [
            shown_values(
                {"session": one, "words": comparison(one)[0], "digits": comparison(one)[1]}
            )
            for one in (session, SESSION, HEAD)
        ],
        "compared": {"words": list(words), "digits": digits},
    }


def shown_values(values: Mapping[str, Any]) -> Json:
    return {key: shown(value) for key, value in values.items()}


# --- contracts -------------------------------------------------------------------------------


def contract(seats: int = 3, **changed: Any) -> Contract:
    """Return a good contract for so many players."""
    players = tuple(Player(key=signer(seat).public, name=_NAMES[seat]) for seat in range(seats))
    fresh = tuple(bytes([seat]) * 16 for seat in range(seats))
    fields: Json = {"table": "river-lamp", "options": Options(), "players": players}
    return Contract(**fields | {"first": None, "fresh": fresh} | changed)


def contracts() -> Json:
    previous = Previous(rounds=1, head=HEAD, totals=(3, 3, 0), playing=(0, 1))
    youngest = replace(Options(), first="youngest")
    clock = replace(PRESETS["standard"], clock=Clock(think_s=60, call_s=20))
    good = {f"preset {name}": contract(options=options) for name, options in PRESETS.items()}
    good |= {
        "two players, a clock": contract(2, options=clock),
        "four players, the third begins": contract(4, options=youngest, first=2),
        "an extra round of two among three": contract(options=youngest, first=1, previous=previous),
        "a table and names beyond ASCII": contract(table="\u7af9\u6797" * 10),
    }
    return {
        "cases": [
            *(case(name, raw=c.encode(), hash=c.hash) for name, c in good.items()),
            *(case(name, error, raw=raw) for name, error, raw in _bad_contracts(previous)),
        ]
    }


def _bad_contracts(previous: Previous) -> list[tuple[str, str, bytes]]:
    base = contract(previous=previous)
    title, version, table, options, players, first, fresh, before = _fields_of(base)

    def made(**changed: Value) -> bytes:
        fields: dict[str, Value] = {
            "title": title,
            "version": version,
            "table": table,
            "options": options,
            "players": players,
            "first": first,
            "fresh": fresh,
            "previous": before,
        }
        return encode(tuple((fields | changed).values()))

    def optioned(name: str, text: str) -> bytes:
        return made(options=tuple({**dict(base.options.fields()), name: text}.items()))

    one, two, three = [(p.key, p.name) for p in base.players]
    small, wrong, wrong_fresh = (TORSION[8], "cy"), "contract.previous", "contract.fresh"
    again = (2, HEAD, (0, 0, 0), (0, 1))
    pairs = base.options.fields()
    return [
        ("not msgpack", "codec.canonical", base.encode()[:-1]),
        ("a field more", "contract.shape", encode((*_fields_of(base), None))),
        ("not an array", "contract.shape", encode(title)),
        ("another title", "contract.version", made(title="p2p-davinci")),
        ("version 1", "contract.version", made(version=1)),
        ("one player", "contract.players", made(players=(one,), fresh=fresh_of(1))),
        ("five players", "contract.players", made(players=(one, two, three, *_more()))),
        ("one player twice", "contract.players", made(players=(one, two, one))),
        ("a key of 31 bytes", "contract.players", made(players=(one, two, (one[0][:31], "cy")))),
        ("a name of 65 bytes", "contract.players", made(players=(one, two, (three[0], "c" * 65)))),
        ("a name of nothing", "contract.players", made(players=(one, two, (three[0], "")))),
        ("a key of order 8", "identity.key", made(players=(one, two, small))),
        ("one player twice, and a bad key", "identity.key", made(players=(one, one, small))),
        ("a table of 65 bytes", "contract.table", made(table="t" * 65)),
        ("a table of nothing", "contract.table", made(table="")),
        ("options not in order", "contract.options", made(options=pairs[::-1])),
        ("an option missing", "contract.options", made(options=pairs[:-1])),
        ("no such value", "contract.options", optioned("jokers", "true")),
        ("rounds 10", "contract.options", optioned("rounds", "10")),
        ("hidden backs and bare numbers", "contract.options", optioned("backs", "hidden")),
        ("rounds without scoring", "contract.options", optioned("rounds", "2")),
        ("a clock of nothing", "contract.options", optioned("clock", "60+0")),
        ("a clock with a leading zero", "contract.options", optioned("clock", "060+20")),
        ("a seat begins where a coin decides", "contract.first", made(first=0)),
        ("a seat that is not there begins", "contract.first", made(first=3)),
        (
            "a seat begins that does not play",
            "contract.first",
            contract(
                options=replace(base.options, first="youngest"), first=2, previous=previous
            ).encode(),
        ),
        ("a seat that is not there, no fresh bytes", "contract.first", made(first=3, fresh=())),
        ("a seat where a coin decides, no fresh bytes", wrong_fresh, made(first=0, fresh=())),
        ("a seat where a coin decides, a bad previous", wrong, made(first=0, previous=())),
        ("fresh bytes of two players", "contract.fresh", made(fresh=fresh_of(2))),
        ("15 fresh bytes", "contract.fresh", made(fresh=(*fresh_of(2), bytes(15)))),
        ("previous without its head", wrong, made(previous=(*again[:1], *again[2:]))),
        ("points of two seats", wrong, made(previous=(*again[:2], (0, 0), again[3]))),
        ("one seat plays alone", wrong, made(previous=(*again[:3], (1,)))),
        ("seats that play out of order", wrong, made(previous=(*again[:3], (1, 0)))),
        ("a seat plays that is not there", wrong, made(previous=(*again[:3], (0, 3)))),
    ]


def _fields_of(given: Contract) -> tuple[Value, ...]:
    before = given.previous
    return (
        "p2p-davinci contract",
        2,
        given.table,
        given.options.fields(),
        tuple((player.key, player.name) for player in given.players),
        given.first,
        given.fresh,
        None if before is None else (before.rounds, before.head, before.totals, before.playing),
    )


def fresh_of(seats: int) -> tuple[bytes, ...]:
    return tuple(bytes([seat]) * 16 for seat in range(seats))


def _more() -> tuple[tuple[bytes, str], ...]:
    return tuple((signer(seat).public, f"player {seat}") for seat in (3, 4))


# --- evidence --------------------------------------------------------------------------------


def evidence() -> Json:
    first, second = said(body=(0,)), said(body=(1,))
    key = ANA.public

    def made(one: Envelope, other: Envelope, against: bytes = key) -> bytes:
        return encode_evidence(DoubleSpeaking(first=one, second=other), against)

    good = made(first, second)
    raws = (first.encode(), second.encode())
    forged = replace(second, signature=bytes(64))
    receipt = said(kind="receipt", head=OTHER)
    here, elsewhere = said(kind="receipt"), said(kind="receipt", head=OTHER, body=None)
    head = EVIDENCE_MAGIC
    bad = [
        ("another beginning", "evidence.magic", good[1:]),
        ("cut off", "codec.canonical", good[:-1]),
        ("version 1", "evidence.version", head + encode((1, key, *raws))),
        ("nothing in it", "evidence.version", head + encode(())),
        ("one envelope", "evidence.shape", head + encode((2, key, raws[0]))),
        ("a key of 31 bytes", "evidence.shape", head + encode((2, key[:31], *raws))),
        ("an envelope that is none", "envelope.shape", head + encode((2, key, raws[0], encode(7)))),
        ("two sessions", "evidence.session", made(first, said(session=OTHER, body=(1,)))),
        ("two steps", "evidence.step", made(first, said(step=8, body=(1,)))),
        ("the same twice", "evidence.same", made(first, first)),
        ("a receipt at another head", "evidence.receipt", made(first, receipt)),
        ("a receipt first", "evidence.receipt", made(receipt, first)),
        ("a forged signature", "evidence.signature", made(first, forged)),
        ("against somebody else", "evidence.signature", made(first, second, BO.public)),
        ("against a key of order 8", "identity.key", made(first, second, TORSION[8])),
        ("two seats", "evidence.seat", made(first, seal(payload(seat=2, body=(1,)), ANA))),
    ]
    return {
        "cases": [
            case("good", raw=good),
            case("another head is no excuse", raw=made(first, said(head=OTHER, body=(1,)))),
            case("nor is another kind", raw=made(first, said(kind="resign", body=(0,)))),
            case("a receipt at the same head", raw=made(first, here)),
            case("receipts at two heads", raw=made(receipt, elsewhere)),
            *(case(name, error, raw=raw) for name, error, raw in bad),
        ]
    }
