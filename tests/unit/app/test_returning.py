"""Back to a saved game: what the player is told at the beginning, and bots that are gone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.app import returning
from p2p_davinci.app.returning import Returning
from p2p_davinci.app.settings import Settings
from p2p_davinci.rules.options import Options
from p2p_davinci.session.lobby_events import Member
from p2p_davinci.storage.folders import Folders
from protocol import Signer
from tests.support.table import contract_for

ADDRESS = "192.0.2.1:4000"


def returning_with(folder: Path, *, company: Any, bots: Any = None) -> Returning:
    discovery: Any = SimpleNamespace(advertise=quietly)
    mesh: Any = SimpleNamespace(port=1, addresses=lambda: ())
    return Returning(
        Settings(command="resume", folders=Folders(root=folder), options=Options()),
        mesh=mesh,
        company=company,
        discovery=discovery,
        bots=bots,
        interfaces=(),
    )


async def quietly(*_args: object, **_values: object) -> None:
    """Advertise nothing."""


@pytest.mark.parametrize(
    ("bots", "addresses", "told"),
    [
        (0, ADDRESS, ["resume.begins", "resume.dial"]),
        (0, "", ["resume.begins"]),
        (1, ADDRESS, ["resume.begins"]),
    ],
)
def test_where_others_can_dial_is_told_where_there_are_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bots: int, addresses: str, told: list[str]
) -> None:
    keys = [Signer(Ed25519PrivateKey.generate()) for _ in range(2)]
    contract = contract_for((keys[0], keys[1]), "standard")
    monkeypatch.setattr(returning, "bots_of", lambda *_: [None] * bots)
    ignored: Any = SimpleNamespace(keep=lambda *_: None)
    back = returning_with(tmp_path, company=ignored)
    saved: Any = SimpleNamespace(
        contract=contract, names=("ana", "bo"), key=contract.players[0].key, torn_bytes=0
    )
    heard: list[str] = []
    back.begin(saved, addresses, lambda key, **_: heard.append(key), lambda _task: None)
    assert heard == told


def test_who_has_the_name_of_another_is_told_once_and_only_so_many_are_remembered(
    tmp_path: Path,
) -> None:
    ignored: Any = SimpleNamespace()
    back = returning_with(tmp_path, company=ignored)
    memory: Any = SimpleNamespace(is_other=lambda _member: True)
    back._memory = memory
    ana, *others = (
        Member(key=number.to_bytes(32), name="ana", addresses=(), ready=False, linked=True)
        for number in range(3 * returning.SEEN_MAX)
    )
    assert back.suspects((ana,)) == (0,)
    for other in others:
        assert back.suspects((ana, other)) == (1,)
        assert back.suspects((ana, other)) == ()
    assert len(back._seen) == returning.SEEN_MAX


def test_a_bot_that_cannot_be_started_ends_no_game_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [Signer(Ed25519PrivateKey.generate()) for _ in range(2)]
    contract = contract_for((keys[0], keys[1]), "standard")
    plan = SimpleNamespace(key=keys[1].public)
    monkeypatch.setattr(returning, "bots_of", lambda *_: [plan])
    monkeypatch.setattr(returning, "BOT_AGAIN_S", 0.0)
    starts: list[object] = []

    def start(started: object, **_how: object) -> None:
        starts.append(started)
        if len(starts) < 3:
            raise OSError(11, "no more processes")

    company: Any = SimpleNamespace(linked=(), is_linked=lambda _key: False)
    bots: Any = SimpleNamespace(runs=lambda _key: len(starts) >= 3, resume=start)
    back = returning_with(tmp_path, company=company, bots=bots)

    started: list[asyncio.Task[None]] = []

    async def scenario() -> None:
        async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
            back.stay(
                contract,
                lambda: len(starts) >= 3,
                lambda task: started.append(tasks.create_task(task)),
            )

    asyncio.run(scenario())
    assert starts == [plan] * 3
