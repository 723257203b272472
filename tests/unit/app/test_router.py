"""Where the network's events go."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from p2p_davinci.app.playing import Playing
from p2p_davinci.app.router import Router, RouterOutlets, Whereabouts
from p2p_davinci.net.events import Event, Woke


def routed(event: Event, at: Whereabouts) -> None:
    """Let a router take one event."""

    async def scenario() -> None:
        events: asyncio.Queue[Event] = asyncio.Queue()
        unused: Any = Mock()
        router = Router(
            mesh=SimpleNamespace(events=events),  # type: ignore[arg-type]
            company=unused,
            returning=unused,
            desk=unused,
            at=at,
            wait_s=60.0,
            outlets=RouterOutlets(refused=unused, unanswered=unused, abandoned=unused),
        )
        running = asyncio.create_task(router.run())
        events.put_nowait(event)
        while not events.empty():
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(scenario())


def test_a_game_is_told_that_this_machine_slept() -> None:
    game = Mock(spec=Playing)
    routed(Woke(gap_s=600.0), Whereabouts(game=game))
    assert game.method_calls == [("slept",)]


def test_where_there_is_no_game_a_sleep_means_nothing() -> None:
    at = Whereabouts()
    routed(Woke(gap_s=600.0), at)
    assert at == Whereabouts()
