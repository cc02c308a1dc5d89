"""Time arithmetic of a game: pure, in whole milliseconds since the epoch.

The clock of a role runs from the beginning of its turn until the role has sealed its action of each
step. Increment and limit apply per turn, not per step.

Unless a game has no clock, the first turn of a person has an allowance of its own: while it lasts,
the role's clock is stopped; when it is used up, the game is aborted. Under a clock of days it is
the time of any turn, under a bank the whole bank. A first turn earns no increment. An allowance
ends with the first turn and never comes back.

A takeback takes back the increments of the undone turns; the time spent on them stays spent.

A bank of days is filled by each turn up to its cap. A holiday of a user (see `holidays`) stops the
user's clock from `Pause.start` to `Pause.until`, whichever turn that falls in.

A simultaneous game begins when a page of each such role has been shown, or after a wait. After a
reveal, the clocks of the next step start after a fixed pause.
"""

import time
from collections.abc import Collection, Iterable, Mapping
from typing import Literal, Self

from msgspec import Struct, field
from msgspec.structs import replace

from games.core import ROLES, Role
from play.domain.lag import LAG_BUDGET_MS, LAG_REGROWTH_MS, MAX_LAG_MS


class MonotonicClock:
    """Milliseconds since the epoch; never steps back by itself and may be corrected."""

    def __init__(self, wall: int) -> None:
        self._offset = wall * 1_000_000 - time.monotonic_ns()
        self._floor = 0  # ms

    def now(self) -> int:
        """Return the time; it stands still for a while after it was set back."""
        return max(self._floor, (time.monotonic_ns() + self._offset) // 1_000_000)

    def set_by(self, ms: int, is_first: bool = False) -> None:
        """Correct the clock by `ms`.

        After a negative correction it stands still until the time it has already shown is reached.
        Only the first correction, before anything has used the clock, may step back.
        """
        self._floor = 0 if is_first else self.now()
        self._offset += ms * 1_000_000


SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
FLAG_GRACE_MS = 500  # for actions received in time to be decided before the flag
FLAG_DELAY_MS = MAX_LAG_MS + FLAG_GRACE_MS  # after the deadline
FIRST_TURN_MS = 30 * SECOND_MS  # allowance of a first turn under a running clock
BEGIN_WAIT_MS = 15 * SECOND_MS  # for the first pages of a simultaneous game
REVEAL_PAUSE_MS = 5 * SECOND_MS  # from a reveal to the clocks of the next step; pages take 2.8 s
TAKEBACK_RESERVE_MS = 10 * SECOND_MS  # so that nobody loses on time by a takeback
RUNNING_KINDS = ("fischer", "limit")  # clocks for which both players have to stay present
DAY_KINDS = ("days", "bank")  # clocks of games by days; they are stopped in holidays
EARNING_KINDS = ("fischer", "bank")  # clocks that keep unused time, and earn time with each turn

CLOCK = MonotonicClock(time.time_ns() // 1_000_000)


def now() -> int:
    """Return ms since the epoch; never steps back in a serving process (see `clock_sync`)."""
    return CLOCK.now()


class Clock(Struct, frozen=True, gc=False):
    """The time control of a game, fixed when the game starts."""

    kind: Literal["fischer", "limit", "days", "bank", "none"]
    initial: int = 0  # ms at the start (fischer, bank: also the cap), for each turn (limit, days)
    increment: int = 0  # ms earned with each turn (fischer, bank)

    @property
    def is_by_days(self) -> bool:
        """Whether the game is played by days: the players need not stay at the board."""
        return self.kind in DAY_KINDS

    def label(self, turn: str = "turn") -> str:
        """Return the name for people: `5 + 3`, `30 s a round`, `2 days a turn`, `4 days + 24 h`."""
        if self.kind == "none":
            return "no clock"
        if self.kind == "fischer":
            minutes, seconds = divmod(self.initial // SECOND_MS, 60)
            base = f"{minutes}:{seconds:02}" if minutes else f"{seconds} s"
            return f"{base if seconds else minutes} + {self.increment // SECOND_MS}"
        if self.is_by_days:
            days = self.initial // DAY_MS
            more = f"+ {self.increment // HOUR_MS} h" if self.kind == "bank" else f"a {turn}"
            return f"{days} day{'s' if days != 1 else ''} {more}"
        seconds = self.initial // SECOND_MS
        return f"{seconds // 60} min a {turn}" if seconds % 60 == 0 else f"{seconds} s a {turn}"


class StartTerms(Struct, frozen=True, gc=False):
    """The figures of a fair start, kept in the opening entry."""

    first_turn_ms: Mapping[Role, int] = {}  # allowance of each role that has one
    begin_wait_ms: int = 0  # after which the game begins, shown or not; 0: it begins at once
    reveal_pause_ms: int = 0
    lag_budget_ms: int = 0  # of each role (see `lag`); 0: credit is bounded for a turn only


class UndoneTurns(Struct, frozen=True, gc=False):
    """The clocks before the turns that a takeback undoes, and the increments of these turns."""

    left: Mapping[Role, int]  # ms
    earned: Mapping[Role, int]  # ms


PLAIN_START = StartTerms()  # all clocks run from the opening


class Pause(Struct, frozen=True, gc=False):
    """A period in which the clock of a role is stopped, because its user is on holiday."""

    start: int
    until: int

    def overlap(self, first: int, last: int) -> int:
        """Return how many ms of the pause lie between `first` and `last`."""
        return max(0, min(last, self.until) - max(first, self.start))


class Times(Struct, frozen=True, gc=False):
    """The state of the clocks: `left` held at `since`, when the clocks of `running` started.

    After a reveal, `since` lies in the future until the pause is over. While a role is in
    `first_turn`, time is taken from that allowance instead of `left`.
    """

    left: Mapping[Role, int]  # ms
    since: int
    running: frozenset[Role]
    lag: Mapping[Role, int] = field(default_factory=dict)  # ms credited in the current turn
    first_turn: Mapping[Role, int] = field(default_factory=dict)  # ms left of the allowances
    begin_by: int | None = None  # latest start of the game; None: it has started
    shown: frozenset[Role] = frozenset()  # roles whose page has been shown; empty after the start
    reveal_pause: int = 0  # ms from a reveal to the clocks of the next step
    holidays: Mapping[Role, Pause] = field(default_factory=dict)  # the latest one of a role
    lag_budget: Mapping[Role, int] = field(default_factory=dict)  # ms left; none: unbounded

    def elapsed(self, role: Role, at: int) -> int:
        """Return the ms for which the clock of a role has run at `at` in this step."""
        if role not in self.running or at <= self.since:
            return 0
        holiday = self.holidays.get(role)
        return at - self.since - (holiday.overlap(self.since, at) if holiday else 0)

    def left_at(self, role: Role, at: int) -> int:
        """Return the ms on the clock of a role at `at`; it is stopped during the first turn."""
        return self.left[role] - (0 if role in self.first_turn else self.elapsed(role, at))

    def remaining_at(self, role: Role, at: int) -> int:
        """Return the ms until the deadline of a role; negative after it."""
        return self.first_turn.get(role, self.left[role]) - self.elapsed(role, at)

    def deadline_of(self, role: Role) -> int:
        """Return when a running role runs out of time (epoch ms), a holiday counted in."""
        limit = self.since + self.remaining_at(role, self.since)
        holiday = self.holidays.get(role)
        if holiday is None or limit < max(holiday.start, self.since):
            return limit
        return limit + holiday.overlap(self.since, holiday.until)

    def counted_until(self, role: Role) -> int:
        """Return the time up to which the holidays of a role are counted: at least `since`."""
        held = self.holidays.get(role)
        return max(self.since, held.until) if held else self.since

    def settled_at(self, at: int) -> Self:
        """Return the clocks with the time until `at` deducted."""
        if not self.running and not self.holidays:
            return replace(self, since=at)  # no clock has run
        left = {role: self.left_at(role, at) for role in self.left}
        first_turn = {role: self.remaining_at(role, at) for role in self.first_turn}
        holidays = {role: each for role, each in self.holidays.items() if each.until > at}
        return replace(self, left=left, first_turn=first_turn, since=at, holidays=holidays)

    def paused(self, role: Role, pause: Pause) -> Self:
        """Return the clocks with a holiday of a role, which ends after all counted ones.

        The clock is stopped during all of it, including the part already past.
        """
        held, left = self.holidays.get(role), self.left
        latest = Pause(max(pause.start, self.since), pause.until)
        if held is not None and held.until > self.since:
            if pause.start <= held.until:
                latest = Pause(held.start, pause.until)
            else:  # one pause is kept: the earlier one becomes time on the clock
                left = {**left, role: left[role] + held.overlap(self.since, held.until)}
        return replace(self, left=left, holidays={**self.holidays, role: latest})


def start_terms(clock: Clock, people: Iterable[Role], *, is_simultaneous: bool) -> StartTerms:
    """Return the figures of a new game; `people` are the roles that no computer player holds."""
    if clock.kind == "none":
        return PLAIN_START
    if clock.is_by_days:
        return StartTerms(dict.fromkeys(people, clock.initial))
    allowances = dict.fromkeys(people, FIRST_TURN_MS)
    if not is_simultaneous:
        return StartTerms(allowances, lag_budget_ms=LAG_BUDGET_MS)
    wait = BEGIN_WAIT_MS if allowances else 0
    return StartTerms(allowances, wait, REVEAL_PAUSE_MS, LAG_BUDGET_MS)


def start_clocks(
    clock: Clock, running: Iterable[Role], at: int, terms: StartTerms = PLAIN_START
) -> Times:
    """Return the clocks at the opening of a game; none runs before the game has started."""
    waits = terms.begin_wait_ms > 0
    return Times(
        left={"white": clock.initial, "black": clock.initial},
        since=at,
        running=frozenset(() if waits else running),
        first_turn=terms.first_turn_ms,
        begin_by=at + terms.begin_wait_ms if waits else None,
        reveal_pause=terms.reveal_pause_ms,
        lag_budget=dict.fromkeys(ROLES, terms.lag_budget_ms) if terms.lag_budget_ms else {},
    )


def begin_clocks(times: Times, running: Iterable[Role], at: int) -> Times:
    """Return the clocks at the start of a game that waited for its pages."""
    return replace(times, since=at, running=frozenset(running), begin_by=None, shown=frozenset())


def lag_credit(clock: Clock, times: Times, role: Role, lag: int, at: int) -> int:
    """Return the ms credited to a role for a message received at `at` after `lag` ms of transfer.

    The credit is at most the time waited in this step, at most `MAX_LAG_MS` in a turn, and at most
    what is left of the role's budget.
    """
    if clock.kind == "none" or not lag:
        return 0
    bound = min(MAX_LAG_MS - times.lag.get(role, 0), times.lag_budget.get(role, MAX_LAG_MS))
    return max(0, min(lag, times.elapsed(role, at), bound))


def stop_clock(times: Times, role: Role, at: int, lag: int = 0) -> Times:
    """Return the clocks after a role has sealed, with `lag` ms credited.

    Its page counts as shown if the game has yet to begin.
    """
    rest = times.remaining_at(role, at) + lag
    is_first = role in times.first_turn
    if lag and times.lag_budget:
        budget = {**times.lag_budget, role: times.lag_budget[role] - lag}
        times = replace(times, lag_budget=budget)
    return replace(
        times,
        left=times.left if is_first else {**times.left, role: rest},
        first_turn={**times.first_turn, role: rest} if is_first else times.first_turn,
        running=times.running - {role},
        lag={**times.lag, role: times.lag.get(role, 0) + lag} if lag else times.lag,
        shown=times.shown if times.begin_by is None else times.shown | {role},
    )


def turn_increment(clock: Clock, times: Times, role: Role) -> int:
    """Return the ms that a role, whose clock is stopped, earns by completing its turn."""
    if clock.kind not in EARNING_KINDS or role in times.first_turn:
        return 0
    if clock.kind == "bank":
        return min(clock.increment, clock.initial - times.left[role])
    return clock.increment


def resume_clocks(
    clock: Clock,
    times: Times,
    running: Iterable[Role],
    ended: Collection[Role],
    at: int,
) -> Times:
    """Return the clocks after a step has resolved; the roles in `ended` completed a turn."""
    settled = times.settled_at(at)
    left = dict(settled.left)
    for role in ended:
        if clock.kind in EARNING_KINDS:
            left[role] += turn_increment(clock, times, role)
        else:
            left[role] = clock.initial
    return replace(
        begin_clocks(settled, running, at + times.reveal_pause),
        left=left,
        lag={role: lag for role, lag in times.lag.items() if role not in ended},
        lag_budget={
            role: min(ms + LAG_REGROWTH_MS, LAG_BUDGET_MS) if role in ended else ms
            for role, ms in times.lag_budget.items()
        },
        first_turn={r: rest for r, rest in settled.first_turn.items() if r not in ended},
    )


def returned_increments(
    clock: Clock, times: Times, undone: UndoneTurns, at: int
) -> dict[Role, int]:
    """Return the ms that a takeback deducts from each clock: the increments of the undone turns.

    A clock keeps `TAKEBACK_RESERVE_MS` of its time, but never more than it had when the first of
    these turns began.
    """
    reserve, settled = min(TAKEBACK_RESERVE_MS, clock.initial), times.settled_at(at)
    least = {role: min(ms, undone.left[role], reserve) for role, ms in settled.left.items()}
    return {
        role: min(undone.earned.get(role, 0), ms - least[role]) for role, ms in settled.left.items()
    }


def rewind_clocks(
    clock: Clock, times: Times, running: Iterable[Role], at: int, returned: Mapping[Role, int]
) -> Times:
    """Return the clocks after a takeback.

    With increments, those of a bank too, the time spent stays, and `returned` is deducted. A limit
    starts again for both roles, because both play the turns again that it was for. Allowances are
    neither renewed nor given back.
    """
    settled = times.settled_at(at)
    if clock.kind in EARNING_KINDS:
        left = {role: ms - returned.get(role, 0) for role, ms in settled.left.items()}
    else:
        left = dict.fromkeys(settled.left, clock.initial)
    return replace(settled, left=left, running=frozenset(running), lag={})


def absence_limit(clock: Clock) -> int | None:
    """Return the ms for which the role in control may be absent; None if unlimited."""
    if clock.kind == "fischer":
        return min(max(clock.initial // 6, 20 * SECOND_MS), 120 * SECOND_MS)
    if clock.kind == "limit":
        return min(max(clock.initial // 2, 20 * SECOND_MS), 120 * SECOND_MS)
    return None


def halt_clocks(times: Times, at: int) -> Times:
    """Return the clocks at the end of a game: none runs, and none is below zero."""
    left = {role: max(0, times.left_at(role, at)) for role in times.left}
    return Times(left, at, frozenset(), reveal_pause=times.reveal_pause)


def credit_downtime(times: Times, down_since: int, at: int) -> Times:
    """Return the clocks without the time in which the server was down (`down_since` to `at`).

    The wait for the start of a game is longer by that time. A clock that was stopped for a holiday
    then gets nothing for it.
    """
    if not times.running and times.begin_by is None:
        return times
    gift = max(0, at - max(down_since, times.since))
    begin_by = None if times.begin_by is None else times.begin_by + gift
    later = replace(times, since=times.since + gift, begin_by=begin_by)
    if not gift or not times.holidays:
        return later
    left = {
        role: ms + times.remaining_at(role, at - gift) - later.remaining_at(role, at)
        if role in times.holidays
        else ms
        for role, ms in times.left.items()
    }
    return replace(later, left=left)


def deadline(clock: Clock, times: Times) -> int | None:
    """Return when the game begins by itself, or else when a flag falls (epoch ms)."""
    return flag_deadline(clock, times) if times.begin_by is None else times.begin_by


def flag_deadline(clock: Clock, times: Times) -> int | None:
    """Return when the first running clock or allowance is spent (epoch ms); None if none runs."""
    if clock.kind == "none" or not times.running:
        return None
    return min(times.deadline_of(role) for role in times.running)


def is_overdue(clock: Clock, times: Times, at: int) -> bool:
    """Return whether the server has to begin or end the game at `at`."""
    if times.begin_by is not None:
        return at >= times.begin_by
    return bool(flagged_roles(clock, times, at))


def flagged_roles(clock: Clock, times: Times, at: int) -> frozenset[Role]:
    """Return the roles whose flag has fallen at `at`: those with the earliest deadline.

    Two roles are returned only if their deadlines are the same millisecond.
    """
    limit = flag_deadline(clock, times)
    if limit is None or at < limit + FLAG_DELAY_MS:
        return frozenset()
    return frozenset(role for role in times.running if times.deadline_of(role) == limit)
