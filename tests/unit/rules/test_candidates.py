"""What can be concluded about a standing tile."""

from __future__ import annotations

import math
from typing import cast

import pytest

from p2p_davinci.rules.candidates import _Count, _Place, candidates, weigh
from p2p_davinci.rules.moves import Place
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.tiles import Tile
from p2p_davinci.rules.truth import view_of
from tests.support.positions import HIDDEN, Game, guess, play, position, tiles

PLAIN = Options(jokers=False)
PLAIN_HIDDEN = Options(jokers=False, backs="hidden", call="colour")


def seen(game: Game, seat: int, slot: int, *, by: int | None = 0) -> str:
    found = candidates(view_of(*game, by))[seat][slot - 1]
    return " ".join(str(tile) for tile in sorted(found, key=lambda tile: tile.code))


def test_open_tiles_and_ones_own_are_known() -> None:
    game = position("b1 w2!", "b3! b5", options=PLAIN)
    assert [seen(game, 0, slot) for slot in (1, 2)] == ["b1", "w2"]
    assert seen(game, 1, 1) == "b3"


def test_a_watcher_knows_only_what_lies_open() -> None:
    game = position("b1 w2!", "b3! b5", options=PLAIN)
    assert seen(game, 0, 1, by=None) == "b0 b1 b2"
    assert seen(game, 0, 2, by=None) == "w2"


def test_order_backs_and_open_tiles_narrow_a_tile() -> None:
    game = position("b5 w6", "b3! b4 w4! b7 b8!", options=PLAIN)
    assert seen(game, 1, 2) == "b4"
    assert seen(game, 1, 4) == "b6 b7"


def test_hidden_backs_leave_both_colours() -> None:
    game = position("b4 w6", "b3! b5 w5!", options=PLAIN_HIDDEN)
    assert seen(game, 1, 2) == "w3 w4 b5"


def test_room_for_neighbours_is_kept() -> None:
    game = position("b11 w11", "b1! b3 b4 b5!", options=PLAIN)
    assert seen(game, 1, 2) == "b2 b3"
    assert seen(game, 1, 3) == "b3 b4"


def test_a_tile_that_must_stand_elsewhere_cannot_stand_here() -> None:
    game = position("b11 w11", "b3! b4 b5!", "b2! b6 b7!", options=PLAIN)
    assert seen(game, 1, 2) == "b4"
    assert seen(game, 2, 2) == "b6"


def test_jokers_may_stand_anywhere_until_they_are_seen() -> None:
    game = position("b11 w11", "b3! b4 b5!")
    assert seen(game, 1, 2) == "b4 b-"
    mine = position("b- w11", "b3! b4 b5!")
    assert seen(mine, 1, 2) == "b4"
    drawn = position("b11 w11", "b3! b4 b5!", drawn="b-")
    assert seen(drawn, 1, 2) == "b4"


def test_a_joker_between_makes_room() -> None:
    game = position("b11 w11", "b3! b- b4 b5!")
    assert seen(game, 1, 2) == "b4 b-"
    opened = position("b11 w11", "b3! b-! b4 b5!")
    assert seen(opened, 1, 3) == "b4"


def test_both_jokers_may_stand_side_by_side() -> None:
    game = position("b11 w11", "b3! b- w- w3!")
    assert (seen(game, 1, 2), seen(game, 1, 3)) == ("b-", "w-")


def test_a_joker_may_stand_first_or_beside_an_open_one() -> None:
    first = position("b11 w11", "b- b0! b1")
    assert seen(first, 1, 1) == "b-"
    beside = position("b11 w11", "b3! b-! w- w3! w4")
    assert seen(beside, 1, 3) == "w-"
    opened_first = position("b11 w11", "b-! b0 w-! w0!")
    assert seen(opened_first, 1, 2) == "b0"


def test_a_proved_miss_excludes_its_tile_and_a_ruled_one_nothing() -> None:
    hidden = position("b1 w2", "b3! w4 w5!", drawn="w9", options=HIDDEN)
    proved = play(hidden, guess("2.2", "w3"), Place())
    assert seen(hidden, 1, 2) == "w3 b4 w4 b5 b- w-"
    assert seen(proved, 1, 2) == "b4 w4 b5 b- w-"
    ruled = play(hidden, guess("2.2", "3"), Place())
    assert seen(ruled, 1, 2) == "w3 b4 w4 b5 b- w-"


def test_a_contradiction_leaves_nothing() -> None:
    game = position("b4 w6", "b3! b7 b5!", options=PLAIN)
    assert seen(game, 1, 2) == ""


def test_weights_count_layouts() -> None:
    game = position("b11 w11", "b1! b3 b5 b6!", options=PLAIN)
    first, second = weigh(view_of(*game, 0))[1][1:3]
    b2, b3, b4, b5 = tiles("b2 b3 b4 b5")
    assert first == {b2: 3, b3: 2, b4: 1}
    assert second == {b3: 1, b4: 2, b5: 3}


def test_a_joker_counts_by_the_length_of_its_row() -> None:
    game = position("b11 w11", "b3! b4 b5!")
    place = weigh(view_of(*game, 0))[1][1]
    b4, joker = tiles("b4 b-")
    assert place[b4] == pytest.approx(1)
    assert place[joker] == pytest.approx(1 / 3)


def test_weights_of_a_place_have_the_same_sum_as_those_of_its_neighbours() -> None:
    game = position("b1 w7 w9", "b0 w3 b- w8", "w2 b4! w5 w10")
    sums = [
        sum(place.values())
        for seat, row in enumerate(weigh(view_of(*game, 0)))
        for slot, place in enumerate(row)
        if seat and game[0].rows[seat][slot].standing
    ]
    assert len(sums) == 7
    assert all(math.isclose(each, sums[0]) for each in sums)


def test_candidates_come_in_an_order_that_no_set_decides() -> None:
    """Else a game that is played again in another process would not be the same."""
    place = _Place(face=None, allowed=frozenset(tiles("b- w- b3")))
    found = [
        # Whatever order a set of these tiles has, it is one of the two.
        list(_Count([(place, place)], cast("frozenset[Tile]", unknown)).marks())
        for unknown in (tiles("b3 b- w-"), tiles("w- b- b3"))
    ]
    assert found[0] == found[1]
