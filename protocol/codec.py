"""The canonical msgpack subset in which everything is signed and sent (SPEC, encoding; labels).

Values are ``None``, ``bool``, ``int`` (0 to 2**64 - 1), ``bytes``, ``str`` and tuples of them, at
most :data:`ARRAY_ITEMS_MAX` long and :data:`DEPTH_MAX` deep. One value has one encoding: the
shortest form of each type, which is what ``msgpack.packb`` writes; whatever does not re-encode to
the very same bytes is refused. There are no maps, floats, negative numbers or extension types.
"""

from __future__ import annotations

from typing import Final, TypeAlias, TypeGuard

import msgpack

from .errors import Misuse, PeerFault

PROTOCOL_VERSION: Final = 2
"""The version of the whole protocol: of labels, payloads, asides, contracts, files and tags."""

Value: TypeAlias = "bool | int | bytes | str | tuple[Value, ...] | None"

DEPTH_MAX = 8
"""Arrays inside arrays: a bare number has depth 0."""

ARRAY_ITEMS_MAX = 1024
"""The longest array. A reader reserves an array's memory when it sees the declared length, so the
limit must stand before the items do: nested long arrays would cost far more than their bytes."""

UINT_MAX = 2**64 - 1
FRAME_BYTES_MAX = 65536
"""The largest encoding that :func:`decode` reads unless told otherwise, in bytes."""

LABEL_BYTES = 32


def label(name: str) -> bytes:
    """Return the 32 bytes that stand first in whatever is hashed or signed for purpose ``name``.

    All labels have one width, so none is the beginning of another (SPEC, labels).

    Raises:
        Misuse: ``name`` does not fit, or is not ASCII.
    """
    text = f"p2p-davinci/{PROTOCOL_VERSION} {name}"
    if not text.isascii() or len(text) > LABEL_BYTES:
        raise Misuse(f"no label: {name!r}")
    return text.encode("ascii").ljust(LABEL_BYTES, b"\0")


def encode(value: Value) -> bytes:
    """Return the canonical encoding of ``value``.

    Raises:
        Misuse: ``value`` is outside the subset (a float, a map, a negative number, a lone
            surrogate, too long an array, too deep).
    """
    if not _in_subset(value, DEPTH_MAX):
        raise Misuse("value is outside the canonical subset")
    try:
        packed: bytes = msgpack.packb(value, use_bin_type=True)
    except UnicodeEncodeError:
        raise Misuse("text cannot be written as UTF-8") from None
    return packed


def decode(data: bytes, *, bytes_max: int = FRAME_BYTES_MAX) -> Value:
    """Return the value that ``data`` encodes; arrays come back as tuples.

    Raises:
        PeerFault: ``codec.length`` (longer than ``bytes_max`` bytes), ``codec.canonical`` (anything
            else that :func:`encode` writes for no value).
    """
    if len(data) > bytes_max:
        raise PeerFault("codec.length", f"{len(data)} bytes, at most {bytes_max}")
    try:
        value: object = msgpack.unpackb(
            data,
            raw=False,
            use_list=False,
            max_array_len=ARRAY_ITEMS_MAX,
            max_map_len=0,
            max_ext_len=0,
        )
    # Every error of msgpack is one of these: the text and limit errors are ValueErrors.
    except (ValueError, msgpack.UnpackException) as error:
        raise PeerFault("codec.canonical", type(error).__name__) from None
    if not _in_subset(value, DEPTH_MAX) or msgpack.packb(value, use_bin_type=True) != data:
        raise PeerFault("codec.canonical")
    return value


def as_uint(value: Value, check: str, *, at_most: int = UINT_MAX) -> int:
    """Return a decoded ``value`` that must be a number, 0 to ``at_most``.

    Raises:
        PeerFault: ``check``: it is something else, a truth value included.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= at_most:
        raise PeerFault(check)
    return value


def as_bytes(value: Value, check: str, *, length: int | None = None) -> bytes:
    """Return a decoded ``value`` that must be a byte string, of ``length`` bytes if given.

    Raises:
        PeerFault: ``check``: it is something else, or has another length.
    """
    if not isinstance(value, bytes) or (length is not None and len(value) != length):
        raise PeerFault(check)
    return value


def as_text(value: Value, check: str, *, bytes_max: int, bytes_min: int = 0) -> str:
    """Return a decoded ``value`` that must be text, of so many bytes of UTF-8.

    Raises:
        PeerFault: ``check``: it is something else, longer or shorter.
    """
    if not isinstance(value, str) or not bytes_min <= len(value.encode()) <= bytes_max:
        raise PeerFault(check)
    return value


def as_array(value: Value, check: str, *, length: int | None = None) -> tuple[Value, ...]:
    """Return a decoded ``value`` that must be an array, of ``length`` items if given.

    Raises:
        PeerFault: ``check``: it is something else, or has another length.
    """
    if not isinstance(value, tuple) or (length is not None and len(value) != length):
        raise PeerFault(check)
    return value


def _in_subset(value: object, depth: int) -> TypeGuard[Value]:
    match value:
        case None | bool() | bytes() | str():
            return True
        case int():
            return 0 <= value <= UINT_MAX
        # The exact type: msgpack's own ExtType is a tuple, too.
        case tuple() if type(value) is tuple:
            return depth > 0 and _items_in_subset(value, depth - 1)
        case _:
            return False


def _items_in_subset(items: tuple[object, ...], depth: int) -> bool:
    return len(items) <= ARRAY_ITEMS_MAX and all(_in_subset(item, depth) for item in items)
