"""A disk that loses what was not synced, tears the last record, can be full and can fail."""

from __future__ import annotations

import errno
import random
from collections.abc import Callable, Collection

from protocol import Record, read_log


class Crashed(Exception):  # noqa: N818 - it is no error
    """The program died between two operations on disk or network."""


class Journal:
    """One append-only file; ``touched`` is called before every operation and may raise."""

    def __init__(self, header: bytes, kinds: Collection[str], touched: Callable[[], None]) -> None:
        self.data = bytearray(header)
        self.full = False
        self.failing = False
        self._header = header
        self._kinds = kinds
        self._synced = len(header)
        self._found: set[bytes] = set()
        self._touched = touched

    def append(self, record: bytes) -> None:
        self._touched()
        if self.full:
            self.data += record[: len(record) // 2]
            raise OSError(errno.ENOSPC, "no space left on device")
        self.data += record

    def sync(self) -> None:
        self._touched()
        if self.failing:
            raise OSError(errno.EIO, "input/output error")
        self._synced = len(self.data)

    def cut(self, size: int) -> None:
        del self.data[size:]
        self._found.clear()
        self.sync()

    def mended(self) -> None:
        """Let the disk work again."""
        self.full = self.failing = False

    def lose_power(self, rng: random.Random) -> None:
        """Lose what was not synced, but for some first bytes of it."""
        del self.data[rng.randint(self._synced, len(self.data)) :]

    def records(self) -> tuple[Record, ...]:
        """Return what is on the disk; a torn last record is cut off."""
        records, torn = read_log(bytes(self.data), header=self._header, kinds=self._kinds)
        del self.data[len(self.data) - torn :]
        self._synced = len(self.data)
        return records

    def synced(self) -> tuple[Record, ...]:
        """Return what no crash can take away."""
        data = bytes(self.data[: self._synced])
        return read_log(data, header=self._header, kinds=self._kinds)[0]

    def keeps(self, data: bytes) -> bool:
        """Tell whether something is in the file and no crash can take it away."""
        if data not in self._found and self.data.find(data, 0, self._synced) >= 0:
            self._found.add(data)
        return data in self._found
