"""Fixtures for the commands: folders of their own, a stand-in for the program, and logs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_davinci.app import findings, runner
from p2p_davinci.app.settings import Exit, Settings
from p2p_davinci.storage.folders import DATA_VARIABLE
from p2p_davinci.storage.identity import Identity
from protocol import HEADER
from tests.support.table import each_proof_checked_once

from . import logs
from .printing import MADE, verdict_on


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own for everything that a command keeps, and an English environment."""
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    monkeypatch.setenv("LANG", "C")
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


class Runs:
    """What stands for the program: it remembers what it was asked."""

    def __init__(self) -> None:
        self.settings: list[Settings] = []
        self.keys: list[bytes] = []
        self.exit: int = Exit.OK
        self.error: BaseException | None = None

    def run(self, settings: Settings, identity: Identity) -> int:
        self.settings.append(settings)
        self.keys.append(identity.public)
        if self.error is not None:
            raise self.error
        return self.exit


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    fake = Runs()
    monkeypatch.setattr(runner, "run", fake.run)
    return fake


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)


@pytest.fixture(scope="module")
def each_log_verified_once() -> Iterator[None]:
    """All logs come from one game, so most proofs are the same ones, too."""
    with each_proof_checked_once(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(findings, "verify_log", verdict_on)
        yield


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file in every state that a report can meet."""
    folder = tmp_path_factory.mktemp("shelf")
    for name, made in MADE.items():
        (folder / name).write_bytes(made())
    (folder / "honest").write_bytes(logs.evidence(honest=True))
    (folder / "bad_evidence").write_bytes(logs.evidence()[:-1])
    (folder / "other").write_bytes(b"GIF89a")
    (folder / "broken").write_bytes(HEADER + b"\0\0\0\1\xc1")
    return folder
