"""Presence of pages that follow searches: heartbeats, withdrawals, rounds of pairing.

While nobody follows a search here, nothing is read or written; while all followed searches have
ended, nothing is written.
"""

import secrets

from lobby.pairing import pairing_round, search_service
from lobby.pairing.models import Search
from play.domain.clocks import now
from play.runtime.runtime import WebRuntime
from play.storage import leases

INTERVAL_S = 1.0  # between two heartbeats, and two rounds
REFRESH_MS = 1_500  # since a search was last written as followed, before it is written again
IDLE_BEATS = 4  # one of so many reads, while no search is active; shorter than `STALE_MS`
GRACE_MS = 2_000  # in which a page may be loaded again, until the next beat
CLEANUP_INTERVAL_MS = 10 * 60_000


class SearchPresence:
    """The searches that pages of one process follow; it may hold the lease of pairing."""

    def __init__(self) -> None:
        self.process = secrets.token_hex(16)
        self._is_pairing = False
        self._is_asked_again = False  # to pair, since the round that runs began
        self._fruitless = pairing_round.Fruitless()
        self._is_holder = False
        self._is_idle = False  # no followed search was active at the last read
        self._beats = 0
        self._cleaned_at = 0  # epoch ms

    async def came(self, runtime: WebRuntime, user: int) -> None:
        """Note that a page follows its user's search, and pair soon."""
        if await runtime.games.run_in_db_thread(note_seen, [user], now()):
            runtime.hub.run_in_background(self.pair(runtime))

    async def beat(self, runtime: WebRuntime) -> None:
        """Write that searches are followed, or not any more, and pair; called every `INTERVAL_S`.

        Pages may follow searches that have ended: while all have, they are read more rarely.
        """
        run = runtime.games.run_in_db_thread
        self._beats += 1
        for (_, user), at in runtime.presence.take_departed("search", GRACE_MS).items():
            await run(search_service.withdraw, user, at)
        followers = [user for _, user in runtime.presence.users("search")]
        if not followers:
            if self._is_holder:
                await self._give_back_lease(runtime)
            return
        if self._is_idle and self._beats % IDLE_BEATS:
            return
        self._is_idle = not await run(note_seen, followers, now())
        if not self._is_idle:
            await self.pair(runtime)
        elif self._is_holder:
            await self._give_back_lease(runtime)

    async def pair(self, runtime: WebRuntime) -> None:
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

    async def _give_back_lease(self, runtime: WebRuntime) -> None:
        self._is_holder = False
        await runtime.games.run_in_db_thread(leases.give_back, pairing_round.LEASE, self.process)


def presence_of(runtime: WebRuntime) -> SearchPresence:
    """Return the followers in the process of a runtime."""
    return runtime.part(SearchPresence)


async def beat(runtime: WebRuntime) -> None:
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
