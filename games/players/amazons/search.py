"""Monte-Carlo tree search without playouts.

Each simulation adds one node, valued by the evaluation of its best action.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import numpy as np

from games.players.amazons.area_turns import new_scratch
from games.players.amazons.descent import simulate
from games.players.amazons.edges import add_noise, expand
from games.players.amazons.general_weights import MOBILITY_WEIGHTS, WEIGHTS
from games.players.amazons.glances import pick_glanced
from games.players.amazons.position import Position
from games.players.amazons.root_watch import RootWatch
from games.players.amazons.tree import (
    DEPTH,
    EXACT,
    MAX_EDGES,
    Tree,
    copy_of,
    has_room,
    keep_below,
    min_visits_within,
    size_bytes,
    verdict,
    write_into,
)
from games.players.amazons.tree import SHARPNESS as SHARPNESS_INDEX
from games.players.amazons.tree_pool import POOL, WorkingTree
from games.players.compiled import IS_COMPILED
from games.players.core import Allowance

SIMULATIONS_PER_CHUNK: Final = 256  # between two checks of the clock: about 10 ms compiled
SLOW_SIMULATIONS_PER_CHUNK: Final = 4
EXPLORATION: Final = 0.7
SHARPNESS: Final = 4.0
BREADTH: Final = 40.0
VALUE_NOISE: Final = 0.01  # largest random addition to the values at a new root
MAX_ROOM: Final = 51_000  # nodes of a tree that does not go on beyond its simulations
TIMED_ROOM_FACTOR: Final = 2  # room of a search that goes on beyond its nodes
TIMED_KEPT_DIVISOR: Final = 2  # of its room without a clock, the part kept for the next action
MIN_GLANCED_VALUE: Final = -0.9  # what is lost by a few actions need not be lost


class Search:
    """Tree of one role in one game; its results are kept from turn to turn.

    While it is used, the tree is one of `POOL`; `put_away` keeps a copy of what the next action can
    use. Beyond its nodes it prunes the tree whenever it is full, so that memory is bounded (Powley,
    Cowling and Whitehouse, "Memory Bounded Monte Carlo Tree Search", 2017).
    """

    def __init__(
        self,
        nodes: int,
        is_optional: bool,
        chunk: int = SIMULATIONS_PER_CHUNK,
        knowledge: float = 1.0,
        weights: Any = WEIGHTS,
    ) -> None:
        self.room = min(2 * nodes + 1000, MAX_ROOM)
        self.is_optional = is_optional
        self.chunk = chunk
        is_exact = IS_COMPILED and not is_optional  # counting in plain Python takes too long
        self.params = np.array(
            [EXPLORATION, SHARPNESS, BREADTH, float(is_optional), float(is_exact)]
        )
        self.scratch = new_scratch()
        self.weights = knowledge * weights + (1.0 - knowledge) * MOBILITY_WEIGHTS
        self.tree: Tree | None = None  # of `root`
        self.root = Position(0, 0, 0)
        self.played: list[int] = []  # own actions since the root
        self.is_narrow = False  # the root lacks actions
        self._working: WorkingTree | None = None  # what `tree` is a part of, None once put away

    @property
    def held_bytes(self) -> int:
        """The bytes of what is kept between two actions."""
        return size_bytes(self.tree) if self.tree is not None and self._working is None else 0

    def set_exact(self, is_exact: bool) -> None:
        """Prove results by counting from now on, or not; a change forgets the tree."""
        if self.params[EXACT] != float(is_exact):
            self.params[EXACT] = float(is_exact)
            self.forget()

    def forget(self) -> None:
        """Drop what is known."""
        self.tree = None
        if self._working is not None:
            POOL.give_back(self._working)
            self._working = None

    def look_at(self, position: Position, rng: Random, goes_beyond: bool = False) -> None:
        """Make this position the root, with what is known of it."""
        node = self._find_node(position)
        self.root, self.played, self.is_narrow = position, [], False
        tree = self._take_out(node >= 0, self.room * (TIMED_ROOM_FACTOR if goes_beyond else 1))
        if node > 0:
            keep_below(tree, node, 0, self._slots)
        if node >= 0:
            tree.sizes[DEPTH] = max(0, int(tree.sizes[DEPTH]) - 1)
            return
        tree.sizes[:] = 0
        at = np.array(position.words, np.int64)
        expand(tree, at, position.move, 0, MAX_EDGES, self.weights, self.params, self.scratch)
        self._add_noise(tree, rng)

    def _take_out(self, is_continued: bool, room: int) -> Tree:
        """Return the working tree, with what was kept if that is continued."""
        if self._working is None:
            kept = self.tree
            self._working = POOL.borrow(room)
            if kept is not None and is_continued:
                write_into(self._working.tree, kept)
        self.tree = self._working.tree
        return self.tree

    @property
    def _slots(self) -> Any:
        assert self._working is not None
        return self._working.slots

    def put_away(self) -> None:
        """Keep what follows the own actions since the root, and give the working tree back."""
        tree = self.tree
        if self._working is None or tree is None:
            return
        node, reached = 0, self.root
        for act in self.played:
            reached, node = reached.after(act, self.is_optional), self._find_child(node, act)
            if node < 0:
                self.forget()
                return
        if node > 0:
            keep_below(tree, node, 0, self._slots)
        if len(tree.first_edge) > self.room:
            self._prune(tree, self.room // TIMED_KEPT_DIVISOR)
        self.root, self.played = reached, []
        kept = copy_of(tree)
        self.forget()
        self.tree = kept

    def _prune(self, tree: Tree, nodes: int) -> None:
        """Drop the least visited nodes until at most this many are left, and edges accordingly."""
        if min_visits := min_visits_within(tree, nodes):
            keep_below(tree, 0, min_visits, self._slots)

    def _find_node(self, position: Position) -> int:
        """Return the node of a position at most one turn of each side after the root, or -1."""
        if self.tree is None:
            return -1
        reached, node = self.root, 0
        for act in self.played:
            reached, node = reached.after(act, self.is_optional), self._find_child(node, act)
            if node < 0:
                return -1
        if reached != position and reached.move < 0:
            for act in reached.go_to(position):
                reached, node = reached.after(act, self.is_optional), self._find_child(node, act)
                if node < 0:
                    return -1
        return node if reached == position and self.tree.edge_count[node] > 0 else -1

    def _find_child(self, node: int, act: int) -> int:
        assert self.tree is not None
        start = int(self.tree.first_edge[node])
        for edge in range(start, start + int(self.tree.edge_count[node])):
            if self.tree.action[edge] == act:
                return int(self.tree.child[edge])
        return -1

    def _add_noise(self, tree: Tree, rng: Random) -> None:
        """Shuffle nearly equal actions at a new root."""
        many = int(tree.edge_count[0])
        noise = [VALUE_NOISE * rng.random() for _ in range(many)]
        add_noise(tree, np.array(noise, np.float32), float(self.params[SHARPNESS_INDEX]))

    def grow(self, visits: int, clock: Allowance) -> int:
        """Simulate until the root has this many visits; return the number of simulations.

        Runs at least a quarter as many simulations. With `clock.time` goes on until the choice is
        clear or that time is over.
        """
        assert self.tree is not None
        missing = max(visits - int(self.tree.node_visits[0]), visits // 4)
        began_s = clock.time.elapsed_s() if clock.time else 0.0
        done = self._grow_by(missing, clock)
        if clock.time and done >= missing:
            done = self._go_on(clock, done, began_s)
        return done

    def ponder(self, position: Position, clock: Allowance) -> int:
        """Go on below a position of the other side, if what was kept begins there.

        Runs at most `clock.nodes` simulations, and returns how many were run.
        """
        if self.is_narrow or self._find_node(position) != 0 or clock.is_over():
            return 0
        self.look_at(position, Random(0), goes_beyond=True)
        assert self.tree is not None
        done = self._grow_by(clock.nodes, clock)
        self.put_away()
        return done

    def _grow_by(self, simulations: int, clock: Allowance) -> int:
        """Simulate until the clock is over or the root is decided.

        Runs at least a chunk, unless it is decided; returns the number of simulations.
        """
        done = 0
        while done < simulations and not (done and clock.is_over()):
            times = min(self.chunk, simulations - done)
            now = self._simulate(times)
            done += now
            if now < times and not self._make_room():
                break
        return done

    def _go_on(self, clock: Allowance, done: int, began_s: float) -> int:
        """Simulate for as long as the time allows and the choice needs; return all simulations."""
        time, tree = clock.time, self.tree
        assert time is not None and tree is not None
        watch = RootWatch(tree, time, began_s)
        while not (clock.is_over() or watch.is_enough(done)) and time.may_go_on():
            now = self._simulate(self.chunk)
            done += now
            if now < self.chunk and not self._make_room():
                break
        return done

    def _make_room(self) -> bool:
        """Prune the tree if it is full; return whether the search can go on.

        It cannot where the root is decided.
        """
        tree = self.tree
        assert tree is not None
        if verdict(tree, 0) != 0:
            return False
        if not has_room(tree):
            self._prune(tree, len(tree.first_edge) // 2)
        return bool(has_room(tree))

    def _simulate(self, times: int) -> int:
        """Run so many simulations; return how many were run."""
        assert self.tree is not None
        at = np.array(self.root.words, np.int64)
        return int(
            simulate(self.tree, at, self.root.move, times, self.weights, self.params, self.scratch)
        )

    def best(self, node: int = 0) -> int:
        """Return the edge to play at a node: a won one, else the most visited that is not lost."""
        assert self.tree is not None
        start = int(self.tree.first_edge[node])
        edges = range(start, start + int(self.tree.edge_count[node]))
        proof, visits, mean = self.tree.proof, self.tree.visits, self.tree.mean
        return max(edges, key=lambda edge: (proof[edge], visits[edge], mean[edge], -edge))

    def narrow(self, position: Position, glances: float, rng: Random) -> tuple[float, int]:
        """Forget all actions of the root but those that `pick_glanced` returns, and all replies.

        Returns the evaluation of the best action there was, and how many are left.
        """
        assert self.tree is not None
        tree, many = self.tree, int(self.tree.edge_count[0])
        top = float(tree.static[0])
        kept = pick_glanced(position, tree.action[:many], glances, rng)
        edges = slice(0, len(kept))
        for array in (tree.action, tree.static, tree.prior, tree.proof):
            array[edges] = array[kept]
        tree.prior[edges] /= tree.prior[edges].sum()
        tree.mean[edges] = tree.proof[edges]
        tree.visits[edges], tree.child[edges] = 0, -1
        tree.edge_count[0], tree.cut[0] = len(kept), 1
        tree.node_visits[0], tree.node_value[0] = 0, tree.static[0]
        self.is_narrow = True
        return top, len(kept)

    def line(self, edge: int) -> list[int]:
        """Return the expected actions from an edge of the root on."""
        assert self.tree is not None
        acts = [int(self.tree.action[edge])]
        node = int(self.tree.child[edge])
        while node >= 0 and self.tree.edge_count[node] > 0 and self.tree.node_visits[node] > 0:
            edge = self.best(node)
            acts.append(int(self.tree.action[edge]))
            node = int(self.tree.child[edge])
        return acts

    def value(self, edge: int) -> float:
        """Return the value of an edge of the root for the side that chooses there."""
        assert self.tree is not None
        tree: Any = self.tree
        if self.is_narrow:
            return max(MIN_GLANCED_VALUE, float(tree.static[edge]))
        if tree.visits[edge]:
            return float(tree.mean[edge])
        return max(-1.0, float(tree.node_value[0] + tree.static[edge] - tree.static[0]))

    @property
    def depth(self) -> int:
        assert self.tree is not None
        return int(self.tree.sizes[DEPTH])
