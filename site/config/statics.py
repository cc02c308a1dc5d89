"""Collects the static files when they have changed since the last time."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.core.management import call_command


def collect() -> bool:
    """Collects, hashes and compresses if a file has changed; whether it had to."""
    stamp = Path(settings.STATIC_ROOT) / "stamp"
    print_now = fingerprint([Path(folder) for folder in settings.STATICFILES_DIRS])
    if stamp.exists() and stamp.read_text(encoding="ascii") == print_now:
        return False
    call_command(
        "collectstatic",
        interactive=False,
        clear=True,
        verbosity=0,
        ignore_patterns=["package.json"],  # it tells Node what the scripts are
    )
    stamp.write_text(print_now, encoding="ascii")
    return True


def fingerprint(folders: list[Path]) -> str:
    """A hash over the names, sizes and times of all files below some folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                stat = path.stat()
                digest.update(f"{path}|{stat.st_size}|{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
