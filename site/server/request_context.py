"""Context variable of the current request or socket, for log records."""

import asyncio
import random
import re
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

from django.urls import ResolverMatch

UNKNOWN: Final = "-"  # in the place of a route or network
ID_BYTES = 8  # 64 bits: two requests of a year's log hardly share an id


@dataclass(slots=True)
class RequestInfo:
    """Facts about one request or socket. It holds no scope: tasks that begin during a request keep
    its context for as long as they run.

    `id` is generated here, never read from a header, so that clients cannot forge log lines. `task`
    is set for sockets: records of other tasks do not belong to the socket.
    """

    id: str
    method: str
    network: str
    task: asyncio.Task[Any] | None = None
    is_over: bool = False


_ids = random.Random()
_info: ContextVar[RequestInfo | None] = ContextVar("request_info", default=None)
enter = _info.set
leave = _info.reset


def new_id() -> str:
    """Return a random request id of 16 hexadecimal digits. It is no secret."""
    return f"{_ids.getrandbits(8 * ID_BYTES):0{2 * ID_BYTES}x}"


def current() -> RequestInfo | None:
    """Return the request that the running code answers; None in background work."""
    info = _info.get()
    if info is None or info.is_over:
        return None
    if info.task is not None and info.task is not _current_task():
        return None
    return info


def current_id() -> str:
    """Return the id of the request that is being answered, or an empty text."""
    info = current()
    return info.id if info else ""


def _current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no event loop runs in this thread
        return None


def template_of(match: ResolverMatch | None) -> str:
    """Return the template of a route that Django has found, or "-"."""
    return readable(match.route) if match else UNKNOWN


def readable(route: str) -> str:
    """Return a route without regular-expression syntax; "/" for the home page."""
    plain = re.sub(r"\(\?P(<\w+>)[^)]*\)", r"\1", route.removeprefix("^"))
    return plain.removesuffix("$").removesuffix(r"\Z") or "/"
