"""Load and save the fold of `games.rating`, with peaks, as rows of standings."""

import json
from collections.abc import Collection, Iterable

from games.rating.entries import Anchors, GameEntry, Placement, SideNumbers
from games.rating.fold import Fold
from games.rating.pools import Pool
from games.rating.standing import ESTABLISHED_DEVIATION, Numbers
from ratings.models import FittedAdvantage, Generation, Standing
from ratings.rules.entry_log import newest_anchors
from ratings.rules.rated_rows import StandingRow


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

    def play(
        self, game: GameEntry, known: tuple[SideNumbers, SideNumbers] | None = None
    ) -> tuple[SideNumbers, SideNumbers]:
        """Rate a game; return both sides' numbers before and after it, as `Fold.play`."""
        before, after = self._fold.play(game, known)
        for person, numbers in ((game.white, after.white), (game.black, after.black)):
            key = (person, game.pool)
            self._changed.add(key)
            if numbers.deviation <= ESTABLISHED_DEVIATION:
                self._peaks[key] = max(self._peaks.get(key, 0), numbers.rating)
        return before, after

    def set_anchors(self, anchors: Anchors) -> None:
        """Fix the ratings of the levels of a game."""
        self._fold.set_anchors(anchors.rules, anchors.ratings)

    def set_advantage(self, rules: str, advantage: int) -> None:
        """Use a first-move advantage that was fitted earlier, in thousandths of a point."""
        self._fold.advantages[rules] = advantage

    def place(self, placement: Placement) -> Numbers | None:
        """Give a newcomer a first rating and return it; None for a person who has already played.

        Raise games.rating.fold.NoAnchors, games.rating.placement.NotNext.
        """
        pool, person = placement.pool, placement.person
        numbers = self._fold.place(person, pool, placement.games, placement.at)
        if numbers is not None:
            self._changed.add((person, pool))
        return numbers

    def fit_advantage(self, rules: str) -> int:
        """Fit the first-move advantage to all games that this fold has rated; return it."""
        return self._fold.fit_advantage(rules)

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
    """Return a fold with the standings of some people in a generation, its anchors and advantages.

    It has none of the games before, so it cannot fit an advantage.
    """
    fold = PoolFold(Standing.objects.filter(generation=generation, person__in=people))
    fitted = FittedAdvantage.objects.filter(generation=generation).order_by("entry")
    for rules, advantage in fitted.values_list("rules", "advantage"):
        fold.set_advantage(rules, advantage)
    for rules, entry in newest_anchors(generation.last_seq).items():
        ratings = tuple(json.loads(entry.content)["ratings"])
        fold.set_anchors(Anchors(entry.seq, rules, ratings))
    return fold
