"""The first half of a turn: draw, guess, answer (SPEC, turns).

What a move *means* is the engine's business; here each message is tied to the encrypted tiles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from protocol import (
    PeerFault,
    Scalar,
    Value,
    as_uint,
    check_secret,
    code_from_share,
    decrypt,
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
    Opening,
    read_call,
    read_points,
    read_secret,
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


def last_standing(round_: Round, seat: int) -> bool:
    """Tell whether ``seat`` has one hidden tile left: whoever opens that gives its key away."""
    return sum(piece.standing for piece in round_.board.rows[seat]) == 1


def make_opening(round_: Round, me: Seat, held: Held, before: tuple[Value, ...]) -> Opening:
    """Open one's own tile to everybody; ``before`` are the body's other fields."""
    if held.value is not None and last_standing(round_, me.seat):
        return Opening(secret=me.secrets.key)
    (share,) = make_shares(me.secrets.key, [held.cipher])
    tag = round_.tag(me.seat, "opening", (*before, share))
    proof = prove_shares(me.secrets.key, [held.cipher], (share,), tag, me.entropy)
    return Opening(share=share, proof=proof)


def check_opening(round_: Round, seat: int, held: Held, body: Body) -> tuple[int, Scalar | None]:
    """Return the code of the tile that the last field opens, and the key where that was given.

    Raises:
        PeerFault: ``open.shape``, ``point.*``, ``key.*``, ``open.code``, ``sigma.*``.

    """
    codes = round_.open_codes(held.deck)
    if held.value is not None and last_standing(round_, seat):
        secret = read_secret(body.fields[-1], "open.shape")
        check_secret(round_.keys[seat], secret)
        return decrypt(held.cipher, secret, codes), secret
    (share,) = read_points(body.fields[-1], "open.shape", 1)
    tag = round_.tag(seat, "opening", body.fields)
    verify_shares(round_.keys[seat], [held.cipher], (share,), body.proofs[0], tag)
    return code_from_share(held.cipher, share, codes), None


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
        opening = make_opening(round_, me, question.held, (True,))
        return Made(body=Body(fields=(True, opening.field), proofs=opening.proofs))
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
        PeerFault: ``answer.shape``, ``answer.code`` (the opened tile is not the one called),
            ``open.*``, ``point.*``, ``key.*``, ``sigma.*``.

    """
    question = asked(round_)
    if body.fields and body.fields[0] is False:
        body.read("answer.shape", 1, 1)
        tag = round_.tag(seat, "answer.miss", body.fields)
        cipher = question.held.cipher
        verify_miss(round_.keys[seat], cipher, question.called.code, body.proofs[0], tag)
        return AnswerSent(code=None, secret=None)
    hit, _ = body.read("answer.shape", 2, 0 if last_standing(round_, seat) else 1)
    if hit is not True:
        raise PeerFault("answer.shape")
    code, secret = check_opening(round_, seat, question.held, body)
    if code != question.called.code:
        raise PeerFault("answer.code")
    return AnswerSent(code=code, secret=secret)


def close_answer(round_: Round, seat: int, sent: AnswerSent) -> Round:
    """Turn the tile up, or remember that it is not the one called."""
    if sent.secret is not None:
        round_ = round_.with_key_opened(seat, sent.secret)
    return play(round_, Answered(tile=None if sent.code is None else tile_of_code(sent.code)))
