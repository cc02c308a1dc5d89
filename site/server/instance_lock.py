"""Allow one web process for each database, unless all web processes share Redis.

Without Redis a process reaches its own sockets only, so that a second one would show stale boards.
The lock is on a file, beside the database on SQLite and in the data folder of this machine on
PostgreSQL. The kernel frees it when the process ends, even if it is killed.
"""

import sys
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import connection

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Claimed(RuntimeError):
    """Another web process has claimed this database."""


_held: dict[Path, IO[str]] = {}


def claim_database() -> None:
    """Claim the database for this web process; a second call does nothing. Raises `Claimed`."""
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        claim(database.with_name(f"{database.name}.lock"))
    elif not settings.REDIS_URL:
        claim(Path(settings.DATA_DIR) / "web.lock")


def claim(path: Path) -> None:
    """Lock a file for this process; a second call does nothing. Raises `Claimed`."""
    if path in _held:
        return
    file = path.open("a+", encoding="ascii")
    try:
        _lock(file)
    except OSError:
        file.close()
        raise Claimed(
            f"Another server already runs on this database ({path} is locked). Stop it first, or "
            "give this one a folder of its own: QUIVER_DATA=/some/folder. Several servers share "
            "PostgreSQL if all have the same REDIS_URL."
        ) from None
    _held[path] = file
