"""Alpha-beta over the single steps of Pincer, in machine code, that can pause after any node.

Principal variation search with a table of known positions, killer and history order, late steps
looked at less deeply first, and captures followed beyond the horizon. Control doesn't change with
every step: a value is turned round only where it does. Nothing here knows of time; `run` returns
when its nodes are used up and goes on at the next call as if it had not been interrupted.
"""

from __future__ import annotations

from typing import Final

from games.players.compiled import compiled
from games.players.pincer.board import (
    BOARD,
    WAYS,
    count,
    handed,
    is_decided,
    moved,
    shifted,
    square_of,
)
from games.players.pincer.evaluation import evaluate
from games.players.pincer.table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    recalled,
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
    NEXT,
    NO_STEP,
    NODES,
    NOW,
    OWN,
    PLY,
    SAME,
    STAGE,
    STEPPED,
    THEIRS,
    WIDTH,
    WON,
    Tree,
)

OPEN: Final = 1 << 20  # no value yet: the steps have to be looked at
REDUCED, NARROW, WIDE = 0, 1, 2  # how the next step is being looked at
QUIET: Final = 4  # captures followed beyond the horizon


@compiled
def result(own: int, theirs: int, moves: int) -> int:
    """The value of a finished game: the sooner won, or the later lost, the better."""
    many, others = count(own), count(theirs)
    if many == others:
        return 0
    return WON - moves if many > others else moves - WON


@compiled
def _rank(tree: Tree, ply: int, step: int, gain: int, hint: int) -> int:
    """What is looked at first: the step that was best, captures, killers, then by history."""
    if step == hint:
        return 1 << 40
    if gain:
        return gain << 30
    if step == tree.killers[2 * ply]:
        return 1 << 29
    if step == tree.killers[2 * ply + 1]:
        return 1 << 28
    return tree.history[step]  # type: ignore[no-any-return]


@compiled
def list_steps(tree: Tree, ply: int, hint: int, is_quiet: bool) -> int:
    """Lists the steps of this frame, after the horizon only those that win pieces.

    Returns how many steps there are, listed or not; COUNT is how many are listed.
    """
    at, row = ply * FIELDS, ply * WIDTH
    own, theirs = tree.frames[at + OWN], tree.frames[at + THEIRS]
    free, empty = own & ~tree.frames[at + STEPPED], BOARD & ~(own | theirs)
    many, others = count(own), count(theirs)
    legal, listed = 0, 0
    while free:
        origin = free & -free
        free ^= origin
        square = square_of(origin)
        for way in WAYS:
            target = shifted(origin, way) & empty
            if not target:
                continue
            legal += 1
            left, enemies = moved(own, theirs, origin, target)
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


@compiled
def _enter(tree: Tree, ply: int) -> int:
    """The value of this frame if it is known at once, else OPEN with the steps listed."""
    frames, at = tree.frames, ply * FIELDS
    own, theirs, stepped = frames[at + OWN], frames[at + THEIRS], frames[at + STEPPED]
    moves, depth = tree.counters[MADE] + ply, frames[at + DEPTH]
    tree.counters[NODES] += 1
    if is_decided(own, theirs, moves):
        return result(own, theirs, moves)
    hint = NO_STEP
    frames[at + BEST] = -OPEN
    if depth > 0:
        entry = recalled(tree.table, own, theirs, stepped, moves)
        hint = step_of(entry)
        if ply and entry and depth_of(entry) >= depth:
            value, bound = value_of(entry), bound_of(entry)
            is_high, is_low = value >= frames[at + BETA], value <= frames[at + ALPHA]
            if bound == EXACT or (bound == LOWER and is_high) or (bound == UPPER and is_low):
                return value
    else:
        value = evaluate(own, theirs, stepped, tree.weights)
        if value >= frames[at + BETA] or depth <= -QUIET:
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
    return OPEN


@compiled
def _select(tree: Tree, ply: int) -> None:
    """Brings the best ranked of the remaining steps to the place that is next."""
    row = ply * WIDTH
    first = row + tree.frames[ply * FIELDS + NEXT]
    best = first
    for index in range(first + 1, row + tree.frames[ply * FIELDS + COUNT]):
        if tree.ranks[index] > tree.ranks[best]:
            best = index
    if best != first:
        for column in (tree.steps, tree.ranks, tree.owns, tree.theirs):
            column[first], column[best] = column[best], column[first]


@compiled
def _descend(tree: Tree, ply: int) -> None:
    """Makes the frame below, for the step that is next in this one."""
    frames, at = tree.frames, ply * FIELDS
    below, index = at + FIELDS, ply * WIDTH + frames[at + NEXT]
    step = tree.steps[index]
    target = shifted(1 << (step >> 2), step & 3)
    own, theirs, stepped, is_same = handed(
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


@compiled
def _absorb(tree: Tree, ply: int, value: int) -> bool:
    """Takes the value of the frame below; True if this frame is done, its value in BEST."""
    frames, at = tree.frames, ply * FIELDS
    if not frames[at + SAME]:
        value = -value
    alpha, stage = frames[at + ALPHA], frames[at + STAGE]
    if value > alpha and (stage == REDUCED or (stage == NARROW and value < frames[at + BETA])):
        frames[at + STAGE] = stage + 1
        return False
    index = ply * WIDTH + frames[at + NEXT]
    if value > frames[at + BEST]:
        frames[at + BEST] = value
        if value > alpha:
            frames[at + ALPHA] = value
            frames[at + CHOSEN] = tree.steps[index]
    frames[at + NEXT] += 1
    if value >= frames[at + BETA]:
        _praise(tree, ply, index)
    elif frames[at + NEXT] < frames[at + COUNT]:
        _select(tree, ply)
        is_late = frames[at + NEXT] >= 4 and frames[at + DEPTH] >= 3
        is_plain = tree.ranks[index + 1] < 1 << 28
        frames[at + STAGE] = REDUCED if is_late and is_plain else NARROW
        return False
    if frames[at + DEPTH] > 0:
        _keep(tree, ply)
    return True


@compiled
def _praise(tree: Tree, ply: int, index: int) -> None:
    """Remembers for the order that this step has refuted the one before."""
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


@compiled
def _keep(tree: Tree, ply: int) -> None:
    """Puts a finished frame into the table."""
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


@compiled
def run(tree: Tree, stop_at: int) -> bool:
    """Searches on from the frame at counters[PLY] until the root is done (True; its value in NOW
    of frame 0) or `stop_at` nodes have been looked at since the counter was set."""
    counters, ply = tree.counters, tree.counters[PLY]
    while True:
        if counters[NODES] >= stop_at:
            counters[PLY] = ply
            return False
        value = _enter(tree, ply)
        while value != OPEN:
            if ply == 0:
                tree.frames[NOW] = value
                return True
            ply -= 1
            if not _absorb(tree, ply, value):
                break
            value = tree.frames[ply * FIELDS + BEST]
        _descend(tree, ply)
        ply += 1
