"""The pure pairing: permitted pairs, the maximum number of pairs, and the cost of eight edges."""

from itertools import combinations

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from lobby.pairing.pairing import (
    MAX_CROWD_EDGES,
    Match,
    Searcher,
    common_choices,
    cost,
    find_edges,
    pair_searchers,
)

CHOICES = [(game, clock) for game in ("pincer", "blotto", "amazons") for clock in ("a", "b")]
PINCER = (("pincer", "a"),)


def searcher(user: int, choices=PINCER, waited_s: int = 0) -> Searcher:
    return Searcher(user, tuple(choices), waited_s * 1_000)


@st.composite
def crowds(draw, most: int = 10):
    """Searchers with their forbidden pairs, and a rating of each."""
    count = draw(st.integers(0, most))
    lists = st.lists(st.sampled_from(CHOICES), unique=True, max_size=4)
    crowd = [searcher(user, draw(lists), draw(st.integers(0, 900))) for user in range(count)]
    pairs = [frozenset(pair) for pair in combinations(range(count), 2)]
    forbidden = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    ratings = draw(st.lists(st.integers(0, 2_000), min_size=count, max_size=count))
    return crowd, forbidden, ratings


def fit_of(ratings):
    return lambda one, two, common: (abs(ratings[one.user] - ratings[two.user]), common[0])


def price_of(matches, crowd, fit) -> int:
    """The cost of all pairs together."""
    users = {each.user: each for each in crowd}
    pairs = [(users[match.one], users[match.two]) for match in matches]
    return sum(cost(one, two, fit(one, two, common_choices(one, two))[0]) for one, two in pairs)


def best_by_brute_force(crowd, forbidden, fit) -> tuple[int, int]:
    """The most pairs that are possible, as a negative number, and the least cost of so many."""
    if not crowd:
        return 0, 0
    first, rest = crowd[0], crowd[1:]
    results = [best_by_brute_force(rest, forbidden, fit)]
    for other in rest:
        common = common_choices(first, other)
        if frozenset((first.user, other.user)) in forbidden or not common:
            continue
        left = [each for each in rest if each is not other]
        pairs, price = best_by_brute_force(left, forbidden, fit)
        results.append((pairs - 1, price + cost(first, other, fit(first, other, common)[0])))
    return min(results)


@given(crowds(40))
def test_nobody_is_paired_with_who_is_forbidden_or_shares_no_choice_or_twice(drawn):
    crowd, forbidden, ratings = drawn
    chosen = {each.user: each for each in crowd}
    matches = pair_searchers(crowd, forbidden, fit_of(ratings))
    paired = [user for match in matches for user in (match.one, match.two)]
    assert len(paired) == len(set(paired))
    for match in matches:
        one, two = chosen[match.one], chosen[match.two]
        assert frozenset((match.one, match.two)) not in forbidden
        assert one.waited_ms >= two.waited_ms
        assert match.choice == common_choices(one, two)[0]


@given(crowds(8))
def test_up_to_nine_searchers_are_paired_as_well_as_brute_force_can(drawn):
    crowd, forbidden, ratings = drawn
    fit = fit_of(ratings)
    matches = pair_searchers(crowd, forbidden, fit)
    assert (-len(matches), price_of(matches, crowd, fit)) == best_by_brute_force(
        crowd, forbidden, fit
    )


@given(crowds(10))
def test_of_ten_searchers_eight_edges_each_lose_no_pair(drawn):
    crowd, _, ratings = drawn
    alike = [searcher(each.user, PINCER, each.waited_ms // 1_000) for each in crowd]
    assert len(pair_searchers(alike, frozenset(), fit_of(ratings))) == len(crowd) // 2


def test_the_same_user_is_never_paired_with_themselves():
    assert pair_searchers([searcher(1), searcher(1)]) == []


def test_who_has_waited_longest_is_not_the_one_who_is_left_over():
    crowd = [searcher(1, waited_s=60), searcher(2), searcher(3)]
    (match,) = pair_searchers(crowd)
    assert match.one == 1


def test_the_pair_plays_what_the_longer_waiting_one_prefers():
    fast, slow = ("pincer", "a"), ("pincer", "b")
    old, young = searcher(1, [slow, fast], 30), searcher(2, [fast, slow])
    assert pair_searchers([young, old]) == [Match(1, 2, slow)]


def test_a_hundred_alike_are_all_paired():
    crowd = [searcher(user, waited_s=user % 7) for user in range(100)]
    assert len(pair_searchers(crowd)) == 50


@given(crowds(50), st.integers(33, 60))
@settings(max_examples=20)
def test_in_a_crowd_six_edges_each_pair_as_networkx_does_on_the_same_graph(drawn, count):
    _, _, ratings = drawn
    known = {user: ratings[user % len(ratings)] if ratings else 0 for user in range(count)}
    crowd = [searcher(user, CHOICES[user % 5 :][:2], user * 7 % 50) for user in range(count)]
    fit = fit_of(known)
    waiting = sorted(crowd, key=lambda each: (-each.waited_ms, each.user))
    graph = networkx.Graph()
    for one, two, weight in find_edges(waiting, frozenset(), fit, MAX_CROWD_EDGES):
        graph.add_edge(one, two, weight=weight)
    least = [(waiting[a], waiting[b]) for a, b in networkx.min_weight_matching(graph)]
    matches = pair_searchers(crowd, frozenset(), fit)
    assert len(matches) == len(least)
    found = [Match(one.user, two.user, common_choices(one, two)[0]) for one, two in least]
    assert price_of(matches, crowd, fit) == price_of(found, crowd, fit)


def test_near_ratings_are_paired():
    ratings = {1: 1000, 2: 1800, 3: 1010, 4: 1790}
    matches = pair_searchers([searcher(user) for user in ratings], frozenset(), fit_of(ratings))
    assert {frozenset((match.one, match.two)) for match in matches} == {
        frozenset((1, 3)),
        frozenset((2, 4)),
    }
