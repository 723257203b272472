from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_davinci.net.framing import HEADER_BYTES, Frame, FrameParser, FrameTooLong, pack_frame
from p2p_davinci.net.limits import FRAME_BODY_BYTES_MAX

FRAMES = st.lists(
    st.builds(Frame, kind=st.integers(min_value=0, max_value=255), body=st.binary(max_size=40)),
    max_size=6,
)


@given(frames=FRAMES, cuts=st.lists(st.integers(min_value=1, max_value=30), max_size=40))
def test_frames_come_out_as_they_went_in_however_the_stream_is_cut(
    frames: list[Frame], cuts: list[int]
) -> None:
    stream = b"".join(pack_frame(frame.kind, frame.body) for frame in frames)
    parser = FrameParser()
    found = []
    for size in [*cuts, len(stream)]:
        piece, stream = stream[:size], stream[size:]
        parser.feed(piece)
        while (frame := parser.next_frame()) is not None:
            found.append(frame)
    assert found == frames


@pytest.mark.parametrize("announced", [FRAME_BODY_BYTES_MAX + 1, 2**32 - 1])
def test_too_much_is_refused_before_any_of_it_has_come(announced: int) -> None:
    parser = FrameParser()
    parser.feed(announced.to_bytes(4, "big") + b"\x07")
    with pytest.raises(FrameTooLong):
        parser.next_frame()


def test_the_largest_frame_passes_and_one_byte_more_is_not_made() -> None:
    largest = pack_frame(7, bytes(FRAME_BODY_BYTES_MAX))
    assert len(largest) == FRAME_BODY_BYTES_MAX + HEADER_BYTES
    parser = FrameParser()
    parser.feed(largest)
    assert parser.next_frame() == Frame(kind=7, body=bytes(FRAME_BODY_BYTES_MAX))
    with pytest.raises(ValueError, match="65537"):
        pack_frame(7, bytes(FRAME_BODY_BYTES_MAX + 1))


def test_the_limit_can_be_raised_between_two_frames() -> None:
    parser = FrameParser(body_bytes_max=1)
    parser.feed(pack_frame(1, b"a") + pack_frame(2, b"ab"))
    assert parser.next_frame() == Frame(kind=1, body=b"a")
    parser.body_bytes_max = 2
    assert parser.next_frame() == Frame(kind=2, body=b"ab")
