"""Log filters: add the request id, turn Django's messages into events, bound floods.

They are attached to the handler, so that the records of every library pass them.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from server.request_context import RequestInfo, current, template_of
from telemetry.outage_log import DATABASE, outage_kind

WINDOW_S: Final = 60.0
# Most log lines of an event in a window, for events that anybody can cause. Others are not bounded.
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
LIMIT_EVENT: Final = "log_limit"  # summarises many requests, so it has no request id
SECURITY: Final = "django.security."
log = logging.getLogger("quiver.security")


class RequestFilter(logging.Filter):
    """Adds the id of the running request to each record.

    Records of Django's own loggers about a request get an event and fields in place of their text,
    which holds the path, the Host header or the origin.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the fields; keep the record."""
        info = current()
        if info is not None and getattr(record, "event", "") != LIMIT_EVENT:
            add(record, request_id=info.id)
        event = event_of(record)
        if event:
            add(record, event=event, **_facts(record, info))
        return True


def event_of(record: logging.LogRecord) -> str:
    """Return the event that a record of one of Django's loggers stands for, or an empty text."""
    if record.name == "django.request":
        return "exception" if record.exc_info else "server_error"
    if record.name == f"{SECURITY}csrf":
        return "csrf"
    if record.name == f"{SECURITY}DisallowedHost":
        return "host"
    return "suspicious" if record.name.startswith(SECURITY) else ""


def _facts(record: logging.LogRecord, info: RequestInfo | None) -> dict[str, Any]:
    match = getattr(getattr(record, "request", None), "resolver_match", None)
    facts: dict[str, Any] = {"route": template_of(match)}
    if info is not None:
        facts |= {"method": info.method, "network": info.network}
    if record.name == f"{SECURITY}csrf" and isinstance(record.args, tuple) and record.args:
        facts["reason"] = str(record.args[0]).split(" - ")[0]  # a header's text may follow
    elif record.name.startswith(SECURITY):
        facts["reason"] = record.name.removeprefix(SECURITY)
    return facts


def add(record: logging.LogRecord, **fields: Any) -> None:
    """Add fields to a record, unless it has them."""
    for name, value in fields.items():
        record.__dict__.setdefault(name, value)


class EventLimit(logging.Filter):
    """Drops records of an event above its limit, in total or per network.

    The first record of any kind after the window also logs how many were dropped.
    """

    def __init__(self, limits: Mapping[str, int] = LIMITS, window_s: float = WINDOW_S) -> None:
        super().__init__()
        self._limits = limits
        self._window_s = window_s
        self._lock = threading.Lock()  # handlers call filters before they take their own
        self._written: Counter[str] = Counter()  # by event
        self._by_network: Counter[tuple[str, str]] = Counter()  # of the written ones
        self._left_out: Counter[str] = Counter()  # by event
        self._began = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record may be written."""
        event = getattr(record, "event", "")
        limit = self._limits.get(event)
        network = str(getattr(record, "network", ""))
        with self._lock:
            ended = self._end_window()
            is_written = limit is None or self._has_room(event, network, limit)
        self._log_left_out(ended)  # not under the lock: these records pass this filter too
        return is_written

    def _has_room(self, event: str, network: str, limit: int) -> bool:
        """Count a record as written or dropped; return whether it may be written."""
        part = max(1, limit // NETWORK_LIMIT_DIVISOR) if network else limit
        if self._written[event] >= limit or self._by_network[event, network] >= part:
            self._left_out[event] += 1
            return False
        self._written[event] += 1
        self._by_network[event, network] += 1
        return True

    def _end_window(self) -> Counter[str]:
        """Begin a window if the last one is over; return how many lines that one has dropped."""
        now, ended = time.monotonic(), Counter[str]()
        if self._written and now - self._began >= self._window_s:
            ended, self._left_out = self._left_out, Counter()
            self._written.clear()
            self._by_network.clear()
        if not self._written:
            self._began = now
        return ended

    def _log_left_out(self, counts: Mapping[str, int]) -> None:
        for event, left_out in counts.items():
            about = {"event": LIMIT_EVENT, "kind": event, "left_out": left_out}
            log.warning("lines of an event were left out", extra=about)


class NotOutage(logging.Filter):
    """Drops Django's "Internal Server Error" record of an outage: `OutageLog` logs it once."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is to be logged."""
        error = record.exc_info[1] if record.exc_info else None
        return error is None or not outage_kind(error)


class OutsideOutage(logging.Filter):
    """Drops records during a logged outage of the database: the connection pool logs each attempt
    to connect. The first attempts, which name the reason, come before that."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is to be logged."""
        return not DATABASE.is_open
