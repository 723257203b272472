"""Keys, masked tiles, shares and openings (SPEC, keys and tiles; shares and openings).

Exponential ElGamal (T. ElGamal, "A Public Key Cryptosystem and a Signature Scheme Based on
Discrete Logarithms", 1985) under the sum of all players' keys: a tile is ``(r·G, code·H + r·Y)``.
Every share comes with a proof of equal logarithms (Chaum and Pedersen, "Wallet Databases with
Observers", CRYPTO 1992), one proof for a whole batch. Knows no rows, turns or seats.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .errors import Misuse, PeerFault
from .group import POINT_BYTES, SECOND_BASE, Entropy, Point, Scalar, decode_points
from .group import edwards25519 as group
from .relation import LinearRelation, linear_relation
from .sigma import prove, verify

TILE_BYTES = 2 * POINT_BYTES
"""The length of an encoded ciphertext."""


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """A masked tile: ``a = r·G`` and ``b = code·H + r·Y``."""

    a: Point
    b: Point


def encode_deck(deck: Sequence[Ciphertext]) -> bytes:
    """Return the concatenation of the tiles, 64 bytes each."""
    return b"".join([part for tile in deck for part in (tile.a, tile.b)])


def decode_deck(blob: bytes, count: int) -> tuple[Ciphertext, ...]:
    """Return the ``count`` tiles of which ``blob`` is the concatenation, 64 bytes each.

    Raises:
        PeerFault: ``point.length``, ``point.identity`` or ``point.encoding``.
    """
    points = decode_points(blob, 2 * count)
    return tuple([Ciphertext(a, b) for a, b in zip(points[::2], points[1::2], strict=True)])


def generate_secret(entropy: Entropy) -> Scalar:
    """Return a fresh secret key, uniform and not zero.

    Raises:
        Misuse: the source of entropy returned nothing but zeros, or too few bytes.
    """
    secret = group.random_scalar(entropy)
    if secret == group.zero:
        raise Misuse("the entropy source returned zeros")
    return secret


def decode_secret(data: bytes) -> Scalar:
    """Return a secret key that its owner gave away (32 bytes, little-endian).

    Raises:
        PeerFault: ``scalar.length``, ``scalar.range``, ``key.zero``.
    """
    secret = group.decode_scalar(data)
    if secret == group.zero:
        raise PeerFault("key.zero")
    return secret


def public_key(secret: Scalar) -> Point:
    """Return the public key ``secret·G``."""
    return group.mul_base(secret)


def combine_keys(keys: Sequence[Point]) -> Point:
    """Return the sum of all players' keys, under which decks are masked.

    Only keys whose owners proved that they know the secret may go in.

    Raises:
        PeerFault: ``key.identity`` (the keys cancel out).
        Misuse: there are none.
    """
    if not keys:
        raise Misuse("no keys to combine")
    total = group.identity
    for key in keys:
        total = group.add(total, key)
    if total == group.identity:
        raise PeerFault("key.identity")
    return total


def check_secret(key: Point, secret: Scalar) -> None:
    """Check that ``secret`` is the secret of ``key``.

    Raises:
        PeerFault: ``key.secret``.
    """
    if group.mul_base(secret) != key:
        raise PeerFault("key.secret")


def prove_key(secret: Scalar, tag: bytes, entropy: Entropy) -> bytes:
    """Return a proof of knowledge of ``secret``, 64 bytes (Schnorr)."""
    return prove(_key_relation(public_key(secret)), (secret,), tag, entropy)


def verify_key(key: Point, proof: bytes, tag: bytes) -> None:
    """Check that whoever made ``proof`` knows the secret of ``key``.

    Raises:
        PeerFault: ``sigma.…``, as :func:`~.sigma.verify`.
    """
    verify(_key_relation(key), proof, tag)


def _key_relation(key: Point) -> LinearRelation:
    return linear_relation(group, [_key_row(key)])


def _key_row(key: Point) -> tuple[list[tuple[Point, int]], list[tuple[int, Point, int]]]:
    return [(key, 1)], [(0, group.generator, 1)]


def start_deck(codes: Sequence[int], key: Point) -> tuple[Ciphertext, ...]:
    """Return the public deck that the first shuffle starts from: ``(G, code·H + Y)`` for each code.

    The mask is 1 for every tile, because the library's points exclude the identity.
    """
    return tuple(
        [
            Ciphertext(group.generator, group.add(group.multiple(code, SECOND_BASE), key))
            for code in codes
        ]
    )


def make_shares(secret: Scalar, tiles: Sequence[Ciphertext]) -> tuple[Point, ...]:
    """Return the shares ``secret·A`` of the tiles."""
    return tuple([group.mul(secret, tile.a) for tile in tiles])


def prove_shares(
    secret: Scalar,
    tiles: Sequence[Ciphertext],
    shares: Sequence[Point],
    tag: bytes,
    entropy: Entropy,
) -> bytes:
    """Return one proof, 64 bytes, that every share was made with the secret of one's key.

    Raises:
        Misuse: no tiles, or another number of shares.
    """
    relation = _shares_relation(public_key(secret), tiles, shares)
    return prove(relation, (secret,), tag, entropy)


def verify_shares(
    key: Point, tiles: Sequence[Ciphertext], shares: Sequence[Point], proof: bytes, tag: bytes
) -> None:
    """Check that ``shares`` are the shares of ``tiles`` under ``key``.

    Raises:
        PeerFault: ``sigma.…``, as :func:`~.sigma.verify`.
        Misuse: no tiles, or another number of shares.
    """
    verify(_shares_relation(key, tiles, shares), proof, tag)


def _shares_relation(
    key: Point, tiles: Sequence[Ciphertext], shares: Sequence[Point]
) -> LinearRelation:
    if not tiles or len(tiles) != len(shares):
        raise Misuse(f"{len(shares)} shares for {len(tiles)} tiles")
    rows = [_key_row(key)]
    for tile, share in zip(tiles, shares, strict=True):
        rows.append(([(share, 1)], [(0, tile.a, 1)]))
    return linear_relation(group, rows)


def strip(tile: Ciphertext, shares: Sequence[Point]) -> Ciphertext:
    """Return ``tile`` without the masks that ``shares`` stand for: ``(A, B - Σ shares)``.

    With the shares of everybody but one player, the rest is a tile under that player's key alone.
    """
    b = tile.b
    for share in shares:
        b = group.sub(b, share)
    return Ciphertext(tile.a, b)


def code_from_share(tile: Ciphertext, share: Point, codes: Collection[int]) -> int:
    """Return the code of a tile under one key, given that key's proved share of it.

    Raises:
        PeerFault: ``open.code`` (it is none of ``codes``).
    """
    code = group.number_of(group.sub(tile.b, share))
    if code is None or code not in frozenset(codes):
        raise PeerFault("open.code")
    return code


def decrypt(tile: Ciphertext, secret: Scalar, codes: Collection[int]) -> int:
    """Return the code of a tile under the key of ``secret`` alone.

    Raises:
        PeerFault: ``open.code`` (it is none of ``codes``).
    """
    return code_from_share(tile, group.mul(secret, tile.a), codes)
