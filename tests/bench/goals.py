"""Goals of performance for the figures of one run: numbers 2 to 6 of the project's nine goals.

The others are measured by commands of their own: see tests/README.md. Limits are ratios to peers
of the same run where the machine's speed matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.bench.figures import Measured, Play, whole

GAMES = 200  # in play where ratios are taken
MANY = 1000  # spectators
OURS = "daphne"
RIVAL = "boardgame.io"
PEERS = (RIVAL, "colyseus", "colyseus-at-once", "tutorial")
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


def games_of_ratios(found: Found) -> int:
    """Return at how many games systems are compared: 200, or the most that were played."""
    sizes = {size for measured in found.values() for size in measured.play}
    return GAMES if GAMES in sizes else max(sizes, default=GAMES)


def goals(found: Found) -> list[Goal]:
    """Return every goal for which this run has the figures."""
    return [*_actions(found), *_spectators(found), *_growth(found), *_processes(found)]


def _play(found: Found, name: str) -> Play | None:
    return found[name].play.get(games_of_ratios(found)) if name in found else None


def _actions(found: Found) -> Iterator[Goal]:
    ours, rival, tutorial = (_play(found, name) for name in (OURS, RIVAL, "tutorial"))
    if ours and rival:
        ratio = whole(ours.cost) / whole(rival.cost)
        yield Goal(2, "CPU an action, embedded, to boardgame.io's", ratio, 1.25, 1.0)
        yield Goal(2, "p99 latency, embedded, to boardgame.io's", ours.p99 / rival.p99, 1.0)
    if ours and tutorial:
        ratio = whole(ours.cost) / whole(tutorial.cost)
        yield Goal(2, "CPU an action, embedded, to the tutorial's way", ratio, 0.1)


def _spectators(found: Found) -> Iterator[Goal]:
    fans = {name: found[name].fan[MANY] for name in found if MANY in found[name].fan}
    ours, rival = fans.get(OURS), fans.get(RIVAL)
    if ours and rival:
        ratio = whole(ours.cost) / whole(rival.cost)
        says = f"CPU a state delivered to one of {MANY:,} spectators, to boardgame.io's"
        yield Goal(3, says, ratio, 0.75)
    first = min((fans[name].last for name in PEERS if name in fans), default=None)
    if ours and first:
        says = f"time until the last of {MANY:,} spectators has it, to the fastest peer's"
        yield Goal(3, says, ours.last / first, 1.0)


def _growth(found: Found) -> Iterator[Goal]:
    if OURS not in found:
        return
    growth, memory = found[OURS].growth, found[OURS].memory
    if growth:
        ratio = growth.among.cost["web"] / growth.alone.cost["web"]
        yield Goal(4, f"CPU an action with {growth.games:,} games open, to few", ratio, 1.2)
        beat_ms = growth.idle["web"] / 1000 / (2 * growth.games)
        yield Goal(6, "ms of CPU a second for a waiting page", beat_ms, 0.1)
    if memory is not None:
        yield Goal(6, "KB of a waiting page", memory, 40)


def _processes(found: Found) -> Iterator[Goal]:
    one, two = _play(found, "servers"), _play(found, "two")
    if one and two:
        ratio = whole(two.cost) / whole(one.cost)
        yield Goal(5, "CPU an action by two processes, seats anywhere, to one", ratio, 1.8)
