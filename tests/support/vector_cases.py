"""What all generators of vectors share: the form of a case, keys, tags."""

from __future__ import annotations

from typing import Any, Final

from protocol.elgamal import public_key
from protocol.group import Entropy, edwards25519
from tests.support.crypto import seeded, tag_of

Json = dict[str, Any]

SECRETS: Final = tuple(edwards25519.random_scalar(seeded(f"vectors, secret {i}")) for i in range(3))
KEYS: Final = tuple(map(public_key, SECRETS))


def case(name: str, error: str | None = None, **inputs: Any) -> Json:
    """Return a case: ``error`` is what must be refused, ``None`` if all is well."""
    return {"name": name, "error": error, **{key: shown(value) for key, value in inputs.items()}}


def shown(value: Any) -> Any:
    """Return a value as JSON, with bytes as hex."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple | list):
        return [shown(item) for item in value]
    return value


def tag_for(label: str, index: int = 0, seat: int = 2) -> bytes:
    """Return a tag of some session, the same in every run."""
    bytes_of = seeded(f"vectors, tag {label} {index}")
    session, head, fields = bytes_of(32), bytes_of(32), bytes_of(32)
    return tag_of(session=session, head=head, seat=seat, label=label, index=index, fields=fields)


class Remembered:
    """Entropy from a seed that remembers what it last gave: the fresh bytes of a proof."""

    def __init__(self, seed: object) -> None:
        self._source: Entropy = seeded(seed)
        self.last = b""

    def __call__(self, count: int) -> bytes:
        self.last = self._source(count)
        return self.last
