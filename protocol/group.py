"""The prime-order group under every key, commitment and proof (SPEC, suite and generators).

:class:`Group` is the small interface that the proof layer needs; :data:`edwards25519` implements
it over libsodium (through PyNaCl) for the prime-order subgroup of edwards25519 (RFC 8032, RFC
7748). Elements are their canonical encodings and scalars are canonical too, so that the type
checker tells validated bytes (:data:`Point`, :data:`Scalar`) from bytes that merely arrived.

libsodium's low-level functions are forgiving: addition takes torsioned points, multiplication
masks the top bit of a scalar, takes scalars that are not reduced, and fails on a zero scalar.
All of that is kept inside this file: whatever arrives is validated once, where it is decoded, and
the operations below see nothing else. Knows no tiles, decks or proofs.

**Constant time.** A secret scalar is bytes from beginning to end: libsodium reduces, adds,
multiplies and inverts it and multiplies points by it, in a time that does not depend on it, and it
never becomes a Python integer. Codes, base-3 digits and offsets are secret, too, and are Python
integers from -128 to 128. They take part in no arithmetic of the group: they are places in tables
of multiples of H and of scalars, which are complete when this module has been imported.

Not constant time are *which* entry of a table is read, also to find the code of a decrypted point;
comparisons of bytes (with zero, the identity, the order), which end where they first differ; the
way around libsodium for a zero scalar; small integers in Python (the difference of two codes, the
test whether a code is a joker's); the place of the branch of an Or that holds, although the
operations of the group and their order are the same for every place; and a shuffle's permutation,
which is drawn as integers (32 fresh bytes modulo at most 28) and applied by places in lists.

``python -m tests.bench.timing`` measures it: two classes of secrets go through each operation and
each proof, and Welch's t-test compares their times. With 20,000 calls of each operation and 4,000
to 10,000 of each proof on one x86-64 machine, only the look-ups of a multiple of H and of a code
differed, by a few nanoseconds. That does not exclude smaller differences, and it says nothing of
caches that others share.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, NewType, Protocol, TypeAlias

from nacl import bindings as sodium

from .codec import PROTOCOL_VERSION
from .errors import Misuse, PeerFault

Point = NewType("Point", bytes)
"""The canonical encoding of a group element that was decoded or computed here. A decoded one is
never the identity; a computed one may be."""

Scalar = NewType("Scalar", bytes)
"""The canonical encoding of an integer modulo the group order."""

Entropy: TypeAlias = Callable[[int], bytes]
"""``n`` to ``n`` fresh bytes of the operating system's generator. Always passed in."""

WIDE_BYTES: Final = 64
"""Bytes that are reduced to one uniform scalar; the bias is below 2**-250."""

POINT_BYTES: Final = 32
SCALAR_BYTES: Final = 32
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
HIDING_BASES: Final = 28
"""How many generators H_1, H_2, … there are: no deck is longer."""

SMALL_MAX: Final = 128
"""The largest number whose multiple of H, and whose scalar, stand in a table."""

_DOUBLED_MAX: Final = 9
_ORDER_BYTES: Final = ORDER.to_bytes(SCALAR_BYTES, "big")
_LABEL: Final = b"p2p-davinci/%d/generator/" % PROTOCOL_VERSION


class Group(Protocol):
    """A group of prime order, written additively, whose elements are canonical encodings."""

    @property
    def order(self) -> int:
        """The number of elements."""

    @property
    def point_bytes(self) -> int:
        """The length of an encoded element."""

    @property
    def scalar_bytes(self) -> int:
        """The length of an encoded scalar."""

    @property
    def generator(self) -> Point:
        """The conventional generator G."""

    @property
    def identity(self) -> Point:
        """The neutral element. It never comes out of :meth:`decode`."""

    @property
    def zero(self) -> Scalar:
        """The scalar 0."""

    def decode(self, data: bytes) -> Point:
        """Return ``data`` as an element, or raise ``PeerFault`` (``point.…``)."""

    def decode_scalar(self, data: bytes) -> Scalar:
        """Return ``data`` as a scalar, or raise ``PeerFault`` (``scalar.…``)."""

    def scalar(self, value: int) -> Scalar:
        """Return an integer, reduced modulo the order, as a scalar; a secret one must be small."""

    def reduce(self, wide: bytes) -> Scalar:
        """Return 64 uniform bytes, read as a little-endian integer, as a scalar."""

    def add(self, left: Point, right: Point) -> Point:
        """Return ``left + right``."""

    def sub(self, left: Point, right: Point) -> Point:
        """Return ``left - right``."""

    def mul(self, scalar: Scalar, point: Point) -> Point:
        """Return ``scalar * point``."""

    def mul_base(self, scalar: Scalar) -> Point:
        """Return ``scalar * G``."""

    def multiple(self, number: int, point: Point) -> Point:
        """Return ``number * point`` for a *public* number, the cheapest way."""

    def scalar_add(self, left: Scalar, right: Scalar) -> Scalar:
        """Return ``left + right`` modulo the order."""

    def scalar_sub(self, left: Scalar, right: Scalar) -> Scalar:
        """Return ``left - right`` modulo the order."""

    def scalar_mul(self, left: Scalar, right: Scalar) -> Scalar:
        """Return ``left * right`` modulo the order."""


class Edwards25519:
    """The prime-order subgroup of edwards25519 over libsodium; see :class:`Group`.

    ``base`` is the element whose multiples by 0 … :data:`SMALL_MAX` are kept in a table.
    """

    __slots__ = ("_base", "_multiples", "_numbers", "_scalars")

    order: Final = ORDER
    point_bytes: Final = POINT_BYTES
    scalar_bytes: Final = SCALAR_BYTES
    generator: Final = Point(b"\x58" + b"\x66" * 31)
    identity: Final = Point(b"\x01" + bytes(31))
    zero: Final = Scalar(bytes(SCALAR_BYTES))

    def __init__(self, base: Point) -> None:
        multiples = [self.identity]
        for _ in range(SMALL_MAX):
            multiples.append(self.add(multiples[-1], base))
        self._base = base
        self._multiples = tuple(multiples)
        self._numbers = {point: number for number, point in enumerate(multiples)}
        small = range(-SMALL_MAX, SMALL_MAX + 1)
        self._scalars = tuple([self._reduced(number) for number in small])

    def decode(self, data: bytes) -> Point:
        """Return ``data`` as an element of the prime-order subgroup.

        Raises:
            PeerFault: ``point.length`` (not 32 bytes), ``point.identity``, ``point.encoding`` (not
                canonical, not on the curve, or outside the prime-order subgroup).
        """
        if len(data) != POINT_BYTES:
            raise PeerFault("point.length", f"{len(data)} bytes")
        if data == self.identity:
            raise PeerFault("point.identity")
        if not sodium.crypto_core_ed25519_is_valid_point(data):
            raise PeerFault("point.encoding")
        return Point(data)

    def decode_scalar(self, data: bytes) -> Scalar:
        """Return ``data`` (little-endian, RFC 8032) as a scalar.

        Raises:
            PeerFault: ``scalar.length`` (not 32 bytes), ``scalar.range`` (not below the order).
        """
        if len(data) != SCALAR_BYTES:
            raise PeerFault("scalar.length", f"{len(data)} bytes")
        if data[::-1] >= _ORDER_BYTES:
            raise PeerFault("scalar.range")
        return Scalar(data)

    def scalar(self, value: int) -> Scalar:
        """Return an integer, reduced modulo the order, as a scalar.

        From -128 to 128 it is looked up, and may be secret; any other must be public.
        """
        if -SMALL_MAX <= value <= SMALL_MAX:
            return self._scalars[value + SMALL_MAX]
        return self._reduced(value)

    def _reduced(self, value: int) -> Scalar:
        return Scalar((value % self.order).to_bytes(SCALAR_BYTES, "little"))

    def reduce(self, wide: bytes) -> Scalar:
        """Return 64 uniform bytes, read as a little-endian integer, as a scalar."""
        return Scalar(sodium.crypto_core_ed25519_scalar_reduce(wide))

    def add(self, left: Point, right: Point) -> Point:
        """Return ``left + right``; either may be the identity."""
        return Point(sodium.crypto_core_ed25519_add(left, right))

    def sub(self, left: Point, right: Point) -> Point:
        """Return ``left - right``; either may be the identity."""
        return Point(sodium.crypto_core_ed25519_sub(left, right))

    def mul(self, scalar: Scalar, point: Point) -> Point:
        """Return ``scalar * point``; the identity if either is neutral.

        Raises:
            Misuse: ``point`` never went through :meth:`decode`.
        """
        try:
            return Point(sodium.crypto_scalarmult_ed25519_noclamp(scalar, point))
        except RuntimeError:
            # libsodium refuses an identity result, and with the same code a bad point.
            if scalar == self.zero or point == self.identity:
                return self.identity
            raise Misuse("multiplication of bytes that are not a valid point") from None

    def mul_base(self, scalar: Scalar) -> Point:
        """Return ``scalar * G``; the identity if ``scalar`` is zero."""
        if scalar == self.zero:
            return self.identity
        return Point(sodium.crypto_scalarmult_ed25519_base_noclamp(scalar))

    def multiple(self, number: int, point: Point) -> Point:
        """Return ``number * point``. From 0 to 128 for H it may be secret, else it must be public.

        Those are looked up. Up to 9 of any other point are added up, which costs less than a
        multiplication.
        """
        if point == self._base and 0 <= number <= SMALL_MAX:
            return self._multiples[number]
        if not 0 < number <= _DOUBLED_MAX:
            scalar = self.scalar(number)
            return self.mul_base(scalar) if point == self.generator else self.mul(scalar, point)
        total = point
        for bit in f"{number:b}"[1:]:
            total = self.add(total, total)
            if bit == "1":
                total = self.add(total, point)
        return total

    def number_of(self, point: Point) -> int | None:
        """Return the number from 0 to 128 whose multiple of H is ``point``, if there is one."""
        return self._numbers.get(point)

    def scalar_add(self, left: Scalar, right: Scalar) -> Scalar:
        """Return ``left + right`` modulo the order."""
        return Scalar(sodium.crypto_core_ed25519_scalar_add(left, right))

    def scalar_sub(self, left: Scalar, right: Scalar) -> Scalar:
        """Return ``left - right`` modulo the order."""
        return Scalar(sodium.crypto_core_ed25519_scalar_sub(left, right))

    def scalar_mul(self, left: Scalar, right: Scalar) -> Scalar:
        """Return ``left * right`` modulo the order."""
        return Scalar(sodium.crypto_core_ed25519_scalar_mul(left, right))

    def scalar_invert(self, scalar: Scalar) -> Scalar:
        """Return the inverse of ``scalar`` modulo the order.

        Raises:
            Misuse: ``scalar`` is zero.
        """
        if scalar == self.zero:
            raise Misuse("zero has no inverse")
        return Scalar(sodium.crypto_core_ed25519_scalar_invert(scalar))

    def random_scalar(self, entropy: Entropy) -> Scalar:
        """Return a uniform scalar made of 64 fresh bytes."""
        return self.reduce(fresh(entropy, WIDE_BYTES))


def fresh(entropy: Entropy, count: int) -> bytes:
    """Return ``count`` bytes of ``entropy``.

    Raises:
        Misuse: the source returned another number of bytes.
    """
    data = entropy(count)
    if len(data) != count:
        raise Misuse(f"the entropy source returned {len(data)} bytes for {count}")
    return data


def decode_points(blob: bytes, count: int) -> tuple[Point, ...]:
    """Return the ``count`` elements of which ``blob`` is the concatenation, 32 bytes each.

    Raises:
        PeerFault: ``point.length`` (not ``32 * count`` bytes), ``point.identity`` or
            ``point.encoding``, as in :meth:`Edwards25519.decode`.
    """
    if len(blob) != POINT_BYTES * count:
        raise PeerFault("point.length", f"{len(blob)} bytes for {count} points")
    return tuple(
        edwards25519.decode(blob[at : at + POINT_BYTES]) for at in range(0, len(blob), POINT_BYTES)
    )


def derive_generator(name: str) -> Point:
    """Return the generator that belongs to ``name``, with a logarithm that nobody knows.

    The first 32 bytes of ``SHAKE128(b"p2p-davinci/2/generator/" || name)`` go through libsodium's
    ``from_uniform`` (Elligator 2, then times the cofactor).

    Raises:
        Misuse: the name hashes to the identity.
    """
    uniform = hashlib.shake_128(_LABEL + name.encode("ascii")).digest(POINT_BYTES)
    return _mapped(uniform)


def _mapped(uniform: bytes) -> Point:
    point = sodium.crypto_core_ed25519_from_uniform(uniform)
    if not sodium.crypto_core_ed25519_is_valid_point(point):
        raise Misuse("these bytes map to the identity")
    return Point(point)


_SMALL_ORDER: Final = {
    2: bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    4: bytes(32),
    8: bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
}


def check_library(is_valid_point: Callable[[bytes], bool]) -> None:
    """Refuse to work with a libsodium that takes points outside the prime-order subgroup.

    Runs when this module is imported. Versions of the library differ in what their validity check
    covers, and PyNaCl may be built against any of them.

    Raises:
        ImportError: ``is_valid_point`` accepts G + T for a T of order 2, 4 or 8, or not G itself.
    """
    generator = Edwards25519.generator
    if not is_valid_point(generator):
        raise ImportError("this libsodium refuses the generator of edwards25519")
    for order, torsion in _SMALL_ORDER.items():
        mixed = sodium.crypto_core_ed25519_add(generator, torsion)
        if is_valid_point(mixed) or is_valid_point(torsion):
            raise ImportError(f"this libsodium accepts points with a part of order {order}")


check_library(sodium.crypto_core_ed25519_is_valid_point)

SECOND_BASE: Final = derive_generator("H")
"""H, the base of every code, in tiles and commitments alike, and where a shuffle's chain begins."""

PERMUTATION_BASES: Final = tuple(derive_generator(f"H_{i}") for i in range(1, HIDING_BASES + 1))
"""H_1 … H_28, the bases of permutation commitments."""

edwards25519: Final = Edwards25519(SECOND_BASE)
"""The group of the game."""
