"""Paths and modes of the public folder of collected static files.

The manifest and the stamp lie beside it, because they are not to be served.
"""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

SHARED_FOLDER, SHARED_FILE, PRIVATE_FILE = 0o755, 0o644, 0o600


def manifest_path(root: Path) -> Path:
    """Return the path of the manifest, which maps the name of each file to its hashed name."""
    return root.with_name(f"{root.name}.manifest.json")


def stamp_path(root: Path) -> Path:
    """Return the path of the stamp, which tells whether a source has changed since."""
    return root.with_name(f"{root.name}.stamp")


def check_static_folder(path: Path, private: Iterable[Path]) -> None:
    """Raise ImproperlyConfigured if a folder cannot be that of the collected static files.

    Old files in it are deleted. So it must neither be nor contain one of the `private` folders, and
    hold nothing that was not collected.
    """
    place = path.resolve()
    if any(place in (each.resolve(), *each.resolve().parents) for each in private):
        raise ImproperlyConfigured(
            f"QUIVER_STATIC is {path}, in which the site keeps what is private or its code. "
            "Name a folder for static files alone."
        )
    is_empty = not path.is_dir() or not any(path.iterdir())
    if not is_empty and not manifest_path(path).exists() and not stamp_path(path).exists():
        raise ImproperlyConfigured(
            f"QUIVER_STATIC is {path}, which holds other things than collected static files. "
            "Name a folder for these alone; old files in it are deleted."
        )


def mode_beside(root: Path) -> int:
    """Return the mode of the files beside the folder: private in the data folder; elsewhere
    readable by all, since another user than the site's may collect."""
    return PRIVATE_FILE if root.parent == settings.DATA_DIR.absolute() else SHARED_FILE


def make_shared_folder(path: Path) -> None:
    """Create a folder, and the missing ones above it, that all users can enter."""
    umask = os.umask(0o777 & ~SHARED_FOLDER)
    try:
        path.mkdir(parents=True, exist_ok=True)
    finally:
        os.umask(umask)


def make_world_readable(folder: Path) -> None:
    """Let all users read a folder and all files below it, regardless of the umask.

    Raises ImproperlyConfigured for files of another user that are not readable already.
    """
    for path in [folder, *folder.rglob("*")]:
        mode = SHARED_FOLDER if path.is_dir() else SHARED_FILE
        with suppress(FileNotFoundError):  # another process that collects files has moved it
            if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & mode != mode:
                change_mode(path, mode)


def change_mode(path: Path, mode: int) -> None:
    """Set the mode of a file or folder. Raises ImproperlyConfigured if it is another user's."""
    try:
        os.chmod(path, mode)
    except PermissionError:
        raise ImproperlyConfigured(
            f"{path} has the wrong mode and belongs to another user. Run this as its owner, or let "
            f"the owner run: chmod {mode:o} {path}"
        ) from None
