"""What the drafts' vectors need beyond the game's own code: reading instances, batchable strings,
the seeded generator of their appendix, their byte codecs and the sumcheck example.

Source: draft-irtf-cfrg-sigma-protocols-03 and draft-irtf-cfrg-fiat-shamir, both with appendices.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import protocol.errors
from protocol.errors import PeerFault
from protocol.group import Group, Point, Scalar
from protocol.relation import Equation, LinearRelation, check_instance, evaluate, serialize_relation
from protocol.sigma import derive_challenge
from protocol.sponge import DuplexSponge, decode_uint, derive_session

FOLDER: Final = Path(protocol.errors.__file__).parent / "vectors" / "cfrg"
MERSENNE31: Final = 2**31 - 1


def load(stem: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads((FOLDER / f"{stem}.json").read_text("utf-8"))
    return records


def read_instance(group: Group, data: bytes) -> LinearRelation:
    """The inverse of ``SerializeLinearRelation``; refuses what is cut short or too long."""
    position = 0

    def take(count: int) -> bytes:
        nonlocal position
        if position + count > len(data):
            raise PeerFault("instance.length")
        position += count
        return data[position - count : position]

    def number() -> int:
        return int.from_bytes(take(4), "little")

    def weight() -> int:
        scalar = group.decode_scalar(take(group.scalar_bytes))
        return int.from_bytes(scalar, "big")

    equations = []
    for _ in range(number()):
        image = tuple((number(), weight()) for _ in range(number()))
        terms = tuple((number(), number(), weight()) for _ in range(number()))
        equations.append(Equation(image=image, terms=terms))
    elements = [group.generator]
    while position < len(data):
        elements.append(group.decode(take(group.point_bytes)))
    return LinearRelation(group=group, elements=tuple(elements), equations=tuple(equations))


class SeededScalars:
    """The stream of nonces from which the vectors' proofs were made."""

    def __init__(self, group: Group, tag: str) -> None:
        self._group = group
        self._sponge = DuplexSponge(derive_session(tag.encode("ascii")))

    def __iter__(self) -> Iterator[Scalar]:
        return self

    def __next__(self) -> Scalar:
        data = self._sponge.squeeze(self._group.scalar_bytes + 16)
        return self._group.scalar(decode_uint(data, self._group.order))


def prove_batchable(
    relation: LinearRelation, witness: Sequence[Scalar], tag: bytes, nonces: Iterator[Scalar]
) -> bytes:
    group = relation.group
    start = [next(nonces) for _ in witness]
    commitments = evaluate(relation, start, None, {})
    challenge = derive_challenge(group, serialize_relation(relation), commitments, tag)
    answers = [
        group.scalar_add(nonce, group.scalar_mul(challenge, secret))
        for nonce, secret in zip(start, witness, strict=True)
    ]
    return b"".join([*commitments, *answers])


def verify_batchable(relation: LinearRelation, proof: bytes, tag: bytes) -> None:
    group = relation.group
    count = len(relation.equations)
    cut = count * group.point_bytes
    if len(proof) != cut + relation.scalar_count * group.scalar_bytes:
        raise PeerFault("sigma.length")
    check_instance(relation)
    commitments: list[Point] = [group.decode(part) for part in _split(proof[:cut], count)]
    answers = [group.decode_scalar(part) for part in _split(proof[cut:], relation.scalar_count)]
    challenge = derive_challenge(group, serialize_relation(relation), commitments, tag)
    if evaluate(relation, answers, challenge, {}) != commitments:
        raise PeerFault("sigma.equation")


def _split(data: bytes, count: int) -> list[bytes]:
    size = len(data) // count
    return [data[at : at + size] for at in range(0, len(data), size)]


def serialize_string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "little") + data


def deserialize_string(data: bytes) -> bytes:
    length = int.from_bytes(data[:4], "little")
    if len(data) < 4 or len(data) - 4 < length:
        raise PeerFault("string.length")
    return data[4 : 4 + length]


def field_bytes(modulus: int) -> int:
    return ((modulus - 1).bit_length() + 7) // 8


def deserialize_field(data: bytes, modulus: int, degree: int) -> tuple[int, ...]:
    size = field_bytes(modulus)
    if len(data) < size * degree:
        raise PeerFault("field.length")
    parts = [data[at * size : (at + 1) * size] for at in range(degree)]
    values = tuple(int.from_bytes(part, "little") for part in parts)
    if any(value >= modulus for value in values):
        raise PeerFault("field.range")
    return values


def sumcheck_prove(session: bytes, witness: Sequence[int]) -> tuple[bytes, int]:
    """Return the proof string and the final evaluation of the example over Mersenne31."""
    sponge = _sumcheck_sponge(session, (len(witness) - 1).bit_length(), sum(witness) % MERSENNE31)
    values, proof = list(witness), b""
    while len(values) > 1:
        low, high = sum(values[::2]) % MERSENNE31, sum(values[1::2]) % MERSENNE31
        message = low.to_bytes(4, "little") + ((high - low) % MERSENNE31).to_bytes(4, "little")
        proof += message
        point = _sumcheck_round(sponge, message)
        pairs = zip(values[::2], values[1::2], strict=True)
        values = [(even + point * (odd - even)) % MERSENNE31 for even, odd in pairs]
    return proof, values[0]


def sumcheck_verify(session: bytes, claimed: int, proof: bytes, variables: int) -> int:
    """Return the final claim, or raise."""
    sponge = _sumcheck_sponge(session, variables, claimed)
    for _ in range(variables):
        constant, slope = deserialize_field(proof, MERSENNE31, 2)
        if (2 * constant + slope) % MERSENNE31 != claimed:
            raise PeerFault("sumcheck.round")
        claimed = (constant + slope * _sumcheck_round(sponge, proof[:8])) % MERSENNE31
        proof = proof[8:]
    if proof:
        raise PeerFault("sumcheck.length")
    return claimed


def _sumcheck_sponge(session: bytes, variables: int, claimed: int) -> DuplexSponge:
    sponge = DuplexSponge(session)
    sponge.absorb(variables.to_bytes(4, "little") + claimed.to_bytes(4, "little"))
    return sponge


def _sumcheck_round(sponge: DuplexSponge, message: bytes) -> int:
    sponge.absorb(message)
    return decode_uint(sponge.squeeze(4), MERSENNE31)
