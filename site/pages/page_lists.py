"""Share the readings of the lists of the front page and the watch page among many views.

A reading is current while the database says the same of games, lobbies and the people named on it.
A lobby that opens, a game that begins or ends, a new name: these show at once, also from another
process. A move in a running game may show a second later: a thread then rereads the lists and draws
their pages while requests get the old reading, and a page's socket sends newer data. Presence and
time alone are noticed after seconds, as on the lists that sockets send. While many games begin and
end, readings in requests are limited by `READS_PER_S`.
"""

import logging
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final

from django.db import close_old_connections

from pages.list_readings import MAX_AGE_MS, Reading, State, compare, read_lists
from telemetry.outage_log import note_outage

READS_PER_S: Final = 4.0
MAX_READS_AT_ONCE: Final = 8
REFRESH_MOVED_MS: Final = 750  # age at which a reading is replaced if games have moved since
REFRESH_MS: Final = 3_000  # the same if nothing has changed: presence and time
MAX_MOVED_AGE_MS: Final = 1_500  # beyond it a request reads by itself, unless the thread does
log = logging.getLogger("quiver.pages")


class PageLists:
    """The newest reading of each rule set. Threads share it."""

    def __init__(self) -> None:
        self._latest: dict[str, Reading] = {}
        self._number = 0
        self._lock = threading.Lock()  # guards all below; held while a request reads
        self._refreshes: dict[str, Future[None]] = {}  # the newest of each rule set
        self._thread = ThreadPoolExecutor(1, "quiver-page-lists")
        self._budget = float(MAX_READS_AT_ONCE)
        self._refilled = time.monotonic()

    def read(self, key: str = "") -> Reading:
        """Return a reading that is current except for moves; while reads are limited, a recent one.

        `key`: of a rule set; empty for all.
        """
        latest = self._latest.get(key)
        if latest is not None and self._may_show(latest, compare(latest)):
            return latest
        with self._lock:  # others wait for the same reading
            newest = self._latest.get(key)
            if newest is not None:
                is_newer = newest is not latest and compare(newest) is not State.CHANGED
                if is_newer or not self._may_read(newest):
                    return newest
            self._latest[key] = fresh = read_lists(key, self._next_number(), newest)
            return fresh

    def _may_show(self, latest: Reading, state: State) -> bool:
        """Return whether to show a reading; have it replaced beside the request if it gets old."""
        if state is State.CHANGED:
            return False
        has_moved, age_ms = state is State.MOVED, latest.age_ms
        if age_ms < (REFRESH_MOVED_MS if has_moved else REFRESH_MS):
            return True
        if has_moved and age_ms >= MAX_MOVED_AGE_MS:
            return self._is_refreshing(latest.key)
        self._refresh_beside(latest)
        return True

    def _may_read(self, latest: Reading) -> bool:
        """Return whether to read again now, and count it; a reading that is too old always."""
        at = time.monotonic()
        grown = self._budget + READS_PER_S * (at - self._refilled)
        self._budget, self._refilled = min(float(MAX_READS_AT_ONCE), grown), at
        if self._budget < 1 and 0 <= latest.age_ms < MAX_AGE_MS:
            return False
        self._budget -= 1
        return True

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    def _is_refreshing(self, key: str) -> bool:
        refresh = self._refreshes.get(key)
        return refresh is not None and not refresh.done()

    def _refresh_beside(self, old: Reading) -> None:
        """Have the thread replace a reading, unless it does so already or a request reads now."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            if self._latest.get(old.key) is old and not self._is_refreshing(old.key):
                number = self._next_number()
                self._refreshes[old.key] = self._thread.submit(self._refresh, old, number)
        finally:
            self._lock.release()

    def _refresh(self, old: Reading, number: int) -> None:
        """Replace a reading once its successor's pages are drawn; forget it if that fails.

        Then the next request reads by itself, and answers with the error if it persists.
        """
        fresh = None
        close_old_connections()  # as a request does at its beginning and its end
        try:
            fresh = read_lists(old.key, number, old)
            fresh.redraws.draw(fresh.number, fresh)
        except Exception as error:
            if not note_outage(error):
                log.exception(
                    "the lists of the front page cannot be read beside requests",
                    extra={"event": "page_lists_refresh_failed"},
                )
            fresh = None
        finally:
            close_old_connections()
        with self._lock:
            if self._latest.get(old.key) is not old:
                return  # a request has read since
            if fresh is None:
                del self._latest[old.key]
            else:
                self._latest[old.key] = fresh

    def finish_refreshes(self) -> None:
        """Wait until the thread has nothing to do."""
        wait(list(self._refreshes.values()))

    def clear(self) -> None:
        """Forget all readings and the limit; discard a refresh in progress."""
        with self._lock:
            self._latest.clear()
            self._budget = float(MAX_READS_AT_ONCE)
        self.finish_refreshes()


PAGE_LISTS: Final = PageLists()
