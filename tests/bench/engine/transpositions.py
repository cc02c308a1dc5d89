"""Measure the share of transpositions in a search tree of Amazons.

    python -m tests.bench.engine.transpositions [--games 4] [--nodes 25000]

Prints, by the turns played, the share of nodes and of visits that a table of positions could have
merged. The visits count all but the most visited node of each position.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from random import Random
from typing import Final

from games.catalogue import rules_of
from games.core import advance, assemble_joint
from games.lab.openings import openings
from games.players.amazons.position import Position, read
from games.players.amazons.search import Search
from games.players.amazons.tree import NODES
from games.players.amazons.weights import fitted_weights
from games.players.core import Allowance
from games.players.levels import level_of, player_of, warm

KEYS: Final = ("amazons-8x8", "amazons-10x10")
TURNS: Final = (4, 10, 20, 30)  # played before the search
LEVEL: Final = 6  # that plays them


def visits_by_position(search: Search) -> dict[Position, list[int]]:
    """Return the visits of all nodes of each position in the tree of a search."""
    tree = search.tree
    assert tree is not None
    positions = {0: search.root}
    found = defaultdict[Position, list[int]](list)
    for node in range(int(tree.sizes[NODES])):  # a child is made after its parent
        position = positions.pop(node)
        found[position].append(int(tree.node_visits[node]))
        start = int(tree.first_edge[node])
        for edge in range(start, start + int(tree.edge_count[node])):
            if tree.child[edge] >= 0:
                act = int(tree.action[edge])
                positions[int(tree.child[edge])] = position.after(act, search.is_optional)
    return found


def shares(visits: dict[Position, list[int]]) -> tuple[float, float]:
    """Return the shares of nodes and of visits that are not the most visited of their position."""
    nodes = sum(len(each) for each in visits.values())
    total = sum(sum(each) for each in visits.values())
    again = total - sum(max(each) for each in visits.values())
    return (nodes - len(visits)) / nodes, again / total


def position_after(key: str, turns: int, opening: int) -> Position | None:
    """Return the position after so many turns between two levels; None if the game ends before."""
    rules, level = rules_of(key), level_of(key, LEVEL)
    state = rules.start()
    for joint in openings(key, opening + 1, 1)[opening]:
        state = advance(rules, state, joint)
    players = {role: player_of(key, LEVEL) for role in rules.roles}
    while rules.turns(state) < turns and rules.control(state):
        (role,) = rules.control(state)
        view, choices = rules.view(state, role), rules.choices(state, role)
        thought = players[role].choose(view, role, choices, Allowance(level.nodes), turns)
        state = advance(rules, state, assemble_joint(rules, state, {role: thought.action}))
    return read(rules.view(state, None)) if rules.control(state) else None


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--nodes", type=int, default=25_000)
    arguments = parser.parse_args()
    for key in KEYS:
        warm(key)
        for turns in TURNS:
            found = []
            for opening in range(arguments.games):
                position = position_after(key, turns, opening)
                if position is None:
                    continue
                search = Search(arguments.nodes, False, weights=fitted_weights(key))
                search.look_at(position, Random(1))
                search.grow(arguments.nodes, Allowance(arguments.nodes))
                found.append(shares(visits_by_position(search)))
                search.forget()
            nodes, visits = (100 * sum(each) / len(found) for each in zip(*found, strict=True))
            print(f"{key} after {turns} turns: {nodes:.2f} % of nodes, {visits:.2f} % of visits")


if __name__ == "__main__":
    main()
