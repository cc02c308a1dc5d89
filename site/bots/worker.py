"""Worker process of the computer players: find due turns, think in a thread, play them.

Actions go through `game_commands`, as those of people do. The event loop never waits for a
thought: meanwhile it answers offers, renews the lease, and drops a thought whose game has moved on.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from django.db import connections

from accounts.refusals import Refused
from bots import thought_log, worker_registry
from bots.agreement_maker import AgreementMaker
from bots.exhibitions import run_exhibitions
from bots.idle_tasks import FACTORIES, IdleTaskFactory
from bots.scheduler import RETRY_DELAY_MS, PendingTurn, Scheduler, is_same_turn
from bots.seat_levels import SeatLevels
from bots.thinking import draw_resign, thinker
from bots.thinking.code_compiler import prepare_player
from bots.thinking.current_thought import CurrentThought
from bots.thinking.draw_resign import Replies
from bots.thinking.pondering import Ponderer
from bots.thinking.priority import lower_priority
from bots.thinking.thinker import ActionThought
from bots.thinking.turn_time import LatencyMeter
from games.players.core import Level
from games.players.levels import ENGINES, has_numba, load, missing_data
from games.players.manners import manners_of
from play.domain.clocks import now
from play.domain.commands import Act, Claim, ClaimDecided, CountNow, GameCommand, Resign
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState
from play.runtime import game_commands
from play.runtime.commit_watcher import CommitWatcher
from play.runtime.game_service import GameService
from play.runtime.write_probe import watch_outage
from telemetry.counters import COMPUTER_TURN_AGE
from telemetry.outage_log import note_outage
from telemetry.redaction import shorten_key

HEARTBEAT_INTERVAL_S = 1.0
POLL_INTERVAL_S = 0.25  # where the database cannot tell that it has changed
MAX_LOST_LEASES = 3  # in a row; after that the position itself is taken to crash the engine
EXHIBITION_REST_FACTOR = 10  # exhibitions wait this many times the CPU time of their last turn
log = logging.getLogger("quiver.bots")


class WorkerEnded(Exception):
    """The worker ends; other workers take over its turns."""


class Worker:
    """One worker process: `run` works until `end` is called."""

    def __init__(
        self,
        games: GameService,
        is_exhibiting: bool,
        say: Callable[[str], object] = log.info,
        name: str = "",
        nice: int = 0,  # niceness of the thinking thread
        is_pondering: bool = False,  # levels that ponder do
    ) -> None:
        self._games = games
        self.name = name or worker_registry.new_name()
        self._is_exhibiting = is_exhibiting
        self._say = say
        self._cold = list(ENGINES)  # rule sets whose players are not ready yet
        self._levels = SeatLevels(games)
        self._replies = Replies(
            games, self._levels.find, lambda slug: self._scheduler.look_anew(slug)
        )
        self._scheduler = Scheduler(games, self._replies.give, self._handle_change)
        factories: tuple[IdleTaskFactory, ...] = (AgreementMaker, *FACTORIES)
        self._idle_tasks = [make(games, self.name, self._is_free) for make in factories]
        self._thinking: CurrentThought | None = None
        self._is_warm = False  # everything is compiled, or something has been played already
        self._has_read_games = False
        self._players = thinker.PlayerCache()
        self._ponderer = Ponderer(games, self._players, is_pondering)
        self._latency = LatencyMeter()
        self._pool = ThreadPoolExecutor(1, "quiver-thinker", partial(lower_priority, nice))
        self._news = asyncio.Event()
        self._end = asyncio.Event()

    def end(self) -> None:
        """Make `run` return soon; a thought that is under way is dropped."""
        self._end.set()
        self._news.set()
        self._ponderer.stop()
        if self._thinking:
            self._thinking.drop()

    async def run(self) -> None:
        """Work until `end` is called; the game service is left open."""
        tail = CommitWatcher(self._read_games, self._games.version_of_others, POLL_INTERVAL_S)
        others = [
            asyncio.create_task(self._run_heartbeat()),
            *(asyncio.create_task(task.run()) for task in self._idle_tasks),
        ]
        if self._is_exhibiting:
            run = run_exhibitions(self._games, self._is_in_charge_of_exhibitions)
            others.append(asyncio.create_task(run))
        tail.ensure_started()
        COMPUTER_TURN_AGE.set_function(self.oldest_turn_age_s)
        try:
            with suppress(WorkerEnded):
                await self._work()
        finally:
            await tail.stop()
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            self._ponderer.close()
            await self._replies.stop()
            self._pool.shutdown(wait=False, cancel_futures=True)
            await self._games.run_in_db_thread(worker_registry.remove_worker, self.name)

    def oldest_turn_age_s(self) -> float:
        """Return the age in s of the oldest due turn in games of people; 0 without one.

        That one may be under way, here or in another worker. Called by the metrics server's thread.
        """
        thinking = self._thinking
        mine = [thinking.due] if thinking and not thinking.due.is_exhibition else []
        due = [*self._scheduler.list_due(), *mine]
        return max(0, now() - min((each.at for each in due), default=now())) / 1000

    def _is_free(self) -> bool:
        """Return whether no computer player has a turn, here or in another worker."""
        is_thinking = self._thinking is not None or self._scheduler.is_turn_waiting()
        return self._has_read_games and not is_thinking

    def _is_in_charge_of_exhibitions(self) -> bool:
        return self._scheduler.is_eldest and not self._cold

    async def _work(self) -> None:
        if not has_numba():
            self._say("numba is not installed: the high levels are off.")
        elif why := await self._in_thread(load):
            self._say(f"numba cannot be loaded ({why}): the high levels are off.")
        while not self._end.is_set():
            try:
                await self._step()
            except WorkerEnded:
                raise
            except Exception as error:
                if not note_outage(error):
                    log.exception(
                        "a step of the worker failed; it is tried again",
                        extra={"event": "worker_step_failed"},
                    )
                await self._wait(RETRY_DELAY_MS / 1000)

    async def _step(self) -> None:
        """Take the most urgent turn, else compile an engine, else wait."""
        if not self._has_read_games:
            await self._read_games()
        due = self._scheduler.next()
        if due:
            await self._take_turn(due)
        elif self._cold:
            key = self._scheduler.next_key() or self._cold[0]
            key = key if key in self._cold else self._cold[0]
            await self._in_thread(prepare_player, key)
            self._cold.remove(key)
            if not self._cold:
                self._is_warm = True
                self._say("Computer players are ready.")
                if missing := await self._in_thread(missing_data):
                    self._say(missing)
                await self._in_thread(thinker.clear_out)
        else:
            if self._is_free():
                await self._ponderer.resume()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), self._scheduler.seconds())
            self._news.clear()

    async def _read_games(self) -> None:
        """Read the games that have changed; called after another process has committed."""
        listed = await self._scheduler.look()
        self._has_read_games = True
        if (thinking := self._thinking) and thinking.due.live.slug not in listed:
            thinking.drop()
        self._ponderer.note_running(listed)
        self._news.set()

    def _handle_change(self, game: GameState) -> None:
        """Drop the thoughts that a changed game has made obsolete."""
        self._ponderer.note_change(game)
        if thinking := self._thinking:
            due = thinking.due
            if due.live.slug == game.slug and not is_same_turn(due.live, game, due.role):
                thinking.drop()
            elif due.live.slug == game.slug:
                thinking.note_clock(game)
            thinking.hurry = self._scheduler.hurry(due.key)

    async def _take_turn(self, due: PendingTurn) -> None:
        """Think about a turn and play it, unless another worker holds the lease."""
        live, role = due.live, due.role
        level = await self._levels.find(live, role)
        if level is None:
            self._scheduler.put_off(due)
            return
        left = await self._games.run_in_db_thread(
            worker_registry.claim, live.id, role, self.name, now()
        )
        if left is None:
            self._scheduler.put_off(
                due, await self._games.run_in_db_thread(worker_registry.lease_end, live.id, role)
            )
            return
        self._scheduler.take(due)
        self._thinking = thinking = CurrentThought(due)
        self._ponderer.stop()
        try:
            fresh = await self._games.renew(
                live.slug
            )  # before the seat was claimed it may have played
            if fresh is None or not is_same_turn(live, fresh, role):
                return
            level = await self._levels.adapt(level, due)
            turn = await self._think(thinking, level, is_plain=left >= MAX_LOST_LEASES)
            if thinking.is_dropped:
                self._scheduler.put_off(due)  # another worker has the seat now, and may die as well
            else:
                await self._play(due, level, turn)
                if level.ponders:
                    self._ponderer.plan(live, role)
                self._latency.note(now() - due.at - thinking.thought_ms)
        except Refused as refused:
            if refused.reason not in (Reason.BUSY, Reason.UNSURE):  # an outage is logged once
                log.info(
                    "game %s: the turn of %s was refused: %s",
                    shorten_key(live.slug),
                    role,
                    refused.reason,
                )
            self._scheduler.put_off(due)
            self._scheduler.look_anew(live.slug)
        except Exception:
            self._scheduler.put_off(due)
            raise
        finally:
            self._thinking = None
            await self._games.run_in_db_thread(worker_registry.give_back, live.id, role, self.name)

    async def _think(
        self, thinking: CurrentThought, level: Level, is_plain: bool
    ) -> list[ActionThought]:
        due = thinking.due
        thinking.hurry = self._scheduler.hurry(due.key)
        await self._ponderer.hand_over()
        watch = asyncio.create_task(thinking.watch_queue(self._games, self._scheduler, self.name))
        think = partial(thinker.think, self._players, due.live, due.role, level, thinking.is_over)
        began = now()
        try:
            turn: list[ActionThought] = await self._in_thread(
                partial(think, is_plain, thinking.may_go_on, self._latency.ms)
            )
        finally:
            watch.cancel()
        thinking.thought_ms = now() - began
        if due.is_exhibition:
            self._scheduler.rest = now() + EXHIBITION_REST_FACTOR * sum(each.ms for each in turn)
        return turn

    async def _play(self, due: PendingTurn, level: Level, turn: Sequence[ActionThought]) -> None:
        """Save the thoughts, then send the turn or end the game. Raises Refused."""
        live, role, value = due.live, due.role, turn[-1].thought.value
        before = await self._games.run_in_db_thread(thought_log.latest_thoughts, live, role)
        await self._games.run_in_db_thread(
            thought_log.save_thoughts, live, role, level.number, turn
        )
        manners = None if due.is_exhibition else manners_of(live.rules.key, level.number)
        end = draw_resign.resign_or_claim(live, role, manners, value, before)
        id = f"bot-{end or 'act'}-{live.step}-{live.takebacks}"
        command: GameCommand
        if end == "resign":
            command = Resign(id)
        elif end == "claim":
            command = Claim(id)
        elif end == "count":
            command = CountNow(id)
        elif end == "decided":
            command = ClaimDecided(id, live.step)
        else:
            actions = tuple(str(each.thought.action) for each in turn)
            command = Act(id, live.step, actions, live.takebacks)
        user = live.people[role].user
        await game_commands.perform(self._games, live.slug, user, command, now())
        self._is_warm = True

    async def _in_thread(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a slow function in the thinking thread. Raises Ending if the worker ends before."""
        done = asyncio.get_running_loop().run_in_executor(self._pool, function, *args)
        end = asyncio.create_task(self._end.wait())
        await asyncio.wait({done, end}, return_when=asyncio.FIRST_COMPLETED)
        end.cancel()
        if self._end.is_set():
            raise WorkerEnded
        return done.result()

    async def _wait(self, seconds: float) -> None:
        """Sleep, but return when the worker ends."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._end.wait(), seconds)

    async def _run_heartbeat(self) -> None:
        """Write a heartbeat and renew the lease, every `HEARTBEAT_INTERVAL_S`."""
        while True:
            try:
                await self._write_heartbeat()
                await watch_outage(self._games.write)
            except Exception as error:
                if not note_outage(error):
                    log.exception(
                        "the heartbeat could not be written; it is tried again",
                        extra={"event": "heartbeat_failed"},
                    )
                with suppress(Exception):  # the next use opens a new connection
                    await self._games.run_in_db_thread(connections.close_all)
            await asyncio.sleep(HEARTBEAT_INTERVAL_S)

    async def _write_heartbeat(self) -> None:
        is_eldest = await self._games.run_in_db_thread(
            worker_registry.write_heartbeat, self.name, self._is_warm, has_numba(), now()
        )
        if is_eldest != self._scheduler.is_eldest:
            self._scheduler.is_eldest = is_eldest
            self._scheduler.look_anew()
        if thinking := self._thinking:
            due = thinking.due
            if not await self._games.run_in_db_thread(
                worker_registry.renew, due.live.id, due.role, self.name, now()
            ):
                thinking.drop()
