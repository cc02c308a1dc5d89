"""Think on the opponent's time: go on with the search of the last turn while nothing else is due.

A worker ponders about one game at a time, that of the turn which it has played last, in a thread of
the lowest priority. The player is taken out of the cache meanwhile, so that no two threads use it.
A turn that is due ends the search and waits for it no longer than `STOP_TIMEOUT_S`.
"""

import asyncio
import logging
import threading
import time
import traceback
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from bots.thinking.priority import lower_priority
from bots.thinking.thinker import PlayerCache
from bots.thinking.turn_time import budget_of, is_timed
from games.core import OTHER, Role
from games.players.core import Allowance, Player
from play.domain.clocks import now
from play.domain.game_state import GameState
from play.models import Seat
from play.runtime.game_service import GameService
from telemetry.counters import PONDERED
from telemetry.redaction import shorten_key

NICE: Final = 19  # niceness of the thread
MAX_PONDER_S: Final = 10.0  # about one turn of the opponent
MIN_PONDER_S: Final = 0.1  # less remaining time than this is not used
MAX_SIMULATIONS: Final = 1_000_000  # of one call: more than `MAX_PONDER_S` allows
STOP_TIMEOUT_S: Final = 0.05  # after which a turn goes on without the player that ponders
log = logging.getLogger("quiver.bots")


@dataclass(slots=True)
class Plan:
    """A game to ponder about until the opponent has moved."""

    slug: str
    role: Role
    takebacks: int
    left_s: float  # of the time for this turn

    def holds(self, game: GameState) -> bool:
        """Whether the opponent still has to act, after the same own turn."""
        is_same = game.takebacks == self.takebacks
        return is_same and OTHER[self.role] in game.waiting and self.role not in game.waiting


@dataclass(frozen=True, slots=True)
class CurrentSearch:
    """A search that is under way in the thread."""

    plan: Plan
    game: GameState
    player: Player
    began_s: float
    stopped: threading.Event
    done: asyncio.Future[int | None]  # simulations; None if the player has failed


class Ponderer:
    """The pondering of one worker. All methods are called by its event loop."""

    def __init__(self, games: GameService, players: PlayerCache, is_on: bool) -> None:
        self._games = games
        self._players = players
        self._is_on = is_on
        self._plan: Plan | None = None
        self._search: CurrentSearch | None = None
        self._pool = ThreadPoolExecutor(1, "quiver-ponder", partial(lower_priority, NICE))

    @property
    def is_searching(self) -> bool:
        """Whether the thread searches."""
        return self._search is not None and not self._search.done.done()

    def plan(self, game: GameState, role: Role) -> None:
        """Ponder about this game from now on; call it when a turn of the role was played."""
        if self._is_on and not game.people[OTHER[role]].bot:
            left_s = min(MAX_PONDER_S, budget_of(game, role, now()).hard_ms / 1000)
            self._plan = Plan(game.slug, role, game.takebacks, left_s)

    def note_change(self, game: GameState) -> None:
        """Give up the plan if the game has moved on."""
        if self._plan is not None and self._plan.slug == game.slug and not self._plan.holds(game):
            self._drop_plan()

    def note_running(self, slugs: Collection[str]) -> None:
        """Give up the plan if its game is not among those that run."""
        if self._plan is not None and self._plan.slug not in slugs:
            self._drop_plan()

    def stop(self) -> None:
        """End the search; `resume` may go on with it later."""
        if self._search is not None:
            self._search.stopped.set()

    async def hand_over(self) -> None:
        """Stop, and put the player back into the cache before somebody thinks.

        After `STOP_TIMEOUT_S` the player is left to its thread: a thread of low priority may wait
        long for a busy processor. The next turn of that game then begins with a new player.
        """
        if self._search is not None:
            self.stop()
            await asyncio.wait({self._search.done}, timeout=STOP_TIMEOUT_S)
            self._collect()

    async def resume(self) -> None:
        """Begin to ponder or go on, if there is a plan; call it while no turn is due."""
        if self.is_searching:
            return
        self._collect()
        plan = self._plan
        if plan is None:
            return
        is_begun = False
        try:
            game = await self._games.renew(plan.slug)
            if game is None or not plan.holds(game) or not await self._is_live(game, plan.role):
                return
            # Unless the game has moved on meanwhile.
            is_begun = self._plan is plan and self._begin(plan, game)
        finally:
            if not is_begun and self._plan is plan:
                self._plan = None

    def close(self) -> None:
        """End the search and the thread, without waiting for it."""
        self._is_on = False
        self._drop_plan()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _is_live(self, game: GameState, role: Role) -> bool:
        """Return whether the opponent is present: by a running clock, or a visible page."""
        if is_timed(game):
            return True
        seats = Seat.objects.in_view(now()).filter(game=game.id, role=OTHER[role])
        return await self._games.run_in_db_thread(seats.exists)

    def _begin(self, plan: Plan, game: GameState) -> bool:
        """Start the search; return whether there was time and a player for it."""
        player = self._players.lend(game, plan.role) if plan.left_s >= MIN_PONDER_S else None
        if player is None:
            return False
        stopped, began_s = threading.Event(), time.monotonic()
        end_s = began_s + plan.left_s

        def is_over() -> bool:
            return stopped.is_set() or time.monotonic() >= end_s

        think = partial(_ponder, player, game, plan.role, is_over)
        done = asyncio.get_running_loop().run_in_executor(self._pool, think)
        self._search = CurrentSearch(plan, game, player, began_s, stopped, done)
        return True

    def _collect(self) -> None:
        """Take the player of a search that has ended back; leave one that goes on to its thread."""
        search, self._search = self._search, None
        if search is None:
            return
        is_planned = self._plan is search.plan
        search.plan.left_s -= time.monotonic() - search.began_s
        if not search.done.done():
            log.info(
                "game %s: pondering did not stop in time",
                shorten_key(search.game.slug),
                extra={"event": "pondering_left"},
            )
        elif (simulations := search.done.result()) is not None:
            PONDERED.inc(simulations)
            self._players.take_back(search.game, search.plan.role, search.player)
            if is_planned and search.stopped.is_set():
                return  # there may be time left to go on later
        if is_planned:
            self._plan = None

    def _drop_plan(self) -> None:
        self._plan = None
        self.stop()


def _ponder(player: Player, game: GameState, role: Role, is_over: Callable[[], bool]) -> int | None:
    """Return the number of simulations; None if the player fails."""
    try:
        view = game.rules.view(game.state, role)
        return player.ponder(view, role, Allowance(MAX_SIMULATIONS, is_over))
    except Exception as error:
        # The error's text is left out, as that of a failed choice is: it may name secrets.
        where = "".join(traceback.format_tb(error.__traceback__))
        kind = type(error).__name__
        log.error(
            "game %s: %s while pondering as %s\n%s", shorten_key(game.slug), kind, role, where
        )
        return None
