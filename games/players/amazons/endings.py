"""Choice of turns where counting decides a game of Amazons in which every turn burns a cell.

Nothing here depends on the tree search, and nearly nothing on memory: whoever goes on with a won
position wins it. Only the line that fills a large area is remembered, since a budget found it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.players.amazons.area_turns import (
    UPPER,
    Scratch,
    first_turn,
    side_turns,
    upper_bound,
)
from games.players.amazons.areas import MAX_AREA_NODES, Filling, count, is_parted
from games.players.amazons.decision import decide, safe_turns, safe_words
from games.players.amazons.evaluation import MAX_ESTIMATE
from games.players.amazons.flood import around, reach, spread
from games.players.amazons.position import Position, split, whole
from games.players.compiled import IS_COMPILED

UNCOMPILED_AREA_NODES: Final = 20  # as MAX_AREA_NODES, without numba
UNIT_VALUE: Final = 0.4  # of one turn more, where the bounds overlap


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn, or the shot of a turn, with its expected result."""

    turn: int  # 128 * move + arrow
    value: float  # 1 and -1 are proofs
    depth: int  # turns that the side to move still has for certain
    nodes: int  # positions examined
    why: str = "solved"  # as in `Thought`; "filling" once the sides are parted


class Endings:
    """Endings of one role of one game."""

    def __init__(self, scratch: Scratch) -> None:
        self.scratch = scratch
        self._line: tuple[int, ...] = ()  # turns that fill the own areas
        self._start = Position(0, 0, 0)  # before its first turn; `free` has the own areas only

    def is_lost(self, position: Position) -> bool:
        """Return whether the side to choose has lost, by counting."""
        if position.move < 0:
            return bool(decide(*position.words, self.scratch) < 0)
        return all(decide(*after.words, self.scratch) > 0 for _, after in _shots(position))

    def choose(self, position: Position) -> Choice | None:
        """Return the turn to make; None if the position is open, or lost while the sides meet."""
        if position.move >= 0:
            return self._choose_shot(position)
        if is_parted(position):
            return self._fill(position)
        turn = _find_last_turn(position)
        if turn >= 0:
            return Choice(turn, 1.0, 1, 1)
        least, most = (int(bound) for bound in safe_turns(*position.words, self.scratch))
        if least <= most:
            return None
        words = position.words
        held_low, held_high, low, high, _, _ = safe_words(*words)
        turn = int(first_turn(words[0], words[1], held_low, held_high, low, high, self.scratch))
        return Choice(turn, 1.0, least, 1)

    def _choose_shot(self, position: Position) -> Choice | None:
        """Return the arrow that leaves the largest margin, if one wins."""
        if is_parted(position) and self._recall(position):
            return self._fill(position)
        best: Choice | None = None
        margin = -1
        shots = list(_shots(position))
        for arrow, after in shots:
            turned = Position(after.other, after.own, after.free)
            if not _exits(after):
                return Choice(128 * position.move + arrow, 1.0, 1, len(shots))
            least, most = (int(bound) for bound in safe_turns(*turned.words, self.scratch))
            if least - most > margin:
                margin = least - most
                best = Choice(128 * position.move + arrow, 1.0, least, len(shots))
        if best is None and is_parted(position):
            return self._fill(position)
        return best

    def _fill(self, position: Position) -> Choice:
        """Return the first turn of a longest line that fills the own areas."""
        budget = MAX_AREA_NODES if IS_COMPILED else UNCOMPILED_AREA_NODES
        mine = count(position.own, position.free, budget, position.move)
        if position.move < 0:
            mine = self._tighten(mine, position.own, position.free)
        theirs = count(position.other, position.free, budget)
        theirs = self._tighten(theirs, position.other, position.free)
        least, line = mine.turns, mine.line
        recalled = self._recall(position)
        if len(recalled) >= least:
            least, line = len(recalled), recalled
        turn = line[0] if line else mine.first
        self._remember(position, line)
        value = max(-MAX_ESTIMATE, min(MAX_ESTIMATE, UNIT_VALUE * (least - theirs.turns - 0.5)))
        if least > theirs.most:
            value = 1.0
        elif mine.most <= theirs.turns:
            value = -1.0
        return Choice(turn, value, least, mine.nodes + theirs.nodes, "filling")

    def _tighten(self, filling: Filling, own: int, free: int) -> Filling:
        """Return a filling with the better bounds of two ways to count."""
        words = (*split(own), 0, 0, *split(free))
        bounds = int(side_turns(*words, 0, self.scratch))
        least, most = bounds % UPPER, min(upper_bound(bounds), filling.most)
        if least <= filling.turns:
            return Filling(filling.turns, most, filling.first, filling.nodes, filling.line)
        turn = int(first_turn(*words, self.scratch))
        return Filling(least, most, turn, filling.nodes)

    def _recall(self, position: Position) -> tuple[int, ...]:
        """Return what is left of the remembered line, if the position goes on from it."""
        start, line = self._start, self._line
        while line:
            step = 1 << (line[0] >> 14) | 1 << (line[0] >> 7 & 127)
            is_begun = position.move == line[0] >> 7 and position.own == start.own ^ step
            if is_begun and not (start.free ^ step) & ~(position.free | position.own):
                return line
            if position.move < 0 and position.own == start.own and not start.free & ~position.free:
                return line
            if line is not self._line:
                break  # one turn later at most
            start = Position(start.own ^ step, 0, (start.free ^ step) & ~(1 << (line[0] & 127)))
            line = line[1:]
        return ()

    def _remember(self, position: Position, line: tuple[int, ...]) -> None:
        own, free = position.own, position.free
        if position.move >= 0:
            step = 1 << (position.move >> 7) | 1 << (position.move & 127)
            own, free = own ^ step, free ^ step
        self._line = line
        self._start = Position(own, 0, whole(spread(*split(own), *split(free))))


def _exits(position: Position) -> int:
    """Return the empty cells beside the amazons of the side to move; 0 if it has lost."""
    return whole(around(*split(position.own))) & position.free


def _find_last_turn(position: Position) -> int:
    """Return a turn that leaves the other side no move, 128 * move + arrow; -1 if there is none."""
    other, free = whole(around(*split(position.other))), position.free
    if (other & free).bit_count() > 2:  # a turn closes two cells
        return -1
    for origin in _cells(position.own):
        for target in _cells(whole(reach(*split(1 << origin), *split(free)))):
            left = free ^ (1 << origin | 1 << target)
            exits = other & left
            arrows = whole(reach(*split(1 << target), *split(left)))
            if exits.bit_count() <= 1 and not exits & ~arrows:
                arrow = exits or arrows & -arrows
                return 16384 * origin + 128 * target + arrow.bit_length() - 1
    return -1


def _cells(cells: int) -> Iterator[int]:
    """Yield the cells of a set."""
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


def _shots(position: Position) -> Iterator[tuple[int, Position]]:
    """Yield every arrow of a position before a shot, with the position after it."""
    target = split(1 << (position.move & 127))
    for cell in _cells(whole(reach(*target, *split(position.free)))):
        yield cell, position.after(cell, False)
