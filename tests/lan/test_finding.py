"""Processes in network namespaces that know nothing of each other at first."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .conftest import MakeLan
from .network import Lan

HANG_GUARD_S = 25.0


def swap_greetings(lan: Lan, places: tuple[int, int], folder: Path, *interface: str) -> None:
    """Start ana and bo in these namespaces; each must hear the other and leave in order."""
    names = ("ana", "bo")
    peers = [
        lan.spawn(
            place,
            [sys.executable, "-m", "tests.lan.tiny_peer", str(folder / name), name, *interface],
        )
        for place, name in zip(places, names, strict=True)
    ]
    printed = [peer.communicate(timeout=HANG_GUARD_S)[0] for peer in peers]
    assert "heard: greetings from bo" in printed[0]
    assert "heard: greetings from ana" in printed[1]
    assert [peer.returncode for peer in peers] == [0, 0], printed
    assert all("Traceback" not in text for text in printed)


def test_two_processes_find_each_other_by_multicast_and_swap_a_message(
    make_lan: MakeLan, tmp_path: Path
) -> None:
    swap_greetings(make_lan(2), (1, 2), tmp_path)


@pytest.mark.slow
def test_two_processes_of_one_machine_meet_on_its_lan_interface(
    make_lan: MakeLan, tmp_path: Path
) -> None:
    swap_greetings(make_lan(1), (1, 1), tmp_path)


@pytest.mark.slow
def test_two_processes_of_a_machine_without_network_meet_over_loopback(
    make_lan: MakeLan, tmp_path: Path
) -> None:
    lan = make_lan(1)
    lan.run(1, ["ip", "link", "delete", "eth0"])
    assert lan.run(1, ["ip", "route"]) == ""
    swap_greetings(lan, (1, 1), tmp_path, "lo")


def test_peers_of_a_network_reach_each_other_unless_unplugged(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    probe = [
        *(sys.executable, "-c"),
        "import socket, sys; s = socket.socket(); s.settimeout(1); "
        "print(s.connect_ex((sys.argv[1], 9)))",
        lan.address(2),
    ]
    refused = lan.run(1, probe)
    lan.unplug(2)
    silent = lan.run(1, probe)
    lan.plug(2)
    assert refused != silent
    assert lan.run(1, probe) == refused
