from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import pytest

from protocol import shuffle as module
from protocol.elgamal import Ciphertext, decrypt, generate_secret, public_key, start_deck
from protocol.errors import Misuse
from protocol.group import PERMUTATION_BASES, Point, edwards25519
from protocol.shuffle import (
    DECK_MAX,
    Shuffled,
    ShuffleWitness,
    prove_shuffle,
    shuffle_deck,
    verify_shuffle,
)
from protocol.sponge import DuplexSponge, derive_session
from tests.support.crypto import OTHER_TAGS, TAG, counted, masked, seeded
from tests.support.faults import expect_fault

ENTROPY = seeded("shuffle")
SECRET = generate_secret(ENTROPY)
KEY = public_key(SECRET)
CODES = (*range(1, 27), 101, 102)
DECK = tuple(masked(code, KEY, ENTROPY) for code in (3, 5, 8, 101))


def shuffled_deck() -> tuple[Shuffled, ShuffleWitness, bytes]:
    shuffled, witness = shuffle_deck(DECK, KEY, ENTROPY)
    return shuffled, witness, prove_shuffle(KEY, DECK, shuffled, witness, TAG, ENTROPY)


def codes_of(deck: tuple[Ciphertext, ...]) -> list[int]:
    return [decrypt(tile, SECRET, CODES) for tile in deck]


@pytest.mark.parametrize("count", [1, 2, 13, 28])
def test_shuffle_of_a_start_deck_verifies_and_keeps_its_tiles(count: int) -> None:
    deck = start_deck(CODES[:count], KEY)
    shuffled, witness = shuffle_deck(deck, KEY, ENTROPY)
    proof = prove_shuffle(KEY, deck, shuffled, witness, TAG, ENTROPY)
    assert len(proof) == 32 * (3 * count + 5)
    verify_shuffle(KEY, deck, shuffled, proof, TAG)
    assert sorted(codes_of(shuffled.deck)) == list(CODES[:count])
    assert codes_of(shuffled.deck) == [CODES[place] for place in witness.order]
    assert not set(shuffled.deck) & set(deck)


def test_shuffle_of_a_shuffle_verifies() -> None:
    deck = DECK
    for _ in range(3):
        shuffled, witness = shuffle_deck(deck, KEY, ENTROPY)
        proof = prove_shuffle(KEY, deck, shuffled, witness, TAG, ENTROPY)
        verify_shuffle(KEY, deck, shuffled, proof, TAG)
        deck = shuffled.deck
    assert sorted(codes_of(deck)) == [3, 5, 8, 101]


def test_weights_are_squeezed_from_all_that_is_public() -> None:
    shuffled, _, _ = shuffled_deck()
    sponge = DuplexSponge(derive_session(TAG + b"shuffle.u" + bytes(7)))
    before, after = (b"".join(t.a + t.b for t in deck) for deck in (DECK, shuffled.deck))
    sponge.absorb((4).to_bytes(4, "little") + KEY + before + after + b"".join(shuffled.commitments))
    stream = sponge.squeeze(4 * 48)
    expected = [int.from_bytes(stream[k : k + 48], "little") for k in range(0, 4 * 48, 48)]
    assert module._weights(KEY, DECK, shuffled, TAG) == [
        weight % edwards25519.order for weight in expected
    ]


@pytest.mark.parametrize("count", [0, DECK_MAX + 1])
def test_deck_of_an_impossible_size_is_our_mistake(count: int) -> None:
    deck = (DECK * 8)[:count]
    with pytest.raises(Misuse):
        shuffle_deck(deck, KEY, ENTROPY)
    shuffled, witness, proof = shuffled_deck()
    with pytest.raises(Misuse):
        verify_shuffle(KEY, deck, shuffled, proof, TAG)
    with pytest.raises(Misuse):
        prove_shuffle(KEY, deck, shuffled, witness, TAG, ENTROPY)


def test_every_order_comes_up_about_equally_often() -> None:
    entropy = seeded("orders")
    orders = Counter(module._permutation(4, entropy) for _ in range(2400))
    assert set(orders) == set(itertools.permutations(range(4)))
    # 24 orders, 100 each; the chance of one beyond ± 5 sigma is below 2 in 100,000, and seeded.
    assert all(50 < count < 150 for count in orders.values())


def test_another_number_of_tiles_or_commitments_is_refused() -> None:
    shuffled, _, proof = shuffled_deck()
    for wrong in (
        replace(shuffled, deck=shuffled.deck[:-1]),
        replace(shuffled, deck=(*shuffled.deck, DECK[0])),
        replace(shuffled, commitments=shuffled.commitments[:-1]),
        replace(shuffled, commitments=()),
    ):
        with expect_fault("shuffle.count"):
            verify_shuffle(KEY, DECK, wrong, proof, TAG)


def test_proof_of_another_length_is_refused() -> None:
    shuffled, _, proof = shuffled_deck()
    for wrong in (b"", proof[: 32 * 4 - 1]):
        with expect_fault("point.length"):
            verify_shuffle(KEY, DECK, shuffled, wrong, TAG)
    for wrong in (proof[: 32 * 4], proof[:-32], proof + bytes(32)):
        with expect_fault("sigma.length"):
            verify_shuffle(KEY, DECK, shuffled, wrong, TAG)


def test_bad_point_in_the_chain_is_refused() -> None:
    shuffled, _, proof = shuffled_deck()
    with expect_fault("point.identity"):
        verify_shuffle(KEY, DECK, shuffled, edwards25519.identity + proof[32:], TAG)
    with expect_fault("point.encoding"):
        verify_shuffle(KEY, DECK, shuffled, bytes(32) + proof[32:], TAG)


@pytest.mark.parametrize("other", OTHER_TAGS)
def test_proof_cannot_be_replayed(other: str) -> None:
    shuffled, _, proof = shuffled_deck()
    with expect_fault("sigma.equation"):
        verify_shuffle(KEY, DECK, shuffled, proof, OTHER_TAGS[other])


def test_proof_holds_for_no_other_key_deck_or_result() -> None:
    shuffled, _, proof = shuffled_deck()
    other, _ = shuffle_deck(DECK, KEY, ENTROPY)
    swapped = (shuffled.deck[1], shuffled.deck[0], *shuffled.deck[2:])
    for key, before, after in (
        (public_key(generate_secret(ENTROPY)), DECK, shuffled),
        (KEY, DECK[::-1], shuffled),
        (KEY, DECK, replace(shuffled, deck=swapped)),
        (KEY, DECK, replace(shuffled, deck=other.deck)),
        (KEY, DECK, replace(shuffled, commitments=other.commitments)),
    ):
        with expect_fault("sigma.equation"):
            verify_shuffle(key, before, after, proof, TAG)


def dishonest(deck: tuple[Ciphertext, ...], shuffled: Shuffled, witness: ShuffleWitness) -> None:
    """The cheat runs the prover on whatever it published; nobody must believe the result."""
    proof = prove_shuffle(KEY, deck, shuffled, witness, TAG, ENTROPY)
    with expect_fault("sigma.equation"):
        verify_shuffle(KEY, deck, shuffled, proof, TAG)


def test_deck_of_copies_of_one_tile_is_refused() -> None:
    shuffled, witness = shuffle_deck(DECK, KEY, ENTROPY)
    copies = tuple(module._remask(DECK[0], KEY, mask) for mask in witness.masks)
    assert codes_of(copies) == [3] * 4
    dishonest(DECK, replace(shuffled, deck=copies), witness)
    # Also with a commitment to "place 0 everywhere" instead of a permutation.
    blindings = [edwards25519.mul_base(blinding) for blinding in witness.blindings]
    every = [edwards25519.add(b, PERMUTATION_BASES[0]) for b in blindings]
    to_one = replace(witness, order=(0, 0, 0, 0))
    dishonest(DECK, Shuffled(copies, tuple(every)), to_one)


def test_tile_slipped_in_is_refused() -> None:
    shuffled, witness = shuffle_deck(DECK, KEY, ENTROPY)
    forged = module._remask(masked(26, KEY, ENTROPY), KEY, witness.masks[2])
    deck = (*shuffled.deck[:2], forged, shuffled.deck[3])
    dishonest(DECK, replace(shuffled, deck=deck), witness)


@pytest.mark.parametrize("half", ["a", "b"])
def test_tile_changed_in_one_half_is_refused(half: str) -> None:
    shuffled, witness = shuffle_deck(DECK, KEY, ENTROPY)
    last = shuffled.deck[-1]
    changed = edwards25519.add(getattr(last, half), edwards25519.generator)
    deck = (*shuffled.deck[:-1], replace(last, **{half: changed}))
    dishonest(DECK, replace(shuffled, deck=deck), witness)


def test_order_other_than_the_committed_one_is_refused() -> None:
    shuffled, witness = shuffle_deck(DECK, KEY, ENTROPY)
    first, second, *rest = witness.order
    dishonest(DECK, shuffled, replace(witness, order=(second, first, *rest)))


def balanced(deck: tuple[Ciphertext, ...], left: int, right: int) -> tuple[Ciphertext, ...]:
    """Move right·G onto B of tile 0 and -left·G onto B of tile 1: left·B_0 + right·B_1 stays."""
    plus, minus = (edwards25519.mul_base(edwards25519.scalar(w)) for w in (right, left))
    return (
        Ciphertext(deck[0].a, edwards25519.add(deck[0].b, plus)),
        Ciphertext(deck[1].a, edwards25519.sub(deck[1].b, minus)),
        *deck[2:],
    )


def test_result_chosen_after_the_weights_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The forgery against shuffles that do not hash the output deck into u_1 … u_n."""
    honest, witness = shuffle_deck(DECK, KEY, ENTROPY)
    stale = module._weights(KEY, DECK, honest, TAG)
    moved = [stale[source] for source in witness.order]
    cheat = replace(honest, deck=balanced(honest.deck, moved[0], moved[1]))
    dishonest(DECK, cheat, witness)
    # With weights that do not depend on the result the same deck would have passed.
    monkeypatch.setattr(module, "_weights", lambda *_: stale)
    proof = prove_shuffle(KEY, DECK, cheat, witness, TAG, ENTROPY)
    verify_shuffle(KEY, DECK, cheat, proof, TAG)


def test_weights_depend_on_everything_and_on_the_tag() -> None:
    shuffled, _ = shuffle_deck(DECK, KEY, ENTROPY)
    base: Point = edwards25519.generator
    variants = [
        (KEY, DECK, shuffled, TAG),
        (base, DECK, shuffled, TAG),
        (KEY, (*DECK[:3], DECK[0]), shuffled, TAG),
        (KEY, DECK, replace(shuffled, deck=shuffled.deck[::-1]), TAG),
        (KEY, DECK, replace(shuffled, commitments=shuffled.commitments[::-1]), TAG),
        *[(KEY, DECK, shuffled, tag) for tag in OTHER_TAGS.values()],
    ]
    seen = {weight for variant in variants for weight in module._weights(*variant)}
    assert len(seen) == 4 * len(variants)
    assert all(weight.bit_length() > 200 for weight in seen)


def test_witness_shows_nothing_of_itself() -> None:
    _, witness = shuffle_deck(DECK, KEY, ENTROPY)
    assert repr(witness) == "ShuffleWitness()"


def test_work_does_not_depend_on_the_order() -> None:
    seen = set()
    for run in range(4):
        with counted() as counts:
            shuffled, witness = shuffle_deck(DECK, KEY, seeded(run))
            prove_shuffle(KEY, DECK, shuffled, witness, TAG, ENTROPY)
        seen.add(tuple(sorted(counts.items())))
    assert len(seen) == 1
