"""What is on the disk when a private file has been written, and what a failure leaves there."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from p2p_davinci.storage.files import (
    locked,
    make_private_folder,
    open_private,
    take_lock,
    write_private,
)
from p2p_davinci.storage.identity import load_identity

from .syncing import full_syncing, plain_sync, synced

NO_FOLDERS = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot sync a folder")


@pytest.fixture(name="synced")
def synced_inodes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The list of later ``os.fsync`` calls: the inode of each file or folder."""
    return synced(monkeypatch, lambda found: found.st_ino)


def inode(path: Path) -> int:
    return path.stat().st_ino


@NO_FOLDERS
def test_a_file_and_then_its_name_are_synced(tmp_path: Path, synced: list[int]) -> None:
    for text in (b"one", b"two"):
        synced.clear()
        write_private(tmp_path / "file", text)
        assert synced == [inode(tmp_path / "file"), inode(tmp_path)]


@NO_FOLDERS
def test_the_names_of_new_folders_are_synced_and_of_old_ones_not(
    tmp_path: Path, synced: list[int]
) -> None:
    make_private_folder(tmp_path / "new" / "deep")
    assert synced == [inode(tmp_path / "new"), inode(tmp_path)]
    make_private_folder(tmp_path / "new" / "deep")
    assert len(synced) == 2


@NO_FOLDERS
def test_a_new_key_cannot_be_lost_once_others_can_know_it(
    tmp_path: Path, synced: list[int]
) -> None:
    identity = load_identity(tmp_path / "me")
    key = [inode(tmp_path), inode(tmp_path / "me" / "identity.pem"), inode(tmp_path / "me")]
    assert synced == key
    identity.next_boot()
    assert synced == [*key, inode(tmp_path / "me" / "starts"), inode(tmp_path / "me")]
    identity.close()


def test_a_system_that_cannot_open_a_folder_does_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def refusing(path: Path, flags: int, mode: int = 0o777) -> int:
        if path == tmp_path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", refusing)
    write_private(tmp_path / "file", b"one")
    assert (tmp_path / "file").read_bytes() == b"one"


@NO_FOLDERS
def test_a_disk_that_fails_is_told_and_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    plain_sync(monkeypatch)
    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        write_private(tmp_path / "file", b"one")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_of_every_file_the_disk_itself_is_waited_for_where_a_sync_ends_at_its_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = full_syncing(monkeypatch)
    write_private(tmp_path / "file", b"one")
    # The file, and its name.
    assert calls == ["fcntl 51"] * 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_whatever_is_written_makes_its_folder_and_both_are_their_owners_alone(
    tmp_path: Path,
) -> None:
    here = tmp_path / "new"
    write_private(here / "a" / "file", b"one")
    open_private(here / "b" / "file").close()
    lock = take_lock(here / "c" / "file")
    assert lock is not None
    os.close(lock)
    with locked(here / "d" / "file"):
        pass
    found = list(here.rglob("*"))
    assert len(found) == 8
    for path in found:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
