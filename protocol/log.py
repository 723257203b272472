"""The append-only file: a game's transcript, record and evidence in one (SPEC, log).

A header, then records: a length (4 bytes, big-endian) and the canonical encoding of
``[kind, data]``. Here are functions of bytes; the disk is the caller's part. The last record of a
file may be torn by a crash: readers say so, and since a record is on disk before anything that
depends on it is sent, nothing is lost by cutting it off. The same format under another header keeps
a seat's secrets. This module does not judge what a record says.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from .codec import FRAME_BYTES_MAX, PROTOCOL_VERSION, as_array, as_bytes, decode, encode
from .envelope import as_kind
from .errors import Misuse, PeerFault

HEADER: bytes = b"p2p-davinci log\n" + bytes([PROTOCOL_VERSION])
SECRETS_HEADER: bytes = b"p2p-davinci secrets\n" + bytes([PROTOCOL_VERSION])

LOG_KINDS = frozenset({"contract", "envelope", "aside", "fault", "note"})
"""What a public log holds: a contract; an envelope or an aside as sent; a *fault*, a raw envelope
that failed its check; a *note*, an unsigned remark of the log's owner, such as why it stopped."""

DATA_BYTES_MAX = FRAME_BYTES_MAX
"""The longest data of a record: whatever came in one frame can be kept."""

_LENGTH_BYTES = 4
_VALUE_BYTES_MAX = DATA_BYTES_MAX + 32


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


def check_record(record: bytes) -> None:
    """Refuse what is not the length of one whole record that came from :func:`encode_record`.

    Raises:
        Misuse: it is longer or shorter than it declares.
    """
    if int.from_bytes(record[:_LENGTH_BYTES], "big") != len(record) - _LENGTH_BYTES:
        raise Misuse("not one whole record")


def read_log(
    data: bytes, *, header: bytes = HEADER, kinds: Collection[str] = LOG_KINDS
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
    data: bytes, *, header: bytes = HEADER, kinds: Collection[str] = LOG_KINDS
) -> tuple[tuple[Record, ...], int]:
    """Return the records before the first that cannot be read, and how many bytes that leaves.

    For the owner of a damaged file; nobody else may take a part for the whole.

    Raises:
        PeerFault: ``log.magic``, ``log.version``.
    """
    records, rest_bytes, _ = _read_records(data, header, kinds)
    return records, rest_bytes


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
