from __future__ import annotations

from typing import Any

import pytest

from protocol.errors import Misuse
from protocol.group import Point, edwards25519
from protocol.relation import (
    And,
    Chosen,
    Each,
    Equation,
    LinearRelation,
    Opened,
    Or,
    check_instance,
    count_scalars,
    evaluate,
    group_of,
    linear_relation,
    serialize_relation,
    serialize_statement,
)
from tests.support.crypto import counted, multiplications
from tests.support.faults import expect_fault

G = edwards25519.generator
IDENTITY = edwards25519.identity
X, Y, Z = (edwards25519.multiple(value, G) for value in (5, 7, 11))


def scalar(value: int) -> bytes:
    return edwards25519.scalar(value)


def u32(value: int) -> bytes:
    return value.to_bytes(4, "little")


def dlog(point: Point) -> LinearRelation:
    return linear_relation(edwards25519, [([(point, 1)], [(0, G, 1)])])


def build(**changes: Any) -> LinearRelation:
    parts: dict[str, Any] = {
        "group": edwards25519,
        "elements": (G, X),
        "equations": (Equation(image=((1, 1),), terms=((0, 0, 1),)),),
    }
    return LinearRelation(**(parts | changes))


def test_elements_are_numbered_as_they_are_first_named_and_the_generator_is_first() -> None:
    relation = linear_relation(
        edwards25519, [([(Y, 1), (X, -1)], [(0, Z, 1), (1, Y, 3)]), ([(G, 2)], [(1, X, 1)])]
    )
    assert relation.elements == (G, Y, X, Z)
    assert relation.equations == (
        Equation(image=((1, 1), (2, -1)), terms=((0, 3, 1), (1, 1, 3))),
        Equation(image=((0, 2),), terms=((1, 2, 1),)),
    )
    assert relation.scalar_count == 2


def test_relation_is_serialized_as_the_draft_says() -> None:
    relation = linear_relation(
        edwards25519, [([(X, 1), (G, -4), (Y, 2)], [(0, Y, 1), (1, X, 9), (1, Y, 2)])]
    )
    assert serialize_relation(relation) == b"".join(
        (
            u32(1),
            u32(3) + u32(1) + scalar(1) + u32(0) + scalar(-4) + u32(2) + scalar(2),
            u32(3) + u32(0) + u32(2) + scalar(1) + u32(1) + u32(1) + scalar(9),
            u32(1) + u32(2) + scalar(2),
            X + Y,
        )
    )


def test_composition_is_serialized_with_marks_and_counts() -> None:
    x, y = dlog(X), dlog(Y)
    leaf_x, leaf_y = (b"\x01" + serialize_relation(leaf) for leaf in (x, y))
    tree = And((x, Or((y, x))))
    inner = b"\x03" + u32(2) + leaf_y + leaf_x
    assert serialize_statement(tree) == b"\x02" + u32(2) + leaf_x + inner
    assert serialize_statement(x) == serialize_relation(x)


def test_counts_of_scalars_sent() -> None:
    wide = linear_relation(edwards25519, [([(X, 1)], [(0, G, 1), (1, Y, 1)])])
    assert count_scalars(wide) == (0, 2)
    assert count_scalars(And((wide, Or((dlog(X), Or((dlog(Y), wide, dlog(Z)))))))) == (3, 7)


def test_the_group_of_a_tree_is_that_of_its_leaves() -> None:
    assert group_of(And((Or((dlog(X), dlog(Y))),))) is edwards25519


@pytest.mark.parametrize("kind", [And, Or])
def test_a_composition_of_nothing_is_our_mistake(kind: type[And | Or]) -> None:
    with pytest.raises(Misuse):
        kind(())
    with pytest.raises(Misuse):
        kind((dlog(X),) * 2**16)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"equations": ()}, id="no equations"),
        pytest.param({"equations": (Equation(image=(), terms=((0, 1, 1),)),)}, id="no image"),
        pytest.param({"equations": (Equation(image=((1, 1),), terms=()),)}, id="no terms"),
        pytest.param(
            {"equations": (Equation(image=((1, 1),), terms=((1, 0, 1),)),)}, id="scalar 0 unused"
        ),
        pytest.param({"elements": (G, X, Y)}, id="an element unused"),
        pytest.param(
            {"equations": (Equation(image=((2, 1),), terms=((0, 1, 1),)),)},
            id="an element that is not there",
        ),
        pytest.param({"elements": (Y, X)}, id="another generator"),
    ],
)
def test_malformed_relation_is_our_mistake(changes: dict[str, Any]) -> None:
    build()
    with pytest.raises(Misuse):
        build(**changes)


def test_identity_among_the_elements_is_refused() -> None:
    check_instance(build())
    with expect_fault("sigma.identity"):
        check_instance(build(elements=(G, IDENTITY)))


def test_scalar_whose_terms_cancel_out_is_refused() -> None:
    free = linear_relation(edwards25519, [([(X, 1)], [(0, G, 1), (1, Y, 1), (1, Y, -1)])])
    with expect_fault("sigma.instance"):
        check_instance(free)


def test_scalar_with_weight_zero_everywhere_is_refused() -> None:
    with expect_fault("sigma.instance"):
        check_instance(linear_relation(edwards25519, [([(X, 1)], [(0, G, 1), (1, Y, 0)])]))


def test_scalar_that_is_named_twice_but_does_not_cancel_passes() -> None:
    twice = linear_relation(edwards25519, [([(X, 1)], [(0, G, 2), (0, Y, 1)])])
    assert twice.doubtful == {0}
    check_instance(twice)
    cancels_once = linear_relation(
        edwards25519, [([(X, 1)], [(0, Y, 1), (0, Y, -1)]), ([(Z, 1)], [(0, Y, 1)])]
    )
    assert not cancels_once.doubtful
    check_instance(cancels_once)


def test_evaluation_is_map_minus_challenge_times_image() -> None:
    relation = linear_relation(
        edwards25519,
        [
            ([(X, 2), (G, -3)], [(0, Y, -1), (1, G, 4), (0, G, 1)]),
            ([(X, 1), (Z, -1)], [(1, X, 6), (0, Z, 1)]),
        ],
    )
    a, b, c = 3, 4, 10
    scalars = [edwards25519.scalar(a), edwards25519.scalar(b)]
    mapped = [-7 * a + 4 * b + a, 5 * 6 * b + 11 * a]
    images = [2 * 5 - 3, 5 - 11]
    assert evaluate(relation, scalars, None, {}) == [edwards25519.multiple(m, G) for m in mapped]
    assert evaluate(relation, scalars, edwards25519.scalar(c), {}) == [
        edwards25519.multiple(m - c * i, G) for m, i in zip(mapped, images, strict=True)
    ]


def test_image_that_is_the_identity_is_refused() -> None:
    scalars = [edwards25519.scalar(3)]
    cancels = linear_relation(edwards25519, [([(X, 1), (X, -1)], [(0, G, 1)])])
    with expect_fault("sigma.identity"):
        evaluate(cancels, scalars, edwards25519.scalar(1), {})
    small = linear_relation(edwards25519, [([(X, 1), (G, -5)], [(0, G, 1), (0, X, 1)])])
    with expect_fault("sigma.identity"):
        evaluate(small, scalars, edwards25519.scalar(1), {})


def test_challenge_goes_into_the_weights_where_the_terms_name_the_image() -> None:
    inside = linear_relation(edwards25519, [([(X, 1), (G, -2)], [(0, X, 1), (0, G, 3)])])
    outside = linear_relation(edwards25519, [([(Y, 1), (G, -2)], [(0, X, 1), (0, G, 3)])])
    for relation, expected in ((inside, 2), (outside, 3)):
        with counted() as counts:
            evaluate(relation, [edwards25519.scalar(9)], edwards25519.scalar(8), {})
        assert multiplications(counts) == expected


def test_images_that_differ_in_their_last_entry_alone_share_the_sum_of_the_others() -> None:
    sums: dict[tuple[tuple[Point, int], ...], Point] = {}
    for known in range(3):
        relation = linear_relation(edwards25519, [([(X, -3), (G, known)], [(0, Y, 1)])])
        points = evaluate(relation, [edwards25519.scalar(1)], edwards25519.scalar(1), sums)
        assert points == [edwards25519.multiple(7 + 15 - known, G)]
    assert sums == {((X, -3),): edwards25519.multiple(-15, G)}


def test_element_that_an_image_names_twice_is_multiplied_once() -> None:
    """In a round's first shuffle every tile's A is the generator."""
    entries = [(G, 1000), (X, 2000), (G, 3000), (X, -500)]
    relation = linear_relation(edwards25519, [(entries, [(0, Y, 1)])])
    with counted() as counts:
        points = evaluate(relation, [edwards25519.scalar(1)], edwards25519.scalar(1), {})
    assert points == [edwards25519.multiple(7 - 4000 - 5 * 1500, G)]
    # One of G and one of X for the image, then response times Y and challenge times image.
    assert (counts["mul_base"], counts["mul"]) == (1, 3)


def test_witnesses_show_nothing_of_themselves() -> None:
    secret = edwards25519.scalar(0x5EC2E7)
    shown = repr(Each((Chosen(3, (secret,)), (secret,))))
    assert shown == "Each()"
    assert repr(Chosen(3, (secret,))) == "Chosen()"
    assert repr(Opened(((secret, 3),), X)) == f"Opened(base={X!r})"
