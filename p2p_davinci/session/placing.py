"""The second half of a turn: stop, place, turn-up, overdue (SPEC, turns)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from protocol import (
    Aside,
    OrderFields,
    PeerFault,
    Point,
    Value,
    as_bytes,
    as_uint,
    commit_values,
    prove_values,
    read_aside,
    verify_aside,
    verify_values,
)

from ..rules.legal import choose_slot
from ..rules.moves import Overdue, Overran, Place, Placed, Reveal, Revealed, Stop, Stopped
from ..rules.state import Phase
from ..rules.tiles import Tile, legal_slots, tile_of_code
from .chance import pick
from .messages import (
    Body,
    OverdueSent,
    PlaceSent,
    StopSent,
    TurnUpSent,
    order_fields,
    read_order_fields,
    read_points,
    read_slot,
)
from .rows import NO_ORDER, Link, Order, order_of, prove, row_links, verify
from .secrets import Made, Seat
from .state import Held, Round
from .turns import check_opening, make_share, play, prove_opening, take_next

CLOCK_KIND = "clock"


def insert(round_: Round, seat: int, slot: int, held: Held) -> Round:
    """Return the round in which the drawn tile has joined ``seat``'s row at ``slot``."""
    row = round_.hands[seat]
    row = (*row[: slot - 1], held, *row[slot - 1 :])
    hands = (*round_.hands[:seat], row, *round_.hands[seat + 1 :])
    return replace(round_, hands=hands, drawn=None)


def _drawn(round_: Round) -> Held:
    if round_.drawn is None:
        raise ValueError("no tile is drawn")
    return round_.drawn


def _with_new(round_: Round, seat: int, slot: int, link: Link) -> Order:
    row = row_links(round_, seat)
    return order_of(round_, (*row[: slot - 1], link, *row[slot - 1 :]), slot)


def _new_slot(round_: Round, seat: int, value: Value, check: str) -> int:
    """Return the slot at which a drawn tile joins a row: from 1 to one behind its end."""
    return read_slot(value, check, len(round_.hands[seat]) + 1)


def slots_for(round_: Round, me: Seat) -> tuple[int, ...]:
    """Return the slots at which one's own drawn tile may stand, from the left."""
    return legal_slots(*_own(round_, me))


def _own(round_: Round, me: Seat) -> tuple[list[Tile], Tile]:
    """Return the faces of one's own row, and of the drawn tile."""
    row = [tile_of_code(me.secrets.code_of(held)) for held in round_.hands[me.seat]]
    return row, tile_of_code(me.secrets.code_of(_drawn(round_)))


# --- stop ------------------------------------------------------------------------------------


def make_stop(round_: Round, me: Seat, move: Stop) -> Made:
    """End the turn; the drawn tile, if there is one, enters the row hidden.

    Raises:
        IllegalMove: ``slot_needed``: no slot is named where several are legal.

    """
    if round_.drawn is None:
        return Made(body=Body(fields=(None,)))
    slot = choose_slot(*_own(round_, me), None) if move.slot is None else move.slot
    return _make_hidden(round_, me, slot, ())


def _make_hidden(round_: Round, me: Seat, slot: int, before: tuple[Value, ...]) -> Made:
    held = _drawn(round_)
    tile = (held.deck, held.index)
    (value,), (opening,) = commit_values([me.secrets.code_of(held)], me.entropy)
    secrets = me.secrets.with_openings({tile: opening})
    order = _with_new(round_, me.seat, slot, Link(tile=tile, value=value, face=None))
    announced, witness = order.commit(secrets.openings, me.entropy)
    fields = (*before, slot, value, *order_fields(announced))
    value_tag = round_.tag(me.seat, "stop.value", fields)
    order_tag = round_.tag(me.seat, "stop.order", fields)
    key = me.secrets.key
    proofs = (
        prove_values(key, [held.cipher], (value,), (opening,), value_tag, me.entropy),
        prove(order, announced, witness, order_tag, me),
    )
    return Made(body=Body(fields=fields, proofs=proofs), openings={tile: opening})


def check_stop(round_: Round, seat: int, body: Body) -> StopSent:
    """Check a stop: the drawn tile stays hidden and stands in order.

    Raises:
        PeerFault: ``stop.shape``, ``point.*``, ``sigma.*``, ``rules.*``.

    """
    if round_.drawn is None:
        (nothing,) = body.read("stop.shape", 1, 0)
        if nothing is not None:
            raise PeerFault("stop.shape")
        sent = StopSent(slot=None, value=None)
    else:
        hidden = _read_hidden(round_, seat, body.read("stop.shape", 4, 2), "stop.shape")
        sent = _check_hidden(round_, seat, body, hidden)
    play(round_, Stopped(slot=sent.slot))
    return sent


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hidden:
    """What a body says about the drawn tile that joins a row hidden, and what is to be proved."""

    slot: int
    value: Point
    order: Order
    announced: OrderFields


def _read_hidden(round_: Round, seat: int, fields: tuple[Value, ...], shape: str) -> _Hidden:
    held = _drawn(round_)
    slot_field, value_field, keys, digits = fields
    slot = _new_slot(round_, seat, slot_field, shape)
    (value,) = read_points(value_field, shape, 1)
    link = Link(tile=(held.deck, held.index), value=value, face=None)
    order = _with_new(round_, seat, slot, link)
    announced = read_order_fields(keys, digits, shape, order.sizes)
    return _Hidden(slot=slot, value=value, order=order, announced=announced)


def _check_hidden(round_: Round, seat: int, body: Body, hidden: _Hidden) -> StopSent:
    cipher, value = _drawn(round_).cipher, hidden.value
    tag = round_.tag(seat, "stop.value", body.fields)
    verify_values(round_.keys[seat], [cipher], (value,), body.proofs[0], tag)
    tag = round_.tag(seat, "stop.order", body.fields)
    verify(hidden.order, hidden.announced, body.proofs[1], tag)
    return StopSent(slot=hidden.slot, value=value)


def close_stop(round_: Round, sent: StopSent) -> Round:
    """Stand the drawn tile hidden; the turn passes."""
    return _stand(play(round_, Stopped(slot=sent.slot)), round_.board.turn, sent)


def _stand(round_: Round, seat: int, sent: StopSent) -> Round:
    if sent.slot is None:
        return round_
    return insert(round_, seat, sent.slot, replace(_drawn(round_), value=sent.value))


# --- place -----------------------------------------------------------------------------------


def _face_up(round_: Round, seat: int, slot: int, face: Tile) -> Order:
    if face.number is None:
        return NO_ORDER
    held = _drawn(round_)
    return _with_new(round_, seat, slot, Link(tile=(held.deck, held.index), value=None, face=face))


def make_place(round_: Round, me: Seat, move: Place) -> Made:
    """After a miss: open the drawn tile and prove where it belongs.

    Raises:
        IllegalMove: ``slot_needed``: no slot is named where several are legal.

    """
    held = _drawn(round_)
    slot = choose_slot(*_own(round_, me), None) if move.slot is None else move.slot
    order = _face_up(round_, me.seat, slot, tile_of_code(me.secrets.code_of(held)))
    announced, witness = order.commit(me.secrets.openings, me.entropy)
    share = make_share(me, held)
    fields = (slot, share, *order_fields(announced))
    tag = round_.tag(me.seat, "place.order", fields)
    proofs = (
        prove_opening(round_, me, held, share, fields),
        prove(order, announced, witness, tag, me),
    )
    return Made(body=Body(fields=fields, proofs=proofs))


def check_place(round_: Round, seat: int, body: Body) -> PlaceSent:
    """Check that the drawn tile was opened and stands in order.

    The tile says how many sort keys and digits there are (none for a joker), so it is opened before
    those two fields are read.

    Raises:
        PeerFault: ``place.shape``, ``point.*``, ``sigma.*``, ``open.code``, ``order.open``,
            ``rules.*``.

    """
    slot_field, share_field, keys, digits = body.read("place.shape", 4, 2)
    slot = _new_slot(round_, seat, slot_field, "place.shape")
    (share,) = read_points(share_field, "place.shape", 1)
    code = check_opening(round_, seat, _drawn(round_), share, body)
    order = _face_up(round_, seat, slot, tile_of_code(code))
    announced = read_order_fields(keys, digits, "place.shape", order.sizes)
    verify(order, announced, body.proofs[1], round_.tag(seat, "place.order", body.fields))
    play(round_, Placed(slot=slot, tile=tile_of_code(code)))
    return PlaceSent(slot=slot, code=code)


def close_place(round_: Round, sent: PlaceSent) -> Round:
    """Lay the drawn tile face up into the row; the turn passes."""
    seat = round_.board.turn
    after = play(round_, Placed(slot=sent.slot, tile=tile_of_code(sent.code)))
    return insert(after, seat, sent.slot, _drawn(round_))


# --- turn-up ---------------------------------------------------------------------------------


def make_turn_up(round_: Round, me: Seat, move: Reveal) -> Made:
    """Turn up one of one's own standing tiles after a miss with an empty pile."""
    held = round_.hands[me.seat][move.slot - 1]
    share = make_share(me, held)
    fields = (move.slot, share)
    return Made(body=Body(fields=fields, proofs=(prove_opening(round_, me, held, share, fields),)))


def check_turn_up(round_: Round, seat: int, body: Body) -> TurnUpSent:
    """Check that a standing tile of the seat's own was opened.

    Raises:
        PeerFault: ``turn-up.shape``, ``point.*``, ``rules.*``, ``sigma.*``, ``open.code``.

    """
    slot_field, share_field = body.read("turn-up.shape", 2, 1)
    slot = read_slot(slot_field, "turn-up.shape", len(round_.hands[seat]))
    (share,) = read_points(share_field, "turn-up.shape", 1)
    if not round_.board.rows[seat][slot - 1].standing:
        raise PeerFault("rules.face_up")
    code = check_opening(round_, seat, round_.hands[seat][slot - 1], share, body)
    sent = TurnUpSent(slot=slot, code=code)
    play(round_, Revealed(slot=slot, tile=tile_of_code(code)))
    return sent


def close_turn_up(round_: Round, sent: TurnUpSent) -> Round:
    """Turn the tile up; its owner may be out by it."""
    return play(round_, Revealed(slot=sent.slot, tile=tile_of_code(sent.code)))


# --- overdue ---------------------------------------------------------------------------------


def make_overdue(round_: Round, me: Seat, move: Overdue, call: bytes) -> Made:
    """Admit that one's time is up; ``call`` is the signed clock call.

    A drawn tile that stays hidden goes to any of its slots, by chance where none is named.
    """
    if round_.board.phase is Phase.MORE and round_.drawn is not None:
        slot = pick(slots_for(round_, me), me.entropy) if move.slot is None else move.slot
        return _make_hidden(round_, me, slot, (call, None))
    deck = move.deck if round_.board.phase is Phase.DRAW else None
    return Made(body=Body(fields=(call, deck)))


def check_overdue(round_: Round, seat: int, body: Body) -> OverdueSent:
    """Check that the clock was called in this stretch of thinking, and what follows from it.

    Raises:
        PeerFault: ``overdue.shape``, ``codec.*``, ``aside.*``, ``point.*``, ``overdue.call``,
            ``sigma.*``, ``rules.*``.

    """
    stands = round_.board.phase is Phase.MORE and round_.drawn is not None
    fields = body.read("overdue.shape", 6 if stands else 2, 2 if stands else 0)
    call = read_aside(as_bytes(fields[0], "overdue.shape"))
    deck = None
    if fields[1] is not None:
        deck = as_uint(fields[1], "overdue.shape", at_most=len(round_.decks) - 1)
    hidden = _read_hidden(round_, seat, fields[2:], "overdue.shape") if stands else None
    _check_call(round_, call)
    stop = None if hidden is None else _check_hidden(round_, seat, body, hidden)
    sent = OverdueSent(caller=call.seat, deck=deck, stop=stop)
    play(round_, _overran(sent))
    return sent


def _check_call(round_: Round, call: Aside) -> None:
    """Check a call of the clock: by a player still in, not the thinker, in this stretch.

    Raises:
        PeerFault: ``overdue.call``, ``aside.signature``.

    """
    in_stretch = call.session == round_.chain.session and call.head in round_.clock_heads
    board = round_.board
    may = call.seat < round_.seats and call.seat != board.turn and call.seat not in board.out
    if not (call.kind == CLOCK_KIND and in_stretch and may):
        raise PeerFault("overdue.call")
    verify_aside(call, round_.contract.players[call.seat].key)


def _overran(sent: OverdueSent) -> Overran:
    return Overran(deck=sent.deck, slot=None if sent.stop is None else sent.stop.slot)


def close_overdue(round_: Round, sent: OverdueSent) -> Round:
    """Let the engine turn the lost turn into a miss or a stop."""
    after = play(round_, _overran(sent))
    if sent.deck is not None:
        return take_next(after, sent.deck)
    return after if sent.stop is None else _stand(after, round_.board.turn, sent.stop)
