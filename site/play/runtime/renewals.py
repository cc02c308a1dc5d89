"""Read cached games again after hints: those that wait at the same time share one read."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from play.domain.game_state import GameState
from play.runtime.game_cache import GameCache
from play.storage import load

RENEW_INTERVAL_S = 0.005  # between reads; the first after a pause is done at once


class Renewals:
    """The cached games of one event loop that are to be read; `run` runs a read in a thread."""

    def __init__(self, games: GameCache, run: Callable[..., Awaitable[Any]]) -> None:
        self._games = games
        self._run = run
        # Games to read again, and the errors of those that cannot be read.
        self._waiting: list[tuple[Sequence[str], asyncio.Future[dict[str, Exception]]]] = []
        self._task: asyncio.Task[None] | None = None

    async def renew(self, slugs: Sequence[str]) -> dict[str, Exception]:
        """Bring cached games to their revs in the database; return the errors by slug."""
        if not slugs:
            return {}
        renewed: asyncio.Future[dict[str, Exception]] = asyncio.get_running_loop().create_future()
        self._waiting.append((slugs, renewed))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._read_waiting())
        return await renewed

    async def wait_until_done(self) -> None:
        """Wait until no game is being read."""
        if self._task is not None:
            await self._task

    async def _read_waiting(self) -> None:
        """Read the games that wait; those requested meanwhile are the next batch."""
        while self._waiting:
            asked, self._waiting = self._waiting, []
            slugs = {slug for some, _ in asked for slug in some}
            held = [self._games[slug] for slug in slugs if slug in self._games]
            try:
                troubles = self._store(held, await self._run(load.refresh_many, held))
            except Exception as error:
                troubles = dict.fromkeys(slugs, error)
            for _, renewed in asked:
                if not renewed.done():
                    renewed.set_result(troubles)
            await asyncio.sleep(RENEW_INTERVAL_S)

    def _store(
        self, held: Sequence[GameState], read: Sequence[GameState | load.Unreadable | None]
    ) -> dict[str, Exception]:
        """Cache the games that were read, unless dropped meanwhile; return the errors by slug."""
        troubles: dict[str, Exception] = {}
        for live, fresh in zip(held, read, strict=True):
            if fresh is None:
                self._games.drop(live.slug)
            elif isinstance(fresh, load.Unreadable):
                troubles[live.slug] = fresh
            elif live.slug in self._games:
                self._games.hold(fresh)
        return troubles
