"""The running thought of a worker, which can be dropped, ended, or made to yield."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from typing import Final

from bots import worker_registry
from bots.scheduler import PendingTurn, Scheduler
from bots.thinking.turn_time import latest_end, latest_start
from play.domain.clocks import now
from play.domain.game_state import GameState
from play.runtime.game_service import GameService
from telemetry.outage_log import note_outage

WATCH_INTERVAL_S: Final = 0.25
log = logging.getLogger("quiver.bots")


class CurrentThought:
    """One turn that an engine thinks about; its thread asks `is_over` and `may_go_on`."""

    def __init__(self, due: PendingTurn) -> None:
        self.due = due
        self.hurry = float("inf")  # epoch ms at which another seat runs low on time
        self.thought_ms = 0  # of wall time, once the engine has answered
        self._latest = latest_end(due.live, due.role)
        self._latest_for_others = float("inf")  # epoch ms, for the turns that wait for this worker
        self._unwanted = threading.Event()
        self._gives_way = threading.Event()

    def drop(self) -> None:
        """End the thought; nothing of it is played."""
        self._unwanted.set()

    @property
    def is_dropped(self) -> bool:
        """Whether the thought was dropped."""
        return self._unwanted.is_set()

    def note_clock(self, game: GameState) -> None:
        """End the thought in time for a clock that has changed meanwhile."""
        self._latest = latest_end(game, self.due.role)

    def is_over(self) -> bool:
        """Whether the engine should stop."""
        latest = min(self.hurry, self._latest, self._latest_for_others)
        return self._unwanted.is_set() or now() >= latest

    def may_go_on(self) -> bool:
        """Whether the engine may go beyond the nodes of its level."""
        return not self._gives_way.is_set()

    async def watch_queue(self, games: GameService, scheduler: Scheduler, worker: str) -> None:
        """Yield as soon as a turn in another game waits and no worker has taken it."""
        while True:
            await asyncio.sleep(WATCH_INTERVAL_S)
            await self.check_queue(games, scheduler, worker)

    async def check_queue(self, games: GameService, scheduler: Scheduler, worker: str) -> None:
        """Yield if a turn in another game waits and no worker has taken it."""
        waiting = scheduler.list_waiting(self.due.key)
        if not waiting:
            return
        try:
            held = await games.run_in_db_thread(worker_registry.held_by_others, worker, now())
        except Exception as error:
            if not note_outage(error):
                log.exception("leases could not be read", extra={"event": "leases_unread"})
            return
        self.give_way_to([due for due in waiting if (due.live.id, due.role) not in held])

    def give_way_to(self, waiting: Sequence[PendingTurn]) -> None:
        """Examine only the level's nodes if turns wait, and end before one of them is too late."""
        if waiting:
            self._gives_way.set()
            self._latest_for_others = min(latest_start(due.live, due.role) for due in waiting)
