"""A cache in this process's memory, bounded by entries and by bytes."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedStore(Generic[T]):
    """Keeps the values that were used last. Threads may share it."""

    def __init__(self, max_entries: int, max_bytes: int) -> None:
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> T | None:
        """Return the value of a key, or None."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: T, size: int) -> None:
        """Keep a value of `size` bytes; the values that were not used for longest make way.

        A value that alone is larger than the cache is not kept.
        """
        if size > self._max_bytes:
            return
        with self._lock:
            if (old := self._values.pop(key, None)) is not None:
                self._bytes -= old[1]
            self._values[key] = value, size
            self._bytes += size
            while self._bytes > self._max_bytes or len(self._values) > self._max_entries:
                _, (_, gone) = self._values.popitem(last=False)
                self._bytes -= gone

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._values.clear()
            self._bytes = 0

    def __len__(self) -> int:
        return len(self._values)

    @property
    def size(self) -> int:
        """The bytes of all values, as they were given."""
        return self._bytes
