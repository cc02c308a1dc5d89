"""The order of leaderboards and of the combined table, on made-up candidates."""

from collections import defaultdict
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from games.catalogue import RULES
from games.rating.pools import POOLS, Pool, Speed
from games.rating.standing import DAY_MS, Numbers, Standing
from ratings.leaderboards.ranking import (
    FULL_SCALE,
    MIN_GAMES,
    MIN_NAMES,
    MIN_OPPONENTS,
    Candidate,
    combine,
    percentiles,
    place_on_leaderboards,
    shared_places,
)

AT = 1_800_000_000_000
PINCER = Pool("pincer", Speed.LIVE)
KEYS = st.lists(st.tuples(st.integers(-5, 5), st.integers(5, 7)), min_size=1, max_size=30)


def candidate(person=1, rating=1500, deviation=60, pool=PINCER, **told) -> Candidate:
    """Somebody with enough games whose last one has just ended."""
    numbers = Numbers(rating * 1000, deviation * 1000, 60_000_000)
    facts = {"games": MIN_GAMES, "opponents": MIN_OPPONENTS, "week_games": 0, **told}
    played, at = facts.pop("played", 20), facts.pop("at", AT)
    before = facts.pop("rating_before_week", None)
    standing = Standing(numbers, at, played)
    return Candidate(pool, person, standing, rating_before_week=before, **facts)


CANDIDATES = st.lists(
    st.builds(
        candidate,
        person=st.integers(1, 12),
        rating=st.integers(1498, 1502),
        deviation=st.integers(60, 61),
        pool=st.sampled_from(POOLS),
        games=st.integers(3, 7),
        opponents=st.integers(2, 4),
        at=st.sampled_from([AT, AT - 30 * DAY_MS]),
    ),
    max_size=60,
    unique_by=lambda each: (each.pool, each.person),
)


@given(CANDIDATES)
def test_a_board_has_those_who_are_eligible_by_score_games_and_number(candidates) -> None:
    leaderboards = place_on_leaderboards(candidates, AT)
    expected = defaultdict(list)
    for each in candidates:
        if each.games >= 5 and each.opponents >= 3:
            expected[each.pool].append((-each.standing.lower_bound(AT), -each.games, each.person))
    assert leaderboards.keys() == expected.keys()
    for pool, rows in leaderboards.items():
        assert [(-row.score, -row.games, row.person) for row in rows] == sorted(expected[pool])
        assert [row.position for row in rows] == list(range(1, len(rows) + 1))
        for row in rows:
            better = sum((each.score, each.games) > (row.score, row.games) for each in rows)
            assert row.place == better + 1
            assert row.score == row.rating - 2 * row.deviation


def test_the_deviation_grows_up_to_the_time_of_the_board() -> None:
    fresh, idle = candidate(1), candidate(2, at=AT - 80 * DAY_MS)
    [first, second] = place_on_leaderboards([idle, fresh], AT)[PINCER]
    assert (first.person, second.person) == (1, 2)
    assert second.deviation == idle.standing.numbers_at(AT).deviation > first.deviation == 60_000


def test_a_game_in_the_future_ages_nothing() -> None:
    """A step of the clock may set a game in the future."""
    [row] = place_on_leaderboards([candidate(at=AT + DAY_MS)], AT)[PINCER]
    assert row.deviation == 60_000


def test_a_change_is_told_of_ratings_that_were_not_provisional_a_week_ago() -> None:
    told = {
        (20, 0, None): 0,
        (20, 3, 1_450_000): 50_000,
        (8, 3, 1_600_000): -100_000,
        (7, 3, 1_450_000): None,
        (5, 5, 1_500_000): None,
    }
    for (played, week_games, before), change in told.items():
        each = candidate(played=played, week_games=week_games, rating_before_week=before)
        assert place_on_leaderboards([each], AT)[PINCER][0].week_change == change


@given(KEYS)
def test_percentiles_are_those_of_the_formula(keys) -> None:
    keys = sorted(keys, reverse=True)
    found = percentiles(keys)
    for key, share in zip(keys, found, strict=True):
        below, equal = sum(each < key for each in keys), keys.count(key)
        assert share == FULL_SCALE * Fraction(2 * below + equal, 2 * len(keys)) // 1
        assert 0 < share < FULL_SCALE
    assert shared_places(keys) == [sum(each > key for each in keys) + 1 for key in keys]


def test_percentiles_of_three_and_of_one() -> None:
    assert percentiles([(3, 5), (2, 5), (1, 5)]) == [83_333, 50_000, 16_666]
    assert percentiles([(1, 5), (1, 5), (1, 5)]) == [50_000] * 3
    assert percentiles([(3, 5)]) == [50_000]


@given(CANDIDATES)
def test_the_combined_table_is_the_mean_of_the_better_boards(candidates) -> None:
    leaderboards = place_on_leaderboards(candidates, AT)
    shares = {
        (pool, row.person): share
        for pool, rows in leaderboards.items()
        if len(rows) >= MIN_NAMES
        for row, share in zip(
            rows, percentiles([(row.score, row.games) for row in rows]), strict=True
        )
    }
    table = combine(leaderboards)
    assert {row.person for row in table} == {person for _, person in shares}
    for row in table:
        best = [
            max(shares.get((Pool(rules, speed), row.person), 0) for speed in Speed)
            for rules in RULES
        ]
        assert row.score == sum(best) // len(RULES)
        assert row.leaderboards == sum(share > 0 for share in best)
        better = sum((each.score, each.games) > (row.score, row.games) for each in table)
        assert row.place == better + 1
    assert [row.position for row in table] == list(range(1, len(table) + 1))


def test_a_game_without_a_board_counts_nothing() -> None:
    """Two people are no leaderboard, and more games are more."""
    live, slow = Pool("blotto", Speed.LIVE), Pool("blotto", Speed.DAYS)
    names = range(1, 4)
    one = [candidate(person, 1600 - person, pool=PINCER) for person in names]
    two = [candidate(person, 1600 - person, pool=live) for person in (1, 2)]
    assert [row.score for row in combine(place_on_leaderboards([*one, *two], AT))] == [
        16_666, 10_000, 3_333,
    ]  # fmt: skip
    three = [candidate(person, 1600 + person, pool=slow) for person in names]
    table = combine(place_on_leaderboards([*one, *two, *three], AT))
    assert [(row.place, row.person, row.score, row.leaderboards) for row in table] == [
        (1, 2, 20_000, 2), (2, 1, 19_999, 2), (2, 3, 19_999, 2),
    ]  # fmt: skip
