"""Logs in which somebody cheats: one honest message changed, signed again, and recorded as a fault.

Each names the check that must refuse it. Most change a body and leave its proofs; where a check
stands behind a proof, the proof is made anew with the secrets of whoever cheats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from p2p_davinci.session.messages import Body, read_body
from protocol import Envelope, Payload, Value, encode, encode_record, seal
from protocol.group import edwards25519
from tests.support.crypto import TORSION, flipped
from tests.support.vector_cases import KEYS, SECRETS
from tests.support.vector_logs import Base, Said

Change: TypeAlias = Callable[[Body], Body]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgery:
    """A message that fails ``check``: the ``which``-th of a kind in a game, changed."""

    game: str
    kind: str
    what: str
    check: str
    change: Change
    which: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forged:
    """A log made of a game's log: its first ``keep`` bytes and a fault record."""

    game: str
    what: str
    check: str
    seat: int
    step: int
    keep: int
    tail: bytes
    stands: tuple[int, ...] = ()
    """Whose receipts are missing, if the result stands although somebody cheated."""
    winners: tuple[int, ...] = ()
    """Who has won all the same."""


def sealed(base: Base, said: Said, body: Value, *, kind: str | None = None) -> Envelope:
    """Return what the speaker of ``said`` might have said in its place."""
    payload: Payload = replace(said.envelope.payload, body=body)
    if kind is not None:
        payload = replace(payload, kind=kind)
    return seal(payload, base.table.who[said.seat])


def convicted(base: Base, said: Said, what: str, check: str, *envelopes: Envelope) -> Forged:
    """Return the log in which ``envelopes`` are recorded as a fault in the step of ``said``."""
    tail = encode_record("fault", encode(tuple(e.encode() for e in envelopes)))
    last = envelopes[-1].payload
    return Forged(
        game=base.plan.name,
        what=what,
        check=check,
        seat=last.seat,
        step=last.step,
        keep=said.step_offset,
        tail=tail,
    )


def forge(base: Base, forgery: Forgery) -> Forged:
    said = base.kind(forgery.kind)[forgery.which]
    body = forgery.change(read_body(said.envelope.payload.body))
    envelope = sealed(base, said, body.encode())
    found = convicted(base, said, f"{forgery.kind}: {forgery.what}", forgery.check, envelope)
    # The games in which the winner's key or a last receipt is forged are not scored.
    last_receipt = forgery.kind == "receipt" and said.round == base.said[-1].round
    if last_receipt or said == base.kind("key")[-1]:
        seats = tuple(sorted({one.seat for one in base.kind("receipt")}))
        won = tuple(one.seat for one in base.kind("key")[-1:] if one.seat != found.seat)
        return replace(found, stands=seats, winners=won)
    return found


# --- ways to change a body -------------------------------------------------------------------


def fields(*values: Value) -> Change:
    """Put these in the place of all fields."""
    return lambda body: replace(body, fields=values)


def field(at: int, change: Callable[[Value], Value] | Value) -> Change:
    """Change one field, or put a value in its place."""

    def changed(body: Body) -> Body:
        value = change(body.fields[at]) if callable(change) else change
        return replace(body, fields=(*body.fields[:at], value, *body.fields[at + 1 :]))

    return changed


def proof(at: int, change: Callable[[bytes], bytes]) -> Change:
    """Change one proof."""
    return lambda body: replace(
        body, proofs=(*body.proofs[:at], change(body.proofs[at]), *body.proofs[at + 1 :])
    )


def shorter(value: Value, by: int = 32) -> Value:
    return value[:-by] if isinstance(value, bytes) else value


def bent(value: bytes) -> bytes:
    """Change the last response of a proof."""
    return flipped(value, 8 * len(value) - 256)


def spoiled(value: Value) -> Value:
    return flipped(value, 0) if isinstance(value, bytes) else value


def first_item(change: Callable[[Value], Value]) -> Callable[[Value], Value]:
    return lambda value: (change(value[0]), *value[1:]) if isinstance(value, tuple) else value


def swapped(value: Value) -> Value:
    """Exchange the first two tiles of a deck, or the first two shares."""
    if not isinstance(value, bytes):
        return value
    size = 64 if len(value) > 512 else 32
    return value[size : 2 * size] + value[:size] + value[2 * size :]


def backwards(value: Value) -> Value:
    return value[::-1] if isinstance(value, tuple) else value


def other_seat(value: Value) -> Value:
    return 1 - value if isinstance(value, int) else value


def swapped_proofs(body: Body) -> Body:
    return replace(body, proofs=body.proofs[::-1])


def both(one: Change, other: Change) -> Change:
    return lambda body: other(one(body))


def rest(value: Value) -> bytes:
    """Return all points of a field but the first."""
    return value[32:] if isinstance(value, bytes) else b""


def unreduced(value: bytes) -> bytes:
    """Put a number above q in the place of the last response."""
    return value[:-32] + b"\xff" * 32


def missing(_: bytes) -> bytes:
    return b""


VALUES_FIRST = both(proof(0, unreduced), proof(1, bent))
VALUES_ALONE = both(proof(0, bent), proof(1, missing))
ORDER_LAST = both(field(0, (0, 0, 1, 2)), field(3, lambda v: TORSION[8] + rest(v)))
DECKS_FIRST = both(proof(0, bent), field(1, first_item(shorter)))
ZERO, ORDER = bytes(32), edwards25519.order.to_bytes(32, "little")


# --- the list --------------------------------------------------------------------------------


def _f(game: str, kind: str, what: str, check: str, change: Change, which: int = 0) -> Forgery:
    return Forgery(game=game, kind=kind, what=what, check=check, change=change, which=which)


FORGERIES: Final = (
    _f("classic", "commit", "31 bytes", "commit.shape", field(0, lambda v: shorter(v, 1))),
    _f("classic", "commit", "with a proof", "commit.shape", lambda b: replace(b, proofs=(b"",))),
    _f("classic", "open", "another nonce", "commit.mismatch", field(0, spoiled)),
    _f("classic", "open", "another key", "commit.mismatch", field(1, KEYS[0])),
    _f("classic", "open", "a nonce of 31 bytes", "open.shape", field(0, lambda v: shorter(v, 1))),
    _f("classic", "open", "a key of order 8", "point.encoding", field(1, TORSION[8])),
    _f("classic", "open", "a bad proof", "sigma.equation", proof(0, bent)),
    _f("classic", "open", "a bad nonce first", "open.shape", fields(bytes(31), TORSION[8])),
    _f("classic", "shuffle", "not reduced", "sigma.scalar", proof(0, unreduced)),
    _f("classic", "shuffle", "one deck", "shuffle.shape", lambda b: Body(fields=b.fields[:1])),
    _f("classic", "shuffle", "12 tiles", "point.length", field(0, first_item(shorter))),
    _f("classic", "shuffle", "swapped", "sigma.equation", field(0, first_item(swapped))),
    _f("classic", "shuffle", "the proofs swapped", "sigma.equation", swapped_proofs, 1),
    _f("classic", "take", "five tiles", "take.size", fields((2, 3))),
    _f("classic", "take", "three tiles", "take.size", fields((2, 1))),
    _f("classic", "take", "one number", "take.shape", fields((4,))),
    _f("classic", "take", "five of one", "take.shape", fields((5, 0))),
    _f("classic", "shares", "one less", "point.length", field(0, shorter)),
    _f("classic", "shares", "two swapped", "sigma.equation", field(0, swapped)),
    _f("classic", "shares", "no proof", "shares.shape", lambda b: Body(fields=b.fields)),
    _f("classic", "shares", "of a draw, spoiled", "sigma.equation", proof(0, bent), 2),
    _f("classic", "arrange", "one tile twice", "arrange.order", field(0, (0, 0, 1, 2))),
    _f("classic", "arrange", "three tiles", "arrange.shape", field(0, (0, 1, 2))),
    _f("classic", "arrange", "the other way round", "sigma.equation", field(0, backwards)),
    _f("classic", "arrange", "keys are no bytes", "arrange.shape", field(2, None)),
    _f("classic", "arrange", "a digit less", "point.length", field(3, shorter)),
    _f("classic", "arrange", "bad values", "sigma.equation", proof(0, bent)),
    _f("classic", "arrange", "bad order", "sigma.equation", proof(1, bent)),
    _f("classic", "arrange", "no order proof", "sigma.length", proof(1, lambda _: b"")),
    _f("classic", "arrange", "values before order", "sigma.scalar", VALUES_FIRST),
    _f("classic", "arrange", "values alone", "sigma.equation", VALUES_ALONE),
    _f("classic", "arrange", "points before the order", "point.encoding", ORDER_LAST),
    _f("classic", "shuffle", "fields before proofs", "point.length", DECKS_FIRST),
    _f("classic", "draw", "no such deck", "draw.shape", fields(2)),
    _f("classic", "draw", "two decks", "draw.shape", fields(0, 1)),
    _f("classic", "guess", "no such seat", "guess.shape", field(0, 2)),
    _f("classic", "guess", "a call that is a number", "guess.shape", field(2, 5)),
    _f("classic", "guess", "no such number", "guess.call", field(2, "b13")),
    _f("classic", "guess", "a leading zero", "guess.call", field(2, "05")),
    _f("classic", "guess", "no such tile", "rules.no_such_tile", field(2, "b12")),
    _f("classic", "guess", "no such slot", "rules.no_such_slot", field(1, 0)),
    _f("classic", "place", "a slot that is text", "place.shape", field(0, "1")),
    _f("28 tiles", "key", "of one out, another", "key.secret", fields(SECRETS[0])),
    _f("28 tiles", "key", "of one out, zero", "key.zero", fields(ZERO)),
    _f("28 tiles", "key", "of one out, nothing", "key.shape", fields()),
    _f("classic", "key", "of another", "key.secret", fields(SECRETS[0])),
    _f("classic", "key", "zero", "key.zero", fields(ZERO)),
    _f("classic", "key", "not reduced", "scalar.range", fields(ORDER)),
    _f("classic", "key", "31 bytes", "scalar.length", field(0, lambda v: shorter(v, 1))),
    _f("classic", "key", "nothing", "key.shape", fields()),
    _f("classic", "receipt", "another winner", "receipt.result", field(0, other_seat)),
    _f("classic", "receipt", "points where none are given", "receipt.result", field(1, (1, 0))),
    _f("classic", "receipt", "points of one", "receipt.shape", field(1, (0,))),
    _f("classic", "receipt", "fresh bytes for no round", "receipt.fresh", field(2, bytes(16))),
    _f("classic", "receipt", "15 fresh bytes", "receipt.shape", field(2, bytes(15))),
    _f("classic", "receipt", "no such seat", "receipt.shape", field(0, 2)),
    _f("tournament", "receipt", "no fresh bytes", "receipt.fresh", field(2, None)),
    _f("resigning", "resign", "with another's secret", "key.secret", fields(SECRETS[1])),
    _f("resigning", "resign", "without a secret", "resign.shape", fields(None)),
    _f("standard", "stop", "no such slot", "stop.shape", field(0, 99)),
    _f("standard", "stop", "a slot that is text", "stop.shape", field(0, "1")),
    _f("standard", "stop", "without a tile", "stop.shape", lambda _: Body(fields=(None,))),
    _f("standard", "stop", "a bad value", "sigma.equation", proof(0, bent)),
    _f("standard", "stop", "bad order", "sigma.equation", proof(1, bent)),
    _f("standard", "stop", "values before order", "sigma.scalar", VALUES_FIRST),
    _f("standard", "stop", "values alone", "sigma.equation", VALUES_ALONE),
    _f("empty pile", "turn-up", "no proof", "turn-up.shape", lambda _: Body(fields=(99, b""))),
    _f("empty pile", "turn-up", "no such slot", "turn-up.shape", field(0, 99)),
    _f("empty pile", "turn-up", "no slot", "turn-up.shape", field(0, None)),
    _f("clock", "overdue", "no call", "overdue.shape", field(0, None)),
    _f("clock", "overdue", "no aside", "codec.canonical", field(0, b"")),
    _f("clock", "overdue", "no deck", "rules.deck_needed", field(1, None), 1),
    _f("clock", "overdue", "no such deck", "overdue.shape", field(1, 2), 1),
    _f("clock", "overdue", "a deck after the draw", "rules.deck_unwanted", field(1, 0), 2),
)  # fmt: skip
