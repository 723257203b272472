"""Back to a saved game: what the player is told at the beginning."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.app import returning
from p2p_davinci.app.returning import Returning
from p2p_davinci.app.settings import Folders, Settings
from p2p_davinci.rules.options import Options
from protocol import Signer
from tests.support.table import contract_for

ADDRESS = "192.0.2.1:4000"


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
    back = Returning(
        Settings(command="resume", folders=Folders(root=tmp_path), options=Options()),
        mesh=ignored,
        company=ignored,
        discovery=ignored,
        bots=ignored,
        interfaces=(),
    )
    saved: Any = SimpleNamespace(
        contract=contract, names=("ana", "bo"), key=contract.players[0].key, torn_bytes=0
    )
    heard: list[str] = []
    back.begin(saved, addresses, lambda key, **_: heard.append(key), lambda _task: None)
    assert heard == told
