"""Several rounds: totals, the extra round, who wins."""

from __future__ import annotations

import pytest

from p2p_davinci.rules.options import Options
from p2p_davinci.rules.scoring import (
    Result,
    counted,
    leaders,
    next_round,
    players,
    standing_sum,
    totals,
    winners,
)
from tests.support.positions import position

SHARED = Options(scoring="revealed", rounds=2)
EXTRA = Options(scoring="revealed", rounds=2, tie="extra")
PLAIN = Options(tie="extra")


def results(*points: tuple[int, ...]) -> list[Result]:
    return [Result(winner=0, points=each) for each in points]


def test_totals_add_up_by_seat() -> None:
    assert totals(results((1, 2, 0), (3, 0, 5))) == (4, 2, 5)
    assert totals([]) == ()


def test_rounds_of_different_tables_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="longer"):
        totals(results((1, 2), (3, 0, 5)))


def test_agreed_rounds_come_first_and_nobody_has_won_before() -> None:
    for played in ([], results((5, 0))):
        assert next_round(EXTRA, played) == "round"
        assert players(EXTRA, played, 2) == (0, 1)
        assert winners(EXTRA, played) == ()


def test_the_highest_total_wins() -> None:
    played = results((1, 2, 0), (3, 0, 5))
    for options in (SHARED, EXTRA):
        assert next_round(options, played) is None
        assert winners(options, played) == (2,)
        assert players(options, played, 3) == ()


def test_equal_totals_share_the_win() -> None:
    played = results((1, 5, 4), (4, 0, 1))
    assert leaders(SHARED, played) == (0, 1, 2)
    assert winners(SHARED, played) == (0, 1, 2)


def test_the_tied_alone_play_the_extra_round() -> None:
    played = results((1, 5, 4), (4, 0, 0))
    assert next_round(EXTRA, played) == "extra"
    assert players(EXTRA, played, 3) == (0, 1)
    assert winners(EXTRA, played) == ()
    decided = [*played, Result(winner=1, points=(1, 2, 0))]
    assert next_round(EXTRA, decided) is None
    assert winners(EXTRA, decided) == (1,)


def test_equal_again_is_shared() -> None:
    played = results((1, 5, 4), (4, 0, 0), (2, 2, 0))
    assert next_round(EXTRA, played) is None
    assert winners(EXTRA, played) == (0, 1)


def test_without_points_whoever_wins_the_round_wins() -> None:
    played = [Result(winner=1, points=(0, 0, 0))]
    assert next_round(PLAIN, played) is None
    assert winners(PLAIN, played) == (1,)


def test_only_standing_numbers_count_for_the_award() -> None:
    state, truth = position("b1! w2 b- w7", "b3 b5")
    assert standing_sum(state.rows[0], truth.hands[0]) == 9


def test_who_is_convicted_has_no_points_and_is_not_among_the_winners() -> None:
    played = results((1, 5, 4), (4, 9, 1))
    assert counted((4, 9, 1), {1}) == (4, 0, 1)
    assert totals(played, [1]) == (5, 0, 5)
    assert winners(SHARED, played, [1]) == (0, 2)
    assert winners(SHARED, played, [1, 2]) == (0,)
    assert winners(SHARED, played, [0, 1, 2]) == ()
    assert winners(SHARED, results((0, 7), (0, 7)), [1]) == (0,)


def test_whether_a_round_follows_does_not_depend_on_convictions() -> None:
    played = results((1, 5, 4), (4, 0, 0))
    assert winners(EXTRA, played, [0]) == ()
    assert winners(EXTRA, [*played, Result(winner=1, points=(3, 1, 0))], [0]) == (1,)


def test_without_points_nobody_has_won_if_the_winner_is_convicted() -> None:
    played = [Result(winner=1, points=(0, 0, 0))]
    assert winners(PLAIN, played, [1]) == ()
    assert winners(PLAIN, played, [0, 2]) == (1,)
