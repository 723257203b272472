"""The proof that a row is in order, with its hidden tiles hidden (SPEC, values and order).

When a hidden tile enters a row its owner commits to its value, ``V = code·H + τ·G``, and proves
with its key (``Y = x·G``) that tile and commitment hold the same code: ``B - V = x·A - τ·G``.

Every hidden tile has a **sort key**. If its back allows no joker, the key is V itself. Otherwise it
is a fresh ``S = s·H + σ·G`` at every proof, linked by
``OR(V - S = δ·G; V - joker·H = τ·G for each joker)``: a joker may take any key that fits, a number
only its own. An open number has the key ``code·H``; open jokers are left out by the caller. Of two
neighbours the difference d of keys must lie in 0 … 26: it has three base-3 digits, of which the two
higher are committed to and the lowest is what remains,
``S_(k+1) - S_k - 3·T_1 - 9·T_2``; for each ``OR(T - v·H = r·G, v = 0, 1, 2)``. Everything stands
under one challenge, and all of it is written in points that the message or the transcript holds.

Range proof by digits and OR proofs after Cramer, Damgård and Schoenmakers (CRYPTO 1994). Knows
codes and rows of one player, not whose turn it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from .elgamal import Ciphertext, public_key
from .errors import Misuse, PeerFault
from .group import SECOND_BASE, Entropy, Point, Scalar
from .group import edwards25519 as group
from .relation import And, Each, LinearRelation, Opened, Or, Relation, Witness, linear_relation
from .sigma import prove, verify

DIFFERENCE_MAX: Final = 26
"""The largest difference of neighbouring sort keys: three base-3 digits."""

FIRST_KEY: Final = 1
"""The sort key that a hidden joker at the left end takes: that of the smallest number."""

_DIGITS: Final = (0, 1, 2)
_WEIGHTS: Final = (3, 9)
_DIGITS_OF: Final = tuple((d % 3, d // 3 % 3, d // 9) for d in range(DIFFERENCE_MAX + 1))
"""The digits of every difference, lowest first: a secret is looked up, not divided."""


@dataclass(frozen=True, slots=True)
class ValueOpening:
    """What opens a value commitment; its owner keeps it with its secrets."""

    code: int = field(repr=False)
    blinding: Scalar = field(repr=False)


@dataclass(frozen=True, slots=True)
class HiddenEntry:
    """A hidden tile of a row."""

    value: Point
    """Its value commitment V."""
    jokers: tuple[int, ...]
    """The joker codes that its back allows; none if the game has no jokers."""


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """An open number of a row; open jokers have no entry."""

    code: int


Entry: TypeAlias = HiddenEntry | OpenEntry


@dataclass(frozen=True, slots=True)
class OrderFields:
    """What an order proof publishes besides its string; :func:`order_sizes` says how much."""

    keys: tuple[Point, ...]
    """A fresh sort key for every hidden entry that may be a joker, in row order."""
    digits: tuple[Point, ...]
    """For every proved gap its middle and its high digit, committed to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderWitness:
    """What the owner of a row alone knows, and forgets once the proof is made."""

    gaps: tuple[int, ...]
    links: tuple[Witness, ...] = field(repr=False)
    digits: tuple[Witness, ...] = field(repr=False)
    """Three for every gap that is not between two open numbers: low, middle, high."""


def commit_values(
    codes: Sequence[int], entropy: Entropy
) -> tuple[tuple[Point, ...], tuple[ValueOpening, ...]]:
    """Return a value commitment for every code, and what opens it.

    Raises:
        Misuse: the entropy is short.
    """
    openings = tuple([ValueOpening(code, group.random_scalar(entropy)) for code in codes])
    return tuple([_commit(opening.code, opening.blinding) for opening in openings]), openings


def prove_values(
    secret: Scalar,
    tiles: Sequence[Ciphertext],
    values: Sequence[Point],
    openings: Sequence[ValueOpening],
    tag: bytes,
    entropy: Entropy,
) -> bytes:
    """Return one proof, ``32·(n + 2)`` bytes, that ``values`` commit to the codes of ``tiles``.

    The tiles must be under the key of ``secret`` alone.

    Raises:
        Misuse: no tiles, or another number of values or openings.
    """
    relation = _values_relation(public_key(secret), tiles, values)
    witness = (secret, *[opening.blinding for opening in openings])
    return prove(relation, witness, tag, entropy)


def verify_values(
    key: Point, tiles: Sequence[Ciphertext], values: Sequence[Point], proof: bytes, tag: bytes
) -> None:
    """Check that ``values`` commit to the codes of ``tiles``, which are under ``key`` alone.

    Raises:
        PeerFault: ``sigma.…``, as :func:`~.sigma.verify`.
        Misuse: no tiles, or another number of values.
    """
    verify(_values_relation(key, tiles, values), proof, tag)


def order_sizes(row: Sequence[Entry], gaps: Sequence[int]) -> tuple[int, int]:
    """Return how many sort keys and how many digits a proof of these gaps publishes.

    Raises:
        Misuse: ``gaps`` is not an ascending choice of 0 … ``len(row) - 2``.
    """
    keys = sum([isinstance(entry, HiddenEntry) and bool(entry.jokers) for entry in row])
    return keys, len(_WEIGHTS) * len(_hidden_gaps(row, gaps))


def commit_order(
    row: Sequence[Entry],
    openings: Mapping[int, ValueOpening],
    gaps: Sequence[int],
    entropy: Entropy,
) -> tuple[OrderFields, OrderWitness]:
    """Return what a proof of ``gaps`` publishes, and its witness.

    ``row`` goes from left to right; gap k lies between entries k and k + 1. ``openings`` has the
    opening of every hidden entry, by its place in the row. With jokers in the game all gaps are to
    be proved every time, else only new ones.

    Raises:
        Misuse: the row is not in order there, an opening is missing, ``gaps`` is out of range, or
            the entropy is short.
    """
    hidden_gaps = _hidden_gaps(row, gaps)
    if not _open_in_order(row, gaps):
        raise Misuse("open numbers are not in order")
    numbers = _sort_numbers(row, openings)
    keys: list[Point] = []
    links: list[Witness] = []
    blindings = [group.zero] * len(row)
    for place, entry in enumerate(row):
        if isinstance(entry, HiddenEntry):
            opening = openings[place]
            blindings[place] = opening.blinding
            if entry.jokers:
                blindings[place] = group.random_scalar(entropy)
                keys.append(_commit(numbers[place], blindings[place]))
                links.append(_open_link(entry, opening, numbers[place], blindings[place]))
    digits: list[Point] = []
    digit_witnesses: list[Witness] = []
    for gap in hidden_gaps:
        difference = numbers[gap + 1] - numbers[gap]
        if not 0 <= difference <= DIFFERENCE_MAX:
            raise Misuse("the row is not in order")
        rest = group.scalar_sub(blindings[gap + 1], blindings[gap])
        points, witnesses = _split(difference, rest, entropy)
        digits += points
        digit_witnesses += witnesses
    witness = OrderWitness(gaps=tuple(gaps), links=tuple(links), digits=tuple(digit_witnesses))
    return OrderFields(tuple(keys), tuple(digits)), witness


def prove_order(
    row: Sequence[Entry], fields: OrderFields, witness: OrderWitness, tag: bytes, entropy: Entropy
) -> bytes:
    """Return the proof for what :func:`commit_order` returned; empty if there is nothing to prove.

    Its length depends on the row's backs and open tiles and on the gaps alone. The tag must fix
    the row's commitments and ``fields``.

    Raises:
        Misuse: ``row`` or ``fields`` is not what the witness belongs to.
    """
    if (len(fields.keys), len(fields.digits)) != order_sizes(row, witness.gaps):
        raise Misuse("these fields belong to another row")
    relation = _order_relation(row, witness.gaps, fields)
    if relation is None:
        return b""
    return prove(relation, Each((*witness.links, *witness.digits)), tag, entropy)


def verify_order(
    row: Sequence[Entry], gaps: Sequence[int], fields: OrderFields, proof: bytes, tag: bytes
) -> None:
    """Check that the neighbours on both sides of every gap are in order.

    Raises:
        PeerFault: ``order.open`` (two open neighbours are not), ``order.count`` (another number of
            keys or digits than :func:`order_sizes` says), ``sigma.…``, as :func:`~.sigma.verify`.
        Misuse: ``gaps`` is out of range.
    """
    if (len(fields.keys), len(fields.digits)) != order_sizes(row, gaps):
        raise PeerFault("order.count")
    if not _open_in_order(row, gaps):
        raise PeerFault("order.open")
    relation = _order_relation(row, gaps, fields)
    if relation is not None:
        verify(relation, proof, tag)
    elif proof:
        raise PeerFault("sigma.length", f"{len(proof)} bytes, not 0")


def _commit(number: int, blinding: Scalar) -> Point:
    return group.add(group.multiple(number, SECOND_BASE), group.mul_base(blinding))


def _values_relation(
    key: Point, tiles: Sequence[Ciphertext], values: Sequence[Point]
) -> LinearRelation:
    if not tiles or len(tiles) != len(values):
        raise Misuse(f"{len(values)} values for {len(tiles)} tiles")
    rows = [([(key, 1)], [(0, group.generator, 1)])]
    for index, (tile, value) in enumerate(zip(tiles, values, strict=True), start=1):
        terms = [(0, tile.a, 1), (index, group.generator, -1)]
        rows.append(([(tile.b, 1), (value, -1)], terms))
    return linear_relation(group, rows)


def _hidden_gaps(row: Sequence[Entry], gaps: Sequence[int]) -> list[int]:
    """Return the gaps that need digits: all but those between two open numbers."""
    if list(gaps) != sorted(set(gaps)) or not set(gaps) <= set(range(len(row) - 1)):
        raise Misuse(f"gaps {gaps} in a row of {len(row)}")
    return [gap for gap in gaps if any(isinstance(e, HiddenEntry) for e in row[gap : gap + 2])]


def _open_in_order(row: Sequence[Entry], gaps: Sequence[int]) -> bool:
    for gap in gaps:
        match row[gap], row[gap + 1]:
            case OpenEntry(code=left), OpenEntry(code=right) if left >= right:
                return False
    return True


def _sort_numbers(row: Sequence[Entry], openings: Mapping[int, ValueOpening]) -> list[int]:
    """Return a sort key for every entry; a hidden joker takes its left neighbour's."""
    numbers: list[int] = []
    last = FIRST_KEY
    for place, entry in enumerate(row):
        if isinstance(entry, OpenEntry):
            last = entry.code
        elif place not in openings:
            raise Misuse(f"no opening for entry {place}")
        elif (code := openings[place].code) not in entry.jokers:
            last = code
        numbers.append(last)
    return numbers


def _open_link(entry: HiddenEntry, opening: ValueOpening, number: int, blinding: Scalar) -> Opened:
    step = group.scalar_sub(opening.blinding, blinding)
    jokers = [(opening.blinding, opening.code - joker) for joker in entry.jokers]
    return Opened(((step, opening.code - number), *jokers), SECOND_BASE)


def _split(difference: int, blinding: Scalar, entropy: Entropy) -> tuple[list[Point], list[Opened]]:
    """Return commitments to the two higher digits, and the witnesses of all three, lowest first."""
    lowest, *higher = _DIGITS_OF[difference]
    points, witnesses = [], []
    for weight, digit in zip(_WEIGHTS, higher, strict=True):
        own = group.random_scalar(entropy)
        points.append(_commit(digit, own))
        witnesses.append(_open_digit(digit, own))
        blinding = group.scalar_sub(blinding, group.scalar_mul(group.scalar(weight), own))
    return points, [_open_digit(lowest, blinding), *witnesses]


def _open_digit(digit: int, blinding: Scalar) -> Opened:
    return Opened(tuple([(blinding, digit - v) for v in _DIGITS]), SECOND_BASE)


def _order_relation(
    row: Sequence[Entry], gaps: Sequence[int], fields: OrderFields
) -> Relation | None:
    """Return all links in row order, then low, middle and high digit of every gap."""
    keys, digits = iter(fields.keys), iter(fields.digits)
    children: list[Relation] = []
    sort_keys: list[Point | int] = []
    for entry in row:
        if isinstance(entry, OpenEntry):
            sort_keys.append(entry.code)
        elif not entry.jokers:
            sort_keys.append(entry.value)
        else:
            key = next(keys)
            sort_keys.append(key)
            children.append(_link(entry.value, key, entry.jokers))
    for gap in _hidden_gaps(row, gaps):
        middle, high = next(digits), next(digits)
        lowest, known = _difference(sort_keys[gap], sort_keys[gap + 1])
        lowest += [(middle, -3), (high, -9)]
        children += [_digit(lowest, known), _digit([(middle, 1)], 0), _digit([(high, 1)], 0)]
    return And(tuple(children)) if children else None


def _difference(left: Point | int, right: Point | int) -> tuple[list[tuple[Point, int]], int]:
    """Return right - left as weighted points and a multiple of H."""
    points: list[tuple[Point, int]] = []
    known = 0
    for key, sign in ((right, 1), (left, -1)):
        if isinstance(key, int):
            known += sign * key
        else:
            points.append((key, sign))
    return points, known


def _link(value: Point, key: Point, jokers: Sequence[int]) -> Or:
    branches = [_blinded([(value, 1), (key, -1)])]
    branches += [_blinded([(value, 1), (SECOND_BASE, -joker)]) for joker in jokers]
    return Or(tuple(branches))


def _digit(points: Sequence[tuple[Point, int]], known: int) -> Or:
    """Return that ``points + known·H`` commits to 0, 1 or 2."""
    return Or(tuple([_blinded([*points, (SECOND_BASE, known - v)]) for v in _DIGITS]))


def _blinded(image: Sequence[tuple[Point, int]]) -> LinearRelation:
    return linear_relation(group, [(image, [(0, group.generator, 1)])])
