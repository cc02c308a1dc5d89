"""`python -m tests.bench.matchmaking.arrivals`: simulate waiting times; measure what pairing costs.

People arrive at random (a Poisson process), search for some games at some paces, are paired every
second as the site does it, and give up after a while. With the offers, whoever is alone for 15 s
plays the computer meanwhile, and so stays ten times as long; some miss the question. Nothing of the
web is run: it is a simulation over `matchmaking.pairing`.
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

sys.path[:0] = [str(Path(__file__).parents[3] / "site")]

from matchmaking.pairing import Choice, Searcher, cost, pair_searchers  # noqa: E402

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


@dataclass
class Person:
    """Somebody who arrives; times are seconds since the beginning."""

    user: int
    arrives: float
    leaves: float
    choices: tuple[Choice, ...]
    takes_computer: bool
    is_busy: bool = False
    paired_at: float | None = None


def choices_of(rng: Random) -> tuple[Choice, ...]:
    """Return what somebody searches for: half of them one game, the others several or all."""
    if rng.random() < 0.5:
        games: Sequence[str] = rng.choices(GAMES, SHARES)
    else:
        games = rng.sample(GAMES, rng.randint(2, len(GAMES)))
    paces = PACES[:2] if rng.random() < 0.7 else [rng.choice(PACES)]
    return tuple((game, pace) for pace in paces for game in games)


def arrivals(per_hour: int, rng: Random) -> list[Person]:
    """Return the people of all hours."""
    people: list[Person] = []
    at = 0.0
    while (at := at + rng.expovariate(per_hour / 3600)) < HOURS * 3600:
        patience_s = rng.expovariate(1 / PATIENCE_S)
        choices = choices_of(rng)
        takes = rng.random() < TAKEN
        people.append(Person(len(people), at, at + patience_s, choices, takes))
    return people


def simulate(per_hour: int, has_offers: bool, seed: int = 1) -> list[Person]:
    """Let the people of some hours arrive, be paired, and leave."""
    rng = Random(seed)
    coming = [(person.arrives, person.user, person) for person in arrivals(per_hour, rng)]
    people = [person for _, _, person in coming]
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
        for match in pair_searchers(searchers, forbidden) if len(searchers) > 1 else []:
            pair = [here[match.one], here[match.two]]
            absent = [each for each in pair if each.is_busy and rng.random() < MISSED]
            for each in absent or pair:
                del here[each.user]
            if absent:
                refused[frozenset((match.one, match.two))] = at + 60
                continue
            for each in pair:
                each.paired_at = at
    return people


def print_waits(per_hour: int, has_offers: bool) -> None:
    """Print how many were paired, and how long those waited."""
    people = simulate(per_hour, has_offers)
    waits = sorted(each.paired_at - each.arrives for each in people if each.paired_at is not None)
    label = "with offers" if has_offers else "without    "
    share = len(waits) / len(people)
    ninth = waits[len(waits) * 9 // 10] if waits else 0.0
    middle = median(waits) if waits else 0.0
    print(
        f"{per_hour:5} an hour, {label} {share:6.1%} paired, "
        f"median wait {middle:5.1f} s, 90 % within {ninth:5.0f} s"
    )


def crowd(count: int, seed: int) -> list[Searcher]:
    """Return people who search at the same time."""
    rng = Random(seed)
    return [Searcher(user, choices_of(rng), rng.randrange(60_000)) for user in range(count)]


def rating_distance(seed: int) -> dict[int, int]:
    """Return ratings by user, as a stand-in for those that the site may have one day."""
    rng = Random(seed)
    return {user: round(rng.gauss(1500, 300)) for user in range(1_000)}


def print_costs() -> None:
    """Print the time of one round, and what few edges lose against all edges."""
    for count in (10, 50, 100, 200):
        times, losses, pairs, best = [], [], 0, 0
        for seed in range(10):
            searchers, ratings = crowd(count, seed), rating_distance(seed)

            def distance(one: Searcher, two: Searcher, known: dict[int, int] = ratings) -> int:
                return abs(known[one.user] - known[two.user])

            begun = time.process_time()
            matches = pair_searchers(searchers, frozenset(), distance)
            times.append(1_000 * (time.process_time() - begun))
            full = pair_searchers(searchers, frozenset(), distance, max_edges=count)
            users = {each.user: each for each in searchers}
            pairs, best = pairs + len(matches), best + len(full)
            sums = [
                sum(cost(users[m.one], users[m.two], distance) for m in each)
                for each in (matches, full)
            ]
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
        for per_hour, has_offers in itertools.product(COUNTS, (False, True)):
            print_waits(per_hour, has_offers)


if __name__ == "__main__":
    main()
