"""What becomes of messages that come where nobody plays the game they are about."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p_davinci.app.router import Router, RouterOutlets, Whereabouts
from p2p_davinci.console.model import Model
from p2p_davinci.net.events import PeerDown, PeerQuiet, Received
from p2p_davinci.session import wire
from protocol import encode
from tests.unit.console.lobbies import lobby

PEER, MEMBER, GAME = b"p" * 32, b"m" * 32, b"g" * 32
AT = wire.write(wire.Standing(game=GAME, contract_hash=bytes(32), step=0, head=bytes(32)))


class Sender:
    """A mesh that hears what the test says, and remembers what is sent."""

    def __init__(self, *heard: Received | PeerDown | PeerQuiet) -> None:
        self.events: asyncio.Queue[Received | PeerDown | PeerQuiet] = asyncio.Queue()
        self.sent: list[tuple[bytes, bytes]] = []
        for event in heard:
            self.events.put_nowait(event)

    def send(self, peer: bytes, data: bytes) -> None:
        self.sent.append((peer, data))


async def routed(
    at: Whereabouts, *heard: Received | PeerDown | PeerQuiet, desk: Any = None
) -> list[tuple[bytes, bytes]]:
    """What is sent in answer to what is heard."""
    mesh = Sender(*heard)
    unused = SimpleNamespace(hold=lambda *_: None, went=lambda *_: None)
    parts: dict[str, Any] = {
        "mesh": mesh,
        "company": unused,
        "returning": unused,
        "desk": desk,
        "outlets": RouterOutlets(
            refused=lambda *_: None, unanswered=lambda: None, abandoned=lambda: None
        ),
    }
    task = asyncio.create_task(Router(at=at, wait_s=1.0, **parts).run())
    while not mesh.events.empty():
        await asyncio.sleep(0)
    if task.done():
        task.result()
    task.cancel()
    return mesh.sent


def forming() -> Any:
    return SimpleNamespace(members=(MEMBER,), step=lambda _event: None)


@pytest.mark.parametrize("at", [Whereabouts(), Whereabouts(forming=forming())])
def test_who_takes_this_player_for_one_in_its_game_is_told_that_it_is_not_so(
    at: Whereabouts,
) -> None:
    said = (AT, encode(("sit",)), encode(("bye",)))
    heard = [Received(peer=PEER, data=data) for data in said]
    assert asyncio.run(routed(at, *heard)) == [(PEER, encode(("bye", GAME)))]


def test_a_member_of_the_table_may_have_begun_the_game_already() -> None:
    at = Whereabouts(forming=forming())
    assert asyncio.run(routed(at, Received(peer=MEMBER, data=AT))) == []


@pytest.mark.parametrize(
    ("reason", "told"),
    [("lost", []), ("forgotten", []), ("left", []), ("silent", []), ("slow", ["slow"])],
)
def test_in_a_game_a_lost_link_is_left_to_the_console_and_other_ends_are_told(
    reason: str, told: list[str]
) -> None:
    heard: list[str] = []
    game = SimpleNamespace(over=False, seat_of=lambda _: 0, unlinked=lambda _: None)
    desk = SimpleNamespace(
        model=SimpleNamespace(speech=SimpleNamespace(names=("bo",))),
        explain=lambda _topic, why, **_values: heard.append(why),
    )
    at: Any = Whereabouts(game=cast("Any", game))
    asyncio.run(routed(at, PeerDown(peer=PEER, reason=reason), desk=desk))
    assert heard == told


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (Model(lang="en"), []),
        (Model(lang="en", lobby=lobby()), ["Nothing heard from bo for 4 seconds."]),
    ],
)
def test_silence_is_told_of_whoever_has_a_name_and_in_a_resumed_game_nobody_has_at_first(
    model: Model, told: list[str]
) -> None:
    heard: list[str] = []
    game: Any = SimpleNamespace(seat_of=lambda _: 1)
    desk = SimpleNamespace(model=model, show=lambda news: heard.extend(news.lines))
    quiet = PeerQuiet(peer=PEER, silent_s=4.0)
    asyncio.run(routed(Whereabouts(game=game), quiet, desk=desk))
    assert heard == told
