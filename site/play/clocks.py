"""Time arithmetic of a game: pure, in whole milliseconds since the epoch.

A clock's time is spent by a role from the moment its go begins until it has sealed its part of
each turn. Increment and limit are earned by the go, never by the turn.
"""

import time
from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from games.core import Role
from play.line import MOST_LAG
from play.timepiece import Timepiece

SECOND = 1_000
DAY = 24 * 3_600 * SECOND
GRACE = 500  # ms for an action that came in time to be judged before a flag
FLAG_AFTER = MOST_LAG + GRACE  # ms after the deadline before a flag falls

PIECE = Timepiece(time.time_ns() // 1_000_000)


def now() -> int:
    """Milliseconds since the epoch; never steps back within a process that serves (`steering`)."""
    return PIECE.now()


class Clock(Struct, frozen=True, gc=False):
    """How time is given: the options of a game, fixed when it starts."""

    kind: Literal["fischer", "limit", "days", "none"]
    initial: int = 0  # ms at the start (fischer), for each go (limit, days)
    increment: int = 0  # ms earned with each go (fischer)

    def label(self, go: str = "go") -> str:
        """The short name people read: `5 + 3`, `30 s a round`, `2 days a go`, `no clock`."""
        if self.kind == "none":
            return "no clock"
        if self.kind == "fischer":
            minutes, seconds = divmod(self.initial // SECOND, 60)
            base = f"{minutes}:{seconds:02}" if minutes else f"{seconds} s"
            return f"{base if seconds else minutes} + {self.increment // SECOND}"
        if self.kind == "days":
            days = self.initial // DAY
            return f"{days} day{'s' if days != 1 else ''} a {go}"
        seconds = self.initial // SECOND
        return f"{seconds // 60} min a {go}" if seconds % 60 == 0 else f"{seconds} s a {go}"


class Times(Struct, frozen=True, gc=False):
    """What the clocks show: `left` was true at `since`, when the roles in `running` started."""

    left: Mapping[Role, int]  # ms
    since: int
    running: frozenset[Role]
    lag: Mapping[Role, int] = field(default_factory=dict)  # ms credited in the go under way

    def left_at(self, role: Role, at: int) -> int:
        """Milliseconds that a role has left at a moment; negative when it has passed its time."""
        spent = max(0, at - self.since) if role in self.running else 0
        return self.left[role] - spent


def started(clock: Clock, running: Iterable[Role], at: int) -> Times:
    """The clocks at the beginning of a game."""
    return Times({"white": clock.initial, "black": clock.initial}, at, frozenset(running))


def credit_of(clock: Clock, times: Times, role: Role, lag: int, at: int) -> int:
    """Milliseconds that a role gets back for a message received at `at` that was `lag` ms on its
    way: never more than it has waited in this turn, nor than `MOST_LAG` in a go."""
    if clock.kind == "none" or not lag:
        return 0
    return max(0, min(lag, at - times.since, MOST_LAG - times.lag.get(role, 0)))


def stopped(times: Times, role: Role, at: int, lag: int = 0) -> Times:
    """The clocks after a role has sealed; `lag` ms of what that took are given back."""
    left = {**times.left, role: times.left_at(role, at) + lag}
    credits = {**times.lag, role: times.lag.get(role, 0) + lag} if lag else times.lag
    return replace(times, left=left, running=times.running - {role}, lag=credits)


def resumed(
    clock: Clock, times: Times, running: Iterable[Role], ended: Collection[Role], at: int
) -> Times:
    """The clocks when a turn has resolved: the roles in `ended` have completed a go."""
    left = {role: times.left_at(role, at) for role in times.left}
    for role in ended:
        left[role] = left[role] + clock.increment if clock.kind == "fischer" else clock.initial
    credits = {role: lag for role, lag in times.lag.items() if role not in ended}
    return Times(left, at, frozenset(running), credits)


def rewound(clock: Clock, times: Times, running: Iterable[Role], at: int) -> Times:
    """The clocks after a takeback: what was spent and earned stays so, but a limit is given anew
    to both, since both begin the goes anew that it was for."""
    left = {role: times.left_at(role, at) for role in times.left}
    if clock.kind != "fischer":
        left = dict.fromkeys(left, clock.initial)
    return Times(left, at, frozenset(running))


def patience(clock: Clock) -> int | None:
    """Milliseconds for which a role that is to decide may be gone; None: for ever."""
    if clock.kind == "fischer":
        return min(max(clock.initial // 6, 20 * SECOND), 120 * SECOND)
    if clock.kind == "limit":
        return min(max(clock.initial // 2, 20 * SECOND), 120 * SECOND)
    return None


def halted(times: Times, at: int) -> Times:
    """The clocks at the end of a game: nothing runs, and nothing shows less than zero."""
    left = {role: max(0, times.left_at(role, at)) for role in times.left}
    return Times(left, at, frozenset())


def credited(times: Times, down_since: int, at: int) -> Times:
    """The clocks when the server was down from `down_since` until `at`: nobody pays for that."""
    if not times.running:
        return times
    return replace(times, since=times.since + max(0, at - max(down_since, times.since)))


def deadline(clock: Clock, times: Times) -> int | None:
    """When the first running role has used its time up; None if nobody's time runs."""
    if clock.kind == "none" or not times.running:
        return None
    return times.since + min(map(times.left.__getitem__, times.running))


def flagged(clock: Clock, times: Times, at: int) -> frozenset[Role]:
    """The roles whose flag has fallen at `at`: those that passed the deadline first.

    Both roles together only if their deadlines are the same millisecond.
    """
    limit = deadline(clock, times)
    if limit is None or at < limit + FLAG_AFTER:
        return frozenset()
    return frozenset(role for role in times.running if times.since + times.left[role] == limit)
