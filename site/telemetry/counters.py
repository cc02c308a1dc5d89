"""Prometheus metrics of this process; `telemetry.exporter` serves them.

Counting costs about a microsecond and no database access. No metric is about a single user.
"""

import time

from prometheus_client import Counter, Gauge, Histogram

ACTIONS = Counter("quiver_actions", "Answered commands of pages, by outcome", ["outcome"])
ACK = Histogram(
    "quiver_ack_seconds",
    "From the receipt of a command to its answer",
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
RESYNCS = Counter("quiver_resyncs", "States sent because a page reported an older rev")
EVICTIONS = Counter("quiver_evictions", "Sockets closed by the server, by reason", ["reason"])
READS = Counter("quiver_hub_reads", "Topics read from the database after a hint", ["kind"])
HINTS = Counter("quiver_hints_sent", "Topics hinted to other processes")
HINT_FAILURES = Counter(
    "quiver_hint_failures", "Messages to other processes that could not be sent and are tried again"
)
HINTS_RECEIVED = Counter("quiver_hints_received", "Topics hinted at by other processes")
BATCH = Histogram(
    "quiver_batch_changes", "Changes that shared a transaction", buckets=(1, 2, 4, 8, 16, 32, 64)
)
COMMIT_SECONDS = Histogram(
    "quiver_commit_seconds",
    "From a batch of changes to the end of its transaction",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
RETRIES = Counter("quiver_database_retries", "Transactions retried after a database error")
FAILURES = Counter("quiver_database_failures", "Changes that could not be written")
HTTP_SECONDS = Histogram(
    "quiver_http_seconds",
    "HTTP requests by name of the route, method and class of the status",
    ["route", "method", "status"],
    buckets=(0.002, 0.005, 0.015, 0.05, 0.15, 0.5, 1, 2.5, 10),
)
RATE_LIMITED = Counter("quiver_rate_limited", "Requests refused with 429, by limit", ["limit"])
LOGINS_REFUSED = Counter(
    "quiver_logins_refused", "Log-ins refused before the password, or a code, was checked"
)
COMPUTER_TURN_AGE = Gauge(
    "quiver_computer_turn_age_seconds",
    "How long the oldest turn of a computer player is due, in games of people; a worker tells",
)
PONDERED = Counter(
    "quiver_pondered_simulations",
    "Simulations of computer players on their opponents' time; a worker counts",
)


ACCEPTED, REFUSED = ACTIONS.labels("accepted"), ACTIONS.labels("refused")


class answer:
    """A context manager that measures a command until its answer.

    An exception counts as refused.
    """

    __slots__ = ("_began",)

    def __enter__(self) -> None:
        self._began = time.perf_counter()

    def __exit__(self, raised: type[BaseException] | None, *about: object) -> None:
        ACK.observe(time.perf_counter() - self._began)
        (ACCEPTED if raised is None else REFUSED).inc()


class PeakGauge:
    """A gauge of the highest value since it was last read."""

    def __init__(self, name: str, about: str) -> None:
        self._value = 0.0
        Gauge(name, about).set_function(self._read_and_reset)

    def record(self, value: float) -> None:
        """Record a value."""
        if value > self._value:
            self._value = value

    def _read_and_reset(self) -> float:
        value, self._value = self._value, 0.0
        return value


LOOP_LAG = PeakGauge(
    "quiver_loop_lag_seconds", "Longest delay of the event loop since the last scrape"
)
