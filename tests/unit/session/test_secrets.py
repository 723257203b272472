"""What a seat keeps: written before anything depends on it, and read back as it was."""

from __future__ import annotations

import pytest

from p2p_davinci.session import wire
from p2p_davinci.session.game import own_tiles
from p2p_davinci.session.secrets import KINDS, Kept, keep_openings, read_kept
from protocol import SECRETS_HEADER, Record, Value, ValueOpening, encode, read_envelope, read_log
from protocol.group import edwards25519
from tests.support.crypto import lifted
from tests.support.faults import expect_fault
from tests.support.recorded import recording
from tests.support.table import Peer, new_table


def kept_by(peer: Peer) -> Kept:
    data = SECRETS_HEADER + b"".join(peer.secrets.records)
    records, torn = read_log(data, header=SECRETS_HEADER, kinds=KINDS)
    assert torn == 0
    kept = read_kept(records)
    assert kept is not None
    return kept


@pytest.mark.parametrize("preset", ["standard", "classic"])
def test_a_secrets_file_keeps_all_that_cannot_be_computed_again(preset: str) -> None:
    table = recording(preset).find("guess", nth=6).table
    for peer in table.peers:
        kept, secrets = kept_by(peer), peer.game.secrets
        assert secrets is not None
        assert kept.contract_hash == peer.game.round.contract_hash
        assert (kept.secrets.nonce, kept.secrets.key) == (secrets.nonce, secrets.key)
        assert kept.secrets.openings == secrets.openings
        standing = [held for held in own_tiles(peer.game.round, peer.seat) if held.value]
        assert {(held.deck, held.index) for held in standing} <= kept.secrets.openings.keys()


def test_a_secrets_file_keeps_all_that_was_said() -> None:
    table = recording("standard").find("guess", nth=6).table
    for peer in table.peers:
        said = [wire.read(data) for data in peer.sent]
        assert [wire.Chained(raw=raw) for raw in kept_by(peer).envelopes] == said
        seats = {read_envelope(raw).payload.seat for raw in kept_by(peer).envelopes}
        assert seats == {peer.seat}


def test_the_last_round_alone_counts() -> None:
    table = recording("tournament", 3, 2, rounds="2").end
    for peer in table.peers:
        kept = kept_by(peer)
        assert kept.contract_hash == peer.game.round.contract_hash
        kinds = [read_envelope(raw).payload.kind for raw in kept.envelopes]
        assert kinds.count("commit") == 1


def test_everything_is_on_disk_before_it_is_sent() -> None:
    table = new_table(2, seed="disk")
    peer = table.peers[0]

    outlets = peer.driver._outlets
    seen: list[tuple[int, int, int]] = []

    def send(data: bytes, to: int | None) -> None:
        seen.append((len(peer.secrets.records), peer.secrets.synced, peer.log.synced))

    object.__setattr__(outlets, "send", send)
    table.start()
    assert seen
    assert all(written == synced for written, synced, _ in seen)
    assert all(logged == 1 for *_, logged in seen)


ROUND: tuple[Value, ...] = (bytes(32), b"n" * 32, edwards25519.scalar(5))


def record(kind: str, value: Value) -> Record:
    return Record(kind=kind, data=encode(value), offset=0)


def changed(index: int, value: Value) -> Record:
    return record("round", (*ROUND[:index], value, *ROUND[index + 1 :]))


def test_an_empty_file_keeps_nothing() -> None:
    assert read_kept(()) is None


def test_openings_read_back_as_they_were() -> None:
    openings = {(0, 3): ValueOpening(7, edwards25519.scalar(9))}
    (written,), _ = read_log(
        SECRETS_HEADER + keep_openings(openings), header=SECRETS_HEADER, kinds=KINDS
    )
    kept = read_kept((record("round", ROUND), written))
    assert kept is not None
    assert kept.secrets.openings == openings


@pytest.mark.parametrize(
    ("records", "check"),
    [
        ((record("envelope", 1),), "secrets.record"),
        ((record("openings", ()),), "secrets.record"),
        ((record("round", None),), "secrets.record"),
        ((record("round", ROUND[1:]),), "secrets.record"),
        ((changed(0, b""),), "secrets.record"),
        ((changed(1, b""),), "secrets.record"),
        ((changed(2, 5),), "secrets.record"),
        ((changed(2, bytes(32)),), "key.zero"),
        ((changed(2, lifted(edwards25519.scalar(5))),), "scalar.range"),
        ((record("round", ROUND), record("openings", None)), "secrets.record"),
        ((record("round", ROUND), record("openings", ((0, 1, 2),))), "secrets.record"),
        ((record("round", ROUND), record("openings", ((0, 1, 2, b""),))), "secrets.record"),
        ((record("round", ROUND), record("openings", ((0, 1, "", bytes(32)),))), "secrets.record"),
    ],
)
def test_a_spoilt_file_is_refused(records: tuple[Record, ...], check: str) -> None:
    with expect_fault(check):
        read_kept(records)
