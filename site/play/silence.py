"""Notices that nothing has been heard for too long."""

import asyncio
from collections.abc import Callable


class Silence:
    """Calls `over` when nothing was heard for some seconds.

    A timer is set once and looks when it rings: setting it anew with every frame would cost more
    than all else that is done about silence.
    """

    def __init__(self, seconds: float, over: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._over = over
        self._heard = self._loop.time()
        self._timer = self._loop.call_later(seconds, self._look)

    def broken(self, at: float) -> None:
        """Hears something, at a time of the loop's clock."""
        self._heard = at

    def _look(self) -> None:
        rest = self._heard + self._seconds - self._loop.time()
        if rest > 0:
            self._timer = self._loop.call_later(rest, self._look)
        else:
            self._over()

    def stop(self) -> None:
        """Looks no more."""
        self._timer.cancel()
