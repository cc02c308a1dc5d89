"""Requests that the server refuses by itself: counted, logged, and limited by network.

They never reach the application, so its access log and its rate limits do not see them. The counts
live in this process: every process bounds what reaches it, and no refusal waits for Redis.
`config.log_filters` bounds the log.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from server.quotas import REFUSED

WINDOW_S: Final = 60.0
# In a window, from one network: a school class of 60 browsers sends none by accident.
MAX_PER_NETWORK: Final = 120
# Reasons that count for no network: browsers open connections that they may never use, and a
# connection too many is itself refused by a limit.
IDLE: Final = "idle"
CONNECTION: Final = "connections"
log = logging.getLogger("quiver.security")


class Refusals:
    """Counts of the present window; `now` is a monotonic clock in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._ends_at = 0.0
        self._by_network: Counter[str] = Counter()

    def note(self, reason: str, status: int, network: str) -> None:
        """Count and log a refusal.

        `reason` is a label of the metric; `network` is empty for this machine itself.
        """
        REFUSED.labels(reason).inc()
        if reason == IDLE:
            return
        about = {"reason": reason, "status": status, "network": network or "-"}
        log.info("a request was refused", extra={"event": "refused_request", **about})
        if reason != CONNECTION:
            self.count(network)

    def count(self, network: str) -> None:
        """Count a refusal that the access log records."""
        self._begin_window()
        if network:
            self._by_network[network] += 1

    def is_limited(self, network: str) -> bool:
        """Whether a network has been refused too often in this window."""
        self._begin_window()
        return self._by_network[network] >= MAX_PER_NETWORK

    def _begin_window(self) -> None:
        if self._now() >= self._ends_at:
            self._ends_at = self._now() + WINDOW_S
            self._by_network.clear()


REFUSALS: Final = Refusals()
