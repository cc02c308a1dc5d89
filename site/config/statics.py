"""Collects the static files when they have changed since the last time.

Pages that are open go on with the files that they began with, and ask for further parts of them;
so what a collection no longer has is kept for a while. Processes that start at the same time may
collect at the same time: each in a folder of its own, and a file is put in its place at once.
"""

import hashlib
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from django.conf import settings
from django.contrib.staticfiles.management.commands.collectstatic import Command
from django.core.management import call_command

from config.private_files import make_shared_folder, make_world_readable
from config.static_paths import manifest_path, remove_served, stamp_path
from config.storage import LinkedStorage, mode_beside

KEPT: Final = 30 * 24 * 3600  # seconds that a file which is no longer used is kept
# Node's word for what the scripts are; what Django's admin loads only with DEBUG.
LEFT_OUT: Final = ["package.json", "jquery.js", "select2.full.js", "xregexp.js"]
HERE: Final = Path(__file__).parent
LINKER: Final = [HERE / "collected.py", HERE / "linking.py", HERE / "scripts.py"]


def collect() -> bool:
    """Collects, hashes and compresses if a file has changed; whether it had to."""
    root = Path(settings.STATIC_ROOT)
    stamp = stamp_path(root)
    print_now = fingerprint([*map(Path, settings.STATICFILES_DIRS), *LINKER])
    if stamp.exists() and stamp.read_text(encoding="ascii") == print_now:
        return False
    make_shared_folder(root)
    stamp.touch()  # this folder is one of collected files, also if the collection is cut short
    _note_use(root)
    with TemporaryDirectory(dir=root.parent, prefix="static-") as folder:
        fresh = Path(folder) / "files"
        _collect_into(fresh, root)
        _put_in_place(fresh, root)
    _forget(root, time.time() - KEPT)
    make_world_readable(root)
    stamp.write_text(print_now, encoding="ascii")
    stamp.chmod(mode_beside(root.absolute()))
    return True


def _note_use(root: Path) -> None:
    """What leaves with the next collection was in use until now."""
    for name in LinkedStorage(location=root).hashed_files.values():
        for file in (root / f"{name}{ending}" for ending in ("", ".br", ".gz")):
            if file.exists():
                os.utime(file)


def _collect_into(folder: Path, root: Path) -> None:
    command = Command()
    command.storage = LinkedStorage(location=folder)
    command.storage.known = root
    call_command(command, interactive=False, verbosity=0, ignore_patterns=LEFT_OUT)


def _put_in_place(folder: Path, root: Path) -> None:
    """Moves the files; the manifest, which names them, comes last."""
    for file in [file for file in folder.rglob("*") if file.is_file()]:
        place = root / file.relative_to(folder)
        make_shared_folder(place.parent)
        file.replace(place)
    manifest_path(folder).chmod(mode_beside(root.absolute()))
    manifest_path(folder).replace(manifest_path(root))
    remove_served(root)


def _forget(root: Path, moment: float) -> None:
    for file in root.rglob("*"):
        if file.is_file() and file.stat().st_mtime < moment:
            file.unlink(missing_ok=True)


def fingerprint(paths: list[Path]) -> str:
    """A hash over the names, sizes and times of files, and of all files below folders."""
    digest = hashlib.sha256()
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                stat = file.stat()
                digest.update(f"{file}|{stat.st_size}|{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
