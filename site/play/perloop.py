"""One object for each running event loop: a process has one loop, a test suite many."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary, ref

T = TypeVar("T")


class PerLoop(Generic[T]):
    """Calling it gives the running loop's object, made on the first call."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()
        self._latest: tuple[Callable[[], object], T] | None = None  # loop and object asked for last

    def __call__(self) -> T:
        loop, latest = asyncio.get_running_loop(), self._latest
        if latest and latest[0]() is loop:
            return latest[1]
        if loop not in self._made:
            self._made[loop] = self._make()
        self._latest = ref(loop), self._made[loop]
        return self._made[loop]

    def every(self) -> list[tuple[asyncio.AbstractEventLoop, T]]:
        """All objects there are, each with its loop; for threads, which reach them through it."""
        return list(self._made.items())

    def forget(self) -> None:
        """Drops the running loop's object; its owner has closed it."""
        self._made.pop(asyncio.get_running_loop(), None)
        self._latest = None


def per_loop(make: Callable[[], T]) -> PerLoop[T]:
    """Names what `PerLoop` does where it is used."""
    return PerLoop(make)
