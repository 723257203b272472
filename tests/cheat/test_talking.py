"""Cheats with who is told what: twice, differently, not at all, again, too late, or unsigned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_davinci.session import wire
from p2p_davinci.session.arriving import BEAT_S, DOUBT_S, DOUBTS_MAX, EARLY_MAX
from p2p_davinci.session.events import Received
from p2p_davinci.session.hearing import ENVELOPE_BYTES_MAX
from p2p_davinci.session.messages import Body
from protocol import (
    Payload,
    as_uint,
    check_double_speaking,
    encode,
    read_evidence,
    seal,
)
from tests.support.cheating import Scene, remade, scene_at
from tests.support.recorded import hitting, recording
from tests.support.table import signers


def at(kind: str, seat: int | None = None, nth: int = 0, preset: str = "standard") -> Scene:
    return scene_at(recording(preset).find(kind, seat=seat, nth=nth))


def another(scene: Scene) -> Payload:
    """Return something else that would be as right in this step."""
    match scene.honest.kind:
        case "guess":
            target, slot, call = scene.body.fields
            return scene.with_fields(target, slot, "b11" if call != "b11" else "w11")
        case "commit":
            return scene.with_fields(bytes(32))
        case "draw":
            return scene.says(Body(fields=(scene.me.secrets.key,)), "resign")
        case _:
            return remade(scene)


KINDS = ("commit", "open", "shuffle", "shares", "arrange", "draw", "guess", "answer", "receipt")
CHOICES = KINDS[:-1]
"""Those of which there are several right ones, or one can say something else."""


# --- two things in one step ------------------------------------------------------------------


@pytest.mark.parametrize("kind", CHOICES)
def test_two_payloads_in_one_step_are_evidence(kind: str) -> None:
    scene = at(kind, seat=None if kind in ("draw", "guess", "answer") else 1)
    lie = another(scene)
    scene.tell(scene.honest)
    scene.expect_accepted()
    scene.tell(lie)
    scene.expect_blame("chain.doubled")
    for peer in scene.others:
        ((culprit, data),) = peer.evidence
        evidence, accused = read_evidence(data)
        check_double_speaking(evidence.first, evidence.second, accused)
        assert (culprit, accused) == (scene.seat, scene.contract.players[scene.seat].key)
        assert {evidence.first.payload, evidence.second.payload} == {scene.honest, lie}


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_payload_twice_is_no_fault(kind: str) -> None:
    scene = at(kind)
    for _ in range(2):
        scene.tell(scene.honest)
        scene.expect_accepted()


def test_a_second_payload_is_evidence_even_at_another_head() -> None:
    scene = at("guess")
    scene.tell(scene.honest)
    scene.tell(replace(scene.honest, head=bytes(32)))
    scene.expect_blame("chain.doubled")


def test_a_second_payload_for_a_step_long_over_is_evidence() -> None:
    scene = at("place")
    before = recording("standard").find("commit", seat=scene.seat).payload
    scene.tell(replace(before, body=Body(fields=(bytes(32),)).encode()))
    scene.expect_blame("chain.doubled", step=0)


def test_evidence_fits_into_the_log_however_long_the_lie() -> None:
    scene = at("guess")
    scene.tell(scene.honest)
    padding = bytes(ENVELOPE_BYTES_MAX - 300)
    scene.tell(scene.says(Body(fields=(), proofs=(padding,))))
    scene.expect_blame("chain.doubled")


def test_what_is_longer_than_any_message_is_not_read() -> None:
    scene = at("guess")
    scene.tell(scene.says(Body(fields=(), proofs=(bytes(ENVELOPE_BYTES_MAX),))))
    scene.expect_suspicion("envelope.size")


# --- different things to different seats -----------------------------------------------------


@pytest.mark.parametrize("kind", CHOICES)
def test_telling_two_seats_different_things_is_found_by_comparing(kind: str) -> None:
    scene = at(kind, seat=None if kind in ("draw", "guess", "answer") else 1)
    one, other = scene.others
    lie = another(scene)
    scene.tell(scene.honest, to=[one.seat])
    scene.tell(lie, to=[other.seat])
    assert one.blamed is other.blamed is None
    play_on(scene)
    scene.expect_blame("chain.doubled")


@pytest.mark.parametrize("kind", CHOICES)
def test_telling_two_seats_the_same_is_fine(kind: str) -> None:
    scene = at(kind, seat=None if kind in ("draw", "guess", "answer") else 1)
    one, other = scene.others
    scene.tell(scene.honest, to=[one.seat])
    scene.tell(scene.honest, to=[other.seat])
    play_on(scene)
    assert one.blamed is other.blamed is None
    assert one.game.round.chain == other.game.round.chain


def play_on(scene: Scene) -> None:
    """Let the honest seats go on by themselves for a while, the cheater saying nothing more."""
    table = scene.table
    table.tamper = lambda sender, _to, data: None if sender == scene.seat else data
    table.deliver()
    for peer in scene.others:
        if table.due() is peer and peer.blamed is None:
            table.play(peer.seat, table.bot_move(peer))
    table.deliver()
    table.tick(BEAT_S)
    table.deliver()


def test_different_receipts_are_found_in_the_next_round() -> None:
    game = recording("tournament", 3, 2, rounds="2")
    scene = scene_at(game.find("receipt", seat=1))
    one, other = scene.others
    winner, points, _ = scene.body.fields
    scene.tell(scene.honest, to=[one.seat])
    scene.tell(scene.with_fields(winner, points, bytes(16)), to=[other.seat])
    play_on(scene)
    scene.expect_blame("chain.doubled")


def test_a_lie_is_found_after_a_stretch_in_which_only_the_liar_and_one_partner_spoke() -> None:
    """The third seat hears nothing meanwhile, so its next message alone would not tell who lied."""
    scene = at("guess", preset="classic")
    table, partner = scene.table, int(as_uint(scene.body.fields[0], "seat"))
    (third,) = (peer for peer in scene.others if peer.seat != partner)
    scene.tell(another(scene), to=[third.seat])
    table.disconnect(partner, third.seat)
    scene.tell(scene.honest, to=[partner])
    table.disconnect(scene.seat, third.seat)
    table.deliver()
    for _ in range(4):
        speaker = table.due()
        assert speaker is table.peers[scene.seat]
        table.play(speaker.seat, hitting(table, speaker))
        table.deliver()
    alone = table.peers[partner].game.round.chain.step.number - scene.honest.step
    assert alone >= 4
    assert third.game.round.chain.step.number == scene.honest.step + 1
    assert all(peer.blamed is None for peer in scene.others)
    table.connect(partner, third.seat)
    table.deliver()
    scene.expect_blame("chain.doubled")


def test_one_seat_told_what_is_right_and_one_what_is_wrong() -> None:
    scene = at("answer")
    one, other = scene.others
    scene.tell(scene.honest, to=[one.seat])
    scene.tell(scene.with_proofs(), to=[other.seat])
    assert other.blamed is not None
    assert (other.blamed.check, other.blamed.proved) == ("answer.shape", True)
    play_on(scene)
    assert one.blamed is not None
    assert (one.blamed.seat, one.blamed.check) == (scene.seat, "chain.doubled")
    assert one.blamed.proved


def test_what_is_wrong_for_one_seat_is_shown_to_the_others() -> None:
    scene = at("answer")
    one, other = scene.others
    scene.tell(scene.with_proofs(), to=[one.seat])
    assert other.blamed is None
    play_on(scene)
    scene.expect_blame("answer.shape")


def test_a_seat_that_missed_the_end_of_a_void_game_is_told_on_asking() -> None:
    scene = at("answer")
    one, other = scene.others
    scene.table.disconnect(one.seat, other.seat)
    scene.tell(scene.with_proofs(), to=[one.seat])
    play_on(scene)
    assert one.blamed is not None
    assert other.blamed is None
    scene.table.connect(one.seat, other.seat)
    scene.table.deliver()
    scene.expect_blame("answer.shape")


# --- not telling somebody --------------------------------------------------------------------


def test_what_one_seat_is_not_told_it_hears_from_the_others() -> None:
    scene = at("guess")
    one, other = scene.others
    scene.tell(scene.honest, to=[one.seat])
    assert other.game.round.chain.step.number == scene.honest.step
    play_on(scene)
    assert other.game.round.chain.step.number > scene.honest.step
    assert one.game.round.chain == other.game.round.chain


# --- out of turn, too early, too late --------------------------------------------------------


def test_speaking_out_of_turn_is_proof_even_where_the_step_is_over() -> None:
    scene = at("draw")
    late = replace(scene, seat=(scene.seat + 1) % 3)
    (witness,) = [peer for peer in late.others if peer.seat != scene.seat]
    scene.tell(scene.honest, to=[witness.seat])
    assert scene.honest.step < witness.game.round.chain.step.number
    late.tell(late.says(Body(fields=(0,))))
    late.expect_blame("chain.speaker")


def test_one_sender_cannot_crowd_out_what_others_send_early() -> None:
    scene = at("commit", seat=1)
    victim = scene.others[0]
    for k in range(EARLY_MAX + 10):
        scene.tell(replace(scene.honest, step=100 + k, session=bytes(32)), to=[victim.seat])
    assert len(victim.game.early) == EARLY_MAX
    early = recording("standard").find("shuffle", seat=0).payload
    raw = wire.write(wire.Chained(raw=seal(early, scene.table.who[0]).encode()))
    scene.table.give(victim.seat, Received(seat=0, data=raw))
    assert victim.game.early[-1] == (0, seal(early, scene.table.who[0]).encode())
    assert victim.blamed is None


# --- what proves nothing ---------------------------------------------------------------------


def unsigned(scene: Scene) -> bytes:
    envelope = seal(scene.honest, scene.table.who[scene.seat])
    return replace(envelope, signature=bytes(64)).encode()


def signed_by_a_stranger(scene: Scene) -> bytes:
    (stranger,) = signers(1)
    return seal(scene.honest, stranger).encode()


def from_no_seat(scene: Scene) -> bytes:
    return seal(replace(scene.honest, seat=7), scene.table.who[scene.seat]).encode()


def in_anothers_name(scene: Scene) -> bytes:
    other = scene.others[1].seat
    return seal(replace(scene.honest, seat=other), scene.table.who[scene.seat]).encode()


@pytest.mark.parametrize(
    ("forge", "check"),
    [
        (unsigned, "envelope.signature"),
        (signed_by_a_stranger, "envelope.signature"),
        (in_anothers_name, "envelope.signature"),
        (from_no_seat, "envelope.seat"),
        (lambda _: b"", "codec.canonical"),
        (lambda _: encode((b"", bytes(64))), "codec.canonical"),
        (lambda _: encode((b"",)), "envelope.shape"),
    ],
)
def test_what_the_cheater_did_not_sign_is_mere_suspicion(
    forge: Callable[[Scene], bytes], check: str
) -> None:
    scene = at("guess")
    scene.send(wire.write(wire.Chained(raw=forge(scene))))
    scene.expect_suspicion(check)


@pytest.mark.parametrize(
    ("data", "check"),
    [
        (b"", "codec.canonical"),
        (b"\xc1", "codec.canonical"),
        (encode(None), "wire.shape"),
        (encode(()), "wire.shape"),
        (encode(("hello",)), "wire.shape"),
        (encode(("envelope",)), "wire.shape"),
        (encode(("at", bytes(32), bytes(32), 1)), "wire.shape"),
        (encode(("bye", 1)), "wire.shape"),
    ],
)
def test_what_is_no_message_is_mere_suspicion(data: bytes, check: str) -> None:
    scene = at("guess")
    scene.send(data)
    scene.expect_suspicion(check)


def test_a_forged_signature_relayed_is_held_against_the_relay() -> None:
    scene = at("guess")
    victim = scene.others[0]
    relay = scene.others[1]
    data = wire.write(wire.Chained(raw=unsigned(scene)))
    scene.table.give(victim.seat, Received(seat=relay.seat, data=data))
    assert victim.blamed is not None
    assert (victim.blamed.seat, victim.blamed.proved) == (relay.seat, False)


@pytest.mark.parametrize("field", ["session", "head"])
def test_another_session_or_head_is_doubted_before_it_is_suspected(field: str) -> None:
    scene = at("guess")
    changed = {field: bytes(32)}
    scene.tell(replace(scene.honest, **changed))  # type: ignore[arg-type]
    scene.table.tamper = lambda sender, _to, data: None if sender == scene.seat else data
    scene.table.deliver()
    scene.table.tick(DOUBT_S / 2)
    assert all(peer.blamed is None for peer in scene.others)
    scene.table.tick(DOUBT_S / 2)
    scene.expect_suspicion(f"chain.{field}")


def test_the_right_message_after_one_at_another_head_is_double_speaking() -> None:
    scene = at("guess")
    scene.tell(replace(scene.honest, head=bytes(32)))
    scene.tell(scene.honest)
    scene.expect_blame("chain.doubled")


def test_the_envelope_of_another_table_is_held_against_who_brings_it() -> None:
    scene = at("guess")
    victim, honest = scene.others
    stray = replace(scene.honest, session=bytes(32), seat=honest.seat)
    raw = wire.write(wire.Chained(raw=seal(stray, scene.table.who[honest.seat]).encode()))
    scene.table.give(victim.seat, Received(seat=scene.seat, data=raw))
    scene.table.tamper = lambda *_: None
    scene.table.tick(DOUBT_S)
    assert victim.blamed is not None
    assert (victim.blamed.seat, victim.blamed.proved) == (scene.seat, False)


def test_a_flood_of_doubtful_envelopes_is_kept_within_bounds_and_answered_once() -> None:
    scene = at("guess")
    victim = scene.others[0]
    sent = len(victim.sent)
    for k in range(DOUBTS_MAX + 5):
        lie = replace(scene.honest, head=k.to_bytes(32, "big"))
        for _ in range(2):
            scene.tell(lie, to=[victim.seat])
    assert len(victim.game.doubts) == DOUBTS_MAX
    said = sum(len(step) for step in victim.game.round.transcript)
    assert len(victim.sent) - sent == said + len(victim.game.round.spoken)


def test_doubts_wait_while_the_link_is_down() -> None:
    scene = at("guess")
    victim = scene.others[0]
    scene.tell(replace(scene.honest, head=bytes(32)), to=[victim.seat])
    scene.table.disconnect(scene.seat, victim.seat)
    scene.table.tick(DOUBT_S)
    assert victim.blamed is None
