"""Time arithmetic of a game: pure, in whole milliseconds since the epoch.

The clock of a role runs from the beginning of its turn until the role has sealed its action of each
step. Increment and limit apply per turn, not per step.
"""

import time
from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from games.core import Role
from play.domain.lag import MAX_LAG_MS
from play.domain.monotonic import MonotonicClock

SECOND_MS = 1_000
DAY_MS = 24 * 3_600 * SECOND_MS
FLAG_GRACE_MS = 500  # for actions received in time to be decided before the flag
FLAG_DELAY_MS = MAX_LAG_MS + FLAG_GRACE_MS  # after the deadline

CLOCK = MonotonicClock(time.time_ns() // 1_000_000)


def now() -> int:
    """Return ms since the epoch; never steps back in a serving process (see `clock_sync`)."""
    return CLOCK.now()


class Clock(Struct, frozen=True, gc=False):
    """The time control of a game, fixed when the game starts."""

    kind: Literal["fischer", "limit", "days", "none"]
    initial: int = 0  # ms at the start (fischer), for each turn (limit, days)
    increment: int = 0  # ms earned with each turn (fischer)

    def label(self, turn: str = "turn") -> str:
        """Return the name for people: `5 + 3`, `30 s a round`, `2 days a turn`, `no clock`."""
        if self.kind == "none":
            return "no clock"
        if self.kind == "fischer":
            minutes, seconds = divmod(self.initial // SECOND_MS, 60)
            base = f"{minutes}:{seconds:02}" if minutes else f"{seconds} s"
            return f"{base if seconds else minutes} + {self.increment // SECOND_MS}"
        if self.kind == "days":
            days = self.initial // DAY_MS
            return f"{days} day{'s' if days != 1 else ''} a {turn}"
        seconds = self.initial // SECOND_MS
        return f"{seconds // 60} min a {turn}" if seconds % 60 == 0 else f"{seconds} s a {turn}"


class Times(Struct, frozen=True, gc=False):
    """The state of the clocks: `left` held at `since`, when the clocks of `running` started."""

    left: Mapping[Role, int]  # ms
    since: int
    running: frozenset[Role]
    lag: Mapping[Role, int] = field(default_factory=dict)  # ms credited in the current turn

    def left_at(self, role: Role, at: int) -> int:
        """Return the ms that a role has left at `at`; negative after its deadline."""
        spent = max(0, at - self.since) if role in self.running else 0
        return self.left[role] - spent


def start_clocks(clock: Clock, running: Iterable[Role], at: int) -> Times:
    """Return the clocks at the beginning of a game."""
    return Times({"white": clock.initial, "black": clock.initial}, at, frozenset(running))


def lag_credit(clock: Clock, times: Times, role: Role, lag: int, at: int) -> int:
    """Return the ms credited to a role for a message received at `at` after `lag` ms of transfer.

    The credit is at most the time waited in this step, and at most `MAX_LAG_MS` in a turn.
    """
    if clock.kind == "none" or not lag:
        return 0
    return max(0, min(lag, at - times.since, MAX_LAG_MS - times.lag.get(role, 0)))


def stop_clock(times: Times, role: Role, at: int, lag: int = 0) -> Times:
    """Return the clocks after a role has sealed, with `lag` ms credited."""
    left = {**times.left, role: times.left_at(role, at) + lag}
    credits = {**times.lag, role: times.lag.get(role, 0) + lag} if lag else times.lag
    return replace(times, left=left, running=times.running - {role}, lag=credits)


def resume_clocks(
    clock: Clock, times: Times, running: Iterable[Role], ended: Collection[Role], at: int
) -> Times:
    """Return the clocks after a step has resolved; the roles in `ended` completed a turn."""
    left = {role: times.left_at(role, at) for role in times.left}
    for role in ended:
        left[role] = left[role] + clock.increment if clock.kind == "fischer" else clock.initial
    credits = {role: lag for role, lag in times.lag.items() if role not in ended}
    return Times(left, at, frozenset(running), credits)


def rewind_clocks(clock: Clock, times: Times, running: Iterable[Role], at: int) -> Times:
    """Return the clocks after a takeback.

    With increments, the time spent and earned stays. A limit starts again for both roles, because
    both play the turns again that it was for.
    """
    left = {role: times.left_at(role, at) for role in times.left}
    if clock.kind != "fischer":
        left = dict.fromkeys(left, clock.initial)
    return Times(left, at, frozenset(running))


def first_turn_limit(clock: Clock) -> int | None:
    """Return the ms for which the role in control may be absent; None if unlimited."""
    if clock.kind == "fischer":
        return min(max(clock.initial // 6, 20 * SECOND_MS), 120 * SECOND_MS)
    if clock.kind == "limit":
        return min(max(clock.initial // 2, 20 * SECOND_MS), 120 * SECOND_MS)
    return None


def halt_clocks(times: Times, at: int) -> Times:
    """Return the clocks at the end of a game: none runs, and none is below zero."""
    left = {role: max(0, times.left_at(role, at)) for role in times.left}
    return Times(left, at, frozenset())


def credit_downtime(times: Times, down_since: int, at: int) -> Times:
    """Return the clocks without the time in which the server was down (`down_since` to `at`)."""
    if not times.running:
        return times
    return replace(times, since=times.since + max(0, at - max(down_since, times.since)))


def deadline(clock: Clock, times: Times) -> int | None:
    """Return when the first running clock reaches zero (epoch ms); None if none runs."""
    if clock.kind == "none" or not times.running:
        return None
    return times.since + min(map(times.left.__getitem__, times.running))


def flagged_roles(clock: Clock, times: Times, at: int) -> frozenset[Role]:
    """Return the roles whose flag has fallen at `at`: those with the earliest deadline.

    Two roles are returned only if their deadlines are the same millisecond.
    """
    limit = deadline(clock, times)
    if limit is None or at < limit + FLAG_DELAY_MS:
        return frozenset()
    return frozenset(role for role in times.running if times.since + times.left[role] == limit)
