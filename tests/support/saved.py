"""Saved games as the program would have them on its disk."""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.storage.folders import Folders
from p2p_davinci.storage.identity import private_pem
from p2p_davinci.storage.saved_games import log_stem
from protocol import Signer
from tests.support.reborn import disk_of
from tests.support.table import Table, contract_for


def keep_identity(folders: Folders, private: Ed25519PrivateKey, profile: str = "") -> None:
    folder = folders.identity / profile
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "identity.pem").write_bytes(private_pem(private))


def put(folders: Folders, table: Table, stem: str, seat: int = 0) -> Path:
    """Put a seat's files of a table where the program would have them."""
    disk = disk_of(table.peers[seat])
    for folder in (folders.logs, folders.secrets):
        folder.mkdir(parents=True, exist_ok=True)
    log = folders.logs / f"{stem}.log"
    log.write_bytes(disk.log)
    (folders.secrets / f"{stem}.secrets").write_bytes(disk.secrets)
    return log


def begun(private: Ed25519PrivateKey) -> Table:
    who = (Signer(private), Signer(Ed25519PrivateKey.generate()))
    return Table(contract_for(who, "classic"), who).start()


def two_in_one_folder(folders: Folders, private: Ed25519PrivateKey, *, name: str) -> Table:
    """A game of two profiles of one folder; the names of its files tell seats or nothing."""
    other = Ed25519PrivateKey.generate()
    keep_identity(folders, other, "profile-2")
    who = (Signer(private), Signer(other))
    table = Table(contract_for(who, "classic"), who).start()
    for seat in range(2):
        stem = name.format(seat) or log_stem("now", "t", table.contract, seat)
        log = put(folders, table, stem, seat)
        os.utime(log, (1000.0 - seat, 1000.0 - seat))
    return table
