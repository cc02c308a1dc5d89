"""Bound on the work of a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

LOOK_EVERY: Final = 64  # nodes between two looks at the time


class OutOfBudget(Exception):
    """A search has examined as many positions as it may."""


class Budget:
    """Counts the nodes of a search. `is_over` ends it early, as for its time."""

    def __init__(self, nodes: int, is_over: Callable[[], bool] = lambda: False) -> None:
        self.spent = 0
        self._nodes = nodes
        self._is_over = is_over

    def spend(self) -> None:
        """Count a node. Raises OutOfBudget."""
        self.spent += 1
        if self.spent > self._nodes or (self.spent % LOOK_EVERY == 0 and self._is_over()):
            raise OutOfBudget
