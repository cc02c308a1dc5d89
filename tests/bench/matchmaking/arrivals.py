"""`python -m tests.bench.matchmaking.arrivals`: simulate waiting times; measure cost of pairing.

People arrive at random (a Poisson process), search for some games at some paces, are paired every
second as the site does it, and give up after a while. With the offers, people who are alone for
15 s play the computer meanwhile, and so stay ten times as long; some miss the question. Ratings are
ignored, or count in casual or in rated games, or half of the people want rated games. Nothing of
the web is run: it is a simulation over `matchmaking.pairing`.
"""

import argparse
import heapq
import itertools
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Literal

sys.path[:0] = [str(Path(__file__).parents[3] / "site")]

from games.rating.standing import UNIT, Numbers  # noqa: E402
from matchmaking.pairing import (  # noqa: E402
    Fit,
    Match,
    Searcher,
    Terms,
    common_choices,
    cost,
    fit_all,
    pair_searchers,
)
from matchmaking.rating_fit import RatingFit  # noqa: E402

GAMES = ("amazons-10x10", "amazons-8x8", "amazons", "blotto", "pincer")
PACES = ("fast", "medium", "slow")
SHARES = (0.3, 0.2, 0.1, 0.2, 0.2)  # of the games, for who wants one alone
PATIENCE_S = 90.0  # mean of an exponential distribution
OFFERS_AFTER_S = 15.0
PLAYING_PATIENCE = 10.0  # times as patient beside a game against the computer
MISSED = 0.25  # share of questions that are not answered beside such a game
TAKEN = 0.6  # share of those alone who take the computer
ROUND_S = 1.0
HOURS = 20
COUNTS = (10, 100, 1_000)  # arrivals in an hour
RATING, SPREAD = 1_500, 300  # mean and standard deviation of the ratings, in points
DEVIATIONS = (60, 110, 200, 350)  # of a rating, in points; each as often
Kind = Literal["no ratings", "casual", "rated", "half rated"]
KINDS: tuple[Kind, ...] = ("no ratings", "casual", "rated", "half rated")


@dataclass
class Person:
    """Somebody who arrives; times are seconds since the beginning."""

    user: int
    arrives: float
    leaves: float
    choices: tuple[Terms, ...]
    takes_computer: bool
    numbers: Numbers
    is_busy: bool = False
    paired_at: float | None = None
    gap: int = 0  # points between the ratings of a pair


def choices_of(rng: Random, is_rated: bool = False) -> tuple[Terms, ...]:
    """Return what somebody searches for: half of them one game, the others several or all."""
    if rng.random() < 0.5:
        games: Sequence[str] = rng.choices(GAMES, SHARES)
    else:
        games = rng.sample(GAMES, rng.randint(2, len(GAMES)))
    paces = PACES[:2] if rng.random() < 0.7 else [rng.choice(PACES)]
    return tuple(Terms(game, pace, is_rated) for pace in paces for game in games)


def numbers_of(rng: Random) -> Numbers:
    """Return the rating of somebody, the same in all games."""
    rating = round(rng.gauss(RATING, SPREAD))
    return Numbers(rating * UNIT, rng.choice(DEVIATIONS) * UNIT, 60_000_000)


def fit_of(numbers: dict[int, Numbers]) -> Fit:
    """Return what judges pairs of people with these ratings."""
    return RatingFit({user: dict.fromkeys(GAMES, each) for user, each in numbers.items()})


def arrivals(per_hour: int, rng: Random, kind: Kind) -> list[Person]:
    """Return the people of all hours; the same of every kind, but for what they want."""
    people: list[Person] = []
    ratings, wishes = Random(per_hour), Random(per_hour + 1)
    at = 0.0
    while (at := at + rng.expovariate(per_hour / 3600)) < HOURS * 3600:
        patience_s = rng.expovariate(1 / PATIENCE_S)
        is_rated = kind == "rated" or (kind == "half rated" and wishes.random() < 0.5)
        choices = choices_of(rng, is_rated)
        takes, numbers = rng.random() < TAKEN, numbers_of(ratings)
        people.append(Person(len(people), at, at + patience_s, choices, takes, numbers))
    return people


def simulate(per_hour: int, has_offers: bool, kind: Kind, seed: int = 1) -> list[Person]:
    """Let the people of some hours arrive, be paired, and leave."""
    rng = Random(seed)
    coming = [(person.arrives, person.user, person) for person in arrivals(per_hour, rng, kind)]
    people = [person for _, _, person in coming]
    fit = fit_of({each.user: each.numbers for each in people}) if kind != KINDS[0] else fit_all
    heapq.heapify(coming)
    here: dict[int, Person] = {}
    refused: dict[frozenset[int], float] = {}
    at = 0.0
    while coming or here:
        at = at + ROUND_S if here else coming[0][0] + ROUND_S
        while coming and coming[0][0] <= at:
            person = heapq.heappop(coming)[2]
            here[person.user] = person
        for person in list(here.values()):
            alone_s = at - person.arrives
            is_offered = has_offers and not person.is_busy and person.takes_computer
            if is_offered and alone_s >= OFFERS_AFTER_S and person.leaves >= at:
                person.is_busy = True
                person.leaves = person.arrives + (person.leaves - person.arrives) * PLAYING_PATIENCE
            if person.leaves < at:
                del here[person.user]
        searchers = [
            Searcher(each.user, each.choices, round(1_000 * (at - each.arrives)))
            for each in here.values()
        ]
        forbidden = {pair for pair, until in refused.items() if until > at}
        for match in pair_searchers(searchers, forbidden, fit) if len(searchers) > 1 else []:
            pair = [here[match.one], here[match.two]]
            absent = [each for each in pair if each.is_busy and rng.random() < MISSED]
            for each in absent or pair:
                del here[each.user]
            if absent:
                refused[frozenset((match.one, match.two))] = at + 60
                continue
            for each in pair:
                each.paired_at = at
                each.gap = abs(pair[0].numbers.rating - pair[1].numbers.rating) // UNIT
    return people


def print_waits(per_hour: int, has_offers: bool, kind: Kind) -> None:
    """Print the share of paired people, their waiting times, and the gaps of their ratings."""
    people = simulate(per_hour, has_offers, kind)
    waits = sorted(each.paired_at - each.arrives for each in people if each.paired_at is not None)
    gaps = [each.gap for each in people if each.paired_at is not None]
    label = "with offers" if has_offers else "without    "
    share = len(waits) / len(people)
    ninth = waits[len(waits) * 9 // 10] if waits else 0.0
    middle = median(waits) if waits else 0.0
    print(
        f"{per_hour:5} an hour, {label}, {kind:10} {share:6.1%} paired, "
        f"median wait {middle:5.1f} s, 90 % within {ninth:5.0f} s, "
        f"{mean(gaps or [0]):4.0f} points apart (most {max(gaps, default=0)})"
    )


def crowd(count: int, seed: int) -> list[Searcher]:
    """Return people who search at the same time."""
    rng = Random(seed)
    return [Searcher(user, choices_of(rng), rng.randrange(60_000)) for user in range(count)]


def price_of(matches: Sequence[Match], searchers: Sequence[Searcher], fit: Fit) -> int:
    """Return the cost of all pairs together."""
    users, price = {each.user: each for each in searchers}, 0
    for match in matches:
        one, two = users[match.one], users[match.two]
        fitting = fit(one, two, common_choices(one, two))
        assert fitting is not None
        price += cost(one, two, fitting[0])
    return price


def print_costs() -> None:
    """Print the time of one round, and what few edges lose against all edges."""
    for count in (10, 50, 100, 200):
        times, losses, pairs, best = [], [], 0, 0
        for seed in range(10):
            searchers, rng = crowd(count, seed), Random(seed)
            numbers = {each.user: numbers_of(rng) for each in searchers}
            begun = time.process_time()
            fit = fit_of(numbers)
            matches = pair_searchers(searchers, frozenset(), fit)
            times.append(1_000 * (time.process_time() - begun))
            full = pair_searchers(searchers, frozenset(), fit, max_edges=count)
            pairs, best = pairs + len(matches), best + len(full)
            sums = [price_of(each, searchers, fit) for each in (matches, full)]
            losses.append(sums[0] - sums[1])
        print(
            f"{count:4} searchers: {median(times):6.1f} ms CPU (most {max(times):.1f}), "
            f"{pairs} of {best} pairs, {mean(losses) / max(1, pairs / 10):.2f} points of rating "
            "a pair above the optimum"
        )


def main() -> None:
    """Print costs, then waiting times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--costs", action="store_true", help="only the costs of pairing")
    given = parser.parse_args()
    print_costs()
    if not given.costs:
        for per_hour, has_offers, kind in itertools.product(COUNTS, (False, True), KINDS):
            print_waits(per_hour, has_offers, kind)


if __name__ == "__main__":
    main()
