"""The vectors of draft-irtf-cfrg-sigma-protocols and draft-irtf-cfrg-fiat-shamir."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.errors import Misuse, PeerFault
from protocol.group import Scalar
from protocol.relation import evaluate, serialize_relation
from protocol.sigma import _lay_out, _prove, verify
from protocol.sponge import DuplexSponge, decode_uint, derive_session
from tests.support import cfrg
from tests.support.p256 import p256

VALID = cfrg.load("sigma-proofs_Shake128_P256")
INVALID = cfrg.load("sigma-proofs-invalid_Shake128_P256")
SPONGE = cfrg.load("fiatShamirShake128Vectors")
CODEC = cfrg.load("fiatShamirCodecVectors")

Record = dict[str, Any]


def of(records: list[Record], *functions: str, rejected: bool = False) -> list[Any]:
    chosen = [r for r in records if r["Function"] in functions]
    return [
        pytest.param(r, id=r["Id"]) for r in chosen if (r.get("Expected") == "reject") == rejected
    ]


def check(record: Record) -> None:
    relation = cfrg.read_instance(p256, bytes.fromhex(record["Instance"]))
    proof, tag = bytes.fromhex(record["NargString"]), record["Tag"].encode()
    (verify if record["Flavor"] == "compact" else cfrg.verify_batchable)(relation, proof, tag)


def test_every_record_is_covered() -> None:
    functions = {record["Function"] for record in SPONGE + CODEC}
    assert functions == {
        "DecodeUint",
        "DeriveSessionID",
        "DeserializeField",
        "DeserializeUint",
        "DeserializeVarLenString",
        "DuplexSponge",
        "SerializeField",
        "SerializeUint",
        "SerializeVarLenString",
        "Sumcheck",
    }
    assert {record["Function"] for record in VALID + INVALID} == {"SigmaProof"}
    assert (len(VALID), len(INVALID), len(SPONGE), len(CODEC)) == (14, 33, 13, 13)


@pytest.mark.parametrize("record", of(VALID, "SigmaProof"))
def test_valid_proof_verifies_and_comes_out_of_its_nonces_again(record: Record) -> None:
    check(record)
    relation = cfrg.read_instance(p256, bytes.fromhex(record["Instance"]))
    tag = record["Tag"].encode()
    assert serialize_relation(relation).hex() == record["Instance"]
    assert derive_session(tag).hex() == record["SessionId"]
    data = bytes.fromhex(record["Witness"])
    witness = tuple(p256.decode_scalar(data[at : at + 32]) for at in range(0, len(data), 32))
    compact = record["Flavor"] == "compact"
    marker = "CMPT" if compact else "DSFS"
    nonces = cfrg.SeededScalars(
        p256, f"TestDRNG-SIGMA-PROOFS-{marker}-{record['Ciphersuite']}-{record['Relation']}"
    )
    statement = serialize_relation(relation)
    if compact:
        proof = _prove(relation, witness, _lay_out(relation, witness), statement, tag, iter(nonces))
    else:
        proof = cfrg.prove_batchable(relation, witness, tag, iter(nonces))
    assert proof.hex() == record["NargString"]
    one = p256.scalar(1)
    assert all(point == p256.identity for point in evaluate(relation, witness, one, {}))


@pytest.mark.parametrize("record", of(INVALID, "SigmaProof"))
def test_baseline_of_an_invalid_proof_verifies(record: Record) -> None:
    check(record)


@pytest.mark.parametrize("record", of(INVALID, "SigmaProof", rejected=True))
def test_invalid_proof_is_refused(record: Record) -> None:
    # Instances are built by each party itself in this project: a malformed one is our own mistake.
    with pytest.raises((PeerFault, Misuse)):
        check(record)


def replay(record: Record) -> bytes:
    sponge = DuplexSponge(bytes.fromhex(record["SessionId"]))
    output = b""
    for operation in record["Operations"]:
        if operation["type"] == "absorb":
            sponge.absorb(bytes.fromhex(operation["data"]))
        else:
            output += sponge.squeeze(operation["length"])
    return output


@pytest.mark.parametrize("record", of(SPONGE, "DuplexSponge"))
def test_sponge_trace(record: Record) -> None:
    assert replay(record).hex() == record["Output"]


@pytest.mark.parametrize("record", of(SPONGE, "DeriveSessionID"))
def test_session_identifier(record: Record) -> None:
    assert derive_session(bytes.fromhex(record["Tag"])).hex() == record["Output"]


@pytest.mark.parametrize("record", of(SPONGE + CODEC, "DecodeUint"))
def test_decoded_challenge(record: Record) -> None:
    data = replay(record) if "Operations" in record else bytes.fromhex(record["Input"])
    assert data.hex() == record.get("Output", record.get("Input"))
    modulus = int(record["Modulus"], 16)
    assert modulus == p256.order
    assert decode_uint(data, modulus) == int(record["Challenge"], 16)


@pytest.mark.parametrize("record", of(CODEC, "SerializeVarLenString"))
def test_byte_string(record: Record) -> None:
    data = bytes.fromhex(record["Input"])
    assert cfrg.serialize_string(data).hex() == record["Output"]
    assert cfrg.deserialize_string(bytes.fromhex(record["Output"])) == data


@pytest.mark.parametrize("record", of(CODEC, "DeserializeVarLenString", rejected=True))
def test_byte_string_refused(record: Record) -> None:
    with pytest.raises(PeerFault):
        cfrg.deserialize_string(bytes.fromhex(record["Input"]))


@pytest.mark.parametrize("record", of(CODEC, "SerializeUint"))
def test_unsigned_integer(record: Record) -> None:
    modulus, value = int(record["Modulus"], 16), int(record["Value"], 16)
    data = value.to_bytes(cfrg.field_bytes(modulus), "little")
    assert data.hex() == record["Output"]
    assert cfrg.deserialize_field(data, modulus, 1) == (value,)


@pytest.mark.parametrize("record", of(CODEC, "SerializeField"))
def test_big_endian_scalar(record: Record) -> None:
    assert int(record["Modulus"], 16) == p256.order
    scalar = p256.scalar(int(record["Value"], 16))
    assert scalar.hex() == record["Output"]
    assert p256.decode_scalar(scalar) == Scalar(bytes.fromhex(record["Output"]))


@pytest.mark.parametrize("record", of(CODEC, "DeserializeField"))
def test_field_element(record: Record) -> None:
    values = cfrg.deserialize_field(
        bytes.fromhex(record["Input"]), int(record["Modulus"], 16), record["ExtensionDegree"]
    )
    assert list(values) == [int(value, 16) for value in record["Coordinates"]]


@pytest.mark.parametrize("record", of(CODEC, "DeserializeField", "DeserializeUint", rejected=True))
def test_field_element_refused(record: Record) -> None:
    degree = record.get("ExtensionDegree", 1)
    with pytest.raises(PeerFault):
        cfrg.deserialize_field(bytes.fromhex(record["Input"]), int(record["Modulus"], 16), degree)


@pytest.mark.parametrize("record", of(SPONGE, "Sumcheck"))
def test_sumcheck_example(record: Record) -> None:
    session = bytes.fromhex(record["SessionId"])
    assert derive_session(bytes.fromhex(record["Tag"])) == session
    proof, final = cfrg.sumcheck_prove(session, record["Witness"])
    assert (proof.hex(), final) == (record["Narg"], int(record["FinalEvaluation"], 16))
    claimed = int(record["ClaimedSum"], 16)
    assert cfrg.sumcheck_verify(session, claimed, proof, record["NumVariables"]) == final


@pytest.mark.parametrize("record", of(SPONGE + CODEC, "Sumcheck", rejected=True))
def test_sumcheck_refused(record: Record) -> None:
    session, proof = bytes.fromhex(record["SessionId"]), bytes.fromhex(record["Narg"])
    with pytest.raises(PeerFault):
        cfrg.sumcheck_verify(session, int(record["ClaimedSum"], 16), proof, record["NumVariables"])
