"""Lies that take more than a changed field: who tells them makes proofs with secrets of his own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from p2p_davinci.rules.tiles import JOKER_CODE_BASE, tile_of_code
from p2p_davinci.session import flow, placing, setup, turns
from p2p_davinci.session.messages import Body, join, read_body
from p2p_davinci.session.rows import Order
from p2p_davinci.session.secrets import Made, Seat
from p2p_davinci.session.state import Round
from protocol import (
    Envelope,
    OpenEntry,
    Payload,
    Value,
    as_array,
    as_bytes,
    as_uint,
    decrypt,
    encode_record,
    seal,
    seal_aside,
)
from tests.support.cheating import opened
from tests.support.vector_cases import KEYS
from tests.support.vector_forged import Forged, bent, convicted, sealed
from tests.support.vector_logs import Base, Said

Bases = Mapping[str, Base]


def lies(bases: Bases) -> Iterator[Forged]:
    yield from _of_form(bases["classic"])
    yield from _twice(bases["classic"])
    yield value_of_the_tile(bases["classic"])
    yield from _guesses(bases)
    yield from answers(bases["classic"])
    yield from clock_calls(bases["clock"])
    yield from _places(bases)
    yield _empty_colour(bases["empty pile"])
    yield key_again(bases["tournament"])


def _of_form(base: Base) -> Iterator[Forged]:
    draw = base.kind("draw")[0]
    yield convicted(base, draw, "draw: no pair", "body.shape", sealed(base, draw, (0,)))
    proofs: Value = ((0,), (0,))
    yield convicted(
        base, draw, "draw: a proof that is no bytes", "body.shape", sealed(base, draw, proofs)
    )
    guess = sealed(base, draw, ((1 - draw.seat, 1, "5"), ()), kind="guess")
    yield convicted(base, draw, "a guess before the draw", "chain.kind", guess)
    payload = replace(draw.envelope.payload, seat=1 - draw.seat)
    other = seal(payload, base.table.who[1 - draw.seat])
    yield convicted(base, draw, "a draw out of turn", "chain.speaker", other)


def value_of_the_tile(base: Base) -> Forged:
    """The value that makes the image of a row of the value proof the neutral element."""
    arrange = base.kind("arrange")[0]
    body = read_body(arrange.envelope.payload.body)
    order, values, *rest = body.fields
    first = as_uint(as_array(order, "order")[0], "order")
    tile = base.game_at(arrange).round.hands[arrange.seat][first].cipher
    changed = replace(body, fields=(order, tile.b + as_bytes(values, "values")[32:], *rest))
    lie = sealed(base, arrange, changed.encode())
    return convicted(base, arrange, "arrange: B for a value", "sigma.identity", lie)


def _twice(base: Base) -> Iterator[Forged]:
    """Two payloads in one step: the current one, where others are still awaited, or a past one."""
    arrange = base.kind("arrange")[0]
    body = arrange.envelope.payload.body
    two = sealed(base, arrange, (body, None))
    yield convicted(base, arrange, "two arrangements", "chain.doubled", arrange.envelope, two)
    guess, later = base.kind("guess")[0], base.kind("answer")[2]
    again = sealed(base, guess, ((guess.seat, 1, "1"), ()))
    yield convicted(base, later, "two guesses, seen later", "chain.doubled", guess.envelope, again)


def _guesses(bases: Bases) -> Iterator[Forged]:
    base = bases["classic"]
    guess = base.kind("guess")[0]
    own = sealed(base, guess, ((guess.seat, 1, "5"), ()))
    yield convicted(base, guess, "guess: one's own tile", "rules.own_tile", own)
    for said in base.kind("guess"):
        for seat, row in enumerate(base.game_at(said).round.board.rows):
            shown = [slot for slot, piece in enumerate(row, 1) if piece.face]
            if shown and seat != said.seat:
                open_tile = sealed(base, said, ((seat, shown[0], "5"), ()))
                yield convicted(base, said, "guess: an open tile", "rules.face_up", open_tile)
                break
        else:
            continue
        break
    base = bases["resigning"]
    said = base.kind("guess")[-1]
    out = next(seat for seat in base.game_at(said).round.board.out if seat != said.seat)
    gone = sealed(base, said, ((out, 1, "b5"), ()))
    yield convicted(base, said, "guess: a player who is out", "rules.out", gone)


def answers(base: Base) -> Iterator[Forged]:
    answers = [(said, read_body(said.envelope.payload.body)) for said in base.kind("answer")]
    missed, miss = next((s, b) for s, b in answers if b.fields[0] is False)
    hit, shown = next((s, b) for s, b in answers if b.fields[0] is True)
    last, given = next((s, b) for s, b in reversed(answers) if b.fields[0] is True)

    def lie(said: Said, what: str, check: str, body: Body) -> Forged:
        return convicted(base, said, f"answer: {what}", check, sealed(base, said, body.encode()))

    yield lie(hit, "a hit that is denied", "sigma.equation", miss)
    yield lie(
        missed, "a bad proof", "sigma.equation", replace(miss, proofs=(bent(miss.proofs[0]),))
    )
    yield lie(missed, "neither yes nor no", "answer.shape", replace(miss, fields=(0,)))
    yield lie(hit, "yes without a tile", "answer.shape", replace(shown, fields=(True,)))
    yield lie(hit, "a tile that is no bytes", "answer.shape", replace(shown, fields=(True, 5)))
    yield lie(hit, "another share", "sigma.equation", replace(shown, fields=(True, KEYS[0])))
    short = replace(shown, fields=(True, KEYS[0][:31]))
    yield lie(hit, "31 bytes for a share", "point.length", short)
    secret = base.seat_of(last).secrets.key
    key = replace(given, fields=(True, secret), proofs=())
    yield lie(last, "the secret for the last tile", "answer.shape", key)
    game, me = base.game_at(missed), base.seat_of(missed)
    claimed = opened(game.round, me, turns.asked(game.round).held, (True,))
    yield lie(missed, "another tile than was called", "answer.code", claimed)


def clock_calls(base: Base) -> Iterator[Forged]:
    overdue = base.kind("overdue")[0]
    body = read_body(overdue.envelope.payload.body)
    caller = 1 - overdue.seat

    def called(seat: int, kind: str = "clock", head: bytes | None = None) -> bytes:
        payload = overdue.envelope.payload
        head = payload.head if head is None else head
        return seal_aside(
            session=payload.session,
            seat=seat,
            counter=9,
            head=head,
            kind=kind,
            body=None,
            signer=base.table.who[seat],
        ).encode()

    def lie(what: str, check: str, call: bytes) -> Forged:
        changed = replace(body, fields=(call, *body.fields[1:]))
        return convicted(
            base, overdue, f"overdue: {what}", check, sealed(base, overdue, changed.encode())
        )

    yield lie("called by oneself", "overdue.call", called(overdue.seat))
    yield lie("no clock call", "overdue.call", called(caller, kind="say"))
    yield lie("a call of another turn", "overdue.call", called(caller, head=KEYS[0]))
    yield lie("a call that is not signed", "aside.signature", called(caller)[:-1] + b"\0")


# --- places ----------------------------------------------------------------------------------


def _places(bases: Bases) -> Iterator[Forged]:
    """A drawn tile that is opened truly and laid where it must not lie."""
    classic, plain, many = bases["classic"], bases["empty pile"], bases["resigning"]
    number, joker = _first_place(classic, joker=False), _first_place(many, joker=True)
    yield _placed(classic, number, 99, "no such slot", "place.shape")
    nothing = (None, b"")
    yield _placed(classic, number, 1, "keys are no bytes", "place.shape", points=nothing)
    spoiled = sealed(classic, number, _both_wrong(read_body(number.envelope.payload.body)))
    what = "place: a bad opening before sort keys that are no bytes"
    yield convicted(classic, number, what, "sigma.equation", spoiled)
    yield _placed(many, joker, 99, "a joker where no slot is", "place.shape")
    yield _placed(many, joker, 1, "a joker with a proof", "sigma.length", proof=bytes(32))
    yield beside_open_tiles(classic, due=True)
    yield beside_open_tiles(plain, due=False)
    free = next(s for s in plain.kind("place") if not read_body(s.envelope.payload.body).proofs[1])
    slot = as_uint(read_body(free.envelope.payload.body).fields[0], "place.shape")
    yield _placed(plain, free, slot, "a proof that is not due", "sigma.length", proof=bytes(32))


def _both_wrong(body: Body) -> Value:
    """Spoil the proof of the opening, and the sort keys, whose number depends on the tile."""
    fields = (*body.fields[:2], None, *body.fields[3:])
    return Body(fields=fields, proofs=(bent(body.proofs[0]), *body.proofs[1:])).encode()


def _first_place(base: Base, *, joker: bool) -> Said:
    return next(s for s in base.kind("place") if (_drawn_code(base, s) >= JOKER_CODE_BASE) == joker)


def _drawn_code(base: Base, said: Said) -> int:
    round_, me = base.game_at(said).round, base.seat_of(said)
    held = placing._drawn(round_)
    return decrypt(held.cipher, me.secrets.key, round_.codes[held.deck])


def _order_at(base: Base, said: Said, slot: int) -> Order:
    face = tile_of_code(_drawn_code(base, said))
    return placing._face_up(base.game_at(said).round, said.seat, slot, face)


def _placed(
    base: Base,
    said: Said,
    slot: int,
    what: str,
    check: str,
    *,
    points: tuple[Value, Value] = (b"", b""),
    proof: bytes = b"",
) -> Forged:
    round_, me = base.game_at(said).round, base.seat_of(said)
    body = opened(round_, me, placing._drawn(round_), (slot,), points, proof)
    return convicted(base, said, f"place: {what}", check, sealed(base, said, body.encode()))


def beside_open_tiles(base: Base, *, due: bool) -> Forged:
    """The first drawn number that can be laid between open tiles that it does not fit."""
    for said in base.kind("place"):
        row = base.game_at(said).round.board.rows[said.seat]
        for slot in range(1, len(row) + 2):
            order = _order_at(base, said, slot)
            if order.due != due or not _misfits(order):
                continue
            keys, digits = [join((KEYS[0],) * size) for size in order.sizes]
            points = (keys, digits)
            return _placed(base, said, slot, "beside open tiles", "order.open", points=points)
    raise AssertionError(f"{base.plan.name} has no such place")


def _misfits(order: Order) -> bool:
    return any(
        isinstance(left, OpenEntry) and isinstance(right, OpenEntry) and left.code > right.code
        for left, right in [order.entries[gap : gap + 2] for gap in order.gaps]
    )


def _empty_colour(base: Base) -> Forged:
    """A draw from a deck in which no tile is left, while the other has some."""
    for said in base.kind("draw"):
        pile = base.game_at(said).round.board.pile
        if 0 in pile:
            draw = sealed(base, said, ((pile.index(0),), ()))
            return convicted(base, said, "draw: a used-up colour", "rules.colour_used_up", draw)
    raise AssertionError(f"{base.plan.name} uses up no colour first")


# --- a key of an earlier round ---------------------------------------------------------------


def key_again(base: Base) -> Forged:
    """In the second round a seat commits to its key of the first, which all know by now."""
    commit = next(said for said in base.kind("commit") if said.round == 1)
    first = next(said for said in base.kind("commit") if said.round == 0)
    round_ = base.game_at(commit).round
    for seat in range(round_.seats):
        me = base.seat_of(commit, seat)
        secrets = base.seat_of(first, seat).secrets if seat == 0 else me.secrets
        made = setup.make_commit(round_, replace(me, secrets=secrets))
        round_ = _spoken(round_, me, "commit", made)
    envelopes = tuple(envelope for _, envelope in round_.chain.spoken)
    round_ = flow.close(round_)
    cheat = replace(base.seat_of(commit, 0), secrets=base.seat_of(first, 0).secrets)
    opened = _signed(round_, cheat, "open", setup.make_open(round_, cheat))
    what = "open: a key of an earlier round"
    found = convicted(base, commit, what, "open.reused", opened)
    records = b"".join(encode_record("envelope", e.encode()) for e in envelopes)
    return replace(found, tail=records + found.tail)


def _signed(round_: Round, me: Seat, kind: str, made: Made) -> Envelope:
    payload = Payload(
        session=round_.chain.session,
        seat=me.seat,
        step=round_.chain.step.number,
        head=round_.chain.step.head,
        kind=kind,
        body=made.body.encode(),
    )
    return seal(payload, me.signer)


def _spoken(round_: Round, me: Seat, kind: str, made: Made) -> Round:
    envelope = _signed(round_, me, kind, made)
    return flow.hear(round_, envelope, flow.check(round_, envelope))
