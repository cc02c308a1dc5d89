"""Minimum-weight matching of a general graph, by networkx. Pure.

A module of its own, imported when it is needed: networkx takes 0.25 s of CPU to load.
"""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import networkx


class PlainGraph(networkx.Graph):  # type: ignore[misc]  # networkx is not typed
    """Graph of edges with weights that gives out dicts, not read-only views: faster to match."""

    def __init__(self, edges: Iterable[tuple[int, int, int]]) -> None:
        super().__init__()
        self.add_weighted_edges_from(edges)
        self.edges_of = {node: dict(edges) for node, edges in self.adjacency()}

    def __getitem__(self, node: int) -> dict[int, Any]:
        """Return the neighbours of a node with the data of the edges."""
        return self.edges_of[node]


def min_weight_matching(edges: Sequence[tuple[int, int, int]]) -> AbstractSet[tuple[int, int]]:
    """Return the pairs of a matching of greatest size and, of those, of least weight.

    As `networkx.min_weight_matching`, which copies the graph into one of the slower class.
    """
    top = 1 + max((weight for _, _, weight in edges), default=0)
    graph = PlainGraph((one, two, top - weight) for one, two, weight in edges)
    matching: AbstractSet[tuple[int, int]] = networkx.max_weight_matching(
        graph, maxcardinality=True
    )
    return matching
