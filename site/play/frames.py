"""A text frame: drawn and framed once, written to as many sockets as want it."""

import struct
from collections.abc import Mapping

import msgspec

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
    return Frame(msgspec.json.encode(message))
