"""Expected clock readings, computed from the times of receipt."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from games.audit.entries import Broken, ParsedEntry
from games.core import ROLES, Role

MAX_LAG_MS = 500  # credited in one turn
KINDS = ("fischer", "limit", "days", "none")


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

    def left_at(self, role: Role, at: int) -> int:
        """Return the milliseconds that a role has left at a moment."""
        return self.left[role] - (max(0, at - self.since) if role in self.running else 0)

    def clock_at(self, at: int) -> dict[str, int | None]:
        """Return the clock readings that an entry received at this moment must contain."""
        if self.kind == "none":
            return dict.fromkeys(ROLES)
        return {role: max(0, self.left_at(role, at)) for role in ROLES}

    def stop_role(self, role: Role, at: int, lag: int) -> tuple[int, list[str]]:
        """Stop the clock of a role that acted; return the time spent and the faults."""
        elapsed, faults = max(0, at - self.since), []
        bound = min(elapsed, MAX_LAG_MS - self.lag.get(role, 0)) if self.kind != "none" else 0
        if not 0 <= lag <= bound:
            faults.append(f"{lag} ms of lag are credited where {bound} may be")
        self.left[role] = self.left_at(role, at) + lag
        if self.kind != "none" and self.left[role] < 0:
            faults.append(f"{role} acts {-self.left[role]} ms too late")
        self.running -= {role}
        if lag:
            self.lag[role] = self.lag.get(role, 0) + lag
        return elapsed - lag, faults

    def start_step(self, running: Iterable[Role], ended: Collection[Role], at: int) -> None:
        """Start the clocks of a new step; the roles in `ended` have completed a turn."""
        for role in ended:
            is_fischer = self.kind == "fischer"
            self.left[role] = self.left[role] + self.increment if is_fischer else self.initial
            self.lag.pop(role, None)
        self.since, self.running = at, frozenset(running)

    def restart_after_takeback(self, running: Iterable[Role], at: int) -> None:
        """Start the clocks after a takeback."""
        for role in ROLES:
            left = self.left_at(role, at) if self.kind == "fischer" else self.initial
            self.left[role] = left
        self.since, self.running, self.lag = at, frozenset(running), {}

    def stop_both(self, at: int) -> None:
        """Stop both clocks at the end of a game."""
        self.left = {role: max(0, self.left_at(role, at)) for role in ROLES}
        self.since, self.running, self.lag = at, frozenset(), {}

    def credit_downtime(self, ms: int, at: int) -> None:
        """Credit the time that passed while no server was running.

        Raises Broken if the clocks have not run so long.
        """
        if self.kind == "none" or not self.running or not 0 < ms <= at - self.since:
            raise Broken(f"{ms} ms of down-time are credited, but no clock ran so long")
        self.since += ms

    @property
    def deadline(self) -> int | None:
        """Moment when the first running role runs out of time."""
        if self.kind == "none" or not self.running:
            return None
        return self.since + min(self.left[role] for role in self.running)

    @property
    def first_to_fall(self) -> list[Role]:
        """Roles whose flag falls at the deadline."""
        limit = self.deadline
        return [role for role in self.running if self.since + self.left[role] == limit]


def start_times(clock: object, running: Iterable[Role], entry: ParsedEntry) -> Times:
    """Return the clocks at the start. Raises Broken if `clock` is not a valid clock option."""
    try:
        kind, initial, increment = (clock[key] for key in ("kind", "initial", "increment"))  # type: ignore[index]
    except (TypeError, KeyError):
        raise Broken("the clock of the game is missing") from None
    if kind not in KINDS or type(initial) is not int or type(increment) is not int:
        raise Broken("the clock of the game is invalid")
    left: dict[Role, int] = dict.fromkeys(ROLES, initial)
    return Times(kind, initial, increment, left, entry.at, frozenset(running))
