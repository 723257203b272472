"""Frames on a byte stream: ``length (4, big-endian) ‖ kind (1) ‖ body (length)``.

PEER, frames. The length is looked at before any byte of the body is waited for, so a frame that
announces too much costs nothing. Sans-I/O: bytes in, frames out.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from .limits import FRAME_BODY_BYTES_MAX

_HEADER = struct.Struct(">IB")
HEADER_BYTES = _HEADER.size


class FrameTooLong(Exception):  # noqa: N818 - what happened, not whose error
    """A frame announced a body of more bytes than are allowed at this point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One frame; ``kind`` is 0 to 255."""

    kind: int
    body: bytes


def pack_frame(kind: int, body: bytes) -> bytes:
    """Return the bytes of one frame.

    Raises:
        ValueError: the body is longer than 65,536 bytes.
    """
    if len(body) > FRAME_BODY_BYTES_MAX:
        raise ValueError(f"a body of {len(body)} bytes")
    return _HEADER.pack(len(body), kind) + body


class FrameParser:
    """Cut a stream into frames; ``body_bytes_max`` may be raised between two frames."""

    def __init__(self, body_bytes_max: int = FRAME_BODY_BYTES_MAX) -> None:
        self.body_bytes_max = body_bytes_max
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream, cut anywhere."""
        self._buffer += data

    def next_frame(self) -> Frame | None:
        """Return the next complete frame, or ``None`` until more bytes have come.

        Raises:
            FrameTooLong: the header alone says so.
        """
        if len(self._buffer) < HEADER_BYTES:
            return None
        length, kind = _HEADER.unpack_from(self._buffer)
        if length > self.body_bytes_max:
            raise FrameTooLong(f"{length} bytes announced, at most {self.body_bytes_max}")
        end = HEADER_BYTES + length
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[HEADER_BYTES:end])
        del self._buffer[:end]
        return Frame(kind=kind, body=body)
