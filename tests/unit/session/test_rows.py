"""What an order proof is about: the entries of a row and the gaps, from public state alone."""

from __future__ import annotations

import pytest

from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.rows import NO_FIELDS, Link, order_of, verify
from p2p_davinci.session.state import Round
from protocol import HiddenEntry, OpenEntry
from protocol.group import PERMUTATION_BASES
from tests.support.faults import expect_fault
from tests.support.recorded import recording

VALUES = PERMUTATION_BASES


def playing(preset: str) -> Round:
    return recording(preset).find("guess").table.peers[0].game.round


def row(text: str) -> list[Link]:
    """A row like ``? b5 -``: hidden tiles, open ones that stood hidden before, open jokers."""
    return [
        Link(tile=(0, k), value=VALUES[k], face=None if word == "?" else parse_tile(word))
        for k, word in enumerate(text.split())
    ]


@pytest.mark.parametrize("preset", ["standard", "advanced"])
@pytest.mark.parametrize(("length", "gaps"), [(1, ()), (2, (0,)), (4, (0, 1, 2))])
def test_in_a_new_row_every_gap_is_proved(preset: str, length: int, gaps: tuple[int, ...]) -> None:
    assert order_of(playing(preset), row("? " * length), None).gaps == gaps


@pytest.mark.parametrize(
    ("slot", "gaps"), [(1, (0,)), (2, (0, 1)), (3, (1, 2)), (4, (2, 3)), (5, (3,))]
)
def test_without_jokers_the_gaps_beside_the_new_tile_are_proved(
    slot: int, gaps: tuple[int, ...]
) -> None:
    assert order_of(playing("standard"), row("? ? ? ? ?"), slot).gaps == gaps


@pytest.mark.parametrize("slot", [1, 3, 5])
def test_with_jokers_all_gaps_are_proved_again(slot: int) -> None:
    """Sort keys are fresh, so a gap that is left out could hide a row that is not in order."""
    assert order_of(playing("advanced"), row("? ? ? ? ?"), slot).gaps == (0, 1, 2, 3)


def test_open_numbers_stand_for_themselves_whatever_was_committed_to() -> None:
    order = order_of(playing("advanced"), row("? b5 ? w9"), None)
    assert order.entries == (
        HiddenEntry(value=VALUES[0], jokers=(101, 102)),
        OpenEntry(code=parse_tile("b5").code),
        HiddenEntry(value=VALUES[2], jokers=(101, 102)),
        OpenEntry(code=parse_tile("w9").code),
    )


def test_open_jokers_are_left_out() -> None:
    order = order_of(playing("advanced"), row("? b- ? w-"), None)
    assert order.tiles == ((0, 0), (0, 2))
    assert order.gaps == (0,)


def test_where_nothing_hidden_is_near_no_proof_is_due_and_none_is_taken() -> None:
    order = order_of(playing("standard"), row("b1 b5 w9 ?"), 2)
    assert (order.due, order.sizes) == (False, (0, 0))
    verify(order, NO_FIELDS, b"", b"")
    with expect_fault("sigma.length"):
        verify(order, NO_FIELDS, bytes(32), b"")


def test_open_numbers_side_by_side_must_ascend_also_where_no_proof_is_due() -> None:
    order = order_of(playing("standard"), row("b1 b5 b4 ?"), 2)
    assert not order.due
    with expect_fault("order.open"):
        verify(order, NO_FIELDS, b"", b"")
