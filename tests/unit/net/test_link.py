"""The handshake and the frames after it, end against end and against somebody in the middle."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_davinci.net.certificate import CERTIFICATE_BYTES, make_certificate
from p2p_davinci.net.framing import Frame, pack_frame
from p2p_davinci.net.hello import HELLO_BYTES_MAX
from p2p_davinci.net.limits import FRAME_BODY_BYTES_MAX, Limits
from p2p_davinci.net.link import LINK_VERSION, MAGIC, Kind, Link, LinkError, busy_preface

from .ends import KEYS, Maker, hello, public, pump

PREFACE_BYTES = 12


@pytest.fixture
def make(tmp_path: Path) -> Maker:
    return Maker(tmp_path)


def failure(link: Link, data: bytes) -> LinkError:
    with pytest.raises(LinkError) as caught:
        link.receive(data)
    return caught.value


@pytest.mark.parametrize("step", [1, 7, 65536])
def test_both_ends_learn_the_other_and_name_the_connection_alike(make: Maker, step: int) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(1, dialer=False)
    carried = pump(dialer, listener, step=step)
    assert dialer.peer is not None
    assert listener.peer is not None
    assert dialer.peer.identity == public(KEYS[1])
    assert listener.peer.identity == public(KEYS[0])
    assert listener.peer.card == b"card"
    assert dialer.id == listener.id
    assert len(dialer.id) == 32
    assert carried < 2 * Limits().unproved_bytes


def test_two_links_of_the_same_peers_have_different_names(make: Maker) -> None:
    first, _ = make.linked()
    dialer = make.end(0, dialer=True, nonce=b"\x01" * 32)
    pump(dialer, make.end(1, dialer=False))
    assert dialer.id != first.id


def test_frames_of_every_size_arrive_in_order_both_ways(make: Maker) -> None:
    dialer, listener = make.linked()
    bodies = [b"", b"x", bytes(16384), bytes(FRAME_BODY_BYTES_MAX)]
    for body in bodies:
        dialer.send(Kind.DATA, body)
        listener.send(Kind.DATA, body)
    pump(dialer, listener, step=1000)
    for end in (dialer, listener):
        assert [end.next_frame() for _ in bodies] == [
            Frame(kind=Kind.DATA, body=body) for body in bodies
        ]
        assert end.next_frame() is None


def test_a_frame_beyond_the_limit_is_not_sent(make: Maker) -> None:
    dialer, _ = make.linked()
    with pytest.raises(ValueError, match="65537"):
        dialer.send(Kind.DATA, bytes(FRAME_BODY_BYTES_MAX + 1))


def test_nothing_can_be_sent_before_the_encryption_stands(make: Maker) -> None:
    with pytest.raises(RuntimeError):
        make.end(0, dialer=True).send(Kind.DATA, b"")


def test_what_is_sent_cannot_be_read_or_changed_on_the_way(make: Maker) -> None:
    dialer, listener = make.linked()
    dialer.send(Kind.DATA, b"a secret that must not be seen")
    data = bytearray(dialer.take_output())
    assert b"secret" not in data
    data[-1] ^= 1
    error = failure(listener, bytes(data))
    assert error.reason == "fault"
    assert error.detail.startswith("tls")


def test_a_four_gigabyte_frame_is_refused_by_its_header(make: Maker) -> None:
    dialer, listener = make.linked()
    dialer.write(b"\xff\xff\xff\xff" + bytes([Kind.DATA]))
    assert failure(listener, dialer.take_output()).reason == "fault"


# --- strangers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("greeting", [b"SSH-2.0-OpenSSH_9.9\r\n", b"HTTP/1.1 400 Bad\r\n", b"\x00"])
def test_something_else_at_that_port_is_called_so(make: Maker, greeting: bytes) -> None:
    assert failure(make.end(0, dialer=True), greeting).reason == "not_ours"
    assert failure(make.end(0, dialer=False), greeting).reason == "not_ours"


def test_a_busy_listener_says_so(make: Maker) -> None:
    assert failure(make.end(0, dialer=True), busy_preface()).reason == "busy"


def test_both_ends_are_told_of_another_link_version(make: Maker) -> None:
    dialer = make.end(0, dialer=True)
    theirs = MAGIC + bytes([LINK_VERSION + 1]) + b"whatever that version says"
    error = failure(dialer, theirs)
    assert (error.reason, error.detail) == ("version", str(LINK_VERSION + 1))
    told = dialer.take_output()
    assert told[: len(MAGIC) + 1] == MAGIC + bytes([LINK_VERSION])
    error = failure(make.end(1, dialer=False), theirs)
    assert (error.reason, error.detail) == ("version", str(LINK_VERSION + 1))


def test_ones_own_echo_is_recognised(make: Maker) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(0, dialer=False)
    assert failure(dialer, listener.take_output()).reason == "self"


def test_the_own_identity_under_another_certificate_is_recognised(make: Maker) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(1, dialer=False)
    listener._hello_bytes = hello(KEYS[0]).encode()
    with pytest.raises(LinkError) as caught:
        pump(dialer, listener)
    assert caught.value.reason == "self"


def certificate_in(preface: bytes) -> bytes:
    return preface[PREFACE_BYTES:]


@pytest.mark.parametrize("where", [0, 60, CERTIFICATE_BYTES - 70])
def test_a_certificate_of_another_form_is_not_even_parsed(make: Maker, where: int) -> None:
    preface = bytearray(make.end(1, dialer=False).take_output())
    preface[PREFACE_BYTES + where] ^= 0xFF
    error = failure(make.end(0, dialer=True), bytes(preface))
    assert (error.reason, error.detail) == ("fault", "certificate")


def test_a_preface_of_another_length_or_status_is_refused(make: Maker) -> None:
    preface = bytearray(make.end(1, dialer=False).take_output())
    preface[11] -= 1
    assert failure(make.end(0, dialer=True), bytes(preface)).detail == "preface"
    preface[11] += 1
    preface[9] = 7
    assert failure(make.end(0, dialer=True), bytes(preface)).detail == "preface"


def test_another_certificate_inside_tls_than_in_the_clear_is_refused(make: Maker) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(1, dialer=False)
    shown = listener.take_output()
    other = make_certificate(KEYS[3])
    dialer.receive(shown.replace(certificate_in(shown), other))
    listener.receive(dialer.take_output())
    error = failure(dialer, listener.take_output())
    assert error.reason == "fault"
    assert "CERTIFICATE" in error.detail


def test_a_dialler_with_another_certificate_inside_tls_is_refused(make: Maker) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(1, dialer=False)
    dialer.receive(listener.take_output())
    shown = dialer.take_output()
    mine = make.credentials(0).certificate
    listener.receive(shown.replace(mine, make_certificate(KEYS[3])))
    dialer.receive(listener.take_output())
    error = failure(listener, dialer.take_output())
    assert error.reason == "fault"
    assert "CERTIFICATE" in error.detail


# --- proofs -------------------------------------------------------------------------------------


def test_a_relayed_handshake_fails_on_both_sides(make: Maker) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(1, dialer=False)
    to_dialer, to_listener = make.end(2, dialer=False), make.end(2, dialer=True)
    # The middle speaks TLS to both and passes the frames on as they are.
    to_dialer._hello_bytes = hello(KEYS[1]).encode()
    to_listener._hello_bytes = hello(KEYS[0]).encode()
    to_dialer.obey = to_listener.obey = False
    pump(dialer, to_dialer)
    pump(to_listener, listener)
    for middle in (to_dialer, to_listener):
        assert [frame.kind for frame in middle.heard] == [Kind.HELLO, Kind.PROOF]
    to_listener.send(Kind.PROOF, to_dialer.heard[1].body)
    to_dialer.send(Kind.PROOF, to_listener.heard[1].body)
    for middle, end in ((to_listener, listener), (to_dialer, dialer)):
        error = failure(end, middle.take_output())
        assert (error.reason, error.detail) == ("fault", "proof")
        assert end.peer is None


def test_a_replayed_hello_and_proof_do_not_open_a_second_link(make: Maker) -> None:
    listener = make.end(1, dialer=False)
    honest = make.end(0, dialer=True)
    pump(honest, listener)
    assert listener.peer is not None
    # The thief even has the honest peer's TLS key, but not its identity key.
    thief = make.end(0, dialer=True, nonce=b"\x07" * 32)
    again = make.end(1, dialer=False, nonce=b"\x08" * 32)
    replay = iter(honest.said)
    thief.say = lambda *_: [pack_frame(*next(replay))]
    with pytest.raises(LinkError) as caught:
        pump(thief, again)
    assert (caught.value.reason, caught.value.detail) == ("fault", "proof")
    assert again.peer is None


def test_ones_own_proof_sent_back_does_not_pass(make: Maker) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(1, dialer=False)
    listener.say = lambda kind, body: [pack_frame(kind, body)] if kind == Kind.HELLO else []
    pump(dialer, listener)
    assert [frame.kind for frame in listener.heard] == [Kind.HELLO, Kind.PROOF]
    listener.write(pack_frame(Kind.PROOF, listener.heard[1].body))
    assert failure(dialer, listener.take_output()).detail == "proof"


def test_the_two_sides_sign_different_statements(make: Maker) -> None:
    dialer, _ = make.linked()
    assert dialer._statement(True) != dialer._statement(False)


def test_the_certificate_inside_tls_is_compared_with_the_one_shown(make: Maker) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(1, dialer=False)
    dialer.receive(listener.take_output())
    dialer._their_certificate = make_certificate(KEYS[3])
    with pytest.raises(LinkError) as caught:
        pump(dialer, listener)
    assert caught.value.detail == "another certificate inside TLS"


def test_a_large_frame_announced_before_the_proof_is_refused_by_its_header(make: Maker) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(1, dialer=False)
    dialer.say = lambda kind, _body: [pack_frame(kind, bytes(HELLO_BYTES_MAX + 1))[:5]]
    with pytest.raises(LinkError) as caught:
        pump(dialer, listener)
    assert "announced" in caught.value.detail


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (Kind.DATA, b"too early"),
        (Kind.PROOF, bytes(64)),
        (Kind.HELLO, b"not a hello"),
        (Kind.BYE, b"left"),
    ],
)
def test_nothing_but_a_hello_is_taken_first(make: Maker, kind: Kind, body: bytes) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(1, dialer=False)
    dialer.say = lambda *_: [pack_frame(kind, body)]
    with pytest.raises(LinkError) as caught:
        pump(dialer, listener)
    assert caught.value.reason == "fault"
    assert listener.peer is None


def test_a_hello_of_another_link_version_than_the_preface_is_refused(make: Maker) -> None:
    dialer = make.end(0, dialer=True, link_version=LINK_VERSION + 1)
    with pytest.raises(LinkError) as caught:
        pump(dialer, make.end(1, dialer=False))
    assert caught.value.reason == "fault"


# --- bounds -------------------------------------------------------------------------------------


def test_a_stranger_is_read_up_to_the_limit_and_no_further(make: Maker) -> None:
    listener = make.end(1, dialer=False)
    dialer = make.end(0, dialer=True)
    dialer.receive(listener.take_output())
    listener.receive(dialer.take_output())
    # TLS records that say nothing: the listener waits for a certificate that never comes.
    filler = b"\x14\x03\x03\x00\x01\x01"
    budget = listener._budget
    listener.receive(filler)
    assert listener._budget == budget - len(filler)
    error = failure(listener, filler * (budget // len(filler)) + bytes(100))
    assert error.reason == "fault"


def test_more_than_eight_kibibytes_without_a_proof_end_the_link(make: Maker) -> None:
    dialer = make.end(0, dialer=True, card=bytes(2048))
    listener = make.end(1, dialer=False)
    # A hello in order, but each of its bytes in a TLS record of its own.
    dialer.say = lambda kind, body: (bytes([byte]) for byte in pack_frame(kind, body))
    with pytest.raises(LinkError) as caught:
        pump(dialer, listener)
    assert caught.value.reason == "fault"
    assert caught.value.detail == "too many bytes before the proof"
    assert listener.peer is None


def test_the_limit_is_for_strangers_only(make: Maker) -> None:
    dialer, listener = make.linked()
    for _ in range(3):
        dialer.send(Kind.DATA, bytes(FRAME_BODY_BYTES_MAX))
    pump(dialer, listener)
    frame = listener.next_frame()
    assert frame is not None
    assert len(frame.body) == FRAME_BODY_BYTES_MAX


def test_data_that_follows_the_proof_in_one_piece_is_read_beyond_the_limit(make: Maker) -> None:
    dialer, listener = make.end(0, dialer=True), make.end(1, dialer=False)
    held = b""
    for _ in range(6):
        dialer.receive(listener.take_output())
        if dialer.peer is not None:
            dialer.send(Kind.DATA, bytes(FRAME_BODY_BYTES_MAX))
            held = dialer.take_output()
            break
        listener.receive(dialer.take_output())
    assert len(held) > Limits().unproved_bytes
    listener.receive(held)
    assert listener.peer is not None
    assert listener.next_frame() == Frame(kind=Kind.DATA, body=bytes(FRAME_BODY_BYTES_MAX))


def test_a_closed_link_takes_nothing_more(make: Maker) -> None:
    listener = make.end(1, dialer=False)
    assert failure(listener, b"GET / HTTP/1.1\r\n").reason == "not_ours"
    assert failure(listener, b"anything").reason == "lost"


def test_no_secret_shows_in_a_representation(make: Maker) -> None:
    dialer, _ = make.linked()
    assert KEYS[0].private_bytes_raw().hex() not in repr(vars(dialer))
