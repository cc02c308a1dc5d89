"""What the clocks of a game must have shown, worked out from when its entries were received."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from games.audit.lines import Broken, Line
from games.core import ROLES, Role

MOST_LAG = 500  # ms that may be credited in one go
KINDS = ("fischer", "limit", "days", "none")


@dataclass(slots=True)
class Times:
    """Both clocks; `left` was true at `since`, when those of `running` were started."""

    kind: str  # fischer, limit, days, none
    initial: int  # ms
    increment: int  # ms
    left: dict[Role, int]
    since: int
    running: frozenset[Role]
    lag: dict[Role, int] = field(default_factory=dict)  # credited in the go under way

    def left_at(self, role: Role, at: int) -> int:
        """Milliseconds that a role has left at a moment."""
        return self.left[role] - (max(0, at - self.since) if role in self.running else 0)

    def shown(self, at: int) -> dict[str, int | None]:
        """What an entry that was received then has to say of the clocks."""
        if self.kind == "none":
            return dict.fromkeys(ROLES)
        return {role: max(0, self.left_at(role, at)) for role in ROLES}

    def sealed(self, role: Role, at: int, lag: int) -> tuple[int, list[str]]:
        """Stops the clock of a role that has acted: what it paid, and what is wrong with that."""
        elapsed, faults = max(0, at - self.since), []
        bound = min(elapsed, MOST_LAG - self.lag.get(role, 0)) if self.kind != "none" else 0
        if not 0 <= lag <= bound:
            faults.append(f"{lag} ms of lag are credited where {bound} may be")
        self.left[role] = self.left_at(role, at) + lag
        if self.kind != "none" and self.left[role] < 0:
            faults.append(f"{role} acts {-self.left[role]} ms too late")
        self.running -= {role}
        if lag:
            self.lag[role] = self.lag.get(role, 0) + lag
        return elapsed - lag, faults

    def go_on(self, running: Iterable[Role], ended: Collection[Role], at: int) -> None:
        """Starts the clocks of a new turn; the roles in `ended` have completed a go."""
        for role in ended:
            is_fischer = self.kind == "fischer"
            self.left[role] = self.left[role] + self.increment if is_fischer else self.initial
            self.lag.pop(role, None)
        self.since, self.running = at, frozenset(running)

    def go_back(self, running: Iterable[Role], at: int) -> None:
        """Starts the clocks after a takeback."""
        for role in ROLES:
            left = self.left_at(role, at) if self.kind == "fischer" else self.initial
            self.left[role] = left
        self.since, self.running, self.lag = at, frozenset(running), {}

    def stand_still(self, at: int) -> None:
        """Stops both clocks at the end of a game."""
        self.left = {role: max(0, self.left_at(role, at)) for role in ROLES}
        self.since, self.running, self.lag = at, frozenset(), {}

    def give_back(self, ms: int, at: int) -> None:
        """Gives back what ran while no server was there. Raises Broken if it cannot have been."""
        if self.kind == "none" or not self.running or not 0 < ms <= at - self.since:
            raise Broken(f"{ms} ms are given back, which no clock has run")
        self.since += ms

    @property
    def deadline(self) -> int | None:
        """When the first running role has used its time up."""
        if self.kind == "none" or not self.running:
            return None
        return self.since + min(self.left[role] for role in self.running)

    @property
    def first_to_fall(self) -> list[Role]:
        """The roles whose flag falls at the deadline."""
        limit = self.deadline
        return [role for role in self.running if self.since + self.left[role] == limit]


def started(clock: object, running: Iterable[Role], line: Line) -> Times:
    """The clocks at the beginning. Raises Broken if `clock` is not the option of a game."""
    try:
        kind, initial, increment = (clock[key] for key in ("kind", "initial", "increment"))  # type: ignore[index]
    except (TypeError, KeyError):
        raise Broken("nobody says with which clock this is played") from None
    if kind not in KINDS or type(initial) is not int or type(increment) is not int:
        raise Broken("the clock of the game is not one")
    left: dict[Role, int] = dict.fromkeys(ROLES, initial)
    return Times(kind, initial, increment, left, line.at, frozenset(running))
