from __future__ import annotations

import pytest

from protocol.elgamal import (
    Ciphertext,
    check_secret,
    code_from_share,
    combine_keys,
    decode_deck,
    decode_secret,
    decrypt,
    encode_deck,
    generate_secret,
    make_shares,
    prove_key,
    prove_shares,
    public_key,
    start_deck,
    strip,
    verify_key,
    verify_shares,
)
from protocol.errors import Misuse
from protocol.group import SECOND_BASE, Point, Scalar, edwards25519
from protocol.relation import evaluate, linear_relation, serialize_statement
from protocol.sigma import derive_challenge
from tests.support.crypto import OTHER_TAGS, TAG, TORSION, masked, number, seeded, tag_of
from tests.support.faults import expect_fault

G = edwards25519.generator
CODES = (*range(1, 27), 101, 102)
SECRETS = tuple(generate_secret(seeded(f"player {i}")) for i in range(3))
KEYS = tuple(public_key(secret) for secret in SECRETS)
TABLE_KEY = combine_keys(KEYS)
ENTROPY = seeded("elgamal")


def table_tiles(*codes: int) -> tuple[Ciphertext, ...]:
    return tuple(masked(code, TABLE_KEY, ENTROPY) for code in codes)


def test_deck_goes_to_bytes_and_back() -> None:
    deck = table_tiles(1, 101, 26)
    blob = encode_deck(deck)
    assert blob == b"".join(tile.a + tile.b for tile in deck)
    assert decode_deck(blob, 3) == deck
    assert decode_deck(b"", 0) == ()


def test_deck_of_another_length_or_with_a_bad_point_is_refused() -> None:
    blob = encode_deck(table_tiles(1, 2))
    for count in (1, 3):
        with expect_fault("point.length"):
            decode_deck(blob, count)
    with expect_fault("point.identity"):
        decode_deck(blob[:96] + edwards25519.identity, 2)
    with expect_fault("point.encoding"):
        decode_deck(TORSION[8] + blob[32:], 2)


def test_secret_is_fresh_and_never_zero() -> None:
    assert generate_secret(seeded(1)) != generate_secret(seeded(2))
    with pytest.raises(Misuse):
        generate_secret(bytes)


def test_published_secret_is_decoded_and_checked() -> None:
    secret = decode_secret(bytes(SECRETS[0]))
    check_secret(KEYS[0], secret)
    with expect_fault("key.secret"):
        check_secret(KEYS[1], secret)


def test_published_secret_out_of_range_is_refused() -> None:
    with expect_fault("key.zero"):
        decode_secret(bytes(32))
    with expect_fault("scalar.range"):
        decode_secret((number(SECRETS[0]) + edwards25519.order).to_bytes(32, "little"))
    with expect_fault("scalar.length"):
        decode_secret(bytes(31))


def test_keys_add_up() -> None:
    total = sum(map(number, SECRETS))
    assert edwards25519.mul_base(edwards25519.scalar(total)) == TABLE_KEY


def test_keys_that_cancel_out_are_refused() -> None:
    rogue = edwards25519.sub(edwards25519.identity, KEYS[0])
    with expect_fault("key.identity"):
        combine_keys((KEYS[0], rogue))
    with pytest.raises(Misuse):
        combine_keys(())


def test_owner_of_a_key_can_prove_it() -> None:
    proof = prove_key(SECRETS[0], TAG, ENTROPY)
    assert len(proof) == 64
    verify_key(KEYS[0], proof, TAG)


@pytest.mark.parametrize("other", OTHER_TAGS)
def test_key_and_proof_copied_from_somebody_else_are_refused(other: str) -> None:
    proof = prove_key(SECRETS[0], TAG, ENTROPY)
    with expect_fault("sigma.equation"):
        verify_key(KEYS[0], proof, OTHER_TAGS[other])


def test_key_without_a_proof_of_its_own_is_refused() -> None:
    """A rogue key Y' - Y cancels another player's; who chose it knows no secret of it."""
    rogue = edwards25519.sub(KEYS[1], KEYS[0])
    for proof in (prove_key(SECRETS[1], TAG, ENTROPY), prove_key(SECRETS[0], TAG, ENTROPY)):
        with expect_fault("sigma.equation"):
            verify_key(rogue, proof, TAG)
    with expect_fault("sigma.length"):
        verify_key(rogue, b"", TAG)


def test_start_deck_is_public() -> None:
    for code, tile in zip(CODES, start_deck(CODES, TABLE_KEY), strict=True):
        assert tile.a == G
        assert edwards25519.sub(tile.b, TABLE_KEY) == edwards25519.multiple(code, SECOND_BASE)


def test_shares_of_the_others_leave_a_tile_to_its_owner_alone() -> None:
    tiles = table_tiles(*CODES)
    others = [make_shares(SECRETS[i], tiles) for i in (1, 2)]
    stripped = [
        strip(tile, shares) for tile, shares in zip(tiles, zip(*others, strict=True), strict=True)
    ]
    assert [decrypt(tile, SECRETS[0], CODES) for tile in stripped] == list(CODES)
    own = make_shares(SECRETS[0], stripped)
    codes = [code_from_share(t, s, CODES) for t, s in zip(stripped, own, strict=True)]
    assert codes == list(CODES)
    with expect_fault("open.code"):
        decrypt(stripped[0], SECRETS[1], CODES)


def test_tile_with_a_share_missing_or_counted_twice_has_no_code() -> None:
    (tile,) = table_tiles(7)
    (one,), (two,) = (make_shares(SECRETS[i], [tile]) for i in (1, 2))
    assert decrypt(strip(tile, (one, two)), SECRETS[0], CODES) == 7
    for shares in ((), (one,), (one, one), (one, two, two)):
        with expect_fault("open.code"):
            decrypt(strip(tile, shares), SECRETS[0], CODES)


def test_code_that_is_not_among_the_possible_ones_is_refused() -> None:
    tile = masked(12, KEYS[0], ENTROPY)
    assert decrypt(tile, SECRETS[0], {12}) == 12
    with expect_fault("open.code"):
        decrypt(tile, SECRETS[0], set(CODES) - {12})


@pytest.mark.parametrize("count", [1, 5])
def test_shares_of_a_batch_have_one_proof(count: int) -> None:
    tiles = table_tiles(*range(1, count + 1))
    shares = make_shares(SECRETS[0], tiles)
    proof = prove_shares(SECRETS[0], tiles, shares, TAG, ENTROPY)
    assert len(proof) == 64
    verify_shares(KEYS[0], tiles, shares, proof, TAG)
    for other in OTHER_TAGS.values():
        with expect_fault("sigma.equation"):
            verify_shares(KEYS[0], tiles, shares, proof, other)


def test_shares_of_start_tiles_can_be_proved_although_all_have_one_mask() -> None:
    tiles = start_deck((3, 4), TABLE_KEY)
    shares = make_shares(SECRETS[0], tiles)
    verify_shares(
        KEYS[0], tiles, shares, prove_shares(SECRETS[0], tiles, shares, TAG, ENTROPY), TAG
    )


def test_proof_of_shares_holds_for_no_other_key_tile_share_or_order() -> None:
    tiles, extra = table_tiles(1, 2), table_tiles(3)
    shares = make_shares(SECRETS[0], tiles)
    proof = prove_shares(SECRETS[0], tiles, shares, TAG, ENTROPY)
    others = make_shares(SECRETS[1], tiles)
    for key, changed_tiles, changed_shares in (
        (KEYS[1], tiles, shares),
        (KEYS[1], tiles, others),
        (KEYS[0], (tiles[0], extra[0]), shares),
        (KEYS[0], tiles, (shares[0], others[1])),
        (KEYS[0], tiles, shares[::-1]),
        (KEYS[0], tiles[::-1], shares[::-1]),
        (KEYS[0], tiles[:1], shares[:1]),
    ):
        with expect_fault("sigma.equation"):
            verify_shares(key, changed_tiles, changed_shares, proof, TAG)


def test_false_share_cannot_be_proved() -> None:
    tiles = table_tiles(1, 2)
    right = make_shares(SECRETS[0], tiles)
    wrong = (right[0], edwards25519.add(right[1], G))
    with expect_fault("sigma.equation"):
        verify_shares(
            KEYS[0], tiles, wrong, prove_shares(SECRETS[0], tiles, wrong, TAG, ENTROPY), TAG
        )


def test_share_chosen_after_the_challenge_is_refused() -> None:
    """The forgery against proofs that hash the commitments but not the share they are about."""
    (tile,) = table_tiles(9)
    nonce, response = (edwards25519.random_scalar(seeded(i)) for i in range(2))
    commitments = [edwards25519.mul_base(nonce), edwards25519.mul(response, tile.a)]
    challenge = derive_challenge(edwards25519, b"", commitments, TAG)
    response = _plus(nonce, edwards25519.scalar_mul(challenge, SECRETS[0]))
    share = _over(edwards25519.sub(edwards25519.mul(response, tile.a), commitments[1]), challenge)
    relation = linear_relation(
        edwards25519, [([(KEYS[0], 1)], [(0, G, 1)]), ([(share, 1)], [(0, tile.a, 1)])]
    )
    # The equations hold for a share that is wrong: only the hash stands in the way.
    assert evaluate(relation, [response], challenge, {}) == commitments
    assert share != make_shares(SECRETS[0], [tile])[0]
    assert derive_challenge(edwards25519, serialize_statement(relation), commitments, TAG) != (
        challenge
    )
    with expect_fault("sigma.equation"):
        verify_shares(KEYS[0], [tile], [share], challenge + response, TAG)


def test_tile_chosen_after_the_challenge_is_refused() -> None:
    """The same forgery with the base: A is solved for, the share is given."""
    nonce, share = edwards25519.random_scalar(seeded(3)), edwards25519.multiple(77, G)
    commitments = [edwards25519.mul_base(nonce), edwards25519.multiple(55, G)]
    challenge = derive_challenge(edwards25519, b"", commitments, TAG)
    response = _plus(nonce, edwards25519.scalar_mul(challenge, SECRETS[0]))
    base = _over(edwards25519.add(edwards25519.mul(challenge, share), commitments[1]), response)
    with expect_fault("sigma.equation"):
        verify_shares(KEYS[0], [Ciphertext(base, G)], [share], challenge + response, TAG)


def _plus(left: Scalar, right: Scalar) -> Scalar:
    return edwards25519.scalar_add(left, right)


def _over(point: Point, scalar: Scalar) -> Point:
    return edwards25519.mul(edwards25519.scalar_invert(scalar), point)


def test_batch_without_tiles_or_of_another_length_is_our_mistake() -> None:
    tiles = table_tiles(1)
    with pytest.raises(Misuse):
        verify_shares(KEYS[0], [], [], bytes(64), TAG)
    with pytest.raises(Misuse):
        prove_shares(SECRETS[0], tiles, [], tag_of(), ENTROPY)
