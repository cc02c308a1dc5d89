"""File modes: private for what the site keeps, world-readable for its static files."""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config.static_paths import is_collected

PRIVATE_UMASK = 0o077  # new files are readable by their owner only
SHARED_FOLDER, SHARED_FILE, PRIVATE_FILE = 0o755, 0o644, 0o600
OWN_NAMES = {"secret", "quiver.sqlite3", "static", "numba"}  # what the site puts into its folder


def make_private_folder(path: Path) -> None:
    """Create the data folder, or remove group and other permissions from the one that exists.

    Raises ImproperlyConfigured for a folder that other users can enter if it belongs to another
    user, is shared by all (sticky, as /tmp is), or holds other things than the site's: nobody else
    could use these any more. Does not change modes on Windows.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_exposed(path):
        return
    if path.stat().st_mode & stat.S_ISVTX:
        raise ImproperlyConfigured(
            f"QUIVER_DATA is {path}, which all users of this machine share. Name a folder in it."
        )
    names = {each.name for each in path.iterdir()}
    if names and not names & OWN_NAMES:
        raise ImproperlyConfigured(
            f"QUIVER_DATA is {path}, which other users can enter and which holds other things. "
            f"Name a folder of the site's own, or run: chmod 700 {path}"
        )
    make_private(path)


def make_private(path: Path) -> None:
    """Remove group and other permissions from a file or folder, if it exists.

    Raises ImproperlyConfigured if it belongs to another user.
    """
    with suppress(FileNotFoundError):
        if is_exposed(path):
            _chmod(path, stat.S_IMODE(path.stat().st_mode) & ~PRIVATE_UMASK)


def make_database_private(path: Path) -> None:
    """Make SQLite's file and the files beside it private, those that exist.

    SQLite gives the files that it creates the mode of the database, and the umask makes a new
    database private. Raises ImproperlyConfigured as `make_private` does.
    """
    make_private(path)
    for suffix in ("-wal", "-shm", "-journal"):
        beside = path.with_name(path.name + suffix)
        if not beside.is_symlink():
            make_private(beside)


def make_shared_folder(path: Path) -> None:
    """Create a folder, and the missing ones above it, that all users can enter."""
    umask = os.umask(0o777 & ~SHARED_FOLDER)
    try:
        path.mkdir(parents=True, exist_ok=True)
    finally:
        os.umask(umask)


def make_world_readable(folder: Path) -> None:
    """Let all users read a folder and all files below it, whatever the umask was.

    Raises ImproperlyConfigured for files of another user that are not readable already.
    """
    for path in [folder, *folder.rglob("*")]:
        mode = SHARED_FOLDER if path.is_dir() else SHARED_FILE
        with suppress(FileNotFoundError):  # another process that collects files has moved it
            if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & mode != mode:
                _chmod(path, mode)


def check_static_folder(path: Path, private: Iterable[Path]) -> None:
    """Raise ImproperlyConfigured if a folder cannot be that of the collected static files.

    All of it is served to everybody, and old files in it are deleted. So it must neither be nor
    contain one of the `private` folders, and hold nothing that was not collected.
    """
    place = path.resolve()
    if any(place in (each.resolve(), *each.resolve().parents) for each in private):
        raise ImproperlyConfigured(
            f"QUIVER_STATIC is {path}, in which the site keeps what is private or its code. "
            "Name a folder for static files alone."
        )
    names = {each.name for each in path.iterdir()} if path.is_dir() else set()
    if names and not is_collected(path):
        raise ImproperlyConfigured(
            f"QUIVER_STATIC is {path}, which holds other things than collected static files. "
            "Name a folder for these alone; old files in it are deleted."
        )


def is_exposed(path: Path) -> bool:
    """Whether group or others have any permission on a path."""
    return os.name != "nt" and bool(path.stat().st_mode & PRIVATE_UMASK)


def _chmod(path: Path, mode: int) -> None:
    try:
        os.chmod(path, mode)
    except PermissionError:
        raise ImproperlyConfigured(
            f"{path} has the wrong mode and belongs to another user. Run this as its owner, or let "
            f"the owner run: chmod {mode:o} {path}"
        ) from None
