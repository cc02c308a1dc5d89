"""Background task of a worker: recompute some positions of published reviews.

It runs in a thread at the lowest priority, and only while no computer player has a turn.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from typing import Any, Final

import msgspec

from analysis.board.game_positions import searched_positions
from analysis.reviews import review_checks
from analysis.reviews.models import Review
from analysis.reviews.reviews import JudgedPosition
from bots.thinking.priority import lower_priority
from games.core import Rules
from games.players.levels import has_numba, warm
from games.reviews import Verdict
from play.domain.clocks import now
from play.runtime.game_service import GameService
from play.storage import load
from telemetry.outage_log import note_outage
from telemetry.redaction import shorten_key

CHECK_INTERVAL_S: Final = 2.0
PAUSE_S: Final = 0.05  # between two looks whether the worker is free
SEARCH: Final = "games.players.analysis.review"
NICE: Final = 19  # niceness of the thread
log = logging.getLogger("quiver.study")


class ReviewChecker:
    """Checks one review at a time; `is_free` says whether no computer player has to act."""

    def __init__(self, games: GameService, worker: str, is_free: Callable[[], bool]) -> None:
        self._games = games
        self._worker = worker
        self._is_free = is_free

    async def run(self) -> None:
        """Work until cancelled."""
        thread = ThreadPoolExecutor(1, "quiver-reviews", partial(lower_priority, NICE))
        try:
            while True:
                await asyncio.sleep(CHECK_INTERVAL_S)
                try:
                    if self._is_free() and has_numba():
                        await self.check_next(thread)
                except Exception as error:
                    if not note_outage(error):
                        log.exception(
                            "a review could not be checked; others are tried",
                            extra={"event": "review_check_failed"},
                        )
        finally:
            thread.shutdown(wait=False, cancel_futures=True)

    async def check_next(self, thread: ThreadPoolExecutor) -> bool:
        """Check the review that has waited longest; return whether there was one."""
        database = self._games.run_in_db_thread
        row = await database(review_checks.claim, self._worker, now())
        if row is None:
            return False
        has_failed = False
        try:
            await self._check(row, thread)
        except Exception:
            has_failed = True
            raise
        finally:  # after a success nothing is left to give back
            give_back = partial(review_checks.give_back, has_failed=has_failed)
            await database(give_back, row, self._worker)
        return True

    async def _check(self, row: Review, thread: ThreadPoolExecutor) -> None:
        database = self._games.run_in_db_thread
        found = await database(_read, row.game.slug)
        if found is None:
            return  # the game was deleted, and the review with it
        rules, states = found
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(thread, warm, rules.key)
        drawn = review_checks.draw_positions(len(states))
        for index in drawn:
            await self._wait_until_free()
            if not await database(review_checks.extend, row, self._worker, now()):
                return  # a review with more nodes or another worker has taken its place
            verdict = await loop.run_in_executor(thread, judge, rules, states[index], row.nodes)
            if not is_same(row.values[index], verdict):
                if await database(review_checks.discard, row, self._worker):
                    log.warning(
                        "a review of game %s was discarded: position %d has another value",
                        shorten_key(row.game.slug),
                        index,
                        extra={"event": "review_discarded", "user": row.user_id},
                    )
                return
        await database(review_checks.save, row, self._worker, drawn)

    async def _wait_until_free(self) -> None:
        while True:
            if self._is_free():
                return
            await asyncio.sleep(PAUSE_S)


def judge(rules: Rules[Any], state: Any, nodes: int) -> Verdict:
    """Return the native verdict; imports compiled code, so that only a worker loads it."""
    verdict: Verdict = import_module(SEARCH).judge(rules, state, nodes)
    return verdict


def is_same(stored: Sequence[Any], verdict: Verdict) -> bool:
    """Return whether a stored verdict equals the engine's, bit for bit."""
    judged = msgspec.convert(stored, JudgedPosition)
    return (judged.value, judged.best, judged.is_proved) == (
        verdict.value,
        verdict.best,
        verdict.is_proved,
    )


def _read(slug: str) -> tuple[Rules[Any], list[Any]] | None:
    """Return the rules and the searched states of a game; None if there is none."""
    game = load.fetch(slug)
    return None if game is None else (game.rules, searched_positions(game))
