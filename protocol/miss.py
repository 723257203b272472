"""The proof that a hidden tile is not the called one (SPEC, miss).

For the tile ``(A, B)`` under the key ``Y`` alone and the called code g, with
``α = 1/(code - g) + 1`` and ``β = (α - 1)·x``::

    B + (1 - g)·H = α·B - (α·g)·H - β·A          Y = α·Y - β·G

They say that ``B - g·H - x·A`` times ``α - 1`` is H. No α does that to the identity, so there is no
inequality left to check. Knows nothing but one tile and one code.
"""

from __future__ import annotations

from .elgamal import Ciphertext, public_key
from .group import SECOND_BASE, Entropy, Point, Scalar
from .group import edwards25519 as group
from .relation import LinearRelation, linear_relation
from .sigma import prove, verify


def prove_miss(
    secret: Scalar, tile: Ciphertext, code: int, guess: int, tag: bytes, entropy: Entropy
) -> bytes:
    """Return a proof, 96 bytes, that ``tile``, whose code is ``code``, is not ``guess``.

    Raises:
        Misuse: it is, so that there is no α.
    """
    inverse = group.scalar_invert(group.scalar(code - guess))
    alpha = group.scalar_add(inverse, group.scalar(1))
    beta = group.scalar_mul(inverse, secret)
    return prove(_relation(public_key(secret), tile, guess), (alpha, beta), tag, entropy)


def verify_miss(key: Point, tile: Ciphertext, guess: int, proof: bytes, tag: bytes) -> None:
    """Check that the tile, which is under ``key`` alone, does not have the code ``guess``.

    Raises:
        PeerFault: ``sigma.…``, as :func:`~.sigma.verify`.
    """
    verify(_relation(key, tile, guess), proof, tag)


def _relation(key: Point, tile: Ciphertext, guess: int) -> LinearRelation:
    return linear_relation(
        group,
        [
            (
                [(tile.b, 1), (SECOND_BASE, 1 - guess)],
                [(0, tile.b, 1), (0, SECOND_BASE, -guess), (1, tile.a, -1)],
            ),
            ([(key, 1)], [(0, key, 1), (1, group.generator, -1)]),
        ],
    )
