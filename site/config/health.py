"""Two questions of whoever looks after this process, answered in words, without Django's stack.

`/healthz`: does the process answer at all? It asks no database. `/readyz`: may it be sent people?
Redis is no part of that: without it pages are late, not wrong; so all processes would go at once.
"""

import asyncio
from typing import Any

from django.db.models import F

from config import tables
from play.background import background
from play.bus import bus
from play.desk import desk
from play.mailbox import GATE
from play.models import Pulse
from play.perloop import per_loop

PATHS = frozenset({"/healthz", "/readyz"})
FRESH = 1.0  # seconds for which an answer of the database is used again
PATIENCE = 2.0  # seconds for the database to answer
HEADERS = [
    (b"content-type", b"text/plain; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
]


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """Answers a request for one of the paths."""
    if scope["method"] not in ("GET", "HEAD"):
        status, words = 405, "only GET and HEAD are answered here"
    elif scope["path"] == "/healthz":
        status, words = 200, "alive"
    else:
        status, words = await readiness()
    body = b"" if scope["method"] == "HEAD" else f"{words}\n".encode()
    length = (b"content-length", str(len(words) + 1).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*HEADERS, length]})
    await send({"type": "http.response.body", "body": body})


async def readiness() -> tuple[int, str]:
    """The status and the words for it."""
    why = _unready() or await probe().lack()
    if why:
        return 503, f"not ready: {why}"
    return 200, "ready, but other processes are not heard" if bus().is_deaf else "ready"


def _unready() -> str:
    """What this process itself lacks, in a word or two; empty if nothing."""
    if GATE.is_shut:
        return "stopping"
    return "" if background().is_ready.is_set() else "starting"


class Probe:
    """Asks the database, for all who want to know within a second together."""

    def __init__(self) -> None:
        self._asking: asyncio.Task[str] | None = None
        self._at = 0.0

    async def lack(self) -> str:
        """What the database lacks; empty if nothing."""
        now = asyncio.get_running_loop().time()
        if self._asking is None or (self._asking.done() and now - self._at > FRESH):
            self._asking, self._at = asyncio.create_task(self._ask()), now
        done, _ = await asyncio.wait({self._asking}, timeout=PATIENCE)
        return self._asking.result() if done else "the database does not answer"

    async def _ask(self) -> str:
        try:
            return await desk().read(lack_of_database)
        except Exception as error:  # whatever it is: people are not to be sent here
            return f"the database cannot be written ({type(error).__name__})"


def lack_of_database() -> str:
    """Whether the tables are those that the code knows, and a row can be written."""
    if not tables.are_made():
        return "migrations are missing"
    Pulse.objects.filter(pk=1).update(at=F("at"))
    return ""


probe = per_loop(Probe)
