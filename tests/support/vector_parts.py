"""The parts of a log that is made of another one: records, blame, where a message stands."""

from __future__ import annotations

from protocol import Envelope, Value, encode, encode_record
from tests.support.vector_cases import Json
from tests.support.vector_logs import Base, Changed, Said


def envelope_record(envelope: Envelope) -> bytes:
    return encode_record("envelope", envelope.encode())


def fault_record(*raws: bytes | Envelope) -> bytes:
    items = tuple(raw if isinstance(raw, bytes) else raw.encode() for raw in raws)
    return encode_record("fault", encode(items))


def note_record(*values: Value) -> bytes:
    return encode_record("note", encode(values))


def blame(said: Said, check: str) -> list[Json]:
    """The blame of one fault record for what is wrong in the step of ``said``."""
    return [{"seat": said.seat, "step": said.step, "check": check}]


def index_of(base: Base, said: Said) -> int:
    return next(k for k, record in enumerate(base.records) if record.offset == said.offset)


def made_log(
    base: Base, name: str, at: int, verdict: Json, *add: bytes, resume: int | None = None
) -> Changed:
    return Changed(
        of=base.plan.name, name=name, keep=at, add=b"".join(add), resume=resume, verdict=verdict
    )
