"""Give files private modes, and keep the secret key in a private file."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from assets.static_root import PRIVATE_FILE, change_mode

SECRET_BYTES = 48
PRIVATE_UMASK = 0o077  # new files are readable by their owner only
OWN_NAMES = {"secret", "quiver.sqlite3", "static", "numba"}  # the site's own files


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
            change_mode(path, stat.S_IMODE(path.stat().st_mode) & ~PRIVATE_UMASK)


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


def secret_key(path: Path) -> str:
    """Return the secret key that `path` holds; the first call makes it.

    Two processes that start together agree: whole files are linked into place, the first one wins.
    Raises ImproperlyConfigured as `make_private` does.
    """
    if path.exists():
        make_private(path)
    else:
        own = path.with_name(f"{path.name}.{os.getpid()}")
        own.touch(mode=PRIVATE_FILE)
        own.write_text(secrets.token_urlsafe(SECRET_BYTES), encoding="ascii")
        with suppress(FileExistsError):
            os.link(own, path)
        own.unlink()
    return path.read_text(encoding="ascii")


def is_exposed(path: Path) -> bool:
    """Whether group or others have any permission on a path."""
    return os.name != "nt" and bool(path.stat().st_mode & PRIVATE_UMASK)
