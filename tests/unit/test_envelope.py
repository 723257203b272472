from __future__ import annotations

import dataclasses
import hashlib
import re

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from protocol.codec import FRAME_BYTES_MAX, PROTOCOL_VERSION, Value, as_array, decode, encode, label
from protocol.envelope import (
    BACKING_ITEMS_MAX,
    ENVELOPE_BYTES_MAX,
    STEP_MAX,
    Aside,
    Payload,
    Signer,
    check_identity,
    read_aside,
    read_envelope,
    seal,
    seal_aside,
    verify_aside,
    verify_signature,
)
from protocol.errors import Misuse
from tests.support.envelopes import HEAD, SESSION, payload, said, signer
from tests.support.faults import expect_fault

FIELD_PRIME = 2**255 - 19
SIGNATURE = bytes(64)

# Points of order 1, 2, 4, 4, 8, 8, in RFC 8032's encoding.
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]


def remark(
    *,
    counter: int = 4,
    kind: str = "say",
    body: Value = "hello",
    backing: tuple[bytes, ...] = (),
) -> Aside:
    return seal_aside(
        session=SESSION,
        seat=2,
        counter=counter,
        head=HEAD,
        kind=kind,
        body=body,
        backing=backing,
        signer=signer(2),
    )


def wire(*fields: Value, signature: Value = SIGNATURE) -> bytes:
    return encode((encode(fields), signature))


def test_envelope_comes_back_from_its_bytes_and_verifies() -> None:
    sent = said(body=(1, b"\x02", ("x", None)))
    read = read_envelope(sent.encode())
    assert read == sent
    verify_signature(read, signer(1).public)


def test_payload_stands_on_the_wire_as_specified() -> None:
    sent = said(seat=3, step=9, kind="turn-up", body=(5,))
    data, signature = as_array(decode(sent.encode()), "shape", length=2)
    assert data == encode((PROTOCOL_VERSION, SESSION, 3, 9, HEAD, "turn-up", (5,), ()))
    assert signature == sent.signature
    assert sent.digest == hashlib.sha256(sent.data).digest()


def test_what_is_signed_is_label_and_data() -> None:
    sent = said()
    key = Ed25519PublicKey.from_public_bytes(signer(1).public)
    key.verify(sent.signature, label("envelope") + sent.data)
    key_of_aside = Ed25519PublicKey.from_public_bytes(signer(2).public)
    key_of_aside.verify(remark().signature, label("aside") + remark().data)


def test_signature_of_somebody_else_is_refused() -> None:
    with expect_fault("envelope.signature"):
        verify_signature(said(seat=1), signer(2).public)


@pytest.mark.parametrize("at", range(0, 64, 7))
def test_changed_signature_is_refused(at: int) -> None:
    sent = said()
    bad = bytearray(sent.signature)
    bad[at] ^= 1
    with expect_fault("envelope.signature"):
        verify_signature(dataclasses.replace(sent, signature=bytes(bad)), signer(1).public)


def test_signature_does_not_pass_under_another_payload() -> None:
    one, other = said(step=7), said(step=8)
    with expect_fault("envelope.signature"):
        verify_signature(dataclasses.replace(other, signature=one.signature), signer(1).public)


def test_signature_with_the_group_order_added_is_refused() -> None:
    order = 2**252 + 27742317777372353535851937790883648493
    sent = said()
    s = int.from_bytes(sent.signature[32:], "little") + order
    bad = sent.signature[:32] + s.to_bytes(32, "little")
    with expect_fault("envelope.signature"):
        verify_signature(dataclasses.replace(sent, signature=bad), signer(1).public)


def test_envelope_and_aside_of_the_same_bytes_do_not_pass_for_each_other() -> None:
    sent = said(seat=2, step=4)
    with expect_fault("aside.signature"):
        verify_aside(read_aside(sent.encode()), signer(2).public)
    with expect_fault("envelope.signature"):
        verify_signature(read_envelope(remark().encode()), signer(2).public)


@pytest.mark.parametrize("key", SMALL_ORDER)
def test_key_of_small_order_is_refused(key: str) -> None:
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))  # `cryptography` itself takes it
    with expect_fault("identity.key"):
        check_identity(bytes.fromhex(key))


def test_signature_that_holds_under_a_key_of_small_order_is_refused_by_the_key() -> None:
    identity = bytes.fromhex(SMALL_ORDER[0])
    forged = dataclasses.replace(said(), signature=identity + bytes(32))
    with expect_fault("identity.key"):
        verify_signature(forged, identity)


def test_key_of_mixed_order_is_refused() -> None:
    # An honest key plus the point of order 2, (0, -1): both coordinates change sign.
    honest = int.from_bytes(signer(0).public, "little")
    y, sign = honest & (2**255 - 1), honest >> 255
    mixed = (FIELD_PRIME - y) | ((1 - sign) << 255)
    key = mixed.to_bytes(32, "little")
    Ed25519PublicKey.from_public_bytes(key)
    with expect_fault("identity.key"):
        check_identity(key)


@pytest.mark.parametrize(
    "key",
    [
        (FIELD_PRIME + 3).to_bytes(32, "little"),  # not reduced
        (2).to_bytes(32, "little"),  # not on the curve
        b"",
        signer(0).public[:31],
        signer(0).public + b"\0",
    ],
)
def test_malformed_key_is_refused(key: bytes) -> None:
    with expect_fault("identity.key"):
        check_identity(key)


def test_honest_keys_pass() -> None:
    keys = [Signer(Ed25519PrivateKey.generate()).public for _ in range(8)]
    for key in keys:
        check_identity(key)
    assert len(set(keys)) == 8


def test_signer_never_shows_its_private_key() -> None:
    private = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)
    shown = repr(Signer(private))
    assert Signer(private).public.hex() in shown
    assert (b"\x07" * 32).hex() not in shown
    assert not re.search(r"Ed25519PrivateKey|object at", shown)


GOOD: tuple[Value, ...] = (PROTOCOL_VERSION, SESSION, 3, 9, HEAD, "draw", None, ())


@pytest.mark.parametrize(
    ("at", "value", "check"),
    [
        (0, PROTOCOL_VERSION + 1, "version"),
        (0, PROTOCOL_VERSION - 1, "version"),
        (0, True, "version"),
        (0, str(PROTOCOL_VERSION), "version"),
        (1, SESSION[:31], "session"),
        (1, SESSION + b"\0", "session"),
        (1, SESSION.hex(), "session"),
        (2, 16, "seat"),
        (2, True, "seat"),
        (2, None, "seat"),
        (3, STEP_MAX + 1, "number"),
        (3, False, "number"),
        (3, b"\x09", "number"),
        (4, HEAD[:31], "head"),
        (4, HEAD + b"\0", "head"),
        (4, None, "head"),
        (5, "", "kind"),
        (5, "x" * 17, "kind"),
        (5, "a b", "kind"),
        (5, "dräw", "kind"),
        (5, "draw\n", "kind"),
        (5, "draw\x7f", "kind"),
        (5, b"draw", "kind"),
        (7, None, "backing"),
        (7, b"", "backing"),
        (7, (None,), "backing"),
        (7, (b"", "x"), "backing"),
        (7, ((b"",),), "backing"),
        (7, (b"",) * (BACKING_ITEMS_MAX + 1), "backing"),
    ],
)
def test_each_field_out_of_range_is_refused_by_name(at: int, value: Value, check: str) -> None:
    raw = wire(*GOOD[:at], value, *GOOD[at + 1 :])
    with expect_fault(f"envelope.{check.replace('number', 'step')}"):
        read_envelope(raw)
    with expect_fault(f"aside.{check.replace('number', 'counter')}"):
        read_aside(raw)


@pytest.mark.parametrize(
    "raw",
    [
        wire(*GOOD[:7]),
        wire(*GOOD, None),
        encode((encode(1), SIGNATURE)),
        encode((encode("payload"), SIGNATURE)),
        encode(("payload", SIGNATURE)),
        encode((encode(GOOD),)),
        encode((encode(GOOD), SIGNATURE, None)),
        encode(encode(GOOD)),
        encode(None),
    ],
)
def test_wrong_shape_is_refused(raw: bytes) -> None:
    with expect_fault("envelope.shape"):
        read_envelope(raw)
    with expect_fault("aside.shape"):
        read_aside(raw)


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(65), "x" * 64, None])
def test_signature_of_another_length_is_refused_on_reading(signature: Value) -> None:
    with expect_fault("envelope.signature"):
        read_envelope(wire(*GOOD, signature=signature))
    with expect_fault("aside.signature"):
        read_aside(wire(*GOOD, signature=signature))


def test_payload_without_any_field_has_no_version() -> None:
    with expect_fault("envelope.version"):
        read_envelope(wire())


def test_another_version_is_told_apart_from_a_broken_payload() -> None:
    with expect_fault("envelope.version"):
        read_envelope(wire(PROTOCOL_VERSION + 1, "all", "different"))


def test_payload_that_is_not_canonical_is_refused_although_the_envelope_is() -> None:
    data = encode(GOOD)
    assert data[1] == PROTOCOL_VERSION
    padded = data[:1] + bytes([0xCC, PROTOCOL_VERSION]) + data[2:]
    with expect_fault("codec.canonical"):
        read_envelope(encode((padded, SIGNATURE)))


def test_backing_comes_back_and_is_signed_with_the_rest() -> None:
    backing = (remark().encode(), b"")
    sent = said(backing=backing)
    assert read_envelope(sent.encode()).payload.backing == backing
    assert as_array(decode(sent.data), "shape", length=8)[7] == backing
    assert sent.digest != said().digest
    assert read_aside(remark(backing=backing).encode()).backing == backing


def test_extreme_fields_are_in_range() -> None:
    for fields in (
        (PROTOCOL_VERSION, SESSION, 0, 0, HEAD, "!", None, ()),
        (PROTOCOL_VERSION, SESSION, 15, STEP_MAX, HEAD, "~" * 16, b"", (b"",) * BACKING_ITEMS_MAX),
    ):
        assert read_envelope(wire(*fields)).payload.seat == fields[2]
        assert read_aside(wire(*fields)).backing == fields[7]


def test_envelope_that_fits_leaves_room_in_a_frame_and_a_longer_one_is_misuse() -> None:
    overhead = len(said(body=b"x" * 60_000).encode()) - 60_000
    longest = said(body=b"x" * (ENVELOPE_BYTES_MAX - overhead))
    assert len(longest.encode()) == ENVELOPE_BYTES_MAX < FRAME_BYTES_MAX
    assert read_envelope(longest.encode()) == longest
    with pytest.raises(Misuse):
        said(body=b"x" * (ENVELOPE_BYTES_MAX - overhead + 1))


def test_envelope_longer_than_its_limit_is_refused() -> None:
    with expect_fault("codec.length"):
        read_envelope(wire(*GOOD[:6], b"x" * ENVELOPE_BYTES_MAX, ()))


@pytest.mark.parametrize(
    "bad",
    [
        payload(session=b""),
        payload(seat=16),
        payload(step=STEP_MAX + 1),
        payload(head=HEAD[:31]),
        payload(kind=""),
        payload(kind="x" * 17),
        payload(backing=(b"",) * (BACKING_ITEMS_MAX + 1)),
    ],
)
def test_sealing_a_field_out_of_range_is_misuse(bad: Payload) -> None:
    with pytest.raises(Misuse):
        seal(bad, signer(0))


@pytest.mark.parametrize("body", ["\ud800", -1])
def test_sealing_a_body_outside_the_codec_is_misuse(body: Value) -> None:
    with pytest.raises(Misuse):
        seal(payload(body=body), signer(0))


def test_aside_comes_back_from_its_bytes_and_verifies() -> None:
    sent = remark(body=("hello", 3))
    read = read_aside(sent.encode())
    assert read == sent
    assert (read.seat, read.counter, read.kind, read.body) == (2, 4, "say", ("hello", 3))
    verify_aside(read, signer(2).public)


def test_aside_of_somebody_else_is_refused() -> None:
    with expect_fault("aside.signature"):
        verify_aside(remark(), signer(1).public)


def test_aside_under_an_invalid_key_is_refused() -> None:
    with expect_fault("identity.key"):
        verify_aside(remark(), bytes.fromhex(SMALL_ORDER[0]))


def test_sealing_an_aside_out_of_range_is_misuse() -> None:
    with pytest.raises(Misuse):
        remark(counter=-1)
    with pytest.raises(Misuse):
        remark(kind="")
    with pytest.raises(Misuse):
        remark(backing=(b"",) * (BACKING_ITEMS_MAX + 1))
