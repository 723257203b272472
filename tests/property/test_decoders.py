"""Everything that is read from others before anything is proved, fed with what nobody should send.

Three kinds of input: bytes by chance; good bytes with some of them changed; and good values with
parts replaced by other values and encoded canonically, which get past the codec. A decoder answers
or raises what it declares, within time and memory that the limit of a frame bounds.
``HYPOTHESIS_EXAMPLES`` in the environment makes a long run of it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_davinci.app.card import read_card
from p2p_davinci.net.advert import BadAdvert, parse_advert
from p2p_davinci.net.framing import FrameParser, FrameTooLong
from p2p_davinci.net.hello import BadHello, decode_hello
from p2p_davinci.rules.options import BadOption
from p2p_davinci.rules.referee import referee_line
from p2p_davinci.session import wire
from p2p_davinci.session.audit import verify_log
from p2p_davinci.session.contract import read_contract
from p2p_davinci.session.events import Received
from p2p_davinci.session.messages import read_body
from p2p_davinci.session.play import step
from p2p_davinci.session.secrets import KINDS as SECRET_KINDS
from p2p_davinci.session.secrets import read_kept
from p2p_davinci.session.sheet import contract_of, read_sheet
from protocol import (
    FRAME_BYTES_MAX,
    SECRETS_HEADER,
    DoubleSpeaking,
    PeerFault,
    Value,
    decode,
    decode_deck,
    decode_points,
    decode_secret,
    encode,
    encode_evidence,
    read_aside,
    read_envelope,
    read_evidence,
    read_log,
)
from protocol.envelope import check_identity
from tests.property.test_codec import VALUES
from tests.support.recorded import Moment, recording
from tests.support.room import Room
from tests.support.table import each_proof_checked_once

EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", "15"))
HANG_S = 5.0
MEMORY_FACTOR = 192
"""How many bytes a decoder may hold at most for each byte of the longest frame.

The worst are arrays nested without end that each promise a thousand items, until the parser gives
up at 512 levels.
"""


@dataclass(frozen=True, slots=True)
class Decoder:
    """A reader of foreign bytes: what it may raise, and good bytes to begin from."""

    name: str
    read: Callable[[bytes], object]
    raises: tuple[type[Exception], ...]
    good: Callable[[], bytes]

    def __str__(self) -> str:
        return self.name


@functools.cache
def moment() -> Moment:
    return recording("classic", 2).find("arrange", seat=0)


@functools.cache
def log() -> bytes:
    return recording("classic", 2).end.peers[0].log_bytes


def record(kind: str, nth: int = 0) -> bytes:
    records, _ = read_log(log())
    return [record.data for record in records if record.kind == kind][nth]


def aside() -> bytes:
    records, _ = read_log(recording("classic", 2, clock="5+5").end.peers[0].log_bytes)
    return next((r.data for r in records if r.kind == "aside"), record("envelope"))


def evidence() -> bytes:
    one = read_envelope(record("envelope"))
    pair = DoubleSpeaking(first=one, second=one)
    return encode_evidence(pair, moment().table.who[0].public)


def secrets() -> bytes:
    return SECRETS_HEADER + b"".join(moment().table.peers[0].secrets.records)


def read_secrets(data: bytes) -> object:
    records, _ = read_log(data, header=SECRETS_HEADER, kinds=SECRET_KINDS)
    return read_kept(records)


def read_frames(data: bytes) -> object:
    parser = FrameParser()
    parser.feed(data)
    frames = []
    while (frame := parser.next_frame()) is not None:
        frames.append(frame)
    return frames


def read_value_of_sheet(data: bytes) -> object:
    value = decode(data)
    if not isinstance(value, tuple):
        return None
    sheet = read_sheet(value)
    if len(sheet.sitting) == sheet.seats:
        contract = contract_of(sheet)
        try:
            assert read_contract(contract.encode()) == contract
        except PeerFault as fault:
            raise AssertionError(f"a sheet without a contract: {fault}") from fault
    return sheet


@functools.cache
def sheet_bytes() -> bytes:
    sheet = Room(2).fill("bo").people[0].lobby.sheet
    assert sheet is not None
    return encode(sheet.fields())


def points() -> bytes:
    body = read_envelope(record("envelope", 2)).payload.body
    assert isinstance(body, tuple)
    assert isinstance(body[1], tuple)
    assert isinstance(body[1][0], bytes)
    return body[1][0]


FAULT = (PeerFault,)
DECODERS = [
    Decoder("values", decode, FAULT, lambda: record("envelope")),
    Decoder("envelope", read_envelope, FAULT, lambda: record("envelope")),
    Decoder("aside", read_aside, FAULT, aside),
    Decoder("evidence", read_evidence, FAULT, evidence),
    Decoder("log", read_log, FAULT, lambda: log()[:4000]),
    Decoder("log and all", verify_log, FAULT, lambda: log()[:3000]),
    Decoder("secrets", read_secrets, FAULT, secrets),
    Decoder("contract", read_contract, FAULT, lambda: record("contract")),
    Decoder("wire", wire.read, FAULT, lambda: wire.write(wire.Chained(raw=record("envelope")))),
    Decoder("kind on the wire", wire.kind_of, (), lambda: record("envelope")),
    Decoder("body", lambda b: read_body(decode(b)), FAULT, lambda: encode(((1, b"x"), (b"p",)))),
    Decoder("sheet", read_value_of_sheet, (*FAULT, BadOption), sheet_bytes),
    Decoder("card", read_card, FAULT, lambda: record("contract")),
    Decoder("hello", decode_hello, (BadHello,), lambda: record("envelope")),
    Decoder("frames", read_frames, (FrameTooLong,), lambda: record("envelope")),
    Decoder("advert", lambda b: parse_advert({b"v": b, b"k": b}), (BadAdvert,), lambda: b"1"),
    Decoder("identity", check_identity, FAULT, lambda: moment().table.who[0].public),
    Decoder("points", lambda b: decode_points(b, 13), FAULT, lambda: points()[: 13 * 32]),
    Decoder("deck", lambda b: decode_deck(b, 4), FAULT, lambda: points()[: 4 * 64]),
    Decoder("secret", decode_secret, FAULT, lambda: bytes(31) + b"\x01"),
    Decoder("referee", lambda b: referee_line(b.decode("utf-8", "surrogateescape")), (), secrets),
]


@pytest.fixture(autouse=True, scope="module")
def proofs_checked_once() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def expect_declared(decoder: Decoder, data: bytes) -> None:
    began_s = time.monotonic()
    with contextlib.suppress(*decoder.raises):
        decoder.read(data)
    assert time.monotonic() - began_s < HANG_S


# --- three kinds of input --------------------------------------------------------------------


@st.composite
def spoiled(draw: st.DrawFn, good: bytes) -> bytes:
    """Return good bytes with some changed, cut out, doubled or put in."""
    data = bytearray(good)
    for _ in range(draw(st.integers(1, 4))):
        at, end = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        end = min(end, at + draw(st.sampled_from([1, 2, 33, 400])))
        match draw(st.sampled_from(["set", "cut", "double", "put"])):
            case "set":
                data[at:end] = draw(st.binary(min_size=end - at, max_size=end - at))
            case "cut":
                del data[at:end]
            case "double":
                data[at:at] = data[at:end]
            case _:
                data[at:at] = draw(st.binary(max_size=9))
    return bytes(data)


@st.composite
def other_values(draw: st.DrawFn, good: Value) -> Value:
    """Return a good value with some of its parts replaced, left out or repeated."""
    if not isinstance(good, tuple) or draw(st.integers(0, 5)) == 0:
        return draw(VALUES) if draw(st.booleans()) else good
    items = [draw(other_values(item)) if draw(st.booleans()) else item for item in good]
    if items and draw(st.integers(0, 4)) == 0:
        at = draw(st.integers(0, len(items) - 1))
        items[at : at + 1] = items[at : at + 1] * draw(st.integers(0, 2))
    return tuple(items)


def canonical(value: Value) -> bytes:
    try:
        return encode(value)
    except Exception:  # noqa: BLE001 - too deep for the codec: no such message can be sent
        return b""


@pytest.mark.parametrize("decoder", DECODERS, ids=str)
@settings(max_examples=EXAMPLES)
@given(data=st.binary(max_size=600))
def test_bytes_by_chance_are_read_or_refused(decoder: Decoder, data: bytes) -> None:
    expect_declared(decoder, data)


@pytest.mark.slow
@pytest.mark.parametrize("decoder", DECODERS, ids=str)
@settings(max_examples=EXAMPLES)
@given(draws=st.data())
def test_spoiled_bytes_are_read_or_refused(decoder: Decoder, draws: st.DataObject) -> None:
    expect_declared(decoder, draws.draw(spoiled(decoder.good())))


@pytest.mark.parametrize("decoder", DECODERS, ids=str)
@settings(max_examples=EXAMPLES)
@given(draws=st.data())
def test_other_values_are_read_or_refused(decoder: Decoder, draws: st.DataObject) -> None:
    try:
        good = decode(decoder.good())
    except PeerFault:
        good = (decoder.good(),)
    expect_declared(decoder, canonical(draws.draw(other_values(good))))


@settings(max_examples=4 * EXAMPLES)
@given(draws=st.data())
def test_a_peer_takes_in_whatever_arrives(draws: st.DataObject) -> None:
    """No message, however spoiled, makes a peer raise; it blames, doubts, keeps or ignores."""
    at = moment()
    peer = at.table.peers[1 - at.payload.seat]
    good = wire.write(wire.Chained(raw=record("envelope", draws.draw(st.integers(0, 20)))))
    value = decode(good)
    data = draws.draw(st.one_of(spoiled(good), other_values(value).map(canonical), st.binary()))
    game, effects = step(peer.game, Received(seat=at.payload.seat, data=data), 0.0, None)
    assert game.seat == peer.seat
    assert isinstance(effects, tuple)


# --- as long as a frame may be ---------------------------------------------------------------

LONG = {
    "one byte string": encode(bytes(FRAME_BYTES_MAX - 5)),
    "nil a thousand times": encode((None,) * 1024),
    "arrays of arrays": encode(((((),) * 1024),) * 60),
    "arrays that promise much": b"\xdc\x04\x00" * (FRAME_BYTES_MAX // 3),
    "arrays that promise too much": b"\xdd\xff\xff\xff\xff" * (FRAME_BYTES_MAX // 5),
    "arrays nested without end": b"\x91" * FRAME_BYTES_MAX,
    "a text": encode("x" * (FRAME_BYTES_MAX - 5)),
    "a string that promises too much": b"\xc6\xff\xff\xff\xff" + bytes(1000),
    "numbers": encode(tuple((2**64 - 1,) * 500 for _ in range(14))),
    "points": bytes([0x58] + [0x66] * 31) * (FRAME_BYTES_MAX // 32),
    "beyond the limit": bytes(FRAME_BYTES_MAX + 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", LONG)
@pytest.mark.parametrize("decoder", DECODERS, ids=str)
def test_the_longest_frames_cost_bounded_time_and_memory(decoder: Decoder, shape: str) -> None:
    expect_declared(decoder, LONG[shape])
    tracemalloc.start()
    try:
        expect_declared(decoder, LONG[shape])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MEMORY_FACTOR * FRAME_BYTES_MAX
