"""Seeded entropy, tags, tiles and operation counts for tests of the proofs."""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from protocol.elgamal import Ciphertext
from protocol.group import SECOND_BASE, Edwards25519, Entropy, Point, Scalar, edwards25519
from protocol.sigma import proof_tag

GROUP_OPERATIONS: Final = ("mul", "mul_base", "add", "sub", "decode")
SCALAR_OPERATIONS: Final = ("scalar_add", "scalar_sub", "scalar_mul", "scalar_invert", "reduce")

TORSION: Final = {
    2: bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    4: bytes(32),
    8: bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
}
"""Points of small order on the curve."""


def seeded(seed: object) -> Entropy:
    """Return a source of bytes that are the same in every run. For tests only."""
    calls = 0

    def entropy(count: int) -> bytes:
        nonlocal calls
        calls += 1
        return hashlib.shake_256(f"{seed}/{calls}".encode()).digest(count)

    return entropy


def tag_of(
    *,
    session: bytes = b"s" * 32,
    head: bytes = b"h" * 32,
    seat: int = 1,
    label: str = "test",
    index: int = 0,
    fields: bytes = b"f" * 32,
) -> bytes:
    return proof_tag(session=session, head=head, seat=seat, label=label, index=index, fields=fields)


TAG: Final = tag_of()
OTHER_TAGS: Final = {
    "session": tag_of(session=b"t" * 32),
    "step": tag_of(head=b"i" * 32),
    "seat": tag_of(seat=2),
    "role": tag_of(label="tests"),
    "index": tag_of(index=1),
    "fields": tag_of(fields=b"g" * 32),
}
"""Tags that differ from TAG in one thing each."""


def masked(code: int, key: Point, entropy: Entropy) -> Ciphertext:
    """Return ``code`` masked under ``key``."""
    mask = edwards25519.random_scalar(entropy)
    b = edwards25519.add(edwards25519.multiple(code, SECOND_BASE), edwards25519.mul(mask, key))
    return Ciphertext(edwards25519.mul_base(mask), b)


def number(scalar: Scalar) -> int:
    return int.from_bytes(scalar, "little")


def lifted(data: bytes) -> bytes:
    """Return the same scalar plus the group order: 32 bytes, not canonical."""
    return (int.from_bytes(data, "little") + edwards25519.order).to_bytes(32, "little")


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count the operations of :class:`Edwards25519` within the block, by name."""
    counts: Counter[str] = Counter()
    with pytest.MonkeyPatch.context() as patch:
        for name in GROUP_OPERATIONS + SCALAR_OPERATIONS:
            patch.setattr(Edwards25519, name, _counting(name, counts))
        yield counts


def multiplications(counts: Counter[str]) -> int:
    return counts["mul"] + counts["mul_base"]


def _counting(name: str, counts: Counter[str]) -> Callable[..., Any]:
    operation = getattr(Edwards25519, name)

    @functools.wraps(operation)
    def counting(self: Edwards25519, *arguments: Any) -> Any:
        counts[name] += 1
        return operation(self, *arguments)

    return counting
