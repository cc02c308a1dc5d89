"""Player of all forms of Amazons: tree search first, area filling once sides are separated."""

from __future__ import annotations

from math import tanh
from random import Random
from typing import Final

from games.catalogue import rules_of
from games.choices import Choices
from games.core import NOOP, Action, Role, View, assemble_joint
from games.players.amazons.areas import MAX_AREA_NODES, Filling, count, is_parted
from games.players.amazons.flood import HALF_BITS, reach
from games.players.amazons.position import WORD, Position, actions_of, read
from games.players.amazons.search import SIMULATIONS_PER_CHUNK, SLOW_SIMULATIONS_PER_CHUNK, Search
from games.players.amazons.settings import HABITS, LEVELS, Habit
from games.players.compiled import IS_COMPILED
from games.players.core import Allowance, Thought

# Value of more territory where the opponent may draw by omitting arrows: it may still resign.
DRAWABLE_VALUE: Final = 0.1
SLOW_AREA_NODES: Final = 20  # as MAX_AREA_NODES, without numba


class Searcher:
    """One role of one game of Amazons."""

    def __init__(self, is_split: bool, nodes: int, habit: Habit) -> None:
        self.is_split = is_split
        self.habit = habit
        chunk = SIMULATIONS_PER_CHUNK if IS_COMPILED else SLOW_SIMULATIONS_PER_CHUNK
        self.search = Search(nodes, not is_split, chunk)

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return the most visited action; see `games.players.core.Player`."""
        if view["to_move"] != role:
            return Thought(NOOP, 0.0, (str(NOOP),), 0, 0, seed)
        position = read(view)
        if is_parted(position):
            return self._fill(position, clock, seed)
        return self._search(position, clock, seed)

    def _search(self, position: Position, clock: Allowance, seed: int) -> Thought:
        rng = Random(seed)
        search = self.search
        search.look_at(position, rng)
        nodes = search.grow(clock.nodes if self.is_split else clock.nodes * 3 // 4, clock)
        best, edge = search.best(), search.pick(self.habit.temper, rng)
        line, value, depth = search.line(edge), search.value(edge), search.depth
        why = self._why(best, edge)
        search.played.append(line[0])
        if not self.is_split:
            # The shot has a node of its own below the move; both form one action.
            search.look_at(position.after(line[0], True), rng)
            nodes += search.grow(clock.nodes - nodes, clock)
            edge = search.pick(self.habit.temper, rng)
            line = [line[0], *search.line(edge)]
            value, depth = search.value(edge), (depth + 1) // 2
            search.played.append(line[1])
        actions = actions_of(line, position.move >= 0, self.is_split)
        return Thought(actions[0], value, tuple(map(str, actions)), nodes, depth, seed, why)

    def _why(self, best: int, edge: int) -> str:
        tree = self.search.tree
        assert tree is not None
        if tree.proof[edge]:
            return "solved"
        return "mistake" if self.search.value(edge) < self.search.value(best) - 0.1 else ""

    def _fill(self, position: Position, clock: Allowance, seed: int) -> Thought:
        budget = MAX_AREA_NODES if IS_COMPILED else SLOW_AREA_NODES
        mine = count(position.own, position.free, budget, position.move)
        theirs = count(position.other, position.free, budget)
        move, arrow = divmod(mine.first, 128)
        value, why = _filling_value(mine, theirs), "filling"
        if not self.is_split and not self.habit.always_shoots and value < 0.0:
            # A side that omits arrows keeps the cell it leaves, so it never runs out of turns.
            arrow, value, why = move >> 7, 0.0, "drawn"
        elif not self.is_split and arrow == move >> 7:
            arrow = _filling_shot(position, move)
        if not self.is_split and not self.habit.always_shoots and theirs.most:
            value = min(value, DRAWABLE_VALUE)
        acts = [arrow] if position.move >= 0 else [move, arrow]
        actions = actions_of(acts, position.move >= 0, self.is_split)
        self.search.tree = None
        nodes = mine.nodes + theirs.nodes
        return Thought(actions[0], value, tuple(map(str, actions)), nodes, mine.turns, seed, why)


def _filling_shot(position: Position, move: int) -> int:
    """Return the arrow after a move that leaves the most turns.

    Avoids the move's origin, which means no arrow, unless nothing else is left.
    """
    origin, target = 1 << (move >> 7), 1 << (move & 127)
    own, free = position.own ^ origin ^ target, position.free ^ origin ^ target
    low, high = reach(target & WORD, target >> HALF_BITS, free & WORD, free >> HALF_BITS)
    goals = (low | high << HALF_BITS) & ~origin
    cells = [cell for cell in range(goals.bit_length()) if goals >> cell & 1]
    return max(
        cells,
        key=lambda cell: count(own, free ^ 1 << cell, SLOW_AREA_NODES).turns,
        default=move >> 7,
    )


def _filling_value(mine: Filling, theirs: Filling) -> float:
    """Return the result if both fill their areas: the side that runs out of turns first loses."""
    if mine.turns > theirs.most:
        return 1.0
    if mine.most <= theirs.turns:
        return -1.0
    return tanh(mine.turns - theirs.turns - 0.5)


def player_of(key: str, number: int) -> Searcher:
    """Return a new player of a level."""
    level = LEVELS[key][number - 1]
    return Searcher(key != "amazons", level.nodes, HABITS[number])


def warm() -> None:
    """Play a small turn of each form, so that everything is compiled or loaded from disk."""
    for key in LEVELS:
        rules = rules_of(key)
        state = rules.start()
        player = Searcher(key != "amazons", 8, Habit())
        for _ in range(2):
            (role,) = rules.control(state)
            view, choices = rules.view(state, role), rules.choices(state, role)
            thought = player.choose(view, role, choices, Allowance(8), 1)
            state = rules.play(state, assemble_joint(rules, state, {role: thought.action}))
    for apart in (Position(1, 1 << 98, 1 << 1 | 1 << 97), Position(1, 1 << 98, 1 << 1, 129)):
        count(apart.own, apart.free, 1, apart.move)
