"""A bounded count of what is open now, by visitor and in total.

The library `limits` counts events in a time; it has no counts that are given back.
"""

from collections import Counter


class Quota:
    """Bounded counts per visitor and in total. An empty name counts in the total only."""

    def __init__(self, most_of_one: int, most: int | None = None) -> None:
        self._most_of_one = most_of_one
        self._most = most
        self._held: Counter[str] = Counter()
        self._total = 0

    def take(self, name: str) -> bool:
        """Count one more of a visitor, unless that is too many; return whether it was counted."""
        is_full = self._most is not None and self._total >= self._most
        if is_full or (name and self._held[name] >= self._most_of_one):
            return False
        self._held[name] += 1
        self._total += 1
        return True

    def give_back(self, name: str) -> None:
        """Count one less of a visitor."""
        self._total -= 1
        self._held[name] -= 1
        if not self._held[name]:
            del self._held[name]  # keep no visitor who holds none
