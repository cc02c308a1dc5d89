"""A monotonic clock: wall time at the start, then the system's steady clock."""

import time


class MonotonicClock:
    """Milliseconds since the epoch; never steps back by itself and may be corrected."""

    def __init__(self, wall: int) -> None:
        self._offset = wall * 1_000_000 - time.monotonic_ns()
        self._floor = 0  # ms

    def now(self) -> int:
        """Return the time; it stands still for a while after it was set back."""
        return max(self._floor, (time.monotonic_ns() + self._offset) // 1_000_000)

    def set_by(self, ms: int, is_first: bool = False) -> None:
        """Correct the clock by `ms`.

        After a negative correction it stands still until the time it has already shown is reached.
        Only the first correction, before anything has used the clock, may step back.
        """
        self._floor = 0 if is_first else self.now()
        self._offset += ms * 1_000_000
