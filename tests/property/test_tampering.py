"""Every byte of a finished log changed in turn, and the log cut anywhere.

Each check starts from what the verifier had made of the log before the changed record, so that
most changes cost one signature. By default every so many bytes are tried; ``TAMPER_STRIDE=1`` in
the environment tries them all (some minutes).
"""

from __future__ import annotations

import bisect
import functools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from p2p_davinci.app.settings import Exit
from p2p_davinci.session.audit import Audit, Status, Verdict, go_on, take, verify_log
from protocol import HEADER, PeerFault, Record, read_log
from tests.support.recorded import recording
from tests.support.table import each_proof_checked_once

pytestmark = pytest.mark.slow

STRIDE = int(os.environ.get("TAMPER_STRIDE", "97"))
GAMES = ("standard", "tournament")


@pytest.fixture(autouse=True, scope="module")
def proofs_checked_once() -> Iterator[None]:
    with each_proof_checked_once():
        yield


@dataclass(frozen=True, slots=True)
class Log:
    """A finished log, and what the verifier has made of it before each record."""

    data: bytes
    records: tuple[Record, ...]
    audits: tuple[Audit, ...]
    verdict: Verdict

    def record_at(self, place: int) -> int:
        """Return the record that the byte at ``place`` belongs to."""
        return bisect.bisect([record.offset for record in self.records], place) - 1

    def verdict_on(self, data: bytes, index: int) -> Verdict | None:
        """Return the verdict on ``data``, which is this log before record ``index``."""
        tail = HEADER + data[self.records[index].offset :]
        try:
            records, torn = read_log(tail)
            return go_on(self.audits[index], records, read=index, torn_bytes=torn)
        except PeerFault:
            return None


@functools.cache
def log(preset: str) -> Log:
    rounds = {"rounds": "2"} if preset == "tournament" else {}
    data = recording(preset, 2, **rounds).end.peers[0].log_bytes
    records, _ = read_log(data)
    audits = [Audit()]
    for record in records:
        audits.append(take(audits[-1], record))
    return Log(data, records, tuple(audits), verify_log(data))


def covered(verdict: Verdict) -> list[tuple[bytes, list[bytes]]]:
    """What a verdict covers: each round's contract, and all that was said in it."""
    return [
        (
            round_.contract.encode(),
            [e.data for said in round_.transcript for e in said]
            + [envelope.data for _, envelope in round_.chain.spoken],
        )
        for round_ in verdict.rounds
    ]


def expect_no_other_game(original: Verdict, verdict: Verdict | None) -> None:
    """Check that a finished game is the one that was played, though receipts may be missing."""
    if verdict is None or verdict.status is not Status.FINISHED:
        return
    assert verdict.winners == original.winners
    for (contract, said), (agreed, played) in zip(covered(verdict), covered(original), strict=True):
        assert contract == agreed
        assert said == played[: len(said)]


@pytest.mark.parametrize("preset", GAMES)
def test_reading_on_from_a_snapshot_is_reading_the_whole_log(preset: str) -> None:
    original = log(preset)
    assert original.verdict.status is Status.FINISHED
    for index in (1, len(original.records) // 2, len(original.records) - 1):
        assert original.verdict_on(original.data, index) == original.verdict


@pytest.mark.parametrize("preset", GAMES)
def test_no_changed_byte_makes_another_finished_game(preset: str) -> None:
    original = log(preset)
    rng = random.Random(preset)
    for place in range(len(HEADER), len(original.data), STRIDE):
        data = bytearray(original.data)
        data[place] ^= rng.randrange(1, 256)
        verdict = original.verdict_on(bytes(data), original.record_at(place))
        expect_no_other_game(original.verdict, verdict)


@pytest.mark.parametrize("place", range(len(HEADER)))
def test_a_changed_header_is_no_log(place: int) -> None:
    data = bytearray(log("standard").data)
    data[place] ^= 1
    with pytest.raises(PeerFault, match=r"^log\.(magic|version)"):
        verify_log(bytes(data))


@pytest.mark.parametrize("preset", GAMES)
def test_a_log_cut_anywhere_is_what_was_played_until_then(preset: str) -> None:
    original = log(preset)
    first_end = original.records[1].offset
    for cut in range(first_end, len(original.data), STRIDE):
        index = original.record_at(cut)
        verdict = original.verdict_on(original.data[:cut], index)
        assert verdict is not None
        assert verdict.check is None
        assert verdict.torn_bytes == cut - original.records[index].offset
        assert verdict.status in (Status.UNFINISHED, Status.FINISHED)
        expect_no_other_game(original.verdict, verdict)


@pytest.mark.parametrize("cut", [0, 1, len(HEADER) - 1])
def test_a_log_without_its_header_cannot_be_read(cut: int) -> None:
    with pytest.raises(PeerFault, match=r"^log\.magic"):
        verify_log(log("standard").data[:cut])


@pytest.mark.parametrize("cut", [len(HEADER), len(HEADER) + 3, 100])
def test_a_log_that_ends_within_its_contract_is_unfinished(cut: int) -> None:
    verdict = verify_log(log("standard").data[:cut])
    assert (verdict.status, verdict.rounds) == (Status.UNFINISHED, ())
    assert verdict.torn_bytes == cut - len(HEADER)


def test_the_command_line_has_a_verdict_on_every_spoiled_log(tmp_path: Path) -> None:
    original = log("standard")
    rng = random.Random(7)
    files = []
    for number in range(12):
        data = bytearray(original.data)
        place = rng.randrange(len(data))
        if number % 3 == 0:
            data = data[:place]
        else:
            data[place] ^= rng.randrange(1, 256)
        files.append(tmp_path / f"{number}.log")
        files[-1].write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-m", "p2p_davinci", "verify", "--json", *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    *found, together = (json.loads(line) for line in done.stdout.splitlines())
    assert (len(found), done.stderr) == (len(files), "")
    assert (together["verdict"], together["convicted"]) == ("agree", [])
    assert done.returncode == Exit.CHEAT
    for report in found:
        assert report["verdict"] in {"unfinished", "invalid", "unreadable", "finished"}
        if report["verdict"] == "finished":
            assert report["winners"] == list(original.verdict.winners)
