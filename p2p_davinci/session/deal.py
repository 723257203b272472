"""The deal: take, shares, arrange (SPEC, steps of a round)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from protocol import (
    Ciphertext,
    PeerFault,
    commit_values,
    make_shares,
    prove_shares,
    prove_values,
    strip,
    verify_shares,
    verify_values,
)

from ..rules.engine import start
from ..rules.moves import Arrange, Take
from ..rules.options import hand_size
from ..rules.tiles import Colour
from .messages import (
    ArrangeSent,
    Body,
    Message,
    ResignSent,
    SharesSent,
    TakeSent,
    join,
    order_fields,
    read_counts,
    read_order_fields,
    read_points,
)
from .rows import Order, links, order_of, prove, verify
from .secrets import Made, Seat
from .state import Held, Round

# --- take ------------------------------------------------------------------------------------


def make_take(_round: Round, _me: Seat, move: Take) -> Made:
    """Say how many tiles of each deck one takes."""
    return Made(body=Body(fields=(move.counts,)))


def check_take(round_: Round, _seat: int, body: Body) -> TakeSent:
    """Check that the hand gets its full size.

    Raises:
        PeerFault: ``take.shape``, ``take.size``.

    """
    (counts,) = body.read("take.shape", 1, 0)
    size = hand_size(len(round_.contract.playing))
    sent = TakeSent(counts=read_counts(counts, "take.shape", len(round_.decks), size))
    if sum(sent.counts) != size:
        raise PeerFault("take.size")
    return sent


def close_take(round_: Round, said: Mapping[int, Message]) -> Round:
    """Hand out tiles from the front of each deck, in seat order."""
    takes = {seat: m.counts for seat, m in said.items() if isinstance(m, TakeSent)}
    return deal(round_, takes)


def deal(round_: Round, takes: Mapping[int, tuple[int, ...]]) -> Round:
    """Return the round in which seat ``i`` holds ``takes[i][d]`` tiles of deck ``d``."""
    taken = [0] * len(round_.decks)
    hands = []
    for seat in range(round_.seats):
        hand: list[Held] = []
        for deck, count in enumerate(takes.get(seat, ())):
            hand.extend(
                Held(deck=deck, index=index, cipher=round_.decks[deck][index])
                for index in range(taken[deck], taken[deck] + count)
            )
            taken[deck] += count
        hands.append(tuple(hand))
    return replace(round_, taken=tuple(taken), hands=tuple(hands))


def deal_evenly(round_: Round) -> Round:
    """Hand out the tiles where the backs are hidden, so that there is nothing to choose."""
    playing = round_.contract.playing
    return deal(round_, {seat: (hand_size(len(playing)),) for seat in playing})


# --- shares ----------------------------------------------------------------------------------


def _masked(round_: Round) -> tuple[tuple[int, Held], ...]:
    """Return (owner, tile) for the tiles that await shares, in the order of the shares."""
    if round_.state is not None:
        return () if round_.drawn is None else ((round_.state.turn, round_.drawn),)
    return tuple((owner, held) for owner, hand in enumerate(round_.hands) for held in hand)


def _due_from(round_: Round, seat: int) -> tuple[Ciphertext, ...]:
    return tuple(held.cipher for owner, held in _masked(round_) if owner != seat)


def make_shares_sent(round_: Round, me: Seat) -> Made:
    """Give one's share of every tile that somebody else took, with one proof for all."""
    tiles = _due_from(round_, me.seat)
    shares = make_shares(me.secrets.key, tiles)
    fields = (join(shares),)
    tag = round_.tag(me.seat, "shares", fields)
    proof = prove_shares(me.secrets.key, tiles, shares, tag, me.entropy)
    return Made(body=Body(fields=fields, proofs=(proof,)))


def check_shares(round_: Round, seat: int, body: Body) -> SharesSent:
    """Check the shares of one seat: as many as are due, made with its key.

    Raises:
        PeerFault: ``shares.shape``, ``point.*``, ``sigma.*``.

    """
    (blob,) = body.read("shares.shape", 1, 1)
    tiles = _due_from(round_, seat)
    shares = read_points(blob, "shares.shape", len(tiles))
    tag = round_.tag(seat, "shares", body.fields)
    verify_shares(round_.keys[seat], tiles, shares, body.proofs[0], tag)
    return SharesSent(shares=shares)


def close_shares(round_: Round, said: Mapping[int, Message]) -> Round:
    """Take the others' shares off every tile that was taken.

    A seat whose key is already known says nothing: everybody computes its shares.
    """
    given = {}
    for seat in range(round_.seats):
        message = said.get(seat)
        secret = message.secret if isinstance(message, ResignSent) else round_.opened[seat]
        if isinstance(message, SharesSent):
            given[seat] = list(message.shares)
        elif secret is not None:
            given[seat] = list(make_shares(secret, _due_from(round_, seat)))
    stripped = []
    for owner, held in _masked(round_):
        shares = [queue.pop(0) for seat, queue in given.items() if seat != owner]
        stripped.append(replace(held, cipher=strip(held.cipher, shares), clear=True))
    if round_.state is not None:
        return replace(round_, drawn=stripped[0])
    return replace(round_, hands=_regroup(stripped, [len(hand) for hand in round_.hands]))


def _regroup(tiles: Sequence[Held], sizes: Sequence[int]) -> tuple[tuple[Held, ...], ...]:
    left = iter(tiles)
    return tuple(tuple(next(left) for _ in range(size)) for size in sizes)


# --- arrange ---------------------------------------------------------------------------------


def _arranged(round_: Round, hand: Sequence[Held]) -> Order:
    return order_of(round_, links(hand, [None] * len(hand)), None)


def make_arrange(round_: Round, me: Seat, move: Arrange) -> Made:
    """Stand one's tiles in order: commit to their values, prove these and the order."""
    hand = [round_.hands[me.seat][k] for k in move.order]
    codes = [me.secrets.code_of(held) for held in hand]
    values, opened = commit_values(codes, me.entropy)
    openings = {(h.deck, h.index): o for h, o in zip(hand, opened, strict=True)}
    row = [replace(held, value=value) for held, value in zip(hand, values, strict=True)]
    order = _arranged(round_, row)
    announced, witness = order.commit(openings, me.entropy)
    fields = (move.order, join(values), *order_fields(announced))
    proofs = (
        prove_values(
            me.secrets.key,
            [held.cipher for held in row],
            values,
            opened,
            round_.tag(me.seat, "arrange.value", fields),
            me.entropy,
        ),
        prove(order, announced, witness, round_.tag(me.seat, "arrange.order", fields), me),
    )
    return Made(body=Body(fields=fields, proofs=proofs), openings=openings)


def check_arrange(round_: Round, seat: int, body: Body) -> ArrangeSent:
    """Check that a hand, all of it, stands in order.

    Raises:
        PeerFault: ``arrange.shape``, ``point.*``, ``arrange.order`` (not an order of the hand),
            ``sigma.*``.

    """
    field, blob, keys, digits = body.read("arrange.shape", 4, 2)
    hand = round_.hands[seat]
    order = read_counts(field, "arrange.shape", len(hand), len(hand) - 1)
    values = read_points(blob, "arrange.shape", len(hand))
    row = [replace(hand[k], value=value) for k, value in zip(order, values, strict=True)]
    statement = _arranged(round_, row)
    announced = read_order_fields(keys, digits, "arrange.shape", statement.sizes)
    if sorted(order) != list(range(len(hand))):
        raise PeerFault("arrange.order")
    verify_values(
        round_.keys[seat],
        [held.cipher for held in row],
        values,
        body.proofs[0],
        round_.tag(seat, "arrange.value", body.fields),
    )
    tag = round_.tag(seat, "arrange.order", body.fields)
    verify(statement, announced, body.proofs[1], tag)
    return ArrangeSent(order=order, values=values)


def close_arrange(round_: Round, said: Mapping[int, Message]) -> Round:
    """Stand the rows; the game begins."""
    rows = []
    for seat, hand in enumerate(round_.hands):
        message = said.get(seat)
        row: tuple[Held, ...] = ()
        if isinstance(message, ArrangeSent):
            pairs = zip(message.order, message.values, strict=True)
            row = tuple(replace(hand[k], value=value) for k, value in pairs)
        rows.append(row)
    backs = [[back_of(round_, held) for held in row] for row in rows]
    first = 0 if round_.first is None else round_.first
    state = start(round_.contract.options, backs, first)
    return replace(round_, hands=tuple(rows), arranged=tuple(rows), state=state)


def back_of(round_: Round, held: Held) -> Colour | None:
    """Return the colour that a tile's back shows, ``None`` with hidden backs."""
    return Colour(held.deck) if len(round_.decks) > 1 else None
