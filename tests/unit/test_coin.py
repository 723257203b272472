from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable

import pytest

from protocol.codec import label
from protocol.coin import SEATS_MAX, coin, commit, comparison, session_id, verify_commitment
from protocol.errors import Misuse
from protocol.words import WORDS
from tests.support.faults import expect_fault


def fixed(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


CONTRACT, NONCE, KEY = fixed("contract"), fixed("nonce"), fixed("key")


def test_commitment_is_the_hash_that_the_text_gives() -> None:
    expected = hashlib.sha256(label("commit") + CONTRACT + b"\x03" + NONCE + KEY).digest()
    assert commit(CONTRACT, 3, NONCE, KEY) == expected
    verify_commitment(expected, CONTRACT, 3, NONCE, KEY)


@pytest.mark.parametrize(
    ("contract", "seat", "nonce", "key"),
    [
        (fixed("x"), 3, NONCE, KEY),
        (CONTRACT, 2, NONCE, KEY),
        (CONTRACT, 3, fixed("x"), KEY),
        (CONTRACT, 3, NONCE, fixed("x")),
        (CONTRACT, 3, KEY, NONCE),
    ],
)
def test_commitment_opens_to_nothing_else(
    contract: bytes, seat: int, nonce: bytes, key: bytes
) -> None:
    with expect_fault("commit.mismatch"):
        verify_commitment(commit(CONTRACT, 3, NONCE, KEY), contract, seat, nonce, key)


def test_cut_commitment_is_a_mismatch() -> None:
    with expect_fault("commit.mismatch"):
        verify_commitment(commit(CONTRACT, 3, NONCE, KEY)[:31], CONTRACT, 3, NONCE, KEY)


def test_session_id_is_the_hash_that_the_text_gives() -> None:
    nonces, keys = [fixed("n0"), fixed("n1")], [fixed("k0"), fixed("k1")]
    text = label("session") + CONTRACT + nonces[0] + keys[0] + nonces[1] + keys[1]
    assert session_id(CONTRACT, nonces, keys) == hashlib.sha256(text).digest()


def test_session_id_of_as_many_seats_as_there_can_be() -> None:
    most = [fixed(str(seat)) for seat in range(SEATS_MAX)]
    text = label("session") + CONTRACT + b"".join(part * 2 for part in most)
    assert session_id(CONTRACT, most, most) == hashlib.sha256(text).digest()


def test_session_id_binds_contract_every_nonce_every_key_and_their_order() -> None:
    n, k, x = [fixed("n0"), fixed("n1")], [fixed("k0"), fixed("k1")], fixed("x")
    ids = {
        session_id(CONTRACT, n, k),
        session_id(x, n, k),
        session_id(CONTRACT, [x, n[1]], k),
        session_id(CONTRACT, [n[0], x], k),
        session_id(CONTRACT, n, [x, k[1]]),
        session_id(CONTRACT, n, [k[0], x]),
        session_id(CONTRACT, n[::-1], k),
        session_id(CONTRACT, n[:1], k[:1]),
    }
    assert len(ids) == 8


def test_coin_is_the_first_unbiased_byte_of_the_stream() -> None:
    nonces = [fixed("a"), fixed("b")]
    stream = hashlib.shake_256(label("coin") + b"".join(nonces)).digest(4)
    assert coin(nonces, 256) == stream[0]
    assert coin(nonces, 1) == 0
    assert coin(nonces, 2) == stream[0] % 2


def test_coin_passes_over_bytes_that_would_favour_low_sides() -> None:
    # With 129 sides a byte of 129 or more would count twice for the sides 0 to 126.
    for trial in range(400):
        nonces = [fixed(str(trial))]
        stream = hashlib.shake_256(label("coin") + nonces[0]).digest(64)
        if stream[0] >= 129:
            break
    assert stream[0] >= 129
    assert coin(nonces, 129) == next(byte for byte in stream if byte < 129)


@pytest.mark.parametrize("sides", [2, 3, 4, 200])
def test_coin_is_even_over_many_nonces(sides: int) -> None:
    count = Counter(coin([fixed(f"even {trial}")], sides) for trial in range(sides * 200))
    assert set(count) == set(range(sides))
    # 200 expected with a deviation of about 14: the bound is more than five of those.
    assert all(abs(seen - 200) < 80 for seen in count.values())


def test_coin_turns_on_every_nonce_and_their_order() -> None:
    a, b, c = fixed("a"), fixed("b"), fixed("c")
    sides = {coin(nonces, 256) for nonces in ([a, b], [b, a], [a, c], [c, b])}
    assert len(sides) == 4


def test_words_and_digits_write_the_same_32_bits() -> None:
    session = fixed("session")
    bits = hashlib.sha256(label("comparison") + session).digest()[:4]
    words, digits = comparison(session)
    assert bytes(WORDS.index(word) for word in words) == bits
    assert int(digits.replace(" ", "")).to_bytes(4, "big") == bits


def test_digits_come_in_two_groups_of_five_with_leading_zeros() -> None:
    found = {comparison(fixed(str(trial)))[1] for trial in range(64)}
    assert all(len(text) == 11 and text[5] == " " for text in found)
    assert any(text.startswith("0") for text in found)


@pytest.mark.parametrize(
    "call",
    [
        lambda: commit(CONTRACT[:31], 0, NONCE, KEY),
        lambda: commit(CONTRACT, 0, NONCE + b"\0", KEY),
        lambda: commit(CONTRACT, 0, NONCE, b""),
        lambda: commit(CONTRACT, -1, NONCE, KEY),
        lambda: commit(CONTRACT, 16, NONCE, KEY),
        lambda: session_id(CONTRACT, [], []),
        lambda: session_id(CONTRACT, [NONCE], [KEY, KEY]),
        lambda: session_id(CONTRACT, [NONCE] * 17, [KEY] * 17),
        lambda: session_id(CONTRACT, [NONCE[:31]], [KEY]),
        lambda: session_id(CONTRACT, [NONCE], [KEY[:31]]),
        lambda: session_id(b"", [NONCE], [KEY]),
        lambda: coin([], 2),
        lambda: coin([NONCE], 0),
        lambda: coin([NONCE], 257),
        lambda: coin([NONCE[:31]], 2),
        lambda: comparison(b""),
    ],
)
def test_arguments_out_of_range_are_misuse(call: Callable[[], object]) -> None:
    with pytest.raises(Misuse):
        call()


# --- the word list -----------------------------------------------------------------------------


def edits(one: str, other: str) -> int:
    """Levenshtein's distance."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        above, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (a != b))
    return row[-1]


def test_word_list_has_a_plain_short_word_for_every_byte() -> None:
    assert len(WORDS) == len(set(WORDS)) == 256
    assert all(word.isascii() and word.isalpha() and word.islower() for word in WORDS)
    assert all(3 <= len(word) <= 7 for word in WORDS)
    assert list(WORDS) == sorted(WORDS)


def test_no_two_words_are_less_than_three_edits_apart() -> None:
    pairs = [(a, b) for i, a in enumerate(WORDS) for b in WORDS[:i] if abs(len(a) - len(b)) < 3]
    assert [pair for pair in pairs if edits(*pair) < 3] == []


def test_four_letters_tell_words_apart() -> None:
    assert len({word[:4] for word in WORDS}) == 256


def test_distance_in_these_tests_is_what_it_says() -> None:
    assert edits("kitten", "sitting") == 3
    assert edits("wizard", "lizard") == 1
    assert edits("fox", "fox") == 0
