"""Check that no other user can write the folder of compiled code.

numba loads what it finds there with pickle and runs it as machine code.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class SharedFolder(Exception):
    """Other users can write to the folder of compiled code; the message says where."""


def check_code_folder(folder: Path) -> None:
    """Raise SharedFolder if another user can put code into a folder, which need not exist.

    The folder, all that is in it and the folder that holds it must belong to this user or root,
    and neither group nor others may write to them. The folder that holds it may be one that all
    users share if it is sticky, as /tmp is. Does nothing on Windows.
    """
    if os.name == "nt":
        return
    parent = folder.resolve().parent
    if parent.exists():
        _check(parent, is_sticky_allowed=True)
    for path in _all_of(folder):
        _check(path)


def _all_of(folder: Path) -> Iterator[Path]:
    if folder.exists():
        yield folder
        yield from folder.rglob("*")


def _check(path: Path, is_sticky_allowed: bool = False) -> None:
    """Follow links: the target is what is loaded."""
    try:
        found = path.stat()
    except FileNotFoundError:  # another worker has just replaced it
        return
    if found.st_uid not in (os.geteuid(), 0):
        raise SharedFolder(
            f"{path} belongs to another user, and code in it would be run. Remove it, or set "
            "NUMBA_CACHE_DIR to a folder of this user's own."
        )
    is_sticky = is_sticky_allowed and found.st_mode & stat.S_ISVTX
    if found.st_mode & WRITABLE_BY_OTHERS and not is_sticky:
        raise SharedFolder(
            f"{path} can be written by other users, and code in it would be run. "
            f"Run: chmod go-w {path}, or set NUMBA_CACHE_DIR to a folder of this user's own."
        )
