"""What a client sends, cut into frames: whole ones, pieces of them, and what is no frame."""

import itertools
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.incoming import CLOSE, PING, Frames, Message, TooLarge, Violation

MOST = 70_000


def frame(
    payload: bytes, opcode: int = 1, is_last: bool = True, mask: bytes = b"\1\2\3\4"
) -> bytes:
    """A frame as a client sends it."""
    size, first = len(payload), opcode | (0x80 if is_last else 0)
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 2**16:
        head = struct.pack("!BBH", first, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, size)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def read(*chunks: bytes) -> list[Message]:
    """The messages in what comes chunk by chunk."""
    frames, messages = Frames(MOST), []
    for chunk in chunks:
        frames.feed(chunk)
        while piece := frames.next():
            if piece.opcode <= 2 and (message := frames.complete(piece)):
                messages.append(message)
    return messages


@pytest.mark.parametrize("size", [0, 1, 3, 4, 125, 126, 65_535, 65_536, MOST])
def test_a_frame_of_any_size_is_read(size):
    payload = bytes(i % 251 for i in range(size))
    assert read(frame(payload, 2)) == [Message(payload, True)]


@given(st.lists(st.integers(0, 60), max_size=20), st.binary(max_size=40))
def test_it_does_not_matter_where_the_bytes_are_cut(cuts, payload):
    sent = frame(b"one") + frame(payload, 2) + frame(b"", 9) + frame(b"th", 1, False)
    sent += frame(b"ree", 0)
    points = sorted({0, *cuts, len(sent)})
    chunks = [sent[a:b] for a, b in itertools.pairwise(points)]
    assert read(*chunks) == [
        Message(b"one", False),
        Message(payload, True),
        Message(b"three", False),
    ]


def test_pings_come_between_the_fragments_of_a_message():
    frames = Frames(MOST)
    frames.feed(
        frame(b"a", 1, False) + frame(b"!", PING) + frame(b"b", 0) + frame(b"\3\xe8", CLOSE)
    )
    kinds = []
    while piece := frames.next():
        kinds.append((piece.opcode, piece.payload, piece.is_small))
        if piece.opcode <= 2:
            frames.complete(piece)
    assert kinds == [(1, b"a", True), (PING, b"!", True), (0, b"b", True), (CLOSE, b"\3\xe8", True)]


@pytest.mark.parametrize(
    "sent",
    [
        frame(b"x" * (MOST + 1)),
        frame(b"x" * 40_000, 1, False) + frame(b"x" * 40_000, 0),
        struct.pack("!BBQ", 0x81, 0xFF, 2**63),
    ],
)
def test_what_is_too_large_is_known_by_its_header(sent):
    with pytest.raises(TooLarge):
        read(sent)


@pytest.mark.parametrize(
    "sent",
    [
        b"\x81\x01x",  # not masked
        b"\xc1" + frame(b"x")[1:],  # compressed, which was not agreed upon
        frame(b"x", 3),
        frame(b"x", 11),
        frame(b"x", 0),  # goes on with nothing
        frame(b"x", 1, False) + frame(b"y", 1),
        frame(b"x", 9, False),
        frame(b"x" * 126, 9),
        frame(b"x", 8),  # half a code
        struct.pack("!BBH", 0x81, 0xFE, 125),  # would have had room in a byte
        struct.pack("!BBQ", 0x81, 0xFF, 65_535),
    ],
)
def test_what_is_no_frame_is_a_violation(sent):
    with pytest.raises(Violation):
        read(sent)
