"""Logging with structlog: one redaction of all records, then a JSON object or a line for people.

QUIVER_LOG=json selects JSON. Only the fields of an allow-list are written, for records of every
library: no session key, token, action, chat message or e-mail address. Of a message of another
logger only the template is written, because its arguments may be such values; of an error only its
class and the places of its traceback.

django-structlog was tried: its middleware logs paths and takes the id of a request from a header,
and it knows no WebSockets. `server.access_log` binds the fields of the request instead.
"""

import logging
import re
import traceback
from collections.abc import Mapping
from typing import Any, Final, Literal

from structlog.contextvars import get_contextvars
from structlog.dev import ConsoleRenderer, plain_traceback
from structlog.processors import JSONRenderer, TimeStamper
from structlog.stdlib import ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import EventDict

# Further fields that a record may have; each is a number or a short word of the site's own.
FIELDS: Final = (
    "event", "request_id", "method", "route", "status", "status_code", "network", "duration_ms",
    "close_code", "frames", "user", "kind", "reason", "origin",
)  # fmt: skip
OURS: Final = "quiver."
SECURITY: Final = "django.security."
MAX_CHARS: Final = 400  # characters of a message or a field
# Control characters (C0 and C1), which terminals interpret, and other line separators.
CONTROLS: Final = [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029]
ESCAPES: Final = {code: f"\\x{code:02x}" for code in CONTROLS}
# Messages written in place of Django's, which hold paths and headers.
DJANGO_MESSAGES: Final = {
    "exception": "a request ended with an exception",
    "server_error": "a request was answered with an error of the server",
    "csrf": "a form was refused",
    "host": "a Host header was refused",
    "suspicious": "a suspicious request was refused",
}
REFUSALS: Final = frozenset({"csrf", "host", "suspicious"})  # logged without a traceback
MAX_FRAMES: Final = 12  # the innermost ones of a traceback
FRAME: Final = re.compile(r'^ *File "([^"]+)", line (\d+), in (\S+)', re.MULTILINE)
CLASS: Final = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)", re.MULTILINE)


def request_fields() -> Mapping[str, str]:
    """Return the fields that `server.access_log` has bound for the current request or socket."""
    fields: Mapping[str, str] = get_contextvars().get("request", {})
    return fields


def event_of(record: logging.LogRecord) -> str:
    """Return the event of a record, also of one of Django's loggers; empty if it has none."""
    if record.name == "django.request":
        return "exception" if record.exc_info else "server_error"
    if record.name == f"{SECURITY}csrf":
        return "csrf"
    if record.name == f"{SECURITY}DisallowedHost":
        return "host"
    if record.name.startswith(SECURITY):
        return "suspicious"
    return str(getattr(record, "event", ""))


def redact(_logger: Any, _method: str, event_dict: EventDict) -> EventDict:
    """Return what may be written of a record, on one line but for the places of a traceback.

    A structlog processor. `ProcessorFormatter` empties the record's `args` and `exc_info`; they are
    in `event_dict`.
    """
    record: logging.LogRecord = event_dict["_record"]
    args, exc_info = event_dict["positional_args"], event_dict.get("exc_info")
    event = "exception" if record.name == "django.request" and exc_info else event_of(record)
    found = {**request_fields(), **vars(record), "event": event}
    if event == "csrf" and args:
        found["reason"] = str(args[0]).split(" - ")[0]  # a header's text may follow
    elif record.name.startswith(SECURITY):
        found["reason"] = record.name.removeprefix(SECURITY)
    fields = {name: event_dict[name] for name in ("time", "level", "logger")}
    fields["message"] = _clean(_message(record, event, args))
    for name in FIELDS:
        if found.get(name) not in (None, ""):
            fields[name] = _clean(found[name])
    if event not in REFUSALS and (places := _exception(record, exc_info)):
        fields["exception"] = "\n    ".join(map(_clean, places))
    return fields


def _message(record: logging.LogRecord, event: str, args: Any) -> str:
    """Return the message of our own loggers, of others the template."""
    if record.name.startswith(OURS):
        return str(record.msg) % args if args else str(record.msg)
    if record.name.startswith("django.") and event:
        return DJANGO_MESSAGES[event]
    if not isinstance(record.msg, str):  # an object that would write itself out
        return type(record.msg).__name__
    return record.msg.partition("\n")[0]


def _exception(record: logging.LogRecord, exc_info: Any) -> list[str]:
    """Return the class of an error and the places of its traceback, the innermost last.

    Some libraries write a traceback as their message.
    """
    text = "" if record.name.startswith(OURS) else str(record.msg)
    if exc_info and exc_info[0] is not None:
        name = exc_info[0].__name__
        frames = traceback.extract_tb(exc_info[2])
        places: list[tuple[str, Any, str]] = [(f.filename, f.lineno, f.name) for f in frames]
    elif places := FRAME.findall(text):
        name = [*CLASS.findall(text), "unknown"][-2]
    else:
        return []
    shown = places[-MAX_FRAMES:]
    return [
        f"Traceback: {name}",
        *(f"{'/'.join(file.split('/')[-2:])}:{line} {function}" for file, line, function in shown),
    ]


def _clean(value: Any) -> Any:
    """Return a number as it is, of all else the text, bounded and with control characters escaped.

    So nobody begins a log line of their own.
    """
    return value if isinstance(value, int | float) else str(value)[:MAX_CHARS].translate(ESCAPES)


def make_formatter(style: Literal["line", "json"]) -> logging.Formatter:
    """Return the formatter of all records. Text in lines is quoted, so that no value looks like a
    field."""
    console = ConsoleRenderer(
        event_key="message",
        timestamp_key="time",
        repr_native_str=True,
        colors=False,
        exception_formatter=plain_traceback,
    )
    return ProcessorFormatter(
        processors=[
            TimeStamper(fmt="iso", utc=True, key="time"),
            add_log_level,
            add_logger_name,
            redact,
            JSONRenderer() if style == "json" else console,
        ],
        use_get_message=False,  # the values in messages of libraries are never put together
        pass_foreign_args=True,
    )


def logging_settings(style: Literal["line", "json"], has_access_log: bool) -> dict[str, Any]:
    """Return Django's LOGGING, with lines for people or JSON objects."""
    silent = {"handlers": [], "level": "CRITICAL", "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"redacted": {"()": "config.logs.make_formatter", "style": style}},
        "filters": {
            "limit": {"()": "config.log_filters.EventLimit"},
            "outage": {"()": "config.log_filters.OutageFilter"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "redacted",
                "filters": ["outage", "limit"],
            }
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "django": {"level": "WARNING"},
            "django.request": {"level": "ERROR"},  # the rest is in the access log
            "quiver": {"level": "INFO"},
            "quiver.access": {"level": "INFO" if has_access_log else "CRITICAL"},
            # uvicorn's own lines hold paths: those of requests are off, the others pass our
            # handler, which writes no arguments.
            "uvicorn": {"handlers": [], "level": "WARNING", "propagate": True},
            "uvicorn.error": {"handlers": [], "level": "WARNING", "propagate": True},
            "uvicorn.access": silent,
        },
    }
