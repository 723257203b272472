"""Bodies that mean nothing, signed by the seat that has to speak: blame, and never a crash."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_davinci.rules.moves import Draw, Move
from p2p_davinci.session.audit import Status
from p2p_davinci.session.events import Blamed
from protocol import Value
from protocol.group import edwards25519
from tests.support.cheating import scene_at, verdict_of
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import Moment, calls_clock, decided, passes, recording, resigns, spent

pytestmark = pytest.mark.slow

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
TRIES = 6
FREE = ("commit", "take", "draw", "guess")
"""Where something else than what was said could be as right."""
JUNK: tuple[Value, ...] = (
    None,
    True,
    False,
    0,
    1,
    7,
    2**63,
    2**64 - 1,
    b"",
    bytes(32),
    b"\xff" * 32,
    bytes(33),
    bytes(64),
    edwards25519.generator,
    edwards25519.generator * 2,
    "",
    "b5",
    "w-",
    "x" * 300,
    (),
    (0, 0),
    ((), ()),
    ((((),),),),
    tuple(range(200)),
)


def overdue(*moves: Move) -> Callable[[], Moment]:
    """Seat 0 lets its time run out after some moves."""

    def moment() -> Moment:
        table = dealt_table(HANDS, "b6", overrides={"clock": "60+20"})
        events = (*moves, passes(60), calls_clock(1), passes(20))
        return record_dealt(table, HANDS, "b6", events).find("overdue")

    return moment


def resigning() -> Moment:
    return record_dealt(dealt_table(HANDS), HANDS, "", [resigns(0)]).find("resign")


def in_classic(kind: str) -> Moment:
    return recording("classic").find(kind)


MOMENTS: dict[str, Callable[[], Moment]] = {
    kind: functools.partial(in_classic, kind)
    for kind in (
        *("commit", "open", "shuffle", "take", "shares", "arrange", "draw", "guess"),
        *("answer", "stop", "place", "key", "receipt"),
    )
} | {
    "turn-up": lambda: spent().find("turn-up"),
    "resign": resigning,
    "overdue before the draw": overdue(),
    "overdue after a hit": overdue(Draw(deck=0), guess("2.1", "b1")),
}


def spoilt(value: Value, rng: random.Random) -> Value:
    """Return a value with one thing in it replaced, left out, doubled or added."""
    if not isinstance(value, tuple) or not value or rng.random() < 0.2:
        if isinstance(value, bytes) and value and rng.random() < 0.4:
            at = rng.randrange(len(value))
            return value[:at] + bytes([value[at] ^ 1 << rng.randrange(8)]) + value[at + 1 :]
        return rng.choice([junk for junk in JUNK if junk != value])
    at = rng.randrange(len(value))
    how = rng.random()
    if how < 0.1:
        return (*value[:at], *value[at + 1 :])
    if how < 0.2:
        return (*value[:at], value[at], *value[at:])
    if how < 0.3:
        return (*value, rng.choice(JUNK))
    return (*value[:at], spoilt(value[at], rng), *value[at + 1 :])


@pytest.mark.parametrize("kind", MOMENTS)
def test_nonsense_is_blamed_on_who_signed_it(kind: str) -> None:
    moment = MOMENTS[kind]()
    rng = random.Random(kind)
    for _ in range(TRIES):
        scene = scene_at(moment)
        body = spoilt(scene.honest.body, rng)
        scene.tell(replace(scene.honest, body=body))
        blames = {
            tuple((blamed.seat, blamed.proved) for blamed in peer.told(Blamed))
            for peer in scene.others
        }
        assert blames in ({((scene.seat, True),)}, {()}), body
        if blames == {()}:
            assert kind in FREE, body
        else:
            verdict = verdict_of(scene.others[0].log_bytes)
            status = Status.FINISHED if decided(moment) else Status.VOID
            assert verdict.status is status
            assert verdict.convicted == (scene.seat,)
