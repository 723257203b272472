"""What one seat must keep to itself: its key and what commitments hide (PEER, secrets file).

Nothing here has a telling repr. Everything is written to the secrets file (records made by
:func:`keep_round` and :func:`keep_openings`) before a message that depends on it is sent, so that
a crash never makes a seat forget or say something new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from protocol import (
    Entropy,
    PeerFault,
    Record,
    Scalar,
    Signer,
    ValueOpening,
    as_array,
    as_bytes,
    as_uint,
    commit,
    decode,
    decode_secret,
    encode,
    encode_record,
    generate_secret,
    public_key,
    read_envelope,
)

from .messages import Body
from .state import Held, Round

NONCE_BYTES = 32
KINDS = frozenset({"round", "openings", "envelope", "heard", "signed", "resigning"})
"""The kinds of record in a secrets file."""

TileId = tuple[int, int]
"""(deck, index in the deck as last shuffled)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """One seat's secrets of one round: nonce (32 bytes), key, and what is known of its tiles."""

    nonce: bytes = field(repr=False)
    key: Scalar = field(repr=False)
    codes: Mapping[TileId, int] = field(repr=False)
    openings: Mapping[TileId, ValueOpening] = field(repr=False)

    def code_of(self, held: Held) -> int:
        """Return the code of one's own tile.

        Raises:
            KeyError: the others have not given their shares of it yet.

        """
        return self.codes[(held.deck, held.index)]

    def with_code(self, held: Held, code: int) -> Secrets:
        """Return the secrets that know one more tile."""
        return replace(self, codes={**self.codes, (held.deck, held.index): code})

    def with_openings(self, openings: Mapping[TileId, ValueOpening]) -> Secrets:
        """Return the secrets that know what more value commitments hide."""
        return replace(self, openings={**self.openings, **openings})


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """The one who plays: seat, identity, source of randomness, secrets of the current round."""

    seat: int
    signer: Signer
    entropy: Entropy = field(repr=False)
    secrets: Secrets = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A message ready to be sealed, and the openings that must be kept before it is sent."""

    body: Body
    openings: Mapping[TileId, ValueOpening] = field(default_factory=dict, repr=False)


def fresh_secrets(entropy: Entropy) -> Secrets:
    """Return the secrets with which a round begins."""
    return Secrets(nonce=entropy(NONCE_BYTES), key=generate_secret(entropy), codes={}, openings={})


def keep_round(round_: Round, secrets: Secrets) -> bytes:
    """Return the record that keeps a new round's key and nonce."""
    return encode_record("round", encode((round_.contract_hash, secrets.nonce, secrets.key)))


def keep_openings(openings: Mapping[TileId, ValueOpening]) -> bytes:
    """Return the record that keeps the openings of new value commitments."""
    items = tuple((*tile, o.code, o.blinding) for tile, o in sorted(openings.items()))
    return encode_record("openings", encode(items))


def keep_envelope(raw: bytes) -> bytes:
    """Return the record that keeps an envelope of one's own until its step is in the log."""
    return encode_record("envelope", raw)


def keep_heard(raw: bytes) -> bytes:
    """Return the record that keeps an accepted envelope until its step is in the log.

    Who has accepted what a seat said never signs to go on without it, also after a crash.
    """
    return encode_record("heard", raw)


def keep_signed(raw: bytes) -> bytes:
    """Return the record that keeps a vote or promise of one's own, lest a damaged log lose it."""
    return encode_record("signed", raw)


def keep_resigning() -> bytes:
    """Return the record that keeps that this seat's player resigns once its program may speak."""
    return encode_record("resigning", b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a secrets file holds for the last round in it: envelopes, one's own and others'.

    ``signed`` are the votes and promises that this seat made; ``resigning`` tells that its player
    has wished to resign.
    """

    contract_hash: bytes
    secrets: Secrets = field(repr=False)
    envelopes: tuple[bytes, ...]
    heard: tuple[bytes, ...] = ()
    signed: tuple[bytes, ...] = ()
    resigning: bool = False


def read_kept(records: Iterable[Record]) -> Kept | None:
    """Return what a secrets file keeps for the round that began last, ``None`` if there is none.

    Raises:
        PeerFault: ``secrets.record``, ``codec.*``, ``key.*``: the file is not what was written.

    """
    kept: Kept | None = None
    for record in records:
        if record.kind == "round":
            kept = _read_round(record.data)
        elif kept is None:
            raise PeerFault("secrets.record", "no round yet")
        elif record.kind == "envelope":
            kept = replace(kept, envelopes=(*kept.envelopes, record.data))
        elif record.kind == "heard":
            kept = replace(kept, heard=(*kept.heard, record.data))
        elif record.kind == "signed":
            kept = replace(kept, signed=(*kept.signed, record.data))
        elif record.kind == "resigning":
            kept = replace(kept, resigning=True)
        else:
            openings = _read_openings(record.data)
            kept = replace(kept, secrets=kept.secrets.with_openings(openings))
    return kept


def commitment_of(kept: Kept, seat: int) -> bytes:
    """Return the commitment (32 bytes) that goes with what was kept, had ``seat`` made it."""
    return commit(kept.contract_hash, seat, kept.secrets.nonce, public_key(kept.secrets.key))


def seat_of_kept(records: Iterable[Record], seats: int) -> int | None:
    """Return which of ``seats`` seats a secrets file belongs to, ``None`` if it said nothing yet.

    The commitment with which a round begins tells: only one seat can have made it with this key
    and nonce.

    Raises:
        PeerFault: ``secrets.record``, ``codec.*``, ``envelope.*``, ``key.*``: the file is not what
            was written.
    """
    kept: Kept | None = None
    for record in records:
        if record.kind == "round":
            kept = _read_round(record.data)
        elif record.kind == "envelope" and kept is not None:
            payload = read_envelope(record.data).payload
            for seat in range(seats) if payload.kind == "commit" else ():
                if payload.body == Body(fields=(commitment_of(kept, seat),)).encode():
                    return seat
    return None


def _read_round(data: bytes) -> Kept:
    contract_hash, nonce, key = as_array(decode(data), "secrets.record", length=3)
    return Kept(
        contract_hash=as_bytes(contract_hash, "secrets.record", length=NONCE_BYTES),
        secrets=Secrets(
            nonce=as_bytes(nonce, "secrets.record", length=NONCE_BYTES),
            key=decode_secret(as_bytes(key, "secrets.record")),
            codes={},
            openings={},
        ),
        envelopes=(),
    )


def _read_openings(data: bytes) -> dict[TileId, ValueOpening]:
    openings = {}
    for item in as_array(decode(data), "secrets.record"):
        deck, index, code, blinding = as_array(item, "secrets.record", length=4)
        tile = as_uint(deck, "secrets.record"), as_uint(index, "secrets.record")
        openings[tile] = ValueOpening(
            code=as_uint(code, "secrets.record"),
            blinding=Scalar(as_bytes(blinding, "secrets.record", length=NONCE_BYTES)),
        )
    return openings
