"""Files that only grow: what is on the disk, and what a crash or a full disk leaves."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from p2p_davinci.storage.journal import LogFile
from protocol import HEADER, SECRETS_HEADER, Misuse, Record, encode_record, read_log
from tests.support.faults import expect_fault

from .syncing import full_syncing, plain_sync, synced

CONTRACT = encode_record("contract", b"rules")
ENVELOPE = encode_record("envelope", b"\x01\x02\x03")
NOTE = encode_record("note", b"")
WHOLE = HEADER + CONTRACT + ENVELOPE + NOTE


def framed(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value


def contents(records: tuple[Record, ...]) -> list[tuple[str, bytes]]:
    return [(record.kind, record.data) for record in records]


def test_created_file_holds_what_was_appended_and_synced(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    with LogFile.create(path) as log:
        assert path.read_bytes() == HEADER
        assert (log.records, log.torn) == ((), 0)
        log.append(CONTRACT)
        log.append(ENVELOPE)
        log.sync()
        assert path.read_bytes() == HEADER + CONTRACT + ENVELOPE


def test_opened_file_tells_its_records_and_grows_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(HEADER + CONTRACT + ENVELOPE)
    with LogFile.open(path) as log:
        assert contents(log.records) == [("contract", b"rules"), ("envelope", b"\1\2\3")]
        assert log.torn == 0
        log.append(NOTE)
    assert path.read_bytes() == WHOLE


@pytest.mark.parametrize("tail", [ENVELOPE[:1], ENVELOPE[:-1], bytes(100)])
def test_opening_cuts_a_torn_record_off_and_says_so(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(HEADER + CONTRACT + tail)
    with LogFile.open(path) as log:
        assert log.torn == len(tail)
        assert path.read_bytes() == HEADER + CONTRACT
        log.append(ENVELOPE)
    assert path.read_bytes() == HEADER + CONTRACT + ENVELOPE


def test_opening_an_unreadable_file_leaves_it_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    bad = HEADER + framed(b"\xc1") + CONTRACT[:3]
    path.write_bytes(bad)
    with expect_fault("log.record"):
        LogFile.open(path)
    assert path.read_bytes() == bad


def test_creating_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(WHOLE)
    with pytest.raises(FileExistsError):
        LogFile.create(path)
    assert path.read_bytes() == WHOLE


def test_opening_what_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LogFile.open(tmp_path / "table.log")


def test_secrets_file_has_a_header_and_kinds_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "table.secrets"
    with LogFile.create(path, header=SECRETS_HEADER, private=True) as log:
        log.append(encode_record("key", b"x"))
    with LogFile.open(path, header=SECRETS_HEADER, kinds={"key"}) as log:
        assert contents(log.records) == [("key", b"x")]
    with expect_fault("log.magic"):
        LogFile.open(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file modes")
def test_private_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        LogFile.create(tmp_path / "secrets", header=SECRETS_HEADER, private=True).close()
        LogFile.create(tmp_path / "log").close()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o644


@pytest.mark.parametrize("record", [b"", b"\0", ENVELOPE[:-1], ENVELOPE + NOTE, b"garbage"])
def test_appending_anything_but_one_whole_record_is_misuse(tmp_path: Path, record: bytes) -> None:
    path = tmp_path / "table.log"
    with LogFile.create(path) as log, pytest.raises(Misuse):
        log.append(record)
    assert path.read_bytes() == HEADER


def test_closed_file_takes_nothing_and_closes_twice(tmp_path: Path) -> None:
    log = LogFile.create(tmp_path / "table.log")
    log.close()
    log.close()
    with pytest.raises(Misuse):
        log.append(NOTE)
    with pytest.raises(Misuse):
        log.sync()


def failing_after(count: int, number: int) -> Callable[[int, memoryview], int]:
    """An ``os.write`` that takes ``count`` bytes in all, two at a time, then fails."""
    write = os.write
    left = count

    def stingy(fd: int, data: memoryview) -> int:
        nonlocal left
        if left <= 0:
            raise OSError(number, os.strerror(number))
        done = write(fd, data[: min(2, left)])
        left -= done
        return done

    return stingy


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.log"
    with LogFile.create(path) as log:
        monkeypatch.setattr(os, "write", failing_after(len(ENVELOPE), errno.ENOSPC))
        log.append(ENVELOPE)
    assert path.read_bytes() == HEADER + ENVELOPE


@pytest.mark.parametrize("room", [0, 1, len(ENVELOPE) - 1])
def test_full_disk_leaves_whole_records_and_a_file_that_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    path = tmp_path / "table.log"
    with LogFile.create(path) as log:
        log.append(CONTRACT)
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", failing_after(room, errno.ENOSPC))
            with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
                log.append(ENVELOPE)
        assert path.read_bytes() == HEADER + CONTRACT
        log.append(NOTE)
    assert path.read_bytes() == HEADER + CONTRACT + NOTE


@pytest.fixture
def descriptors(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The descriptors that were opened since, and not closed yet."""
    held: set[int] = set()
    real_open, real_close = os.open, os.close

    def noted_open(path: Path, flags: int, mode: int = 0o777) -> int:
        fd = real_open(path, flags, mode)
        held.add(fd)
        return fd

    def noted_close(fd: int) -> None:
        held.discard(fd)
        real_close(fd)

    monkeypatch.setattr(os, "open", noted_open)
    monkeypatch.setattr(os, "close", noted_close)
    return held


def test_a_file_holds_one_descriptor_until_it_is_closed(
    tmp_path: Path, descriptors: set[int]
) -> None:
    for make in (LogFile.create, LogFile.open):
        with make(tmp_path / "table.log"):
            assert len(descriptors) == 1
        assert descriptors == set()


def test_creating_on_a_full_disk_fails_and_leaks_no_descriptor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, descriptors: set[int]
) -> None:
    monkeypatch.setattr(os, "write", failing_after(3, errno.ENOSPC))
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        LogFile.create(tmp_path / "table.log")
    assert descriptors == set()


def test_opening_an_unreadable_file_leaks_no_descriptor(
    tmp_path: Path, descriptors: set[int]
) -> None:
    (tmp_path / "table.log").write_bytes(b"something else")
    with expect_fault("log.magic"):
        LogFile.open(tmp_path / "table.log")
    assert descriptors == set()


def is_folder(found: os.stat_result) -> bool:
    return stat.S_ISDIR(found.st_mode)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot sync a folder")
def test_creation_syncs_file_and_folder_and_sync_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = synced(monkeypatch, is_folder)
    with LogFile.create(tmp_path / "table.log") as log:
        assert calls == [False, True]
        log.append(NOTE)
        assert calls == [False, True]
        log.sync()
        assert calls == [False, True, False]


@pytest.mark.parametrize("text", [HEADER + NOTE[:2], WHOLE], ids=["torn", "whole"])
def test_what_is_found_in_a_file_is_synced_before_anything_is_added(
    text: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(text)
    calls = synced(monkeypatch, is_folder)
    LogFile.open(path).close()
    assert calls == [False]


@pytest.mark.parametrize("tail", [b"", ENVELOPE[:-1], bytes(5000)], ids=["whole", "torn", "zeros"])
def test_what_is_found_in_a_file_is_written_over_itself_before_it_is_cut_and_synced(
    tail: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system whose sync failed may take for written what is in its memory only."""
    path = tmp_path / "table.log"
    path.write_bytes(WHOLE + tail)
    calls: list[tuple[str, int, bytes]] = []
    real_write, real_cut = os.write, os.ftruncate

    def write(fd: int, data: memoryview) -> int:
        calls.append(("write", os.lseek(fd, 0, os.SEEK_CUR), bytes(data)))
        return real_write(fd, data)

    def cut(fd: int, size: int) -> None:
        calls.append(("cut", size, b""))
        real_cut(fd, size)

    monkeypatch.setattr(os, "write", write)
    monkeypatch.setattr(os, "ftruncate", cut)
    plain_sync(monkeypatch)
    monkeypatch.setattr(os, "fsync", lambda _fd: calls.append(("sync", 0, b"")))
    with LogFile.open(path) as log:
        cuts = [("cut", len(WHOLE), b"")] if tail else []
        assert calls == [("write", 0, WHOLE), *cuts, ("sync", 0, b"")]
        log.append(NOTE)
    assert path.read_bytes() == WHOLE + NOTE


def test_a_file_that_the_system_writes_in_parts_is_written_over_itself_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(WHOLE + NOTE[:3])
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", failing_after(len(WHOLE), errno.EIO))
        log = LogFile.open(path)
    with log:
        log.append(NOTE)
    assert path.read_bytes() == WHOLE + NOTE


@pytest.mark.parametrize("written", [0, 3, len(WHOLE) - 1])
def test_a_disk_that_cannot_be_written_keeps_what_is_found_in_a_file(
    written: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, descriptors: set[int]
) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(WHOLE + NOTE[:3])
    monkeypatch.setattr(os, "write", failing_after(written, errno.EIO))
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        LogFile.open(path)
    assert path.read_bytes() == WHOLE + NOTE[:3]
    assert descriptors == set()


def test_system_that_cannot_open_a_folder_does_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def refusing(path: Path, flags: int, mode: int = 0o777) -> int:
        if path == tmp_path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", refusing)
    with LogFile.create(tmp_path / "table.log") as log:
        log.append(NOTE)
        log.sync()
    assert read_log((tmp_path / "table.log").read_bytes())[1] == 0


def test_log_can_be_cut_where_a_record_begins_and_goes_on_there(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(WHOLE)
    with LogFile.open(path) as log:
        log.cut(log.records[1].offset)
        assert path.read_bytes() == HEADER + CONTRACT
        log.append(NOTE)
    assert path.read_bytes() == HEADER + CONTRACT + NOTE


@pytest.mark.parametrize("size", [0, len(WHOLE) + 1])
def test_log_cannot_be_cut_outside_itself(tmp_path: Path, size: int) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(WHOLE)
    with LogFile.open(path) as log, pytest.raises(Misuse):
        log.cut(size)
    assert path.read_bytes() == WHOLE


def test_cut_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LogFile.create(tmp_path / "table.log") as log:
        log.append(NOTE)
        calls = synced(monkeypatch, is_folder)
        log.cut(len(HEADER))
        assert calls == [False]


def test_where_a_sync_ends_at_the_disks_cache_the_disk_itself_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LogFile.create(tmp_path / "table.log") as log:
        log.append(NOTE)
        calls = full_syncing(monkeypatch)
        log.sync()
        assert calls == ["fcntl 51"]
        log.cut(len(HEADER))
        assert calls == ["fcntl 51"] * 2


def test_a_file_system_that_cannot_wait_for_its_disk_syncs_as_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LogFile.create(tmp_path / "table.log") as log:
        calls = full_syncing(monkeypatch, errno.ENOTSUP)
        log.sync()
    assert calls == ["fcntl 51", "fsync"]


def test_a_disk_that_fails_is_no_file_system_that_cannot_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LogFile.create(tmp_path / "table.log") as log:
        calls = full_syncing(monkeypatch, errno.EIO)
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            log.sync()
    assert calls == ["fcntl 51"]
