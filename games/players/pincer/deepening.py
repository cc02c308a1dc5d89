"""Iterative deepening: search deeper until the allowance is spent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.players.compiled import IS_COMPILED
from games.players.core import Allowance
from games.players.pincer.board import MAX_MOVES, apply_step, hand_over, is_decided, shift
from games.players.pincer.position import Position
from games.players.pincer.search import result, run
from games.players.pincer.table import recall, step_of
from games.players.pincer.tree import (
    ALPHA,
    BETA,
    CHOSEN,
    DEPTH,
    MADE,
    NO_STEP,
    NODES,
    NOW,
    OWN,
    PLY,
    PROVEN_VALUE,
    STEPPED,
    THEIRS,
    WON_VALUE,
    Tree,
)

# Nodes between two checks of the clock: about 10 ms.
CHUNK_NODES: Final = 10_000 if IS_COMPILED else 200


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of a search."""

    step: int  # NO_STEP if not even one step could be examined
    value: int  # for the role to move
    depth: int  # single steps of the last complete search
    line: tuple[int, ...]  # steps, beginning with the own one


def _set_root(tree: Tree, at: Position, depth: int) -> None:
    """Set the position as the first frame, to be searched to this depth."""
    frames = tree.frames
    frames[OWN], frames[THEIRS], frames[STEPPED] = at.own, at.theirs, at.stepped
    frames[DEPTH], frames[ALPHA], frames[BETA] = depth, -WON_VALUE, WON_VALUE
    frames[CHOSEN] = NO_STEP
    tree.counters[PLY], tree.counters[MADE] = 0, at.moves


def _run_to_end(tree: Tree, clock: Allowance) -> bool:
    """Run the search until it is done (True) or the allowance is spent (False)."""
    while not run(tree, min(clock.nodes, int(tree.counters[NODES]) + CHUNK_NODES)):
        if tree.counters[NODES] >= clock.nodes or clock.is_over():
            return False
    return True


def deepen(tree: Tree, at: Position, deepest: int, clock: Allowance) -> Finding:
    """Return the best step of a position that is not decided and has one.

    The node counter continues from its present value. An incomplete search counts if its first
    step, the best so far, was examined.
    """
    best = Finding(NO_STEP, 0, 0, ())
    for depth in range(1, max(1, min(deepest, MAX_MOVES - at.moves)) + 1):
        _set_root(tree, at, depth)
        is_finished = _run_to_end(tree, clock)
        step = int(tree.frames[CHOSEN])
        if not is_finished:
            if step not in (NO_STEP, best.step):
                value = int(tree.frames[ALPHA])
                best = Finding(step, value, best.depth, _line(tree, at, step))
            break
        value = int(tree.frames[NOW])
        best = Finding(step, value, depth, _line(tree, at, step))
        if abs(value) > PROVEN_VALUE:
            break
    return best


def after(at: Position, step: int) -> tuple[Position, bool]:
    """Return the position after a step, and whether the same role is to move."""
    origin = 1 << (step >> 2)
    target = shift(origin, step & 3)
    left, enemies = apply_step(at.own, at.theirs, origin, target)
    own, theirs, stepped, is_same = hand_over(at.own, at.stepped, left, enemies, target)
    return Position(int(own), int(theirs), int(stepped), at.moves + 1), bool(is_same)


def _line(tree: Tree, at: Position, step: int) -> tuple[int, ...]:
    """Return the step and the best steps after it in the table."""
    return tuple(_follow_line(tree, at, step))


def _follow_line(tree: Tree, at: Position, step: int) -> Iterator[int]:
    while step != NO_STEP:
        yield step
        at, _ = after(at, step)
        if is_decided(at.own, at.theirs, at.moves):
            return
        step = int(step_of(recall(tree.table, at.own, at.theirs, at.stepped, at.moves)))


@dataclass(frozen=True, slots=True)
class Option:
    """Legal step with its value."""

    step: int
    value: int
    line: tuple[int, ...]


def weigh(tree: Tree, at: Position, steps: list[int], depth: int, clock: Allowance) -> list[Option]:
    """Return each step with its value at depth `depth`, itself included, in the given order.

    Steps beyond the allowance are left out, but never the first.
    """
    options: list[Option] = []
    for step in steps:
        below, is_same = after(at, step)
        if depth <= 1 or is_decided(below.own, below.theirs, below.moves):
            found = Finding(NO_STEP, _quiet_value(tree, below), 0, ())
        else:
            found = deepen(tree, below, depth - 1, clock)
        if options and (tree.counters[NODES] >= clock.nodes or clock.is_over()):
            break
        value = found.value if is_same else -found.value
        options.append(Option(step, value, (step, *found.line)))
    return options


def _quiet_value(tree: Tree, at: Position) -> int:
    """Return the value of a position without further steps except captures."""
    if is_decided(at.own, at.theirs, at.moves):
        tree.counters[NODES] += 1
        return int(result(at.own, at.theirs, at.moves))
    _set_root(tree, at, 0)
    run(tree, 1 << 60)
    return int(tree.frames[NOW])
