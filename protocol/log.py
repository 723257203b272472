"""The append-only file: a game's transcript, record and evidence in one (SPEC, log).

A header, then records: a length (4 bytes, big-endian) and the canonical encoding of
``[kind, data]``. Reading and writing bytes is pure; :class:`LogFile` adds the disk. The last record
of a file may be torn by a crash: readers say so, :meth:`LogFile.open` mends it, and since a record
is on disk before anything that depends on it is sent, nothing is lost by that. The same format
under another header keeps a seat's secrets. This module does not judge what a record says.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Collection
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .codec import FRAME_BYTES_MAX, PROTOCOL_VERSION, as_array, as_bytes, decode, encode
from .envelope import as_kind
from .errors import Misuse, PeerFault

HEADER: bytes = b"p2p-davinci log\n" + bytes([PROTOCOL_VERSION])
SECRETS_HEADER: bytes = b"p2p-davinci secrets\n" + bytes([PROTOCOL_VERSION])

KINDS = frozenset({"contract", "envelope", "aside", "fault", "note"})
"""What a public log holds: a contract; an envelope or an aside as sent; a *fault*, a raw envelope
that failed its check; a *note*, an unsigned remark of the log's owner, such as why it stopped."""

DATA_BYTES_MAX = FRAME_BYTES_MAX
"""The longest data of a record: whatever came in one frame can be kept."""

_LENGTH_BYTES = 4
_VALUE_BYTES_MAX = DATA_BYTES_MAX + 32
# Without it Windows would write "\r\n" for every byte 10.
_O_BINARY: int = getattr(os, "O_BINARY", 0)
# Windows has no such module.
_fcntl: Any = import_module("fcntl") if os.name == "posix" else None
_NO_FULL_SYNC = frozenset({errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOTTY})
"""How a file system says that it knows no ``F_FULLFSYNC``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record; ``offset`` is where it begins in its file, in bytes."""

    kind: str
    data: bytes = field(repr=False)
    offset: int


def encode_record(kind: str, data: bytes) -> bytes:
    """Return the bytes that append ``data`` (64 KiB at most) under ``kind`` to a file.

    Raises:
        Misuse: ``data`` is too long, or ``kind`` no name of 1 to 16 visible ASCII characters.
    """
    try:
        as_kind(kind, "log.record")
    except PeerFault:
        raise Misuse(f"no kind of record: {kind!r}") from None
    if len(data) > DATA_BYTES_MAX:
        raise Misuse(f"a record of {len(data)} bytes")
    value = encode((kind, data))
    return len(value).to_bytes(_LENGTH_BYTES, "big") + value


def read_log(
    data: bytes, *, header: bytes = HEADER, kinds: Collection[str] = KINDS
) -> tuple[tuple[Record, ...], int]:
    """Return the records of a file, and how many bytes of a torn last record follow them.

    A tail of zero bytes counts as torn: some file systems leave one after a loss of power, and no
    record begins with a length of zero.

    Raises:
        PeerFault: ``log.magic`` (not such a file), ``log.version``, ``log.record`` (unreadable, or
            of none of the ``kinds``; ``detail`` names its offset).
    """
    records, rest_bytes, fault = _read_records(data, header, kinds)
    if fault is not None:
        raise fault
    return records, rest_bytes


def read_undamaged(
    data: bytes, *, header: bytes = HEADER, kinds: Collection[str] = KINDS
) -> tuple[tuple[Record, ...], int]:
    """Return the records before the first that cannot be read, and how many bytes that leaves.

    For the owner of a damaged file; nobody else may take a part for the whole.

    Raises:
        PeerFault: ``log.magic``, ``log.version``.
    """
    records, rest_bytes, _ = _read_records(data, header, kinds)
    return records, rest_bytes


class LogFile:
    """A log on disk that only grows; what is synced is on the disk.

    ``records`` and ``torn`` say what :meth:`open` found: every whole record, and the bytes of a
    torn one that it cut off.
    """

    def __init__(
        self, fd: int, size: int, *, records: tuple[Record, ...] = (), torn: int = 0
    ) -> None:
        self._fd: int | None = fd
        self._size = size
        self.records = records
        self.torn = torn

    @classmethod
    def create(cls, path: Path, *, header: bytes = HEADER, private: bool = False) -> Self:
        """Create the file with its header, on disk before this returns.

        A ``private`` file can be read by its owner only (mode 0600, where the system has modes).

        Raises:
            FileExistsError: there is a file of that name.
            OSError: the system refused.
        """
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _O_BINARY
        log = cls(os.open(path, flags, 0o600 if private else 0o666), 0)
        try:
            log._write(header)
            log.sync()
            _sync_folder(path.parent)
        except OSError:
            log.close()
            raise
        return log

    @classmethod
    def open(cls, path: Path, *, header: bytes = HEADER, kinds: Collection[str] = KINDS) -> Self:
        """Open the file to go on with it: read its records, cut off a torn last one.

        All that is told is on the disk before this returns: after a crash it may have been in
        memory only. It is written there once more, so the disk must have room for it.

        Raises:
            PeerFault: as :func:`read_log`; the file is left as it was.
            OSError: there is no such file, or the system refused; no whole record is lost.
        """
        fd = os.open(path, os.O_RDWR | _O_BINARY)
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
            _await_disk(fd)
        except (OSError, PeerFault):
            os.close(fd)
            raise
        return cls(fd, size, records=records, torn=torn)

    def append(self, record: bytes) -> None:
        """Write a record of :func:`encode_record`; it may be lost until :meth:`sync` returns.

        If the disk is full or fails, the file is put back to its last whole record.

        Raises:
            Misuse: ``record`` is not one whole record, or the file is closed.
            OSError: the system refused.
        """
        if int.from_bytes(record[:_LENGTH_BYTES], "big") != len(record) - _LENGTH_BYTES:
            raise Misuse("not one whole record")
        self._write(record)

    def sync(self) -> None:
        """Return once all that was appended is on the disk.

        Raises:
            Misuse: the file is closed.
            OSError: the system refused; what is on the disk is then unknown.
        """
        _await_disk(self._descriptor())

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
        _await_disk(fd)

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

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


def _read_records(
    data: bytes, header: bytes, kinds: Collection[str]
) -> tuple[tuple[Record, ...], int, PeerFault | None]:
    _check_header(data, header)
    records = []
    offset = len(header)
    fault = None
    try:
        while (end := _record_end(data, offset)) is not None:
            records.append(_read_record(data, offset, end, kinds))
            offset = end
    except PeerFault as error:
        fault = error
    return tuple(records), len(data) - offset, fault


def _check_header(data: bytes, header: bytes) -> None:
    magic = header[:-1]
    if not data.startswith(magic) or len(data) < len(header):
        raise PeerFault("log.magic")
    if data[len(magic)] != header[-1]:
        raise PeerFault("log.version", f"{data[len(magic)]}, not {header[-1]}")


def _record_end(data: bytes, offset: int) -> int | None:
    """Where the record at ``offset`` ends, or None if no whole record is there."""
    start = offset + _LENGTH_BYTES
    if len(data) < start:
        return None
    length = int.from_bytes(data[offset:start], "big")
    if length == 0 and not any(data[start:]):
        return None
    if length > _VALUE_BYTES_MAX:
        raise PeerFault("log.record", f"at {offset}: declares {length} bytes")
    return start + length if start + length <= len(data) else None


def _read_record(data: bytes, offset: int, end: int, kinds: Collection[str]) -> Record:
    try:
        value = decode(data[offset + _LENGTH_BYTES : end], bytes_max=_VALUE_BYTES_MAX)
        kind, content = as_array(value, "log.record", length=2)
        record = Record(
            kind=as_kind(kind, "log.record"), data=as_bytes(content, "log.record"), offset=offset
        )
        if len(record.data) > DATA_BYTES_MAX:
            raise PeerFault("log.record", f"data of {len(record.data)} bytes")
    except PeerFault as fault:
        raise PeerFault("log.record", f"at {offset}: {fault}") from None
    if record.kind not in kinds:
        raise PeerFault("log.record", f"at {offset}: kind {record.kind!r}")
    return record


def _write_whole(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def _await_disk(fd: int) -> None:
    """Return once all written is on the disk itself: macOS syncs to its cache only."""
    full_sync = getattr(_fcntl, "F_FULLFSYNC", None)
    if full_sync is not None:
        try:
            _fcntl.fcntl(fd, full_sync)
        except OSError as error:
            if error.errno not in _NO_FULL_SYNC:
                raise
        else:
            return
    os.fsync(fd)


def _sync_folder(folder: Path) -> None:
    try:
        fd = os.open(folder, os.O_RDONLY)
    except OSError:
        # Windows cannot open a folder; its file systems keep names in a journal of their own.
        return
    try:
        _await_disk(fd)
    finally:
        os.close(fd)
