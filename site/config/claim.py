"""One web process for each SQLite file: a lock beside the database, freed when the process ends."""

import os
from pathlib import Path
from typing import IO

if os.name == "nt":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Claimed(RuntimeError):
    """Another web process has this database."""


_held: dict[Path, IO[str]] = {}


def claim(database: Path) -> None:
    """Claims a database file for this process; again is harmless. Raises `Claimed`.

    The in-memory channel layer reaches the sockets of one process only, so a second web process
    on the same file would show stale boards.
    """
    path = database.with_name(f"{database.name}.lock")
    if path in _held:
        return
    file = path.open("a+", encoding="ascii")
    try:
        _lock(file)
    except OSError:
        file.close()
        raise Claimed(
            f"Another server already runs on the database {database}. "
            "Stop it first, or give this one a folder of its own: QUIVER_DATA=/some/folder."
        ) from None
    _held[path] = file
