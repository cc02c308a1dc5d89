"""Log formatters and LOGGING: lines for people, or one JSON object a line.

QUIVER_LOG=json selects JSON. Both write only the fields of an allow-list, for records of every
library: no session key, token, action, chat message or e-mail address. Of a message of another
logger only the template is written, because its arguments may be such values; of an error only its
class and the places of its traceback.
"""

import json
import logging
import re
import traceback
from datetime import UTC, datetime
from typing import Any, Final, Literal

from pythonjsonlogger.json import JsonFormatter

# Further fields that a record may have; each is a number or a short word of the site's own.
FIELDS: Final = (
    "event", "request_id", "method", "route", "status", "status_code", "network", "duration_ms",
    "close_code", "frames", "user", "kind", "reason", "origin", "left_out",
)  # fmt: skip
OURS: Final = "quiver."
MAX_CHARS: Final = 400  # characters of a message or a field
# Control characters (C0 and C1), which terminals interpret, and other line separators.
CONTROLS: Final = [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029]
ESCAPES: Final = {code: f"\\x{code:02x}" for code in CONTROLS}
# Messages written in place of Django's, which hold paths and headers. See `config.log_filters`.
DJANGO_EVENTS: Final = {
    "exception": "a request ended with an exception",
    "server_error": "a request was answered with an error of the server",
    "csrf": "a form was refused",
    "host": "a Host header was refused",
    "suspicious": "a suspicious request was refused",
}
REFUSALS: Final = frozenset({"csrf", "host", "suspicious"})  # logged without a traceback
MAX_FRAMES: Final = 12  # the innermost ones of a traceback
FRAME: Final = re.compile(r'^ *File "([^"]+)", line (\d+), in (\S+)', re.MULTILINE)
TRACEBACK: Final = "Traceback"


def escape_controls(text: str) -> str:
    """Return the text on one line, with control characters escaped."""
    return text.translate(ESCAPES)


class TextFormatter(logging.Formatter):
    """A line for people: time, level, logger, message, then the fields as `name=value`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s ")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; an error has a further line for each place of its traceback."""
        record.asctime = self.formatTime(record)
        facts = facts_of(record)
        error, places = facts.pop("error", ""), facts.pop("at", [])
        words = [message_of(record), *(f"{name}={_value(facts[name])}" for name in facts)]
        if error or places:
            words.append(f"{TRACEBACK}: {error}")
        line = escape_controls(self.formatMessage(record) + " ".join(words))
        return "\n".join([line, *(f"    {escape_controls(place)}" for place in places)])


class JsonLineFormatter(JsonFormatter):
    """One JSON object on one line."""

    def add_fields(
        self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]
    ) -> None:
        """Add the allowed fields only; the library would add every field of the record."""
        log_data["time"] = datetime.fromtimestamp(record.created, UTC).isoformat(
            timespec="milliseconds"
        )
        log_data["level"] = record.levelname
        log_data["logger"] = record.name
        log_data["message"] = message_of(record)
        log_data.update(facts_of(record))


def message_of(record: logging.LogRecord) -> str:
    """Return the message of our own loggers; of others the template, on one line."""
    if record.name.startswith(OURS):
        return record.getMessage()[:MAX_CHARS]
    if record.name.startswith("django.") and hasattr(record, "event"):
        return DJANGO_EVENTS[record.event]
    if not isinstance(record.msg, str):  # an object that would write itself out
        return type(record.msg).__name__
    return record.msg.partition("\n")[0][:MAX_CHARS]


def facts_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return the allowed fields of a record and, of an error, its class and places."""
    facts: dict[str, Any] = {}
    for name in FIELDS:
        value = getattr(record, name, None)
        if value is not None and value != "":
            facts[name] = value if isinstance(value, int | float) else str(value)[:MAX_CHARS]
    if facts.get("event") in REFUSALS:
        return facts
    if record.exc_info and record.exc_info[0] is not None:
        facts["error"] = record.exc_info[0].__name__
        facts["at"] = _places(traceback.extract_tb(record.exc_info[2]))
    elif not record.name.startswith(OURS) and FRAME.search(str(record.msg)):
        facts |= _read_traceback(str(record.msg))  # a library wrote a traceback as its message
    return facts


def _places(frames: traceback.StackSummary) -> list[str]:
    """Return the places of a traceback, the innermost last, without values of variables."""
    return [_place(f.filename, f.lineno, f.name) for f in frames[-MAX_FRAMES:]]


def _place(file: str, line: int | str | None, function: str) -> str:
    return f"{'/'.join(file.split('/')[-2:])}:{line} {function}"


def _read_traceback(text: str) -> dict[str, Any]:
    classes = re.findall(r"^([A-Za-z_][\w.]*)(?::|$)", text, re.MULTILINE)
    places = [_place(*found) for found in FRAME.findall(text)[-MAX_FRAMES:]]
    return {"error": classes[-1] if classes else "unknown", "at": places}


def _value(value: object) -> str:
    text = str(value)
    return json.dumps(text) if not text or set(text) & set(' "=') else text


def logging_settings(style: Literal["line", "json"], has_access_log: bool) -> dict[str, Any]:
    """Return Django's LOGGING, with lines for people or JSON objects."""
    silent = {"handlers": [], "level": "CRITICAL", "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": "config.logs.TextFormatter"},
            "json": {"()": "config.logs.JsonLineFormatter"},
        },
        "filters": {
            "request": {"()": "config.log_filters.RequestFilter"},
            "limit": {"()": "config.log_filters.EventLimit"},
            "not_outage": {"()": "config.log_filters.NotOutage"},
            "outside_outage": {"()": "config.log_filters.OutsideOutage"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": style,
                "filters": ["request", "limit"],
            }
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "django": {"level": "WARNING"},
            # Errors only: the rest is in the access log.
            "django.request": {"level": "ERROR", "filters": ["not_outage"]},
            "psycopg.pool": {"filters": ["outside_outage"]},
            "quiver": {"level": "INFO"},
            "quiver.access": {"level": "INFO" if has_access_log else "CRITICAL"},
            # uvicorn's own lines hold paths: those of requests are off, the others pass our
            # handler, which writes no arguments.
            "uvicorn": {"handlers": [], "level": "WARNING", "propagate": True},
            "uvicorn.error": {"handlers": [], "level": "WARNING", "propagate": True},
            "uvicorn.access": silent,
        },
    }
