"""Compilation with numba; plain Python if numba is missing or broken.

Compiled code is cached on disk, in a folder under NUMBA_CACHE_DIR or beside this file. It releases
the GIL, so other threads keep running.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
HERE: Final = Path(__file__).parent
DIGEST_CHARS: Final = 16
PREFIX: Final = "compiled-"

LOAD_ERROR = ""  # set if numba is installed but cannot be loaded

try:
    import numba
except Exception as error:  # incompatible numpy, missing library of llvmlite, …
    IS_COMPILED: Final = False
    if not isinstance(error, ModuleNotFoundError):
        LOAD_ERROR = f"{type(error).__name__}: {error}"

    def jit(function: F) -> F:
        """Return the function unchanged."""
        return function
else:
    IS_COMPILED: Final = True  # type: ignore[misc]

    def jit(function: F) -> F:
        """Return the function compiled at its first call, or loaded from the disk cache."""
        try:
            return cast(F, numba.njit(cache=True, nogil=True)(function))
        except RuntimeError:  # no writable cache folder
            return cast(F, numba.njit(nogil=True)(function))


def digest() -> str:
    """Return a name for the sources of all computer players that changes with any of them.

    numba's own cache checks only a function's own file, not those of the functions it calls.
    """
    told = sha256()
    for source in sorted(HERE.rglob("*.py")):
        told.update(f"{source.relative_to(HERE)} {source.stat().st_size} ".encode())
        told.update(source.read_bytes())
    return told.hexdigest()[:DIGEST_CHARS]


def outdated_folders() -> Iterator[Path]:
    """Yield the cache folders that belong to other sources."""
    if IS_COMPILED:
        here = Path(_config.CACHE_DIR)
        for folder in here.parent.iterdir() if here.parent.is_dir() else ():
            if folder != here and folder.name.startswith(PREFIX):
                yield folder


if IS_COMPILED:
    _config: Any = numba.config
    _base: Final = Path(_config.CACHE_DIR or HERE / "__pycache__")
    _config.CACHE_DIR = str(_base / f"{PREFIX}{digest()}")
