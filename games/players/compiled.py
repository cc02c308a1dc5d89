"""Functions compiled by numba, or left as they are where it is missing or broken.

Compiled code is kept on disk, in a folder under NUMBA_CACHE_DIR or beside this file. It lets go of
the interpreter's lock, so that other threads go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
HERE: Final = Path(__file__).parent
DIGITS: Final = 16
PREFIX: Final = "compiled-"

WHY_NOT = ""  # where numba is installed and cannot be loaded: what it said

try:
    import numba
except Exception as error:  # it does not fit to numpy, llvmlite lacks a library, …
    IS_COMPILED: Final = False
    if not isinstance(error, ModuleNotFoundError):
        WHY_NOT = f"{type(error).__name__}: {error}"

    def compiled(function: F) -> F:
        """The function itself."""
        return function
else:
    IS_COMPILED: Final = True  # type: ignore[misc]

    def compiled(function: F) -> F:
        """The function as machine code; compiled at its first call, or read from the disk then."""
        try:
            return cast(F, numba.njit(cache=True, nogil=True)(function))
        except RuntimeError:  # nothing can be kept: no folder may be written to
            return cast(F, numba.njit(nogil=True)(function))


def digest() -> str:
    """A name for the sources of all computer players: another one when anything has changed.

    numba itself looks at a function's own file only, and keeps what it has compiled in from others.
    """
    told = sha256()
    for source in sorted(HERE.rglob("*.py")):
        told.update(f"{source.relative_to(HERE)} {source.stat().st_size} ".encode())
        told.update(source.read_bytes())
    return told.hexdigest()[:DIGITS]


def outdated() -> Iterator[Path]:
    """The folders with code that was compiled from other sources."""
    if IS_COMPILED:
        here = Path(_config.CACHE_DIR)
        for folder in here.parent.iterdir() if here.parent.is_dir() else ():
            if folder != here and folder.name.startswith(PREFIX):
                yield folder


if IS_COMPILED:
    _config: Any = numba.config
    _base: Final = Path(_config.CACHE_DIR or HERE / "__pycache__")
    _config.CACHE_DIR = str(_base / f"{PREFIX}{digest()}")
