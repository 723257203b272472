from __future__ import annotations

import hashlib

import pytest
from nacl import bindings as sodium

from protocol import group as module
from protocol.errors import Misuse, PeerFault
from protocol.group import (
    PERMUTATION_BASES,
    SECOND_BASE,
    Group,
    Point,
    Scalar,
    check_library,
    decode_points,
    derive_generator,
    edwards25519,
    fresh,
)
from tests.support.crypto import TORSION, number, seeded
from tests.support.faults import expect_fault
from tests.support.p256 import p256

G = edwards25519.generator
FIELD = 2**255 - 19
ORDER = edwards25519.order


def le(value: int) -> bytes:
    return value.to_bytes(32, "little")


def test_the_generator_is_that_of_rfc_8032() -> None:
    y = 4 * pow(5, -1, FIELD) % FIELD
    assert le(y) == G
    assert sodium.crypto_scalarmult_ed25519_base_noclamp(le(1)) == G


def test_order_is_the_order_of_the_generator() -> None:
    minus_one = edwards25519.mul_base(edwards25519.scalar(ORDER - 1))
    assert edwards25519.add(minus_one, G) == edwards25519.identity


def test_valid_point_is_decoded_as_it_is() -> None:
    assert edwards25519.decode(bytes(G)) == G


@pytest.mark.parametrize("length", [0, 31, 33])
def test_point_of_another_length_is_refused(length: int) -> None:
    with expect_fault("point.length"):
        edwards25519.decode(G[:1] * length)


def test_identity_is_refused() -> None:
    with expect_fault("point.identity"):
        edwards25519.decode(le(1))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(le(1 + 2**255), id="identity with the sign bit"),
        pytest.param(le(FIELD + 1), id="identity plus the field prime"),
        pytest.param(le(FIELD), id="zero plus the field prime"),
        pytest.param(le(FIELD + 3), id="a y above the field prime"),
        pytest.param(le(2), id="not on the curve"),
        pytest.param(b"\xff" * 32, id="all bits"),
    ],
)
def test_point_that_is_not_canonical_or_not_on_the_curve_is_refused(data: bytes) -> None:
    with expect_fault("point.encoding"):
        edwards25519.decode(data)


@pytest.mark.parametrize("order", TORSION)
def test_point_with_torsion_is_refused(order: int) -> None:
    torsion = TORSION[order]
    with expect_fault("point.encoding"):
        edwards25519.decode(torsion)
    mixed = sodium.crypto_core_ed25519_add(G, torsion)
    with expect_fault("point.encoding"):
        edwards25519.decode(mixed)


@pytest.mark.parametrize("order", TORSION)
def test_torsion_points_of_these_tests_have_their_order(order: int) -> None:
    point, identity = TORSION[order], le(1)
    multiples = [identity]
    for _ in range(order):
        multiples.append(sodium.crypto_core_ed25519_add(multiples[-1], point))
    assert multiples[order] == identity
    assert identity not in multiples[1:order]


@pytest.mark.parametrize("order", TORSION)
def test_a_library_that_takes_torsion_is_refused(order: int) -> None:
    mixed = sodium.crypto_core_ed25519_add(G, TORSION[order])
    with pytest.raises(ImportError, match=f"order {order}"):
        check_library(lambda p: p == mixed or sodium.crypto_core_ed25519_is_valid_point(p))
    with pytest.raises(ImportError, match=f"order {order}"):
        check_library(lambda p: p == TORSION[order] or sodium.crypto_core_ed25519_is_valid_point(p))


def test_a_library_that_refuses_everything_is_refused() -> None:
    with pytest.raises(ImportError, match="generator"):
        check_library(lambda _: False)


def test_a_good_library_passes() -> None:
    seen: list[bytes] = []

    def watch(point: bytes) -> bool:
        seen.append(point)
        return sodium.crypto_core_ed25519_is_valid_point(point)

    check_library(watch)
    assert len(seen) == 7


@pytest.mark.parametrize("value", [0, 1, ORDER - 1])
def test_canonical_scalar_is_decoded(value: int) -> None:
    assert number(edwards25519.decode_scalar(le(value))) == value


@pytest.mark.parametrize("value", [ORDER, ORDER + 1, 2**253, 2**256 - 1])
def test_scalar_that_is_not_reduced_is_refused(value: int) -> None:
    with expect_fault("scalar.range"):
        edwards25519.decode_scalar(le(value))


@pytest.mark.parametrize("length", [0, 31, 33])
def test_scalar_of_another_length_is_refused(length: int) -> None:
    with expect_fault("scalar.length"):
        edwards25519.decode_scalar(bytes(length))


def test_reduce_reads_64_bytes_little_endian() -> None:
    wide = bytes(range(64))
    assert number(edwards25519.reduce(wide)) == int.from_bytes(wide, "little") % ORDER


def test_scalar_arithmetic_is_modulo_the_order() -> None:
    a, b = ORDER - 3, 2**200 + 5
    left, right = edwards25519.scalar(a), edwards25519.scalar(b)
    assert number(edwards25519.scalar_add(left, right)) == (a + b) % ORDER
    assert number(edwards25519.scalar_sub(right, left)) == (b - a) % ORDER
    assert number(edwards25519.scalar_mul(left, right)) == a * b % ORDER
    assert number(edwards25519.scalar_invert(right)) == pow(b, -1, ORDER)
    assert number(edwards25519.scalar(-3)) == a


def test_zero_has_no_inverse() -> None:
    with pytest.raises(Misuse):
        edwards25519.scalar_invert(edwards25519.zero)


def test_multiplication_by_zero_and_of_the_identity_gives_the_identity() -> None:
    zero, two = edwards25519.zero, edwards25519.scalar(2)
    assert edwards25519.mul(zero, G) == edwards25519.identity
    assert edwards25519.mul_base(zero) == edwards25519.identity
    assert edwards25519.mul(two, edwards25519.identity) == edwards25519.identity


def test_multiplication_of_bytes_that_were_never_decoded_is_our_mistake() -> None:
    with pytest.raises(Misuse):
        edwards25519.mul(edwards25519.scalar(2), Point(TORSION[8]))


def test_the_identity_is_neutral() -> None:
    identity = edwards25519.identity
    assert edwards25519.add(G, identity) == G
    assert edwards25519.sub(G, identity) == G
    assert edwards25519.sub(G, G) == identity
    assert edwards25519.add(identity, identity) == identity


@pytest.mark.parametrize("value", [-129, -1, 0, 1, 2, 3, 9, 10, 26, 102, 128, 129])
@pytest.mark.parametrize("point", [G, SECOND_BASE])
def test_multiple_is_the_product_whether_it_is_looked_up_added_up_or_multiplied(
    value: int, point: Point
) -> None:
    expected = edwards25519.mul(le_scalar(value), point)
    assert edwards25519.multiple(value, point) == expected


def le_scalar(value: int) -> Scalar:
    return Scalar(le(value % ORDER))


def test_small_multiples_of_h_and_small_scalars_are_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No arithmetic on them, neither Python's nor the library's: they may be secret."""
    monkeypatch.setattr(module, "sodium", None)
    monkeypatch.setattr(module.Edwards25519, "_reduced", None)
    multiples = [edwards25519.multiple(value, SECOND_BASE) for value in range(129)]
    scalars = [edwards25519.scalar(value) for value in range(-128, 129)]
    assert [edwards25519.number_of(point) for point in multiples] == list(range(129))
    assert scalars == [le_scalar(value) for value in range(-128, 129)]


def test_number_of_a_point_beyond_the_table_is_not_known() -> None:
    assert edwards25519.number_of(edwards25519.multiple(129, SECOND_BASE)) is None
    assert edwards25519.number_of(edwards25519.multiple(-1, SECOND_BASE)) is None
    assert edwards25519.number_of(G) is None


def test_random_scalar_takes_64_bytes() -> None:
    asked: list[int] = []

    def entropy(count: int) -> bytes:
        asked.append(count)
        return b"\x05" + bytes(count - 1)

    assert number(edwards25519.random_scalar(entropy)) == 5
    assert asked == [64]


def test_short_entropy_is_our_mistake() -> None:
    with pytest.raises(Misuse):
        fresh(lambda count: bytes(count - 1), 8)
    assert fresh(seeded("fresh"), 8) == seeded("fresh")(8)


def test_decode_points_cuts_a_blob() -> None:
    points = (G, SECOND_BASE)
    assert decode_points(b"".join(points), 2) == points
    assert decode_points(b"", 0) == ()


@pytest.mark.parametrize(("blob", "count"), [(b"", 1), (G, 2), (G + G, 1), (G + b"\0", 1)])
def test_decode_points_wants_the_exact_length(blob: bytes, count: int) -> None:
    with expect_fault("point.length"):
        decode_points(blob, count)


def test_decode_points_checks_every_point() -> None:
    with expect_fault("point.identity"):
        decode_points(G + le(1), 2)
    with expect_fault("point.encoding"):
        decode_points(G + TORSION[4], 2)


def test_generators_come_out_of_their_labels() -> None:
    uniform = hashlib.shake_128(b"p2p-davinci/2/generator/H_28").digest(32)
    assert PERMUTATION_BASES[27] == sodium.crypto_core_ed25519_from_uniform(uniform)
    assert derive_generator("H") == SECOND_BASE
    assert hashlib.sha256(b"".join((SECOND_BASE, *PERMUTATION_BASES))).hexdigest() == (
        "d4e57d221e4b9f2af152f5734e06685d671f1cea4f027a7d735c40b70df14a29"
    )


def test_generators_are_valid_and_differ_from_each_other_and_from_small_multiples_of_g() -> None:
    points = (SECOND_BASE, *PERMUTATION_BASES)
    assert len(PERMUTATION_BASES) == 28
    assert [edwards25519.decode(point) for point in points] == list(points)
    known = {edwards25519.multiple(value, G) for value in range(-128, 129)}
    assert len(known | set(points)) == 257 + 29


@pytest.mark.parametrize("value", [0, FIELD, 2**255])
def test_bytes_that_map_to_the_identity_make_no_generator(value: int) -> None:
    with pytest.raises(Misuse):
        module._mapped(le(value))


@pytest.mark.parametrize("group", [edwards25519, p256], ids=["edwards25519", "P-256"])
class TestAnyGroup:
    """What the proof layer relies on, for the game's group and the drafts'."""

    def test_what_it_computes_decodes(self, group: Group) -> None:
        point = group.mul_base(group.scalar(12345))
        assert group.decode(point) == point
        assert len(point) == group.point_bytes
        assert len(group.scalar(1)) == group.scalar_bytes

    def test_identity_does_not_decode(self, group: Group) -> None:
        with pytest.raises(PeerFault):
            group.decode(group.identity)

    def test_multiplication_distributes(self, group: Group) -> None:
        a, b = group.scalar(2**251 + 9), group.scalar(-7)
        base = group.mul_base(group.scalar(3))
        split = group.add(group.mul(a, base), group.mul(b, base))
        assert group.mul(group.scalar_add(a, b), base) == split
        assert group.mul(a, group.mul(b, base)) == group.mul(group.scalar_mul(a, b), base)

    def test_doubling_and_cancelling(self, group: Group) -> None:
        two = group.add(group.generator, group.generator)
        assert two == group.multiple(2, group.generator)
        assert group.sub(two, group.generator) == group.generator
        assert group.sub(two, two) == group.identity
        assert group.add(group.identity, two) == two
        assert group.mul(group.scalar(5), group.identity) == group.identity
        assert group.mul(group.zero, two) == group.identity

    def test_order_plus_one_is_one(self, group: Group) -> None:
        assert group.scalar(group.order + 1) == group.scalar(1)
        assert group.reduce((group.order + 1).to_bytes(64, "little")) == group.scalar(1)
        assert group.scalar_sub(group.zero, group.scalar(1)) == group.scalar(-1)
