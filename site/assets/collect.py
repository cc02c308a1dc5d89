"""Collect the static files if they have changed since the last collection.

Open pages keep using the files of an earlier collection and load further parts of it, so a file
that a new collection no longer has is kept for 30 days. Processes that start at the same time may
collect at the same time: each in a folder of its own, from which the files are moved.
"""

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.management.commands.collectstatic import Command
from django.core.files.storage import InMemoryStorage
from django.core.management import call_command

from assets.entry_points import find_entry_points
from assets.esbuild import find_esbuild
from assets.manifest_storage import AssetStorage
from assets.static_root import (
    make_shared_folder,
    make_world_readable,
    manifest_path,
    mode_beside,
    stamp_path,
)

UNUSED_FILE_LIFE_S: Final = 30 * 24 * 3600
CODE: Final = sorted(Path(__file__).parent.glob("*.py"))


def collect() -> bool:
    """Collect, bundle, hash and compress if a file has changed; return whether one had.

    Raises CommandError if esbuild refuses a source.
    """
    root = Path(settings.STATIC_ROOT)
    stamp, now = stamp_path(root), fingerprint()
    if stamp.exists() and stamp.read_text(encoding="ascii") == now:
        return False
    make_shared_folder(root)
    stamp.touch()  # marks the folder as one of collected files, even if this is interrupted
    _touch_used_files(root)
    with TemporaryDirectory(dir=root.parent, prefix="static-") as folder:
        fresh = Path(folder) / "files"
        _collect_into(fresh, root)
        _move_into_place(fresh, root)
    _delete_unused(root, time.time() - UNUSED_FILE_LIFE_S)
    make_world_readable(root)
    stamp.write_text(now, encoding="ascii")
    stamp.chmod(mode_beside(root.absolute()))
    return True


def fingerprint() -> str:
    """Return a hash of all inputs of a collection.

    These are names, sizes and times of the static files, of this code and of esbuild, the contents
    of files that lie in no folder, and the names of the entry points.
    """
    made = list[str]()
    paths = [*CODE, *([Path(esbuild)] if (esbuild := find_esbuild()) else [])]
    ignored = apps.get_app_config("staticfiles").ignore_patterns  # type: ignore[attr-defined]
    for finder in get_finders():
        for name, storage in finder.list(ignored):
            if isinstance(storage, InMemoryStorage):  # made for a collection, such as texts
                made += [f"{name}|{hashlib.sha256(storage.open(name).read()).hexdigest()}"]
            else:
                paths += [Path(storage.path(name))]
    entries = find_entry_points()
    names = [sorted(each) for each in (entries.modules, entries.classics, entries.sheets)]
    digest = hashlib.sha256(repr([names, sorted(made)]).encode())
    for path in sorted(paths):
        about = path.stat()
        digest.update(f"{path}|{about.st_size}|{about.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _touch_used_files(root: Path) -> None:
    """Set the times of the last collection's files to now, because they were in use until now."""
    for name in AssetStorage(location=root).hashed_files.values():
        for file in (root / f"{name}{ending}" for ending in ("", ".br", ".gz")):
            if file.exists():
                os.utime(file)


def _collect_into(folder: Path, root: Path) -> None:
    command = Command()
    command.storage = AssetStorage(location=folder)
    command.storage.known = root
    call_command(command, interactive=False, verbosity=0)


def _move_into_place(folder: Path, root: Path) -> None:
    """Move the files; the manifest, which names them, comes last."""
    for file in [file for file in folder.rglob("*") if file.is_file()]:
        place = root / file.relative_to(folder)
        make_shared_folder(place.parent)
        file.replace(place)
    manifest_path(folder).chmod(mode_beside(root.absolute()))
    manifest_path(folder).replace(manifest_path(root))


def _delete_unused(root: Path, moment: float) -> None:
    """Delete files and empty folders that were last changed before a moment."""
    for path in sorted(root.rglob("*"), reverse=True):
        if path.stat().st_mtime >= moment:
            continue
        if path.is_file():
            path.unlink(missing_ok=True)
        else:
            with suppress(OSError):  # a folder that is not empty stays
                path.rmdir()
