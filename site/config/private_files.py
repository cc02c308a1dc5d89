"""Folders and files that only the site's own user may read, and those that everybody may read."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

PRIVATE_UMASK = 0o077  # of every process of the site: what it makes is for its own user
FOLDER_MODE, FILE_MODE = 0o700, 0o600
SHARED_FOLDER_MODE, SHARED_FILE_MODE = 0o755, 0o644


def make_private_folder(path: Path) -> None:
    """Make the data folder, or take the rights of other users off it.

    Raises ImproperlyConfigured for a folder that is open and belongs to somebody else, or that all
    users share, such as /tmp. Windows has no such rights: there, nothing is changed.
    """
    path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    if path.stat().st_mode & stat.S_ISVTX:
        raise ImproperlyConfigured(
            f"QUIVER_DATA is {path}, which all users of this machine share. Name a folder in it."
        )
    _close(path, FOLDER_MODE)


def make_private(path: Path) -> None:
    """Make an empty file, or take the rights of other users off the one that there is. Raises
    ImproperlyConfigured for one of somebody else's."""
    path.touch(mode=FILE_MODE)
    _close(path, FILE_MODE)


def make_database_private(path: Path) -> None:
    """Make SQLite's file before SQLite does, which gives the files beside it the same rights, and
    take the rights of others off those that there are. Raises ImproperlyConfigured."""
    make_private(path)
    for beside in path.parent.glob(f"{path.name}-*"):
        _close(beside, FILE_MODE)


def share(folder: Path) -> None:
    """Let everybody read a folder and all that is in it, whatever the umask was."""
    for path in [folder, *folder.rglob("*")]:
        mode = SHARED_FOLDER_MODE if path.is_dir() else SHARED_FILE_MODE
        with suppress(FileNotFoundError):  # another process has put it in its place meanwhile
            if stat.S_IMODE(path.stat().st_mode) != mode:
                os.chmod(path, mode)


def _close(path: Path, mode: int) -> None:
    try:
        if os.name != "nt" and path.stat().st_mode & PRIVATE_UMASK:
            os.chmod(path, mode)
    except FileNotFoundError:  # SQLite has removed a file beside the database meanwhile
        return
    except PermissionError:
        raise ImproperlyConfigured(
            f"{path} is open to other users and belongs to another user. Run this as its owner, or "
            f"have the owner do: chmod {mode:o} {path}"
        ) from None
