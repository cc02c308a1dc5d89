"""Measurements of a socket's connection, and the bounds of the time credited for transfer.

Pings are answered by the page, which can delay its answers: a page that always answers 0.5 s late
would gain 0.5 s in each turn. So each role has a budget of credit in a game with a running clock.
It pays four turns of the longest lag, which covers a change of the mobile network or a tunnel, and
it grows by as much as a good mobile connection needs (round trips of 50 to 100 ms) with each turn:
nobody on such a connection ever uses it up. What is left of it stands in the clocks of the game,
and the opening entry of the ledger names it, so that every process and the audit agree.
"""

from dataclasses import dataclass, field

MAX_LAG_MS = 500  # most that is credited per turn for transfer
LAG_BUDGET_MS = 2_000  # most that a role has left for the turns to come
LAG_REGROWTH_MS = 100  # of the budget, with each turn that the role completes
MAX_KEPT_ROUND_TRIPS = 6  # of which the shortest counts
SILENT_S = 3.0  # for the answer to a ping, before the peer counts as silent


@dataclass(slots=True)
class ConnectionStats:
    """Measurements of one connection, made by the server's pings. Times are monotonic, in s."""

    pinged_at: float | None = None  # of the oldest ping that is not answered
    tcp_round_trip_ms: int | None = None  # the kernel's; None: unknown, or that of a proxy
    round_trips_s: list[float] = field(default_factory=list)  # the last ones

    def note_pong(self, now: float, tcp_round_trip_ms: int | None) -> None:
        """Note the answer to a ping, and the round trip that the kernel has measured."""
        if self.pinged_at is None:
            return
        kept = self.round_trips_s[1 - MAX_KEPT_ROUND_TRIPS :]
        self.round_trips_s = [*kept, now - self.pinged_at]
        self.tcp_round_trip_ms = tcp_round_trip_ms
        self.pinged_at = None

    def is_silent(self, now: float) -> bool:
        """Return whether a ping has been unanswered for so long that the peer may be gone."""
        return self.pinged_at is not None and now - self.pinged_at >= SILENT_S

    @property
    def lag(self) -> int:
        """The ms of transfer to credit for an action: the bounded round trip; 0 if unknown.

        The kernel of the peer confirms data at once, however late its page answers a ping.
        """
        trip = round(min(self.round_trips_s, default=0.0) * 1000)
        lag = min(trip, MAX_LAG_MS)
        return lag if self.tcp_round_trip_ms is None else min(lag, self.tcp_round_trip_ms)
