"""Vectors of the group, the encoding and the tags."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from protocol.codec import Value, encode, label
from protocol.group import PERMUTATION_BASES, SECOND_BASE, Point, edwards25519
from protocol.sigma import subtag
from protocol.sponge import derive_session
from tests.support.crypto import TORSION, lifted, seeded, tag_of
from tests.support.vector_cases import KEYS, SECRETS, Json, case

FIELD: Final = 2**255 - 19
ORDER: Final = edwards25519.order
PURPOSES: Final = (
    *("contract", "initial head", "head", "envelope", "aside"),
    *("commit", "session", "coin", "comparison"),
)


def _le(number: int) -> bytes:
    return number.to_bytes(32, "little")


def generators() -> Json:
    named = [("G", edwards25519.generator), ("H", SECOND_BASE)]
    named += [(f"H_{i}", base) for i, base in enumerate(PERMUTATION_BASES, 1)]
    return {"generators": [{"name": name, "bytes": point.hex()} for name, point in named]}


def points() -> Json:
    wrong = "point.encoding"
    cases = [
        case("a key", bytes=KEYS[0]),
        case("the generator", bytes=edwards25519.generator),
        case("one byte short", "point.length", bytes=KEYS[0][:31]),
        case("one byte more", "point.length", bytes=KEYS[0] + b"\0"),
        case("nothing", "point.length", bytes=b""),
        case("the identity", "point.identity", bytes=_le(1)),
        case("the identity with a sign", wrong, bytes=_le(1 + 2**255)),
        case("the identity, not reduced", wrong, bytes=_le(FIELD + 1)),
        case("a y that is not reduced", wrong, bytes=_le(FIELD + 3)),
        case("no point has this y", wrong, bytes=_le(2)),
        *(case(f"a point of order {order}", wrong, bytes=t) for order, t in TORSION.items()),
        *(
            case(f"a key and a point of order {order}", wrong, bytes=_mixed(torsion))
            for order, torsion in TORSION.items()
        ),
    ]
    return {"points": cases, "scalars": _scalars()}


def _mixed(torsion: bytes) -> bytes:
    return edwards25519.add(KEYS[0], Point(torsion))


def _scalars() -> list[Json]:
    return [
        case("zero", bytes=_le(0)),
        case("the largest", bytes=_le(ORDER - 1)),
        case("the order", "scalar.range", bytes=_le(ORDER)),
        case("a scalar plus the order", "scalar.range", bytes=lifted(SECRETS[0])),
        case("all bits", "scalar.range", bytes=b"\xff" * 32),
        case("one byte short", "scalar.length", bytes=_le(1)[:31]),
        case("one byte more", "scalar.length", bytes=_le(1) + b"\0"),
    ]


# --- encoding --------------------------------------------------------------------------------

_VALUES: Final[dict[str, Value]] = {
    "nil": None,
    "false and true": (False, True),
    "small numbers": (0, 1, 127),
    "numbers of every size": (128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**64 - 1),
    "bytes": (b"", b"\0" * 255, b"\0" * 256),
    "texts": ("", "a" * 31, "a" * 32, "a" * 255, "a" * 256),
    "text beyond ASCII": "\u9ed1\u2014\U0001f0cf",
    "arrays": ((), (None,) * 15, (None,) * 16, (None,) * 1024),
    "eight deep": ((((((((),),),),),),),),
}
_REFUSED: Final = (
    ("nothing", ""),
    ("cut off", "9201"),
    ("a byte behind the end", "c0c0"),
    ("the unused byte", "c1"),
    ("text that is not UTF-8", "a2c328"),
    ("a lone surrogate", "a3eda080"),
    ("an overlong form", "a2c080"),
    ("1025 items", "dc0401" + "c0" * 1025),
    ("2**32 - 1 items declared", "ddffffffff"),
    ("a map with an entry", "81c0c0"),
    ("an extension", "d40100"),
    ("a negative number", "ff"),
    ("a float", "cb3ff0000000000000"),
    ("an empty map", "80"),
    ("an empty extension", "c70001"),
    ("nine deep", "91" * 8 + "90"),
    ("as deep as a library may go", "91" * 1000 + "90"),
    ("deeper than a library may go", "91" * 1100 + "90"),
    ("a number in more bytes than it needs", "cc7f"),
    ("a number in signed form", "d07f"),
    ("bytes with too long a length", "c5000161"),
    ("text with too long a length", "d90161"),
    ("an array with too long a count", "dc0001c0"),
)


def typed(value: Value) -> Any:
    """Return a value of the codec as JSON that keeps its type."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return {"number": str(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, str):
        return {"text": value}
    return [typed(item) for item in value]


def codec() -> Json:
    good = [case(name, bytes=encode(value)) for name, value in _VALUES.items()]
    for one, value in zip(good, _VALUES.values(), strict=True):
        one["value"] = typed(value)
    bad = [case(name, "codec.canonical", bytes=bytes.fromhex(data)) for name, data in _REFUSED]
    long = case("one byte more than the limit", "codec.length", bytes=encode(b"12345"), limit=6)
    return {
        "labels": [{"name": name, "bytes": label(name).hex()} for name in PURPOSES],
        "cases": [*good, *bad, long],
    }


# --- tags ------------------------------------------------------------------------------------


def tags() -> Json:
    cases = []
    for name, index in (("open.key", 0), ("shuffle", 1), ("arrange.value", 0)):
        seed = seeded(f"vectors, tags {name}")
        session, head, fields = seed(32), seed(32), encode((index, seed(4)))
        place: Json = {"session": session, "head": head, "seat": 3, "label": name, "index": index}
        tag = tag_of(**place, fields=hashlib.sha256(fields).digest())
        weights = subtag(tag, "shuffle.u") if name == "shuffle" else b""
        cases.append(
            case(
                name,
                **place,
                fields=fields,
                tag=tag,
                sponge_session=derive_session(tag),
                weights_tag=weights,
            )
        )
    return {"cases": cases}
