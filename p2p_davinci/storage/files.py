"""Private files and folders, what it takes to have them on the disk, and locks between programs."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FOLDER_MODE = 0o700
FILE_MODE = 0o600
BINARY: int = getattr(os, "O_BINARY", 0)
"""Without it Windows would write two bytes for every byte 10; 0 everywhere else."""

_WRITE_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY
_NO_FULL_SYNC = frozenset({errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOTTY})
"""The errors of a file system without ``F_FULLFSYNC``."""


# --- writing -----------------------------------------------------------------------------------


def make_private_folder(folder: Path) -> None:
    """Create ``folder`` and its parents, on the disk at once; only its owner may look inside.

    Raises:
        OSError: it cannot be created.
    """
    made = [new for new in (folder, *folder.parents) if not new.exists()]
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    for new in made:
        sync_folder(new.parent)


def open_private(path: Path) -> BinaryIO:
    """Open the file at ``path`` to be written from its beginning, readable by its owner alone.

    Its folder is created if need be. A file that was there already becomes its owner's alone, too.

    Raises:
        OSError: it cannot be created, or belongs to somebody else.
    """
    make_private_folder(path.parent)
    file = os.fdopen(os.open(path, _WRITE_NEW, FILE_MODE), "wb")
    try:
        path.chmod(FILE_MODE)
    except BaseException:
        file.close()
        raise
    return file


def write_private(path: Path, data: bytes) -> None:
    """Replace the file at ``path`` by ``data``, readable by its owner alone.

    Its folder is created if need be. The bytes are on the disk before the old file is replaced, so
    a crash leaves one or the other; once this has returned, it leaves the new one.

    Raises:
        OSError: the folder cannot be made, is full or read-only.
    """
    make_private_folder(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, _WRITE_NEW, FILE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            sync_file(file.fileno())
        draft.replace(path)
        sync_folder(path.parent)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


# --- syncing -----------------------------------------------------------------------------------


def sync_file(descriptor: int) -> None:
    """Return once all that was written to an open file is on the disk.

    On macOS ``fsync`` ends at the disk's cache; there the disk itself is waited for.

    Raises:
        OSError: the system refused; what is on the disk is then unknown.
    """
    if sys.platform != "win32" and hasattr(fcntl, "F_FULLFSYNC"):
        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        except OSError as error:
            if error.errno not in _NO_FULL_SYNC:
                raise
        else:
            return
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Return once the names of the files in ``folder`` are on the disk, where the system can.

    Raises:
        OSError: as for :func:`sync_file`.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        # Windows opens no folder; its file systems keep names in a journal of their own.
        return
    try:
        sync_file(descriptor)
    finally:
        os.close(descriptor)


# --- locks -------------------------------------------------------------------------------------


def take_lock(path: Path) -> int | None:
    """Return a descriptor that holds the lock file ``path`` until it is closed.

    ``None`` if somebody else holds it: another process, or another descriptor of this one.

    Raises:
        OSError: the lock file or its folder cannot be made.
    """
    descriptor = _open_lock(path)
    try:
        _lock(descriptor, wait=False)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let no other program read and change the file at ``path`` in between.

    All have to ask, and wait for one another. The lock is a file beside it, ``NAME.lock``: a file
    that is replaced takes the locks on it along.

    Raises:
        OSError: the lock file or its folder cannot be made; on Windows, ten seconds have passed.
    """
    descriptor = _open_lock(path.with_name(f"{path.name}.lock"))
    try:
        _lock(descriptor, wait=True)
        yield
    finally:
        os.close(descriptor)


def _open_lock(path: Path) -> int:
    make_private_folder(path.parent)
    return os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE)


def _lock(descriptor: int, *, wait: bool) -> None:
    """Lock an open file until it is closed; ``BlockingIOError`` if that would have to ``wait``."""
    if sys.platform == "win32":
        try:
            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from error
    else:
        # flock, not lockf: two objects of one process must exclude each other too.
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
