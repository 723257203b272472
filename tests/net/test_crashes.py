"""Programs that are killed, torn, told to end or out of disk, and games that survive it."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.app.settings import Exit
from p2p_davinci.storage.folders import Folders
from protocol import SECRETS_HEADER, read_envelope, read_log
from tests.support.saved import begun, keep_identity, put

from .processes import Program, Programs, command, logs_of, programs, verified

pytestmark = pytest.mark.slow

AUTO = ("--auto", "--plain", "--interface", "127.0.0.1")
OPEN = ("open", *AUTO, "--name", "ana")
GONE_S = 2.0
"""Within which a program that is told to end is gone."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Programs]:
    with programs(tmp_path) as started:
        yield started


def seat_all(running: Programs, *names: str, pace: str = "0.15") -> list[Program]:
    """Start a table, ana opening it, and wait until the first turn has begun everywhere."""
    seats = str(len(names) + 1)
    rules = ("--option", "jokers=no")
    table = [running.start("ana", *OPEN, *rules, "--seats", seats, "--pace", pace)]
    name, address = table[0].opened()
    for guest in names:
        typed = ("join", name, *AUTO, "--address", address, "--name", guest, "--pace", pace)
        table.append(running.start(guest, *typed))
    for program in table:
        program.await_line(lambda line: line.startswith("Turn 1") or "draw" in line)
    return table


def finished(table: list[Program], code: int = Exit.OK) -> None:
    """Wait for the end of a game; every log must prove the same one."""
    assert [program.ended() for program in table] == [code] * len(table), [p.text for p in table]
    verdicts = verified(table[0].data, *(Path(program.lines[-1]) for program in table))
    assert len({verdict["head"] for verdict in verdicts}) == 1
    assert not any(verdict["receipts_missing"] for verdict in verdicts)


def only_log(program: Program) -> Path:
    (log,) = logs_of(program.data)
    return log


def ran(data: Path, *typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(data, *typed), capture_output=True, text=True, check=False, timeout=60
    )


def test_all_are_killed_at_once_and_go_on_in_any_order(running: Programs) -> None:
    table = seat_all(running, "bo", "cy")
    time.sleep(1.5)
    for program in table:
        program.kill()
    before = [only_log(program).read_bytes() for program in table]
    listed = ran(table[0].data, "saved")
    game = listed.stdout.splitlines()[1]
    assert "as ana, with bo, cy" in game or "as ana, with cy, bo" in game
    again = [running.start(name, "resume", *AUTO) for name in ("cy", "ana", "bo")]
    finished(again)
    for program, then in zip(table, before, strict=True):
        assert only_log(program).read_bytes().startswith(then[: then.rfind(b"envelope") - 8])
        assert not list((program.data / "secrets").iterdir()), "secrets outlive their game"
    assert ran(table[0].data, "saved").stdout == "There is no saved game.\n"


def test_two_who_share_a_folder_are_killed_and_each_goes_on_as_who_it_was(
    running: Programs,
) -> None:
    rules = ("--option", "jokers=no", "--seats", "2", "--pace", "0.15")
    table = [running.start("ana", *OPEN, *rules)]
    name, address = table[0].opened()
    table.append(running.start("ana", "join", name, *AUTO, "--address", address, "--name", "bo"))
    for program in table:
        program.await_line(lambda line: line.startswith("Turn 1"))
    for program in table:
        program.kill()
    listed = ran(table[0].data, "saved").stdout
    assert "as ana, with bo;" in listed
    assert "as bo, with ana;" in listed
    again = [running.start("ana", "resume", *AUTO)]
    again[0].await_text("Going on with the game")
    again.append(running.start("ana", "resume", *AUTO))
    assert [program.ended() for program in again] == [Exit.OK] * 2, [p.text for p in again]
    verdicts = verified(table[0].data, *logs_of(table[0].data))
    assert len(verdicts) == 2
    assert len({verdict["head"] for verdict in verdicts}) == 1


def test_who_resumes_another_game_than_the_others_disturbs_neither(running: Programs) -> None:
    for program in seat_all(running, "bo"):
        program.kill()
    (earlier,) = logs_of(running.root / "bo")
    ana, bo = seat_all(running, "bo")
    bo.kill()
    ana.await_text("The connection to bo is lost")
    astray = running.start("bo", "resume", earlier.stem, *AUTO)
    ana.await_text("bo is connected, but plays another game")
    astray.await_text("ana is connected, but plays another game")
    astray.kill()
    (later,) = set(logs_of(bo.data)) - {earlier}
    finished([ana, running.start("bo", "resume", later.stem, *AUTO)])
    for data in (ana.data, bo.data):
        assert ran(data, "saved").stdout.startswith("1 game is not over")


def test_one_is_killed_again_and_again_and_what_it_had_sent_stays_the_same(
    running: Programs,
) -> None:
    table = seat_all(running, "bo", "cy", pace="0.1")
    for _ in range(3):
        time.sleep(0.7)
        table[1].kill()
        table[1] = running.start("bo", "resume", *AUTO, "--pace", "0.1")
        table[1].await_text("Going on with the game")
    finished(table)


def test_a_torn_record_is_mended_and_said_and_no_second_program_plays_the_game(
    running: Programs,
) -> None:
    table = seat_all(running, "bo")
    time.sleep(0.5)
    table[1].kill()
    log = only_log(table[1])
    log.write_bytes(log.read_bytes()[:-5])
    table[1] = running.start("bo", "resume", *AUTO, "--pace", "0.15")
    table[1].await_text("had not been written whole")
    second = running.start("bo", "resume", *AUTO)
    assert second.ended() == Exit.ERROR
    assert "Two programs never play one game" in second.text
    finished(table)


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_program_that_is_told_to_end_tells_the_others_and_is_gone_at_once(
    running: Programs,
) -> None:
    table = seat_all(running, "bo")
    since_s = time.monotonic()
    table[0].signal(signal.SIGTERM)
    assert table[0].ended() == 143
    assert time.monotonic() - since_s < GONE_S
    assert table[1].ended() == Exit.UNFINISHED, table[1].text
    table = [running.start(name, "resume", *AUTO, "--pace", "0.2") for name in ("ana", "bo")]
    table[0].await_line(lambda line: line.startswith("You can type"))
    since_s = time.monotonic()
    table[0].signal(signal.SIGHUP)
    assert table[0].ended() == 129
    assert time.monotonic() - since_s < GONE_S


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_the_bots_of_a_program_that_is_told_to_end_go_with_it_and_come_back_with_it(
    running: Programs,
) -> None:
    alone = ("play", "--auto", "--plain", "--bots", "2", "--seats", "3", "--pace", "0.15")
    mine = running.start("ana", *alone, "--option", "jokers=no")
    mine.await_line(lambda line: line.startswith("Turn 1"))
    since_s = time.monotonic()
    mine.signal(signal.SIGTERM)
    assert mine.ended() == 143
    assert time.monotonic() - since_s < GONE_S
    again = running.start("ana", "resume", "--auto", "--plain")
    assert again.ended() == Exit.OK, again.text
    verdicts = verified(again.data, *logs_of(again.data))
    assert len(verdicts) == 3
    assert len({verdict["head"] for verdict in verdicts}) == 1


def test_a_game_that_cannot_be_gone_on_with_leads_back_to_the_hall_with_the_reason(
    running: Programs,
) -> None:
    private, folders = Ed25519PrivateKey.generate(), Folders(root=running.root / "ana")
    keep_identity(folders, private)
    table = begun(private)
    table.deliver()
    log = put(folders, table, "broken")
    whole = log.read_bytes()
    last = read_log(whole)[0][-1].offset
    # Only a damaged end can be cut off.
    log.write_bytes(whole[: last - 1] + b"?" + whole[last:])
    here = ("--plain", "--interface", "127.0.0.1", "--name", "ana")
    ana = running.start("ana", *here, stdin=subprocess.PIPE)
    ana.expect("resume and a number", 20)
    ana.type("resume 1")
    ana.expect("The log of that game is damaged")
    ana.type("open")
    ana.expect("is open")


# --- a full disk -----------------------------------------------------------------------------

SMALL_DISK = (
    'mount -t tmpfs -o size=$0 tmpfs "$1" && shift && "$@"; x=$?; cp -r "$D" "$D-kept"; exit $x'
)


def small_disk(folder: Path, size: str) -> list[str]:
    """A prefix that gives a program a small disk of its own; what was on it is kept afterwards."""
    folder.mkdir(parents=True)
    if sys.platform != "linux" or shutil.which("unshare") is None:
        pytest.skip("needs mount namespaces")
    prefix = ["unshare", "-m", "env", f"D={folder}", "sh", "-c", SMALL_DISK, size, str(folder)]
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("mount namespaces are not permitted here")
    shutil.rmtree(folder.with_name(folder.name + "-kept"))
    return prefix


def test_a_full_disk_stops_the_game_before_anything_is_sent_that_is_not_on_it(
    running: Programs,
) -> None:
    host = running.start("ana", *OPEN, "--option", "twelve=yes", "--pace", "0.05")
    name, address = host.opened()
    folder = running.root / "bo"
    typed = ("join", name, *AUTO, "--address", address, "--name", "bo")
    full = running.start("bo", *typed, before=small_disk(folder, "52k"))
    assert full.ended() == Exit.ERROR, full.text
    assert "its files cannot be written" in full.text
    assert "Traceback" not in full.text
    assert host.ended() == Exit.UNFINISHED, host.text
    kept = folder.with_name("bo-kept")
    assert said_by(1, only_log(host), "") <= said_by(1, logs_of(kept)[0], secrets_of(kept))
    folder.rmdir()
    kept.rename(folder)
    finished([running.start(who, "resume", *AUTO) for who in ("bo", "ana")])


def secrets_of(folder: Path) -> Path:
    (secrets,) = folder.glob("secrets/*")
    return secrets


def said_by(seat: int, log: Path, secrets: Path | str) -> set[bytes]:
    """The envelopes of a seat that a log, and a secrets file, hold."""
    records = [*read_log(log.read_bytes())[0]]
    if secrets:
        kinds = {"round", "openings", "envelope", "heard"}
        data = Path(secrets).read_bytes()
        records += read_log(data, header=SECRETS_HEADER, kinds=kinds)[0]
    raws = [record.data for record in records if record.kind == "envelope"]
    return {raw for raw in raws if read_envelope(raw).payload.seat == seat}


def test_a_game_is_called_saved_though_the_input_of_who_resumes_it_ends_at_once(
    running: Programs,
) -> None:
    folders, private = Folders(root=running.root / "ana"), Ed25519PrivateKey.generate()
    keep_identity(folders, private)
    log = put(folders, begun(private), "stopped")
    program = running.start("ana", "resume", "--plain", "--interface", "127.0.0.1")
    assert program.ended() == Exit.UNFINISHED, program.text
    saved = "The game is saved. Go on with it: p2p-davinci resume."
    assert program.lines[-2:] == [saved, str(log)]
