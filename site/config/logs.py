"""How things are logged: lines for people, or with QUIVER_LOG=json one JSON object a line.

The standard library and thirty lines do it: what counts is the list of fields that may be told, and
that has to hold for the records of every library, which all come by `logging`. Nothing else of a
record is told: no session key, no action, no talk, no address of mail. Of a message of somebody
else's logger only the template is told, of an error only its kind and where it happened.
"""

import json
import logging
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from accounts.outage_log import DATABASE, outage_kind

# Fields that a record may carry besides; each is a number or a short word of ours.
FIELDS = ("event", "user", "kind", "reason", "origin", "status_code")
OURS = "quiver."
LONGEST = 400  # characters of a message or a field
ESCAPES = {code: f"\\x{code:02x}" for code in [*range(32), 0x7F, 0x85, 0x2028, 0x2029]}


def escaped(text: str) -> str:
    """The text on one line, whoever wrote parts of it."""
    return text.translate(ESCAPES)


class Line(logging.Formatter):
    """A line for people; only a traceback has more of them."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line, without line ends."""
        return escaped(super().formatMessage(record))


class Json(logging.Formatter):
    """One JSON object on one line, of fields that are on the list."""

    def format(self, record: logging.LogRecord) -> str:
        """The object."""
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _message(record)[:LONGEST],
        }
        for field in FIELDS:
            value = getattr(record, field, None)
            if value is not None:
                told[field] = value if isinstance(value, int | float) else str(value)[:LONGEST]
        if record.exc_info and record.exc_info[0] is not None:
            told["error"] = record.exc_info[0].__name__
            told["at"] = _places(record.exc_info[2])
        return json.dumps(told)


class NotOutage(logging.Filter):
    """Drops Django's "Internal Server Error" record of an outage: `OutageLog` has told of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is to be logged."""
        error = record.exc_info[1] if record.exc_info else None
        return error is None or not outage_kind(error)


class OutsideOutage(logging.Filter):
    """Drops records while an outage of the database is logged as open: the pool of connections logs
    each try to connect. The first tries, which say why, come before that."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is to be logged."""
        return not DATABASE.is_open


def _message(record: logging.LogRecord) -> str:
    return record.getMessage() if record.name.startswith(OURS) else str(record.msg)


def _places(trace: Any) -> list[str]:
    """Where an error came from, the innermost last; nothing of what was in the variables."""
    frames = traceback.extract_tb(trace)[-12:]
    return [f"{'/'.join(f.filename.split('/')[-2:])}:{f.lineno} {f.name}" for f in frames]


def logging_settings(environ: Mapping[str, str]) -> dict[str, Any]:
    """Django's LOGGING. Raises ImproperlyConfigured for a way of logging that there is not."""
    way = environ.get("QUIVER_LOG", "line")
    if way not in ("line", "json"):
        raise ImproperlyConfigured(f"QUIVER_LOG is {way!r}; it may be line or json.")
    line = "%(asctime)s %(levelname)s %(name)s %(message)s"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "not_outage": {"()": "config.logs.NotOutage"},
            "outside_outage": {"()": "config.logs.OutsideOutage"},
        },
        "formatters": {
            "line": {"()": "config.logs.Line", "format": line},
            "json": {"()": "config.logs.Json"},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": way}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "django": {"level": "WARNING"},
            "django.request": {"filters": ["not_outage"]},
            "psycopg.pool": {"filters": ["outside_outage"]},
            # Anybody can send a wrong host name: that is answered with 400 and fills no log.
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "quiver": {"level": "INFO"},
        },
    }
