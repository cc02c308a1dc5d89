"""Stop rule of a tree search: compares the choices at the root while the search goes on."""

from __future__ import annotations

import numpy as np

from games.players.amazons.tree import Tree
from games.players.time_management import ActionTime, RootVisits, is_enough

MIN_SHARE_VALUED = 10  # a choice with a tenth of the first one's visits has a value to compare


class RootWatch:
    """The choices of one search from chunk to chunk."""

    def __init__(self, tree: Tree, time: ActionTime, began_s: float) -> None:
        self._tree = tree
        self._time = time
        self._began_s = began_s
        self._first = -1  # the most visited edge
        self._since_s = began_s  # when it became that

    def is_enough(self, done: int) -> bool:
        """Return whether the search should stop after so many simulations."""
        elapsed_s = self._time.elapsed_s()
        many = int(self._tree.edge_count[0])
        if many == 1:
            return True
        visits = np.where(self._tree.proof[:many] < 0, -1, self._tree.visits[:many])
        first = int(np.argmax(visits))
        if first != self._first:
            self._since_s = elapsed_s if self._first >= 0 else self._began_s
            self._first = first
        rival = np.partition(visits, many - 2)[many - 2]
        tried = visits * MIN_SHARE_VALUED >= visits[first]
        best = np.max(np.where(tried, self._tree.mean[:many], -np.inf))
        visited = RootVisits(
            first=int(visits[first]),
            second=int(rival),
            is_best_valued=bool(self._tree.mean[first] >= best),
            settled_s=elapsed_s - self._since_s,
            rate=done / max(elapsed_s - self._began_s, 1e-3),
        )
        return is_enough(visited, elapsed_s, self._time.soft_s, self._time.hard_s)
