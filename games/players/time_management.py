"""Time of a turn on a clock, and when a search has thought for long enough.

Pure: whoever measures time passes it in. A turn has a *soft* budget, for an ordinary choice, and a
*hard* one that is never exceeded, for an open choice. The rules to stop follow Huang, Coulom and
Lin, "Time Management for Monte-Carlo Tree Search Applied to the Game of Go" (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

RESERVE_MS: Final = 1_500  # of the clock, never spent: one bad delay
MIN_LATENCY_MS: Final = 250  # assumed of each turn to come, whatever was measured
MAX_REPLY_DELAY_MS: Final = 600  # lets people see the last action before the reply
MAX_SOFT_MS: Final = 12_500
MAX_HARD_MS: Final = 13_800  # with the reply delay and the server's work below 15 s
OPEN_FACTOR: Final = 1.5  # the hard budget is the soft one times this where the clock allows
UNTIMED_SOFT_MS, UNTIMED_HARD_MS = 1_600, 2_400  # of games without a clock, or by days
LIMIT_SOFT_SHARE, LIMIT_HARD_SHARE = 0.35, 0.5  # of what a limit for each turn leaves
INCREMENT_SHARE: Final = 0.8  # of the increment, spent in its own turn
MAX_SHARE: Final = 0.3  # of what the clock leaves for thinking, in one turn
CLOSE: Final = 0.4  # visits of the second choice, in those of the first, at which both are open
EARLIEST_SHARE: Final = 0.5  # of the soft time, before which no choice counts as clear
RECENT: Final = 0.3  # of the soft budget: a first choice that new is not settled


@dataclass(frozen=True, slots=True)
class Course:
    """Length of games of a rule set, in turns of both roles."""

    longest: int  # turns after which a game is surely over, or nearly so
    decided: int  # turns after which counting or tables decide in the mean
    fewest: int  # turns assumed to be left however long a game lasts


# Measured in games between equal levels; `longest` of the first two and of Pincer follows from
# the rules.
COURSES: Final[Mapping[str, Course]] = {
    "amazons": Course(longest=92, decided=60, fewest=24),
    "amazons-10x10": Course(longest=92, decided=54, fewest=8),
    "amazons-8x8": Course(longest=56, decided=40, fewest=8),
    "pincer": Course(longest=25, decided=25, fewest=4),
}
DEFAULT_COURSE: Final = Course(longest=50, decided=50, fewest=10)
# Share of a turn's time for its first action; the second has the rest.
FIRST_SHARE: Final[Mapping[str, float]] = {
    "amazons-10x10": 0.7,
    "amazons-8x8": 0.7,
    "pincer": 0.5,
}


@dataclass(frozen=True, slots=True)
class TurnsLeft:
    """Own turns that are still to come, this one included."""

    thoughtful: int  # those that take thought
    all: int


def turns_left(key: str, turns: int) -> TurnsLeft:
    """Return what is expected after so many turns of both roles."""
    course = COURSES.get(key, DEFAULT_COURSE)
    every = max(course.longest - turns, course.fewest)
    thoughtful = max(course.decided - turns, course.fewest)
    return TurnsLeft((min(thoughtful, every) + 1) // 2, (every + 1) // 2)


@dataclass(frozen=True, slots=True)
class RunningClock:
    """Clock of the role that is to act."""

    left_ms: int
    increment_ms: int = 0
    is_limit: bool = False  # every turn has its time anew


@dataclass(frozen=True, slots=True)
class TurnBudget:
    """Time for the thought of one turn."""

    soft_ms: int
    hard_ms: int  # at least `soft_ms`


UNTIMED: Final = TurnBudget(UNTIMED_SOFT_MS, UNTIMED_HARD_MS)


def turn_budget(clock: RunningClock, left: TurnsLeft, latency_ms: int) -> TurnBudget:
    """Return the time for a turn that begins now.

    `latency_ms` is what a turn takes besides its thought. Both times grow with what the clock has
    left, and shrink with the turns to come and the latency. They leave on the clock `RESERVE_MS`
    and, where time is not renewed, the latency of every turn to come.
    """
    free = _free_ms(clock, left, latency_ms)
    if clock.is_limit:
        soft, hard = LIMIT_SOFT_SHARE * free, LIMIT_HARD_SHARE * free
    else:
        gain = max(0, clock.increment_ms - max(latency_ms, MIN_LATENCY_MS))
        soft = min(free / left.thoughtful + INCREMENT_SHARE * gain, MAX_SHARE * free)
        hard = min(OPEN_FACTOR * soft, MAX_SHARE * free)
    soft = min(soft, MAX_SOFT_MS)
    return TurnBudget(int(soft), int(max(soft, min(hard, MAX_HARD_MS))))


def reply_delay_ms(clock: RunningClock, left: TurnsLeft, latency_ms: int) -> int:
    """Return how long to wait before a reply: shorter where time is short."""
    free = _free_ms(clock, left, latency_ms)
    if clock.is_limit:
        return int(min(MAX_REPLY_DELAY_MS, free / 4))
    share = free / (2 * left.all) + clock.increment_ms / 4
    return int(min(MAX_REPLY_DELAY_MS, share, free / 4))


def _free_ms(clock: RunningClock, left: TurnsLeft, latency_ms: int) -> float:
    """Return what the clock has for delays and thoughts, after all that is reserved."""
    latency = max(latency_ms, MIN_LATENCY_MS)
    uncovered = max(0, latency - clock.increment_ms)
    later = 0 if clock.is_limit else (left.all - 1) * uncovered
    return max(0, clock.left_ms - RESERVE_MS - latency - later)


@dataclass(frozen=True, slots=True)
class ActionTime:
    """Time of one action, for players that think beyond the nodes of their level."""

    elapsed_s: Callable[[], float]  # since the action's thought began
    soft_s: float
    hard_s: float
    may_go_on: Callable[[], bool]  # False while somebody else waits for this process

    def first(self, share: float) -> ActionTime:
        """Return the time of the first part of the thought."""
        return ActionTime(self.elapsed_s, share * self.soft_s, share * self.hard_s, self.may_go_on)


@dataclass(frozen=True, slots=True)
class RootVisits:
    """State of the choices of a search."""

    first: int  # visits of the most visited choice
    second: int  # visits of the one after it, 0 if there is none
    is_best_valued: bool  # the most visited choice also has the highest value
    settled_s: float  # since another choice was the most visited
    rate: float  # visits per second


def is_enough(visited: RootVisits, elapsed_s: float, soft_s: float, hard_s: float) -> bool:
    """Return whether a tree search should stop.

    It stops at the end of its time, which is the soft one unless the choice is open, and in its
    second half when the second choice cannot become the first until then. What is searched before
    that is of use in the next turns.
    """
    end = hard_s if is_open(visited, soft_s) else soft_s
    if elapsed_s >= end:
        return True
    is_clear = visited.first - visited.second > visited.rate * (end - elapsed_s)
    return is_clear and elapsed_s >= EARLIEST_SHARE * soft_s


def is_open(visited: RootVisits, soft_s: float) -> bool:
    """Return whether a choice deserves more than the soft time."""
    is_close = visited.second > CLOSE * visited.first
    return is_close or not visited.is_best_valued or visited.settled_s < RECENT * soft_s
