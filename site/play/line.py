"""What the server itself knows of the connection on which a socket came."""

from dataclasses import dataclass

MOST_LAG = 500  # ms of a go that are given back for the way to the server and back


@dataclass(slots=True)
class Line:
    """One connection. Whoever serves it (`config`) writes; sockets read."""

    round_trip: int | None = None  # ms, by the server's own pings; None: not measured yet
    unsent: int = 0  # bytes that the other end has not taken yet

    @property
    def lag(self) -> int:
        """Milliseconds that an action of this connection was on its way through no fault of its
        sender: the measured round trip, bounded; 0 where nothing has been measured."""
        return min(self.round_trip or 0, MOST_LAG)
