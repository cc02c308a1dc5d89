"""Log filters: bound floods, and leave out what the log of outages has said once.

They are attached to the handler, so that the records of every library pass them.
"""

import logging
from collections.abc import Mapping
from typing import Final

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from config.logs import event_of, request_fields
from telemetry.outage_log import DATABASE, outage_kind

# Most lines a minute of events that anybody can cause. Others are not bounded.
LIMITS: Final[Mapping[str, int]] = {
    "host": 1,
    "host_port": 1,
    "origin": 20,
    "csrf": 20,
    "suspicious": 20,
    "login_failed": 60,
    "login_refused": 60,
    "mfa_failed": 60,
    "mail_limit": 20,
    "external_redirect": 20,
    "refused_request": 60,
}
# One network gets at most the limit divided by this, at least one line. Otherwise a network that
# floods the log with an event would hide the same event of others.
NETWORK_LIMIT_DIVISOR: Final = 4
log = logging.getLogger("quiver.security")


class EventLimit(logging.Filter):
    """Drops records of an event above its limit, in total or per network; logs that it does."""

    def __init__(self, limits: Mapping[str, int] = LIMITS) -> None:
        super().__init__()
        self._limits = limits
        self._limiter = FixedWindowRateLimiter(MemoryStorage())

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record may be written."""
        event = event_of(record)
        limit = self._limits.get(event)
        if limit is None:
            return True
        network = getattr(record, "network", "") or request_fields().get("network", "")
        part = max(1, limit // NETWORK_LIMIT_DIVISOR) if network else limit
        # The network's count is first: what it refuses uses up nothing of the total.
        if self._hit(part, event, str(network)) and self._hit(limit, event):
            return True
        if self._hit(1, "log_limit", event):
            about = {"event": "log_limit", "kind": event}
            log.warning("further lines of an event are left out for a minute", extra=about)
        return False

    def _hit(self, limit: int, *key: str) -> bool:
        return self._limiter.hit(RateLimitItemPerMinute(limit), *key)


class OutageFilter(logging.Filter):
    """Drops records of a logged outage of the database.

    They are Django's record of each request that it failed, and the connection pool's of each
    attempt to connect. The pool's first attempts, which name the reason, come before the outage.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is to be logged."""
        if record.name == "django.request":
            error = record.exc_info[1] if record.exc_info else None
            return error is None or not outage_kind(error)
        return record.name != "psycopg.pool" or not DATABASE.is_open
