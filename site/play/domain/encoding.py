"""Encode messages as WebSocket text frames, once for all sockets that receive them."""

import struct
from collections.abc import Mapping

import msgspec

ENCODER = msgspec.json.Encoder()
TEXT_HEADER_BYTE = 0x81  # first byte of an unfragmented text frame (RFC 6455, 5.2)


class Frame:
    """An encoded message; `wire` holds the bytes that a server sends, header and payload."""

    __slots__ = ("_size", "wire")

    def __init__(self, payload: bytes) -> None:
        self._size = len(payload)
        self.wire = header(self._size) + payload

    @property
    def text(self) -> str:
        """The payload as text, for servers that do the framing themselves."""
        return self.wire[-self._size :].decode()

    def on_topic(self, head: bytes) -> "Frame":
        """Return this frame with the topic of a head from `topic_head`; empty: the frame itself."""
        return Frame(head + self.wire[1 - self._size :]) if head else self


def header(size: int) -> bytes:
    """Return the header of an unmasked text frame with `size` bytes of payload."""
    if size < 126:
        return struct.pack("!BB", TEXT_HEADER_BYTE, size)
    if size < 2**16:
        return struct.pack("!BBH", TEXT_HEADER_BYTE, 126, size)
    return struct.pack("!BBQ", TEXT_HEADER_BYTE, 127, size)


def topic_head(name: str) -> bytes:
    """Return the beginning of every message on a topic, which names it."""
    return b'{"topic":' + ENCODER.encode(name) + b","


def encode_frame(message: Mapping[str, object] | msgspec.Struct, head: bytes = b"") -> Frame:
    """Return the frame of a message; with a head from `topic_head`, on that topic."""
    payload = ENCODER.encode(message)
    return Frame(head + payload[1:] if head else payload)


def encode_head(message: msgspec.Struct) -> bytes:
    """Return the JSON of a shared message part up to its closing brace; it must not be empty."""
    return ENCODER.encode(message)[:-1] + b","


def join_frame(head: bytes, rest: msgspec.Struct, topic: bytes = b"") -> Frame:
    """Return the frame that consists of a head from `encode_head` and the rest.

    With a head from `topic_head`, it is on that topic.
    """
    return Frame((topic + head[1:] if topic else head) + ENCODER.encode(rest)[1:])
