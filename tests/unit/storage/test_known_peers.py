from __future__ import annotations

import contextlib
import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from p2p_davinci.storage import known_peers
from p2p_davinci.storage.known_peers import ADDRESSES_MAX, KnownPeer, KnownPeers, Standing

ANA, BO, EVE = (bytes([n]) * 32 for n in (1, 2, 3))
HERE = (("192.0.2.1", 4001), ("2001:db8::1", 4001))


def test_what_was_remembered_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "new" / "known.json"
    KnownPeers(path).remember("ana\u202e 안나", ANA, HERE)
    peers = KnownPeers(path).peers()
    assert peers == (KnownPeer(key=ANA, name="ana\u202e 안나", addresses=HERE),)
    assert path.read_bytes().isascii()


def test_a_remembered_name_under_another_key_is_told(tmp_path: Path) -> None:
    memory = KnownPeers(tmp_path / "known.json")
    assert memory.standing("ana", ANA) is Standing.NEW
    memory.remember("ana", ANA, HERE)
    assert memory.standing("ana", ANA) is Standing.KNOWN
    assert memory.standing("ana", EVE) is Standing.OTHER_KEY
    assert memory.standing("anna", ANA) is Standing.RENAMED
    assert memory.standing("bo", BO) is Standing.NEW
    memory.remember("bo", BO, HERE)
    assert memory.standing("ana", BO) is Standing.OTHER_KEY


def test_two_of_the_same_name_are_both_known_once_remembered(tmp_path: Path) -> None:
    memory = KnownPeers(tmp_path / "known.json")
    memory.remember("dup", ANA, HERE)
    memory.remember("dup", BO, HERE)
    assert [peer.key for peer in memory.peers()] == [ANA, BO]
    assert memory.standing("dup", ANA) is memory.standing("dup", BO) is Standing.KNOWN
    assert memory.standing("DUP", EVE) is Standing.OTHER_KEY


@pytest.mark.parametrize(
    ("known", "told"),
    [("ana", "Ana"), ("Straße", "STRASSE"), ("\uff21na", "ana"), ("Jose\u0301", "jos\u00e9")],
)
def test_a_name_that_differs_in_case_or_form_only_is_the_same_name(
    tmp_path: Path, known: str, told: str
) -> None:
    memory = KnownPeers(tmp_path / "known.json")
    memory.remember(known, ANA, HERE)
    assert memory.standing(told, ANA) is Standing.KNOWN
    assert memory.standing(told, EVE) is Standing.OTHER_KEY
    assert [peer.name for peer in memory.peers()] == [known]


def test_what_another_program_remembers_meanwhile_counts_here(tmp_path: Path) -> None:
    here, there = (KnownPeers(tmp_path / "known.json") for _ in range(2))
    there.remember("ana", ANA, HERE)
    assert here.standing("ana", EVE) is Standing.OTHER_KEY
    here.remember("bo", BO, HERE)
    assert [peer.key for peer in there.peers()] == [ANA, BO]


REMEMBERS = """
import pathlib, sys
from p2p_davinci.storage.known_peers import KnownPeers
memory = KnownPeers(pathlib.Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(20):
    memory.remember(sys.argv[2], bytes([int(sys.argv[2]), number]) * 16, [("192.0.2.1", 1)])
"""


def test_two_programs_at_the_same_time_lose_nothing_that_either_remembers(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    with contextlib.ExitStack() as running:
        programs = [
            running.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", REMEMBERS, str(path), str(name)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
            )
            for name in range(2)
        ]
        for program in programs:
            assert program.stdout is not None
            assert program.stdout.readline().strip() == b"ready"
        for program in programs:
            assert program.stdin is not None
            program.stdin.write(b"go\n")
            program.stdin.flush()
    assert [program.returncode for program in programs] == [0, 0]
    expected = {bytes([name, number]) * 16 for name in range(2) for number in range(20)}
    assert {peer.key for peer in KnownPeers(path).peers()} == expected


def test_a_peer_met_again_is_the_latest_with_what_it_said_last(tmp_path: Path) -> None:
    memory = KnownPeers(tmp_path / "known.json")
    memory.remember("ana", ANA, HERE)
    memory.remember("bo", BO, HERE)
    memory.remember("anna", ANA, HERE[:1])
    assert [peer.name for peer in memory.peers()] == ["bo", "anna"]
    assert memory.peers()[1].addresses == HERE[:1]


def test_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_peers, "PEERS_MAX", 2)
    memory = KnownPeers(tmp_path / "known.json")
    for key in (ANA, BO, EVE):
        memory.remember("x", key, HERE * ADDRESSES_MAX)
    assert [peer.key for peer in memory.peers()] == [BO, EVE]
    assert all(len(peer.addresses) == ADDRESSES_MAX for peer in memory.peers())
    assert KnownPeers(tmp_path / "known.json").peers() == memory.peers()


ROW = {"key": ANA.hex(), "name": "ana", "addresses": [["192.0.2.1", 4001]]}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        json.dumps({"version": 2, "peers": []}).encode(),
        *(
            json.dumps({"version": 1, "peers": [{**ROW, **change}]}).encode()
            for change in (
                {"key": "00"},
                {"key": "zz"},
                {"key": 7},
                {"name": None},
                {"addresses": "no"},
                {"addresses": [["host"]]},
                {"addresses": [["host", "port"]]},
            )
        ),
    ],
)
def test_a_damaged_file_is_set_aside_and_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "known.json"
    path.write_bytes(content)
    memory = KnownPeers(path)
    assert memory.damaged
    assert memory.peers() == ()
    assert (tmp_path / "known.json.damaged").read_bytes() == content
    memory.remember("ana", ANA, HERE)
    assert not KnownPeers(path).damaged


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has other permissions")
    path = tmp_path / "known.json"
    KnownPeers(path).remember("ana", ANA, HERE)
    found = sorted(tmp_path.iterdir())
    assert [entry.name for entry in found] == ["known.json", "known.json.lock"]
    assert {stat.S_IMODE(entry.stat().st_mode) for entry in found} == {0o600}
