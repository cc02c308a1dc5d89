"""Pair searchers by minimum-weight matching. Pure.

Of all matchings with the most pairs, the one of least cost is found, by networkx (Edmonds' blossom
algorithm). Each searcher brings only its eight cheapest edges into it, six in a crowd: of 100
searchers the full graph takes ten times as long.
"""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

MAX_EDGES = 8  # of one searcher
CROWD = 32  # more searchers than this are a crowd
MAX_CROWD_EDGES = 6  # of one searcher in a crowd; five would lose a pair now and then
WAIT_UNIT_MS = 1_000  # of waiting lowers the cost by `WAIT_UNIT_COST`
WAIT_UNIT_COST = 8  # points of rating: 40 in 5 s
MAX_WAIT_UNITS = 600  # more waiting counts no more
Choice = tuple[str, str]  # rules key, form value of a clock
Pair = frozenset[int]  # two user ids


class Terms(NamedTuple):
    """Game of a possible pair: rules key, form value of a clock, and whether it is rated."""

    rules: str
    clock: str
    is_rated: bool = False


@dataclass(frozen=True, slots=True)
class Searcher:
    """A user who searches; `choices` are the acceptable games, preferred ones first."""

    user: int
    choices: tuple[Terms, ...]
    waited_ms: int
    is_host: bool = False  # waits in a lobby; two hosts are not paired


@dataclass(frozen=True, slots=True)
class Match:
    """Two users, the one who has waited longer first, and the terms of their game."""

    one: int
    two: int
    choice: Terms


# Takes two searchers and their common choices (not empty, in the order of the first). Returns the
# distance of the players in points of rating (at least zero) and the terms of their game, or None
# if they may play none of these.
Fit = Callable[[Searcher, Searcher, Sequence[Terms]], tuple[int, Terms] | None]


def fit_all(one: Searcher, two: Searcher, common: Sequence[Terms]) -> tuple[int, Terms] | None:
    """Return the first common choice at no distance: all players are alike."""
    return 0, common[0]


def pair_searchers(
    searchers: Sequence[Searcher],
    forbidden: AbstractSet[Pair] = frozenset(),
    fit: Fit = fit_all,
    max_edges: int | None = None,
) -> list[Match]:
    """Return pairs of searchers with a common choice that fits; nobody is in two of them.

    `forbidden` are pairs of users who are never paired. `fit` returns the same distance for both
    orders. `max_edges` are those of one searcher, by default few enough for the number of
    searchers. The order of `searchers` does not matter.
    """
    waiting = sorted(searchers, key=lambda each: (-each.waited_ms, each.user))
    if max_edges is None:
        max_edges = MAX_EDGES if len(waiting) <= CROWD else MAX_CROWD_EDGES
    edges = list(find_edges(waiting, forbidden, fit, max_edges))
    from lobby.pairing.graph_matching import min_weight_matching  # slow to load: see there

    pairs = sorted(sorted(pair) for pair in min_weight_matching(edges))
    return [_match(waiting[one], waiting[two], fit) for one, two in pairs]


def cost(one: Searcher, two: Searcher, distance: int) -> int:
    """Return the cost of a pair at a distance: the longer both have waited, the lower it is."""
    return distance - WAIT_UNIT_COST * (_wait_units(one) + _wait_units(two))


def find_edges(
    waiting: Sequence[Searcher],
    forbidden: AbstractSet[Pair],
    fit: Fit,
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
            if first.user == second.user or (first.is_host and second.is_host):
                continue
            if sets[one].isdisjoint(sets[two]):
                continue
            if forbidden and frozenset((first.user, second.user)) in forbidden:
                continue
            common = [choice for choice in first.choices if choice in sets[two]]
            fitting = fit(first, second, common)
            if fitting is None:
                continue
            allowed[one].append((fitting[0], two - one, two))
            allowed[two].append((fitting[0], two - one, one))
    for one, edges in enumerate(allowed):
        for distance, _, two in sorted(edges)[:max_edges]:
            yield one, two, cost(waiting[one], waiting[two], distance)


def common_choices(one: Searcher, two: Searcher) -> list[Terms]:
    """Return the choices that two searchers share, in the order of the first."""
    return [choice for choice in one.choices if choice in two.choices]


def _match(one: Searcher, two: Searcher, fit: Fit) -> Match:
    fitting = fit(one, two, common_choices(one, two))
    assert fitting is not None  # an edge needs one
    return Match(one.user, two.user, fitting[1])


def _wait_units(searcher: Searcher) -> int:
    return min(searcher.waited_ms // WAIT_UNIT_MS, MAX_WAIT_UNITS)
