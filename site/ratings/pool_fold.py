"""The fold of `games.rating` together with peaks, between rows of standings."""

from collections.abc import Collection, Iterable

from games.rating.entries import GameEntry, SideNumbers
from games.rating.fold import Fold
from games.rating.pools import Pool
from games.rating.standing import ESTABLISHED_DEVIATION
from ratings.models import Generation, Standing
from ratings.rated_rows import StandingRow


class PoolFold:
    """Standings and peaks of people, changed by one game after another."""

    def __init__(self, rows: Iterable[Standing] = ()) -> None:
        self._fold = Fold()
        self._peaks: dict[tuple[int, Pool], int] = {}
        self._changed: set[tuple[int, Pool]] = set()
        for row in rows:
            self._fold.standings[row.person_id][row.pool] = row.folded
            if row.peak is not None:
                self._peaks[row.person_id, row.pool] = row.peak

    def play(self, game: GameEntry) -> tuple[SideNumbers, SideNumbers]:
        """Rate a game; return both sides' numbers before and after it."""
        before, after = self._fold.play(game)
        for person, numbers in ((game.white, after.white), (game.black, after.black)):
            key = (person, game.pool)
            self._changed.add(key)
            if numbers.deviation <= ESTABLISHED_DEVIATION:
                self._peaks[key] = max(self._peaks.get(key, 0), numbers.rating)
        return before, after

    def take_changed(self, generation: int) -> list[StandingRow]:
        """Return the rows of the standings that have changed since the last call."""
        changed, self._changed = sorted(self._changed), set()
        return [self._row(generation, person, pool) for person, pool in changed]

    def all_rows(self, generation: int) -> list[StandingRow]:
        """Return the rows of all standings."""
        return [
            self._row(generation, person, pool)
            for person, standings in sorted(self._fold.standings.items())
            for pool in sorted(standings)
        ]

    def _row(self, generation: int, person: int, pool: Pool) -> StandingRow:
        standing = self._fold.standings[person][pool]
        return StandingRow(
            generation,
            person,
            pool.rules,
            pool.speed.value,
            *standing.numbers,
            standing.at,
            standing.games,
            self._peaks.get((person, pool)),
        )


def load_fold(generation: Generation, people: Collection[int]) -> PoolFold:
    """Return a fold with the standings that some people have in a generation."""
    return PoolFold(Standing.objects.filter(generation=generation, person__in=people))
