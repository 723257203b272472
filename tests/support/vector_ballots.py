"""Vectors of votes and promises at one head: what counts, what contradicts, the next head."""

from __future__ import annotations

from typing import Final

from protocol.chain import Ballot, check_ballot, close_without, count, dropped, open_step
from protocol.envelope import Aside
from tests.support.envelopes import HEAD, SESSION, signed, signer
from tests.support.vector_cases import Json, case

STEP: Final = 7
Arriving = tuple[str, str | None, Aside]


def ballots() -> Json:
    """Asides that arrive one after another, and whom the others then go on without."""
    return {
        "session": SESSION.hex(),
        "step": STEP,
        "head": HEAD.hex(),
        "keys": {str(seat): signer(seat).public.hex() for seat in range(4)},
        "ballots": [
            _ballot("all others sign", (0, 1, 3), _all_sign()),
            _ballot("two are left", (0, 3), [("a vote", "drop.seats", signed(0, "drop", 3))]),
            _ballot("one stands by a message", (0, 1, 3), _promised()),
        ],
    }


def _all_sign() -> list[Arriving]:
    vote = signed(0, "drop", 3)
    return [
        ("a claim", "drop.kind", signed(0, "claim", None)),
        ("at another head", "drop.head", signed(0, "drop", 3, head=bytes(32))),
        ("with a number", "drop.counter", signed(0, "drop", 3, counter=1)),
        ("about nobody", "drop.shape", signed(0, "drop", None)),
        ("about seat 16", "drop.shape", signed(0, "drop", 16)),
        ("a promise without a digest", "drop.shape", signed(0, "promise", 3)),
        ("a digest of 31 bytes", "drop.shape", signed(0, "promise", (3, bytes(31)))),
        ("about oneself", "drop.signer", signed(3, "drop", 3)),
        ("about who is not present", "drop.signer", signed(0, "drop", 2)),
        ("by who is not present", "drop.signer", signed(2, "drop", 3)),
        ("seat 0", None, vote),
        ("seat 0 once more", None, vote),
        ("seat 0 about another", "drop.contradiction", signed(0, "drop", 1)),
        ("seat 0 takes it back", "drop.contradiction", signed(0, "promise", (3, bytes(32)))),
        ("seat 1", None, signed(1, "drop", 3)),
    ]


def _promised() -> list[Arriving]:
    return [
        ("seat 1 promises", None, signed(1, "promise", (3, bytes(32)))),
        ("the promise again", None, signed(1, "promise", (3, bytes(32)))),
        ("about another", None, signed(1, "promise", (0, bytes(32)))),
        ("another message", "drop.contradiction", signed(1, "promise", (3, b"\1" * 32))),
        ("seat 1 votes", "drop.contradiction", signed(1, "drop", 3)),
        ("seat 0 votes", None, signed(0, "drop", 3)),
    ]


def _ballot(name: str, present: tuple[int, ...], arriving: list[Arriving]) -> Json:
    ballot = Ballot(head=HEAD, present=present)
    for _, error, aside in arriving:
        if error is None:
            check_ballot(ballot, aside)
            ballot = count(ballot, aside)
    lost = dropped(ballot)
    step = open_step(SESSION, STEP, HEAD, {3: {"draw"}}).step
    return {
        "name": name,
        "present": list(present),
        "asides": [case(what, error, raw=aside.encode()) for what, error, aside in arriving],
        "dropped": lost,
        "head_after": None if lost is None else close_without(step, ballot, lost).hex(),
    }
