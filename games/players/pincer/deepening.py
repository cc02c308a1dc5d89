"""Iterative deepening: search deeper until the allowance is spent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.players.compiled import IS_COMPILED, jit
from games.players.core import Allowance
from games.players.pincer.board import MAX_MOVES, apply_step, hand_over, is_decided, shift
from games.players.pincer.evaluation import evaluate
from games.players.pincer.position import Position
from games.players.pincer.search import result, run
from games.players.pincer.solved.probe import UNKNOWN, value_after
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
ANALYSIS_DEPTH_STEPS: Final = 6  # single steps to which an analysis searches all of them
LATEST_SHARE: Final = 0.6  # of the time, after which no deeper search begins
MAX_DROP: Final = 30  # of the value from one depth to the next, as seen by a settled choice


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of a search."""

    step: int  # NO_STEP if not even one step could be examined
    value: int  # for the role to move
    depth: int  # single steps of the last complete search
    line: tuple[int, ...]  # steps, beginning with the own one


@jit
def set_root(tree: Tree, at: Position, depth: int) -> None:
    """Set the position as the first frame, to be searched to this depth."""
    frames = tree.frames
    frames[OWN], frames[THEIRS], frames[STEPPED] = at.own, at.theirs, at.stepped
    frames[DEPTH], frames[ALPHA], frames[BETA] = depth, -WON_VALUE, WON_VALUE
    frames[CHOSEN] = NO_STEP
    tree.counters[PLY], tree.counters[MADE] = 0, at.moves


def _run_to_end(tree: Tree, clock: Allowance, is_settled: bool) -> bool:
    """Run the search until it is done (True) or the allowance is spent (False)."""
    while not run(tree, _stop_at(tree, clock)):
        if clock.is_over() or not _may_go_on(tree, clock, is_settled):
            return False
    return True


def _stop_at(tree: Tree, clock: Allowance) -> int:
    """Return the number of nodes before the next look at the clock."""
    reached = int(tree.counters[NODES])
    is_within = clock.time is None or reached < clock.nodes
    return min(clock.nodes, reached + CHUNK_NODES) if is_within else reached + CHUNK_NODES


def _may_go_on(tree: Tree, clock: Allowance, is_settled: bool) -> bool:
    """Return whether the search may examine more nodes; beyond those of the level by its time."""
    if tree.counters[NODES] < clock.nodes:
        return True
    time = clock.time
    if time is None or not time.may_go_on():
        return False
    return time.elapsed_s() < (time.soft_s if is_settled else time.hard_s)


def _may_begin(tree: Tree, clock: Allowance, is_settled: bool) -> bool:
    """Return whether a deeper search has a chance to end in time; within the nodes it always may.

    It takes several times as long as all before it, so it is not begun late.
    """
    time = clock.time
    if time is None or tree.counters[NODES] < clock.nodes:
        return True
    end = time.soft_s if is_settled else time.hard_s
    return time.may_go_on() and time.elapsed_s() < LATEST_SHARE * end


def deepen(tree: Tree, at: Position, deepest: int, clock: Allowance) -> Finding:
    """Return the best step of a position that is not decided and has one.

    The node counter continues from its present value. An incomplete search counts if its first
    step, the best so far, was examined.
    """
    best = Finding(NO_STEP, 0, 0, ())
    is_settled = False  # two searches in a row found the same step, and it became no worse
    for depth in range(1, max(1, min(deepest, MAX_MOVES - at.moves)) + 1):
        if not _may_begin(tree, clock, is_settled):
            break
        set_root(tree, at, depth)
        is_finished = _run_to_end(tree, clock, is_settled)
        step = int(tree.frames[CHOSEN])
        if not is_finished:
            if step not in (NO_STEP, best.step):
                value = int(tree.frames[ALPHA])
                best = Finding(step, value, best.depth, _line(tree, at, step))
            break
        value = int(tree.frames[NOW])
        is_settled = step == best.step and value > best.value - MAX_DROP
        best = Finding(step, value, depth, _line(tree, at, step))
        if abs(value) > PROVEN_VALUE:
            break
    return best


@jit
def after(at: Position, step: int) -> tuple[Position, bool]:
    """Return the position after a step, and whether the same role is to move."""
    origin = 1 << (step >> 2)
    target = shift(origin, step & 3)
    left, enemies = apply_step(at.own, at.theirs, origin, target)
    own, theirs, stepped, is_same = hand_over(at.own, at.stepped, left, enemies, target)
    return Position(own, theirs, stepped, at.moves + 1), is_same


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
            found = Finding(NO_STEP, quiet_value(tree, below), 0, ())
        else:
            found = deepen(tree, below, depth - 1, clock)
        if options and (tree.counters[NODES] >= clock.nodes or clock.is_over()):
            break
        value = found.value if is_same else -found.value
        options.append(Option(step, value, (step, *found.line)))
    return options


def glance(tree: Tree, at: Position, steps: list[int]) -> list[Option]:
    """Return each step with the evaluation of the position after it, in the given order."""
    options = []
    for step in steps:
        below, is_same = after(at, step)
        tree.counters[NODES] += 1
        if is_decided(below.own, below.theirs, below.moves):
            value = int(result(below.own, below.theirs, below.moves))
        else:
            value = int(evaluate(below.own, below.theirs, below.stepped, tree.weights))
        options.append(Option(step, value if is_same else -value, (step,)))
    return options


def exact_values(tree: Tree, at: Position, steps: list[int]) -> list[int] | None:
    """Return the value of each step by the table of few pieces, 0 to 2; None if it lacks one."""
    values = []
    for step in steps:
        origin = 1 << (step >> 2)
        target = shift(origin, step & 3)
        own, theirs = apply_step(at.own, at.theirs, origin, target)
        moved = at.own, at.stepped, own, theirs, target, at.moves + 1
        value = int(value_after(tree.few_pieces, *moved))
        if value == UNKNOWN:
            return None
        values.append(value)
    return values


@jit
def quiet_value(tree: Tree, at: Position) -> int:
    """Return the value of a position without further steps except captures."""
    if is_decided(at.own, at.theirs, at.moves):
        tree.counters[NODES] += 1
        return int(result(at.own, at.theirs, at.moves))
    set_root(tree, at, 0)
    run(tree, 1 << 60)
    return int(tree.frames[NOW])
