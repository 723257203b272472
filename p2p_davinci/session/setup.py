"""The steps before the deal: commit, open, shuffle (SPEC, steps of a round).

Each step is three functions side by side: ``make_*`` (the seat that speaks), ``check_*`` (everybody
else) and ``close_*`` (what follows once all have spoken).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from protocol import (
    PeerFault,
    Point,
    Shuffled,
    Value,
    as_array,
    as_bytes,
    coin,
    combine_keys,
    commit,
    prove_key,
    prove_shuffle,
    public_key,
    session_id,
    shuffle_deck,
    start_deck,
    verify_commitment,
    verify_key,
    verify_shuffle,
)

from .messages import (
    HASH_BYTES,
    Body,
    CommitSent,
    Message,
    OpenSent,
    ShuffleSent,
    deck_field,
    join,
    read_deck,
    read_points,
)
from .secrets import NONCE_BYTES, Made, Seat
from .state import Round


def make_commit(round_: Round, me: Seat) -> Made:
    """Commit to one's nonce and key."""
    key = public_key(me.secrets.key)
    commitment = commit(round_.contract_hash, me.seat, me.secrets.nonce, key)
    return Made(body=Body(fields=(commitment,)))


def check_commit(_round: Round, _seat: int, body: Body) -> CommitSent:
    """Read a commitment.

    Raises:
        PeerFault: ``commit.shape``.

    """
    (commitment,) = body.read("commit.shape", 1, 0)
    return CommitSent(commitment=as_bytes(commitment, "commit.shape", length=HASH_BYTES))


def close_commit(round_: Round, said: Mapping[int, Message]) -> Round:
    """Keep all commitments."""
    sent = [said[seat] for seat in range(round_.seats)]
    return replace(
        round_, commitments=tuple(m.commitment for m in sent if isinstance(m, CommitSent))
    )


def make_open(round_: Round, me: Seat) -> Made:
    """Open one's commitment and prove that one knows the key."""
    fields = (me.secrets.nonce, public_key(me.secrets.key))
    proof = prove_key(me.secrets.key, round_.tag(me.seat, "open.key", fields), me.entropy)
    return Made(body=Body(fields=fields, proofs=(proof,)))


def check_open(round_: Round, seat: int, body: Body) -> OpenSent:
    """Check an opened commitment and its key.

    Raises:
        PeerFault: ``open.shape``, ``point.*``, ``commit.mismatch``, ``open.reused`` (this key was
            used in an earlier round of the table), ``sigma.*``.

    """
    nonce_field, key_field = body.read("open.shape", 2, 1)
    nonce = as_bytes(nonce_field, "open.shape", length=NONCE_BYTES)
    (key,) = read_points(key_field, "open.shape", 1)
    verify_commitment(round_.commitments[seat], round_.contract_hash, seat, nonce, key)
    if key in round_.used_keys:
        raise PeerFault("open.reused")
    verify_key(key, body.proofs[0], round_.tag(seat, "open.key", body.fields))
    return OpenSent(nonce=nonce, key=key)


def close_open(round_: Round, said: Mapping[int, Message]) -> Round:
    """Fix keys, joint key, coin and start decks; the session id now binds all nonces."""
    sent = [m for m in (said[seat] for seat in range(round_.seats)) if isinstance(m, OpenSent)]
    keys = tuple(m.key for m in sent)
    nonces = tuple(m.nonce for m in sent)
    joint = combine_keys(keys)
    agreed, playing = round_.contract.first, round_.contract.playing
    return replace(
        round_,
        chain=replace(round_.chain, session=session_id(round_.contract_hash, nonces, keys)),
        keys=keys,
        nonces=nonces,
        joint=joint,
        used_keys=round_.used_keys | set(keys),
        decks=tuple(start_deck(codes, joint) for codes in round_.codes),
        taken=tuple(0 for _ in round_.codes),
        first=playing[coin(nonces, len(playing))] if agreed is None else agreed,
    )


def _joint(round_: Round) -> Point:
    if round_.joint is None:
        raise ValueError("the keys are not open yet")
    return round_.joint


def make_shuffle(round_: Round, me: Seat) -> Made:
    """Permute and re-mask every deck, with proof."""
    done = [shuffle_deck(deck, _joint(round_), me.entropy) for deck in round_.decks]
    fields = tuple((deck_field(shuffled.deck), join(shuffled.commitments)) for shuffled, _ in done)
    proofs = tuple(
        prove_shuffle(
            _joint(round_),
            round_.decks[k],
            shuffled,
            witness,
            round_.tag(me.seat, "shuffle", fields, k),
            me.entropy,
        )
        for k, (shuffled, witness) in enumerate(done)
    )
    return Made(body=Body(fields=fields, proofs=proofs))


def check_shuffle(round_: Round, seat: int, body: Body) -> ShuffleSent:
    """Check that every deck was permuted and re-masked, and nothing else.

    Raises:
        PeerFault: ``shuffle.shape``, ``point.*``, ``sigma.*``.

    """
    count = len(round_.decks)
    fields = body.read("shuffle.shape", count, count)
    done = [
        _read_shuffled(field, len(before))
        for field, before in zip(fields, round_.decks, strict=True)
    ]
    for k, (before, shuffled) in enumerate(zip(round_.decks, done, strict=True)):
        tag = round_.tag(seat, "shuffle", body.fields, k)
        verify_shuffle(_joint(round_), before, shuffled, body.proofs[k], tag)
    return ShuffleSent(decks=tuple(shuffled.deck for shuffled in done))


def _read_shuffled(field: Value, size: int) -> Shuffled:
    deck, commitments = as_array(field, "shuffle.shape", length=2)
    return Shuffled(
        deck=read_deck(deck, "shuffle.shape", size),
        commitments=read_points(commitments, "shuffle.shape", size),
    )


def close_shuffle(round_: Round, said: Mapping[int, Message]) -> Round:
    """Take over the shuffled decks."""
    (sent,) = said.values()
    decks = sent.decks if isinstance(sent, ShuffleSent) else ()
    return replace(round_, decks=decks, shuffled=round_.shuffled + 1)
