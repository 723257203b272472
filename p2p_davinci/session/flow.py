"""The steps of a round as tables: who may say what, what is checked, what follows (SPEC, steps).

Everything is a function of public state, so every peer and every verifier walks the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from protocol import (
    Aside,
    Envelope,
    accept,
    close_without,
    initial_head,
    open_step,
)
from protocol import close as close_chain

from ..rules.engine import actor
from ..rules.moves import Dropped
from ..rules.scoring import Result
from ..rules.state import Phase
from . import deal, ending, placing, setup, turns
from .contract import Contract
from .messages import (
    AnswerSent,
    Body,
    DrawSent,
    GuessSent,
    KeySent,
    Message,
    OverdueSent,
    PlaceSent,
    ReceiptSent,
    ResignSent,
    StopSent,
    TurnUpSent,
    read_body,
)
from .state import Drop, Round

DONE: Final = "done"
"""The name of the state after the last step of a round."""

TURN_STEPS: Final[Mapping[Phase, str]] = MappingProxyType(
    {
        Phase.DRAW: "draw",
        Phase.GUESS: "guess",
        Phase.ANSWER: "answer",
        Phase.MORE: "more",
        Phase.PLACE: "place",
        Phase.REVEAL: "turn-up",
    }
)

KINDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "commit": frozenset({"commit"}),
        "open": frozenset({"open"}),
        "shuffle": frozenset({"shuffle"}),
        "take": frozenset({"take"}),
        "shares": frozenset({"shares"}),
        "arrange": frozenset({"arrange"}),
        "draw": frozenset({"draw", "resign"}),
        "guess": frozenset({"guess", "resign"}),
        "answer": frozenset({"answer", "resign"}),
        "more": frozenset({"guess", "stop", "resign"}),
        "place": frozenset({"place"}),
        "turn-up": frozenset({"turn-up"}),
        "key": frozenset({"key"}),
        "receipt": frozenset({"receipt"}),
    }
)
"""The kinds of message in each step; a running clock adds ``overdue`` where one may think."""

THINKING: Final = frozenset({"draw", "guess", "more"})
"""The steps in which the clock runs."""

CHECKS: Final[Mapping[str, Callable[[Round, int, Body], Message]]] = MappingProxyType(
    {
        "commit": setup.check_commit,
        "open": setup.check_open,
        "shuffle": setup.check_shuffle,
        "take": deal.check_take,
        "shares": deal.check_shares,
        "arrange": deal.check_arrange,
        "draw": turns.check_draw,
        "guess": turns.check_guess,
        "answer": turns.check_answer,
        "stop": placing.check_stop,
        "place": placing.check_place,
        "turn-up": placing.check_turn_up,
        "overdue": placing.check_overdue,
        "resign": ending.check_resign,
        "key": ending.check_key,
        "receipt": ending.check_receipt,
    }
)

_CLOSES_TOGETHER: Final[Mapping[str, Callable[[Round, Mapping[int, Message]], Round]]] = (
    MappingProxyType(
        {
            "commit": setup.close_commit,
            "open": setup.close_open,
            "shuffle": setup.close_shuffle,
            "take": deal.close_take,
            "arrange": deal.close_arrange,
        }
    )
)


# --- who may speak ---------------------------------------------------------------------------


def speakers(round_: Round) -> Mapping[int, frozenset[str]]:
    """Return the seats that must speak in the current step, and the kinds open to each."""
    kinds = KINDS[round_.step]
    if round_.step in THINKING and round_.contract.options.clock is not None:
        kinds |= {"overdue"}
    if round_.step == "shares" and round_.state is not None:
        kinds |= {"resign"}
        seats = round_.awaiting_shares(round_.state.turn)
    elif round_.step in ("take", "arrange"):
        seats = round_.contract.playing
    elif round_.step in ("commit", "open", "shares", "receipt"):
        seats = tuple(range(round_.seats))
    elif round_.step == "shuffle":
        seats = (round_.shuffled,)
    elif round_.step == "key":
        seats = () if round_.owes_key is None else (round_.owes_key,)
    else:
        acting = actor(round_.board)
        seats = () if acting is None else (acting,)
    return dict.fromkeys(seats, kinds)


# --- beginning, hearing, closing -------------------------------------------------------------


def begin(
    contract: Contract,
    results: tuple[Result, ...] = (),
    used_keys: frozenset[bytes] = frozenset(),
) -> Round:
    """Return a round at its first step."""
    session = contract.hash
    seats = dict.fromkeys(range(len(contract.players)), KINDS["commit"])
    return Round(
        contract=contract,
        contract_hash=session,
        chain=open_step(session, 0, initial_head(session), seats),
        step="commit",
        opened=(None,) * len(contract.players),
        results=results,
        used_keys=used_keys,
    )


def check(round_: Round, envelope: Envelope) -> Message:
    """Check what an envelope that the chain accepts says; its signature was verified before.

    Raises:
        PeerFault: the check that failed.

    """
    payload = envelope.payload
    return CHECKS[payload.kind](round_, payload.seat, read_body(payload.body))


def hear(round_: Round, envelope: Envelope, message: Message) -> Round:
    """Return the round in which a checked message of the current step was spoken.

    Raises:
        PeerFault: ``chain.*``.

    """
    said = {**dict(round_.spoken), envelope.payload.seat: message}
    return replace(
        round_,
        chain=accept(round_.chain, envelope),
        spoken=tuple(sorted(said.items(), key=lambda item: item[0])),
    )


def close(round_: Round) -> Round:
    """Return the round after its complete current step, with the next one open.

    Raises:
        PeerFault: ``key.*``, ``open.*``, ``rules.*``: what the speakers said is impossible
            together.

    """
    closed = round_.step
    head = close_chain(round_.chain)
    after = _consequence(round_)
    envelopes = tuple(envelope for _, envelope in round_.chain.spoken)
    after = replace(after, spoken=(), transcript=(*round_.transcript, envelopes))
    after = replace(after, step=_next_step(after, closed))
    if after.step == "shares" and not after.hands:
        after = deal.deal_evenly(after)
    if after.step == DONE:
        return after
    # Thinking goes on while a tile is drawn, but not if somebody resigned instead.
    goes_on = closed in ("draw", "shares") and after.drawn is not None
    stretch = after.clock_heads if goes_on else frozenset()
    number = round_.chain.step.number + 1
    return replace(
        after,
        chain=open_step(after.chain.session, number, head, speakers(after)),
        clock_heads=stretch | {head},
    )


def drop(round_: Round, votes: tuple[Aside, ...], lost: int) -> Round:
    """Return the round after a step that ends because all others play on without ``lost``.

    What was said in the step is void.

    Raises:
        PeerFault: ``rules.*``: the rules do not allow it.
    """
    step = round_.chain.step
    head = close_without(step, lost)
    returned = round_.step == "shares"
    after = turns.play(round_, Dropped(seat=lost, returned=returned))
    about = tuple(vote.encode() for vote in votes if vote.body == lost)
    fallen = Drop(step=step.number, head=step.head, seat=lost, votes=about)
    after = replace(
        after,
        drawn=None if returned or round_.board.turn == lost else after.drawn,
        spoken=(),
        transcript=(*round_.transcript, ()),
        drops=(*round_.drops, fallen),
        step=TURN_STEPS[after.board.phase],
        clock_heads=frozenset({head}),
    )
    chain = open_step(round_.chain.session, step.number + 1, head, speakers(after))
    return replace(after, chain=chain)


def _consequence(round_: Round) -> Round:
    said = dict(round_.spoken)
    together = _CLOSES_TOGETHER.get(round_.step)
    if together is not None:
        return together(round_, said)
    if round_.step == "shares":
        round_ = deal.close_shares(round_, said)
    for seat, message in said.items():
        round_ = _close_one(round_, seat, message)
    return round_


def _close_one(round_: Round, seat: int, message: Message) -> Round:
    match message:
        case DrawSent():
            return turns.close_draw(round_, message)
        case GuessSent():
            return turns.close_guess(round_, message)
        case AnswerSent():
            return turns.close_answer(round_, message)
        case StopSent():
            return placing.close_stop(round_, message)
        case PlaceSent():
            return placing.close_place(round_, message)
        case TurnUpSent():
            return placing.close_turn_up(round_, message)
        case OverdueSent():
            return placing.close_overdue(round_, message)
        case ResignSent():
            return ending.close_resign(round_, seat, message)
        case KeySent():
            return ending.close_key(round_, seat, message)
        case ReceiptSent():
            return ending.close_receipt(round_, message)
        case _:
            return round_


def _next_step(round_: Round, closed: str) -> str:
    match closed:
        case "commit":
            return "open"
        case "open":
            return "shuffle"
        case "shuffle" if round_.shuffled < round_.seats:
            return "shuffle"
        case "shuffle":
            return "take" if round_.contract.options.backs == "open" else "shares"
        case "take":
            return "shares"
        case "shares" if round_.state is None:
            return "arrange"
        case "receipt":
            return DONE
    if round_.drawn is not None and not round_.drawn.clear:
        return "shares"
    if round_.owes_key is not None:
        return "key"
    return TURN_STEPS.get(round_.board.phase, "receipt")
