"""What a proof can state: linear relations, and AND and OR of them (SPEC, relations).

Source: draft-irtf-cfrg-sigma-protocols-03, "Linear relations", "Instance validation" and
"SerializeLinearRelation". The drafts leave composition to the caller; here it is a tree::

    leaf = 01 || SerializeLinearRelation
    And  = 02 || LE(n, 4) || children      Or = 03 || LE(n, 4) || children

A relation that stands alone is serialized as the drafts say, without the 01. Knows the
:class:`~.group.Group` interface and no particular group, no challenges, tiles or decks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from .errors import Misuse, PeerFault
from .group import Group, Point, Scalar

_CHILDREN_MAX: Final = 2**16

Image: TypeAlias = Sequence[tuple[Point, int]]
"""Left side of an equation: (element, public weight) pairs, summed."""

Terms: TypeAlias = Sequence[tuple[int, Point, int]]
"""Right side: (index of a secret scalar, element, public weight) triples, summed."""

Sums: TypeAlias = dict[tuple[tuple[Point, int], ...], Point]
"""Weighted sums that were computed before; one dictionary for each proof."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """One row of a linear relation, over indices of elements; element 0 is the generator."""

    image: tuple[tuple[int, int], ...]
    """(element index, weight) pairs."""
    terms: tuple[tuple[int, int, int], ...]
    """(scalar index, element index, weight) triples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearRelation:
    """Secret scalars that a linear map sends to a public image (drafts: ``LinearRelation``).

    Raises:
        Misuse: the shape is not what "Instance validation", checks 1 to 7, allows.
    """

    group: Group
    elements: tuple[Point, ...]
    equations: tuple[Equation, ...]
    scalar_count: int = field(init=False)
    doubtful: frozenset[int] = field(init=False)
    """Scalars that every equation names twice or not at all: their terms might cancel out."""

    def __post_init__(self) -> None:
        scalars: set[int] = set()
        certain: set[int] = set()
        used = {0}
        for equation in self.equations:
            named = [scalar for scalar, _, _ in equation.terms]
            if not named or not equation.image:
                raise Misuse("an equation needs an image and terms")
            used.update([element for element, _ in equation.image])
            used.update([element for _, element, _ in equation.terms])
            scalars.update(named)
            if len(set(named)) == len(named):
                certain.update([scalar for scalar, _, weight in equation.terms if weight])
        if not scalars or scalars != set(range(len(scalars))):
            raise Misuse("scalars must be numbered from 0 without a gap")
        if used != set(range(len(self.elements))):
            raise Misuse("every element must be used, and none beyond the last")
        if self.elements[0] != self.group.generator:
            raise Misuse("element 0 must be the generator")
        object.__setattr__(self, "scalar_count", len(scalars))
        object.__setattr__(self, "doubtful", frozenset(scalars - certain))


@dataclass(frozen=True, slots=True)
class And:
    """Every one of the relations holds.

    Raises:
        Misuse: there is none.
    """

    children: tuple[Relation, ...]

    def __post_init__(self) -> None:
        _check_children(self.children)


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of the relations holds; which one stays hidden.

    Raises:
        Misuse: there is none.
    """

    children: tuple[Relation, ...]

    def __post_init__(self) -> None:
        _check_children(self.children)


Relation: TypeAlias = "LinearRelation | And | Or"


@dataclass(frozen=True, slots=True)
class Each:
    """The witnesses of an :class:`And`, one for each child."""

    witnesses: tuple[Witness, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The witness of one child of an :class:`Or`."""

    index: int = field(repr=False)
    witness: Witness = field(repr=False)


@dataclass(frozen=True, slots=True)
class Opened:
    """The witness of an :class:`Or` of leaves ``image = secret·P`` when all images can be opened.

    Each branch has a secret and a small offset with ``image = secret·P + offset·base``. The one
    branch with offset 0 holds. Says more than :class:`Chosen`, and spares the prover work: where P
    is the generator, only the false branches need a multiplication of another element.
    """

    branches: tuple[tuple[Scalar, int], ...] = field(repr=False)
    base: Point

    @property
    def index(self) -> int:
        """The branch that holds; ``Misuse`` if none does."""
        for at, (_, offset) in enumerate(self.branches):
            if not offset:
                return at
        raise Misuse("no branch holds")


Witness: TypeAlias = "tuple[Scalar, ...] | Each | Chosen | Opened"


def linear_relation(group: Group, rows: Sequence[tuple[Image, Terms]]) -> LinearRelation:
    """Return the relation with these equations, in this order.

    Elements are numbered in the order in which they are first named (image before terms, row by
    row), equal ones once; number 0 is the generator whether it is named or not.

    Raises:
        Misuse: as :class:`LinearRelation`.
    """
    index: dict[Point, int] = {group.generator: 0}
    equations = []
    for image, terms in rows:
        left = [(index.setdefault(point, len(index)), weight) for point, weight in image]
        right = [(s, index.setdefault(point, len(index)), weight) for s, point, weight in terms]
        equations.append(Equation(image=tuple(left), terms=tuple(right)))
    return LinearRelation(group=group, elements=tuple(index), equations=tuple(equations))


def serialize_statement(relation: Relation) -> bytes:
    """Return the bytes of ``relation`` that go into its challenge (module docstring)."""
    if isinstance(relation, LinearRelation):
        return serialize_relation(relation)
    return _serialize_tree(relation)


def serialize_relation(relation: LinearRelation) -> bytes:
    """Return the draft's ``SerializeLinearRelation``: equations, then elements from number 1 on."""
    scalar = relation.group.scalar
    one = scalar(1)
    parts: list[bytes] = [_u32(len(relation.equations))]
    for equation in relation.equations:
        parts.append(_u32(len(equation.image)))
        for element, weight in equation.image:
            parts += (_u32(element), one if weight == 1 else scalar(weight))
        parts.append(_u32(len(equation.terms)))
        for index, element, weight in equation.terms:
            parts += (_u32(index), _u32(element), one if weight == 1 else scalar(weight))
    parts += relation.elements[1:]
    return b"".join(parts)


def group_of(relation: Relation) -> Group:
    """Return the group that ``relation`` is about."""
    while not isinstance(relation, LinearRelation):
        relation = relation.children[0]
    return relation.group


def count_scalars(relation: Relation) -> tuple[int, int]:
    """Return how many challenges the Ors send, and how many responses the leaves."""
    if isinstance(relation, LinearRelation):
        return 0, relation.scalar_count
    counts = [count_scalars(child) for child in relation.children]
    sent = len(relation.children) - 1 if isinstance(relation, Or) else 0
    return sent + sum([shares for shares, _ in counts]), sum([answers for _, answers in counts])


def check_instance(leaf: LinearRelation) -> None:
    """Check what depends on the values of the elements: the draft's instance checks 8 and 10.

    Check 9, on images, is part of :func:`evaluate`.

    Raises:
        PeerFault: ``sigma.identity`` (an element is), ``sigma.instance`` (a scalar is left free).
    """
    group = leaf.group
    if group.identity in leaf.elements:
        raise PeerFault("sigma.identity", "an element")
    for scalar in leaf.doubtful:
        rows = [
            [(element, weight) for index, element, weight in equation.terms if index == scalar]
            for equation in leaf.equations
        ]
        if all(_weighted_sum(leaf, row, {}) == group.identity for row in rows):
            raise PeerFault("sigma.instance", f"scalar {scalar} is not constrained")


def evaluate(
    leaf: LinearRelation, scalars: Sequence[Scalar], challenge: Scalar | None, sums: Sums
) -> list[Point]:
    """Return map(scalars) - challenge * image, a point for each equation.

    ``None`` for the challenge leaves the image out. Where the terms name every element of the image
    anyway, the challenge goes into their weights, which saves a multiplication. ``sums`` remembers
    images from one leaf to the next.

    Raises:
        PeerFault: ``sigma.identity`` (an image is; only if there is a challenge).
    """
    group = leaf.group
    points = []
    for equation in leaf.equations:
        weights: dict[int, Scalar] = {}
        for index, element, weight in equation.terms:
            part = _scaled(group, scalars[index], weight)
            known = weights.get(element)
            weights[element] = part if known is None else group.scalar_add(known, part)
        if challenge is None:
            points.append(_combine(leaf, weights))
            continue
        image = _weighted_sum(leaf, equation.image, sums)
        if image == group.identity:
            raise PeerFault("sigma.identity", "an image")
        if all(element in weights for element, _ in equation.image):
            for element, weight in equation.image:
                part = _scaled(group, challenge, weight)
                weights[element] = group.scalar_sub(weights[element], part)
            points.append(_combine(leaf, weights))
        else:
            points.append(group.sub(_combine(leaf, weights), group.mul(challenge, image)))
    return points


def _check_children(children: tuple[Relation, ...]) -> None:
    if not 0 < len(children) < _CHILDREN_MAX:
        raise Misuse("And and Or need a child, and fewer than 65536")


def _serialize_tree(relation: Relation) -> bytes:
    if isinstance(relation, LinearRelation):
        return b"\x01" + serialize_relation(relation)
    mark = b"\x02" if isinstance(relation, And) else b"\x03"
    children = [_serialize_tree(child) for child in relation.children]
    return b"".join((mark, _u32(len(children)), *children))


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "little")


def _scaled(group: Group, scalar: Scalar, weight: int) -> Scalar:
    if weight == 1:
        return scalar
    if weight == -1:
        return group.scalar_sub(group.zero, scalar)
    return group.scalar_mul(group.scalar(weight), scalar)


def _combine(leaf: LinearRelation, weights: dict[int, Scalar]) -> Point:
    group, elements = leaf.group, leaf.elements
    parts = [
        group.mul(scalar, elements[element]) if element else group.mul_base(scalar)
        for element, scalar in weights.items()
    ]
    total = parts[0]
    for part in parts[1:]:
        total = group.add(total, part)
    return total


def _weighted_sum(leaf: LinearRelation, entries: Sequence[tuple[int, int]], sums: Sums) -> Point:
    """Return the sum of weight * element, with public weights.

    An element that is named more than once is multiplied once. The branches of an Or often differ
    in their last entry alone, so ``sums`` keeps the sum of all before it.
    """
    group, elements = leaf.group, leaf.elements
    weights: dict[int, int] = {}
    for element, weight in entries:
        weights[element] = weights.get(element, 0) + weight
    *others, (last, weight) = weights.items()
    before = tuple([(elements[element], number) for element, number in others])
    total = sums.get(before)
    if total is None:
        total = group.identity
        for point, number in before:
            total = _added(group, total, number, point)
        sums[before] = total
    return _added(group, total, weight, elements[last])


def _added(group: Group, total: Point, weight: int, point: Point) -> Point:
    if not weight:
        return total
    part = group.multiple(abs(weight), point)
    if weight < 0:
        return group.sub(total, part)
    return part if total == group.identity else group.add(total, part)
