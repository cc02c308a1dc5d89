"""Measurements of a socket's connection, and the bounds of the time credited for transfer.

Pings are answered by the page, which can delay its answers: a page that always answers 0.5 s late
would gain 0.5 s in each turn. So each role has a budget of credit in a game with a running clock.
It pays four turns of the longest lag, which covers a change of the mobile network or a tunnel, and
it grows by as much as a good mobile connection needs (round trips of 50 to 100 ms) with each turn:
nobody on such a connection ever uses it up. What is left of it stands in the clocks of the game,
and the opening entry of the ledger names it, so that every process and the audit agree.
"""

from dataclasses import dataclass

MAX_LAG_MS = 500  # most that is credited per turn for transfer
LAG_BUDGET_MS = 2_000  # most that a role has left for the turns to come
LAG_REGROWTH_MS = 100  # of the budget, with each turn that the role completes


@dataclass(slots=True)
class ConnectionStats:
    """Measurements of one connection, written by the `server` app and read by sockets.

    Sockets write which measurements they need: `timed_seats` and `wants_ping`.
    """

    round_trip: int | None = None  # ms, measured by the server's pings; None: not yet
    tcp_round_trip: int | None = None  # ms, the kernel's; None: unknown, or that of a proxy
    messages: int = 0  # that the peer has sent
    unsent: int = 0  # bytes that the peer has not accepted yet
    is_silent: bool = False  # a ping has been unanswered for some seconds
    timed_seats: int = 0  # seats in games with a running clock: its round trip counts
    wants_ping: bool = False  # whether the peer still answers has to be known soon

    @property
    def lag(self) -> int:
        """The ms of transfer to credit for an action: the bounded round trip; 0 if unknown.

        The kernel of the peer confirms data at once, however late its page answers a ping.
        """
        lag = min(self.round_trip or 0, MAX_LAG_MS)
        return lag if self.tcp_round_trip is None else min(lag, self.tcp_round_trip)
