"""An idle timeout for sockets that send nothing."""

import asyncio
from collections.abc import Callable


class IdleTimeout:
    """Calls `over` when nothing was received for `seconds`.

    One timer runs and checks when it expires: setting it again with every frame would cost more
    than all other work of this class.
    """

    def __init__(self, seconds: float, over: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._over = over
        self._heard_at = self._loop.time()
        self._timer = self._loop.call_later(seconds, self._check)

    def reset(self, at: float) -> None:
        """Note that something was received at `at` (seconds on the loop's clock)."""
        self._heard_at = at

    def _check(self) -> None:
        rest = self._heard_at + self._seconds - self._loop.time()
        if rest > 0:
            self._timer = self._loop.call_later(rest, self._check)
        else:
            self._over()

    def stop(self) -> None:
        """Cancel the timer."""
        self._timer.cancel()
