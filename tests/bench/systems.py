"""Interface of a measured system: its processes and its games."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from time import monotonic
from typing import Any

from tests.bench.processes import CORES, SERVER, keep_to
from tests.bench.scripts import scripts
from tests.bench.seating import LIVE, SLOW, Place, seat

ROOM = 60  # actions that a game must have left to be taken for a round
FIRST_TURN_S = 20.0  # in which a game must be begun; the server aborts it after 30
tables = count()
Game = dict[str, Any]  # seats by role, `watch`, `script` and `at`, as the load generator reads it


@dataclass
class System:
    """Something that runs. `adapter` is the load generator's module that speaks its language."""

    name: str
    adapter: str
    trees: dict[str, list[int]]
    origins: list[str]

    def take(self, games: int) -> list[Game]:
        """Takes games that have not begun."""
        return [self.fresh(next(tables)) for _ in range(games)]

    def fresh(self, number: int) -> Game:
        """A game that the load generator opens itself, when it first speaks of that table."""
        place = {"base": self.origins[0], "table": number}
        seats = {"white": place, "black": place}
        return {"seats": seats, "watch": place, "at": 0, "script": number % len(scripts())}

    def pin(self) -> None:
        """Keeps its processes on the server's core."""
        keep_to(self.roots, [SERVER])

    @contextmanager
    def loose(self) -> Iterator[None]:
        """Lets its processes use all cores meanwhile."""
        keep_to(self.roots, CORES)
        try:
            yield
        finally:
            self.pin()

    @property
    def roots(self) -> list[int]:
        """All its processes, but for what they have started."""
        return [pid for roots in self.trees.values() for pid in roots]


@dataclass
class Ours(System):
    """Our site, whose games take a while to be opened, and so go on in the next round."""

    pool: list[Game] = field(default_factory=list)

    def take(self, games: int) -> list[Game]:
        """Takes the live games with the fewest actions; opens more if there are too few."""
        oldest = monotonic() - FIRST_TURN_S
        self.pool = [
            game
            for game in self.pool
            if len(scripts()[game["script"]]) - game["at"] >= ROOM
            and (game["at"] or game["opened"] >= oldest)
        ]
        self.open(games - len(self.pool))
        self.pool.sort(key=lambda game: game["at"])
        return self.pool[:games]

    def take_slow(self, games: int) -> list[Game]:
        """Takes new games by days, which wait for their first turns without a limit."""
        self.pool.clear()
        self.open(games, SLOW)
        taken, self.pool = self.pool, []
        return taken

    def open(self, games: int, clock: str = LIVE) -> None:
        """Opens more games through the site's pages."""
        if games <= 0:
            return
        with self.loose():
            places = [self.place(len(self.pool) + number) for number in range(games)]
            opened = monotonic()
            for table in asyncio.run(seat(places, clock)):
                script = len(self.pool) % len(scripts())
                self.pool.append({**table.plain(), "at": 0, "script": script, "opened": opened})

    def place(self, number: int) -> Place:
        """Return where the seats of a game are: by default black's at the last process."""
        return Place(self.origins[0], self.origins[-1])
