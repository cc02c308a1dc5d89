"""The secret key of a site that was started without one."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from config.private_files import make_private


def secret_key(path: Path) -> str:
    """The key kept in `path`, made on the first call; only its owner may read the file.

    Two processes that start together agree: whole files are linked into place, the first one wins.
    """
    if path.exists():
        make_private(path)
    else:
        own = path.with_name(f"{path.name}.{os.getpid()}")
        own.touch(mode=0o600)
        own.write_text(secrets.token_urlsafe(48), encoding="ascii")
        with suppress(FileExistsError):
            os.link(own, path)
        own.unlink()
    return path.read_text(encoding="ascii")
