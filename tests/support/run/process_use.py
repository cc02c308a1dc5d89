"""Tell which tests start processes, by the code that they and their fixtures use.

A test starts processes if its function, a fixture of it, or a helper of the tests that one of these
names uses `subprocess` or a pool of processes. So no test has to be marked by hand.
"""

import asyncio
import concurrent.futures
import inspect
import multiprocessing
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import pytest

TESTS: Final = Path(__file__).parents[2]
STARTERS: Final[tuple[object, ...]] = (
    subprocess,
    subprocess.run,
    subprocess.Popen,
    multiprocessing,
    asyncio.create_subprocess_exec,
    concurrent.futures.ProcessPoolExecutor,
)


class ProcessUse:
    """Finds the tests that start processes; caches the answer for each function."""

    def __init__(self) -> None:
        self._known: dict[object, bool] = {}

    def starts_processes(self, item: pytest.Item) -> bool:
        """Return whether a test or one of its fixtures starts processes."""
        info = getattr(item, "_fixtureinfo", None)
        fixtures = [f.func for all in (info.name2fixturedefs if info else {}).values() for f in all]
        return any(self._uses(each) for each in (getattr(item, "function", None), *fixtures))

    def _uses(self, thing: Any) -> bool:
        if any(thing is starter for starter in STARTERS):
            return True
        thing = inspect.unwrap(thing) if callable(thing) else thing
        if not isinstance(thing, FunctionType | type):
            return False
        if thing not in self._known:
            self._known[thing] = False  # while it is looked at: helpers may call each other
            self._known[thing] = is_of_tests(thing) and any(map(self._uses, used_by(thing)))
        return self._known[thing]


def is_of_tests(thing: FunctionType | type) -> bool:
    """Return whether a function or a class is defined below tests/."""
    try:
        return inspect.getfile(thing).startswith(f"{TESTS}{os.sep}")
    except (TypeError, OSError):  # built in
        return False


def used_by(thing: FunctionType | type) -> Iterator[object]:
    """Yield what a function names, or what the methods and bases of a class are."""
    if isinstance(thing, type):
        members = [getattr(each, "fget", None) or each for each in vars(thing).values()]
        yield from (getattr(each, "__func__", each) for each in members)
        yield from thing.__bases__
        return
    for name in names(thing.__code__):
        found = thing.__globals__.get(name)
        yield found
        if isinstance(found, ModuleType) and getattr(found, "__file__", None):
            yield from (vars(found).get(each) for each in names(thing.__code__))


def names(code: CodeType) -> Iterator[str]:
    """Yield all names that a code object uses, those of functions inside it too."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names(constant)
