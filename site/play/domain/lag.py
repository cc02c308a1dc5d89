"""Measurements of the connection that carries a socket: round trip and unsent bytes."""

from dataclasses import dataclass

MAX_LAG_MS = 500  # most that is credited per turn for transfer


@dataclass(slots=True)
class ConnectionStats:
    """Measurements of one connection, written by the `server` app and read by sockets."""

    round_trip: int | None = None  # ms, measured by the server's pings; None: not yet
    unsent: int = 0  # bytes that the peer has not accepted yet

    @property
    def lag(self) -> int:
        """The ms of transfer to credit for an action: the bounded round trip; 0 if unknown."""
        return min(self.round_trip or 0, MAX_LAG_MS)
