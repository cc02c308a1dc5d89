"""Order people on leaderboards and in the combined table; pure.

A leaderboard is sorted by rating − 2 deviations, then by games in the last 90 days, then by the
person's number. People with equal score and games share a place.

The combined table is sorted by a mean percentile. On a leaderboard of n people, a person's
percentile is the percentile rank: the share of people with a lower score and games, counting half
of those with equal ones, the person included. So the first of three has 83.3 and the first of a
hundred 99.5: a place says more on a longer one. In each game the better leaderboard of its two
speeds counts. A game counts 0 if the person is on none of its leaderboards, or if fewer than
`MIN_NAMES` people are. The mean is taken over all games, so people who play more of them can reach
a higher one.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from games.catalogue import RULES
from games.rating.pools import Pool
from games.rating.standing import DAY_MS, Standing

MIN_GAMES = 5  # rated ones in the pool, within `WINDOW_MS`
MIN_OPPONENTS = 3
MIN_NAMES = 3  # people that make a leaderboard
WINDOW_MS = 90 * DAY_MS
WEEK_MS = 7 * DAY_MS
FULL_SCALE = 100_000  # a percentile of 100, in thousandths of a percent


class Candidate(NamedTuple):
    """A candidate for the leaderboard of a pool."""

    pool: Pool
    person: int
    standing: Standing
    games: int  # in the last 90 days
    opponents: int
    week_games: int  # in the last 7 days
    rating_before_week: int | None  # before the first of these; None without one


class PlacedRow(NamedTuple):
    """A person on a leaderboard; the columns are those of `LeaderboardRow`."""

    person: int
    position: int
    place: int
    score: int
    rating: int
    deviation: int
    games: int
    opponents: int
    week_change: int | None


class PlacedInAll(NamedTuple):
    """A person in the combined table; the columns are those of `CombinedRow`."""

    person: int
    position: int
    place: int
    score: int
    leaderboards: int
    games: int


Leaderboards = Mapping[Pool, Sequence[PlacedRow]]
Key = tuple[int, int]  # score and games; more is better


def is_eligible(games: int, opponents: int) -> bool:
    """Return whether so many games against so many people in 90 days suffice for a leaderboard."""
    return games >= MIN_GAMES and opponents >= MIN_OPPONENTS


def place_on_leaderboards(candidates: Iterable[Candidate], at: int) -> Leaderboards:
    """Return the leaderboards at a time (epoch ms), of those candidates that are eligible."""
    pools: dict[Pool, list[PlacedRow]] = defaultdict(list)
    for each in candidates:
        if is_eligible(each.games, each.opponents):
            pools[each.pool].append(_unplaced(each, at))
    return {pool: _place(rows) for pool, rows in sorted(pools.items())}


def _unplaced(candidate: Candidate, at: int) -> PlacedRow:
    numbers = candidate.standing.numbers_at(at)
    return PlacedRow(
        candidate.person,
        0,
        0,
        numbers.rating - 2 * numbers.deviation,
        numbers.rating,
        numbers.deviation,
        candidate.games,
        candidate.opponents,
        _week_change(candidate),
    )


def _week_change(candidate: Candidate) -> int | None:
    """Return the change of the rating in a week; None if it was provisional before."""
    if candidate.standing.games - candidate.week_games < MIN_GAMES:
        return None
    before = candidate.rating_before_week
    return 0 if before is None else candidate.standing.numbers.rating - before


def _place(rows: list[PlacedRow]) -> list[PlacedRow]:
    rows.sort(key=lambda row: (-row.score, -row.games, row.person))
    places = shared_places([(row.score, row.games) for row in rows])
    return [
        row._replace(position=position, place=place)
        for position, (row, place) in enumerate(zip(rows, places, strict=True), 1)
    ]


def shared_places(keys: Sequence[Key]) -> list[int]:
    """Return the place of each of some keys, which come best first: 1, 2, 2, 4 …"""
    places: list[int] = []
    for index, key in enumerate(keys):
        is_tie = index > 0 and keys[index - 1] == key
        places.append(places[-1] if is_tie else index + 1)
    return places


def percentiles(keys: Sequence[Key]) -> list[int]:
    """Return the percentile rank of each of some keys, which come best first.

    In thousandths of a percent. Source: percentile rank as (CF − 0.5 F) / N.
    """
    count, places = len(keys), shared_places(keys)
    equal: dict[int, int] = defaultdict(int)
    for place in places:
        equal[place] += 1
    # `place − 1` people are better, so `count − place + 1 − equal` are worse.
    return [
        FULL_SCALE * (2 * (count - place + 1) - equal[place]) // (2 * count) for place in places
    ]


def combine(leaderboards: Leaderboards) -> list[PlacedInAll]:
    """Return the combined table of some leaderboards, best first."""
    best: dict[int, dict[str, int]] = defaultdict(dict)  # percentile by person and rule set
    games: dict[int, int] = defaultdict(int)
    for pool, rows in leaderboards.items():
        if len(rows) < MIN_NAMES:
            continue
        shares = percentiles([(row.score, row.games) for row in rows])
        for row, share in zip(rows, shares, strict=True):
            of_person = best[row.person]
            of_person[pool.rules] = max(share, of_person.get(pool.rules, 0))
            games[row.person] += row.games
    scored = sorted(
        (-(sum(shares.values()) // len(RULES)), -games[person], person, len(shares))
        for person, shares in best.items()
    )
    keys = [(-score, -count) for score, count, _, _ in scored]
    return [
        PlacedInAll(person, position, place, key[0], leaderboards_of_person, key[1])
        for position, ((_, _, person, leaderboards_of_person), key, place) in enumerate(
            zip(scored, keys, shared_places(keys), strict=True), 1
        )
    ]
