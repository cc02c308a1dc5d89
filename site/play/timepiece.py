"""The time of this process: wall time at its start, from then on by the steady clock."""

import time


class Timepiece:
    """Milliseconds since the epoch. It never steps back by itself, whatever becomes of the wall
    clock, and may be set by a better one."""

    def __init__(self, wall: int) -> None:
        self._offset = wall * 1_000_000 - time.monotonic_ns()
        self._floor = 0  # ms

    def now(self) -> int:
        """The time; the same one for a while after it was set back."""
        return max(self._floor, (time.monotonic_ns() + self._offset) // 1_000_000)

    def set_by(self, ms: int, is_first: bool = False) -> None:
        """Sets it forward, or back by a negative number: then it stands still until the time that
        it has shown has come. Only the first time, when nobody has gone by it, it steps back."""
        self._floor = 0 if is_first else self.now()
        self._offset += ms * 1_000_000
