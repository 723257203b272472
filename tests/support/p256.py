"""P-256 (NIST SP 800-186) as a :class:`protocol.group.Group`, for the drafts' vectors only.

Compressed SEC 1 encodings, big-endian scalars; neither fast nor constant-time. The identity has no
compressed encoding: 33 zero bytes stand for it, and ``decode`` refuses them.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from protocol.errors import PeerFault
from protocol.group import Point, Scalar

_P: Final = 2**256 - 2**224 + 2**192 + 2**96 - 1
_B: Final = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B

_Jacobian: TypeAlias = tuple[int, int, int]
_INFINITY: Final[_Jacobian] = (1, 1, 0)


class P256:
    order: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    point_bytes: Final = 33
    scalar_bytes: Final = 32
    generator: Final = Point(
        bytes.fromhex("036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
    )
    identity: Final = Point(bytes(33))
    zero: Final = Scalar(bytes(32))

    def decode(self, data: bytes) -> Point:
        if len(data) != self.point_bytes:
            raise PeerFault("point.length")
        _affine(Point(data))
        return Point(data)

    def decode_scalar(self, data: bytes) -> Scalar:
        if len(data) != self.scalar_bytes:
            raise PeerFault("scalar.length")
        if int.from_bytes(data, "big") >= self.order:
            raise PeerFault("scalar.range")
        return Scalar(data)

    def scalar(self, value: int) -> Scalar:
        return Scalar((value % self.order).to_bytes(self.scalar_bytes, "big"))

    def reduce(self, wide: bytes) -> Scalar:
        return self.scalar(int.from_bytes(wide, "little"))

    def add(self, left: Point, right: Point) -> Point:
        return _encode(_add(self._load(left), self._load(right)))

    def sub(self, left: Point, right: Point) -> Point:
        x, y, z = self._load(right)
        return _encode(_add(self._load(left), (x, -y % _P, z)))

    def mul(self, scalar: Scalar, point: Point) -> Point:
        base, total = self._load(point), _INFINITY
        for bit in f"{int.from_bytes(scalar, 'big'):b}":
            total = _double(total)
            if bit == "1":
                total = _add(total, base)
        return _encode(total)

    def mul_base(self, scalar: Scalar) -> Point:
        return self.mul(scalar, self.generator)

    def multiple(self, number: int, point: Point) -> Point:
        return self.mul(self.scalar(number), point)

    def scalar_add(self, left: Scalar, right: Scalar) -> Scalar:
        return self.scalar(int.from_bytes(left, "big") + int.from_bytes(right, "big"))

    def scalar_sub(self, left: Scalar, right: Scalar) -> Scalar:
        return self.scalar(int.from_bytes(left, "big") - int.from_bytes(right, "big"))

    def scalar_mul(self, left: Scalar, right: Scalar) -> Scalar:
        return self.scalar(int.from_bytes(left, "big") * int.from_bytes(right, "big"))

    def _load(self, point: Point) -> _Jacobian:
        if point == self.identity:
            return _INFINITY
        return (*_affine(point), 1)


def _affine(point: Point) -> tuple[int, int]:
    x = int.from_bytes(point[1:], "big")
    if point[0] not in (2, 3) or x >= _P:
        raise PeerFault("point.encoding")
    square = (x * x * x - 3 * x + _B) % _P
    y = pow(square, (_P + 1) // 4, _P)
    if y * y % _P != square:
        raise PeerFault("point.encoding")
    return x, y if y % 2 == point[0] % 2 else _P - y


def _encode(point: _Jacobian) -> Point:
    x, y, z = point
    if not z:
        return P256.identity
    inverse = pow(z, -1, _P)
    x, y = x * inverse**2 % _P, y * inverse**3 % _P
    return Point(bytes([2 + y % 2]) + x.to_bytes(32, "big"))


def _double(point: _Jacobian) -> _Jacobian:
    x, y, z = point
    if not z:
        return point
    s = 4 * x * y * y % _P
    m = 3 * (x - z * z) * (x + z * z) % _P
    out = (m * m - 2 * s) % _P
    return out, (m * (s - out) - 8 * y**4) % _P, 2 * y * z % _P


def _add(left: _Jacobian, right: _Jacobian) -> _Jacobian:
    if not left[2]:
        return right
    if not right[2]:
        return left
    (x1, y1, z1), (x2, y2, z2) = left, right
    u1, u2 = x1 * z2 * z2 % _P, x2 * z1 * z1 % _P
    s1, s2 = y1 * z2**3 % _P, y2 * z1**3 % _P
    if u1 == u2:
        return _double(left) if s1 == s2 else _INFINITY
    h, r = u2 - u1, s2 - s1
    x = (r * r - h**3 - 2 * u1 * h * h) % _P
    return x, (r * (u1 * h * h - x) - s1 * h**3) % _P, h * z1 * z2 % _P


p256: Final = P256()
