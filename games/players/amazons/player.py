"""Player of all forms of Amazons: book, tree search, area filling once sides are separated."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

from games.catalogue import rules_of
from games.choices import Choices
from games.core import NOOP, Action, Role, View, assemble_joint
from games.players.amazons.area_turns import new_scratch
from games.players.amazons.areas import MAX_AREA_NODES, count, is_parted, own_squares
from games.players.amazons.endings import UNCOMPILED_AREA_NODES, Endings
from games.players.amazons.flood import HALF_BITS, reach
from games.players.amazons.general_weights import WEIGHTS
from games.players.amazons.opening_book import Book, BookTurn, book_turn, load
from games.players.amazons.position import WORD, Position, actions_of, read
from games.players.amazons.search import SIMULATIONS_PER_CHUNK, SLOW_SIMULATIONS_PER_CHUNK, Search
from games.players.amazons.settings import HABITS, LEVELS, Habit
from games.players.amazons.tree import EDGES, NODES, Tree
from games.players.amazons.weights import fitted_weights
from games.players.compiled import IS_COMPILED
from games.players.core import SMALL_PLAYER_BYTES, Allowance, Player, Thought
from games.players.lapses import has_lapse

MOVE_SHARE = 0.75  # of the time for a move with its shot, for the move
MISTAKE_LOSS: Final = 0.1  # of value, from which a lapse is called a mistake


class Searcher(Player):
    """One role of one game of Amazons."""

    def __init__(
        self,
        is_split: bool,
        nodes: int,
        habit: Habit,
        weights: Any = WEIGHTS,
        book: Book | None = None,
    ) -> None:
        self.is_split = is_split
        self.habit = habit
        self.book = book  # of the rule set; None: searches from the start on
        chunk = SIMULATIONS_PER_CHUNK if IS_COMPILED else SLOW_SIMULATIONS_PER_CHUNK
        self.search = Search(nodes, not is_split, chunk, habit.knowledge, weights)
        self.endings = Endings(self.search.scratch)
        self.moved = (Position(0, 0, 0), False)  # after the last own move; whether that was a lapse

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Return an action of the book, else the most visited; see `games.players.core.Player`."""
        if view["to_move"] != role:
            return Thought(NOOP, 0.0, (str(NOOP),), 0, 0, seed)
        if self.book and (found := book_turn(self.book, view, Random(seed))):
            return self._open(found, seed)
        position = read(view)
        if self.is_split:
            return self._choose_split(position, clock, seed)
        if is_parted(position):
            return self._keep(position, seed)
        return self._search(position, clock, seed)

    def ponder(self, view: View, role: Role, clock: Allowance) -> int:
        """Go on below the last own turn; see `games.players.core.Player`.

        Runs nothing without compiled code, or if that turn was chosen without a search.
        """
        if not IS_COMPILED or view["to_move"] == role:
            return 0
        return self.search.ponder(read(view), clock)

    def _open(self, found: BookTurn, seed: int) -> Thought:
        """Return a turn of the book, without a search."""
        self.search.forget()
        line = tuple(map(str, found.actions))
        return Thought(found.actions[0], found.value, line, 0, 0, seed, "book")

    def _choose_split(self, position: Position, clock: Allowance, seed: int) -> Thought:
        """Return an action where every turn burns a cell, so that counting can decide."""
        choice = self.endings.choose(position)
        if choice is None:
            # What is lost by counting is searched as if it were open: the opponent may err.
            is_lost = self.endings.is_lost(position)
            self.search.set_exact(IS_COMPILED and not is_lost)
            thought = self._search(position, clock, seed)
            return replace(thought, value=-1.0, why="solved") if is_lost else thought
        self.search.forget()
        move, arrow = divmod(choice.turn, 128)
        acts = [arrow] if position.move >= 0 else [move, arrow]
        actions = actions_of(acts, position.move >= 0, True)
        line = tuple(map(str, actions))
        return Thought(actions[0], choice.value, line, choice.nodes, choice.depth, seed, choice.why)

    def _search(self, position: Position, clock: Allowance, seed: int) -> Thought:
        rng = Random(seed)
        is_split, search = self.is_split, self.search
        share = clock.nodes if is_split else clock.nodes * 3 // 4
        first = clock if is_split else _first_part(clock)
        why, nodes, edge = self._look(position, share, first, rng)
        line, value, depth = search.line(edge), search.value(edge), search.depth
        search.played.append(line[0])
        if not is_split:
            # The shot has a node of its own below the move; both form one action.
            after = position.after(line[0], True)
            slip, more, edge = self._look(after, clock.nodes - nodes, clock, rng)
            why, nodes = why or slip, nodes + more
            line = [line[0], *search.line(edge)]
            value, depth = search.value(edge), (depth + 1) // 2
            search.played.append(line[1])
        search.put_away()
        actions = actions_of(line, position.move >= 0, is_split)
        return Thought(actions[0], value, tuple(map(str, actions)), nodes, depth, seed, why)

    def _look(
        self, position: Position, nodes: int, clock: Allowance, rng: Random
    ) -> tuple[str, int, int]:
        """Search a position, or glance at it; return the reason, the nodes and the edge to play."""
        search = self.search
        if search.is_narrow:
            search.forget()
        search.look_at(position, rng, clock.time is not None)
        assert search.tree is not None
        is_lapse = self._has_lapse(position, int(search.tree.edge_count[0]), rng)
        if is_lapse:
            best, nodes = search.narrow(position, self.habit.glances, rng)
        else:
            nodes = search.grow(nodes, clock)
        edge = search.best()
        if position.move < 0:
            act = int(search.tree.action[edge])
            self.moved = position.after(act, not self.is_split), is_lapse
        if not is_lapse:
            return "solved" if search.tree.proof[edge] else "", nodes, edge
        is_mistake = search.tree.static[edge] < best - MISTAKE_LOSS
        return "mistake" if is_mistake else "", nodes, edge

    def _has_lapse(self, position: Position, actions: int, rng: Random) -> bool:
        """Return whether this is a lapse; a shot after an own move is one if the move was."""
        moved, was_lapse = self.moved
        if position.move >= 0 and moved == position:
            return was_lapse
        return has_lapse(self.habit.lapses, actions, rng)

    def _keep(self, position: Position, seed: int) -> Thought:
        """Return a turn with the optional arrow: kept, or shot where the side has squares to spare.

        The value is that of the count of own squares. A kept arrow costs no square, and the side
        never runs out of turns. Where squares are not counted, only a side that is ahead has
        something to gain: the opponent may run out of turns if it goes on shooting.
        """
        budget = MAX_AREA_NODES if IS_COMPILED else UNCOMPILED_AREA_NODES
        mine = count(position.own, position.free, budget)
        ahead = own_squares(position.own, position.free) - own_squares(
            position.other, position.free
        )
        move, arrow = divmod(mine.first, 128)
        if ahead <= 0:
            arrow = move >> 7
        elif arrow == move >> 7:
            arrow = _filling_shot(position, move)
        actions = actions_of([move, arrow], False, is_split=False)
        self.search.forget()
        value = float((ahead > 0) - (ahead < 0))
        line = tuple(map(str, actions))
        return Thought(actions[0], value, line, mine.nodes, 1, seed, "counted")

    @property
    def nbytes(self) -> int:
        """The bytes of its tree and of its scratch arrays.

        Of the tree the part that has been written: the rest of its arrays is reserved, but takes no
        memory before (measured by the resident set).
        """
        scratch = sum(int(array.nbytes) for array in self.search.scratch)
        return SMALL_PLAYER_BYTES + scratch + _written_bytes(self.search.tree)


def _written_bytes(tree: Tree | None) -> int:
    """Return the bytes of the nodes and edges that a tree has."""
    if tree is None:
        return 0
    nodes, edges = int(tree.sizes[NODES]), int(tree.sizes[EDGES])
    by_node = (tree.first_edge, tree.edge_count, tree.cut, tree.node_visits, tree.node_value)
    by_edge = (tree.action, tree.static, tree.prior, tree.mean, tree.visits, tree.child, tree.proof)
    node_bytes, edge_bytes = (sum(a.itemsize for a in arrays) for arrays in (by_node, by_edge))
    return int(nodes * node_bytes + edges * edge_bytes)


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
        key=lambda cell: count(own, free ^ 1 << cell, UNCOMPILED_AREA_NODES).turns,
        default=move >> 7,
    )


def _first_part(clock: Allowance) -> Allowance:
    """Return the allowance of the move, where move and shot are one action."""
    return replace(clock, time=clock.time and clock.time.first(MOVE_SHARE))


def player_of(key: str, number: int, may_use_book: bool = True) -> Searcher:
    """Return a new player of a level; without `may_use_book` it searches from the start on."""
    level, habit = LEVELS[key][number - 1], HABITS[key][number]
    book = load()[0].get(key) if habit.has_book and may_use_book else None
    return Searcher(key != "amazons", level.nodes, habit, fitted_weights(key), book)


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
        endings = Endings(new_scratch())
        endings.choose(apart)
        endings.is_lost(apart)
        endings.choose(Position(1, 1 << 2 | 1 << 98, 1 << 11 | 1 << 12 | 1 << 97))
