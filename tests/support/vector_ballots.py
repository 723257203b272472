"""Vectors of votes and promises: what counts at one head, what contradicts, the next head."""

from __future__ import annotations

import hashlib
from typing import Final

from protocol.ballot import (
    CLAIM_KIND,
    DROP_KIND,
    PROMISE_KIND,
    Ballot,
    check_ballot,
    close_without,
    count,
    dropped,
    unreleased,
)
from protocol.chain import open_step
from protocol.codec import Value
from protocol.envelope import Aside, Signed
from tests.support.envelopes import HEAD, SESSION, said, signed, signer
from tests.support.vector_cases import Json, case

STEP: Final = 7
LOST: Final = 3
LATER: Final = hashlib.sha256(b"later head").digest()
SAID: Final = said(seat=LOST, step=STEP)
OTHERWISE: Final = said(seat=LOST, step=STEP, body=(1,))
Arriving = tuple[str, str | None, Aside]


def ballots() -> Json:
    """Asides that arrive one after another, and pairs of which an honest seat signs only one."""
    return {
        "session": SESSION.hex(),
        "step": STEP,
        "head": HEAD.hex(),
        "keys": {str(seat): signer(seat).public.hex() for seat in range(4)},
        "said": SAID.encode().hex(),
        "said_otherwise": OTHERWISE.encode().hex(),
        "ballots": [
            _ballot("all others vote", (0, 1, LOST), (0, 1, LOST), _all_vote()),
            _ballot("two are left", (0, LOST), (), [("a vote", "drop.seats", _vote(0))]),
            _ballot("who is out and owes something", (0, 1, LOST), (LOST,), _only_one()),
            _ballot("one stands by a message", (0, 1, LOST), (0, LOST), _promised()),
            _ballot("one accepts late", (0, 1, 2, LOST), (0, LOST), _late()),
            _ballot("a liar's two promises", (0, 1, 2, LOST), (LOST,), _both_promises()),
        ],
        "contradictions": [*_at_one_head(), *_beyond()],
    }


# --- asides ----------------------------------------------------------------------------------


def _vote(seat: int, lost: Value = LOST, *, backing: tuple[Aside, ...] = ()) -> Aside:
    return signed(seat, DROP_KIND, lost, backing=backing)


def _promise(
    seat: int, digest: bytes = SAID.digest, lost: int = LOST, *, backing: tuple[Aside, ...] = ()
) -> Aside:
    return signed(seat, PROMISE_KIND, (lost, digest), backing=backing)


def _all_vote() -> list[Arriving]:
    return [
        ("a claim", "drop.kind", signed(0, CLAIM_KIND, None)),
        ("at another head", "drop.head", signed(0, DROP_KIND, LOST, head=bytes(32))),
        ("with a number", "drop.counter", signed(0, DROP_KIND, LOST, counter=1)),
        ("about nobody", "drop.shape", _vote(0, None)),
        ("about seat 16", "drop.shape", _vote(0, 16)),
        ("a promise without a digest", "drop.shape", signed(0, PROMISE_KIND, LOST)),
        ("a digest of 31 bytes", "drop.shape", _promise(0, bytes(31))),
        ("a promise about seat 16", "drop.shape", _promise(0, lost=16)),
        ("about oneself", "drop.signer", _vote(LOST)),
        ("about who is not present", "drop.seats", _vote(0, 2)),
        ("by who is not present", "drop.signer", _vote(2)),
        ("seat 0", None, _vote(0)),
        ("seat 0 once more", None, _vote(0)),
        ("seat 0 about another", "drop.contradiction", _vote(0, 1)),
        ("seat 0 takes it back", "drop.contradiction", _promise(0)),
        ("seat 1", None, _vote(1)),
    ]


def _only_one() -> list[Arriving]:
    return [
        ("about who owes nothing", "drop.seats", _vote(0, 1)),
        ("a promise for who owes nothing", "drop.seats", _promise(0, lost=1)),
        ("about who owes something", None, _vote(0)),
    ]


def _promised() -> list[Arriving]:
    return [
        ("seat 1 promises", None, _promise(1)),
        ("the promise again", None, _promise(1)),
        ("about another", None, _promise(1, lost=0)),
        ("another message", "drop.contradiction", _promise(1, OTHERWISE.digest)),
        ("seat 1 votes", "drop.contradiction", _vote(1)),
        ("seat 0 votes", None, _vote(0)),
    ]


def _late() -> list[Arriving]:
    plain = _promise(1)
    return [
        ("seat 0 votes", None, _vote(0)),
        ("seat 1 promises", None, plain),
        ("seat 0 accepts late", None, _promise(0, backing=(plain,))),
        ("seat 0 stands by it without backing", "drop.contradiction", _promise(0)),
        ("seat 2 votes", None, _vote(2)),
        ("seat 2 accepts late", None, _promise(2, backing=(plain,))),
    ]


def _both_promises() -> list[Arriving]:
    plain, backed = _promise(1), _promise(1, backing=(_promise(2),))
    return [
        ("a backed promise", None, backed),
        ("a plain one besides", None, plain),
        ("another backed one", None, _promise(1, backing=(_promise(0),))),
        ("a vote", "drop.contradiction", _vote(1)),
        ("seat 0 votes", None, _vote(0)),
        ("seat 0 accepts late", None, _promise(0, backing=(plain,))),
    ]


# --- contradictions --------------------------------------------------------------------------


def _at_one_head() -> list[Json]:
    backed = _promise(0, backing=(_promise(1),))
    convicts: list[tuple[str, Aside, Aside]] = [
        ("votes about two seats", _vote(0), _vote(0, 1)),
        ("a vote and a plain promise", _vote(0), _promise(0)),
        ("promises for two messages", _promise(0), _promise(0, OTHERWISE.digest)),
        ("promises for two messages, one backed", backed, _promise(0, OTHERWISE.digest)),
    ]
    honest: list[tuple[str, Aside, Aside]] = [
        ("a vote and a backed promise", _vote(0), backed),
        ("a vote and a promise about another seat", _vote(0), _promise(0, lost=1)),
        ("promises about two seats", _promise(0), _promise(0, lost=1)),
        ("a vote and a claim at its head", _vote(0), signed(0, CLAIM_KIND, None)),
    ]
    return [
        *(_pair(name, first, second, convicts=True) for name, first, second in convicts),
        *(_pair(name, first, second, convicts=False) for name, first, second in honest),
    ]


def _beyond() -> list[Json]:
    """What follows at a later head, the step of the vote having been closed by payloads."""
    pairs: list[Json] = []
    for name, backing, convicts in (
        ("without backing", (), True),
        ("backed", (_promise(1),), False),
        ("backed for another seat", (_promise(1, lost=2),), True),
        ("backed for another head", (_earlier(),), True),
    ):
        for what, word in _words(backing):
            known = f"a vote and {what} later, {name}"
            pairs.append(_pair(known, _vote(0), word, beyond=True, convicts=convicts))
    for what, word in _later_ballots():
        pairs.append(_pair(f"a vote and {what} later", _vote(0), word, beyond=True, convicts=False))
    for what, word in _words(()):
        pairs.append(_pair(f"a vote and {what} of another way", _vote(0), word, convicts=False))
        pairs.append(
            _pair(f"a promise and {what} later", _promise(0), word, beyond=True, convicts=False)
        )
    return pairs


def _earlier() -> Aside:
    return signed(1, PROMISE_KIND, (LOST, SAID.digest), head=bytes(32))


def _words(backing: tuple[Aside, ...]) -> list[tuple[str, Signed]]:
    encoded = tuple(promise.encode() for promise in backing)
    return [
        ("an envelope", said(seat=0, step=STEP + 1, head=LATER, backing=encoded)),
        ("a claim", signed(0, CLAIM_KIND, None, head=LATER, backing=backing)),
    ]


def _later_ballots() -> list[tuple[str, Signed]]:
    return [
        ("a vote", signed(0, DROP_KIND, 2, head=LATER)),
        ("a promise", signed(0, PROMISE_KIND, (2, bytes(32)), head=LATER)),
    ]


def _pair(name: str, first: Aside, second: Signed, *, convicts: bool, beyond: bool = False) -> Json:
    error = "drop.contradiction" if convicts else None
    return case(name, error, first=first.encode(), second=second.encode(), beyond=beyond)


# --- whole ballots ---------------------------------------------------------------------------


def _ballot(
    name: str, present: tuple[int, ...], droppable: tuple[int, ...], arriving: list[Arriving]
) -> Json:
    ballot = Ballot(head=HEAD, present=present, droppable=droppable)
    for _, error, aside in arriving:
        if error is None:
            check_ballot(ballot, aside)
            ballot = count(ballot, aside)
    lost = dropped(ballot)
    step = open_step(SESSION, STEP, HEAD, {LOST: {"draw"}}).step
    late = [seat for seat in present if ballot.late(seat) is not None]
    return {
        "name": name,
        "present": list(present),
        "droppable": list(droppable),
        "asides": [case(what, error, raw=aside.encode()) for what, error, aside in arriving],
        "dropped": lost,
        "accepted_late": {str(seat): list(unreleased(ballot, seat)) for seat in late},
        "head_after": None if lost is None else close_without(step, lost).hex(),
    }
