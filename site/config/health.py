"""Answer `/healthz` and `/readyz` without Django's middleware.

`/healthz` says that the process answers; it makes no query. `/readyz` says whether a load balancer
should send requests here: whether an action could be written now (see `play.write_probe`), and, on
SQLite, whether the disk has space left. Redis is no part of it: without Redis pages are late, not
wrong, and all processes would become unready at once.
"""

import asyncio
import shutil
from pathlib import Path
from typing import Any

from django.db import connection

from accounts.outage_log import note_outage
from config import tables
from config.claim import is_claim_held
from play.background import background
from play.bus import bus
from play.desk import desk
from play.mailbox import GATE
from play.perloop import per_loop
from play.write_probe import probe_writing

PATHS = frozenset({"/healthz", "/readyz"})
FRESH = 1.0  # seconds for which an answer of the database is used again
PATIENCE = 2.0  # seconds for the database to answer
LEAST_FREE_BYTES = 64 * 1024 * 1024  # of the file system that holds the SQLite file
LEAST_FREE_SHARE = 0.01  # the same as a share of it; the smaller of both counts
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
    if not is_claim_held():
        return "the lock of the database is lost"
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
            if lack := await desk().read(lack_of_database):
                return lack
            await desk().write(probe_writing)
        except Exception as error:  # whatever it is: no request should be sent here
            note_outage(error)
            return f"the database cannot be written ({type(error).__name__})"
        return ""


def lack_of_database() -> str:
    """Return what the database lacks besides being writable: tables or space; empty if nothing."""
    if not tables.are_made():
        return "migrations are missing"
    return "the disk is almost full" if is_disk_almost_full() else ""


def is_disk_almost_full() -> bool:
    """Whether the file system of the SQLite file has too little space for unprivileged users.

    PostgreSQL's disk may be on another machine: there only the write probe tells.
    """
    if connection.vendor != "sqlite":
        return False
    disk = shutil.disk_usage(Path(connection.settings_dict["NAME"]).parent)
    return disk.free < min(LEAST_FREE_BYTES, LEAST_FREE_SHARE * disk.total)


probe = per_loop(Probe)
