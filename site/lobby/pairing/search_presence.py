"""Presence of pages that follow searches: heartbeats, withdrawals, rounds of pairing.

While nobody follows a search here, nothing is read or written; while all followed searches have
ended, nothing is written.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Coroutine
from typing import Any

from lobby.pairing import pairing_round, search_service
from lobby.pairing.models import Search
from play.domain.clocks import now
from play.runtime.runtime import Runtime
from play.storage import leases
from telemetry.outage_log import note_outage

INTERVAL_S = 1.0  # between two heartbeats, and two rounds
REFRESH_MS = 1_500  # since a search was last written as followed, before it is written again
IDLE_BEATS = 4  # one of so many reads, while no search is active; shorter than `STALE_MS`
GRACE_S = 2.5  # in which a page may be loaded again; longer than two heartbeats elsewhere
CLEANUP_INTERVAL_MS = 10 * 60_000
log = logging.getLogger("quiver.lobby")


class SearchPresence:
    """The followers of searches in one process, which may hold the lease of pairing."""

    def __init__(self) -> None:
        self.process = secrets.token_hex(16)
        self.followers: Counter[int] = Counter()  # sockets by user
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_pairing = False
        self._is_asked_again = False  # to pair, since the round that runs began
        self._fruitless = pairing_round.Fruitless()
        self._is_holder = False
        self._is_idle = False  # no followed search was active at the last read
        self._beats = 0
        self._cleaned_at = 0  # epoch ms

    async def came(self, runtime: Runtime, user: int) -> None:
        """Count a page that follows its user's search, and pair soon."""
        self.followers[user] += 1
        if await runtime.games.run_in_db_thread(note_seen, [user], now()):
            self._run(self.pair(runtime))

    def left(self, runtime: Runtime, user: int) -> None:
        """Count a page no longer; the search is withdrawn unless one comes back soon."""
        self.followers[user] -= 1
        if self.followers[user] <= 0:
            del self.followers[user]
            self._run(self._withdraw(runtime, user, now()))

    async def beat(self, runtime: Runtime) -> None:
        """Write that the searches are followed, and pair; called every `INTERVAL_S`.

        Pages may follow searches that have ended: while all have, they are read more rarely.
        """
        run = runtime.games.run_in_db_thread
        self._beats += 1
        if not self.followers:
            if self._is_holder:
                await self._give_back_lease(runtime)
            return
        if self._is_idle and self._beats % IDLE_BEATS:
            return
        self._is_idle = not await run(note_seen, list(self.followers), now())
        if not self._is_idle:
            await self.pair(runtime)
        elif self._is_holder:
            await self._give_back_lease(runtime)

    async def pair(self, runtime: Runtime) -> None:
        """Run a round of pairing; while one runs in this process, another follows it."""
        self._is_idle, self._is_asked_again = False, True
        if self._is_pairing:
            return
        self._is_pairing = True
        try:
            run = runtime.games.run_in_db_thread
            while self._is_asked_again:
                self._is_asked_again = False
                self._is_holder = await run(pairing_round.run_round, self.process, self._fruitless)
            if self._is_holder and now() - self._cleaned_at > CLEANUP_INTERVAL_MS:
                self._cleaned_at = now()
                await run(pairing_round.delete_old, now())
        finally:
            self._is_pairing = False

    def wake(self) -> None:
        """Look at the searches with the next beat: one of them may have begun again."""
        self._is_idle = False

    async def _give_back_lease(self, runtime: Runtime) -> None:
        self._is_holder = False
        await runtime.games.run_in_db_thread(leases.give_back, pairing_round.LEASE, self.process)

    async def _withdraw(self, runtime: Runtime, user: int, closed_at: int) -> None:
        await asyncio.sleep(GRACE_S)
        if not self.followers[user]:
            await runtime.games.run_in_db_thread(search_service.withdraw, user, closed_at)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(_run_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _run_logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception as error:
        if not note_outage(error):
            log.exception(
                "a search could not be looked after; the next round does it",
                extra={"event": "search_round_failed"},
            )


def presence_of(runtime: Runtime) -> SearchPresence:
    """Return the followers in the process of a runtime."""
    return runtime.part(SearchPresence)


async def beat(runtime: Runtime) -> None:
    """Look after the searches that pages of this process follow."""
    await presence_of(runtime).beat(runtime)


def note_seen(users: list[int], at: int) -> bool:
    """Write that pages follow the searches of users at `at` (epoch ms); return if any is active.

    A search that nobody has followed before can be paired and is counted from now on. Recently
    written times are not renewed: each commit triggers a poll of all topics.
    """
    rows = Search.objects.active().filter(user__in=users)
    found = list(rows)
    for search in found:
        if search.seen is None:
            search_service.swap(search, seen=at)
    if found:
        rows.filter(seen__lt=at - REFRESH_MS).update(seen=at)
    return bool(found)
