"""Look for secrets in the running time: ``python -m tests.bench.timing [--calls N]``.

Two classes of secrets go through one operation in random order, and Welch's t-test compares their
times (Reparaz, Balasch and Verbauwhede, "Dude, is my code constant time?", DATE 2017). Beyond
:data:`T_MAX` in either direction they differ; within it this many calls saw no difference, which
proves none. The first case is a multiplication that must be caught. Print each case with t, the
difference of the means and the mean itself. A machine that does other work hides differences.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import pytest

from protocol import shuffle
from protocol.elgamal import decrypt, generate_secret, prove_key, public_key
from protocol.group import SECOND_BASE, Scalar, edwards25519
from protocol.miss import prove_miss
from protocol.order import HiddenEntry, commit_order, commit_values, prove_order
from protocol.shuffle import prove_shuffle, shuffle_deck
from tests.support.crypto import TAG, masked
from tests.support.p256 import p256

T_MAX: Final = 4.5
CALLS: Final = 4000
KEPT: Final = 0.9
"""The share of the times that is compared; the slowest are the machine's."""

Job = Callable[[], object]
CODES: Final = (*range(1, 27), 101, 102)
ROW: Final = (1, 2, 3, 4)
JOKERS: Final = (101, 102)

SECRET: Final = generate_secret(os.urandom)
KEY: Final = public_key(SECRET)
POINT: Final = edwards25519.mul_base(generate_secret(os.urandom))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """``prepare`` returns a call with a fresh secret of the first class (0) or the second (1)."""

    prepare: Callable[[int], Job]
    share: float = 1.0
    """The share of the calls that are made; proofs take longer than an operation."""
    leaks: bool = False


def scalar_of(kind: int) -> Scalar:
    """Return a new copy of the scalar 1, or a random one."""
    if kind:
        return edwards25519.random_scalar(os.urandom)
    return Scalar(bytes(bytearray(edwards25519.scalar(1))))


def control(kind: int) -> Job:
    """Return a double-and-add whose additions depend on the scalar."""
    scalar = p256.scalar(2**255 - 1 if kind else 2**254)
    return lambda: p256.mul(scalar, p256.generator)


def with_scalar(operation: Callable[[Scalar], object]) -> Callable[[int], Job]:
    def prepare(kind: int) -> Job:
        scalar = scalar_of(kind)
        return lambda: operation(scalar)

    return prepare


def with_code(operation: Callable[[int], object], first: int, last: int) -> Callable[[int], Job]:
    def prepare(kind: int) -> Job:
        code = last if kind else first
        return lambda: operation(code)

    return prepare


def number(kind: int) -> Job:
    point = edwards25519.multiple(102 if kind else 1, SECOND_BASE)
    copy = type(point)(bytes(bytearray(point)))
    return lambda: edwards25519.number_of(copy)


def decryption(kind: int) -> Job:
    tile = masked(102 if kind else 1, KEY, os.urandom)
    return lambda: decrypt(tile, SECRET, CODES)


def miss(kind: int) -> Job:
    code = 102 if kind else 1
    tile = masked(code, KEY, os.urandom)
    return lambda: prove_miss(SECRET, tile, code, 9, TAG, os.urandom)


def order(kind: int) -> Job:
    codes = (101, 20, 26, 102) if kind else ROW
    values, openings = commit_values(codes, os.urandom)
    row = [HiddenEntry(value, JOKERS) for value in values]
    opened = dict(enumerate(openings))

    def job() -> bytes:
        fields, witness = commit_order(row, opened, (0, 1, 2), os.urandom)
        return prove_order(row, fields, witness, TAG, os.urandom)

    return job


def shuffling(kind: int) -> Job:
    """Return the proof of a shuffle that leaves the deck as it is, or turns it round."""
    deck = [masked(code, KEY, os.urandom) for code in ROW]
    places = tuple(range(len(deck)))
    with pytest.MonkeyPatch.context() as patch:
        wanted = places[::-1] if kind else places
        patch.setattr(shuffle, "_permutation", lambda _count, _entropy: wanted)
        shuffled, witness = shuffle_deck(deck, KEY, os.urandom)
    return lambda: prove_shuffle(KEY, deck, shuffled, witness, TAG, os.urandom)


def proving_key(kind: int) -> Job:
    secret = scalar_of(kind)
    return lambda: prove_key(secret, TAG, os.urandom)


CASES: Final[dict[str, Case]] = {
    "control: double and add, must differ": Case(prepare=control, share=0.02, leaks=True),
    "scalar times point, 1 or random": Case(
        prepare=with_scalar(lambda scalar: edwards25519.mul(scalar, POINT))
    ),
    "scalar times G, 1 or random": Case(prepare=with_scalar(edwards25519.mul_base)),
    "scalar times scalar": Case(prepare=with_scalar(lambda s: edwards25519.scalar_mul(s, SECRET))),
    "scalar plus scalar": Case(prepare=with_scalar(lambda s: edwards25519.scalar_add(s, SECRET))),
    "scalar inverted": Case(prepare=with_scalar(edwards25519.scalar_invert)),
    "scalar decoded": Case(prepare=with_scalar(edwards25519.decode_scalar)),
    "small scalar looked up, -101 or 101": Case(prepare=with_code(edwards25519.scalar, -101, 101)),
    "code times H looked up, 1 or 102": Case(
        prepare=with_code(lambda code: edwards25519.multiple(code, SECOND_BASE), 1, 102)
    ),
    "code of a point looked up, 1 or 102": Case(prepare=number),
    "key proved, 1 or random": Case(prepare=proving_key, share=0.5),
    "tile decrypted, 1 or 102": Case(prepare=decryption, share=0.5),
    "value committed to, 1 or 102": Case(
        prepare=with_code(lambda code: commit_values((code,), os.urandom), 1, 102), share=0.5
    ),
    "miss proved, 1 or 102": Case(prepare=miss, share=0.5),
    "order of 4 proved, numbers or jokers and numbers": Case(prepare=order, share=0.2),
    "shuffle of 4 proved, as it was or turned round": Case(prepare=shuffling, share=0.2),
}


def times_of(case: Case, calls: int) -> tuple[list[int], list[int]]:
    """Return the times of both classes in nanoseconds, the slowest of all left out."""
    kinds = [random.getrandbits(1) for _ in range(calls)]
    jobs = [case.prepare(kind) for kind in kinds]
    jobs[0]()
    times: list[int] = []
    gc.disable()
    try:
        for job in jobs:
            start = time.perf_counter_ns()
            job()
            times.append(time.perf_counter_ns() - start)
    finally:
        gc.enable()
    limit = sorted(times)[min(int(KEPT * calls), calls - 1)]
    kept = [(kind, took) for kind, took in zip(kinds, times, strict=True) if took <= limit]
    return [took for kind, took in kept if not kind], [took for kind, took in kept if kind]


def welch(left: Sequence[float], right: Sequence[float]) -> float:
    """Return Welch's t of two samples, two values or more each; infinite if neither varies."""
    (mean, spread), (other, other_spread) = _moments(left), _moments(right)
    error = math.sqrt(spread / len(left) + other_spread / len(right))
    if error:
        return (mean - other) / error
    return 0.0 if mean == other else math.copysign(math.inf, mean - other)


def _moments(sample: Sequence[float]) -> tuple[float, float]:
    mean = math.fsum(sample) / len(sample)
    return mean, math.fsum([(x - mean) ** 2 for x in sample]) / (len(sample) - 1)


def main() -> None:
    """Time every case and print what came out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=CALLS, help="of a cheap operation")
    calls: int = parser.parse_args().calls
    sys.stdout.write(f"{'operation':50}{'calls':>7}{'t':>8}{'difference':>14}{'mean':>14}\n")
    for name, case in CASES.items():
        made = max(60, int(calls * case.share))
        first, second = times_of(case, made)
        mean, other = (sum(times) / len(times) for times in (first, second))
        t = welch(first, second)
        seen = "differs" if abs(t) > T_MAX else ""
        line = f"{name:50}{made:7}{t:8.1f}{mean - other:11.0f} ns{mean / 1000:11.1f} us  {seen}"
        sys.stdout.write(line.rstrip() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
