"""Pairing by ratings: limit of rated games, weight of uncertain ratings, waiting, same result."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.rating.standing import Numbers
from lobby.pairing.pairing import Searcher, Terms, common_choices, pair_searchers
from lobby.pairing.rating_fit import MAX_RATED_GAP, RatingFit

GAMES = ("pincer", "blotto", "amazons")
TERMS = [Terms(game, "a", is_rated) for game in GAMES for is_rated in (True, False)]
RATED, CASUAL = Terms("pincer", "a", True), Terms("pincer", "a")
NEVER_STARVED_S = 75  # 600 points of rating at 8 a second

ratings = st.integers(100_000, 4_000_000)
deviations = st.integers(45_000, 350_000)
numbers = st.builds(Numbers, ratings, deviations, st.just(60_000_000))


def known(points: int, deviation: int = 60) -> Numbers:
    return Numbers(points * 1_000, deviation * 1_000, 60_000_000)


def searcher(user: int, choices=(RATED,), waited_s: int = 0) -> Searcher:
    return Searcher(user, tuple(choices), waited_s * 1_000)


def fit_of(*points: int | Numbers) -> RatingFit:
    """Judges users 0, 1… who have these ratings in Pincer."""
    pools = [each if isinstance(each, Numbers) else known(each) for each in points]
    return RatingFit({user: {"pincer": each} for user, each in enumerate(pools)})


@st.composite
def crowds(draw):
    """Searchers with ratings in three games, and what judges them."""
    count = draw(st.integers(0, 16))
    some = st.lists(st.sampled_from(TERMS), unique=True, max_size=4)
    crowd = [searcher(user, draw(some), draw(st.integers(0, 900))) for user in range(count)]
    pools = {user: {game: draw(numbers) for game in GAMES} for user in range(count)}
    return crowd, pools


@given(crowds())
def test_no_rated_pair_is_further_apart_than_the_limit(drawn) -> None:
    crowd, pools = drawn
    for match in pair_searchers(crowd, frozenset(), RatingFit(pools)):
        one, two = (pools[user][match.choice.rules].rating for user in (match.one, match.two))
        assert not match.choice.is_rated or abs(one - two) <= MAX_RATED_GAP * 1_000


@given(crowds())
def test_rated_and_casual_searches_share_no_pair(drawn) -> None:
    crowd, pools = drawn
    chosen = {each.user: each.choices for each in crowd}
    for match in pair_searchers(crowd, frozenset(), RatingFit(pools)):
        assert match.choice in chosen[match.one] and match.choice in chosen[match.two]


@given(crowds(), st.randoms(use_true_random=False))
def test_the_order_in_which_searches_are_read_changes_nothing(drawn, rng: Random) -> None:
    crowd, pools = drawn
    shuffled = list(crowd)
    rng.shuffle(shuffled)
    fit = RatingFit(pools)
    assert pair_searchers(shuffled, frozenset(), fit) == pair_searchers(crowd, frozenset(), fit)


@given(numbers, numbers, st.lists(st.sampled_from(TERMS[:2]), unique=True, min_size=1))
def test_a_distance_is_the_same_from_both_sides(one, two, choices) -> None:
    fit = fit_of(one, two)
    pair = [searcher(0, choices), searcher(1, choices)]
    there = fit(*pair, choices)
    back = fit(*reversed(pair), choices)
    assert there == back


@given(
    st.lists(st.integers(1_500, 1_500 + MAX_RATED_GAP), min_size=3, max_size=3),
    st.integers(45, 350),
)
def test_who_has_waited_for_75_s_is_not_left_over_for_nearer_newcomers(points, deviation) -> None:
    fit = fit_of(*(known(each, deviation) for each in points))
    crowd = [searcher(0, waited_s=NEVER_STARVED_S), searcher(1), searcher(2)]
    (match,) = pair_searchers(crowd, frozenset(), fit)
    assert match.one == 0


def test_who_has_just_come_waits_while_nearer_ones_are_paired() -> None:
    crowd = [searcher(0, waited_s=3), searcher(1), searcher(2)]
    (match,) = pair_searchers(crowd, frozenset(), fit_of(2_000, 1_500, 1_510))
    assert {match.one, match.two} == {1, 2}


def test_the_limit_is_of_rated_games_alone() -> None:
    fit = fit_of(1_500, 2_101)
    for choices, found in (([RATED], None), ([CASUAL], CASUAL), ([RATED, CASUAL], CASUAL)):
        one, two = searcher(0, choices), searcher(1, choices)
        matches = pair_searchers([one, two], frozenset(), fit)
        assert [match.choice for match in matches] == [found] * (found is not None)
    assert fit_of(1_500, 2_100)(searcher(0), searcher(1), [RATED]) is not None


def test_both_who_take_either_play_rated_if_that_is_allowed() -> None:
    one, two = (searcher(user, [RATED, CASUAL]) for user in (0, 1))
    fitting = fit_of(1_500, 1_700)(one, two, common_choices(one, two))
    assert fitting is not None and fitting[1] == RATED


def test_the_less_is_known_of_two_players_the_nearer_they_count() -> None:
    def distance(first: int, second: int) -> int:
        pair = fit_of(known(1_500, first), known(1_900, second))
        return pair(searcher(0), searcher(1), [RATED])[0]

    assert distance(45, 45) > distance(45, 200) > distance(200, 350) > distance(350, 350) > 0
    # g of √(350² + 350²): 1 / √(1 + 3 · 245,000 · (ln 10 / 400)² / π²)
    assert distance(350, 350) == round(400 * 0.537)


def test_of_several_games_the_one_is_played_in_which_the_two_are_nearest() -> None:
    fit = RatingFit(
        {
            0: {"pincer": known(1_500), "blotto": known(1_500)},
            1: {"pincer": known(1_900), "blotto": known(1_520)},
        }
    )
    both = [RATED, Terms("blotto", "a", True)]
    (match,) = pair_searchers([searcher(0, both), searcher(1, both)], frozenset(), fit)
    assert match.choice.rules == "blotto"
