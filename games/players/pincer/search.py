"""Compiled alpha-beta search over single steps that can pause after any node.

Principal variation search with a transposition table, killer and history ordering, reductions of
late steps, and a quiescence search of captures. Control does not change with every step: a value is
negated only where it does. The search knows no time; `run` returns when its nodes are used up and
continues at the next call as if it had not been interrupted.
"""

from __future__ import annotations

from typing import Final

from games.players.compiled import jit
from games.players.pincer.board import (
    BOARD,
    WAYS,
    apply_step,
    count,
    hand_over,
    is_decided,
    shift,
    square_of,
)
from games.players.pincer.evaluation import evaluate
from games.players.pincer.solved.probe import UNKNOWN
from games.players.pincer.solved.probe import value_of as exact_value_of
from games.players.pincer.table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    recall,
    remember,
    step_of,
    value_of,
)
from games.players.pincer.tree import (
    ALPHA,
    BEST,
    BETA,
    CHOSEN,
    COUNT,
    DEPTH,
    FIELDS,
    FLOOR,
    MADE,
    MAX_STEPS,
    NEXT,
    NO_STEP,
    NODES,
    NOW,
    OWN,
    PLY,
    SAME,
    STAGE,
    STEPPED,
    TABLE_WON_VALUE,
    THEIRS,
    WON_VALUE,
    Tree,
)

OPEN_VALUE: Final = 1 << 20  # no value yet: the steps must be searched
REDUCED, NARROW, WIDE = 0, 1, 2  # search window of the next step
QUIET_DEPTH_STEPS: Final = 4  # captures searched beyond the horizon


@jit
def result(own: int, theirs: int, moves: int) -> int:
    """Return the value of a finished game: earlier wins and later losses are better."""
    many, others = count(own), count(theirs)
    if many == others:
        return 0
    return WON_VALUE - moves if many > others else moves - WON_VALUE


@jit
def _rank(tree: Tree, ply: int, step: int, gain: int, hint: int) -> int:
    """Return the rank of a step: best step of the table, captures, killers, then history."""
    if step == hint:
        return 1 << 40
    if gain:
        return gain << 30
    if step == tree.killers[2 * ply]:
        return 1 << 29
    if step == tree.killers[2 * ply + 1]:
        return 1 << 28
    return tree.history[step]  # type: ignore[no-any-return]


@jit
def list_steps(tree: Tree, ply: int, hint: int, is_quiet: bool) -> int:
    """List the steps of this frame, beyond the horizon only those that win pieces.

    Returns how many steps there are, listed or not; COUNT is how many are listed.
    """
    at, row = ply * FIELDS, ply * MAX_STEPS
    own, theirs = tree.frames[at + OWN], tree.frames[at + THEIRS]
    free, empty = own & ~tree.frames[at + STEPPED], BOARD & ~(own | theirs)
    many, others = count(own), count(theirs)
    legal, listed = 0, 0
    while free:
        origin = free & -free
        free ^= origin
        square = square_of(origin)
        for way in WAYS:
            target = shift(origin, way) & empty
            if not target:
                continue
            legal += 1
            left, enemies = apply_step(own, theirs, origin, target)
            gain = others - count(enemies) - many + count(left)
            if is_quiet and gain <= 0:
                continue
            step = 4 * square + way
            tree.steps[row + listed] = step
            tree.owns[row + listed], tree.theirs[row + listed] = left, enemies
            tree.ranks[row + listed] = _rank(tree, ply, step, gain, hint)
            listed += 1
    tree.frames[at + COUNT] = listed
    return legal


@jit
def _enter(tree: Tree, ply: int) -> int:
    """Return the value of this frame if it is known at once, else OPEN with the steps listed."""
    frames, at = tree.frames, ply * FIELDS
    own, theirs, stepped = frames[at + OWN], frames[at + THEIRS], frames[at + STEPPED]
    moves, depth = tree.counters[MADE] + ply, frames[at + DEPTH]
    tree.counters[NODES] += 1
    if is_decided(own, theirs, moves):
        return result(own, theirs, moves)
    if ply:  # at the root a step is to be found as well
        exact = exact_value_of(tree.few_pieces, own, theirs, stepped, moves)
        if exact != UNKNOWN:
            return (exact - 1) * (TABLE_WON_VALUE - moves)  # type: ignore[no-any-return]
    hint = NO_STEP
    frames[at + BEST] = -OPEN_VALUE
    if depth > 0:
        entry = recall(tree.table, own, theirs, stepped, moves)
        hint = step_of(entry)
        if ply and entry and depth_of(entry) >= depth:
            value, bound = value_of(entry), bound_of(entry)
            is_high, is_low = value >= frames[at + BETA], value <= frames[at + ALPHA]
            if bound == EXACT or (bound == LOWER and is_high) or (bound == UPPER and is_low):
                return value
    else:
        value = evaluate(own, theirs, stepped, tree.weights)
        if value >= frames[at + BETA] or depth <= -QUIET_DEPTH_STEPS:
            return value
        frames[at + BEST] = value
        frames[at + ALPHA] = max(value, frames[at + ALPHA])
    legal = list_steps(tree, ply, hint, depth <= 0)
    if not legal:
        return result(own, theirs, moves)
    if not frames[at + COUNT]:
        return frames[at + BEST]  # type: ignore[no-any-return]
    frames[at + FLOOR] = frames[at + ALPHA]
    frames[at + CHOSEN], frames[at + NEXT], frames[at + STAGE] = NO_STEP, 0, WIDE
    _select(tree, ply)
    return OPEN_VALUE


@jit
def _select(tree: Tree, ply: int) -> None:
    """Move the best ranked of the remaining steps to the next place."""
    row = ply * MAX_STEPS
    first = row + tree.frames[ply * FIELDS + NEXT]
    best = first
    for index in range(first + 1, row + tree.frames[ply * FIELDS + COUNT]):
        if tree.ranks[index] > tree.ranks[best]:
            best = index
    if best != first:
        for column in (tree.steps, tree.ranks, tree.owns, tree.theirs):
            column[first], column[best] = column[best], column[first]


@jit
def _descend(tree: Tree, ply: int) -> None:
    """Create the frame below, for the next step of this one."""
    frames, at = tree.frames, ply * FIELDS
    below, index = at + FIELDS, ply * MAX_STEPS + frames[at + NEXT]
    step = tree.steps[index]
    target = shift(1 << (step >> 2), step & 3)
    own, theirs, stepped, is_same = hand_over(
        frames[at + OWN], frames[at + STEPPED], tree.owns[index], tree.theirs[index], target
    )
    frames[below + OWN], frames[below + THEIRS], frames[below + STEPPED] = own, theirs, stepped
    stage, alpha, beta = frames[at + STAGE], frames[at + ALPHA], frames[at + BETA]
    if stage != WIDE:
        beta = alpha + 1
    frames[at + SAME] = is_same
    frames[below + DEPTH] = frames[at + DEPTH] - (2 if stage == REDUCED else 1)
    frames[below + ALPHA] = alpha if is_same else -beta
    frames[below + BETA] = beta if is_same else -alpha


@jit
def _absorb(tree: Tree, ply: int, value: int) -> bool:
    """Process the value of the frame below; True if this frame is done, its value in BEST."""
    frames, at = tree.frames, ply * FIELDS
    if not frames[at + SAME]:
        value = -value
    alpha, stage = frames[at + ALPHA], frames[at + STAGE]
    if value > alpha and (stage == REDUCED or (stage == NARROW and value < frames[at + BETA])):
        frames[at + STAGE] = stage + 1
        return False
    index = ply * MAX_STEPS + frames[at + NEXT]
    if value > frames[at + BEST]:
        frames[at + BEST] = value
        if value > alpha:
            frames[at + ALPHA] = value
            frames[at + CHOSEN] = tree.steps[index]
    frames[at + NEXT] += 1
    if value >= frames[at + BETA]:
        _record_refutation(tree, ply, index)
    elif frames[at + NEXT] < frames[at + COUNT]:
        _select(tree, ply)
        is_late = frames[at + NEXT] >= 4 and frames[at + DEPTH] >= 3
        is_plain = tree.ranks[index + 1] < 1 << 28
        frames[at + STAGE] = REDUCED if is_late and is_plain else NARROW
        return False
    if frames[at + DEPTH] > 0:
        _store_frame(tree, ply)
    return True


@jit
def _record_refutation(tree: Tree, ply: int, index: int) -> None:
    """Record in the killer and history tables that this step caused a cutoff."""
    step, depth = tree.steps[index], tree.frames[ply * FIELDS + DEPTH]
    if depth <= 0 or 1 << 30 <= abs(tree.ranks[index]) < 1 << 40:
        return
    if tree.killers[2 * ply] != step:
        tree.killers[2 * ply + 1] = tree.killers[2 * ply]
        tree.killers[2 * ply] = step
    tree.history[step] += depth * depth
    if tree.history[step] >= 1 << 27:
        for other in range(256):
            tree.history[other] >>= 1


@jit
def _store_frame(tree: Tree, ply: int) -> None:
    """Store a finished frame in the table."""
    frames, at = tree.frames, ply * FIELDS
    best = frames[at + BEST]
    bound = EXACT
    if best >= frames[at + BETA]:
        bound = LOWER
    elif best <= frames[at + FLOOR]:
        bound = UPPER
    remember(
        tree.table,
        frames[at + OWN],
        frames[at + THEIRS],
        frames[at + STEPPED],
        tree.counters[MADE] + ply,
        best,
        frames[at + DEPTH],
        bound,
        frames[at + CHOSEN],
        tree.counters[MADE],
    )


@jit
def run(tree: Tree, stop_at: int) -> bool:
    """Continue from the frame at counters[PLY]; return whether the root is done.

    If so, its value is in NOW of frame 0; otherwise `stop_at` nodes have been examined since the
    counter was set.
    """
    counters, ply = tree.counters, tree.counters[PLY]
    while True:
        if counters[NODES] >= stop_at:
            counters[PLY] = ply
            return False
        value = _enter(tree, ply)
        while value != OPEN_VALUE:
            if ply == 0:
                tree.frames[NOW] = value
                return True
            ply -= 1
            if not _absorb(tree, ply, value):
                break
            value = tree.frames[ply * FIELDS + BEST]
        _descend(tree, ply)
        ply += 1
