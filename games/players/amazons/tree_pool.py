"""Working trees of a process: allocated once, lent to one search at a time.

A tree of level 8 has tens of megabytes. A search works in a borrowed tree and keeps only a copy of
what the next action can use.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np

from games.players.amazons.tree import Tree, edge_room, new_tree, part_of, size_bytes

MAX_FREE_TREES: Final = 2  # a worker thinks in one thread and compares games in another
MAX_FREE_NODES: Final = 120_000  # of all free trees: two of level 8 are not held


class WorkingTree(NamedTuple):
    """Borrowed tree, with an array that `keep_below` works in."""

    tree: Tree  # the first part of `whole`, with exactly the room that was asked for
    slots: Any  # int32, one for each node of `whole`
    whole: Tree


class TreePool:
    """Free working trees; used by several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._free: list[tuple[Tree, Any]] = []  # with the array `slots` of each
        self.bytes_allocated = 0  # since the process began

    def borrow(self, room: int) -> WorkingTree:
        """Return an empty tree with room for this many nodes; its arrays hold old values."""
        with self._lock:
            fitting = [index for index, each in enumerate(self._free) if _room_of(each) >= room]
            free = self._free.pop(fitting[-1]) if fitting else None
        whole, slots = free or self._allocate(room)
        tree = part_of(whole, room, edge_room(room))
        tree.sizes[:] = 0
        return WorkingTree(tree, slots, whole)

    def give_back(self, working: WorkingTree) -> None:
        """Take a tree back; the smallest are dropped if there are too many, or too large ones."""
        with self._lock:
            self._free.append((working.whole, working.slots))
            self._free.sort(key=_room_of, reverse=True)
            del self._free[MAX_FREE_TREES:]
            while len(self._free) > 1 and sum(map(_room_of, self._free)) > MAX_FREE_NODES:
                self._free.pop()

    def _allocate(self, room: int) -> tuple[Tree, Any]:
        whole, slots = new_tree(room), np.empty(room, np.int32)
        with self._lock:
            self.bytes_allocated += size_bytes(whole) + int(slots.nbytes)
        return whole, slots


def _room_of(free: tuple[Tree, Any]) -> int:
    return len(free[0].first_edge)


POOL: Final = TreePool()
