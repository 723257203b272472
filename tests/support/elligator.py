"""Generators by plain integers, as SPEC writes them down: no library of points is asked."""

from __future__ import annotations

import hashlib
from typing import Final

P: Final = 2**255 - 19
A: Final = 486662
D: Final = -121665 * pow(121666, -1, P) % P

Affine = tuple[int, int]


def derived(name: str) -> bytes:
    """Return the encoding of the generator with this name (SPEC, suite and generators)."""
    data = hashlib.shake_128(b"p2p-davinci/2/generator/" + name.encode("ascii")).digest(32)
    number = int.from_bytes(data, "little")
    sign, r = number >> 255, number % 2**255 % P
    u = -A * pow(1 + 2 * r * r, -1, P) % P
    if not _is_square(u**3 + A * u * u + u):
        u = (-u - A) % P
    y = (u - 1) * pow(u + 1, -1, P) % P
    x = _root((y * y - 1) * pow(D * y * y + 1, -1, P))
    point = (P - x if x % 2 != sign else x, y)
    for _ in range(3):
        point = _add(point, point)
    return (point[1] | point[0] % 2 << 255).to_bytes(32, "little")


def _is_square(number: int) -> bool:
    return pow(number, (P - 1) // 2, P) in {0, 1}


def _root(square: int) -> int:
    root = pow(square, (P + 3) // 8, P)
    if (root * root - square) % P:
        root = root * pow(2, (P - 1) // 4, P) % P
    if (root * root - square) % P:
        raise ValueError("not a square")
    return root


def _add(left: Affine, right: Affine) -> Affine:
    (x1, y1), (x2, y2) = left, right
    both = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + both, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - both, -1, P)
    return x % P, y % P
