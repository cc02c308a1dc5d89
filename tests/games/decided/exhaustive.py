"""Solver of small positions of Amazons by trying all turns; knows nothing of the rules' code.

A position is the squares that are not burnt, numbered, and two sets of amazons among them as bits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Form = Literal["burning", "free", "counted"]  # arrow a must, optional, optional with counts
MAX_QUIET = 10  # turns without an arrow after which a counted game ends
KINGS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
Turns = list[tuple[int, int, bool]]  # own amazons, empty squares, whether an arrow was shot


@dataclass
class Solver:
    """Solver of the positions on one board; `picture` has its rows from the top."""

    picture: str
    form: Form
    white: int = 0
    black: int = 0
    _rays: list[list[list[int]]] = field(default_factory=list)
    _near: list[int] = field(default_factory=list)
    _known: dict[tuple[int, int, int, int, int], bool] = field(default_factory=dict)
    nodes: int = 0

    def __post_init__(self) -> None:
        rows = self.picture.split("/")[::-1]
        letters = {
            (x, y): letter
            for y, row in enumerate(rows)
            for x, letter in enumerate(row)
            if letter != "x"
        }
        number = {cell: index for index, cell in enumerate(letters)}
        for cell, index in number.items():
            rays = []
            for dx, dy in KINGS:
                ray, (x, y) = [], cell
                while (next_cell := (x + dx, y + dy)) in number:
                    ray.append(number[next_cell])
                    x, y = next_cell
                if ray:
                    rays.append(ray)
            self._rays.append(rays)
            self._near.append(sum(1 << ray[0] for ray in rays))
            if letters[cell] == "W":
                self.white |= 1 << index
            elif letters[cell] == "B":
                self.black |= 1 << index
        self._all = (1 << len(number)) - 1

    def mover_wins(self, role: str) -> bool:
        """Whether a role wins that is to move, against every defence."""
        return self.wins(role, is_to_move=True)

    def wins(self, role: str, *, is_to_move: bool) -> bool:
        """Whether a role wins against every defence."""
        own, other = self.white, self.black
        if role == "black":
            own, other = other, own
        return self._wins(own, other, self._all & ~(own | other), 0, is_own_turn=is_to_move)

    def _wins(self, own: int, other: int, free: int, quiet: int, *, is_own_turn: bool) -> bool:
        """Whether the claimant, who has `own`, wins. No cycles: a turn burns or counts as quiet."""
        key = own, other, free, quiet, int(is_own_turn)
        if key in self._known:
            return self._known[key]
        self.nodes += 1
        if self.form == "free" and quiet > 2 * MAX_QUIET:
            return False  # so long without an arrow: no win is forced
        won = self._try_all(own, other, free, quiet, is_own_turn)
        self._known[key] = won
        return won

    def _try_all(self, own: int, other: int, free: int, quiet: int, is_own_turn: bool) -> bool:
        turns = self._turns(own if is_own_turn else other, free)
        if not turns:
            return not is_own_turn
        if self.form == "counted":
            mine, theirs, parted = self._count(own, other, free)
            if quiet >= MAX_QUIET:
                return mine > theirs
            if is_own_turn and parted and mine > theirs:
                return True
            if not is_own_turn and mine <= theirs:
                return False  # as if the opponent could count at any time: the limit of 400 turns
        quiets = (0, quiet if self.form == "burning" else quiet + 1)
        if is_own_turn:
            return any(
                self._wins(after, other, left, quiets[not shot], is_own_turn=False)
                for after, left, shot in turns
            )
        return all(
            self._wins(own, after, left, quiets[not shot], is_own_turn=True)
            for after, left, shot in turns
        )

    def _turns(self, amazons: int, free: int) -> Turns:
        """All turns of a side; those without an arrow first where they are allowed."""
        kept: Turns = []
        shot: Turns = []
        for origin in range(len(self._rays)):
            if not amazons >> origin & 1:
                continue
            for target in self._reach(origin, free):
                after, left = amazons ^ 1 << origin ^ 1 << target, free ^ 1 << target | 1 << origin
                if self.form != "burning":
                    kept.append((after, left, False))
                for arrow in self._reach(target, left):
                    if self.form == "burning" or arrow != origin:
                        shot.append((after, left ^ 1 << arrow, True))
        return list(dict.fromkeys([*kept, *shot]))

    def _reach(self, square: int, free: int) -> list[int]:
        reached = []
        for ray in self._rays[square]:
            for other in ray:
                if not free >> other & 1:
                    break
                reached.append(other)
        return reached

    def _count(self, own: int, other: int, free: int) -> tuple[int, int, bool]:
        """The squares that one side alone can ever reach, and whether none is left to both."""
        mine = theirs = 0
        is_parted = True
        left = own | other | free
        while left:
            region = left & -left
            while True:
                wider = region
                for square in range(len(self._near)):
                    if region >> square & 1:
                        wider |= self._near[square] & (own | other | free)
                if wider == region:
                    break
                region = wider
            left &= ~region
            empty = (region & free).bit_count()
            if region & own and region & other:
                is_parted &= not empty
            elif region & own:
                mine += empty
            elif region & other:
                theirs += empty
        return mine, theirs, is_parted
