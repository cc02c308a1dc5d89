"""The best lines of a position, by the search of each game's player."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from games.amazons import Amazons
from games.blotto import Troops
from games.core import OTHER, Role, Rules
from games.moves import Move
from games.pincer import Pincer
from games.players.amazons.position import actions_of, read
from games.players.amazons.search import Search
from games.players.amazons.weights import fitted_weights
from games.players.blotto import equilibrium
from games.players.blotto.splits import INDEX, OUTCOME, ROUNDS, SPLITS
from games.players.core import Allowance
from games.players.pincer.deepening import ANALYSIS_DEPTH_STEPS, Option, weigh
from games.players.pincer.evaluation import FULL, weights
from games.players.pincer.expected_result import expected_result
from games.players.pincer.position import move_of, position_of, step_of
from games.players.pincer.tree import NODES, PROVEN_VALUE, TABLE_ENTRIES, new_tree


@dataclass(frozen=True, slots=True)
class Line:
    """An action with its expected continuation."""

    actions: tuple[str, ...]  # canonical, the first one by the role to move
    value: float  # expected result for the role to move, -1 (lost) to 1 (won)
    visits: int  # simulations through it, or nodes searched for all lines; 0: computed exactly
    is_proved: bool  # the value is exact, whatever the opponent does
    depth: int  # actions on the longest line that was searched; 0: computed exactly


def best_lines(
    rules: Rules[Any], state: Any, role: Role, count: int, nodes: int, seed: int = 1
) -> tuple[Line, ...]:
    """Return up to `count` different actions of `role`, the best first, each with its line.

    `nodes` bounds the work: simulations in Amazons, positions in Pincer. The same arguments give
    the same lines. Empty if the role is not in control.
    """
    if role not in rules.control(state):
        return ()
    if isinstance(rules, Amazons):
        return _amazons_lines(rules, state, role, count, nodes, seed)
    if isinstance(rules, Pincer):
        return _pincer_lines(rules, state, role, count, nodes)
    return _blotto_lines(rules, state, role, count)


def _amazons_lines(
    rules: Amazons, state: Any, role: Role, count: int, nodes: int, seed: int
) -> tuple[Line, ...]:
    """Return the most visited actions of a new tree."""
    position = read(rules.view(state, role))
    search = Search(nodes, not rules.split, weights=fitted_weights(rules.key))
    search.look_at(position, Random(seed))
    search.grow(nodes, Allowance(nodes))
    tree: Any = search.tree
    edges = sorted(
        range(int(tree.edge_count[0])),
        key=lambda edge: (-int(tree.proof[edge]), -int(tree.visits[edge]), edge),
    )
    lines = []
    for edge in edges[:count]:
        acts = search.line(edge)
        if not rules.split and len(acts) % 2:
            acts = acts[:-1]  # half a turn
        actions = actions_of(acts, position.move >= 0, rules.split)
        is_proved = bool(tree.proof[edge])
        visits, texts = int(tree.visits[edge]), tuple(map(str, actions))
        lines.append(Line(texts, search.value(edge), visits, is_proved, search.depth))
    return tuple(line for line in lines if line.actions)


def _pincer_lines(
    rules: Pincer, state: Any, role: Role, count: int, nodes: int
) -> tuple[Line, ...]:
    """Return the steps by their value at the largest depth at which all could be searched."""
    tree = new_tree(TABLE_ENTRIES, weights(FULL))
    at = position_of(rules.view(state, role), role)
    choices = rules.choices(state, role)
    steps = sorted(step_of(move) for move in choices if isinstance(move, Move))
    options: list[Option] = []
    reached = 0
    for depth in range(1, ANALYSIS_DEPTH_STEPS + 1):
        found = weigh(tree, at, steps, depth, Allowance(nodes))
        if options and len(found) < len(steps):
            break
        options, reached = found, depth
    options.sort(key=lambda option: -option.value)
    return tuple(
        Line(
            tuple(str(move_of(step)) for step in option.line),
            expected_result(option.value),
            int(tree.counters[NODES]),
            abs(option.value) > PROVEN_VALUE,
            reached,
        )
        for option in options[:count]
    )


def _blotto_lines(rules: Rules[Any], state: Any, role: Role, count: int) -> tuple[Line, ...]:
    """Return the best replies to the opponent's splits so far, each with the same weight.

    Before the first round the opponent is expected to mix as in the equilibrium. After this round
    both play it.
    """
    rounds = rules.view(state, role)["splits"]
    pairs = [(INDEX[tuple(each[role])], INDEX[tuple(each[OTHER[role]])]) for each in rounds]
    left = ROUNDS - len(pairs)
    lead = sum(OUTCOME[own][theirs] for own, theirs in pairs)
    sent = Counter(theirs for _, theirs in pairs)
    belief = {index: number / len(pairs) for index, number in sent.items()}
    if not pairs:
        belief = dict(enumerate(equilibrium.mix(left, lead)))
    values = [
        sum(
            chance * equilibrium.value(left - 1, lead + OUTCOME[own][theirs])
            for theirs, chance in belief.items()
            if chance
        )
        for own in range(len(SPLITS))
    ]
    best = sorted(range(len(SPLITS)), key=lambda own: -values[own])[:count]
    return tuple(Line((str(Troops(SPLITS[own])),), values[own], 0, False, 0) for own in best)
