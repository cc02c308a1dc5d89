"""Time use of a person: the median of a turn, and the share of the clock. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from play.domain.clocks import EARNING_KINDS, Clock

Spent = Mapping[str, int]  # role → ms that its clock paid for a step
Acted = frozenset[str]  # roles that decided in a step


@dataclass(frozen=True, slots=True)
class TimeUse:
    """Medians over some games; first turns, whose clock is stopped, are not counted."""

    turn_ms: int
    clock_percent: int  # of the time that was there to be used
    turns: int
    games: int


def turn_times(role: str, steps: Iterable[tuple[Acted, Spent]]) -> list[int]:
    """Return the ms of each turn of a role but its first, from the steps of a game in order.

    A turn is a run of steps in which the role decides alone; where both decide, each step is one.
    """
    times: list[int] = []
    before: Acted = frozenset()
    for acted, spent in steps:
        if role in acted:
            goes_on = before == acted and len(acted) == 1
            if goes_on:
                times[-1] += spent.get(role, 0)
            else:
                times.append(spent.get(role, 0))
        before = acted
    return times[1:]


def clock_share(clock: Clock, times: Sequence[int]) -> float | None:
    """Return the used share of the time that a clock gave; None if unknown.

    A clock that keeps no unused time gives its limit for each turn.
    """
    if not times or not clock.initial:
        return None
    if clock.kind in EARNING_KINDS:
        given = clock.initial + clock.increment * len(times)
    else:
        given = clock.initial * len(times)
    return min(1.0, sum(times) / given)


def summarize(games: Iterable[tuple[Clock, Sequence[int]]]) -> TimeUse | None:
    """Return the use of time in games with the times of their turns (ms); None without turns."""
    turns: list[int] = []
    shares: list[float] = []
    for clock, times in games:
        share = clock_share(clock, times)
        if share is not None:
            turns += times
            shares.append(share)
    if not turns:
        return None
    return TimeUse(round(median(turns)), round(100 * median(shares)), len(turns), len(shares))
