"""Systems whose syncs are noted: one where ``fsync`` is enough, and one like macOS."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TypeVar

import pytest

if sys.platform != "win32":
    import fcntl

T = TypeVar("T")


def plain_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``fsync`` be enough, as everywhere but on macOS."""
    if sys.platform != "win32":
        monkeypatch.delattr(fcntl, "F_FULLFSYNC", raising=False)


def synced(monkeypatch: pytest.MonkeyPatch, what: Callable[[os.stat_result], T]) -> list[T]:
    """The list of later ``os.fsync`` calls: ``what`` is to be known of each file or folder."""
    calls: list[T] = []
    fsync = os.fsync

    def noted(fd: int) -> None:
        calls.append(what(os.fstat(fd)))
        fsync(fd)

    plain_sync(monkeypatch)
    monkeypatch.setattr(os, "fsync", noted)
    return calls


def full_syncing(monkeypatch: pytest.MonkeyPatch, refused: int | None = None) -> list[str]:
    """A system like macOS, and the list of what it will be asked to do."""
    if sys.platform == "win32":
        pytest.skip("Windows has no such call")
    calls: list[str] = []

    def control(_fd: int, command: int) -> int:
        calls.append(f"fcntl {command}")
        if refused is not None:
            raise OSError(refused, os.strerror(refused))
        return 0

    monkeypatch.setattr(os, "fsync", lambda _fd: calls.append("fsync"))
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", control)
    return calls
