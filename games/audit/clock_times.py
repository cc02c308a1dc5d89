"""Expected clock readings, computed from the times of receipt.

The opening entry holds the figures of a fair start. While the allowance of a role's first turn
lasts, its clock stands; a first turn earns no increment. A simultaneous game may wait for its
players' pages before the clocks start, and for a pause after each reveal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from games.audit.entries import Broken, ParsedEntry
from games.core import ROLES, Role

MAX_LAG_MS = 500  # credited in one turn
KINDS = ("fischer", "limit", "days", "none")
RUNNING_KINDS = ("fischer", "limit")  # of which a first turn may have an allowance


@dataclass(slots=True)
class Times:
    """Both clocks: `left` is the time at `since`, when the clocks of `running` started."""

    kind: str  # fischer, limit, days, none
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

    def elapsed(self, role: Role, at: int) -> int:
        """Return the milliseconds for which the clock of a role has run in this step."""
        return max(0, at - self.since) if role in self.running else 0

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
        return elapsed - lag, faults

    def start_step(self, running: Iterable[Role], ended: Collection[Role], at: int) -> None:
        """Start the clocks of a new step; the roles in `ended` have completed a turn."""
        for role in ended:
            if self.kind != "fischer":
                self.left[role] = self.initial
            elif role not in self.first_turn:
                self.left[role] += self.increment
            self.first_turn.pop(role, None)
            self.lag.pop(role, None)
        self.begin(running, at + self.reveal_pause)

    def begin(self, running: Iterable[Role], at: int) -> None:
        """Start the clocks of a step."""
        self.since, self.running = at, frozenset(running)
        self.begin_by, self.shown = None, frozenset()

    def restart_after_takeback(self, running: Iterable[Role], at: int) -> None:
        """Start the clocks after a takeback; no allowance is renewed."""
        self.first_turn = {role: self.remaining_at(role, at) for role in self.first_turn}
        for role in ROLES:
            left = self.left_at(role, at) if self.kind == "fischer" else self.initial
            self.left[role] = left
        self.since, self.running, self.lag = at, frozenset(running), {}

    def stop_both(self, at: int) -> None:
        """Stop both clocks at the end of a game."""
        self.left = {role: max(0, self.left_at(role, at)) for role in ROLES}
        self.since, self.running, self.lag = at, frozenset(), {}
        self.first_turn, self.begin_by, self.shown = {}, None, frozenset()

    def credit_downtime(self, ms: int, at: int) -> None:
        """Credit the time that passed while no server was running.

        Raises Broken if the clocks have not run so long.
        """
        is_waiting = bool(self.running) or self.begin_by is not None
        if self.kind == "none" or not is_waiting or not 0 < ms <= at - self.since:
            raise Broken(f"{ms} ms of down-time are credited, but no clock ran so long")
        self.since += ms
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
        return self.since + min(self.remaining_at(role, self.since) for role in self.running)

    @property
    def first_to_fall(self) -> list[Role]:
        """Roles whose flag falls at the deadline."""
        limit = self.flag_deadline
        if limit is None:
            return []
        return [role for role in self.running if self.remaining_at(role, limit) == 0]


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
    times = Times(kind, initial, increment, left, entry.at, frozenset(running))
    _apply_terms(times, entry, is_simultaneous=is_simultaneous)
    return times


def _apply_terms(times: Times, entry: ParsedEntry, *, is_simultaneous: bool) -> None:
    """Apply the figures of a fair start; entries without them have no such start."""
    first_turn = entry.body.get("first_turn_ms", {})
    wait, pause = (entry.body.get(key, 0) for key in ("begin_wait_ms", "reveal_pause_ms"))
    if not isinstance(first_turn, dict) or not first_turn.keys() <= set(ROLES):
        raise Broken("the allowances of the first turns are invalid")
    figures = [*first_turn.values(), wait, pause]
    if any(type(figure) is not int or figure < 0 for figure in figures):
        raise Broken("the figures of the start are invalid")
    if any(figures) and times.kind not in RUNNING_KINDS:
        raise Broken("the clock of the game has no allowances and no pauses")
    if (wait or pause) and not is_simultaneous:
        raise Broken("only games with simultaneous actions have a begin or a pause")
    times.first_turn, times.reveal_pause = dict(first_turn), pause
    if wait:
        times.running, times.begin_by = frozenset(), entry.at + wait
