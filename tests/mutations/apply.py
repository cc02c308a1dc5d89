"""A copy of the checkout, in which one mutation at a time is planted."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import cache_from_source
from pathlib import Path

from tests.mutations.find_tests import ROOT
from tests.mutations.mutation import Mutation

LINKED = (".venv", "static/js/node_modules")  # not tracked; the tests only read them


def copy_checkout(target: Path) -> None:
    """Copy the tracked files of the checkout, as they are now, and link what is installed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        source, copied = ROOT / name, target / name
        if source.is_symlink() or source.is_file():  # one that was deleted is listed until a commit
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copied, follow_symlinks=False)
    for name in LINKED:
        if (ROOT / name).exists():
            (target / name).symlink_to((ROOT / name).resolve())


@contextmanager
def planted(mutation: Mutation, checkout: Path) -> Iterator[None]:
    """Plant a mutation in a copy of the checkout until the block ends. Raise `NotApplicable`."""
    path = checkout / mutation.file
    whole = path.read_text(encoding="utf-8")
    path.write_text(mutation.mutate(whole), encoding="utf-8")
    try:
        _forget_compiled(path)
        yield
    finally:
        path.write_text(whole, encoding="utf-8")
        _forget_compiled(path)


def _forget_compiled(path: Path) -> None:
    """Delete Python's compiled file: it is compared by second and size, which may be the same."""
    if path.suffix == ".py":
        Path(cache_from_source(str(path))).unlink(missing_ok=True)
