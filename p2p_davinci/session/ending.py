"""Leaving a round and closing it: resign, key, receipt (SPEC, the end of a round)."""

from __future__ import annotations

from dataclasses import replace

from protocol import UINT_MAX, PeerFault, as_bytes, as_uint, check_secret, decrypt

from ..rules.engine import award_due
from ..rules.moves import Answered, Awarded, Resigned
from ..rules.scoring import Result, next_round, players, totals
from ..rules.state import Phase
from ..rules.tiles import Tile, tile_of_code
from .contract import FRESH_BYTES, Contract, Previous
from .messages import (
    Body,
    KeySent,
    ReceiptSent,
    ResignSent,
    read_counts,
    read_secret,
)
from .secrets import Made, Seat
from .state import Held, Round
from .turns import asked, play


def faces(round_: Round, seat: int) -> tuple[Tile, ...]:
    """Return the tiles of a row whose owner's key is known, from the left.

    Raises:
        PeerFault: ``open.code``: a tile decrypts to none of its deck.
        ValueError: the key is not known.

    """
    row = zip(round_.hands[seat], round_.board.rows[seat], strict=True)
    return tuple(piece.face or _decrypt(round_, seat, held) for held, piece in row)


def _decrypt(round_: Round, seat: int, held: Held) -> Tile:
    secret = round_.opened[seat]
    if secret is None:
        raise ValueError(f"seat {seat} has not given its key")
    return tile_of_code(decrypt(held.cipher, secret, round_.open_codes(held.deck)))


# --- resign ----------------------------------------------------------------------------------


def make_resign(_round: Round, me: Seat) -> Made:
    """Give up: the key opens the whole row."""
    return Made(body=Body(fields=(me.secrets.key,)))


def check_resign(round_: Round, seat: int, body: Body) -> ResignSent:
    """Check the key of a seat that resigns.

    Raises:
        PeerFault: ``resign.shape``, ``scalar.*``, ``key.*``.

    """
    (field,) = body.read("resign.shape", 1, 0)
    sent = ResignSent(secret=read_secret(field, "resign.shape"))
    check_secret(round_.keys[seat], sent.secret)
    return sent


def close_resign(round_: Round, seat: int, sent: ResignSent) -> Round:
    """Turn up the row of a seat that resigned; a guess that awaited its answer is decided first."""
    round_ = round_.with_key_opened(seat, sent.secret)
    if round_.board.phase is Phase.ANSWER:
        round_ = _answer_by_key(round_, seat)
    if round_.board.phase is Phase.OVER or seat in round_.board.out:
        return round_
    mine = seat == round_.board.turn and round_.drawn is not None
    drawn = _decrypt(round_, seat, round_.drawn) if mine and round_.drawn is not None else None
    row = faces(round_, seat)
    after = play(round_, Resigned(seat=seat, row=row, drawn=drawn))
    if not mine or round_.drawn is None:
        return after
    slot = next(slot for slot, piece in enumerate(after.board.rows[seat], 1) if piece.face == drawn)
    hand = round_.hands[seat]
    hand = (*hand[: slot - 1], round_.drawn, *hand[slot - 1 :])
    hands = (*round_.hands[:seat], hand, *round_.hands[seat + 1 :])
    return replace(after, hands=hands, drawn=None)


def _answer_by_key(round_: Round, seat: int) -> Round:
    question = asked(round_)
    tile = _decrypt(round_, seat, question.held)
    return play(round_, Answered(tile=tile if tile == question.called else None))


# --- key -------------------------------------------------------------------------------------


def make_key(_round: Round, me: Seat) -> Made:
    """Give the round's key away, now that one is out or has won."""
    return Made(body=Body(fields=(me.secrets.key,)))


def check_key(round_: Round, seat: int, body: Body) -> KeySent:
    """Check the key of the seat that has gone out, or has won.

    Raises:
        PeerFault: ``key.shape``, ``scalar.*``, ``key.*``.

    """
    (field,) = body.read("key.shape", 1, 0)
    sent = KeySent(secret=read_secret(field, "key.shape"))
    check_secret(round_.keys[seat], sent.secret)
    return sent


def close_key(round_: Round, seat: int, sent: KeySent) -> Round:
    """Make a key known; with the winner's its row lies open, and counts where the options say so.

    Raises:
        PeerFault: ``open.code``: a tile of the winner decrypts to none of its deck.

    """
    round_ = round_.with_key_opened(seat, sent.secret)
    if round_.board.winner is None:
        return round_
    row = faces(round_, seat)
    return play(round_, Awarded(row=row)) if award_due(round_.board) else round_


# --- receipt ---------------------------------------------------------------------------------


def result_of(round_: Round) -> Result:
    """Return winner and points of a finished round."""
    winner = round_.board.winner
    if winner is None:
        raise ValueError("the round is not over")
    return Result(winner=winner, points=round_.board.points)


def all_results(round_: Round) -> tuple[Result, ...]:
    """Return the results of the table's rounds, this finished one included."""
    return (*round_.results, result_of(round_))


def more_to_come(round_: Round) -> bool:
    """Tell whether another round follows this decided one."""
    return next_round(round_.contract.options, all_results(round_)) is not None


def decided(round_: Round) -> bool:
    """Tell whether a round's result stands: with a bonus at stake, only once it is counted."""
    if round_.state is None or round_.state.winner is None:
        return False
    return not award_due(round_.state)


def make_receipt(round_: Round, me: Seat) -> Made:
    """Sign the result, and add fresh bytes for the next round's contract if one follows."""
    result = result_of(round_)
    fresh = me.entropy(FRESH_BYTES) if more_to_come(round_) else None
    return Made(body=Body(fields=(result.winner, result.points, fresh)))


def check_receipt(round_: Round, _seat: int, body: Body) -> ReceiptSent:
    """Check that a seat signed the result that everybody computes.

    Raises:
        PeerFault: ``receipt.shape``, ``receipt.result``, ``receipt.fresh`` (bytes where no round
            follows, or none where one does).

    """
    winner, points, field = body.read("receipt.shape", 3, 0)
    signed = Result(
        winner=as_uint(winner, "receipt.shape", at_most=round_.seats - 1),
        points=read_counts(points, "receipt.shape", round_.seats, UINT_MAX),
    )
    fresh = None if field is None else as_bytes(field, "receipt.shape", length=FRESH_BYTES)
    if signed != result_of(round_):
        raise PeerFault("receipt.result")
    if (fresh is not None) != more_to_come(round_):
        raise PeerFault("receipt.fresh")
    return ReceiptSent(fresh=fresh)


def close_receipt(round_: Round, sent: ReceiptSent) -> Round:
    """Keep the fresh bytes; receipts are closed in seat order."""
    fresh = () if sent.fresh is None else (sent.fresh,)
    return replace(round_, fresh=(*round_.fresh, *fresh))


def next_contract(round_: Round) -> Contract | None:
    """Return the contract of the round that follows one whose receipts are all in, if one does.

    It is a function of the log alone: rules and players stay; the receipts' fresh bytes, the head
    that they signed and the score are new.
    """
    results = all_results(round_)
    if not more_to_come(round_):
        return None
    playing = players(round_.contract.options, results, round_.seats)
    agreed = round_.contract.first
    return replace(
        round_.contract,
        first=agreed if agreed in playing else None,
        fresh=round_.fresh,
        previous=Previous(
            rounds=len(results),
            head=round_.chain.step.head,
            totals=totals(results),
            playing=playing,
        ),
    )
