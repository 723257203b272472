from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from protocol.elgamal import generate_secret, public_key
from protocol.errors import Misuse
from protocol.group import SECOND_BASE, Point, edwards25519
from protocol.order import (
    Entry,
    HiddenEntry,
    OpenEntry,
    OrderFields,
    OrderWitness,
    ValueOpening,
    _commit,
    _sort_numbers,
    _split,
    commit_order,
    commit_values,
    order_sizes,
    prove_order,
    prove_values,
    verify_order,
    verify_values,
)
from protocol.relation import Chosen, Witness
from tests.support.crypto import OTHER_TAGS, TAG, counted, masked, seeded
from tests.support.faults import expect_fault

ENTROPY = seeded("order")
SECRET = generate_secret(ENTROPY)
KEY = public_key(SECRET)
BLACK, WHITE = 101, 102


class Row:
    """A row written down as codes: ``"7"`` hidden, ``"(7)"`` open, ``"J"`` a hidden joker."""

    def __init__(self, text: str, jokers: tuple[int, ...] = (BLACK,)) -> None:
        self.entries: list[Entry] = []
        self.openings: dict[int, ValueOpening] = {}
        for place, word in enumerate(text.split()):
            if word.startswith("("):
                self.entries.append(OpenEntry(int(word[1:-1])))
                continue
            code = {"J": BLACK, "W": WHITE}.get(word) or int(word)
            (value,), (opening,) = commit_values([code], ENTROPY)
            self.entries.append(HiddenEntry(value, jokers))
            self.openings[place] = opening

    @property
    def gaps(self) -> tuple[int, ...]:
        return tuple(range(len(self.entries) - 1))

    def prove(self, gaps: Sequence[int] | None = None) -> tuple[OrderFields, bytes]:
        chosen = self.gaps if gaps is None else gaps
        fields, witness = commit_order(self.entries, self.openings, chosen, ENTROPY)
        return fields, prove_order(self.entries, fields, witness, TAG, ENTROPY)

    def check(self, gaps: Sequence[int] | None = None) -> bytes:
        chosen = self.gaps if gaps is None else gaps
        fields, proof = self.prove(chosen)
        verify_order(self.entries, chosen, fields, proof, TAG)
        return proof


def test_value_commitments_of_one_s_tiles_can_be_proved() -> None:
    codes = [3, 9, BLACK, 26]
    tiles = [masked(code, KEY, ENTROPY) for code in codes]
    values, openings = commit_values(codes, ENTROPY)
    assert [opening.code for opening in openings] == codes
    assert [_commit(o.code, o.blinding) for o in openings] == list(values)
    proof = prove_values(SECRET, tiles, values, openings, TAG, ENTROPY)
    assert len(proof) == 32 * 6
    verify_values(KEY, tiles, values, proof, TAG)
    for other in OTHER_TAGS.values():
        with expect_fault("sigma.equation"):
            verify_values(KEY, tiles, values, proof, other)


def test_value_of_another_code_cannot_be_proved() -> None:
    tiles = [masked(5, KEY, ENTROPY), masked(7, KEY, ENTROPY)]
    for codes in ([5, 8], [7, 5]):
        values, openings = commit_values(codes, ENTROPY)
        with expect_fault("sigma.equation"):
            verify_values(
                KEY, tiles, values, prove_values(SECRET, tiles, values, openings, TAG, ENTROPY), TAG
            )


def test_proof_of_values_holds_for_no_other_key_tile_or_value() -> None:
    tiles = [masked(5, KEY, ENTROPY), masked(7, KEY, ENTROPY)]
    values, openings = commit_values([5, 7], ENTROPY)
    proof = prove_values(SECRET, tiles, values, openings, TAG, ENTROPY)
    other_values, _ = commit_values([5, 7], ENTROPY)
    for key, changed_tiles, changed_values in (
        (public_key(generate_secret(ENTROPY)), tiles, values),
        (KEY, [tiles[0], masked(7, KEY, ENTROPY)], values),
        (KEY, tiles, other_values),
        (KEY, tiles[::-1], values[::-1]),
    ):
        with expect_fault("sigma.equation"):
            verify_values(key, changed_tiles, changed_values, proof, TAG)


def test_values_without_tiles_or_of_another_number_are_our_mistake() -> None:
    tiles = [masked(5, KEY, ENTROPY)]
    values, openings = commit_values([5], ENTROPY)
    with pytest.raises(Misuse):
        prove_values(SECRET, [], [], [], TAG, ENTROPY)
    with pytest.raises(Misuse):
        verify_values(KEY, tiles, [*values, *values], bytes(96), TAG)
    with pytest.raises(Misuse):
        prove_values(SECRET, tiles, values, [*openings, *openings], TAG, ENTROPY)


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3 26",
        "1 26",
        "J 1 26",
        "J J 5",
        "4 J",
        "4 J W 9",
        "J",
        "J W",
        "(4) J 9",
        "(4) J (6)",
        "J (6) J",
        "3 (4) (5) 6 J (26)",
        "(1) (2) (3)",
        "5",
        "(5)",
    ],
)
def test_row_in_order_can_be_proved(text: str) -> None:
    Row(text, (BLACK, WHITE)).check()


@pytest.mark.parametrize("text", ["1 26", "2 (4) 9", "(3) 4 5 (6)", "5", "(1) (2)"])
def test_row_in_order_can_be_proved_without_jokers_in_the_game(text: str) -> None:
    Row(text, ()).check()


def test_entries_with_and_without_jokers_stand_in_one_row() -> None:
    row = Row("3 5 J 9")
    first, *rest = row.entries
    assert isinstance(first, HiddenEntry)
    row.entries = [replace(first, jokers=()), *rest]
    row.check()
    assert order_sizes(row.entries, row.gaps) == (3, 6)


def test_only_the_gaps_asked_for_are_proved() -> None:
    row = Row("9 4 7 2", ())
    row.check([1])
    with pytest.raises(Misuse):
        row.prove([0])
    fields, proof = row.prove([1])
    assert len(fields.digits) == 2
    with expect_fault("order.count"):
        verify_order(row.entries, [0, 1], fields, proof, TAG)
    with expect_fault("sigma.equation"):
        verify_order(row.entries, [0], fields, proof, TAG)


def test_row_with_nothing_to_prove_has_an_empty_proof() -> None:
    for row in (Row("5", ()), Row("(1) (2)"), Row("", ())):
        fields, proof = row.prove()
        assert (fields, proof) == (OrderFields((), ()), b"")
        verify_order(row.entries, row.gaps, fields, b"", TAG)
        with expect_fault("sigma.length"):
            verify_order(row.entries, row.gaps, fields, bytes(32), TAG)


@pytest.mark.parametrize("text", ["2 1", "J 5 4", "5 J 4", "(5) 4", "5 (4)", "(5) J (4)"])
def test_row_that_is_not_in_order_is_our_mistake(text: str) -> None:
    with pytest.raises(Misuse, match="order"):
        Row(text).prove()


def test_numbers_too_far_apart_for_three_digits_are_our_mistake() -> None:
    Row("1 (27)").check()
    with pytest.raises(Misuse, match="order"):
        Row("1 (28)").prove()


def test_hidden_joker_takes_the_key_of_its_left_neighbour_or_the_smallest() -> None:
    row = Row("J J 5 J (9) W J 12", (BLACK, WHITE))
    assert _sort_numbers(row.entries, row.openings) == [1, 1, 5, 5, 9, 9, 9, 12]


@pytest.mark.parametrize(
    ("text", "jokers", "scalars"),
    [
        ("1 2", (), 16),
        ("1 2 3", (), 31),
        ("1 2", (BLACK,), 22),
        ("1 2", (BLACK, WHITE), 26),
        ("J (2)", (BLACK,), 19),
    ],
)
def test_length_of_an_order_proof(text: str, jokers: tuple[int, ...], scalars: int) -> None:
    """c; two shares and three answers a digit; one share and two answers a link, and two more
    scalars for every further joker."""
    assert len(Row(text, jokers).check()) == 32 * scalars


@pytest.mark.parametrize("text", ["(5) (4)", "(5) (5)", "1 (5) (4) 9"])
def test_open_neighbours_are_compared_in_clear(text: str) -> None:
    row = Row(text)
    with pytest.raises(Misuse, match="order"):
        row.prove()
    keys, digits = order_sizes(row.entries, row.gaps)
    point = edwards25519.generator
    fields = OrderFields((point,) * keys, (point,) * digits)
    with expect_fault("order.open"):
        verify_order(row.entries, row.gaps, fields, b"", TAG)


def test_missing_opening_is_our_mistake() -> None:
    row = Row("1 2")
    del row.openings[1]
    with pytest.raises(Misuse, match="opening"):
        row.prove()


@pytest.mark.parametrize("gaps", [(-1,), (2,), (0, 0), (1, 0)])
def test_gaps_out_of_range_are_our_mistake(gaps: tuple[int, ...]) -> None:
    row = Row("1 2 3")
    with pytest.raises(Misuse, match="gaps"):
        row.prove(gaps)
    with pytest.raises(Misuse, match="gaps"):
        verify_order(row.entries, gaps, OrderFields((), ()), b"", TAG)


def test_fields_of_another_row_are_our_mistake() -> None:
    row, other = Row("1 2 3"), Row("1 2")
    _, witness = commit_order(row.entries, row.openings, row.gaps, ENTROPY)
    fields, _ = commit_order(other.entries, other.openings, other.gaps, ENTROPY)
    with pytest.raises(Misuse):
        prove_order(row.entries, fields, witness, TAG, ENTROPY)


def test_sizes_follow_from_public_state() -> None:
    row = Row("3 (4) (5) J 9")
    assert order_sizes(row.entries, row.gaps) == (3, 6)
    assert order_sizes(row.entries, [1]) == (3, 0)
    assert order_sizes(Row("3 (4) (5) 6 9", ()).entries, [2, 3]) == (0, 4)


def test_another_number_of_keys_or_digits_is_refused() -> None:
    row = Row("1 J 3")
    fields, proof = row.prove()
    for wrong in (
        replace(fields, keys=fields.keys[:-1]),
        replace(fields, keys=(*fields.keys, fields.keys[0])),
        replace(fields, digits=fields.digits[:-1]),
        replace(fields, digits=(*fields.digits, fields.digits[0])),
    ):
        with expect_fault("order.count"):
            verify_order(row.entries, row.gaps, wrong, proof, TAG)


def test_proof_holds_for_no_other_tag_row_key_or_digit() -> None:
    row, other = Row("2 J 9 (11)"), Row("2 J 9 (11)")
    fields, proof = row.prove()
    open_later = [*row.entries[:3], OpenEntry(12)]
    for entries, changed in (
        (other.entries, fields),
        (open_later, fields),
        ([*row.entries[:2][::-1], *row.entries[2:]], fields),
        (row.entries, replace(fields, keys=fields.keys[::-1])),
        (row.entries, replace(fields, digits=fields.digits[::-1])),
    ):
        with expect_fault("sigma.equation"):
            verify_order(entries, row.gaps, changed, proof, TAG)
    for tag in OTHER_TAGS.values():
        with expect_fault("sigma.equation"):
            verify_order(row.entries, row.gaps, fields, proof, tag)


def test_link_allows_only_the_jokers_of_the_tile_s_back() -> None:
    row = Row("J 5", (BLACK, WHITE))
    fields, proof = row.prove()
    verify_order(row.entries, row.gaps, fields, proof, TAG)
    narrow: list[Entry] = [
        replace(entry, jokers=(BLACK,)) if isinstance(entry, HiddenEntry) else entry
        for entry in row.entries
    ]
    with expect_fault("sigma.length"):
        verify_order(narrow, row.gaps, fields, proof, TAG)
    swapped: list[Entry] = [
        replace(entry, jokers=(WHITE, BLACK)) if isinstance(entry, HiddenEntry) else entry
        for entry in row.entries
    ]
    with expect_fault("sigma.equation"):
        verify_order(swapped, row.gaps, fields, proof, TAG)


def forged(
    row: Row, numbers: Mapping[int, int], digits: Mapping[int, tuple[int, int, int]]
) -> tuple[OrderFields, bytes]:
    """Commit to sort keys of the cheat's choice, and to digits that need not add up.

    ``numbers`` replaces sort keys by place, ``digits`` says which digits (low, middle, high) the
    cheat claims for a gap; everything else is done as by an honest owner.
    """
    keys: list[Point] = []
    blindings = dict.fromkeys(range(len(row.entries)), edwards25519.zero)
    links: list[Witness] = []
    for place, opening in row.openings.items():
        blindings[place] = edwards25519.random_scalar(ENTROPY)
        keys.append(_commit(numbers.get(place, opening.code), blindings[place]))
        step = edwards25519.scalar_sub(opening.blinding, blindings[place])
        links.append(Chosen(0, (step,)))
    points: list[Point] = []
    chosen: list[Witness] = []
    for gap in row.gaps:
        low, middle, high = digits[gap]
        rest = edwards25519.scalar_sub(blindings[gap + 1], blindings[gap])
        made, witnesses = _split(low + 3 * middle + 9 * high, rest, ENTROPY)
        points += made
        chosen += witnesses
    fields = OrderFields(tuple(keys), tuple(points))
    witness = OrderWitness(gaps=row.gaps, links=tuple(links), digits=tuple(chosen))
    return fields, prove_order(row.entries, fields, witness, TAG, ENTROPY)


def test_the_forger_of_these_tests_can_prove_what_is_true() -> None:
    row = Row("4 9")
    fields, proof = forged(row, {}, {0: (2, 1, 0)})
    verify_order(row.entries, row.gaps, fields, proof, TAG)


@pytest.mark.parametrize("claimed", [(0, 0, 0), (1, 0, 0), (2, 2, 2), (2, 1, 0)])
def test_row_the_wrong_way_round_cannot_be_proved(claimed: tuple[int, int, int]) -> None:
    row = Row("9 4")
    fields, proof = forged(row, {}, {0: claimed})
    with expect_fault("sigma.equation"):
        verify_order(row.entries, row.gaps, fields, proof, TAG)


def test_number_cannot_take_another_sort_key() -> None:
    row = Row("9 4")
    fields, proof = forged(row, {0: 4, 1: 9}, {0: (2, 1, 0)})
    with expect_fault("sigma.equation"):
        verify_order(row.entries, row.gaps, fields, proof, TAG)


def test_number_cannot_pass_for_a_joker() -> None:
    row = Row("9 4")
    fields, witness = commit_order(
        row.entries,
        {0: ValueOpening(BLACK, row.openings[0].blinding), 1: row.openings[1]},
        (0,),
        ENTROPY,
    )
    proof = prove_order(row.entries, fields, witness, TAG, ENTROPY)
    with expect_fault("sigma.equation"):
        verify_order(row.entries, row.gaps, fields, proof, TAG)


def test_digit_beyond_two_cannot_be_proved() -> None:
    """27 = 0 + 0·3 + 3·9: with a digit of 3 the difference would leave its range."""
    row = Row("J 26")
    low, middle = row.openings[0], row.openings[1]
    sigma = [edwards25519.random_scalar(ENTROPY) for _ in range(2)]
    digits = [edwards25519.random_scalar(ENTROPY) for _ in range(2)]
    keys = (_commit(-1, sigma[0]), _commit(26, sigma[1]))
    rest = edwards25519.scalar_sub(sigma[1], sigma[0])
    for weight, own in zip((3, 9), digits, strict=True):
        part = edwards25519.scalar_mul(edwards25519.scalar(weight), own)
        rest = edwards25519.scalar_sub(rest, part)
    fields = OrderFields(keys, (_commit(0, digits[0]), _commit(3, digits[1])))
    links = (
        Chosen(1, (low.blinding,)),
        Chosen(0, (edwards25519.scalar_sub(middle.blinding, sigma[1]),)),
    )
    for pretended in range(3):
        chosen = (Chosen(0, (rest,)), Chosen(0, (digits[0],)), Chosen(pretended, (digits[1],)))
        witness = OrderWitness(gaps=(0,), links=links, digits=chosen)
        proof = prove_order(row.entries, fields, witness, TAG, ENTROPY)
        with expect_fault("sigma.equation"):
            verify_order(row.entries, row.gaps, fields, proof, TAG)


def test_joker_takes_its_neighbour_s_value_but_never_its_point() -> None:
    row = Row("J 7 J W (9) J", (BLACK, WHITE))
    fields, _ = commit_order(row.entries, row.openings, row.gaps, ENTROPY)
    values = [entry.value for entry in row.entries if isinstance(entry, HiddenEntry)]
    points = [*fields.keys, *values]
    assert len(set(points)) == len(points) == 10
    multiples = {
        edwards25519.multiple(k, base)
        for k in range(-27, 28)
        for base in (SECOND_BASE, edwards25519.generator)
    }
    assert not set(points) & multiples
    differences = [
        edwards25519.sub(left, right) for left, right in itertools.permutations(points, 2)
    ]
    assert not set(differences) & multiples


def test_sort_keys_are_fresh_at_every_proof() -> None:
    row = Row("J 7")
    first, _ = row.prove()
    second, _ = row.prove()
    assert not {*first.keys, *first.digits} & {*second.keys, *second.digits}


def test_size_and_work_do_not_depend_on_what_is_hidden() -> None:
    seen = set()
    for text in ("1 2 (20) 21", "J 19 (20) 26", "J J (20) J", "19 J (20) 22"):
        row = Row(text)
        with counted() as counts:
            fields, proof = row.prove()
        seen.add((len(fields.keys), len(fields.digits), len(proof), tuple(sorted(counts.items()))))
    assert len(seen) == 1


def test_secrets_show_nothing_of_themselves() -> None:
    row = Row("1 J")
    _, witness = commit_order(row.entries, row.openings, row.gaps, ENTROPY)
    assert repr(witness) == "OrderWitness(gaps=(0,))"
    assert repr(row.openings[0]) == "ValueOpening()"


def test_value_commitment_hides_behind_a_multiple_of_the_generator() -> None:
    opening = ValueOpening(7, edwards25519.random_scalar(ENTROPY))
    value = _commit(opening.code, opening.blinding)
    hidden = edwards25519.sub(value, edwards25519.multiple(7, SECOND_BASE))
    assert hidden == edwards25519.mul_base(opening.blinding)
