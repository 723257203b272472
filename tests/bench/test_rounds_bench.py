"""What a round costs: set-up by the number of players, a turn by the length of a row, ``verify``.

As in :mod:`.test_proofs_bench` the counts are checked in every run, and time is measured with
``--benchmark-only``: ``pytest tests/bench/test_rounds_bench.py -o addopts= --benchmark-only``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import pytest

from p2p_davinci.rules.options import hand_size, options_from
from p2p_davinci.session.audit import Status, verify_log
from tests.bench.test_proofs_bench import measure
from tests.support.crypto import counted, multiplications
from tests.support.recorded import recording
from tests.support.table import Table, new_table

SEATS: Final = (2, 3, 4)
PRESETS: Final = ("standard", "classic", "advanced")
LOGS: Final = ("standard", "advanced", "tournament")
ROUND_TRIPS: Final = 3


def set_up(preset: str, seats: int) -> Table:
    """Return a table after the deal: keys, shuffles, shares and rows, all checked by everybody."""
    table = new_table(seats, preset, seed=(preset, seats, "bench")).start()
    table.deliver()
    while (peer := table.due()) is not None and peer.game.round.state is None:
        table.play(peer.seat, table.bot_move(peer))
        table.deliver()
    return table


def set_up_limit(preset: str, seats: int) -> int:
    """Return how many multiplications one peer may need for the deal (PEER, costs).

    Whoever says something checks it like all others before it is sent.
    """
    options = options_from(preset, {})
    tiles, hand = sum(map(len, options.decks)), hand_size(seats)
    decks = len(options.decks)
    kinds = (2 // decks) if options.jokers else 0
    order = (20 + 2 * kinds) * hand - 18 if kinds else 18 * (hand - 1)
    made = (16 + 2 * kinds) * hand - 15 if kinds else 15 * (hand - 1)
    fields = hand * bool(kinds) + 2 * (hand - 1)
    others = (seats - 1) * hand
    own = 3 + (10 * tiles + 5 * decks) + (2 * others + 2) + (3 * hand + 2) + made + fields
    checked = 2 + (9 * tiles + 11 * decks) + (2 * others + 2) + (3 * hand + 2) + order
    return own + seats * checked


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), [*zip(PRESETS, SEATS, strict=True)])
def test_the_deal_costs_what_its_proofs_cost(preset: str, seats: int) -> None:
    with counted() as counts:
        set_up(preset, seats)
    each = multiplications(counts) / seats
    assert 0.8 * set_up_limit(preset, seats) < each <= set_up_limit(preset, seats)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("preset", PRESETS)
def test_bench_set_up_of_a_whole_table(benchmark: Any, preset: str, seats: int) -> None:
    size = len(set_up(preset, seats).peers[0].log_bytes)
    with counted() as counts:
        set_up(preset, seats)
    benchmark.extra_info["multiplications of each peer"] = multiplications(counts) // seats
    benchmark.extra_info["bytes of the log"] = size
    benchmark.pedantic(lambda: set_up(preset, seats), rounds=ROUND_TRIPS)


# --- a log -----------------------------------------------------------------------------------


@cache
def log(preset: str) -> bytes:
    return recording(preset, 2).end.peers[0].log_bytes


def verify(preset: str) -> None:
    assert verify_log(log(preset)).status is Status.FINISHED


@pytest.mark.slow
@pytest.mark.parametrize("preset", LOGS[:2])
def test_verifying_a_log_costs_multiplications_by_its_length(preset: str) -> None:
    size = len(log(preset))
    with counted() as counts:
        verify(preset)
    assert size / 45 < multiplications(counts) < size / 25


@pytest.mark.parametrize("preset", LOGS)
def test_bench_verify_of_a_log(benchmark: Any, preset: str) -> None:
    measure(benchmark, lambda: verify(preset), len(log(preset)))
