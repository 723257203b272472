"""Fill in the bytes that SPEC shows: ``python -m tests.support.worked_example``.

They are the generator H and a worked example, which is a real message from fixed seeds. A test
makes them again and compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from p2p_davinci.session import flow, setup
from p2p_davinci.session.secrets import Made, Seat, fresh_secrets
from p2p_davinci.session.state import Round
from protocol.codec import encode
from protocol.elgamal import public_key
from protocol.envelope import Envelope, Payload, seal
from protocol.group import Scalar, derive_generator, edwards25519
from protocol.relation import linear_relation, serialize_statement
from protocol.sigma import derive_challenge
from protocol.sponge import derive_session
from tests.support.crypto import seeded
from tests.support.envelopes import signer
from tests.support.vector_talk import contract

SPEC: Final = Path(__file__).parents[2] / "protocol" / "SPEC.md"
BEGIN: Final = "<!-- begin: python -m tests.support.worked_example -->\n"
END: Final = "<!-- end -->\n"
SEATS: Final = 2
HEX_WIDTH: Final = 88
NAME_WIDTH: Final = 22
SCALAR_BYTES: Final = 32


def text() -> str:
    """Return the example as it must stand between the two comments."""
    lines = [f"    {name:<{NAME_WIDTH}}{piece}" for name, piece in _pieces()]
    return "\n" + "\n".join(lines) + "\n"


def filled(document: str) -> str:
    """Return SPEC's text with H and the example made anew.

    Raises:
        ValueError: the comments that mark its place are not there.
    """
    before, rest = document.split(BEGIN)
    _, after = rest.split(END)
    before = re.sub(r"\bH is `[^`]*`", f"H is `{derive_generator('H').hex()}`", before)
    return before + BEGIN + text() + END + after


def _pieces() -> Iterator[tuple[str, str]]:
    for name, data in _values():
        digits = data.hex()
        for at in range(0, len(digits), HEX_WIDTH):
            yield ("" if at else name), digits[at : at + HEX_WIDTH]


def _values() -> Iterator[tuple[str, bytes]]:
    round_, seats = _opening()
    made = setup.make_open(round_, seats[0])
    said = _said(round_, seats[0], "open", made)
    flow.check(round_, said)
    key, (proof,) = public_key(seats[0].secrets.key), made.body.proofs
    tag = round_.tag(0, "open.key", made.body.fields)
    relation = linear_relation(edwards25519, [([(key, 1)], [(0, edwards25519.generator, 1)])])
    statement = serialize_statement(relation)
    challenge, response = Scalar(proof[:SCALAR_BYTES]), Scalar(proof[SCALAR_BYTES:])
    commitment = edwards25519.sub(edwards25519.mul_base(response), edwards25519.mul(challenge, key))
    if derive_challenge(edwards25519, statement, (commitment,), tag) != challenge:
        raise ValueError("SPEC's recipe does not lead to the challenge")
    yield "contract hash", round_.contract_hash
    yield "C_0", round_.commitments[0]
    yield "head before step 1", round_.chain.step.head
    yield "N_0", seats[0].secrets.nonce
    yield "Y_0", key
    yield "fields", encode(made.body.fields)
    yield "tag", tag
    yield "derive_session(tag)", derive_session(tag)
    yield "statement", statement
    yield "commitment", commitment
    yield "challenge c", challenge
    yield "response", response
    yield "payload", said.data
    yield "SHA-256(payload)", said.digest
    yield "signature", said.signature
    yield "key of seat 0", seats[0].signer.public


def _opening() -> tuple[Round, tuple[Seat, ...]]:
    """Return a round at its step ``open``, and who plays it."""
    round_ = flow.begin(contract(SEATS))
    seats = []
    for seat in range(SEATS):
        entropy = seeded(f"worked example {seat}")
        secrets = fresh_secrets(entropy)
        seats.append(Seat(seat=seat, signer=signer(seat), entropy=entropy, secrets=secrets))
    for me in seats:
        said = _said(round_, me, "commit", setup.make_commit(round_, me))
        round_ = flow.hear(round_, said, flow.check(round_, said))
    return flow.close(round_), tuple(seats)


def _said(round_: Round, me: Seat, kind: str, made: Made) -> Envelope:
    step = round_.chain.step
    payload = Payload(
        session=round_.chain.session,
        seat=me.seat,
        step=step.number,
        head=step.head,
        kind=kind,
        body=made.body.encode(),
    )
    return seal(payload, me.signer)


if __name__ == "__main__":
    SPEC.write_text(filled(SPEC.read_text("utf-8")), "utf-8", newline="\n")
