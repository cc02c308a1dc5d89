"""Background task of a worker: compare games with the engine while nobody waits for a computer."""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from bots.thinking.priority import lower_priority
from games.core import Role, Rules
from games.players.agreement import TurnCheck, compare_turns, sum_up
from games.players.core import Allowance, Thought
from games.players.levels import is_available, player_of, warm
from play.domain.clocks import now
from play.runtime.game_service import GameService
from play.storage import load
from ratings.fair_play import engine_agreement
from ratings.fair_play.models import EngineAgreement
from telemetry.outage_log import note_outage
from telemetry.redaction import shorten_key

CHECK_INTERVAL_S = 2.0
PAUSE_S = 0.05  # between two looks whether the worker is free
NICE = 19  # niceness of the thread
LEVEL = 6  # the highest whose nodes take some tenths of a second
NODES: Final = {"pincer": 30_000}  # for one turn; else `DEFAULT_NODES`
DEFAULT_NODES = 2_200
MAX_THOUGHT_S = 2.0
MAX_CPU_S = 60.0  # of one game; the turns after that are left out
log = logging.getLogger("quiver.bots")


class CannotCompare(Exception):
    """The game cannot be compared here; `str` is an English sentence."""


class AgreementMaker:
    """Compares one game at a time; `is_free` says whether no computer player has to act."""

    def __init__(self, games: GameService, worker: str, is_free: Callable[[], bool]) -> None:
        self._games = games
        self._worker = worker
        self._is_free = is_free

    async def run(self) -> None:
        """Work until cancelled."""
        thread = ThreadPoolExecutor(1, "quiver-agreement", partial(lower_priority, NICE))
        try:
            while True:
                await asyncio.sleep(CHECK_INTERVAL_S)
                try:
                    if self._is_free():
                        await self.make_next(thread)
                except Exception as error:
                    if not note_outage(error):
                        log.exception(
                            "a game could not be compared with the engine; others are tried",
                            extra={"event": "agreement_failed"},
                        )
        finally:
            thread.shutdown(wait=False, cancel_futures=True)

    async def make_next(self, thread: ThreadPoolExecutor) -> bool:
        """Compare the game that has waited longest; return whether there was one."""
        database = self._games.run_in_db_thread
        row = await database(engine_agreement.claim, self._worker, now())
        if row is None:
            return False
        failure = ""
        try:
            result = await self._compare(row, thread)
            await database(engine_agreement.save, row, self._worker, result, now())
        except CannotCompare as error:
            failure = str(error)
            slug = shorten_key(row.game.slug)
            log.error("game %s could not be compared with the engine: %s", slug, error)
        except Exception as error:
            failure = type(error).__name__
            raise
        finally:  # after a success nothing is left to give back
            await database(engine_agreement.give_back, row, self._worker, failure)
        return True

    async def _compare(self, row: EngineAgreement, thread: ThreadPoolExecutor) -> dict[str, Any]:
        game = await self._games.run_in_db_thread(load.fetch, row.game.slug)
        if game is None or game.ending is None or game.rules.is_simultaneous:
            raise CannotCompare("The game is not over, or both sides decide at once in it.")
        rules = game.rules
        if not is_available(rules.key, LEVEL):
            raise CannotCompare("The engine needs numba, which is not installed here.")
        steps = await self._games.run_in_db_thread(load.steps_of, game.id, game.rev, 0, game.step)
        actions = [load.single_action(step) for step in steps]
        nodes = NODES.get(rules.key, DEFAULT_NODES)
        checks, spent = [], 0.0
        turns = compare_turns(rules, actions, partial(_think, rules, nodes))
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(thread, warm, rules.key)
        while spent < MAX_CPU_S:
            await self._wait_until_free()
            if not await self._games.run_in_db_thread(
                engine_agreement.extend, row, self._worker, now()
            ):
                raise CannotCompare("Another worker has taken the game over.")
            check, cpu_s = await loop.run_in_executor(thread, _next_timed, turns)
            spent += cpu_s
            if check is None:
                break
            checks.append(check)
        sides = {role: asdict(sum_up(checks, role)) for role in ("white", "black")}
        return {**sides, "level": LEVEL, "nodes": nodes, "cpu_s": round(spent, 1)}

    async def _wait_until_free(self) -> None:
        while True:
            if self._is_free():
                return
            await asyncio.sleep(PAUSE_S)


def _think(rules: Rules[Any], nodes: int, state: Any, role: Role) -> Thought:
    """Return the thought of a new player, which depends on the state alone."""
    until = time.monotonic() + MAX_THOUGHT_S
    clock = Allowance(nodes, lambda: time.monotonic() >= until)
    player = player_of(rules.key, LEVEL)
    return player.choose(rules.view(state, role), role, rules.choices(state, role), clock, seed=0)


def _next_timed(turns: Any) -> tuple[TurnCheck | None, float]:
    """Return the next turn, None at the end, and the CPU seconds of the thread that it took."""
    began = time.thread_time()
    check = next(turns, None)
    return check, time.thread_time() - began
