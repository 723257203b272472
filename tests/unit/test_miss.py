from __future__ import annotations

import pytest

from protocol.elgamal import Ciphertext, generate_secret, public_key
from protocol.errors import Misuse
from protocol.group import SECOND_BASE, edwards25519
from protocol.miss import _relation, prove_miss, verify_miss
from protocol.sigma import prove
from tests.support.crypto import OTHER_TAGS, TAG, counted, masked, seeded
from tests.support.faults import expect_fault

G = edwards25519.generator
CODES = (*range(1, 27), 101, 102)
ENTROPY = seeded("miss")
SECRET = generate_secret(ENTROPY)
KEY = public_key(SECRET)


@pytest.mark.parametrize("code", [1, 2, 13, 25, 26, 101, 102])
def test_every_wrong_guess_can_be_proved_wrong(code: int) -> None:
    tile = masked(code, KEY, ENTROPY)
    for guess in CODES:
        if guess != code:
            proof = prove_miss(SECRET, tile, code, guess, TAG, ENTROPY)
            assert len(proof) == 96
            verify_miss(KEY, tile, guess, proof, TAG)


def test_right_guess_cannot_be_denied() -> None:
    tile = masked(8, KEY, ENTROPY)
    with pytest.raises(Misuse):
        prove_miss(SECRET, tile, 8, 8, TAG, ENTROPY)
    for pretended in (7, 9, 101):
        proof = prove_miss(SECRET, tile, pretended, 8, TAG, ENTROPY)
        with expect_fault("sigma.equation"):
            verify_miss(KEY, tile, 8, proof, TAG)


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0), (1, 0), (1, 1), (2, 1)])
def test_false_miss_with_hand_picked_secrets_is_refused(alpha: int, beta: int) -> None:
    tile = masked(8, KEY, ENTROPY)
    witness = (
        edwards25519.scalar(alpha),
        edwards25519.scalar_mul(edwards25519.scalar(beta), SECRET),
    )
    proof = prove(_relation(KEY, tile, 8), witness, TAG, ENTROPY)
    with expect_fault("sigma.equation"):
        verify_miss(KEY, tile, 8, proof, TAG)


def test_proof_holds_for_no_other_key_tile_or_guess() -> None:
    tile = masked(8, KEY, ENTROPY)
    proof = prove_miss(SECRET, tile, 8, 3, TAG, ENTROPY)
    other_key = public_key(generate_secret(ENTROPY))
    for key, changed, guess in (
        (other_key, tile, 3),
        (KEY, masked(8, KEY, ENTROPY), 3),
        (KEY, Ciphertext(edwards25519.add(tile.a, G), tile.b), 3),
        (KEY, tile, 4),
        (KEY, tile, 8),
    ):
        with expect_fault("sigma.equation"):
            verify_miss(key, changed, guess, proof, TAG)


def test_proof_cannot_be_moved_by_one_together_with_tile_and_guess() -> None:
    tile = masked(8, KEY, ENTROPY)
    proof = prove_miss(SECRET, tile, 8, 3, TAG, ENTROPY)
    moved = Ciphertext(tile.a, edwards25519.add(tile.b, SECOND_BASE))
    with expect_fault("sigma.equation"):
        verify_miss(KEY, moved, 4, proof, TAG)


@pytest.mark.parametrize("other", OTHER_TAGS)
def test_proof_cannot_be_replayed(other: str) -> None:
    tile = masked(8, KEY, ENTROPY)
    proof = prove_miss(SECRET, tile, 8, 3, TAG, ENTROPY)
    with expect_fault("sigma.equation"):
        verify_miss(KEY, tile, 3, proof, OTHER_TAGS[other])


def test_degenerate_tile_is_refused() -> None:
    """B = (g - 1)·H makes the image of the first equation the identity."""
    tile = Ciphertext(masked(8, KEY, ENTROPY).a, edwards25519.multiple(2, SECOND_BASE))
    with expect_fault("sigma.identity"):
        verify_miss(KEY, tile, 3, bytes(96), TAG)


def test_work_does_not_depend_on_the_hidden_code() -> None:
    seen = set()
    for code in (1, 2, 4, 26, 101):
        tile = masked(code, KEY, ENTROPY)
        with counted() as counts:
            prove_miss(SECRET, tile, code, 3, TAG, ENTROPY)
        seen.add(tuple(sorted(counts.items())))
    assert len(seen) == 1
