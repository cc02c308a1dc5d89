"""`python -m tests.bench.ratings.simulation`: compare ratings with known strengths.

Simulated people of known strength play rated games against opponents of a similar rating, a year
long, and their games are folded as the site folds them; `--placed` lets each begin with placement
games against levels of known strength. Prints, for each game: the mean distance of rating and
strength, the share of 95 % intervals that hold the strength, and by how much the mean rating has
drifted from the mean strength in the second half of the year, per year.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot
from statistics import fmean
from typing import Final

from games.rating.entries import GameEntry
from games.rating.fold import Fold
from games.rating.glicko2 import expected_score, weight
from games.rating.placement import PlacementGame, next_level
from games.rating.pools import Pool, Speed, start_of
from games.rating.standing import DAY_MS, UNIT, Numbers

YEAR_MS: Final = 365 * DAY_MS
CANDIDATES: Final = 8  # waiting people of whom the nearest is the opponent
LEVELS: Final = tuple(1250 + 125 * level for level in range(8))  # assumed strengths, in points
Z_95: Final = 1.96


@dataclass(frozen=True, slots=True)
class Model:
    """Assumptions about the results of a game.

    `spread` is the standard deviation of strengths in points, `draws` the share of draws between
    equals, `advantage` white's by moving first, in points.
    """

    spread: float
    draws: float
    advantage: float


# Amazons has no draws apart from both flags; Pincer's share is that of its levels' matches. In
# Blotto equals draw a fifth, and the best reply to the equilibrium earns 257 points (comeback.md):
# strengths lie close together.
MODELS: Final[Mapping[str, Model]] = {
    "amazons": Model(250.0, 0.0, 15.0),
    "amazons-10x10": Model(250.0, 0.0, 15.0),
    "amazons-8x8": Model(250.0, 0.0, 20.0),
    "pincer": Model(250.0, 0.1, 20.0),
    "blotto": Model(70.0, 0.2, 0.0),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Figures of a simulated year."""

    mean_error: float
    coverage: float
    drift: float
    cpu_ms: float  # a game


@dataclass(frozen=True, slots=True)
class Year:
    """A simulated year of a game's live pool: true strengths, games, and their fold.

    A person is a place in `strengths`; placement games are in no list.
    """

    model: Model
    pool: Pool
    strengths: list[float]
    games: list[GameEntry]
    fold: Fold
    drift: float  # points a year
    cpu_ms: float  # a game

    def ratings(self) -> list[float]:
        """Return everybody's rating at the end, in points."""
        return [_rating(self.fold, self.pool, person) for person in range(len(self.strengths))]

    def outcome(self) -> Outcome:
        """Return the figures of the year."""
        errors, inside = [], 0
        for person, strength in enumerate(self.strengths):
            numbers = self.fold.standings[person][self.pool].numbers_at(YEAR_MS)
            error = abs(numbers.rating / UNIT - strength)
            errors.append(error)
            inside += error <= Z_95 * numbers.deviation / UNIT
        return Outcome(fmean(errors), inside / len(errors), self.drift, self.cpu_ms)


def simulate(
    rules: str, people: int, games_each: int, seed: int, is_placed: bool, candidates: int
) -> Year:
    """Return one simulated year of a game's live pool."""
    model, chance = MODELS[rules], random.Random(seed)
    pool, fold = Pool(rules, Speed.LIVE), Fold()
    strengths = [chance.gauss(1500.0, model.spread) for _ in range(people)]
    games: list[GameEntry] = []
    if is_placed:
        fold.set_anchors(rules, tuple(level * UNIT for level in LEVELS))
        for person, strength in enumerate(strengths):
            fold.place(person, pool, _placement_games(strength, chance), 0)
    total = people * games_each // 2
    halfway = 0.0
    folding = 0.0
    for number in range(total):
        if number == total // 2:
            halfway = _mean_rating(fold, pool, people) - fmean(strengths)
        white, black = _pair(fold, pool, people, candidates, chance)
        winner = _winner(model, strengths[white] - strengths[black], chance)
        at = number * YEAR_MS // total
        games.append(
            GameEntry(number + 1, at, pool, str(number), white, black, winner, None, None, None)
        )
        began = time.process_time()
        fold.play(games[-1])
        folding += time.process_time() - began
        if number and number % max(1, total // 12) == 0:
            fold.fit_advantage(rules)  # monthly
    drift = _mean_rating(fold, pool, people) - fmean(strengths) - halfway
    return Year(model, pool, strengths, games, fold, 2 * drift, 1000 * folding / total)


def _placement_games(strength: float, chance: random.Random) -> list[PlacementGame]:
    anchors = [level * UNIT for level in LEVELS]
    games: list[PlacementGame] = []
    while (level := next_level(games, anchors)) is not None:
        wins = chance.random() < expected_score(strength - LEVELS[level - 1], 0.0)
        games.append(PlacementGame(level, "won" if wins else "lost"))
    return games


def _numbers(fold: Fold, pool: Pool, person: int) -> Numbers:
    standing = fold.standings[person].get(pool)
    return standing.numbers if standing else start_of(pool)


def _rating(fold: Fold, pool: Pool, person: int) -> float:
    return _numbers(fold, pool, person).rating / UNIT


def _mean_rating(fold: Fold, pool: Pool, people: int) -> float:
    return fmean(_rating(fold, pool, person) for person in range(people))


def _pair(
    fold: Fold, pool: Pool, people: int, candidates: int, chance: random.Random
) -> tuple[int, int]:
    """Return white and black: a random person, and the nearest of some others.

    Near is what the site's search calls so: |Δr| · g, with g of both deviations.
    """
    one, *others = chance.sample(range(people), candidates + 1)
    own = _numbers(fold, pool, one)

    def distance(person: int) -> float:
        theirs = _numbers(fold, pool, person)
        g = weight(hypot(own.deviation, theirs.deviation) / UNIT)
        return abs(theirs.rating - own.rating) * g

    other = min(others, key=distance)
    return (one, other) if chance.random() < 0.5 else (other, one)


def _winner(model: Model, difference: float, chance: random.Random) -> str:
    expected = expected_score(difference + model.advantage, 0.0)
    drawn = model.draws * 4.0 * expected * (1.0 - expected)
    ticket = chance.random()
    if ticket < drawn:
        return ""
    return "white" if ticket < drawn / 2.0 + expected else "black"


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--games", type=int, default=30, help="of each person")
    parser.add_argument("--candidates", type=int, default=CANDIDATES, help="waiting opponents")
    parser.add_argument("--placed", action="store_true", help="by games against levels")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for rules in MODELS:
        is_placed = options.placed and rules != "blotto"
        result = simulate(
            rules, options.people, options.games, options.seed, is_placed, options.candidates
        ).outcome()
        print(
            f"{rules}: mean error {result.mean_error:.0f}, 95 % intervals hold "
            f"{100 * result.coverage:.1f} %, drift {result.drift:+.1f} a year, "
            f"{result.cpu_ms:.3f} ms CPU a game",
            flush=True,
        )


if __name__ == "__main__":
    main()
