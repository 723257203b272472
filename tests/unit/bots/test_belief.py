"""What a bot believes."""

from __future__ import annotations

import pytest

from p2p_davinci.bots.belief import chances, exposure
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.truth import view_of
from tests.support.positions import position

PLAIN = Options(jokers=False)


def test_chances_at_a_tile_sum_to_one() -> None:
    game = position("b1 w7 w9", "b0 w3 b- w8", "w2 b4! w5 w10", drawn="w-")
    sums: dict[tuple[int, int], float] = {}
    for each in chances(view_of(*game, 0)):
        assert 0 < each.chance <= 1
        sums[each.seat, each.slot] = sums.get((each.seat, each.slot), 0) + each.chance
    assert set(sums) == {(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 3), (2, 4)}
    assert list(sums.values()) == [pytest.approx(1)] * 7


def test_chances_follow_the_number_of_layouts() -> None:
    game = position("b11 w11", "b1! b3 b5 b6!", options=PLAIN)
    found = {(c.slot, str(c.tile)): c.chance for c in chances(view_of(*game, 0))}
    assert found == {
        (2, "b2"): pytest.approx(1 / 2),
        (2, "b3"): pytest.approx(1 / 3),
        (2, "b4"): pytest.approx(1 / 6),
        (3, "b3"): pytest.approx(1 / 6),
        (3, "b4"): pytest.approx(1 / 3),
        (3, "b5"): pytest.approx(1 / 2),
    }


def test_players_who_are_out_are_no_targets() -> None:
    game = position("b1 w7", "b0! w3!", "w2 b4!")
    assert {(c.seat, c.slot) for c in chances(view_of(*game, 0))} == {(2, 1)}


def test_exposure_is_what_a_watcher_could_name() -> None:
    game = position("b3! b4 b5! b8", "w0 w1", options=PLAIN)
    assert exposure(view_of(*game, 0)) == {2: pytest.approx(1), 4: pytest.approx(1 / 6)}


def test_a_watcher_has_nothing_to_expose() -> None:
    game = position("b3! b4 b5! b8", "w0 w1", options=PLAIN)
    assert exposure(view_of(*game, None)) == {}
