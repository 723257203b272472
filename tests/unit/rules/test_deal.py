"""Before the first turn."""

from __future__ import annotations

import pytest

from p2p_davinci.rules.deal import check_arrange, check_take
from p2p_davinci.rules.illegal import REASONS, IllegalMove
from p2p_davinci.rules.moves import Arrange, Take
from p2p_davinci.rules.options import Options
from tests.support.positions import HIDDEN, tiles

DEALT = tiles("w5 b- b3 w-")


@pytest.mark.parametrize(("seats", "counts"), [(2, (4, 0)), (3, (1, 3)), (4, (0, 3))])
def test_any_split_of_the_hand_may_be_taken(seats: int, counts: tuple[int, ...]) -> None:
    check_take(Options(), seats, Take(counts=counts))


def test_with_hidden_backs_there_is_nothing_to_choose() -> None:
    check_take(HIDDEN, 2, Take(counts=(4,)))


@pytest.mark.parametrize("counts", [(), (4,), (2, 1), (3, 2), (5, -1), (2, 1, 1)])
def test_a_split_that_makes_no_hand(counts: tuple[int, ...]) -> None:
    with pytest.raises(IllegalMove) as caught:
        check_take(Options(), 2, Take(counts=counts))
    assert (caught.value.reason, caught.value.values) == ("wrong_count", (("tiles", "4"),))


@pytest.mark.parametrize("order", [(2, 0, 1, 3), (1, 2, 3, 0), (3, 1, 2, 0)])
def test_numbers_ascend_and_jokers_stand_anywhere(order: tuple[int, ...]) -> None:
    check_arrange(DEALT, Arrange(order=order))


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ((0, 2, 1, 3), "wrong_order"),
        ((2, 0, 1), "wrong_arrangement"),
        ((2, 0, 1, 1), "wrong_arrangement"),
        ((2, 0, 1, 4), "wrong_arrangement"),
        ((-2, 0, 1, 3), "wrong_arrangement"),
    ],
)
def test_an_order_that_is_none(order: tuple[int, ...], reason: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        check_arrange(DEALT, Arrange(order=order))
    assert caught.value.reason == reason
    assert tuple(name for name, _ in caught.value.values) == REASONS[caught.value.reason]
