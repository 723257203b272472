"""The canonical msgpack subset in which everything is signed and sent (SPEC section 3).

Values are ``None``, ``bool``, ``int`` (0 to 2**64 - 1), ``bytes``, ``str`` and tuples of them, no
deeper than :data:`DEPTH_MAX`. One value has one encoding: the shortest form of each type, which is
what ``msgpack.packb`` writes; whatever does not re-encode to the very same bytes is refused. There
are no maps, floats, negative numbers or extension types.
"""

from __future__ import annotations

from typing import TypeAlias

import msgpack

from .errors import Misuse, PeerFault

Value: TypeAlias = "None | bool | int | bytes | str | tuple[Value, ...]"

DEPTH_MAX = 8
"""Arrays inside arrays: a bare number has depth 0."""

UINT_MAX = 2**64 - 1
FRAME_BYTES_MAX = 65536
"""The largest encoding that :func:`decode` reads unless told otherwise, in bytes."""


def encode(value: Value) -> bytes:
    """Return the canonical encoding of ``value``.

    Raises:
        Misuse: ``value`` is outside the subset (a float, a map, a negative number, too deep).
    """
    if not _in_subset(value, DEPTH_MAX):
        raise Misuse("value is outside the canonical subset")
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def decode(data: bytes, *, bytes_max: int = FRAME_BYTES_MAX) -> Value:
    """Return the value that ``data`` encodes; arrays come back as tuples.

    Raises:
        PeerFault: ``codec.length`` (longer than ``bytes_max`` bytes), ``codec.syntax`` (not
            msgpack, or trailing bytes), ``codec.subset`` (a type outside the subset, or too deep),
            ``codec.canonical`` (not the one encoding of its value).
    """
    if len(data) > bytes_max:
        raise PeerFault("codec.length", f"{len(data)} bytes, at most {bytes_max}")
    try:
        value: object = msgpack.unpackb(
            data, raw=False, use_list=False, strict_map_key=True, max_map_len=0, max_ext_len=0
        )
    # msgpack raises ValueError's and its own kin, RecursionError's kin and UnicodeDecodeError.
    except (ValueError, msgpack.UnpackException, RecursionError) as error:
        raise PeerFault("codec.syntax", type(error).__name__) from None
    if not _in_subset(value, DEPTH_MAX):
        raise PeerFault("codec.subset")
    checked: Value = value  # type: ignore[assignment]
    if msgpack.packb(checked, use_bin_type=True) != data:
        raise PeerFault("codec.canonical")
    return checked


def _in_subset(value: object, depth: int) -> bool:
    match value:
        case None | bool() | bytes() | str():
            return True
        case int():
            return 0 <= value <= UINT_MAX
        case tuple():
            return depth > 0 and all(_in_subset(item, depth - 1) for item in value)
        case _:
            return False
