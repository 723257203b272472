"""Proving and verifying a relation (SPEC, proofs; PEER, proving).

Source: draft-irtf-cfrg-sigma-protocols-03 (compact proof strings), draft-irtf-cfrg-fiat-shamir
(challenges), and for composition Cramer, Damgård and Schoenmakers, "Proofs of Partial Knowledge
and Simplified Design of Witness Hiding Protocols" (CRYPTO 1994). The string is::

    c || for every Or in pre-order its first n - 1 challenges || responses, leaf by leaf

The last challenge of an Or is its own minus the sum of the others, so no branch is free. Of a
relation that stands alone this is exactly the drafts' proof. Knows the :class:`~.group.Group`
interface and no particular group, and no tiles or decks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from .codec import PROTOCOL_VERSION
from .errors import Misuse, PeerFault
from .group import WIDE_BYTES, Entropy, Group, Point, Scalar, fresh
from .relation import (
    And,
    Chosen,
    Each,
    LinearRelation,
    Opened,
    Or,
    Relation,
    Sums,
    Witness,
    check_instance,
    count_scalars,
    evaluate,
    group_of,
    serialize_statement,
)
from .sponge import DuplexSponge, decode_uint, derive_session

TAG_NAME: Final = b"p2p-davinci"
TAG_VERSION: Final = bytes([PROTOCOL_VERSION])
TAG_KIND: Final = b"CMPT"
TAG_SUITE: Final = b"sigma-proofs_Shake128_edwards25519"
LABEL_BYTES: Final = 16
HASH_BYTES: Final = 32

CHALLENGE_EXTRA_BYTES: Final = 16
"""Squeezed beyond the length of a scalar, so that a challenge is uniform."""

_NONCE_LABEL: Final = b"p2p-davinci/%d/nonce" % PROTOCOL_VERSION
_FRESH_BYTES: Final = 32

_Laid: TypeAlias = tuple[tuple[Scalar, ...], tuple[Scalar, Point] | None]
"""The secrets of a leaf, with offset and base if its witness is one of :class:`Opened`."""


def proof_tag(
    *, session: bytes, head: bytes, seat: int, label: str, index: int, fields: bytes
) -> bytes:
    """Return the tag that ties a proof to one place of one transcript; always 165 bytes.

    ``session`` and ``head`` have 32 bytes, ``seat`` is 0 to 255, ``label`` names the statement in
    1 to 16 ASCII characters, ``index`` (0 to 65535) tells the proofs of one message apart, and
    ``fields`` is the SHA-256 of the message's own fields without its proof strings.

    Raises:
        Misuse: one of them has another length or range.
    """
    if not (len(session) == len(head) == len(fields) == HASH_BYTES):
        raise Misuse("session, head and fields are 32 bytes each")
    if not (label.isascii() and 0 < len(label) <= LABEL_BYTES):
        raise Misuse(f"a label has 1 to {LABEL_BYTES} ASCII characters")
    if not (0 <= seat < 2**8 and 0 <= index < 2**16):
        raise Misuse("a seat is one byte, an index two")
    place = (seat.to_bytes(1, "little"), _role(label), index.to_bytes(2, "little"))
    suite = (TAG_NAME, TAG_VERSION, TAG_KIND, TAG_SUITE)
    return b"".join((*suite, session, head, *place, fields))


def subtag(tag: bytes, role: str) -> bytes:
    """Return ``tag`` for another use within the same statement; no plain tag is as long."""
    return tag + _role(role)


def _role(name: str) -> bytes:
    return name.encode("ascii").ljust(LABEL_BYTES, b"\0")


def proof_size(relation: Relation) -> int:
    """Return the exact length in bytes of a proof of ``relation``."""
    shares, answers = count_scalars(relation)
    return (1 + shares + answers) * group_of(relation).scalar_bytes


def prove(relation: Relation, witness: Witness, tag: bytes, entropy: Entropy) -> bytes:
    """Return a compact proof of ``relation``, bound to ``tag``; :func:`proof_size` bytes.

    The witness is not checked: of a wrong one comes a proof that does not verify. Which operations
    of the group are done, and in which order, does not depend on which branch of an Or holds.
    Nonces come from a hash of 32 fresh bytes, the witness, the tag and the statement, so that a
    weak source of entropy alone reveals nothing.

    Raises:
        Misuse: the witness has another shape than the relation, or the entropy is short.
        PeerFault: ``sigma.identity`` (an image under an Or is the identity).
    """
    laid = _lay_out(relation, witness)
    statement = serialize_statement(relation)
    seed = hashlib.shake_256(_NONCE_LABEL + fresh(entropy, _FRESH_BYTES))
    seed.update(b"".join([secret for secrets, _ in laid for secret in secrets]))
    seed.update(len(tag).to_bytes(4, "little") + tag + statement)
    stream = seed.digest(WIDE_BYTES * sum(count_scalars(relation)))
    group = group_of(relation)
    nonces = [
        group.reduce(stream[at : at + WIDE_BYTES]) for at in range(0, len(stream), WIDE_BYTES)
    ]
    return _prove(relation, witness, laid, statement, tag, iter(nonces))


def _prove(
    relation: Relation,
    witness: Witness,
    laid: Sequence[_Laid],
    statement: bytes,
    tag: bytes,
    nonces: Iterator[Scalar],
) -> bytes:
    """Guess every challenge, simulate every leaf for its guess, then move the true leaves.

    A leaf under no Or is guessed 0, which makes its simulation the ordinary commitment. For a leaf
    with witness w, answer z and guess g, the answer to any other challenge c is z + (c - g)·w; on a
    false leaf c = g.
    """
    group = group_of(relation)
    leaves: list[tuple[LinearRelation, Scalar]] = []
    shares: list[list[Scalar]] = []
    _spread(relation, group.zero, nonces, leaves, shares)
    answers = [[next(nonces) for _ in range(leaf.scalar_count)] for leaf, _ in leaves]
    commitments = _simulate(leaves, answers, laid)
    challenge = derive_challenge(group, statement, commitments, tag)
    parts = [challenge]
    final: list[Scalar] = []
    _settle(relation, witness, challenge, iter(shares), parts, final)
    for (_, guess), true, answer, (secrets, _) in zip(leaves, final, answers, laid, strict=True):
        step = group.scalar_sub(true, guess)
        for start, secret in zip(answer, secrets, strict=True):
            parts.append(group.scalar_add(start, group.scalar_mul(step, secret)))
    return b"".join(parts)


def _simulate(
    leaves: Sequence[tuple[LinearRelation, Scalar]],
    answers: Sequence[Sequence[Scalar]],
    laid: Sequence[_Laid],
) -> list[Point]:
    """Return the commitments that go with guessed challenges and answers.

    For ``image = secret·P + offset·base`` the commitment ``answer·P - guess·image`` is
    ``(answer - guess·secret)·P - (guess·offset)·base``. The second part vanishes on the branch that
    holds, and libsodium refuses to multiply by 0. So the parts that do not vanish come first, one
    after the other: every Or has as many of them, whichever branch holds.
    """
    parts: dict[int, Point] = {}
    for place, ((leaf, guess), (_, opened)) in enumerate(zip(leaves, laid, strict=True)):
        if opened is not None and opened[0] != leaf.group.zero:
            offset, base = opened
            parts[place] = leaf.group.mul(leaf.group.scalar_mul(guess, offset), base)
    commitments: list[Point] = []
    sums: Sums = {}
    for place, ((leaf, guess), answer, (secrets, opened)) in enumerate(
        zip(leaves, answers, laid, strict=True)
    ):
        group = leaf.group
        if opened is None:
            commitments += evaluate(leaf, answer, None if guess == group.zero else guess, sums)
        else:
            lowered = group.scalar_sub(answer[0], group.scalar_mul(guess, secrets[0]))
            (rest,) = evaluate(leaf, [lowered], None, {})
            commitments.append(group.sub(rest, parts.get(place, group.identity)))
    return commitments


def verify(relation: Relation, proof: bytes, tag: bytes) -> None:
    """Check a compact proof of ``relation`` under ``tag``; return if it is good.

    Raises:
        PeerFault: ``sigma.length`` (not exactly :func:`proof_size` bytes), ``sigma.scalar`` (one is
            not canonical), ``sigma.identity`` (an element, an image or a recomputed commitment is
            the identity), ``sigma.instance`` (a secret scalar is left free), ``sigma.equation``
            (the challenge does not come out).
    """
    group = group_of(relation)
    size = proof_size(relation)
    if len(proof) != size:
        raise PeerFault("sigma.length", f"{len(proof)} bytes, not {size}")
    scalars = _decode_scalars(group, proof)
    challenge = next(scalars)
    leaves: list[tuple[LinearRelation, Scalar]] = []
    _spread(relation, challenge, scalars, leaves, [])
    commitments: list[Point] = []
    sums: Sums = {}
    for leaf, share in leaves:
        check_instance(leaf)
        answer = [next(scalars) for _ in range(leaf.scalar_count)]
        commitments += evaluate(leaf, answer, share, sums)
    if group.identity in commitments:
        raise PeerFault("sigma.identity", "a commitment")
    if derive_challenge(group, serialize_statement(relation), commitments, tag) != challenge:
        raise PeerFault("sigma.equation")


def derive_challenge(
    group: Group, statement: bytes, commitments: Sequence[Point], tag: bytes
) -> Scalar:
    """Return the challenge for a statement and its commitments (drafts: ``DeriveChallenge``)."""
    sponge = DuplexSponge(derive_session(tag))
    sponge.absorb(statement)
    sponge.absorb(b"".join(commitments))
    data = sponge.squeeze(group.scalar_bytes + CHALLENGE_EXTRA_BYTES)
    return group.scalar(decode_uint(data, group.order))


def _decode_scalars(group: Group, proof: bytes) -> Iterator[Scalar]:
    size = group.scalar_bytes
    try:
        scalars = [group.decode_scalar(proof[at : at + size]) for at in range(0, len(proof), size)]
    except PeerFault as fault:
        raise PeerFault("sigma.scalar", fault.check) from None
    return iter(scalars)


def _spread(
    relation: Relation,
    challenge: Scalar,
    source: Iterator[Scalar],
    leaves: list[tuple[LinearRelation, Scalar]],
    shares: list[list[Scalar]],
) -> None:
    """Hand ``challenge`` down the tree, taking the free shares of every Or from ``source``.

    Appends every leaf with its challenge to ``leaves``, and the shares of every Or to ``shares``.
    """
    if isinstance(relation, LinearRelation):
        leaves.append((relation, challenge))
        return
    if isinstance(relation, And):
        parts = [challenge] * len(relation.children)
    else:
        parts = [next(source) for _ in relation.children[1:]]
        parts.append(_rest(group_of(relation), challenge, parts))
        shares.append(parts)
    for child, part in zip(relation.children, parts, strict=True):
        _spread(child, part, source, leaves, shares)


def _settle(
    relation: Relation,
    witness: Witness | None,
    challenge: Scalar,
    shares: Iterator[list[Scalar]],
    sent: list[Scalar],
    final: list[Scalar],
) -> None:
    """Put the true challenge on the true path; off it (no witness) every guess stays as it was.

    Appends what the Ors send to ``sent``, and the challenge of every leaf to ``final``.
    """
    if isinstance(relation, LinearRelation):
        final.append(challenge)
        return
    if isinstance(relation, And):
        parts = [challenge] * len(relation.children)
    else:
        parts = list(next(shares))
        chosen = witness.index if isinstance(witness, Chosen | Opened) else 0
        parts[chosen] = _rest(group_of(relation), challenge, parts[:chosen] + parts[chosen + 1 :])
        sent += parts[:-1]
    for child, inner, part in zip(relation.children, _inner(relation, witness), parts, strict=True):
        _settle(child, inner, part, shares, sent, final)


def _rest(group: Group, total: Scalar, parts: Sequence[Scalar]) -> Scalar:
    for part in parts:
        total = group.scalar_sub(total, part)
    return total


def _inner(relation: And | Or, witness: Witness | None) -> list[Witness | None]:
    """Return a witness for every child, ``None`` for those off the true path."""
    count = len(relation.children)
    if witness is None:
        return [None] * count
    if isinstance(relation, And) and isinstance(witness, Each) and len(witness.witnesses) == count:
        return list(witness.witnesses)
    if isinstance(relation, Or) and isinstance(witness, Chosen) and 0 <= witness.index < count:
        return [witness.witness if at == witness.index else None for at in range(count)]
    if isinstance(relation, Or) and isinstance(witness, Opened) and len(witness.branches) == count:
        return [(secret,) for secret, _ in witness.branches]
    raise Misuse("the witness has another shape than the relation")


def _lay_out(relation: Relation, witness: Witness | None) -> list[_Laid]:
    """Return the secrets of every leaf in order: zeros for a leaf of which nothing is known."""
    if isinstance(relation, LinearRelation):
        secrets = (relation.group.zero,) * relation.scalar_count if witness is None else witness
        if not isinstance(secrets, tuple) or len(secrets) != relation.scalar_count:
            raise Misuse("the witness has another shape than the relation")
        return [(secrets, None)]
    laid: list[_Laid] = []
    for child, inner in zip(relation.children, _inner(relation, witness), strict=True):
        laid += _lay_out(child, inner)
        if isinstance(witness, Opened) and not _is_single(child):
            raise Misuse("only single equations can be opened")
    if isinstance(witness, Opened):
        offsets = [group_of(relation).scalar(offset) for _, offset in witness.branches]
        return [
            (secrets, (offset, witness.base))
            for (secrets, _), offset in zip(laid, offsets, strict=True)
        ]
    return laid


def _is_single(relation: Relation) -> bool:
    return isinstance(relation, LinearRelation) and len(relation.equations) == 1
