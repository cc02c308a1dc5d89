"""Background task of a worker: make animations while no computer player has a turn."""

import asyncio
import logging
from collections.abc import Callable

from bots import animations
from bots.models import Animation
from play.domain.clocks import now
from play.picture.animator import AnimationError, make_webp
from play.picture.frames import film_of
from play.runtime.game_service import GameService
from play.storage import load
from telemetry.outage_log import note_outage
from telemetry.redaction import shorten_key

CHECK_INTERVAL_S = 1.0
PAUSE_S = 0.05  # between two looks whether the worker is free
FORGET_INTERVAL_MS = 600_000
log = logging.getLogger("quiver.bots")


class AnimationMaker:
    """Makes one animation at a time; `is_free` says whether no computer player has to act."""

    def __init__(self, games: GameService, worker: str, is_free: Callable[[], bool]) -> None:
        self._games = games
        self._worker = worker
        self._is_free = is_free
        self._forgot_at = 0  # epoch ms

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await asyncio.sleep(CHECK_INTERVAL_S)
            try:
                await self.forget_old()
                if self._is_free():
                    await self.make_next()
            except Exception as error:
                if not note_outage(error):
                    log.exception(
                        "an animation could not be made; others are tried",
                        extra={"event": "animation_failed"},
                    )

    async def forget_old(self) -> None:
        """Delete old animations, every `FORGET_INTERVAL_MS`."""
        at = now()
        if at - self._forgot_at >= FORGET_INTERVAL_MS:
            self._forgot_at = at
            await self._games.run_in_db_thread(animations.forget_old, at)

    async def make_next(self) -> bool:
        """Make the animation that has waited longest; return whether there was one."""
        row = await self._games.run_in_db_thread(animations.claim, self._worker, now())
        if row is None:
            return False
        is_failed = False
        try:
            webp = await self._make(row)
            await self._games.run_in_db_thread(animations.save, row, self._worker, webp, now())
        except AnimationError as error:
            is_failed = True
            slug = shorten_key(row.game.slug)
            log.error("the animation of game %s could not be made: %s", slug, error)
        except Exception:
            is_failed = True
            raise
        finally:  # after a success nothing is left to give back
            await self._games.run_in_db_thread(
                lambda: animations.give_back(row, self._worker, has_failed=is_failed)
            )
        return True

    async def _make(self, row: Animation) -> bytes:
        found = await self._games.run_in_db_thread(load.fetch_with_steps, row.game.slug)
        if found is None or found[0].ending is None or found[0].head != row.head:
            raise AnimationError("the game has changed since")
        game, done = found
        film = await asyncio.to_thread(film_of, game, done)
        return await make_webp(*film, self._wait_until_free)

    async def _wait_until_free(self) -> None:
        while True:
            if self._is_free():
                return
            await asyncio.sleep(PAUSE_S)
