"""Assemble a client's frames into messages, within bounds. Pure."""

from typing import Final

from websockets.frames import Frame, Opcode

from play.sockets.send_queue import Bucket
from server.flow_control import Event

PROTOCOL_ERROR, INVALID_TEXT, POLICY, TOO_BIG = 1002, 1007, 1008, 1009  # close codes
# Pings, pongs and fragments.
SMALL_FRAMES_PER_S: Final = 50.0
MAX_BURST_SMALL_FRAMES: Final = 300.0
MESSAGE_TIMEOUT_S = 20.0  # for a message in fragments
# Reasons in the metrics for refusals by `websockets`; every other code is a protocol error.
VIOLATIONS: Final = {INVALID_TEXT: "invalid-text", TOO_BIG: "too-large"}


class MessageRefused(Exception):
    """The connection has to close: `reason` for the metrics, `code` for the peer."""

    def __init__(self, reason: str, code: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code


class MessageReader:
    """The messages of one connection. Its frames were checked and bounded by `websockets`."""

    __slots__ = ("_began_at", "_bucket", "_is_text", "_parts")

    def __init__(self) -> None:
        self._parts: list[bytes] = []  # of a message that is not complete
        self._is_text = False
        self._began_at: float | None = None
        self._bucket: Bucket | None = None  # made with the first small frame

    def read(self, frame: Frame, now: float) -> Event | None:
        """Return ASGI's event of the message that a data frame completes, or None.

        `now` is of a monotonic clock. Raises MessageRefused for text that is not UTF-8, and for
        too many fragments.
        """
        if frame.opcode is not Opcode.CONT:
            self._is_text = frame.opcode is Opcode.TEXT
            if frame.fin:
                return event_of(bytes(frame.data), self._is_text)
            self._began_at = now
        self.count_small_frame(now)
        self._parts.append(bytes(frame.data))
        if not frame.fin:
            return None
        message = b"".join(self._parts)
        self._parts.clear()
        self._began_at = None
        return event_of(message, self._is_text)

    def count_small_frame(self, now: float) -> None:
        """Count a ping, a pong or a fragment; raise MessageRefused if there are too many."""
        if self._bucket is None:
            most = MAX_BURST_SMALL_FRAMES
            self._bucket = Bucket(SMALL_FRAMES_PER_S, most, most, now)
        if not self._bucket.take(now):
            raise MessageRefused("flood", POLICY)

    @property
    def is_partial(self) -> bool:
        """Whether a message has begun that is not complete."""
        return self._began_at is not None

    def is_late(self, now: float) -> bool:
        """Whether a message in fragments has taken too long."""
        return self._began_at is not None and now - self._began_at > MESSAGE_TIMEOUT_S


def event_of(payload: bytes, is_text: bool) -> Event:
    """Return ASGI's event of a message; raise MessageRefused if text is not UTF-8."""
    if not is_text:
        return {"type": "websocket.receive", "bytes": payload}
    try:
        return {"type": "websocket.receive", "text": payload.decode()}
    except UnicodeDecodeError:
        raise MessageRefused(VIOLATIONS[INVALID_TEXT], INVALID_TEXT) from None
