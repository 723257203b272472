from __future__ import annotations

import pytest

from protocol.codec import FRAME_BYTES_MAX, encode
from protocol.errors import Misuse, PeerFault
from protocol.log import (
    HEADER,
    LOG_KINDS,
    SECRETS_HEADER,
    Record,
    check_record,
    encode_record,
    read_log,
    read_undamaged,
)
from tests.support.faults import expect_fault

CONTRACT = encode_record("contract", b"rules")
ENVELOPE = encode_record("envelope", b"\x01\x02\x03")
NOTE = encode_record("note", b"")
WHOLE = HEADER + CONTRACT + ENVELOPE + NOTE


def framed(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value


def contents(records: tuple[Record, ...]) -> list[tuple[str, bytes]]:
    return [(record.kind, record.data) for record in records]


def test_record_stands_in_the_file_as_specified() -> None:
    assert HEADER == b"p2p-davinci log\n\x02"
    assert framed(encode(("envelope", b"\x01\x02\x03"))) == ENVELOPE


def test_records_come_back_with_their_offsets() -> None:
    records, torn = read_log(WHOLE)
    assert torn == 0
    assert contents(records) == [("contract", b"rules"), ("envelope", b"\1\2\3"), ("note", b"")]
    assert [record.offset for record in records] == [
        len(HEADER),
        len(HEADER + CONTRACT),
        len(HEADER + CONTRACT + ENVELOPE),
    ]


def test_every_kind_of_a_public_log_is_readable() -> None:
    data = HEADER + b"".join(encode_record(kind, kind.encode()) for kind in sorted(LOG_KINDS))
    assert [record.kind for record in read_log(data)[0]] == sorted(LOG_KINDS)


def test_log_without_records_is_a_log() -> None:
    assert read_log(HEADER) == ((), 0)


@pytest.mark.parametrize("kept", range(len(HEADER + CONTRACT), len(HEADER + CONTRACT + ENVELOPE)))
def test_file_cut_anywhere_in_its_last_record_reports_the_torn_bytes(kept: int) -> None:
    records, torn = read_log(WHOLE[:kept])
    assert contents(records) == [("contract", b"rules")]
    assert torn == kept - len(HEADER + CONTRACT)


@pytest.mark.parametrize("zeros", [1, 3, 4, 5, 4096])
def test_tail_of_zeros_counts_as_torn(zeros: int) -> None:
    records, torn = read_log(WHOLE + bytes(zeros))
    assert (len(records), torn) == (3, zeros)


@pytest.mark.parametrize("data", [b"", HEADER[:-1], HEADER[:5], SECRETS_HEADER, b"x" + WHOLE])
def test_other_file_is_no_log(data: bytes) -> None:
    with expect_fault("log.magic"):
        read_log(data)


def test_log_of_another_version_is_refused_as_such() -> None:
    with expect_fault("log.version"):
        read_log(HEADER[:-1] + b"\x01" + CONTRACT)


@pytest.mark.parametrize(
    "bad",
    [
        framed(b"\xc1"),  # not msgpack
        framed(encode(("envelope", b"x")) + b"\0"),  # trailing byte
        framed(encode(("envelope", "x"))),  # text for data
        framed(encode((b"envelope", b"x"))),  # bytes for kind
        framed(encode(("envelope",))),
        framed(encode(("envelope", b"x", None))),
        framed(encode(b"envelope")),
        framed(encode(("", b"x"))),
        framed(encode(("vote", b"x"))),  # no kind of a public log
        framed(encode(("note", bytes(FRAME_BYTES_MAX + 1)))),  # longer data than a record may have
        framed(b"") + ENVELOPE,  # zero length, but no tail of zeros
        (2**31).to_bytes(4, "big"),  # declares far more than a record may have
        (FRAME_BYTES_MAX + 33).to_bytes(4, "big"),
        b"\xff" * 4,
    ],
)
def test_unreadable_record_is_refused_with_its_offset(bad: bytes) -> None:
    with pytest.raises(PeerFault) as caught:
        read_log(HEADER + CONTRACT + bad + NOTE)
    assert caught.value.check == "log.record"
    assert f"at {len(HEADER + CONTRACT)}:" in caught.value.detail
    records, rest_bytes = read_undamaged(HEADER + CONTRACT + bad + NOTE)
    assert contents(records) == [("contract", b"rules")]
    assert rest_bytes == len(bad + NOTE)


@pytest.mark.parametrize(
    ("tail", "torn"),
    [
        ((FRAME_BYTES_MAX + 32).to_bytes(4, "big"), True),  # as long as a record may be
        ((FRAME_BYTES_MAX + 33).to_bytes(4, "big"), False),
        (b"\xff" * 3, True),  # too short to declare anything
        (framed(bytes(3)), False),  # zeros, but not from its beginning
    ],
)
def test_tail_is_torn_only_if_a_record_could_begin_so(tail: bytes, torn: bool) -> None:
    data = HEADER + CONTRACT + tail
    if torn:
        assert read_log(data)[1] == len(tail)
    else:
        with expect_fault("log.record"):
            read_log(data)


def test_record_of_a_whole_frame_fits_and_a_longer_one_is_misuse() -> None:
    longest = encode_record("envelope", b"x" * FRAME_BYTES_MAX)
    assert read_log(HEADER + longest)[0][0].data == b"x" * FRAME_BYTES_MAX
    with pytest.raises(Misuse):
        encode_record("envelope", b"x" * (FRAME_BYTES_MAX + 1))


@pytest.mark.parametrize("kind", ["", "x" * 17, "no te", "nöte"])
def test_record_of_an_impossible_kind_is_misuse(kind: str) -> None:
    with pytest.raises(Misuse):
        encode_record(kind, b"")


def test_record_does_not_show_its_data() -> None:
    shown = repr(Record(kind="key", data=b"secret", offset=0))
    assert "key" in shown
    assert "secret" not in shown


@pytest.mark.parametrize("record", [b"", b"\0", ENVELOPE[:-1], ENVELOPE + NOTE, b"garbage"])
def test_anything_but_one_whole_record_is_misuse(record: bytes) -> None:
    check_record(ENVELOPE)
    with pytest.raises(Misuse):
        check_record(record)
