"""CPU an action of a site with several web processes: games apart, and a seat in each of two.

All processes run from the start, and the games of a round use the first few of them, in turns. On
few cores they wait for each other, so that only CPU time says what one more costs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import redis

from tests.bench.course import WARM, told
from tests.bench.figures import Play, middle, played, whole
from tests.bench.load import Generator
from tests.bench.processes import say
from tests.bench.seating import Place
from tests.bench.sites import networked
from tests.bench.systems import Ours

HEAD = """\
| processes | seats of a game | CPU µs an action | web | PostgreSQL | Redis | to one | published |
|---|---|---|---|---|---|---|---|"""
APART, SPLIT = "in one process", "in two processes"


@dataclass
class Part(Ours):
    """Some processes of a site; `is_split` says that the two seats of a game are in two of them."""

    is_split: bool = False

    def place(self, number: int) -> Place:
        """Return where the seats of a game are: each process has as many as any other."""
        count = len(self.origins)
        white = number % count
        return Place(self.origins[white], self.origins[(white + self.is_split) % count])


class ProcessCounts:
    """A site with as many web processes as the largest count, and its rounds."""

    def __init__(
        self, stack: ExitStack, folder: Path, generator: Generator, counts: Sequence[int]
    ) -> None:
        say(f"starts {counts[-1]} processes")
        site, redis_url = networked(counts[-1], stack, folder / "site")
        self._redis = stack.enter_context(redis.Redis.from_url(redis_url))
        self._generator = generator
        self._parts = {
            (count, seats): Part(
                f"{count}, seats {seats}", site.adapter, site.trees, site.origins[:count],
                is_split=seats == SPLIT,
            )
            for count in counts
            for seats in ((APART, SPLIT) if count > 1 else (APART,))
        }  # fmt: skip

    def run(self, games: int, rounds: int, seconds: float) -> str:
        """Play in turns, after a round that warms up; return the table of the medians."""
        plays: defaultdict[tuple[int, str], list[Play]] = defaultdict(list)
        published: defaultdict[tuple[int, str], list[float]] = defaultdict(list)
        for number in range(rounds + 1):
            for key, part in self._parts.items():
                before = self._count_published()
                result = self._generator.play(part, part.take(games), **WARM, seconds=seconds)
                wave = result["waves"][0]
                every = sum(game["played"] for game in result["games"])
                sent = (self._count_published() - before) / max(1, every)
                play = played(wave)
                say(f"{number}/{rounds} {part.name}: {told(play)}; published {sent:.2f} an action")
                if number:
                    plays[key].append(play)
                    published[key].append(sent)
        found = {key: middle(each) for key, each in plays.items()}
        return table(found, {key: median(each) for key, each in published.items()})

    def _count_published(self) -> int:
        stats = self._redis.info("commandstats")
        return int(stats.get("cmdstat_publish", {}).get("calls", 0))


def table(plays: dict[tuple[int, str], Play], published: dict[tuple[int, str], float]) -> str:
    """Return the figures as a table; costs are compared with those of the first row."""
    one = whole(next(iter(plays.values())).cost)
    rows = [HEAD]
    for key, play in plays.items():
        count, seats = key
        cost = defaultdict(float, play.cost)
        parts = " | ".join(f"{cost[name]:.0f}" for name in ("web", "postgres", "redis"))
        every = whole(play.cost)
        rows.append(
            f"| {count} | {seats} | {every:.0f} | {parts} | {every / one:.2f} "
            f"| {published[key]:.2f} |"
        )
    return "\n".join(rows)
