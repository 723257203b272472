"""Finding a table without naming it, and meeting one's own bots where there is no network."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_davinci.app.settings import Exit
from tests.net.processes import Program, Programs, logs_of, programs, verified

from .conftest import MakeLan
from .network import Lan

AUTO = ("--auto", "--plain", "--rules", "standard")
GUEST = ("--auto", "--plain", "--name", "bo")
HOLD_MDNS_PORT = """
import socket, time
held = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
held.bind(("", 5353))
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Programs]:
    with programs(tmp_path) as started:
        yield started


def start(running: Programs, lan: Lan, place: int, name: str, *typed: str) -> Program:
    return running.start(name, *typed, before=lan._inside(place, []))


def check_agreed(running: Programs, players: int) -> None:
    logs = logs_of(running.root)
    assert len(logs) == players
    assert len({verdict["head"] for verdict in verified(running.root / "verifier", *logs)}) == 1


@pytest.mark.slow
def test_the_only_open_table_is_joined_without_a_name(make_lan: MakeLan, running: Programs) -> None:
    lan = make_lan(2)
    host = start(running, lan, 1, "ana", "open", *AUTO)
    host.opened()
    guest = start(running, lan, 2, "bo", "join", *GUEST)
    assert [host.ended(), guest.ended()] == [Exit.OK] * 2, guest.text
    check_agreed(running, 2)


@pytest.mark.slow
def test_where_several_tables_are_open_they_are_listed_and_one_must_be_named(
    make_lan: MakeLan, running: Programs
) -> None:
    lan = make_lan(2)
    hosts = [start(running, lan, 1, name, "open", *AUTO, "--name", name) for name in ("ana", "cy")]
    tables = [host.opened()[0] for host in hosts]
    guest = start(running, lan, 2, "bo", "join", *GUEST)
    assert guest.ended() == Exit.USAGE, guest.text
    assert "More than one table could be meant" in guest.text
    for table, name in zip(tables, ("ana", "cy"), strict=True):
        assert f"{table}, opened by {name}, 1 of 2 seats taken" in guest.text
    assert "Traceback" not in guest.text


@pytest.mark.slow
def test_the_table_of_a_killed_program_is_listed_no_longer(
    make_lan: MakeLan, running: Programs
) -> None:
    lan = make_lan(2)
    hosts = [start(running, lan, 1, name, "open", *AUTO, "--name", name) for name in ("ana", "cy")]
    tables = [host.opened()[0] for host in hosts]
    looking = ("--plain", "--name", "bo")
    bo = running.start("bo", *looking, before=lan._inside(2, []), stdin=subprocess.PIPE)
    bo.expect("2 tables found")
    hosts[1].kill()
    # Nobody said goodbye for it, and its advertisement outlives it by minutes.
    bo.expect("1 table found", 30.0)
    bo.expect(tables[0], 30.0)


@pytest.mark.slow
def test_where_nobody_is_the_usual_reasons_are_told(make_lan: MakeLan, running: Programs) -> None:
    guest = start(running, make_lan(1), 1, "bo", "join", *GUEST, "--wait", "2")
    assert guest.ended() == Exit.ERROR
    for told in ("No table was found in this time.", "guest Wi-Fi", "No game was begun"):
        guest.await_text(told)


@pytest.mark.slow
def test_without_any_network_a_player_meets_the_own_bots(
    make_lan: MakeLan, running: Programs
) -> None:
    lan = make_lan(1)
    lan.run(1, ["ip", "link", "delete", "eth0"])
    ana = start(running, lan, 1, "ana", "play", *AUTO, "--bots", "2")
    assert ana.ended() == Exit.OK, ana.text
    check_agreed(running, 3)


@pytest.mark.slow
def test_where_nobody_can_be_found_a_player_still_meets_the_own_bots(
    make_lan: MakeLan, running: Programs
) -> None:
    lan = make_lan(1)
    holder = lan.spawn(1, [sys.executable, "-c", HOLD_MDNS_PORT])
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    ana = start(running, lan, 1, "ana", "open", *AUTO, "--bots", "1", "--seats", "3")
    _, address = ana.opened()
    ana.await_text("Another program holds UDP port 5353")
    guest = start(running, lan, 1, "bo", "join", address, *GUEST)
    assert [ana.ended(), guest.ended()] == [Exit.OK] * 2, guest.text
    check_agreed(running, 3)
