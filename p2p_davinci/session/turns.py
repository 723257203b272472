"""The first half of a turn: draw, guess, answer (SPEC, turns).

What a move *means* is the engine's business; here each message is tied to the encrypted tiles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from protocol import (
    PeerFault,
    Point,
    Value,
    as_uint,
    code_from_share,
    make_shares,
    prove_miss,
    prove_shares,
    verify_miss,
    verify_shares,
)

from ..rules.engine import apply, named_tile
from ..rules.illegal import IllegalMove
from ..rules.moves import Answered, Draw, Drawn, Fact, Guess, Guessed
from ..rules.tiles import Tile, tile_of_code
from .messages import (
    AnswerSent,
    Body,
    DrawSent,
    GuessSent,
    read_call,
    read_points,
)
from .secrets import Made, Seat
from .state import Held, Round


def play(round_: Round, fact: Fact) -> Round:
    """Return the round after ``fact``.

    Raises:
        PeerFault: ``rules.*``: the engine refuses it.

    """
    try:
        return replace(round_, state=apply(round_.board, fact))
    except IllegalMove as error:
        raise PeerFault(f"rules.{error.reason}") from None


# --- draw ------------------------------------------------------------------------------------


def make_draw(_round: Round, _me: Seat, move: Draw) -> Made:
    """Take the next tile of a deck."""
    return Made(body=Body(fields=(move.deck,)))


def check_draw(round_: Round, _seat: int, body: Body) -> DrawSent:
    """Check a draw.

    Raises:
        PeerFault: ``draw.shape``, ``rules.*``.

    """
    (deck,) = body.read("draw.shape", 1, 0)
    sent = DrawSent(deck=as_uint(deck, "draw.shape", at_most=len(round_.decks) - 1))
    play(round_, Drawn(deck=sent.deck))
    return sent


def close_draw(round_: Round, sent: DrawSent) -> Round:
    """Hand out the next tile; it awaits the others' shares."""
    return take_next(play(round_, Drawn(deck=sent.deck)), sent.deck)


def take_next(round_: Round, deck: int) -> Round:
    """Return the round in which the next tile of ``deck`` is the drawn one."""
    index = round_.taken[deck]
    taken = (*round_.taken[:deck], index + 1, *round_.taken[deck + 1 :])
    held = Held(deck=deck, index=index, cipher=round_.decks[deck][index])
    return replace(round_, taken=taken, drawn=held)


# --- guess -----------------------------------------------------------------------------------


def make_guess(_round: Round, _me: Seat, move: Guess) -> Made:
    """Name a tile."""
    return Made(body=Body(fields=(move.seat, move.slot, str(move.call))))


def check_guess(round_: Round, _seat: int, body: Body) -> GuessSent:
    """Check a guess.

    Raises:
        PeerFault: ``guess.shape``, ``guess.call``, ``rules.*``.

    """
    target, slot, call = body.read("guess.shape", 3, 0)
    sent = GuessSent(
        seat=as_uint(target, "guess.shape", at_most=round_.seats - 1),
        slot=as_uint(slot, "guess.shape"),
        call=read_call(call),
    )
    close_guess(round_, sent)
    return sent


def close_guess(round_: Round, sent: GuessSent) -> Round:
    """Let the engine decide what the guess asks."""
    return play(round_, Guessed(seat=sent.seat, slot=sent.slot, call=sent.call))


# --- opening a tile --------------------------------------------------------------------------


def make_share(me: Seat, held: Held) -> Point:
    """Return one's share of one's own tile, which opens it to everybody."""
    (share,) = make_shares(me.secrets.key, (held.cipher,))
    return share


def prove_opening(
    round_: Round, me: Seat, held: Held, share: Point, fields: tuple[Value, ...]
) -> bytes:
    """Return the proof (64 bytes) that ``share``, one of ``fields``, opens one's own tile."""
    tag = round_.tag(me.seat, "opening", fields)
    return prove_shares(me.secrets.key, (held.cipher,), (share,), tag, me.entropy)


def check_opening(round_: Round, seat: int, held: Held, share: Point, body: Body) -> int:
    """Check that ``share`` opens a tile of ``seat``, by the body's first proof; return its code.

    Raises:
        PeerFault: ``sigma.*``, ``open.code``.

    """
    tag = round_.tag(seat, "opening", body.fields)
    verify_shares(round_.keys[seat], (held.cipher,), (share,), body.proofs[0], tag)
    return code_from_share(held.cipher, share, round_.open_codes(held.deck))


# --- answer ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the pending guess names: the tile on the table, and the face that was called."""

    slot: int
    held: Held
    called: Tile


def asked(round_: Round) -> Asked:
    """Return what the pending guess asks of its target."""
    pending = round_.board.pending
    called = None if pending is None else named_tile(round_.board, pending)
    if pending is None or called is None:
        raise ValueError("no guess awaits an answer")
    held = round_.hands[pending.seat][pending.slot - 1]
    return Asked(slot=pending.slot, held=held, called=called)


def make_answer(round_: Round, me: Seat) -> Made:
    """Answer a guess truthfully: open the tile, or prove that it is another."""
    question = asked(round_)
    code = me.secrets.code_of(question.held)
    if code == question.called.code:
        share = make_share(me, question.held)
        proof = prove_opening(round_, me, question.held, share, (True, share))
        return Made(body=Body(fields=(True, share), proofs=(proof,)))
    fields = (False,)
    proof = prove_miss(
        me.secrets.key,
        question.held.cipher,
        code,
        question.called.code,
        round_.tag(me.seat, "answer.miss", fields),
        me.entropy,
    )
    return Made(body=Body(fields=fields, proofs=(proof,)))


def check_answer(round_: Round, seat: int, body: Body) -> AnswerSent:
    """Check an answer.

    Raises:
        PeerFault: ``answer.shape``, ``point.*``, ``sigma.*``, ``open.code``, ``answer.code`` (the
            opened tile is not the one called).

    """
    question = asked(round_)
    if body.fields and body.fields[0] is False:
        body.read("answer.shape", 1, 1)
        tag = round_.tag(seat, "answer.miss", body.fields)
        cipher = question.held.cipher
        verify_miss(round_.keys[seat], cipher, question.called.code, body.proofs[0], tag)
        return AnswerSent(code=None)
    hit, field = body.read("answer.shape", 2, 1)
    if hit is not True:
        raise PeerFault("answer.shape")
    (share,) = read_points(field, "answer.shape", 1)
    code = check_opening(round_, seat, question.held, share, body)
    if code != question.called.code:
        raise PeerFault("answer.code")
    return AnswerSent(code=code)


def close_answer(round_: Round, sent: AnswerSent) -> Round:
    """Turn the tile up, or remember that it is not the one called."""
    return play(round_, Answered(tile=None if sent.code is None else tile_of_code(sent.code)))
