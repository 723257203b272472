from __future__ import annotations

from typing import Any

import pytest
from nacl import bindings as sodium

from protocol.errors import Misuse
from protocol.group import SECOND_BASE, Point, Scalar, edwards25519
from protocol.relation import (
    And,
    Chosen,
    Each,
    LinearRelation,
    Opened,
    Or,
    Relation,
    Witness,
    evaluate,
    linear_relation,
    serialize_statement,
)
from protocol.sigma import derive_challenge, proof_size, proof_tag, prove, subtag, verify
from protocol.sponge import DuplexSponge, derive_session
from tests.support.crypto import (
    OTHER_TAGS,
    TAG,
    counted,
    flipped,
    lifted,
    multiplications,
    number,
    seeded,
    tag_of,
)
from tests.support.faults import expect_fault

G = edwards25519.generator
ORDER = edwards25519.order
SECRETS = tuple(edwards25519.random_scalar(seeded(f"secret {i}")) for i in range(4))
KEYS = tuple(edwards25519.mul_base(secret) for secret in SECRETS)
STRANGERS = tuple(
    edwards25519.mul_base(edwards25519.random_scalar(seeded(f"stranger {i}"))) for i in range(3)
)


def dlog(point: Point) -> LinearRelation:
    return linear_relation(edwards25519, [([(point, 1)], [(0, G, 1)])])


def pair(left: Point, right: Point, base: Point) -> LinearRelation:
    """Two equations, two secrets: left = a·G + b·base, right = b·G."""
    return linear_relation(
        edwards25519, [([(left, 1)], [(0, G, 1), (1, base, 1)]), ([(right, 1)], [(1, G, 1)])]
    )


def known(index: int) -> tuple[Relation, Witness]:
    return dlog(KEYS[index]), (SECRETS[index],)


def nested() -> tuple[Relation, Witness]:
    """AND(key 0, OR(stranger, AND(key 1, OR(key 2, stranger, stranger)), stranger), pair)."""
    base = STRANGERS[2]
    left = edwards25519.add(KEYS[0], edwards25519.mul(SECRETS[3], base))
    inner = Or((dlog(KEYS[2]), dlog(STRANGERS[0]), dlog(STRANGERS[1])))
    middle = Or((pair(*STRANGERS), And((dlog(KEYS[1]), inner)), dlog(STRANGERS[0])))
    witness = Each(
        (
            (SECRETS[0],),
            Chosen(1, Each(((SECRETS[1],), Chosen(0, (SECRETS[2],))))),
            (SECRETS[0], SECRETS[3]),
        )
    )
    return And((dlog(KEYS[0]), middle, pair(left, KEYS[3], base))), witness


def opened_or(value: int) -> Or:
    """value·H + secret·G commits to 6, 7 or 8."""
    code = edwards25519.multiple(value, SECOND_BASE)
    point = edwards25519.add(code, edwards25519.mul_base(SECRETS[0]))
    rows = [([(point, 1), (SECOND_BASE, -claim)], [(0, G, 1)]) for claim in (6, 7, 8)]
    return Or(tuple(linear_relation(edwards25519, [(image, terms)]) for image, terms in rows))


def opened_witness(value: int) -> Opened:
    return Opened(tuple((SECRETS[0], value - claim) for claim in (6, 7, 8)), SECOND_BASE)


OPENED = Opened(((SECRETS[0], 0),), SECOND_BASE)

CASES: dict[str, tuple[Relation, Witness]] = {
    "leaf": known(0),
    "and": (And((known(0)[0], known(1)[0])), Each(((SECRETS[0],), (SECRETS[1],)))),
    "or, first": (Or((dlog(KEYS[0]), dlog(STRANGERS[0]))), Chosen(0, (SECRETS[0],))),
    "or, last": (Or((dlog(STRANGERS[0]), dlog(KEYS[0]))), Chosen(1, (SECRETS[0],))),
    "or of one": (Or((dlog(KEYS[0]),)), Chosen(0, (SECRETS[0],))),
    "or in or": (
        Or((dlog(STRANGERS[0]), Or((dlog(STRANGERS[1]), dlog(KEYS[0]))))),
        Chosen(1, Chosen(1, (SECRETS[0],))),
    ),
    "and off the path": (
        Or((And((dlog(STRANGERS[0]), Or(tuple(map(dlog, STRANGERS[1:]))))), dlog(KEYS[0]))),
        Chosen(1, (SECRETS[0],)),
    ),
    "opened": (opened_or(7), opened_witness(7)),
    "nested": nested(),
}
every_case = pytest.mark.parametrize("case", CASES)


def proof_of(case: str, tag: bytes = TAG) -> tuple[Relation, bytes]:
    relation, witness = CASES[case]
    return relation, prove(relation, witness, tag, seeded(case))


@every_case
def test_proof_verifies_and_has_its_exact_length(case: str) -> None:
    relation, proof = proof_of(case)
    assert len(proof) == proof_size(relation)
    verify(relation, proof, TAG)


def test_length_counts_challenge_shares_and_responses() -> None:
    sizes = {case: proof_size(relation) // 32 for case, (relation, _) in CASES.items()}
    assert sizes == {
        "leaf": 2,
        "and": 3,
        "or, first": 4,
        "or, last": 4,
        "or of one": 2,
        "or in or": 6,
        "and off the path": 7,
        "opened": 6,
        "nested": 1 + (2 + 2) + (1 + 2 + 1 + 3 + 1 + 2),
    }


@every_case
@pytest.mark.parametrize("other", OTHER_TAGS)
def test_proof_does_not_verify_under_another_tag(case: str, other: str) -> None:
    relation, proof = proof_of(case)
    with expect_fault("sigma.equation"):
        verify(relation, proof, OTHER_TAGS[other])


@every_case
def test_every_scalar_matters(case: str) -> None:
    relation, proof = proof_of(case)
    for at in range(0, len(proof), 32):
        with expect_fault("sigma.equation"):
            verify(relation, flipped(proof, 8 * at), TAG)


@every_case
def test_scalar_that_is_not_canonical_is_refused_at_every_place(case: str) -> None:
    relation, proof = proof_of(case)
    for at in range(0, len(proof), 32):
        with expect_fault("sigma.scalar"):
            verify(relation, proof[:at] + lifted(proof[at : at + 32]) + proof[at + 32 :], TAG)


@every_case
def test_missing_and_surplus_responses_are_refused(case: str) -> None:
    relation, proof = proof_of(case)
    for wrong in (b"", proof[:-32], proof[32:], proof[:-1], proof + bytes(1), proof + bytes(32)):
        with expect_fault("sigma.length"):
            verify(relation, wrong, TAG)


def test_proof_of_zeros_is_refused() -> None:
    with expect_fault("sigma.identity"):
        verify(dlog(KEYS[0]), bytes(64), TAG)


def test_commitment_that_comes_out_as_the_identity_is_refused() -> None:
    """z = c·x would make the commitment the identity: a proof without a nonce."""
    challenge = edwards25519.scalar(99)
    response = edwards25519.scalar_mul(challenge, SECRETS[0])
    with expect_fault("sigma.identity"):
        verify(dlog(KEYS[0]), challenge + response, TAG)


def test_instance_of_the_peer_is_checked() -> None:
    identity = linear_relation(edwards25519, [([(edwards25519.identity, 1)], [(0, G, 1)])])
    with expect_fault("sigma.identity"):
        verify(identity, bytes(64), TAG)
    free = linear_relation(edwards25519, [([(KEYS[0], 1)], [(0, G, 1), (1, G, 1), (1, G, -1)])])
    with expect_fault("sigma.instance"):
        verify(free, bytes(96), TAG)


@pytest.mark.parametrize("case", ["leaf", "and", "nested"])
def test_false_statement_does_not_verify(case: str) -> None:
    relation, witness = CASES[case]
    lie = {KEYS[0]: STRANGERS[0]}

    def swap(node: Relation) -> Relation:
        if isinstance(node, LinearRelation):
            elements = tuple(lie.get(point, point) for point in node.elements)
            return LinearRelation(group=node.group, elements=elements, equations=node.equations)
        return type(node)(tuple(swap(child) for child in node.children))

    false = swap(relation)
    with expect_fault("sigma.equation"):
        verify(false, prove(false, witness, TAG, seeded(case)), TAG)


def simulated(relation: Or, challenges: list[Scalar]) -> tuple[Scalar, list[Scalar]]:
    """Simulate every branch for a challenge of its own; return the true challenge and answers."""
    answers = [edwards25519.random_scalar(seeded(f"answer {i}")) for i in range(len(challenges))]
    commitments: list[Point] = []
    for leaf, answer, challenge in zip(relation.children, answers, challenges, strict=True):
        assert isinstance(leaf, LinearRelation)
        commitments += evaluate(leaf, [answer], challenge, {})
    statement = serialize_statement(relation)
    return derive_challenge(edwards25519, statement, commitments, TAG), answers


def test_an_or_of_false_branches_cannot_be_forged_with_a_free_last_challenge() -> None:
    relation = Or(tuple(dlog(point) for point in STRANGERS))
    free = [edwards25519.random_scalar(seeded(f"free {i}")) for i in range(3)]
    challenge, answers = simulated(relation, free)
    # What a verifier would see that took n challenges, or did not sum them up.
    with expect_fault("sigma.length"):
        verify(relation, b"".join([challenge, *free, *answers]), TAG)
    with expect_fault("sigma.equation"):
        verify(relation, b"".join([challenge, *free[:-1], *answers]), TAG)


def test_branches_of_an_or_cannot_change_places() -> None:
    relation, proof = proof_of("or, first")
    assert isinstance(relation, Or)
    with expect_fault("sigma.equation"):
        verify(Or(relation.children[::-1]), proof, TAG)


def test_proof_of_an_and_is_not_one_of_its_parts() -> None:
    _, proof = proof_of("leaf")
    with expect_fault("sigma.equation"):
        verify(And((dlog(KEYS[0]),)), proof, TAG)


@pytest.mark.parametrize(
    ("relation", "witness"),
    [
        pytest.param(dlog(KEYS[0]), (), id="no secret"),
        pytest.param(dlog(KEYS[0]), SECRETS[:2], id="a secret too many"),
        pytest.param(dlog(KEYS[0]), Each((SECRETS[:1],)), id="branches for a leaf"),
        pytest.param(And((dlog(KEYS[0]),)), SECRETS[:1], id="secrets for an And"),
        pytest.param(And((dlog(KEYS[0]),)), Chosen(0, SECRETS[:1]), id="a choice for an And"),
        pytest.param(And((dlog(KEYS[0]),)), Each((SECRETS[:1],) * 2), id="too many parts"),
        pytest.param(Or((dlog(KEYS[0]),)), Each((SECRETS[:1],)), id="parts for an Or"),
        pytest.param(Or((dlog(KEYS[0]),)), Opened((), SECOND_BASE), id="no openings"),
        pytest.param(And((dlog(KEYS[0]),)), OPENED, id="openings for an And"),
        pytest.param(
            Or((And((dlog(KEYS[0]),)),)),
            OPENED,
            id="openings for a tree",
        ),
        pytest.param(Or((dlog(KEYS[0]),)), Chosen(1, SECRETS[:1]), id="no such branch"),
        pytest.param(Or((dlog(KEYS[0]),)), Chosen(-1, SECRETS[:1]), id="a negative branch"),
    ],
)
def test_witness_of_another_shape_is_our_mistake(relation: Relation, witness: Witness) -> None:
    with pytest.raises(Misuse, match="shape"):
        prove(relation, witness, TAG, seeded("shape"))


def test_short_entropy_is_our_mistake() -> None:
    with pytest.raises(Misuse):
        prove(*known(0), TAG, lambda _: b"short")


def test_proof_without_an_or_costs_one_multiplication_for_each_term() -> None:
    relation, witness = CASES["and"]
    with counted() as counts:
        prove(relation, witness, TAG, seeded("cost"))
    assert multiplications(counts) == counts["mul_base"] == 2


def test_trivial_branch_of_an_or_cannot_be_simulated() -> None:
    trivial = linear_relation(edwards25519, [([(KEYS[0], 1), (KEYS[0], -1)], [(0, G, 1)])])
    with expect_fault("sigma.identity"):
        prove(Or((dlog(KEYS[0]), trivial)), Chosen(0, SECRETS[:1]), TAG, seeded("trivial"))


def test_work_and_length_do_not_tell_which_branch_holds() -> None:
    seen = set()
    for index in range(3):
        children = list(STRANGERS)
        children[index] = KEYS[0]
        relation = Or(tuple(dlog(point) for point in children))
        with counted() as counts:
            proof = prove(relation, Chosen(index, SECRETS[:1]), TAG, seeded(index))
        verify(relation, proof, TAG)
        seen.add((len(proof), tuple(sorted(counts.items()))))
    assert len(seen) == 1


def test_an_or_whose_images_are_opened_costs_one_multiplication_for_each_false_branch() -> None:
    seen = set()
    for value in (6, 7, 8):
        relation = opened_or(value)
        with counted() as counts:
            proof = prove(relation, opened_witness(value), TAG, seeded(value))
        verify(relation, proof, TAG)
        seen.add((len(proof), tuple(sorted(counts.items()))))
        assert (counts["mul"], counts["mul_base"]) == (2, 3)
    assert len(seen) == 1


def test_the_library_does_the_same_in_the_same_order_whichever_branch_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The parts of the images that vanish where a branch holds stand apart from the rest."""
    calls: list[str] = []

    def watch(name: str) -> None:
        operation = getattr(sodium, name)

        def watched(*arguments: bytes) -> bytes:
            calls.append(name)
            # The library has a way of its own for a zero and for the identity.
            assert not name.startswith("crypto_scalarmult") or any(arguments[0])
            result: bytes = operation(*arguments)
            return result

        monkeypatch.setattr(sodium, name, watched)

    for name in dir(sodium):
        operation = name.startswith(("crypto_scalarmult_ed25519_", "crypto_core_ed25519_"))
        if operation and callable(getattr(sodium, name)):
            watch(name)
    seen = set()
    for value in (6, 7, 8):
        relation = And((opened_or(value), opened_or(7)))
        calls.clear()
        witness = Each((opened_witness(value), opened_witness(7)))
        prove(relation, witness, TAG, seeded(value))
        seen.add(tuple(calls))
    assert len(seen) == 1
    heavy = [name for name in calls if name.startswith("crypto_scalarmult")]
    variable, fixed = heavy[:4], heavy[4:]
    assert set(variable) == {"crypto_scalarmult_ed25519_noclamp"}
    assert set(fixed) == {"crypto_scalarmult_ed25519_base_noclamp"}
    assert len(fixed) == 6


@pytest.mark.parametrize("claimed", [6, 8])
def test_lies_about_what_an_image_opens_to_prove_nothing(claimed: int) -> None:
    with expect_fault("sigma.equation"):
        verify(opened_or(7), prove(opened_or(7), opened_witness(claimed), TAG, seeded("lie")), TAG)
    with expect_fault("sigma.equation"):
        verify(opened_or(9), prove(opened_or(9), opened_witness(claimed), TAG, seeded("lie")), TAG)


def test_openings_of_which_none_holds_are_our_mistake() -> None:
    with pytest.raises(Misuse, match="no branch"):
        prove(opened_or(9), opened_witness(9), TAG, seeded("none"))


def test_only_single_equations_can_be_opened() -> None:
    doubled = linear_relation(
        edwards25519, [([(KEYS[0], 1)], [(0, G, 1)]), ([(KEYS[0], 2)], [(0, G, 2)])]
    )
    with pytest.raises(Misuse, match="single"):
        prove(Or((doubled,)), OPENED, TAG, seeded("doubled"))


def test_shares_of_an_or_do_not_tell_which_branch_holds() -> None:
    """Whichever branch holds, no share of the challenge is a fixed or a repeated one."""
    for case in ("or, first", "or, last"):
        relation, witness = CASES[case]
        shares = set()
        for run in range(8):
            proof = prove(relation, witness, TAG, seeded(run))
            challenge, first = number(Scalar(proof[:32])), number(Scalar(proof[32:64]))
            shares |= {first, (challenge - first) % ORDER}
        assert len(shares) == 16
        assert 0 not in shares


def nonce_of(proof: bytes, secret: Scalar) -> int:
    challenge, response = number(Scalar(proof[:32])), number(Scalar(proof[32:]))
    return (response - challenge * number(secret)) % ORDER


def test_nonces_differ_with_tag_statement_and_secret_even_if_the_entropy_repeats() -> None:
    def stuck(count: int) -> bytes:
        return bytes(count)

    nonces = [nonce_of(prove(*known(i), TAG, stuck), SECRETS[i]) for i in range(3)]
    nonces += [nonce_of(prove(*known(0), tag, stuck), SECRETS[0]) for tag in OTHER_TAGS.values()]
    scaled = linear_relation(edwards25519, [([(KEYS[0], 2)], [(0, G, 2)])])
    nonces.append(nonce_of(prove(scaled, (SECRETS[0],), TAG, stuck), SECRETS[0]))
    assert len(set(nonces)) == len(nonces) == 10


def test_nonces_differ_with_the_witness_even_if_statement_and_entropy_repeat() -> None:
    """X = a·G + b·Y has many witnesses; with one nonce for two of them, both would come out."""
    x = edwards25519.add(KEYS[0], edwards25519.mul(SECRETS[1], KEYS[2]))
    relation = linear_relation(edwards25519, [([(x, 1)], [(0, G, 1), (1, KEYS[2], 1)])])
    shift = edwards25519.scalar_sub(SECRETS[0], SECRETS[2])
    witnesses = [SECRETS[:2], (shift, edwards25519.scalar_add(SECRETS[1], edwards25519.scalar(1)))]
    starts = set()
    for first, second in witnesses:
        proof = prove(relation, (first, second), TAG, bytes)
        verify(relation, proof, TAG)
        starts |= {nonce_of(proof[:64], first), nonce_of(proof[:32] + proof[64:], second)}
    assert len(starts) == 4


def test_nonces_differ_with_fresh_entropy() -> None:
    proofs = [prove(*known(0), TAG, seeded(run)) for run in range(2)]
    assert nonce_of(proofs[0], SECRETS[0]) != nonce_of(proofs[1], SECRETS[0])


def test_tag_has_a_fixed_layout() -> None:
    tag = tag_of(seat=3, label="sixteen.letters!", index=0x0102)
    assert tag == b"".join(
        (
            b"p2p-davinci\x02CMPTsigma-proofs_Shake128_edwards25519",
            b"s" * 32,
            b"h" * 32,
            b"\x03sixteen.letters!\x02\x01",
            b"f" * 32,
        )
    )
    assert len(TAG) == len(tag) == 165


@pytest.mark.parametrize(
    "changes",
    [
        {"session": b"s" * 31},
        {"head": b"h" * 33},
        {"fields": b""},
        {"seat": -1},
        {"seat": 256},
        {"index": -1},
        {"index": 65536},
        {"label": ""},
        {"label": "seventeen letters"},
        {"label": "größe"},
    ],
    ids=str,
)
def test_tag_out_of_range_is_our_mistake(changes: dict[str, Any]) -> None:
    with pytest.raises(Misuse):
        tag_of(**changes)


def test_tags_of_different_places_differ() -> None:
    assert len({TAG, *OTHER_TAGS.values()}) == 7
    limits = proof_tag(
        session=bytes(32), head=bytes(32), seat=255, label="x", index=65535, fields=bytes(32)
    )
    assert len(limits) == 165
    assert tag_of(seat=0, index=0)[114] == 0


def test_a_challenge_is_48_squeezed_bytes_modulo_the_order() -> None:
    commitments = [edwards25519.multiple(3, G), edwards25519.multiple(4, G)]
    sponge = DuplexSponge(derive_session(TAG))
    sponge.absorb(b"statement" + b"".join(commitments))
    number = int.from_bytes(sponge.squeeze(48), "little") % edwards25519.order
    expected = number.to_bytes(32, "little")
    assert derive_challenge(edwards25519, b"statement", commitments, TAG) == expected


def test_subtag_is_longer_than_any_tag() -> None:
    assert subtag(TAG, "role") == TAG + b"role" + bytes(12)
