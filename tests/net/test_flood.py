"""A peer that floods its table: the others' game goes on all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_davinci.app.settings import Exit

from .flooder import FLOOD
from .processes import programs, verified

pytestmark = pytest.mark.slow

AUTO = ("--auto", "--plain", "--interface", "127.0.0.1", "--pace", "0.2")
FLOODED_S = 60.0
"""Long enough for a flooded game; one that takes each word of the flood hardly moves in that."""


def test_a_flood_delays_neither_the_game_nor_its_end(tmp_path: Path) -> None:
    with programs(tmp_path) as running:
        rules = ("--rules", "standard")
        ana = running.start("ana", "open", *AUTO, *rules, "--seats", "2", "--name", "ana")
        table, address = ana.opened()
        joins = ("join", table, *AUTO, "--address", address, "--name", "eve")
        eve = running.start("eve", *joins, before=FLOOD)
        assert ana.ended(FLOODED_S) == Exit.OK, ana.text
        assert eve.ended(FLOODED_S) == Exit.OK, eve.text
        (verdict,) = verified(ana.data, Path(ana.lines[-1]))
        assert not verdict["receipts_missing"]
