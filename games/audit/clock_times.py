"""Expected clock readings, computed from the times of receipt.

The opening entry holds the figures of a fair start. While the allowance of a role's first turn
lasts, its clock stands; a first turn earns no increment. A simultaneous game may wait for its
players' pages before the clocks start, and for a pause after each reveal.

A bank of days earns with each turn, up to its cap. In a game by days the clock of a role stands on
holidays, whole days that the ledger names by their beginnings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from games.audit.entries import Broken, ParsedEntry
from games.core import ROLES, Role

MAX_LAG_MS = 500  # credited in one turn
LAG_BUDGET_MS = 2_000  # of a role in games that are opened with a budget
LAG_REGROWTH_MS = 100  # of the budget, with each turn
HOLIDAY_MS = 24 * 3_600 * 1_000
MAX_HOLIDAYS_A_YEAR = 21  # beginning in one calendar year, UTC
MAX_HOLIDAYS_IN_A_ROW = 7  # consecutive ones, with less than a day between two
KINDS = ("fischer", "limit", "days", "bank", "none")
DAY_KINDS = ("days", "bank")  # slow games, which have holidays
EARNING_KINDS = ("fischer", "bank")  # unused time is kept, and a turn earns time
RUNNING_KINDS = ("fischer", "limit")  # the first turn may have an allowance
TAKEBACK_RESERVE_MS = 10_000  # that a takeback leaves on a clock which had it


@dataclass(slots=True)
class Times:
    """Both clocks: `left` is the time at `since`, when the clocks of `running` started."""

    kind: str  # fischer, limit, days, bank, none
    initial: int  # ms
    increment: int  # ms
    left: dict[Role, int]
    since: int
    running: frozenset[Role]
    lag: dict[Role, int] = field(default_factory=dict)  # ms credited in the current turn
    first_turn: dict[Role, int] = field(default_factory=dict)  # ms left of each allowance
    begin_by: int | None = None  # when the game begins at the latest; None: it has begun
    shown: frozenset[Role] = frozenset()  # roles whose page has been shown before the begin
    reveal_pause: int = 0  # ms from a reveal to the clocks of the next step
    # Beginning and end of the time in which the clock of a role stands for its latest holidays.
    holidays: dict[Role, tuple[int, int]] = field(default_factory=dict)
    lag_budget: dict[Role, int] = field(default_factory=dict)  # ms left; none: unbounded
    taken: dict[Role, list[int]] = field(default_factory=dict)  # begin of each holiday

    def elapsed(self, role: Role, at: int) -> int:
        """Return the milliseconds for which the clock of a role has run in this step."""
        if role not in self.running:
            return 0
        return max(0, at - self.since) - self._rested(role, self.since, at)

    def _rested(self, role: Role, first: int, last: int) -> int:
        """Return the milliseconds from `first` to `last` in which the clock of a role stood."""
        start, until = self.holidays.get(role, (0, 0))
        return max(0, min(last, until) - max(first, start))

    def left_at(self, role: Role, at: int) -> int:
        """Return the milliseconds on the clock of a role, which stands during its first turn."""
        return self.left[role] - (0 if role in self.first_turn else self.elapsed(role, at))

    def remaining_at(self, role: Role, at: int) -> int:
        """Return the milliseconds until the deadline of a role."""
        return self.first_turn.get(role, self.left[role]) - self.elapsed(role, at)

    def clock_at(self, at: int) -> dict[str, int | None]:
        """Return the clock readings that an entry received at this moment must contain."""
        if self.kind == "none":
            return dict.fromkeys(ROLES)
        return {role: max(0, self.left_at(role, at)) for role in ROLES}

    def stop_role(self, role: Role, at: int, lag: int) -> tuple[int, list[str]]:
        """Stop the clock of a role that acted; return the time spent and the faults."""
        elapsed, faults = self.elapsed(role, at), []
        bound = min(elapsed, MAX_LAG_MS - self.lag.get(role, 0)) if self.kind != "none" else 0
        bound = min(bound, self.lag_budget.get(role, bound))
        if not 0 <= lag <= bound:
            faults.append(f"{lag} ms of lag are credited where {bound} may be")
        rest = self.remaining_at(role, at) + lag
        if role in self.first_turn:
            self.first_turn[role] = rest
        else:
            self.left[role] = rest
        if self.kind != "none" and rest < 0:
            faults.append(f"{role} acts {-rest} ms too late")
        self.running -= {role}
        if self.begin_by is not None:
            self.shown |= {role}
        if lag:
            self.lag[role] = self.lag.get(role, 0) + lag
        if lag and self.lag_budget:
            self.lag_budget[role] -= lag
        return elapsed - lag, faults

    def start_step(
        self, running: Iterable[Role], ended: Collection[Role], at: int
    ) -> dict[Role, int]:
        """Start the clocks of a new step; the roles in `ended` have completed a turn.

        Return the milliseconds that each of them has earned.
        """
        before = dict(self.left)
        for role in ended:
            if self.kind not in EARNING_KINDS:
                self.left[role] = self.initial
            elif role not in self.first_turn:
                cap = self.initial if self.kind == "bank" else self.left[role] + self.increment
                self.left[role] = min(cap, self.left[role] + self.increment)
            self.first_turn.pop(role, None)
            self.lag.pop(role, None)
            if self.lag_budget:
                self.lag_budget[role] = min(self.lag_budget[role] + LAG_REGROWTH_MS, LAG_BUDGET_MS)
        self._forget_holidays(at)
        self.begin(running, at + self.reveal_pause)
        is_earning = self.kind in EARNING_KINDS
        return {role: self.left[role] - before[role] if is_earning else 0 for role in ended}

    def begin(self, running: Iterable[Role], at: int) -> None:
        """Start the clocks of a step."""
        self.since, self.running = at, frozenset(running)
        self.begin_by, self.shown = None, frozenset()

    def increments_to_return(
        self, earned: Mapping[Role, int], had: Mapping[str, int | None], at: int
    ) -> dict[str, int]:
        """Return the milliseconds that a takeback deducts from each clock: what the turns earned.

        Where that would leave less than the reserve, the clock keeps the least of the reserve, of
        the time that it shows, and of the time that it `had` when these turns began.
        """
        returned: dict[str, int] = {}
        for role in ROLES:
            left = self.left_at(role, at)
            least = min(left, had.get(role) or 0, TAKEBACK_RESERVE_MS, self.initial)
            returned[role] = left - max(left - earned.get(role, 0), least)
        return returned

    def restart_after_takeback(
        self, running: Iterable[Role], at: int, returned: Mapping[str, int]
    ) -> None:
        """Start the clocks after a takeback; no allowance is renewed."""
        self.first_turn = {role: self.remaining_at(role, at) for role in self.first_turn}
        for role in ROLES:
            left = self.left_at(role, at) if self.kind in EARNING_KINDS else self.initial
            self.left[role] = left - returned.get(role, 0)
        self._forget_holidays(at)
        self.since, self.running, self.lag = at, frozenset(running), {}

    def stop_both(self, at: int) -> None:
        """Stop both clocks at the end of a game."""
        self.left = {role: max(0, self.left_at(role, at)) for role in ROLES}
        self.since, self.running, self.lag = at, frozenset(), {}
        self.first_turn, self.begin_by, self.shown, self.holidays = {}, None, frozenset(), {}
        self.lag_budget = {}

    def _forget_holidays(self, at: int) -> None:
        """Forget the holidays that are over when a step begins."""
        self.holidays = {role: span for role, span in self.holidays.items() if span[1] > at}

    def rest(self, role: Role, starts: list[int], at: int) -> int:
        """Let the clock of a role stand for holidays; return the end of the last.

        Raises Broken if it may not: no clock of that role runs, or it has had these holidays, or
        more of them than there are.
        """
        if self.kind not in DAY_KINDS or role not in self.running or role in self.first_turn:
            raise Broken("a holiday stops a clock that does not run, or in no game by days")
        if not starts or any(type(start) is not int or start > at for start in starts):
            raise Broken("the holidays have not begun")
        taken = self.taken.setdefault(role, [])
        first, counted = self.holidays.get(role, (0, 0))
        for start in starts:
            until = start + HOLIDAY_MS
            if until <= max(counted, self.since) or start in taken or starts != sorted(starts):
                raise Broken("a holiday is counted twice")
            if counted <= self.since:
                first = max(start, self.since)
            elif start > counted:
                self.left[role] += counted - max(first, self.since)
                first = start
            counted = until
            taken.append(start)
        if not has_enough_holidays(taken):
            raise Broken("there are more holidays than a player has")
        self.holidays[role] = (first, counted)
        return counted

    def credit_downtime(self, ms: int, at: int) -> None:
        """Credit the time that passed while no server was running.

        Raises Broken if the clocks have not run so long.
        """
        is_waiting = bool(self.running) or self.begin_by is not None
        if self.kind == "none" or not is_waiting or not 0 < ms <= at - self.since:
            raise Broken(f"{ms} ms of down-time are credited, but no clock ran so long")
        stopped = {role: self.remaining_at(role, at - ms) for role in self.holidays}
        self.since += ms
        for role, rest in stopped.items():
            self.left[role] += rest - self.remaining_at(role, at)
        if self.begin_by is not None:
            self.begin_by += ms

    @property
    def deadline(self) -> int | None:
        """Moment at which the game begins by itself, or the first running role has no time left."""
        return self.flag_deadline if self.begin_by is None else self.begin_by

    @property
    def flag_deadline(self) -> int | None:
        """Moment when the first running role runs out of time."""
        if self.kind == "none" or not self.running:
            return None
        return min(self._limit_of(role) for role in self.running)

    def _limit_of(self, role: Role) -> int:
        """Return the moment when a role has no time left, and its clock does not stand."""
        limit = self.since + self.remaining_at(role, self.since)
        start, until = self.holidays.get(role, (0, 0))
        if limit < max(start, self.since):
            return limit
        return limit + self._rested(role, self.since, max(self.since, until))

    @property
    def first_to_fall(self) -> list[Role]:
        """Roles whose flag falls at the deadline."""
        limit = self.flag_deadline
        if limit is None:
            return []
        return [role for role in self.running if self._limit_of(role) == limit]


def has_enough_holidays(starts: Iterable[int]) -> bool:
    """Return whether nobody needs more holidays than there are, in a year and in a row."""
    ordered, years, row = sorted(starts), Counter[int](), 0
    for index, start in enumerate(ordered):
        years[datetime.fromtimestamp(start / 1000, UTC).year] += 1
        goes_on = index > 0 and start - ordered[index - 1] < 2 * HOLIDAY_MS
        row = row + 1 if goes_on else 1
        if row > MAX_HOLIDAYS_IN_A_ROW:
            return False
    return max(years.values(), default=0) <= MAX_HOLIDAYS_A_YEAR


def start_times(running: Iterable[Role], entry: ParsedEntry, *, is_simultaneous: bool) -> Times:
    """Return the clocks at the start. Raises Broken if the entry's options are not valid."""
    clock: Any = entry.body.get("clock")
    try:
        kind, initial, increment = (clock[key] for key in ("kind", "initial", "increment"))
    except (TypeError, KeyError):
        raise Broken("the clock of the game is missing") from None
    if kind not in KINDS or type(initial) is not int or type(increment) is not int:
        raise Broken("the clock of the game is invalid")
    left: dict[Role, int] = dict.fromkeys(ROLES, initial)
    if kind == "bank" and not 0 < increment <= initial:
        raise Broken("a bank earns nothing, or more than it holds")
    times = Times(kind, initial, increment, left, entry.at, frozenset(running))
    _apply_terms(times, entry, is_simultaneous=is_simultaneous)
    return times


def _apply_terms(times: Times, entry: ParsedEntry, *, is_simultaneous: bool) -> None:
    """Apply the figures of a fair start; entries without them have no such start."""
    first_turn = entry.body.get("first_turn_ms", {})
    wait, pause = (entry.body.get(key, 0) for key in ("begin_wait_ms", "reveal_pause_ms"))
    budget = entry.body.get("lag_budget_ms", 0)
    if not isinstance(first_turn, dict) or not first_turn.keys() <= set(ROLES):
        raise Broken("the allowances of the first turns are invalid")
    figures = [*first_turn.values(), wait, pause, budget]
    if any(type(figure) is not int or figure < 0 for figure in figures):
        raise Broken("the figures of the start are invalid")
    is_slow = times.kind not in RUNNING_KINDS
    if is_slow and (wait or pause or (any(first_turn.values()) and times.kind not in DAY_KINDS)):
        raise Broken("the clock of the game has no allowances and no pauses")
    if is_slow and any(allowance != times.initial for allowance in first_turn.values()):
        raise Broken("a first turn has another time than all turns")
    if (wait or pause) and not is_simultaneous:
        raise Broken("only games with simultaneous actions have a begin or a pause")
    if budget and (is_slow or budget != LAG_BUDGET_MS):
        raise Broken("the budget of lag is not that of such games")
    times.lag_budget = dict.fromkeys(ROLES, budget) if budget else {}
    times.first_turn, times.reveal_pause = dict(first_turn), pause
    if wait:
        times.running, times.begin_by = frozenset(), entry.at + wait
