"""Deeper and deeper: what the search finds within an allowance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.players.compiled import IS_COMPILED
from games.players.core import Allowance
from games.players.pincer.board import LIMIT, handed, is_decided, moved, shifted
from games.players.pincer.position import Position
from games.players.pincer.search import result, run
from games.players.pincer.table import recalled, step_of
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
    PROVEN,
    STEPPED,
    THEIRS,
    WON,
    Tree,
)

# Nodes between two questions for the time: about a hundredth of a second.
CHUNK: Final = 10_000 if IS_COMPILED else 200


@dataclass(frozen=True, slots=True)
class Finding:
    """What a search came to."""

    step: int  # NO_STEP if not even one step could be looked at
    value: int  # for the role to move
    depth: int  # single steps of the last search that was finished
    line: tuple[int, ...]  # steps, the own one first


def _rooted(tree: Tree, at: Position, depth: int) -> None:
    """Lays the position into the first frame, to be searched to this depth."""
    frames = tree.frames
    frames[OWN], frames[THEIRS], frames[STEPPED] = at.own, at.theirs, at.stepped
    frames[DEPTH], frames[ALPHA], frames[BETA] = depth, -WON, WON
    frames[CHOSEN] = NO_STEP
    tree.counters[PLY], tree.counters[MADE] = 0, at.moves


def _is_finished(tree: Tree, clock: Allowance) -> bool:
    """Runs the search until it is done, or what it may spend is spent."""
    while not run(tree, min(clock.nodes, int(tree.counters[NODES]) + CHUNK)):
        if tree.counters[NODES] >= clock.nodes or clock.is_over():
            return False
    return True


def deepen(tree: Tree, at: Position, deepest: int, clock: Allowance) -> Finding:
    """The best step of a position that isn't decided and has one.

    Nodes are counted on from what the tree's counter says. The search that is under way when the
    allowance ends counts if its first step, the best so far, was looked at.
    """
    best = Finding(NO_STEP, 0, 0, ())
    for depth in range(1, max(1, min(deepest, LIMIT - at.moves)) + 1):
        _rooted(tree, at, depth)
        is_finished = _is_finished(tree, clock)
        step = int(tree.frames[CHOSEN])
        if not is_finished:
            if step not in (NO_STEP, best.step):
                value = int(tree.frames[ALPHA])
                best = Finding(step, value, best.depth, _line(tree, at, step))
            break
        value = int(tree.frames[NOW])
        best = Finding(step, value, depth, _line(tree, at, step))
        if abs(value) > PROVEN:
            break
    return best


def after(at: Position, step: int) -> tuple[Position, bool]:
    """The position after a step, seen by the role to move then, and whether it is the same."""
    origin = 1 << (step >> 2)
    target = shifted(origin, step & 3)
    left, enemies = moved(at.own, at.theirs, origin, target)
    own, theirs, stepped, is_same = handed(at.own, at.stepped, left, enemies, target)
    return Position(int(own), int(theirs), int(stepped), at.moves + 1), bool(is_same)


def _line(tree: Tree, at: Position, step: int) -> tuple[int, ...]:
    """The step, and what the table holds best after it."""
    return tuple(_followed(tree, at, step))


def _followed(tree: Tree, at: Position, step: int) -> Iterator[int]:
    while step != NO_STEP:
        yield step
        at, _ = after(at, step)
        if is_decided(at.own, at.theirs, at.moves):
            return
        step = int(step_of(recalled(tree.table, at.own, at.theirs, at.stepped, at.moves)))


@dataclass(frozen=True, slots=True)
class Option:
    """A legal step and its own value."""

    step: int
    value: int
    line: tuple[int, ...]


def weigh(tree: Tree, at: Position, steps: list[int], depth: int, clock: Allowance) -> list[Option]:
    """Each step with what it is worth `depth` steps ahead, itself counted; in the given order.

    A step that the allowance no longer pays for is left out, but never the first.
    """
    options: list[Option] = []
    for step in steps:
        below, is_same = after(at, step)
        if depth <= 1 or is_decided(below.own, below.theirs, below.moves):
            found = Finding(NO_STEP, _still(tree, below), 0, ())
        else:
            found = deepen(tree, below, depth - 1, clock)
        if options and (tree.counters[NODES] >= clock.nodes or clock.is_over()):
            break
        value = found.value if is_same else -found.value
        options.append(Option(step, value, (step, *found.line)))
    return options


def _still(tree: Tree, at: Position) -> int:
    """The value of a position without any further step, but captures that follow at once."""
    if is_decided(at.own, at.theirs, at.moves):
        tree.counters[NODES] += 1
        return int(result(at.own, at.theirs, at.moves))
    _rooted(tree, at, 0)
    run(tree, 1 << 60)
    return int(tree.frames[NOW])
