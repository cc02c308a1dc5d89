"""Files of the project that several checks read, each read once in a run, and scripts of .ci."""

import importlib
import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
CI = ROOT / ".ci"
STATIC = ROOT / "static"
STYLES = STATIC / "css"


@cache
def text_of(path: Path) -> str:
    """Return the contents of a text file."""
    return path.read_text(encoding="utf-8")


@cache
def files_below(folder: Path, *suffixes: str) -> tuple[Path, ...]:
    """Return the files of some kinds in a folder and its sub-folders; npm's packages are not
    entered, because they are thousands."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "node_modules"]
        found += [Path(place, name) for name in names if name.endswith(suffixes)]
    return tuple(sorted(found))


def ci_script(name: str) -> ModuleType:
    """Import a script of .ci, which may import its neighbours."""
    sys.path.insert(0, str(CI))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(CI))
