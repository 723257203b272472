"""Values that are not what they should be: fields, proofs, and the form of what is signed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from p2p_davinci.session.messages import Body
from protocol import (
    PROTOCOL_VERSION,
    Aside,
    Envelope,
    Payload,
    Signer,
    Value,
    decode,
    encode,
    label,
)
from protocol.group import edwards25519
from tests.support.crypto import TORSION, flipped, lifted
from tests.support.forged_games import Luck
from tests.support.vector_cases import KEYS, SECRETS

NEUTRAL: Final = b"\x01" + bytes(31)
ORDER: Final = edwards25519.order.to_bytes(32, "little")
PIECES: Final = (NEUTRAL, *TORSION.values(), *KEYS, *SECRETS, bytes(32), ORDER, b"\xff" * 32)
"""What can stand in the place of 32 bytes: points, scalars, and what is neither."""
CALLS: Final = ("b5", "w11", "5", "-", "b-", "12", "b12", "13", "05", "", "x", "b 5", "w0", "b012")
STRANGE: Final[tuple[Value, ...]] = (None, True, False, 0, 1, 2**64 - 1, b"", "", "b1", (), ((),))
NOT_CANONICAL: Final = (
    *(b"", b"\xc1", b"\x80", b"\xca\0\0\0\0", b"\xff", b"\xcc\x05", b"\xcd\0\x05"),
    *(b"\xc5\0\x01a", b"\xd9\x01a", b"\xa1\xff", b"\xa3\xed\xa0\x80", b"\xdc\0\x01\xc0"),
    *(
        b"\x91" * 9 + b"\x90",
        b"\x91" * 600 + b"\xc0",
        b"\xdc\x04\x01" + b"\xc0" * 1025,
        b"\xc0\xc0",
    ),
)
"""Bytes that are not the encoding of one value, or not its only one."""


# --- fields and proofs -----------------------------------------------------------------------


def spoiled(value: Value, luck: Luck) -> Value:
    """Return another value, often of the same type."""
    if luck.one_in(7):
        return luck.pick(STRANGE)
    match value:
        case bytes():
            return spoiled_bytes(value, luck)
        case bool() | None:
            return luck.pick((True, False, 0, 1, bytes(16), None))
        case int():
            return luck.pick((max(value - 1, 0), value + 1, 0, 1, 2, 3, 7, 99, 2**32))
        case str():
            return luck.pick((*CALLS, value + "1", value.upper(), "x" * 65))
        case tuple():
            return _spoiled_array(value, luck)
    raise TypeError(f"no value: {value!r}")


def spoiled_bytes(value: bytes, luck: Luck) -> bytes:
    if not value:
        return luck.pick((b"\0", bytes(32), KEYS[0], bytes(96)))
    at = 32 * luck.roll(max(len(value) // 32, 1))
    there, behind = value[:at], value[at + 32 :]
    match luck.roll(12):
        case 0:
            return value[: -luck.pick((1, 32, 64))]
        case 1:
            return value + bytes(luck.pick((1, 32)))
        case 2:
            return b""
        case 3:
            return behind + there + value[at : at + 32]
        case 4 | 5:
            return flipped(value, luck.roll(8 * len(value)))
        case 6:
            return there + luck.bytes_of(32) + behind
    return there + luck.pick(PIECES) + behind


def _spoiled_array(value: tuple[Value, ...], luck: Luck) -> Value:
    if not value:
        return luck.pick(((0,), (b"",), None, b""))
    at = luck.roll(len(value))
    match luck.roll(8):
        case 0:
            return value[:at] + value[at + 1 :]
        case 1:
            return (*value, value[at])
        case 2:
            return value[::-1]
        case 3:
            return (*value[:at], value[-1], *value[at + 1 :])
    return (*value[:at], spoiled(value[at], luck), *value[at + 1 :])


def spoiled_body(body: Body, luck: Luck) -> Value:
    """Return a body with something in it changed, or two things, so that the order of checks shows.

    Most changes stay within one field or one proof.
    """
    fields, proofs = list(body.fields), list(body.proofs)
    for _ in range(1 + luck.one_in(4)):
        if proofs and luck.one_in(3):
            at = luck.roll(len(proofs))
            proofs[at] = spoiled_bytes(proofs[at], luck)
        elif fields:
            at = luck.roll(len(fields))
            fields[at] = spoiled(fields[at], luck)
    match luck.roll(24):
        case 0:
            return luck.pick((None, (), (tuple(fields),), (tuple(fields), (0,)), (0, ()), "body"))
        case 1:
            return (tuple(fields[:-1]), tuple(proofs))
        case 2:
            return ((*fields, 0), tuple(proofs))
        case 3:
            return (tuple(fields), tuple(proofs[:-1]))
        case 4:
            return (tuple(fields), (*proofs, b""))
        case 5:
            return (tuple(fields), tuple(proofs[::-1]))
    return (tuple(fields), tuple(proofs))


# --- payloads --------------------------------------------------------------------------------


def spoiled_payload(payload: Payload, luck: Luck, kinds: tuple[str, ...], seats: int) -> Payload:
    """Return a payload of which something else than the body is changed."""
    match luck.roll(6):
        case 0:
            return replace(payload, session=luck.pick((bytes(32), payload.head)))
        case 1:
            return replace(payload, seat=luck.roll(seats + 1))
        case 2:
            step = luck.pick((0, 1, payload.step + 1, max(payload.step - 1, 0), 4000))
            return replace(payload, step=step)
        case 3:
            return replace(payload, head=luck.pick((bytes(32), payload.session)))
        case 4:
            return replace(payload, backing=luck.pick(((b"",), (encode(None),), (bytes(32),) * 16)))
    return replace(payload, kind=luck.pick((*kinds, "nothing")))


# --- forms -----------------------------------------------------------------------------------


def ill_formed(signed: Envelope | Aside, signer: Signer, stranger: Signer, luck: Luck) -> bytes:
    """Return an envelope or an aside whose form or signature is wrong."""
    name = "aside" if isinstance(signed, Aside) else "envelope"
    parts = [encode(value) for value in _array(signed.data)]
    match luck.roll(3):
        case 0:
            return _wrong_signature(signed, stranger, name, luck)
        case 1:
            bad = (
                None,
                "x",
                16,
                2**32,
                b"",
                bytes(31),
                bytes(33),
                (),
                "x" * 17,
                "a b",
                (b"",) * 17,
            )
            at = luck.roll(len(parts))
            parts[at] = encode(luck.pick((*bad, (0,), PROTOCOL_VERSION - 1)))
        case _:
            at = luck.roll(len(parts) + 3)
            if at == len(parts):
                parts.pop()
            elif at == len(parts) + 1:
                parts.append(b"\xc0")
            elif at == len(parts) + 2:
                parts.clear()
            else:
                parts[at] = luck.pick(NOT_CANONICAL)
    data = bytes([0x90 + len(parts)]) + b"".join(parts)
    return encode((data, signer.sign(label(name), data)))


def _array(data: bytes) -> tuple[Value, ...]:
    value = decode(data)
    if not isinstance(value, tuple):
        raise TypeError("what is signed is an array")
    return value


def _wrong_signature(signed: Envelope | Aside, stranger: Signer, name: str, luck: Luck) -> bytes:
    data, signature, raw = signed.data, signed.signature, signed.encode()
    other = "envelope" if name == "aside" else "aside"
    return luck.pick(
        (
            encode((data, flipped(signature, luck.roll(512)))),
            encode((data, signature[:32] + lifted(signature[32:]))),
            encode((data, signature[:63])),
            encode((data, bytes(64))),
            encode((data, None)),
            encode((data, stranger.sign(label(name), data))),
            encode((data, stranger.sign(label(other), data))),
            encode((data,)),
            encode((data, signature, 0)),
            encode(("x", signature)),
            encode(data),
            raw[:-1],
            raw + b"\0",
            *NOT_CANONICAL,
        )
    )
