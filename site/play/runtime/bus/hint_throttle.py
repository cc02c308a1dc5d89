"""Throttle the hints about a topic: send the first at once, and later ones merged into one."""

import asyncio
from collections.abc import Callable

from play.runtime.topics import Topic


class HintThrottle:
    """Passes on hints without a rev to `say`, for each topic at least `interval_s` apart."""

    def __init__(self, say: Callable[[Topic], None], interval_s: float) -> None:
        self._say = say
        self._interval_s = interval_s
        self._timers: dict[Topic, asyncio.TimerHandle] = {}  # of topics that were hinted at lately
        self._late: set[Topic] = set()  # those that have changed again since

    def hint(self, topic: Topic) -> None:
        """Pass on a hint now, or once the interval has passed; needs a running loop."""
        if topic in self._timers:
            self._late.add(topic)
            return
        self._say(topic)
        self._timers[topic] = asyncio.get_running_loop().call_later(
            self._interval_s, self._end_interval, topic
        )

    def close(self) -> None:
        """Drop the hints that wait."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._late.clear()

    def _end_interval(self, topic: Topic) -> None:
        del self._timers[topic]
        if topic in self._late:
            self._late.discard(topic)
            self.hint(topic)
