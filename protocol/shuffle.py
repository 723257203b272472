"""Shuffling a deck, and the proof that nothing else was done to it (SPEC, shuffle).

Source: Terelius and Wikström, "Proofs of Restricted Shuffles" (AFRICACRYPT 2010), in the form of
Haenni, Locher, Koenig and Dubuis, "Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets"
(FC 2017 workshops). From deck ``E_1 … E_n`` under the key Y comes ``E'_1 … E'_n`` with
``E'_i = E_π(i) + (r'_i·G, r'_i·Y)``. The permutation is committed to as
``c_π(i) = r_π(i)·G + H_i``; a hash of all that gives u_1 … u_n; ``u'_i = u_π(i)``; and the chain
``ĉ_0 = H``, ``ĉ_i = r̂_i·G + u'_i·ĉ_(i-1)`` shows that the u'_i are the u_i in another order::

    Σ c_i - Σ H_i   = r̄·G                       r̄ = Σ r_i
    ĉ_n - (Π u_i)·H = r̂·G                       r̂ = Σ r̂_i · Π_(j>i) u'_j
    Σ u_i·c_i       = r̃·G + Σ u'_i·H_i          r̃ = Σ u_i·r_i
    Σ u_i·A_i       = -r'·G + Σ u'_i·A'_i       r' = Σ u'_i·r'_i
    Σ u_i·B_i       = -r'·Y + Σ u'_i·B'_i
    ĉ_i             = r̂_i·G + u'_i·ĉ_(i-1)      for every i

Knows no colours: a deck is a sequence of ciphertexts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from .elgamal import Ciphertext, encode_deck
from .errors import Misuse, PeerFault
from .group import (
    HIDING_BASES,
    PERMUTATION_BASES,
    POINT_BYTES,
    SCALAR_BYTES,
    SECOND_BASE,
    Entropy,
    Point,
    Scalar,
    decode_points,
    fresh,
)
from .group import edwards25519 as group
from .relation import LinearRelation, linear_relation
from .sigma import CHALLENGE_EXTRA_BYTES, prove, subtag, verify
from .sponge import DuplexSponge, decode_uint, derive_session

DECK_MAX: Final = HIDING_BASES
"""The longest deck that can be shuffled."""

_WEIGHT_BYTES: Final = SCALAR_BYTES + CHALLENGE_EXTRA_BYTES
_CHOICE_BYTES: Final = 32
_WEIGHTS_ROLE: Final = "shuffle.u"


@dataclass(frozen=True, slots=True)
class Shuffled:
    """What a shuffle publishes besides its proof."""

    deck: tuple[Ciphertext, ...]
    """The tiles in their new order under new masks."""
    commitments: tuple[Point, ...]
    """c_1 … c_n, the commitment to the permutation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleWitness:
    """What the shuffler alone knows, and forgets once the proof is made."""

    order: tuple[int, ...] = field(repr=False)
    """π, counted from 0: place i got the tile from place ``order[i]``."""
    masks: tuple[Scalar, ...] = field(repr=False)
    """r'_i, by new place."""
    blindings: tuple[Scalar, ...] = field(repr=False)
    """r_j, by old place: c_j = r_j·G + H_i with π(i) = j."""


def shuffle_deck(
    deck: Sequence[Ciphertext], key: Point, entropy: Entropy
) -> tuple[Shuffled, ShuffleWitness]:
    """Return ``deck`` in a uniformly random order under fresh masks, and how it came about.

    Raises:
        Misuse: the deck has no tile or more than 28, or the entropy is short.
    """
    count = _checked_size(len(deck))
    order = _permutation(count, entropy)
    masks = tuple([group.random_scalar(entropy) for _ in deck])
    blindings = tuple([group.random_scalar(entropy) for _ in deck])
    tiles = []
    commitments = list(PERMUTATION_BASES[:count])
    for place, (source, mask) in enumerate(zip(order, masks, strict=True)):
        tiles.append(_remask(deck[source], key, mask))
        blinding = group.mul_base(blindings[source])
        commitments[source] = group.add(blinding, PERMUTATION_BASES[place])
    witness = ShuffleWitness(order=order, masks=masks, blindings=blindings)
    return Shuffled(tuple(tiles), tuple(commitments)), witness


def _remask(tile: Ciphertext, key: Point, mask: Scalar) -> Ciphertext:
    return Ciphertext(
        group.add(tile.a, group.mul_base(mask)), group.add(tile.b, group.mul(mask, key))
    )


def _permutation(count: int, entropy: Entropy) -> tuple[int, ...]:
    """Fisher and Yates; each choice from 32 bytes, so that its bias is below 2**-250."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        at = int.from_bytes(fresh(entropy, _CHOICE_BYTES), "little") % (last + 1)
        order[last], order[at] = order[at], order[last]
    return tuple(order)


def prove_shuffle(
    key: Point,
    deck: Sequence[Ciphertext],
    shuffled: Shuffled,
    witness: ShuffleWitness,
    tag: bytes,
    entropy: Entropy,
) -> bytes:
    """Return the proof that ``shuffled`` holds the tiles of ``deck``: ``32·(3·n + 5)`` bytes.

    The string is ĉ_1 … ĉ_n, then a compact proof.

    Raises:
        Misuse: the deck has no tile or more than 28, or the entropy is short.
    """
    _checked_size(len(deck))
    weights = _weights(key, deck, shuffled, tag)
    scalars = [group.scalar(weight) for weight in weights]
    moved = [scalars[source] for source in witness.order]
    chain_blindings = [group.random_scalar(entropy) for _ in deck]
    chain = []
    last = SECOND_BASE
    for blinding, weight in zip(chain_blindings, moved, strict=True):
        last = group.add(group.mul_base(blinding), group.mul(weight, last))
        chain.append(last)
    product = group.zero
    for blinding, weight in zip(chain_blindings, moved, strict=True):
        product = group.scalar_add(group.scalar_mul(product, weight), blinding)
    secrets = (
        _inner([group.scalar(1)] * len(deck), witness.blindings),
        product,
        _inner(scalars, witness.blindings),
        _inner(moved, witness.masks),
        *chain_blindings,
        *moved,
    )
    relation = _relation(key, deck, shuffled, weights, chain)
    return b"".join(chain) + prove(relation, secrets, tag, entropy)


def verify_shuffle(
    key: Point, deck: Sequence[Ciphertext], shuffled: Shuffled, proof: bytes, tag: bytes
) -> None:
    """Check that ``shuffled`` holds exactly the tiles of ``deck``, under ``key``, in some order.

    Raises:
        PeerFault: ``shuffle.count`` (another number of tiles or commitments), ``point.…`` (ĉ),
            ``sigma.…``, as :func:`~.sigma.verify`.
        Misuse: ``deck`` has no tile or more than 28.
    """
    count = _checked_size(len(deck))
    if not count == len(shuffled.deck) == len(shuffled.commitments):
        raise PeerFault("shuffle.count")
    cut = count * POINT_BYTES
    chain = decode_points(proof[:cut], count)
    weights = _weights(key, deck, shuffled, tag)
    verify(_relation(key, deck, shuffled, weights, chain), proof[cut:], tag)


def _checked_size(count: int) -> int:
    if not 0 < count <= DECK_MAX:
        raise Misuse(f"a deck of {count} tiles cannot be shuffled")
    return count


def _weights(key: Point, deck: Sequence[Ciphertext], shuffled: Shuffled, tag: bytes) -> list[int]:
    """Return u_1 … u_n, which depend on both decks, the key and the commitments."""
    count = len(deck)
    sponge = DuplexSponge(derive_session(subtag(tag, _WEIGHTS_ROLE)))
    sponge.absorb(count.to_bytes(4, "little") + key)
    sponge.absorb(encode_deck(deck) + encode_deck(shuffled.deck) + b"".join(shuffled.commitments))
    stream = sponge.squeeze(count * _WEIGHT_BYTES)
    return [
        decode_uint(stream[at : at + _WEIGHT_BYTES], group.order)
        for at in range(0, len(stream), _WEIGHT_BYTES)
    ]


def _inner(left: Sequence[Scalar], right: Sequence[Scalar]) -> Scalar:
    total = group.zero
    for one, other in zip(left, right, strict=True):
        total = group.scalar_add(total, group.scalar_mul(one, other))
    return total


def _relation(
    key: Point,
    deck: Sequence[Ciphertext],
    shuffled: Shuffled,
    weights: Sequence[int],
    chain: Sequence[Point],
) -> LinearRelation:
    """Return the equations of the module's head; the secrets are r̄, r̂, r̃, r', r̂_i, u'_i."""
    count = len(deck)
    base = group.generator
    bases = PERMUTATION_BASES[:count]
    product = 1
    for weight in weights:
        product = product * weight % group.order
    moved = range(4 + count, 4 + 2 * count)

    def mixed(points: Sequence[Point]) -> list[tuple[Point, int]]:
        return list(zip(points, weights, strict=True))

    def moved_terms(points: Sequence[Point]) -> list[tuple[int, Point, int]]:
        return [(index, point, 1) for index, point in zip(moved, points, strict=True)]

    after = shuffled.deck
    commitments = shuffled.commitments
    rows = [
        ([(c, 1) for c in commitments] + [(h, -1) for h in bases], [(0, base, 1)]),
        ([(chain[-1], 1), (SECOND_BASE, -product)], [(1, base, 1)]),
        (mixed(commitments), [(2, base, 1), *moved_terms(bases)]),
        (mixed([t.a for t in deck]), [(3, base, -1), *moved_terms([t.a for t in after])]),
        (mixed([t.b for t in deck]), [(3, key, -1), *moved_terms([t.b for t in after])]),
    ]
    before = [SECOND_BASE, *chain[:-1]]
    for place, (point, previous) in enumerate(zip(chain, before, strict=True)):
        rows.append(([(point, 1)], [(4 + place, base, 1), (moved[place], previous, 1)]))
    return linear_relation(group, rows)
