"""Small private files, written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600


def make_private_folder(folder: Path) -> None:
    """Create ``folder`` and its parents; only its owner may look inside.

    Raises:
        OSError: it cannot be created.
    """
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)


def write_private(path: Path, data: bytes) -> None:
    """Replace the file at ``path`` by ``data``, readable by its owner alone.

    The bytes are on the disk before the old file is replaced, so a crash leaves one or the other.

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
    except OSError:
        draft.unlink(missing_ok=True)
        raise
