"""What a client sends, cut into frames and put together to messages (RFC 6455, section 5). Pure.

Autobahn reads a frame in many small steps, which cost more than all else that is done about it;
so it keeps the handshake, the closing and the pings, and this reads the frames.
"""

from typing import NamedTuple

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
MOST_CONTROL = 125  # bytes of a close, a ping or a pong
OPCODES = frozenset((CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG))


class Violation(Exception):
    """What came is no frame, or none that may stand here."""


class TooLarge(Exception):
    """A message is larger than is read here."""


class Piece(NamedTuple):
    """A frame as it came."""

    opcode: int
    is_last: bool  # of its message
    payload: bytes

    @property
    def is_small(self) -> bool:
        """Whether it is no whole message: a ping, a pong, a close or a fragment."""
        return self.opcode > BINARY or not self.is_last or self.opcode == CONTINUATION


class Message(NamedTuple):
    """A text or a binary message, complete."""

    payload: bytes
    is_binary: bool


class Frames:
    """The bytes of one connection, from the handshake on."""

    def __init__(self, most: int) -> None:
        self._most = most  # bytes of a message
        self._data = bytearray()  # come, and not read yet
        self._parts: list[bytes] = []  # of a message that is not complete
        self._is_binary = False
        self.is_inside = False  # a message has begun that is not complete

    def feed(self, data: bytes) -> None:
        """Takes what has come."""
        self._data += data

    def next(self) -> Piece | None:
        """Reads one frame; None if it has not come whole. Raises `Violation` or
        `TooLarge`; nothing can be read after that."""
        data, have = self._data, len(self._data)
        if have < 2:
            return None
        first, size, head = data[0], data[1] & 0x7F, 6
        opcode, is_last = first & 0x0F, first >= 0x80
        self._judge(opcode, is_last, first & 0x70, data[1] >= 0x80, size)
        if size > MOST_CONTROL:
            width = 2 if size == 126 else 8
            if have < 2 + width:
                return None
            size, least = int.from_bytes(data[2 : 2 + width]), 126 if width == 2 else 2**16
            if size < least:
                raise Violation("a length is written longer than it has to be")
            head += width
        if size + sum(map(len, self._parts)) > self._most and opcode <= BINARY:
            raise TooLarge
        if have < head + size:
            return None
        payload = unmasked(data[head : head + size], data[head - 4 : head])
        del data[: head + size]
        return Piece(opcode, is_last, payload)

    def _judge(self, opcode: int, is_last: bool, rsv: int, is_masked: bool, size: int) -> None:
        if rsv or opcode not in OPCODES:
            raise Violation("no extension was agreed upon that gives a meaning to that frame")
        if not is_masked:
            raise Violation("a client has to mask its frames")
        if opcode > BINARY:
            if not is_last or size > MOST_CONTROL or (opcode == CLOSE and size == 1):
                raise Violation("a close, a ping or a pong is whole and short")
        elif (opcode == CONTINUATION) != self.is_inside:
            raise Violation("fragments of messages do not mix")

    def complete(self, piece: Piece) -> Message | None:
        """The message that is complete with a frame of it; None if more of it has to come."""
        if piece.opcode != CONTINUATION:
            self._is_binary = piece.opcode == BINARY
        self.is_inside = not piece.is_last
        if piece.is_last and not self._parts:
            return Message(piece.payload, self._is_binary)
        self._parts.append(piece.payload)
        if self.is_inside:
            return None
        payload = b"".join(self._parts)
        self._parts.clear()
        return Message(payload, self._is_binary)


def unmasked(payload: bytes | bytearray, mask: bytes | bytearray) -> bytes:
    """What was masked with four bytes, again and again."""
    size = len(payload)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload) ^ int.from_bytes(key)).to_bytes(size)
