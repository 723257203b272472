"""Where this program keeps its files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

PROGRAM = "p2p-davinci"
DATA_VARIABLE = "P2P_DAVINCI_DATA"


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """The folders of one player: everything lies below ``root``."""

    root: Path

    @property
    def identity(self) -> Path:
        """The long-term key."""
        return self.root / "identity"

    @property
    def logs(self) -> Path:
        """The public logs of games."""
        return self.root / "logs"

    @property
    def secrets(self) -> Path:
        """What this player must not forget while a game lasts; nobody else may read it."""
        return self.root / "secrets"

    @property
    def config(self) -> Path:
        """The preferences (JSON)."""
        return self.root / "config.json"

    @property
    def crashes(self) -> Path:
        """The file that a crash report is added to."""
        return self.root / "crash.txt"

    @property
    def peers(self) -> Path:
        """The players met before, and where (JSON)."""
        return self.root / "peers.json"

    @property
    def bots(self) -> Path:
        """What belongs to the bots that this player spawns, a folder for each."""
        return self.root / "bots"

    def bot(self, name: str) -> Folders:
        """Return the folders of a bot that this player spawns."""
        return Folders(root=self.bots / name)


def folders(data: str | None, environ: Mapping[str, str] = os.environ) -> Folders:
    """Return the folders: below ``data``, or the environment's choice, or the platform's place."""
    chosen = data or environ.get(DATA_VARIABLE)
    if chosen:
        return Folders(root=Path(chosen).expanduser().absolute())
    return Folders(root=platformdirs.user_data_path(PROGRAM, appauthor=False))
