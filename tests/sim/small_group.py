"""A group for simulations: integers under addition, modulo the real group's order.

An element *is* its logarithm, so nothing in it is secret, every proof of the protocol is made and
checked as over the real group, and a multiplication costs next to nothing. It stands in for
libsodium behind the one module that calls it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from protocol import group

_ORDER: Final = group.edwards25519.order
_ONE: Final = group.edwards25519.generator
_NONE: Final = group.edwards25519.identity
_MARK: Final = 1 << 255
_BASES: Final = frozenset((group.SECOND_BASE, *group.PERMUTATION_BASES, _ONE))


def _log(point: bytes) -> int:
    if point == _NONE:
        return 0
    if point == _ONE:
        return 1
    return (int.from_bytes(point, "little") & ~_MARK) % _ORDER


def _point(log: int) -> bytes:
    log %= _ORDER
    if log == 0:
        return _NONE
    return _ONE if log == 1 else (log | _MARK).to_bytes(32, "little")


def _scalar(value: int) -> bytes:
    return (value % _ORDER).to_bytes(32, "little")


def _number(scalar: bytes) -> int:
    return int.from_bytes(scalar, "little")


class Integers:
    """The functions of libsodium that :mod:`protocol.group` calls."""

    @staticmethod
    def crypto_core_ed25519_is_valid_point(point: bytes) -> bool:
        return point in _BASES or (point != _NONE and _point(_log(point)) == point)

    @staticmethod
    def crypto_core_ed25519_add(left: bytes, right: bytes) -> bytes:
        return _point(_log(left) + _log(right))

    @staticmethod
    def crypto_core_ed25519_sub(left: bytes, right: bytes) -> bytes:
        return _point(_log(left) - _log(right))

    @staticmethod
    def crypto_scalarmult_ed25519_noclamp(scalar: bytes, point: bytes) -> bytes:
        return _point(_number(scalar) * _log(point))

    @staticmethod
    def crypto_scalarmult_ed25519_base_noclamp(scalar: bytes) -> bytes:
        return _point(_number(scalar))

    @staticmethod
    def crypto_core_ed25519_scalar_reduce(wide: bytes) -> bytes:
        return _scalar(_number(wide))

    @staticmethod
    def crypto_core_ed25519_scalar_add(left: bytes, right: bytes) -> bytes:
        return _scalar(_number(left) + _number(right))

    @staticmethod
    def crypto_core_ed25519_scalar_sub(left: bytes, right: bytes) -> bytes:
        return _scalar(_number(left) - _number(right))

    @staticmethod
    def crypto_core_ed25519_scalar_mul(left: bytes, right: bytes) -> bytes:
        return _scalar(_number(left) * _number(right))

    @staticmethod
    def crypto_core_ed25519_scalar_invert(scalar: bytes) -> bytes:
        return _scalar(pow(_number(scalar), -1, _ORDER))


@contextmanager
def small_group() -> Iterator[None]:
    """Play over the integers within the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group, "sodium", Integers)
        tables = group.Edwards25519(group.SECOND_BASE)
        for name in ("_multiples", "_numbers"):
            patch.setattr(group.edwards25519, name, getattr(tables, name))
        yield
