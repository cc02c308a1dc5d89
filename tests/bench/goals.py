"""Performance goals of the site, checked against the figures of one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.bench.figures import Measured, Play, whole

GAMES = 200  # in play where ratios are taken
MANY = 1000  # spectators
Found = Mapping[str, Measured]


@dataclass(frozen=True)
class Goal:
    """A figure that must not be above a limit, and had better not be above a second one."""

    number: int
    says: str
    figure: float
    limit: float
    wish: float | None = None

    @property
    def is_met(self) -> bool:
        """Whether the limit is kept."""
        return self.figure <= self.limit

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if not self.is_met:
            return "missed"
        return "met" if self.wish is None or self.figure > self.wish else "met, and the wish"


def goals(found: Found) -> list[Goal]:
    """Every goal for which this run has the figures."""
    return [*_alone(found), *_networked(found), *_watched(found), *_grown(found)]


def _play(found: Found, name: str) -> Play | None:
    return found[name].play.get(GAMES) if name in found else None


def _alone(found: Found) -> Iterator[Goal]:
    ours, fast = _play(found, "daphne"), _play(found, "uvicorn")
    rival, tutorial = _play(found, "boardgame.io"), _play(found, "tutorial")
    if ours and rival:
        ratio = ours.cost["web"] / rival.cost["web"]
        yield Goal(1, "CPU an action, embedded, to boardgame.io's", ratio, 1.0, 0.65)
        yield Goal(1, "p99 latency, embedded, to boardgame.io's", ours.p99 / rival.p99, 1.0)
    if ours and tutorial:
        ratio = ours.cost["web"] / tutorial.cost["web"]
        yield Goal(1, "CPU an action, embedded, to the tutorial's way", ratio, 1 / 9, 1 / 14)
    if fast and rival:
        ratio = fast.cost["web"] / rival.cost["web"]
        yield Goal(1, "CPU an action under uvicorn to boardgame.io's", ratio, 0.65, 0.4)


def _networked(found: Found) -> Iterator[Goal]:
    one, two = _play(found, "servers"), _play(found, "two")
    rival = _play(found, "boardgame.io")
    if one and rival:
        ratio = one.cost["web"] / rival.cost["web"]
        yield Goal(2, "CPU an action on PostgreSQL + Redis to boardgame.io's", ratio, 1.1, 0.75)
    if one:
        below = one.cost["postgres"] + one.cost["redis"]
        yield Goal(2, "PostgreSQL and Redis, µs an action", below, 100, 60)
    if one and two:
        ratio = whole(two.cost) / whole(one.cost)
        yield Goal(3, "CPU an action of all by two processes, to one", ratio, 1.2, 1.1)


def _watched(found: Found) -> Iterator[Goal]:
    for name, limit, wish in (("daphne", 45, 35), ("uvicorn", 20, 12)):
        fan = found[name].fan.get(MANY) if name in found else None
        if fan:
            says = f"µs a state delivered to one of {MANY:,} spectators, {name}"
            yield Goal(4, says, whole(fan.cost), limit, wish)
            yield Goal(4, f"ms until the last of them has it, {name}", fan.last, 50)
    for name in ("daphne", "uvicorn"):
        memory = found[name].memory if name in found else None
        if memory is not None:
            yield Goal(5, f"KB a connection, {name}", memory, 45, 25)


def _grown(found: Found) -> Iterator[Goal]:
    growth = found["daphne"].growth if "daphne" in found else None
    if growth:
        ratio = growth.among.cost["web"] / growth.alone.cost["web"]
        yield Goal(6, f"CPU an action with {growth.games:,} games open, to few", ratio, 1.2)
