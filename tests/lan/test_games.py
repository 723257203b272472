"""Whole games between machines of one network that find each other by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.net.processes import logs_of, programs, verified

from .conftest import MakeLan

AUTO = ("--auto", "--plain")
NAMES = ("ana", "bo", "cy", "dee")


@pytest.mark.slow
def test_a_table_of_four_is_found_by_mdns_filled_played_and_verified(
    make_lan: MakeLan, tmp_path: Path
) -> None:
    size = len(NAMES)
    lan = make_lan(size)
    with programs(tmp_path) as running:
        seats = ("--rules", "standard", "--seats", str(size))
        players = [
            running.start("ana", "open", *seats, *AUTO, "--name", "ana", before=lan._inside(1, []))
        ]
        table, _ = players[0].opened()
        for place in range(2, size + 1):
            name = NAMES[place - 1]
            inside = lan._inside(place, [])
            players.append(running.start(name, "join", table, *AUTO, "--name", name, before=inside))
        assert [player.ended() for player in players] == [0] * size
        last_lines = [Path(player.lines[-1]) for player in players]
    logs = logs_of(tmp_path)
    assert sorted(last_lines) == logs
    found = verified(tmp_path / "ana", *logs)
    assert len(found) == size
    assert len({(record["head"], record["winner"], record["session"]) for record in found}) == 1
    assert sorted(player["name"] for player in found[0]["players"]) == sorted(NAMES)
