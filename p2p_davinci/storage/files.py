"""Private files: small ones, written whole or not at all, and one that is written bit by bit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

FOLDER_MODE = 0o700
FILE_MODE = 0o600


def make_private_folder(folder: Path) -> None:
    """Create ``folder`` and its parents, on the disk at once; only its owner may look inside.

    Raises:
        OSError: it cannot be created.
    """
    made = [new for new in (folder, *folder.parents) if not new.exists()]
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    for new in made:
        _sync_names(new.parent)


def open_private(path: Path) -> BinaryIO:
    """Open the file at ``path`` to be written from its beginning, readable by its owner alone.

    Also a file that was there already becomes its owner's alone.

    Raises:
        OSError: it cannot be created, or belongs to somebody else.
    """
    file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "wb")
    try:
        path.chmod(FILE_MODE)
    except BaseException:
        file.close()
        raise
    return file


def write_private(path: Path, data: bytes) -> None:
    """Replace the file at ``path`` by ``data``, readable by its owner alone.

    The bytes are on the disk before the old file is replaced, so a crash leaves one or the other;
    and the new one is the one that stays before this returns, and others can come to know of it.

    Raises:
        OSError: the folder is missing, full or read-only.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        _sync_names(path.parent)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def _sync_names(folder: Path) -> None:
    """Return once the names of the files in ``folder`` are on the disk, where the system can."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        # Windows opens no folder; its file systems keep names in a journal of their own.
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
