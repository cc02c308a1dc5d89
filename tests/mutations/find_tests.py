"""Resolve the names of first tests: basenames of files below tests/, unique there."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_IN_THE_GATE = frozenset({"nightly", "__pycache__", "mutations"})


class UnknownTest(Exception):
    """A name leads to no test, or its basename to several files."""


def resolve(name: str, root: Path = ROOT) -> str:
    """Return the path of a first test from the root, with its `::name`. Raise `UnknownTest`."""
    basename, *test = name.split("::")
    found = _files(root).get(basename, [])
    if len(found) != 1:
        raise UnknownTest(f"{len(found)} files below tests/ have the name {basename}, not one")
    if test and not _has_test(found[0], test[-1]):
        raise UnknownTest(f"{basename} has no test {test[-1]}")
    return "::".join((found[0].relative_to(root).as_posix(), *test))


@cache
def _files(root: Path) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in _walk(root / "tests"):
        found.setdefault(path.name, []).append(path)
    return found


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in NOT_IN_THE_GATE:
            yield from _walk(path)
        elif path.is_file() and path.suffix in (".py", ".js"):
            yield path


def _has_test(path: Path, name: str) -> bool:
    text = path.read_text(encoding="utf-8")
    return re.search(rf"\bdef {re.escape(name.partition('[')[0])}\(", text) is not None
