"""Logs of fresh games in which a message is not what should have been said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from p2p_davinci.session import ending
from p2p_davinci.session.audit import Audit, Invalid, take
from p2p_davinci.session.messages import read_body
from protocol import (
    PROMISE_KIND,
    Envelope,
    Payload,
    PeerFault,
    Record,
    Value,
    encode,
    read_envelope,
    seal,
    seal_aside,
)
from tests.support import vector_lies, vector_rounds
from tests.support.forged_games import Entry, Fresh, Luck, Unfit, written
from tests.support.forged_values import (
    CALLS,
    ill_formed,
    spoiled_body,
    spoiled_payload,
)
from tests.support.vector_cases import SECRETS
from tests.support.vector_forged import Forged
from tests.support.vector_logs import Changed, Said

Forge: TypeAlias = Callable[[Fresh, Luck], bytes]
KINDS: Final = (
    *("commit", "open", "shuffle", "take", "shares", "arrange", "draw", "guess", "answer"),
    *("stop", "place", "turn-up", "overdue", "resign", "key", "receipt"),
)


def a_message(game: Fresh, luck: Luck) -> Said:
    """Return a message of a kind that is drawn first, so that rare kinds come up as often."""
    kinds = sorted({said.envelope.payload.kind for said in game.said})
    return luck.pick(game.kind(luck.pick(kinds)))


def fault(*raws: bytes) -> Entry:
    return ("fault", encode(tuple(raws)))


def sign(game: Fresh, payload: Payload) -> Envelope:
    """Return a payload signed by the seat that it names, or by some seat if there is no such."""
    who = game.table.who
    return seal(payload, who[payload.seat if payload.seat < len(who) else 0])


def put(game: Fresh, at: int, entries: Sequence[Entry], luck: Luck, *, instead: int = 0) -> bytes:
    """Return the log with entries before its record ``at``, and perhaps what follows it.

    So many records are left out in their place.
    """
    before, after = game.entries[:at], game.entries[at + instead :]
    ways: tuple[list[Entry], ...] = (after, after, [], after[:1], after[: luck.roll(6)])
    if any(kind == "fault" for kind, _ in entries):
        # Most such games are void, and whatever follows would only hide it.
        ways = ([], [], [], after)
    follow = luck.pick(ways)
    return written([*before, *entries, *follow])


def record(game: Fresh, said: Said, raw: bytes, luck: Luck) -> bytes:
    """Return the log in which ``raw`` stands for a message, as an envelope or as a fault record."""
    at = game.index(said.offset)
    if luck.one_in(2):
        return put(game, at, [("envelope", raw)], luck, instead=1)
    start = game.index(said.step_offset)
    place = luck.pick((at, start, at + 1, luck.roll(len(game.records) + 1)))
    if luck.one_in(4):
        return put(game, place, [fault(said.envelope.encode(), raw)], luck)
    return put(game, luck.pick((at, start)), [fault(raw)], luck)


# --- one message -----------------------------------------------------------------------------


def other_body(game: Fresh, luck: Luck) -> bytes:
    """A field or a proof is changed, and the message signed again by its seat."""
    said = a_message(game, luck)
    body = spoiled_body(read_body(said.envelope.payload.body), luck)
    raw = sign(game, replace(said.envelope.payload, body=body)).encode()
    return record(game, said, raw, luck)


def other_body_in_fault(game: Fresh, luck: Luck) -> bytes:
    """The same, recorded as the fault that it is, when its step begins."""
    said = a_message(game, luck)
    body = spoiled_body(read_body(said.envelope.payload.body), luck)
    raw = sign(game, replace(said.envelope.payload, body=body)).encode()
    return put(game, game.index(said.step_offset), [fault(raw)], luck)


def other_payload(game: Fresh, luck: Luck) -> bytes:
    """Session, seat, step, head, kind or backing are changed."""
    said = a_message(game, luck)
    payload = spoiled_payload(said.envelope.payload, luck, KINDS, len(game.table.who))
    return record(game, said, sign(game, payload).encode(), luck)


def other_form(game: Fresh, luck: Luck) -> bytes:
    """The bytes of an envelope are no envelope, or another signed it."""
    said, who = a_message(game, luck), game.table.who
    stranger = who[(said.seat + 1) % len(who)]
    return record(game, said, ill_formed(said.envelope, who[said.seat], stranger, luck), luck)


def too_long(game: Fresh, luck: Luck) -> bytes:
    said = a_message(game, luck)
    body: Value = ((bytes(luck.pick((31_000, 32_100, 60_000))),), ())
    raw = sign(game, replace(said.envelope.payload, body=body)).encode()
    return record(game, said, raw, luck)


def another_guess(game: Fresh, luck: Luck) -> bytes:
    """Any seat, slot and call: legal, or against any of the rules."""
    said = luck.pick(game.kind("guess"))
    rows = game.game_at(said).round.board.rows
    seat = luck.roll(len(rows))
    slot = luck.roll(len(rows[seat]) + 2)
    body: Value = ((seat, slot, luck.pick(CALLS)), ())
    raw = sign(game, replace(said.envelope.payload, body=body)).encode()
    return record(game, said, raw, luck)


def another_draw(game: Fresh, luck: Luck) -> bytes:
    """Another deck, perhaps one that is used up."""
    draws = game.kind("draw")
    empty = [said for said in draws if 0 in game.game_at(said).round.board.pile]
    said = luck.pick(empty or draws)
    raw = sign(game, replace(said.envelope.payload, body=((luck.roll(2),), ()))).encode()
    return record(game, said, raw, luck)


def resigning(game: Fresh, luck: Luck) -> bytes:
    """A seat resigns in the place of another message, with its secret or another's."""
    said = a_message(game, luck)
    secret = game.seat_of(said).secrets.key
    body: Value = ((luck.pick((secret, secret, secret, *SECRETS, bytes(32), None)),), ())
    kind = luck.pick(("resign", "resign", "resign", "key"))
    raw = sign(game, replace(said.envelope.payload, kind=kind, body=body)).encode()
    return record(game, said, raw, luck)


def out_of_turn(game: Fresh, luck: Luck) -> bytes:
    """A seat says what another should say."""
    said = a_message(game, luck)
    seat = luck.roll(len(game.table.who))
    raw = sign(game, replace(said.envelope.payload, seat=seat)).encode()
    return record(game, said, raw, luck)


def of_another_step(game: Fresh, luck: Luck) -> bytes:
    """What is said in one step is signed for another, perhaps in another round."""
    said, other = a_message(game, luck), a_message(game, luck)
    there = other.envelope.payload
    payload = replace(there, kind=said.envelope.payload.kind, body=said.envelope.payload.body)
    return record(game, other, sign(game, payload).encode(), luck)


def replayed(game: Fresh, luck: Luck) -> bytes:
    """A message is read again elsewhere, of another round if there is one."""
    said, other = a_message(game, luck), a_message(game, luck)
    if game.said[-1].round:
        other = luck.pick([one for one in game.said if one.round != said.round])
    return record(game, said, other.envelope.encode(), luck)


def receipt_changed(game: Fresh, luck: Luck) -> bytes:
    """A receipt of another result, with other fresh bytes, or beside other words."""
    said = luck.pick(game.kind("receipt"))
    payload = said.envelope.payload
    body = spoiled_body(read_body(payload.body), luck)
    head = luck.pick((payload.head, bytes(32)))
    other = replace(payload, kind=luck.pick(("receipt", "guess")), head=head, body=body)
    at = luck.pick((game.index(said.offset), game.index(said.offset) + 1, len(game.records)))
    raw = sign(game, other).encode()
    items = luck.pick(((raw,), (said.envelope.encode(), raw), (raw, said.envelope.encode())))
    return put(game, at, [fault(*items)], luck)


def overdue(game: Fresh, luck: Luck) -> bytes:
    """A turn is overdue, by a call that is one or is none."""
    if game.table.contract.options.clock is None:
        raise Unfit
    said = luck.pick([s for kind in ("draw", "guess", "stop", "overdue") for s in game.kind(kind)])
    now = game.game_at(said).round
    payload = said.envelope.payload
    heads = sorted(now.clock_heads)
    seat = luck.roll(now.seats + luck.one_in(8))
    who = game.table.who
    call = seal_aside(
        session=luck.pick((payload.session, payload.session, payload.session, bytes(32))),
        seat=seat,
        counter=luck.roll(9),
        head=luck.pick((*heads, *heads, payload.head, bytes(32))),
        kind=luck.pick(("clock", "clock", "clock", "clock", "say")),
        body=None,
        signer=who[seat % len(who)],
    )
    raw = call.encode()
    if luck.one_in(3):
        raw = ill_formed(call, who[seat % len(who)], who[said.seat], luck)
    fields: tuple[Value, ...] = (raw, luck.pick((None, 0, 1, 2)))
    body: Value = (fields, ())
    if payload.kind == "overdue" and now.step == "more":
        whole = read_body(payload.body)
        body = ((*fields, *whole.fields[2:]), whole.proofs)
    signed = sign(game, replace(payload, kind="overdue", body=body)).encode()
    return record(game, said, signed, luck)


def bad_call(game: Fresh, luck: Luck) -> bytes:
    """An overdue turn whose call of the clock has one thing wrong, its form most often."""
    if game.table.contract.options.clock is None:
        raise Unfit
    said = luck.pick([s for kind in ("draw", "guess", "overdue") for s in game.kind(kind)])
    now, payload, who = game.game_at(said).round, said.envelope.payload, game.table.who
    if now.step not in ("draw", "guess"):
        raise Unfit
    seat = luck.pick([s for s in range(now.seats) if s not in {*now.board.out, now.board.turn}])
    call = seal_aside(
        session=payload.session,
        seat=seat,
        counter=1,
        head=luck.pick(sorted(now.clock_heads)),
        kind="clock",
        body=None,
        signer=who[seat],
    )
    deck = next((k for k, left in enumerate(now.board.pile) if left), None)
    deck = deck if now.step == "draw" else None
    raw = ill_formed(call, who[seat], who[said.seat], luck)
    if luck.one_in(6):
        raw, deck = call.encode(), luck.pick((None, 0, 1))
    body: Value = ((raw, deck), ())
    signed = sign(game, replace(payload, kind="overdue", body=body)).encode()
    return put(game, game.index(said.step_offset), [fault(signed)], luck)


def backed(game: Fresh, luck: Luck) -> bytes:
    """An envelope relies on promises about earlier payloads, good ones and others."""
    said = luck.pick([one for one in game.said if game.game_at(one).trail])
    payload = said.envelope.payload
    items = tuple(_promise(game, said, luck) for _ in range(1 + luck.one_in(3)))
    raw = sign(game, replace(payload, backing=items)).encode()
    return record(game, said, raw, luck)


def _promise(game: Fresh, said: Said, luck: Luck) -> bytes:
    now = game.game_at(said)
    earlier = [
        one
        for one in game.said
        if one.round == said.round and one.step < said.step and one.envelope.payload.kind in KINDS
    ]
    late = [one for one in earlier if one.step > 6]
    about = luck.pick(late or earlier)
    seat = luck.roll(now.round.seats)
    digest = luck.pick((about.envelope.digest, about.envelope.digest, bytes(32)))
    promise = seal_aside(
        session=about.envelope.payload.session,
        seat=seat,
        counter=int(luck.one_in(12)),
        head=luck.pick((about.envelope.payload.head,) * 5 + (bytes(32),)),
        kind=luck.pick((PROMISE_KIND,) * 5 + ("drop",)),
        body=(about.seat, digest),
        signer=game.table.who[seat],
    )
    if luck.one_in(8):
        return ill_formed(promise, game.table.who[seat], game.table.who[said.seat], luck)
    return promise.encode()


# --- pairs -----------------------------------------------------------------------------------


def pair(game: Fresh, luck: Luck) -> bytes:
    """A fault record of two items, right or wrong ones, anywhere in the log."""
    said = a_message(game, luck)
    payload = said.envelope.payload
    if luck.one_in(2):
        payload = replace(payload, body=spoiled_body(read_body(payload.body), luck))
    else:
        payload = spoiled_payload(payload, luck, KINDS, len(game.table.who))
    items = [said.envelope.encode(), sign(game, payload).encode()]
    if luck.one_in(2):
        items.reverse()
    if luck.one_in(8):
        items[1] = items[0]
    entry = fault(*items)
    if luck.one_in(10):
        strange = ((), (items[0], items[1], items[0]), (1,), None, (items[0], None), items[0])
        entry = ("fault", encode(luck.pick(strange)))
    if luck.one_in(16):
        entry = ("fault", luck.pick((b"", b"\xc1", entry[1] + b"\0", entry[1][:-1])))
    return put(game, luck.roll(len(game.records) + 1), [entry], luck)


def pairs_at_the_end(game: Fresh, luck: Luck) -> bytes:
    """Behind the last message some seats are shown to have spoken twice, a seat perhaps again."""
    added: list[Entry] = []
    for _ in range(1 + luck.roll(3)):
        said = a_message(game, luck)
        body = spoiled_body(read_body(said.envelope.payload.body), luck)
        two = sign(game, replace(said.envelope.payload, body=body)).encode()
        added.append(fault(said.envelope.encode(), two))
    if luck.one_in(3):
        added.append(luck.pick([one for one in game.entries if one[0] != "note"]))
    last = game.kind("key")[-1]
    at = luck.pick((len(game.records), game.index(last.offset), game.index(last.offset) + 1))
    return put(game, at, added, luck)


# --- what takes more than a change -----------------------------------------------------------


def lie(game: Fresh, luck: Luck) -> bytes:
    """A lie that is proved with the liar's own secrets, or that several have agreed on."""
    ways: tuple[Callable[[], Forged | Changed], ...] = (
        lambda: vector_lies.value_of_the_tile(game),
        lambda: vector_lies.beside_open_tiles(game, due=luck.one_in(2)),
        lambda: vector_lies.key_again(game),
        lambda: vector_rounds.cancelling_keys(game),
    )
    return _appended(game, luck.pick(ways)())


def false_answer(game: Fresh, luck: Luck) -> bytes:
    """A hit that is denied, a tile that was not called, a share of another one."""
    return _appended(game, luck.pick(tuple(vector_lies.answers(game))))


def _appended(game: Fresh, made: Forged | Changed) -> bytes:
    return game.log[: made.keep] + (made.tail if isinstance(made, Forged) else made.add)


def with_another_key(game: Fresh, luck: Luck) -> bytes:
    """A seat gives or proves something with a secret of another round or another seat."""
    said = luck.pick((*game.kind("resign"), *game.kind("key")))
    other = a_message(game, luck)
    me = game.seat_of(other, luck.roll(len(game.table.who)))
    now = game.game_at(said).round
    made = ending.make_key(now, me) if luck.one_in(2) else ending.make_resign(now, me)
    raw = sign(game, replace(said.envelope.payload, body=made.body.encode())).encode()
    return record(game, said, raw, luck)


def rechained(game: Fresh, luck: Luck) -> bytes:
    """One message is another one, and all that follow are signed anew at the heads that are then.

    Who does this has the keys of all seats; only proofs, which hold the old heads, are left.
    """
    said = luck.pick(
        [s for k in ("draw", "guess", "take", "receipt", "commit") for s in game.kind(k)]
    )
    at = game.index(said.offset)
    body = read_body(said.envelope.payload.body)
    fields = (luck.bytes_of(32),) if said.envelope.payload.kind == "commit" else body.fields
    changed = spoiled_body(body, luck) if body.fields == fields else (fields, ())
    first = sign(game, replace(said.envelope.payload, body=changed))
    entries = [*game.entries[:at], ("envelope", first.encode())]
    audit = Audit()
    try:
        for kind, data in entries:
            audit = take(audit, Record(kind=kind, data=data, offset=0))
        for kind, data in game.entries[at + 1 :]:
            entry = (kind, data if kind != "envelope" else _at_new_head(game, audit, data))
            entries.append(entry)
            audit = take(audit, Record(kind=kind, data=entry[1], offset=0))
    except (Invalid, PeerFault):
        pass
    return written(entries)


def _at_new_head(game: Fresh, audit: Audit, raw: bytes) -> bytes:
    payload = read_envelope(raw).payload
    if audit.game is None:
        raise Unfit
    chain = audit.game.round.chain
    return sign(game, replace(payload, head=chain.step.head, session=chain.session)).encode()


MESSAGES: Final[tuple[tuple[Forge, int], ...]] = (
    (other_body, 10),
    (other_body_in_fault, 14),
    (other_payload, 6),
    (other_form, 5),
    (too_long, 1),
    (another_guess, 4),
    (another_draw, 1),
    (resigning, 4),
    (out_of_turn, 2),
    (of_another_step, 3),
    (replayed, 4),
    (receipt_changed, 4),
    (overdue, 4),
    (bad_call, 6),
    (backed, 5),
    (pair, 6),
    (pairs_at_the_end, 4),
    (lie, 4),
    (false_answer, 3),
    (with_another_key, 2),
    (rechained, 3),
)
"""Every way to forge a message, and how often it is drawn."""
