"""Helpers for tests of the Amazons player: random positions, games, a slow oracle."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from random import Random
from typing import Any

from games.catalogue import rules_of
from games.core import assemble_joint
from games.players.amazons.position import Position, read
from games.players.core import Allowance, Player, Thought
from tests.games.oracle import EIGHT, Board, Cell, board_of, queen
from tests.games.stories import Story, drawn

FAR = 99


def random_position(key: str, turns: int, rng: Random) -> Story:
    """The story after some random turns with every arrow placed, or at the end of its game."""
    rules = rules_of(key)
    story = Story(key, rules.start())
    while story.outcome is None and (story.state.turns < turns or story.state.moved is not None):
        action = rules.choices(story.state, story.mover).sample(rng)
        if getattr(action, "arrow", 0) != getattr(action, "origin", None):
            story = story.play(str(action))
    return story


def read_position(story: Story) -> Position:
    """The position as the search sees it."""
    return read(story.rules.view(story.state, story.mover))


def think(player: Player, story: Story, nodes: int, seed: int = 1, **more: Any) -> Thought:
    """The thought of a player for the role in control of a story."""
    rules, role = story.rules, story.mover
    view, choices = rules.view(story.state, role), rules.choices(story.state, role)
    return player.choose(view, role, choices, Allowance(nodes, **more), seed)


def play_out(story: Story, players: dict[str, Player], nodes: int, most: int = 300) -> Story:
    """Plays a game to its end, or for `most` actions; every action has to be legal."""
    for number in range(most):
        if story.outcome is not None:
            break
        thought = think(players[story.mover], story, nodes, number)
        assert thought.action in story.rules.choices(story.state, story.mover)
        assert thought.line[0] == str(thought.action)
        state = story.rules.play(
            story.state, assemble_joint(story.rules, story.state, {story.mover: thought.action})
        )
        story = Story(story.key, state)
    return story


def _king(board: Board, cell: Cell) -> list[Cell]:
    around = [(cell[0] + dx, cell[1] + dy) for dx, dy in EIGHT]
    return [other for other in around if board.get(other) == "."]


def distances(board: Board, letter: str, steps: Callable[[Board, Cell], list[Cell]]) -> dict:
    """The fewest steps of a side to each empty cell that it can reach."""
    found: dict[Cell, int] = {}
    queue = deque((cell, 0) for cell, piece in board.items() if piece == letter)
    while queue:
        cell, so_far = queue.popleft()
        for other in steps(board, cell):
            if other not in found:
                found[other] = so_far + 1
                queue.append((other, so_far + 1))
    return found


def slow_inputs(text: str, own: str, other: str) -> tuple[float, list[float]]:
    """w and the inputs of the evaluation from their definitions, cell by cell."""
    board = board_of(text)
    empty = [cell for cell, piece in board.items() if piece == "."]
    mine, theirs = distances(board, own, queen), distances(board, other, queen)
    pairs = Counter((_queen_class(mine, cell), _queen_class(theirs, cell)) for cell in empty)
    inputs = [float(pairs[one, two]) for one in range(5) for two in range(5)]
    shared = {pair: count for pair, count in pairs.items() if max(pair) < 4}
    w = sum(count * 2.0 ** -min(2, abs(one - two)) for (one, two), count in shared.items())
    mine, theirs = distances(board, own, _king), distances(board, other, _king)
    pairs = Counter((_king_class(mine, cell), _king_class(theirs, cell)) for cell in empty)
    inputs += [float(pairs[one, two]) for one in range(6) for two in range(6)]
    return w, [*inputs, _crowding(board, other), _crowding(board, own), 0.0]


def _queen_class(found: dict, cell: Cell) -> int:
    """1, 2, 3, 4 or more queen moves, never."""
    return min(found[cell], 4) - 1 if cell in found else 4


def _king_class(found: dict, cell: Cell) -> int:
    """1, 2, 3, 4, 5 to 6 king moves, more or never."""
    moves = found.get(cell, FAR)
    return moves - 1 if moves <= 4 else 4 if moves <= 6 else 5


def _crowding(board: Board, letter: str) -> float:
    total = 0.0
    for cell in [cell for cell, piece in board.items() if piece == letter]:
        first = _king(board, cell)
        room = {other for step in first for other in _king(board, step)} | set(first)
        total += max(0, 12 - len(room)) ** 2 / 144
    return total


__all__ = ["Story", "drawn", "play_out", "random_position", "read_position", "slow_inputs", "think"]
