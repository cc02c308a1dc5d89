"""A text frame: drawn and framed once, written to as many sockets as want it."""

import struct
from collections.abc import Mapping

import msgspec

ENCODER = msgspec.json.Encoder()
TEXT = 0x81  # the first byte of a text frame that is a whole message (RFC 6455, 5.2)


class Frame:
    """What pages get: `wire` are its bytes as a server sends them, header and payload."""

    __slots__ = ("_size", "wire")

    def __init__(self, payload: bytes) -> None:
        self._size = len(payload)
        self.wire = header(self._size) + payload

    @property
    def text(self) -> str:
        """What it says, for servers that do the framing themselves."""
        return self.wire[-self._size :].decode()


def header(size: int) -> bytes:
    """The header of a text frame of so many bytes, which is not masked."""
    if size < 126:
        return struct.pack("!BB", TEXT, size)
    if size < 2**16:
        return struct.pack("!BBH", TEXT, 126, size)
    return struct.pack("!BBQ", TEXT, 127, size)


def encoded(message: Mapping[str, object] | msgspec.Struct) -> Frame:
    """The frame of a message."""
    return Frame(ENCODER.encode(message))


def head_of(message: Mapping[str, object]) -> bytes:
    """The beginning of messages that differ only in what follows; neither may be empty."""
    return ENCODER.encode(message)[:-1] + b","


def joined(head: bytes, rest: Mapping[str, object]) -> Frame:
    """The frame of a message that begins with what `head_of` gave."""
    return Frame(head + ENCODER.encode(rest)[1:])
