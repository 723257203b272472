"""Moments of a game for three that several files of cheats begin from."""

from __future__ import annotations

import functools
from collections.abc import Callable

from p2p_davinci.rules.moves import Draw, Stop
from p2p_davinci.session.messages import Body, read_body
from protocol import Payload
from tests.support.cheating import Scene
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import Moment, Recording

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
PILE = "b6 w3 b11 w4"

Says = Callable[[Scene], Payload]


@functools.cache
def game() -> Recording:
    """Seat 0 hits, misses and places; seat 1 hits and stops; seat 2 misses and places."""
    moves = (
        Draw(deck=0),
        guess("2.1", "b1"),
        guess("2.2", "b4"),
        Draw(deck=0),
        guess("3.1", "w0"),
        Stop(),
        Draw(deck=0),
        guess("1.1", "w9"),
        Draw(deck=0),
        guess("2.2", "b2"),
    )
    return record_dealt(dealt_table(HANDS, PILE), HANDS, PILE, moves)


def at(
    kind: str,
    *,
    seat: int | None = None,
    nth: int = 0,
    of: Callable[[], Recording] = game,
    where: Callable[[Moment], bool] = lambda _: True,
) -> Callable[[], Moment]:
    return lambda: of().find(kind, seat=seat, nth=nth, where=where)


def said_before(kind: str, nth: int = 0) -> Says:
    """Say again what the same seat said in an earlier step."""

    def says(scene: Scene) -> Payload:
        return scene.says(read_body(game().find(kind, seat=scene.seat, nth=nth).payload.body))

    return says


def says(kind: str, *fields: int | str | None) -> Says:
    return lambda scene: scene.says(Body(fields=fields), kind)
