"""Pair searchers by minimum-weight matching. Pure.

Of all matchings with the most pairs, the one of least cost is found, by networkx (Edmonds' blossom
algorithm). Each searcher brings only its eight cheapest edges into it, six in a crowd: of 100
searchers the full graph takes ten times as long.
"""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

MAX_EDGES = 8  # of one searcher
CROWD = 32  # more searchers than this are a crowd
MAX_CROWD_EDGES = 6  # of one searcher in a crowd; five would lose a pair now and then
WAIT_UNIT_MS = 1_000  # of waiting lowers the cost by one
MAX_WAIT_UNITS = 600  # more waiting counts no more
Choice = tuple[str, str]  # rules key, form value of a clock
Pair = frozenset[int]  # two user ids


@dataclass(frozen=True, slots=True)
class Searcher:
    """A user who searches; `choices` are what the user would play, preferred ones first."""

    user: int
    choices: tuple[Choice, ...]
    waited_ms: int


@dataclass(frozen=True, slots=True)
class Match:
    """Two users, the one who has waited longer first, and what they play."""

    one: int
    two: int
    choice: Choice


Distance = Callable[[Searcher, Searcher], int]  # how unlike two players are, in units of cost


def no_distance(one: Searcher, two: Searcher) -> int:
    """Return zero: while there are no ratings, all players are alike."""
    return 0


def pair_searchers(
    searchers: Sequence[Searcher],
    forbidden: AbstractSet[Pair] = frozenset(),
    distance: Distance = no_distance,
    max_edges: int | None = None,
) -> list[Match]:
    """Return pairs of searchers with a common choice; nobody is in two of them.

    `forbidden` are pairs of users who are never paired. `distance` returns an integer of at least
    zero, the same for both orders. `max_edges` are those of one searcher, by default few enough for
    the number of searchers.
    """
    waiting = sorted(searchers, key=lambda each: (-each.waited_ms, each.user))
    if max_edges is None:
        max_edges = MAX_EDGES if len(waiting) <= CROWD else MAX_CROWD_EDGES
    edges = list(find_edges(waiting, forbidden, distance, max_edges))
    from matchmaking.graph_matching import min_weight_matching  # slow to load: see there

    pairs = sorted(sorted(pair) for pair in min_weight_matching(edges))
    return [_match(waiting[one], waiting[two]) for one, two in pairs]


def cost(one: Searcher, two: Searcher, distance: Distance = no_distance) -> int:
    """Return the cost of a pair: the longer both have waited, the lower it is."""
    return distance(one, two) - _wait_units(one) - _wait_units(two)


def find_edges(
    waiting: Sequence[Searcher],
    forbidden: AbstractSet[Pair],
    distance: Distance,
    max_edges: int,
) -> Iterator[tuple[int, int, int]]:
    """Yield the cheapest edges of every searcher as two indices and a cost; some of them twice.

    `waiting` is sorted, the longest waiting first. How long the other has waited does not count
    here: else all edges would lead to the same eight searchers. Equal ones are taken from nearby in
    the order of waiting, which spreads the edges.
    """
    allowed: list[list[tuple[int, int, int]]] = [[] for _ in waiting]
    sets = [frozenset(each.choices) for each in waiting]
    for one, first in enumerate(waiting):
        for two in range(one + 1, len(waiting)):
            second = waiting[two]
            if first.user == second.user or sets[one].isdisjoint(sets[two]):
                continue
            if forbidden and frozenset((first.user, second.user)) in forbidden:
                continue
            far = distance(first, second)
            allowed[one].append((far, two - one, two))
            allowed[two].append((far, two - one, one))
    for one, edges in enumerate(allowed):
        for _, _, two in sorted(edges)[:max_edges]:
            yield one, two, cost(waiting[one], waiting[two], distance)


def common_choice(one: Searcher, two: Searcher) -> Choice | None:
    """Return the first choice of one searcher that is also the other's, or None."""
    return next((choice for choice in one.choices if choice in two.choices), None)


def _match(one: Searcher, two: Searcher) -> Match:
    choice = common_choice(one, two)
    assert choice is not None  # an edge needs one
    return Match(one.user, two.user, choice)


def _wait_units(searcher: Searcher) -> int:
    return min(searcher.waited_ms // WAIT_UNIT_MS, MAX_WAIT_UNITS)
