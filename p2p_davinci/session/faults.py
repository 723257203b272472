"""Whom a fault record convicts: by one envelope, or by two things that one seat signed.

A record is judged against the log as it stands; nothing in it is applied (SPEC, fault records).
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol import (
    Aside,
    Envelope,
    Evidence,
    PeerFault,
    Signed,
    are_doubled,
    as_array,
    as_bytes,
    decode,
    read_signed,
    verify_aside,
    verify_signature,
)

from . import flow
from .backing import contradicts, first_step
from .events import Blamed
from .game import Game
from .hearing import Accepted, Faulty, judge
from .state import Round


def read_items(data: bytes) -> tuple[bytes, ...]:
    """Return the one or two items of a fault record.

    Raises:
        PeerFault: ``codec.*``, ``log.fault``.
    """
    items = as_array(decode(data), "log.fault")
    if len(items) not in (1, 2):
        raise PeerFault("log.fault")
    return tuple(as_bytes(item, "log.fault") for item in items)


def judge_fault(games: Sequence[Game], items: Sequence[bytes]) -> Blamed:
    """Return whom a fault record of one or two items convicts.

    ``games`` holds the game as it stood in each round, the current one last. Whether the result
    stands is left to the caller.

    Raises:
        PeerFault: ``log.fault``: nobody.
    """
    if len(items) == 1:
        blamed = _by_one(games[-1], items[0])
    else:
        try:
            first, second = (_read(games[-1].round, item) for item in items)
        except PeerFault:
            raise PeerFault("log.fault") from None
        blamed = by_two(games, first, second)
    if blamed is None:
        raise PeerFault("log.fault")
    return blamed


def _by_one(game: Game, raw: bytes) -> Blamed | None:
    """Return the blame if an envelope that came now would fail with proof, or fail its step."""
    match judge(game, raw, 0):
        case Faulty(fault=fault) if fault.evidence is Evidence.PROOF:
            return Blamed(
                seat=fault.seat or 0, step=fault.step or 0, check=fault.check, proved=True
            )
        case Accepted(envelope=envelope, message=message):
            return _by_closing(flow.hear(game.round, envelope, message), envelope)
        case _:
            return None


def _by_closing(round_: Round, last: Envelope) -> Blamed | None:
    """Return the blame if what was said in a complete step is impossible together."""
    if not round_.chain.complete:
        return None
    try:
        flow.close(round_)
    except PeerFault as fault:
        return Blamed(seat=last.seat, step=last.payload.step, check=fault.check, proved=True)
    return None


def _read(round_: Round, raw: bytes) -> Signed:
    """Return an item of a pair, its signature verified.

    Raises:
        PeerFault: ``codec.*``, ``envelope.*``, ``aside.*``, ``log.fault`` (no such seat).
    """
    signed = read_signed(raw)
    seat = signed.seat
    if seat >= round_.seats:
        raise PeerFault("log.fault")
    key = round_.contract.players[seat].key
    if isinstance(signed, Aside):
        verify_aside(signed, key)
    else:
        verify_signature(signed, key)
    return signed


def by_two(games: Sequence[Game], first: Signed, second: Signed) -> Blamed | None:
    """Return the blame if no honest seat signs both; their signatures were verified before.

    ``games`` holds the game as it stood in each round. Their order does not matter.
    """
    session, seat = first.session, first.seat
    if (session, seat) != (second.session, second.seat):
        return None
    game = next((game for game in games if session in sessions_of(game.round)), None)
    if game is None:
        return None
    if isinstance(first, Envelope) and isinstance(second, Envelope):
        number = first.payload.step
        doubled = number == second.payload.step and first.data != second.data
        if not doubled or not are_doubled(first, second):
            return None
        return Blamed(seat=seat, step=number, check="chain.doubled", proved=True)
    if not contradicts(game, first, second):
        return None
    number = first_step(game, first, second)
    return Blamed(seat=seat, step=number, check="drop.contradiction", proved=True)


def sessions_of(round_: Round) -> tuple[bytes, bytes]:
    """Return what is signed in a round as its session: the contract's hash, then its own id."""
    return round_.contract_hash, round_.chain.session
