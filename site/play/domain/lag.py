"""Measurements of a socket's connection, and which of them its socket needs."""

from dataclasses import dataclass

MAX_LAG_MS = 500  # most that is credited per turn for transfer


@dataclass(slots=True)
class ConnectionStats:
    """Measurements of one connection, written by the `server` app and read by sockets.

    Sockets write which measurements they need: `timed_seats` and `wants_ping`.
    """

    round_trip: int | None = None  # ms, measured by the server's pings; None: not yet
    messages: int = 0  # that the peer has sent
    unsent: int = 0  # bytes that the peer has not accepted yet
    is_silent: bool = False  # a ping has been unanswered for some seconds
    timed_seats: int = 0  # seats in games with a running clock: its round trip counts
    wants_ping: bool = False  # whether the peer still answers has to be known soon

    @property
    def lag(self) -> int:
        """The ms of transfer to credit for an action: the bounded round trip; 0 if unknown."""
        return min(self.round_trip or 0, MAX_LAG_MS)
