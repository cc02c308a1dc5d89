"""Time that a computer player takes for a turn: when it answers, and how long it may think.

`games.players.time_management` computes the budget from a clock. Budgets are wall time, so that
a busy machine makes turns weaker, never late.
"""

import time
from collections.abc import Callable

from games.core import Role
from games.players.core import Allowance, Level, never
from games.players.time_management import (
    FIRST_SHARE,
    MAX_REPLY_DELAY_MS,
    MIN_LATENCY_MS,
    RESERVE_MS,
    UNTIMED,
    ActionTime,
    RunningClock,
    TurnBudget,
    TurnsLeft,
    reply_delay_ms,
    turn_budget,
    turns_left,
)
from play.domain.clocks import RUNNING_KINDS
from play.domain.game_state import GameState

MAX_LATENCY_MS = 3_000  # of one turn, as far as it counts for those to come
LATENCY_DECAY = 0.95  # of the measured latency, from turn to turn
LAST_SHARE = 0.2  # of the soft budget, for the second action however long the first took


def is_timed(game: GameState) -> bool:
    """Return whether both players have to stay present under the clock of a game."""
    return game.clock.kind in RUNNING_KINDS


def earliest(game: GameState, role: Role) -> int:
    """Return the earliest moment (epoch ms) at which a role answers the last action."""
    if not is_timed(game):
        return game.times.since + MAX_REPLY_DELAY_MS
    clock, left = _clock_of(game, role, game.times.since), _turns_left(game)
    return game.times.since + reply_delay_ms(clock, left, MIN_LATENCY_MS)


def budget_of(game: GameState, role: Role, at: int, latency_ms: int = 0) -> TurnBudget:
    """Return the time of a role that starts to think about a turn at `at` (epoch ms)."""
    if not is_timed(game):
        return UNTIMED
    return turn_budget(_clock_of(game, role, at), _turns_left(game), latency_ms)


def is_low_on_time(game: GameState, role: Role) -> float:
    """Return the latest moment (epoch ms) to start on a role's turn; infinity without a clock."""
    return latest_end(game, role) - RESERVE_MS


def latest_start(game: GameState, role: Role) -> float:
    """Return when (epoch ms) the thought about another game has to end for this turn.

    A turn waits no longer than it would be thought about. Infinity if no clock requires presence.
    """
    if not is_timed(game):
        return float("inf")
    at = earliest(game, role)
    return min(is_low_on_time(game, role), at + budget_of(game, role, at).soft_ms)


def latest_end(game: GameState, role: Role) -> float:
    """Return when (epoch ms) a role's thought has to end; infinity without a clock."""
    if game.clock.kind == "none":
        return float("inf")
    return game.times.since + game.times.left[role] - RESERVE_MS


def _clock_of(game: GameState, role: Role, at: int) -> RunningClock:
    clock = game.clock
    return RunningClock(game.times.left_at(role, at), clock.increment, clock.kind == "limit")


def _turns_left(game: GameState) -> TurnsLeft:
    return turns_left(game.rules.key, game.rules.turns(game.state))


class LatencyMeter:
    """Estimate of the time a turn takes besides its thought: a decaying maximum."""

    def __init__(self) -> None:
        self._ms = float(MIN_LATENCY_MS)

    @property
    def ms(self) -> int:
        """The estimate in ms."""
        return round(self._ms)

    def note(self, ms: float) -> None:
        """Take the latency of one turn into account."""
        self._ms = min(MAX_LATENCY_MS, max(ms, MIN_LATENCY_MS, LATENCY_DECAY * self._ms))


class TurnTimer:
    """Wall time of one turn, which begins now, shared among its actions.

    `is_over` ends the thought at once; `may_go_on` False ends the search beyond the level's nodes.
    """

    def __init__(
        self,
        budget: TurnBudget,
        level: Level,
        is_over: Callable[[], bool] = never,
        may_go_on: Callable[[], bool] = lambda: True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._soft_s, self._hard_s = budget.soft_ms / 1000, budget.hard_ms / 1000
        self._level = level
        self._is_over = is_over
        self._may_go_on = may_go_on
        self._now = now
        self._began = now()

    def allowance(self, key: str, is_first: bool) -> Allowance:
        """Return the budget of an action that begins now; `is_first` of the turn."""
        began, level = self._now(), self._level
        used, share = began - self._began, FIRST_SHARE.get(key, 1.0)
        hard = min(self._hard_s - used, share * self._hard_s if is_first else self._hard_s)
        if not level.uses_clock:
            hard = min(hard, level.seconds)
        end = began + hard
        own: ActionTime | None = None
        if level.uses_clock:
            rest = max(self._soft_s - used, LAST_SHARE * self._soft_s)
            soft = max(0.0, min(hard, rest, share * self._soft_s))
            own = ActionTime(lambda: self._now() - began, soft, max(0.0, hard), self._may_go_on)
        return Allowance(level.nodes, lambda: self._now() >= end or self._is_over(), own)
