"""What the proofs cost: multiplications, bytes, time, and the share of it spent in libsodium.

``pytest tests/bench/test_proofs_bench.py -o addopts= --benchmark-only`` measures; the counts and
the sizes, which do not depend on the machine, are checked in every run. Set
``--benchmark-json=FILE`` to keep ``extra_info`` (multiplications, bytes, share of libsodium).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pytest

from protocol import shuffle
from protocol.elgamal import (
    generate_secret,
    make_shares,
    prove_key,
    prove_shares,
    public_key,
    verify_key,
    verify_shares,
)
from protocol.group import SECOND_BASE, derive_generator, edwards25519
from protocol.miss import prove_miss, verify_miss
from protocol.order import (
    HiddenEntry,
    commit_order,
    commit_values,
    prove_order,
    prove_values,
    verify_order,
    verify_values,
)
from protocol.shuffle import prove_shuffle, shuffle_deck, verify_shuffle
from tests.support.crypto import TAG, counted, masked, multiplications, seeded

ENTROPY = seeded("bench")
SECRET = generate_secret(ENTROPY)
KEY = public_key(SECRET)
ROUNDS: Final = 15
UNIT_CALLS: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One statement. ``prove`` makes what is published and its proof, ``verify`` checks it.

    The limits are multiplications, fixed-base ones included; ``bytes`` is what goes into the
    message besides the tiles themselves.
    """

    prove: Callable[[], bytes]
    verify: Callable[[], None]
    prove_max: int
    verify_max: int
    size: int


def key_case() -> Case:
    proof = prove_key(SECRET, TAG, ENTROPY)
    return Case(
        prove=lambda: prove_key(SECRET, TAG, ENTROPY),
        verify=lambda: verify_key(KEY, proof, TAG),
        prove_max=2,
        verify_max=2,
        size=64,
    )


def shares_case(count: int) -> Case:
    tiles = [masked(code, KEY, ENTROPY) for code in range(1, count + 1)]
    shares = make_shares(SECRET, tiles)
    proof = prove_shares(SECRET, tiles, shares, TAG, ENTROPY)
    return Case(
        prove=lambda: prove_shares(SECRET, tiles, shares, TAG, ENTROPY) + b"".join(shares),
        verify=lambda: verify_shares(KEY, tiles, shares, proof, TAG),
        prove_max=2 + count,
        verify_max=2 + 2 * count,
        size=64 + 32 * count,
    )


def miss_case() -> Case:
    tile = masked(9, KEY, ENTROPY)
    proof = prove_miss(SECRET, tile, 9, 4, TAG, ENTROPY)
    return Case(
        prove=lambda: prove_miss(SECRET, tile, 9, 4, TAG, ENTROPY),
        verify=lambda: verify_miss(KEY, tile, 4, proof, TAG),
        prove_max=6,
        verify_max=5,
        size=96,
    )


@pytest.fixture(autouse=True, scope="module")
def longer_decks() -> Iterator[None]:
    """Let decks be longer than this game's, to compare with other protocols' figures."""
    bases = tuple(derive_generator(f"H_{i}") for i in range(1, 53))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffle, "PERMUTATION_BASES", bases)
        patch.setattr(shuffle, "DECK_MAX", len(bases))
        yield


def shuffle_case(count: int, prove_max: int, verify_max: int) -> Case:
    deck = [masked(code, KEY, ENTROPY) for code in range(1, count + 1)]
    shuffled, witness = shuffle_deck(deck, KEY, ENTROPY)
    proof = prove_shuffle(KEY, deck, shuffled, witness, TAG, ENTROPY)
    return Case(
        prove=lambda: (
            prove_shuffle(KEY, deck, shuffled, witness, TAG, ENTROPY)
            + b"".join(shuffled.commitments)
        ),
        verify=lambda: verify_shuffle(KEY, deck, shuffled, proof, TAG),
        # The commitments to the permutation are made with the deck, one multiplication each.
        prove_max=prove_max - count,
        verify_max=verify_max,
        size=32 * (4 * count + 5),
    )


def values_case(count: int) -> Case:
    tiles = [masked(code, KEY, ENTROPY) for code in range(1, count + 1)]
    values, openings = commit_values(list(range(1, count + 1)), ENTROPY)
    proof = prove_values(SECRET, tiles, values, openings, TAG, ENTROPY)
    return Case(
        prove=lambda: prove_values(SECRET, tiles, values, openings, TAG, ENTROPY),
        verify=lambda: verify_values(KEY, tiles, values, proof, TAG),
        prove_max=2 + 2 * count,
        verify_max=2 + 3 * count,
        size=32 * (2 + count),
    )


def order_case(count: int, jokers: tuple[int, ...], prove_max: int, verify_max: int) -> Case:
    values, openings = commit_values(list(range(1, count + 1)), ENTROPY)
    row = [HiddenEntry(value, jokers) for value in values]
    gaps = range(count - 1)
    fields, witness = commit_order(row, dict(enumerate(openings)), gaps, ENTROPY)
    proof = prove_order(row, fields, witness, TAG, ENTROPY)

    def prove_all() -> bytes:
        made, secrets = commit_order(row, dict(enumerate(openings)), gaps, ENTROPY)
        return b"".join((*made.keys, *made.digits)) + prove_order(row, made, secrets, TAG, ENTROPY)

    return Case(
        prove=prove_all,
        verify=lambda: verify_order(row, gaps, fields, proof, TAG),
        prove_max=prove_max,
        verify_max=verify_max,
        size=32 * (2 * (1 + len(jokers)) * count * bool(jokers) + 17 * (count - 1) + 1),
    )


def turn_case(order: Case) -> Case:
    """Return what a turn proves: a share of the drawn tile, a miss, and the tile stood hidden."""
    parts = (shares_case(1), miss_case(), values_case(1), order)

    def verify_all() -> None:
        for part in parts:
            part.verify()

    return Case(
        prove=lambda: b"".join(part.prove() for part in parts),
        verify=verify_all,
        prove_max=sum(part.prove_max for part in parts),
        verify_max=sum(part.verify_max for part in parts),
        size=sum(part.size for part in parts),
    )


CASES: Final[dict[str, Callable[[], Case]]] = {
    "key": key_case,
    "one share": lambda: shares_case(1),
    "13 shares": lambda: shares_case(13),
    "miss": miss_case,
    "values of 4 tiles": lambda: values_case(4),
    "shuffle of 12": lambda: shuffle_case(12, 101, 119),
    "shuffle of 13": lambda: shuffle_case(13, 109, 128),
    "shuffle of 26": lambda: shuffle_case(26, 213, 245),
    "shuffle of 28": lambda: shuffle_case(28, 229, 263),
    "shuffle of 52": lambda: shuffle_case(52, 421, 479),
    "order of 4, jokers": lambda: order_case(4, (101,), 67, 70),
    "order of 7, jokers": lambda: order_case(7, (101,), 130, 136),
    "order of 10, jokers": lambda: order_case(10, (101,), 193, 202),
    "order of 14, jokers": lambda: order_case(14, (101,), 277, 290),
    "order of 14, jokers, hidden backs": lambda: order_case(14, (101, 102), 305, 318),
    "insertion between two, no jokers": lambda: order_case(3, (), 34, 36),
    "turn, row of 4, jokers": lambda: turn_case(order_case(5, (101,), 88, 92)),
    "turn, row of 8, jokers": lambda: turn_case(order_case(9, (101,), 172, 180)),
    "turn, row of 13, jokers": lambda: turn_case(order_case(14, (101,), 277, 290)),
    "turn, any row, no jokers": lambda: turn_case(order_case(3, (), 34, 36)),
}


@cache
def case_of(name: str) -> Case:
    return CASES[name]()


@pytest.mark.parametrize("name", CASES)
def test_multiplications_and_sizes_stay_within_their_limits(name: str) -> None:
    case = case_of(name)
    case.verify()
    with counted() as proving:
        made = case.prove()
    with counted() as verifying:
        case.verify()
    assert multiplications(proving) <= case.prove_max
    assert multiplications(verifying) <= case.verify_max
    assert len(made) == case.size


@pytest.mark.parametrize("name", CASES)
def test_bench_prove(benchmark: Any, name: str) -> None:
    case = case_of(name)
    measure(benchmark, case.prove, case.size)


@pytest.mark.parametrize("name", CASES)
def test_bench_verify(benchmark: Any, name: str) -> None:
    case = case_of(name)
    measure(benchmark, case.verify, case.size)


def measure(benchmark: Any, job: Callable[[], object], size: int) -> None:
    job()
    with counted() as counts:
        job()
    share, cost = share_in_libsodium(job, counts)
    benchmark.extra_info["multiplications"] = multiplications(counts)
    benchmark.extra_info["bytes"] = size
    benchmark.extra_info["share in libsodium"] = round(share, 3)
    benchmark.extra_info["multiplications' worth"] = round(cost, 1)
    benchmark.pedantic(job, rounds=ROUNDS, iterations=1, warmup_rounds=1)


def share_in_libsodium(job: Callable[[], object], counts: Counter[str]) -> tuple[float, float]:
    """Return counted operations times their cost over the whole time, and the time in units.

    The unit is one multiplication. Costs and job are timed in turn, and the best of each is taken,
    because other programs slow a busy machine down for a while at a time.
    """
    k = edwards25519.random_scalar(ENTROPY)
    p, q = edwards25519.multiple(99, SECOND_BASE), edwards25519.multiple(98, SECOND_BASE)
    operations: dict[str, Callable[[], object]] = {
        "mul": lambda: edwards25519.mul(k, p),
        "mul_base": lambda: edwards25519.mul_base(k),
        "add": lambda: edwards25519.add(p, q),
        "sub": lambda: edwards25519.sub(p, q),
        "decode": lambda: edwards25519.decode(p),
        "scalar_add": lambda: edwards25519.scalar_add(k, k),
        "scalar_sub": lambda: edwards25519.scalar_sub(k, k),
        "scalar_mul": lambda: edwards25519.scalar_mul(k, k),
        "scalar_invert": lambda: edwards25519.scalar_invert(k),
        "reduce": lambda: edwards25519.reduce(k + k),
    }
    best = dict.fromkeys(operations, float("inf"))
    whole = float("inf")
    for _ in range(ROUNDS):
        for name, operation in operations.items():
            best[name] = min(best[name], clocked(operation, UNIT_CALLS))
        whole = min(whole, clocked(job, 1))
    spent = sum(best[name] * count for name, count in counts.items())
    return spent / whole, whole / best["mul"]


def clocked(job: Callable[[], object], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        job()
    return (time.perf_counter() - start) / calls
