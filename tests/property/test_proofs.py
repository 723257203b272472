"""Laws of the group and the sponge, and: every proof of the truth verifies, nothing else does."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from protocol import shuffle as shuffle_module
from protocol.elgamal import (
    decode_deck,
    decrypt,
    encode_deck,
    generate_secret,
    make_shares,
    prove_key,
    prove_shares,
    public_key,
    verify_key,
    verify_shares,
)
from protocol.errors import Misuse, PeerFault
from protocol.group import decode_points, edwards25519
from protocol.miss import prove_miss, verify_miss
from protocol.order import (
    Entry,
    HiddenEntry,
    OpenEntry,
    OrderFields,
    ValueOpening,
    commit_order,
    commit_values,
    prove_order,
    prove_values,
    verify_order,
    verify_values,
)
from protocol.relation import And, Chosen, Each, Or, Relation, Witness, linear_relation
from protocol.shuffle import Shuffled, prove_shuffle, shuffle_deck, verify_shuffle
from protocol.sigma import proof_size, prove, verify
from protocol.sponge import DuplexSponge
from tests.support.crypto import TAG, flipped, masked, seeded

ENTROPY = seeded("property")
SECRET = generate_secret(ENTROPY)
KEY = public_key(SECRET)
G = edwards25519.generator
JOKERS = (101, 102)
CODES = (*range(1, 27), *JOKERS)

scalars = st.integers(min_value=0, max_value=edwards25519.order - 1)
small = st.integers(min_value=-200, max_value=200)


@given(scalars, scalars)
def test_scalars_map_onto_points(a: int, b: int) -> None:
    left, right = edwards25519.scalar(a), edwards25519.scalar(b)
    p, q = edwards25519.mul_base(left), edwards25519.mul_base(right)
    total = edwards25519.mul_base(edwards25519.scalar_add(left, right))
    assert edwards25519.add(p, q) == edwards25519.add(q, p) == total
    assert edwards25519.sub(total, q) == p
    product = edwards25519.mul_base(edwards25519.scalar_mul(left, right))
    assert edwards25519.mul(left, q) == edwards25519.mul(right, p) == product


@given(st.binary(min_size=32, max_size=32))
def test_bytes_that_decode_have_the_order_of_the_group(data: bytes) -> None:
    try:
        point = edwards25519.decode(data)
    except PeerFault:
        return
    less = edwards25519.mul(edwards25519.scalar(-1), point)
    assert edwards25519.add(less, point) == edwards25519.identity


@given(st.lists(st.binary(max_size=200), max_size=4), st.lists(st.integers(0, 200), max_size=4))
def test_sponge_forgets_how_its_input_and_output_were_cut(
    chunks: list[bytes], sizes: list[int]
) -> None:
    one, other = DuplexSponge(bytes(32)), DuplexSponge(bytes(32))
    for chunk in chunks:
        one.absorb(chunk)
    other.absorb(b"".join(chunks))
    assert b"".join(map(one.squeeze, sizes)) == other.squeeze(sum(sizes))


@st.composite
def leaves(draw: st.DrawFn, *, true: bool) -> tuple[Relation, tuple[int, ...]]:
    """One or two equations in up to three secrets with random weights, and a witness or none."""
    count = draw(st.integers(1, 3))
    secrets = tuple(draw(scalars) for _ in range(count))
    rows = []
    for _ in range(draw(st.integers(1, 2))):
        bases = [draw(st.integers(1, 6)) for _ in range(count)]
        weights = [draw(small.filter(bool)) for _ in range(count)]
        total = sum(b * w * s for b, w, s in zip(bases, weights, secrets, strict=True))
        extra = draw(st.integers(300, 400))
        total += not true
        assume(total % edwards25519.order)  # a trivial equation is refused
        image = edwards25519.mul_base(edwards25519.scalar(total + extra))
        terms = [(i, edwards25519.multiple(bases[i], G), weights[i]) for i in range(count)]
        rows.append(([(image, 1), (edwards25519.multiple(extra, G), -1)], terms))
    return linear_relation(edwards25519, rows), secrets


@st.composite
def trees(draw: st.DrawFn, *, true: bool, depth: int = 2) -> tuple[Relation, Witness]:
    """A tree of relations with its witness, or with secrets that are none."""
    kind = draw(st.sampled_from(["leaf", "and", "or"])) if depth else "leaf"
    if kind == "leaf":
        leaf, secrets = draw(leaves(true=true))
        return leaf, tuple(map(edwards25519.scalar, secrets))
    count = draw(st.integers(1, 3))
    at = draw(st.integers(0, count - 1))
    # One wrong part spoils an And; an Or is spoilt by the chosen one.
    truths = [(kind == "and") if i != at else true for i in range(count)]
    parts = [draw(trees(true=truth, depth=depth - 1)) for truth in truths]
    children = tuple(relation for relation, _ in parts)
    if kind == "and":
        return And(children), Each(tuple(witness for _, witness in parts))
    return Or(children), Chosen(at, parts[at][1])


@given(trees(true=True))
@settings(max_examples=40)
def test_any_true_relation_can_be_proved(case: tuple[Relation, Witness]) -> None:
    relation, witness = case
    proof = prove(relation, witness, TAG, ENTROPY)
    assert len(proof) == proof_size(relation)
    verify(relation, proof, TAG)


@given(trees(true=False))
@settings(max_examples=40)
def test_wrong_secrets_prove_nothing(
    case: tuple[Relation, Witness],
) -> None:
    relation, witness = case
    proof = prove(relation, witness, TAG, ENTROPY)
    with pytest.raises(PeerFault, match="sigma"):
        verify(relation, proof, TAG)


def every_proof() -> dict[str, tuple[bytes, Callable[[bytes], None]]]:
    """One proof of each kind, and what checks it."""
    codes = (3, 8, 101)
    tiles = tuple(masked(code, KEY, ENTROPY) for code in codes)
    shares = make_shares(SECRET, tiles)
    shuffled, witness = shuffle_deck(tiles, KEY, ENTROPY)
    values, openings = commit_values(codes, ENTROPY)
    row: list[Entry] = [HiddenEntry(value, JOKERS) for value in values]
    fields, order_witness = commit_order(row, dict(enumerate(openings)), (0, 1), ENTROPY)
    return {
        "key": (prove_key(SECRET, TAG, ENTROPY), lambda p: verify_key(KEY, p, TAG)),
        "shares": (
            prove_shares(SECRET, tiles, shares, TAG, ENTROPY),
            lambda p: verify_shares(KEY, tiles, shares, p, TAG),
        ),
        "miss": (
            prove_miss(SECRET, tiles[0], 3, 8, TAG, ENTROPY),
            lambda p: verify_miss(KEY, tiles[0], 8, p, TAG),
        ),
        "shuffle": (
            prove_shuffle(KEY, tiles, shuffled, witness, TAG, ENTROPY),
            lambda p: verify_shuffle(KEY, tiles, shuffled, p, TAG),
        ),
        "values": (
            prove_values(SECRET, tiles, values, openings, TAG, ENTROPY),
            lambda p: verify_values(KEY, tiles, values, p, TAG),
        ),
        "order": (
            prove_order(row, fields, order_witness, TAG, ENTROPY),
            lambda p: verify_order(row, (0, 1), fields, p, TAG),
        ),
    }


PROOFS = every_proof()
every_kind = pytest.mark.parametrize("kind", PROOFS)


@every_kind
def test_each_kind_verifies_as_it_was_made(kind: str) -> None:
    proof, check = PROOFS[kind]
    check(proof)


@every_kind
@given(data=st.data())
@settings(max_examples=25)
def test_one_flipped_bit_spoils_any_proof(kind: str, data: st.DataObject) -> None:
    proof, check = PROOFS[kind]
    bit = data.draw(st.integers(0, 8 * len(proof) - 1))
    with pytest.raises(PeerFault):
        check(flipped(proof, bit))


@every_kind
@given(length=st.integers(0, 2000))
@settings(max_examples=15)
def test_any_other_length_spoils_any_proof(kind: str, length: int) -> None:
    proof, check = PROOFS[kind]
    cut = (proof + bytes(2000))[:length]
    if cut != proof:
        with pytest.raises(PeerFault):
            check(cut)


@every_kind
@given(st.binary(max_size=700))
@settings(max_examples=15)
def test_noise_is_refused_in_an_orderly_way(kind: str, noise: bytes) -> None:
    with pytest.raises(PeerFault):
        PROOFS[kind][1](noise)


@given(st.integers(0, 8 * 64 * 3 - 1))
@settings(max_examples=25)
def test_one_flipped_bit_spoils_a_shuffled_deck(bit: int) -> None:
    deck = tuple(masked(code, KEY, ENTROPY) for code in (1, 2, 3))
    shuffled, witness = shuffle_deck(deck, KEY, ENTROPY)
    proof = prove_shuffle(KEY, deck, shuffled, witness, TAG, ENTROPY)

    def receive(blob: bytes) -> None:
        received = Shuffled(decode_deck(blob, 3), shuffled.commitments)
        verify_shuffle(KEY, deck, received, proof, TAG)

    receive(encode_deck(shuffled.deck))
    with pytest.raises(PeerFault):
        receive(flipped(encode_deck(shuffled.deck), bit))


@pytest.mark.parametrize(
    "order", [o for n in (1, 2, 3) for o in itertools.permutations(range(n))], ids=str
)
def test_every_order_of_a_tiny_deck_can_be_shuffled_into(
    order: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = (4, 15, 102)[: len(order)]
    deck = tuple(masked(code, KEY, ENTROPY) for code in codes)
    monkeypatch.setattr(shuffle_module, "_permutation", lambda *_: order)
    shuffled, witness = shuffle_deck(deck, KEY, ENTROPY)
    proof = prove_shuffle(KEY, deck, shuffled, witness, TAG, ENTROPY)
    verify_shuffle(KEY, deck, shuffled, proof, TAG)
    opened = [decrypt(tile, SECRET, CODES) for tile in shuffled.deck]
    assert opened == [codes[place] for place in order]


@pytest.mark.parametrize("difference", range(1, 26))
def test_every_difference_of_two_numbers_can_be_proved(difference: int) -> None:
    values, openings = commit_values([1, 1 + difference], ENTROPY)
    check_row([HiddenEntry(value, ()) for value in values], dict(enumerate(openings)))


Row = tuple[list[Entry], dict[int, ValueOpening], list[int]]


@st.composite
def rows(draw: st.DrawFn) -> Row:
    """Up to four entries in any order, with jokers, and the codes of all."""
    codes = draw(st.lists(st.sampled_from(CODES), min_size=1, max_size=4, unique=True))
    entries: list[Entry] = []
    openings: dict[int, ValueOpening] = {}
    for place, code in enumerate(codes):
        if code not in JOKERS and draw(st.booleans()):
            entries.append(OpenEntry(code))
            continue
        (value,), (opening,) = commit_values([code], ENTROPY)
        entries.append(HiddenEntry(value, JOKERS))
        openings[place] = opening
    return entries, openings, codes


def check_row(entries: list[Entry], openings: dict[int, ValueOpening]) -> None:
    gaps = range(len(entries) - 1)
    fields, witness = commit_order(entries, openings, gaps, ENTROPY)
    verify_order(entries, gaps, fields, prove_order(entries, fields, witness, TAG, ENTROPY), TAG)


@given(rows())
@settings(max_examples=40)
def test_a_row_can_be_proved_exactly_if_its_numbers_ascend(row: Row) -> None:
    entries, openings, codes = row
    numbers = [code for code in codes if code not in JOKERS]
    if numbers == sorted(numbers):
        check_row(entries, openings)
        return
    with pytest.raises(Misuse):
        check_row(entries, openings)
    # Nor with the proof of another row that is in order: only sorted(…) has one.
    in_order = sorted(range(len(codes)), key=lambda at: codes[at])
    fair = [entries[at] for at in in_order]
    fair_openings = {to: openings[at] for to, at in enumerate(in_order) if at in openings}
    gaps = range(len(codes) - 1)
    fields, witness = commit_order(fair, fair_openings, gaps, ENTROPY)
    proof = prove_order(fair, fields, witness, TAG, ENTROPY)
    with pytest.raises(PeerFault):
        verify_order(entries, gaps, fields, proof, TAG)


@given(st.integers(0, 8 * 32 * 7 - 1))
@settings(max_examples=25)
def test_one_flipped_bit_spoils_the_fields_of_an_order_proof(bit: int) -> None:
    values, openings = commit_values([3, 8, 101], ENTROPY)
    row: list[Entry] = [HiddenEntry(value, JOKERS) for value in values]
    fields, witness = commit_order(row, dict(enumerate(openings)), (0, 1), ENTROPY)
    proof = prove_order(row, fields, witness, TAG, ENTROPY)
    blob = b"".join((*fields.keys, *fields.digits))

    def receive(data: bytes) -> None:
        points = decode_points(data, 7)
        verify_order(row, (0, 1), OrderFields(points[:3], points[3:]), proof, TAG)

    receive(blob)
    with pytest.raises(PeerFault):
        receive(flipped(blob, bit))
