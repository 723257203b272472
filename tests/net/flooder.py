"""A program that plays its seat and, during the game, tells without end where it stands."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

from p2p_davinci.app.playing import Playing
from p2p_davinci.app.seat import Update
from p2p_davinci.cli import main
from p2p_davinci.session import wire

FLOOD = (sys.executable, "-m", "tests.net.flooder")
"""What turns the command line of a program, which follows it, into that of a flooder."""
BURST, EVERY_S = 400, 0.02

_take: Callable[[Playing, Update], None] = Playing._take
_floods: set[asyncio.Task[None]] = set()


async def _flood(playing: Playing) -> None:
    game = playing.contract.hash
    there = wire.Standing(game=game, contract_hash=bytes(32), step=0, head=bytes(32))
    while not playing.over:
        for _ in range(BURST):
            playing._send_out(wire.write(there), None)
        await asyncio.sleep(EVERY_S)


def _take_and_flood(playing: Playing, update: Update) -> None:
    _take(playing, update)
    if update.view.board is not None and not _floods:
        _floods.add(asyncio.create_task(_flood(playing)))


if __name__ == "__main__":
    setattr(Playing, "_take", _take_and_flood)  # noqa: B010 - a method is not assigned to
    # After our own words, a program's command line begins "python -m p2p_davinci".
    sys.exit(main(sys.argv[4:]))
