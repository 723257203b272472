"""Files of records that only grow: the log of a game, and a seat's secrets."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from typing import Self

from protocol import HEADER, LOG_KINDS, Misuse, PeerFault, Record, check_record, read_log

from .files import BINARY, FILE_MODE, make_private_folder, sync_file, sync_folder

_PUBLIC_MODE = 0o666


class LogFile:
    """A log on disk that only grows; what is synced is on the disk.

    ``records`` and ``torn`` say what :meth:`open` found: every whole record, and the bytes of a
    torn one that it cut off.
    """

    def __init__(
        self,
        path: Path,
        fd: int,
        size: int,
        *,
        records: tuple[Record, ...] = (),
        torn: int = 0,
    ) -> None:
        self.path = path
        self._fd: int | None = fd
        self._size = size
        self.records = records
        self.torn = torn

    @classmethod
    def create(cls, path: Path, *, header: bytes = HEADER, private: bool = False) -> Self:
        """Create the file with its header, and its folder; both on disk before this returns.

        A ``private`` file can be read by its owner only (mode 0600, where the system has modes).

        Raises:
            FileExistsError: there is a file of that name.
            OSError: the system refused.
        """
        make_private_folder(path.parent)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | BINARY
        log = cls(path, os.open(path, flags, FILE_MODE if private else _PUBLIC_MODE), 0)
        try:
            log._write(header)
            log.sync()
            sync_folder(path.parent)
        except OSError:
            log.close()
            raise
        return log

    @classmethod
    def open(
        cls, path: Path, *, header: bytes = HEADER, kinds: Collection[str] = LOG_KINDS
    ) -> Self:
        """Open the file to go on with it: read its records, cut off a torn last one.

        All that is told is on the disk before this returns: after a crash it may have been in
        memory only. It is written there once more, so the disk must have room for it.

        Raises:
            PeerFault: as :func:`read_log`; the file is left as it was.
            OSError: there is no such file, or the system refused; no whole record is lost.
        """
        fd = os.open(path, os.O_RDWR | BINARY)
        try:
            data = path.read_bytes()
            records, torn = read_log(data, header=header, kinds=kinds)
            size = len(data) - torn
            # After a sync that failed, Linux may take for written what never came to the disk: it
            # is still read, but no later sync writes it. The same bytes once more are to be
            # written again, and over themselves nothing is lost if that is broken off.
            _write_whole(fd, data[:size])
            if torn:
                os.ftruncate(fd, size)
            sync_file(fd)
        except (OSError, PeerFault):
            os.close(fd)
            raise
        return cls(path, fd, size, records=records, torn=torn)

    def append(self, record: bytes) -> None:
        """Write a record of :func:`encode_record`; it may be lost until :meth:`sync` returns.

        If the disk is full or fails, the file is put back to its last whole record.

        Raises:
            Misuse: ``record`` is not one whole record, or the file is closed.
            OSError: the system refused.
        """
        check_record(record)
        self._write(record)

    def sync(self) -> None:
        """Return once all that was appended is on the disk.

        Raises:
            Misuse: the file is closed.
            OSError: the system refused; what is on the disk is then unknown.
        """
        sync_file(self._descriptor())

    def cut(self, size: int) -> None:
        """Drop everything from ``size`` bytes on, where a record begins; on the disk at once.

        For a step that a crash left only partly written: it is written anew when it is complete.

        Raises:
            Misuse: ``size`` is not within the file, or the file is closed.
            OSError: the system refused.
        """
        fd = self._descriptor()
        if not 0 < size <= self._size:
            raise Misuse(f"cut at {size} of {self._size} bytes")
        os.ftruncate(fd, size)
        os.lseek(fd, size, os.SEEK_SET)
        self._size = size
        sync_file(fd)

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def delete(self) -> None:
        """Close the file and delete it, where the system lets it."""
        # Windows deletes no open file.
        self.close()
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _descriptor(self) -> int:
        if self._fd is None:
            raise Misuse("the file is closed")
        return self._fd

    def _write(self, data: bytes) -> None:
        fd = self._descriptor()
        try:
            _write_whole(fd, data)
        except OSError:
            os.ftruncate(fd, self._size)
            os.lseek(fd, self._size, os.SEEK_SET)
            raise
        self._size += len(data)


def _write_whole(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]
