"""Compilation with numba; plain Python if numba is missing or broken.

Compiled code is cached on disk, in a folder under NUMBA_CACHE_DIR or beside this file. It releases
the GIL, so other threads keep running.
"""

from __future__ import annotations

import sys
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
    import llvmlite.binding as llvm
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


def is_whole(name: str) -> bool:
    """Return whether all code that `note_whole` found under this name is still in the cache.

    Code of another machine, Python or numba is not counted.
    """
    try:
        files = _list_of(name).read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return False
    folder = Path(_config.CACHE_DIR)
    return all((folder / file).is_file() for file in files)


def note_whole(name: str) -> None:
    """Note that everything called `name` has been compiled. Raises OSError."""
    folder = Path(_config.CACHE_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*.nb[ic]"))
    new = _list_of(f"{name}.new")
    new.write_text("".join(f"{file}\n" for file in files), encoding="utf-8")
    new.replace(_list_of(name))


def _list_of(name: str) -> Path:
    """Return the file that lists the code called `name`, for this machine and these versions."""
    told = f"{sys.version} {numba.__version__} {llvm.get_host_cpu_name()}"
    told += llvm.get_host_cpu_features().flatten()
    machine = sha256(told.encode()).hexdigest()[:DIGEST_CHARS]
    return Path(_config.CACHE_DIR) / f"{name}-{machine}.txt"


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
