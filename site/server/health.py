"""Answer `/healthz` and `/readyz` without Django's middleware.

`/healthz` answers without a query while the process runs. `/readyz` tells a load balancer whether
to send requests here: whether an action could be written now (see `play.runtime.write_probe`), and,
on SQLite, whether the disk has space left. Redis does not count: without Redis pages are late, not
wrong, and all processes would become unready at once.

django-health-check 4.8 was tried. It is a Django view: a probe runs through all middleware (4 ms
where this takes 1 µs) and is refused with 400 unless its Host header is one of the site's. It
answers 500 where load balancers expect 503, reruns every check for each probe, logs a traceback
for each that fails, and needs dnspython.
"""

import asyncio
import shutil
from pathlib import Path
from typing import Any

from django.db import connection

from play.runtime.game_service import GameService
from play.runtime.open_sockets import ACCEPTING
from play.runtime.runtime import WebRuntime
from play.runtime.write_probe import probe_writing
from server import migration_state
from telemetry.outage_log import note_outage

PATHS = frozenset({"/healthz", "/readyz"})
MAX_PROBE_AGE_S = 1.0  # an answer of the database is used again for so long
PROBE_TIMEOUT_S = 2.0
MIN_FREE_BYTES = 64 * 1024 * 1024  # of the file system that holds the SQLite file
MIN_FREE_SHARE = 0.01  # the same as a share of it; the smaller of both counts
HEADERS = [
    (b"content-type", b"text/plain; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
]


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """Answer a request for one of `PATHS`."""
    if scope["method"] not in ("GET", "HEAD"):
        status, words = 405, "only GET and HEAD are answered here"
    elif scope["path"] == "/healthz":
        status, words = 200, "alive"
    else:
        status, words = await readiness(scope["runtime"])
    body = b"" if scope["method"] == "HEAD" else f"{words}\n".encode()
    length = (b"content-length", str(len(words) + 1).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*HEADERS, length]})
    await send({"type": "http.response.body", "body": body})


async def readiness(runtime: WebRuntime) -> tuple[int, str]:
    """Return the status, 200 or 503, and a sentence."""
    why = _find_local_fault(runtime) or await runtime.part(Probe).lack(runtime.games)
    if why:
        return 503, f"not ready: {why}"
    return 200, "ready"


def _find_local_fault(runtime: WebRuntime) -> str:
    """Return why this process itself is not ready, in a few words; empty if it is."""
    if ACCEPTING.is_shut:
        return "stopping"
    return "" if runtime.background.is_ready.is_set() else "starting"


class Probe:
    """Probes the database once for all requests within `MAX_PROBE_AGE_S`."""

    def __init__(self) -> None:
        self._asking: asyncio.Task[str] | None = None
        self._at = 0.0

    async def lack(self, games: GameService) -> str:
        """Return why the database is not ready, in a few words; empty if it is."""
        now = asyncio.get_running_loop().time()
        if self._asking is None or (self._asking.done() and now - self._at > MAX_PROBE_AGE_S):
            self._asking, self._at = asyncio.create_task(self._ask(games)), now
        done, _ = await asyncio.wait({self._asking}, timeout=PROBE_TIMEOUT_S)
        return self._asking.result() if done else "the database does not answer"

    async def _ask(self, games: GameService) -> str:
        try:
            if lack := await games.run_in_db_thread(lack_of_database):
                return lack
            await games.write(probe_writing)
        except Exception as error:  # any error: no request should be sent here
            note_outage(error)
            return f"the database cannot be written ({type(error).__name__})"
        return ""


def lack_of_database() -> str:
    """Return whether the database lacks migrations or space, in a few words; empty if neither."""
    if not migration_state.is_migrated():
        return "migrations are missing"
    return "the disk is almost full" if is_disk_almost_full() else ""


def is_disk_almost_full() -> bool:
    """Whether the file system of the SQLite file has too little space for unprivileged users.

    PostgreSQL's disk may be on another machine: there only the write probe tells.
    """
    if connection.vendor != "sqlite":
        return False
    disk = shutil.disk_usage(Path(connection.settings_dict["NAME"]).parent)
    return disk.free < min(MIN_FREE_BYTES, MIN_FREE_SHARE * disk.total)
