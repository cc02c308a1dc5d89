"""Pincer: one or two single steps a go, and captures between an enemy and an enemy or the wall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from games.choices import Choices, Fan, Listed, Paths
from games.core import (
    ALONE,
    NOBODY,
    NOOP,
    OTHER,
    ROLES,
    Action,
    BadAction,
    Code,
    IllegalAction,
    Joint,
    Noop,
    Outcome,
    Role,
    View,
    won,
)
from games.effects import Effect, Remove, Slide
from games.grid import NAMES, RIGHT, UP, Grid, names, picture, squares
from games.moves import Move
from games.prompts import PathPrompt, Prompt, Step, Tree
from games.text import LONGEST, clip, count

DEAD: Final = 0  # in `State.stepped`: the piece did not survive its own move


@dataclass(frozen=True, slots=True)
class State:
    """A position. Sets of squares are ints, see `games.grid`."""

    white: int
    black: int
    to_move: Role  # after the end: the role whose go it was
    stepped: int | None  # where the piece is that has moved in this go; DEAD; None: none has
    moves: int  # single moves made by both
    goes: int  # completed by both


_FIRST: Final = (Step("from"), Step("to"))
_SECOND: Final = (Step("from2"), Step("to2"))


@dataclass(frozen=True, slots=True)
class Pincer:
    """Board, start and limit. The runs are judged for boards of up to 8 rows and columns."""

    key: str
    name: str
    grid: Grid
    white: str  # squares at the start, "a7 a5"
    black: str
    limit: int  # single moves by both; then the pieces are counted
    roles: tuple[Role, ...] = ROLES
    kind: Literal["path"] = "path"

    @property
    def width(self) -> int:
        return self.grid.width

    @property
    def height(self) -> int:
        return self.grid.height

    def start(self) -> State:
        white, black = self.grid.set_of(self.white), self.grid.set_of(self.black)
        return State(white, black, "white", None, 0, 0)

    def goes(self, s: State) -> int:
        return s.goes

    def control(self, s: State) -> frozenset[Role]:
        return NOBODY if self._is_over(s) else ALONE[s.to_move]

    def _can_move(self, pieces: int, occupied: int) -> bool:
        return self.grid.step(pieces) & self.grid.board & ~occupied != 0

    def _is_decided(self, white: int, black: int, moves: int) -> bool:
        """Is the game over whoever may move?"""
        if moves >= self.limit or not white or not black:
            return True
        return not (white & white - 1 or black & black - 1)  # one piece each

    def _is_over(self, s: State) -> bool:
        if self._is_decided(s.white, s.black, s.moves):
            return True
        # Go and second move were given to whoever can move; so nobody can.
        return not self._can_move(_free(s), s.white | s.black)

    def outcome(self, s: State) -> Outcome | None:
        if not self._is_over(s):
            return None
        white, black = s.white.bit_count(), s.black.bit_count()
        winner: Role | None = None if white == black else "white" if white > black else "black"
        if not white or not black:
            return won(winner, "captured_all" if winner else "no_pieces")
        if white == black == 1:
            return won(None, "one_each")
        return won(winner, "fifty_moves" if s.moves >= self.limit else "stuck")

    # Legal actions

    def choices(self, s: State, role: Role) -> Choices[Action]:
        if self._is_over(s):
            return Listed()
        if role != s.to_move:
            return Listed(NOOP)

        def allows(action: object) -> bool:
            return isinstance(action, Action) and self._fault(s, role, action) is None

        return Paths(lambda: self._fans(s), Move, allows)

    def _fans(self, s: State) -> Iterator[Fan]:
        empty = ~(s.white | s.black)
        for origin in squares(_free(s)):
            yield (origin,), self.grid.steps[origin] & empty

    def parse(self, text: str) -> Action:
        if text == "noop":
            return NOOP
        parts = text.split(" ") if len(text) <= LONGEST else [""]
        if len(parts) != 5 or parts[0] != "move":
            raise BadAction(f"“{clip(text)}” is not an action of {self.name}.")
        try:
            return Move(*self.grid.path(parts))
        except KeyError:
            raise BadAction(f"“{clip(text)}” names a square that is not on this board.") from None

    def check(self, s: State, role: Role, action: Action) -> None:
        fault = self._fault(s, role, action)
        if fault is not None:
            raise fault

    def _fault(self, s: State, role: Role, action: Action) -> IllegalAction | BadAction | None:
        """What is wrong with the action, or None."""
        if self._is_over(s):
            return IllegalAction(Code.GAME_OVER)
        if role != s.to_move:
            return None if action == NOOP else IllegalAction(Code.NOT_IN_CONTROL)
        if isinstance(action, Noop):
            return IllegalAction(Code.MUST_ACT)
        if not isinstance(action, Move):
            return BadAction(f"“{action}” is not an action of {self.name}.")
        origin, target = action.origin, action.target
        own = s.white if role == "white" else s.black
        if not own >> origin & 1:
            return IllegalAction(Code.NOT_YOURS, NAMES[origin])
        if origin == s.stepped:
            return IllegalAction(Code.SAME_PIECE_TWICE, NAMES[origin])
        if origin == target:
            return IllegalAction(Code.SAME_SQUARE, NAMES[origin])
        if not self.grid.steps[origin] >> target & 1:
            return IllegalAction(Code.NOT_ONE_STEP, NAMES[origin], NAMES[target])
        if (s.white | s.black) >> target & 1:
            return IllegalAction(Code.OCCUPIED, NAMES[target])
        return None

    # Playing

    def play(self, s: State, joint: Joint) -> State:
        move = joint[s.to_move]
        assert isinstance(move, Move)
        return self._after(s, move.origin, move.target)

    def _after(self, s: State, origin: int, target: int) -> State:
        white, black = _moved(s, origin, target)
        dead = self._captured(white, black)
        white &= ~dead
        black &= ~dead
        role, moves = s.to_move, s.moves + 1
        if self._is_decided(white, black, moves):
            return State(white, black, role, None, moves, s.goes + 1)
        own, had = (white, s.white) if role == "white" else (black, s.black)
        # Two moves are due if there were two pieces when the go began; a piece that died since
        # does not change that.
        if s.stepped is None and had & had - 1:
            step = 1 << target
            if self._can_move(own & ~step, white | black):
                stepped = target if own & step else DEAD
                return State(white, black, role, stepped, moves, s.goes)
        return self._begin(white, black, OTHER[role], moves, s.goes + 1)

    def _begin(self, white: int, black: int, role: Role, moves: int, goes: int) -> State:
        """The beginning of this role's go, or of the other's if this one cannot move."""
        own, theirs = (white, black) if role == "white" else (black, white)
        occupied = white | black
        if not self._can_move(own, occupied) and self._can_move(theirs, occupied):
            role = OTHER[role]
        return State(white, black, role, None, moves, goes)

    def _captured(self, one: int, other: int) -> int:
        """All captured pieces of both colours, in whichever order these are given."""
        dead = 0
        for shift in (RIGHT, UP):
            # Only a line in which the two colours touch can hold a capture.
            if one & (other << shift | other >> shift):
                dead |= _taken(one, other, self.grid.wall, shift)
                dead |= _taken(other, one, self.grid.wall, shift)
        return dead

    # What is shown

    def view(self, s: State, role: Role | None) -> View:
        own = s.white if s.to_move == "white" else s.black
        is_second = s.stepped is not None
        return {
            "board": picture(self.grid, ("W", s.white), ("B", s.black)),
            "width": self.grid.width,
            "height": self.grid.height,
            "to_move": s.to_move,
            "step": 2 if is_second else 1,
            "of": 2 if is_second or own & own - 1 else 1,
            "stepped": NAMES[s.stepped] if s.stepped else None,
            "moves_made": s.moves,
            "moves_limit": self.limit,
            "goes": s.goes,
        }

    def effects(self, before: State, joint: Joint, role: Role | None) -> tuple[Effect, ...]:
        mover = before.to_move
        move = joint[mover]
        assert isinstance(move, Move)
        white, black = _moved(before, move.origin, move.target)
        return (
            Slide(mover, NAMES[move.origin], NAMES[move.target]),
            *_removals("white", white, black, self.grid.wall),
            *_removals("black", black, white, self.grid.wall),
        )

    def prompt(self, s: State, role: Role) -> Prompt | None:
        if role != s.to_move or self._is_over(s):
            return None
        tree = self._tree(s)
        if s.stepped is not None:
            return PathPrompt(_SECOND, (("move", 0, 1),), tree)
        own = s.white if role == "white" else s.black
        if not own & own - 1:
            return PathPrompt(_FIRST, (("move", 0, 1),), tree)
        return PathPrompt(_FIRST + _SECOND, (("move", 0, 1), ("move", 2, 3)), tree)

    def plan(self, s: State, role: Role) -> Prompt | None:
        if role == s.to_move or self._is_over(s):
            return None
        return self.prompt(replace(s, to_move=role, stepped=None), role)

    def _tree(self, s: State) -> dict[str, Tree]:
        """The rest of the go: origins, under each its targets, under each the second move."""
        tree: dict[str, Tree] = {}
        own, theirs = (s.white, s.black) if s.to_move == "white" else (s.black, s.white)
        is_last = s.stepped is not None or not own & own - 1
        touching = self.grid.step(theirs)
        for (origin,), targets in self._fans(s):
            stay = own ^ 1 << origin
            nodes: dict[str, Tree] = {}
            for target in squares(targets):
                node: dict[str, Tree] = {}
                if not is_last:
                    after = self._after(s, origin, target)
                    node = self._tree(after) if after.goes == s.goes else {}
                moved = stay | 1 << target
                dead = self._captured(moved, theirs) if moved & touching else 0
                if dead:
                    node["x"] = names(dead)
                nodes[NAMES[target]] = node
            if nodes:
                tree[NAMES[origin]] = nodes if any(nodes.values()) else " ".join(nodes)
        return tree

    # One line of text

    def write(self, s: State) -> str:
        """Board, role to move, the piece that has stepped in this go ("d4", "x" if it died, "-"
        if none has), single moves, goes."""
        stepped = "-" if s.stepped is None else NAMES[s.stepped] if s.stepped else "x"
        board = picture(self.grid, ("W", s.white), ("B", s.black))
        return f"{board} {s.to_move} {stepped} {s.moves} {s.goes}"

    def read(self, text: str) -> State:
        """The state of this line; a go of a role that cannot move passes at once."""
        parts = text.split(" ")
        if len(parts) != 5:
            raise ValueError("a position of Pincer is: board, role, stepped piece, moves, goes")
        white, black = self.grid.read_rows(parts[0], "WB")
        to_move = next((role for role in ROLES if role == parts[1]), None)
        if to_move is None:
            raise ValueError("the role to move is white or black")
        moves, goes = count(parts[3], "moves", self.limit), count(parts[4], "goes")
        if parts[2] == "-":
            if self._is_decided(white, black, moves):
                return State(white, black, to_move, None, moves, goes)
            return self._begin(white, black, to_move, moves, goes)
        stepped = DEAD if parts[2] == "x" else self.grid.by_name.get(parts[2])
        own = white if to_move == "white" else black
        if stepped is None or (stepped and not own >> stepped & 1):
            raise ValueError("the piece that has stepped is not on its square")
        state = State(white, black, to_move, stepped, moves, goes)
        if not moves or self._is_over(state):
            raise ValueError("no second move is to come on this board")
        return state


def _free(s: State) -> int:
    """The pieces that the role to move may still move in this go."""
    own = s.white if s.to_move == "white" else s.black
    return own & ~(1 << s.stepped) if s.stepped else own


def _moved(s: State, origin: int, target: int) -> tuple[int, int]:
    """White and black after a move, before captures."""
    step = 1 << origin | 1 << target
    return (s.white ^ step, s.black) if s.to_move == "white" else (s.white, s.black ^ step)


def _taken(own: int, theirs: int, wall: int, shift: int) -> int:
    """The own runs along this axis with a jaw at either end, at least one of them an enemy."""
    jaws = theirs | wall
    low, high = jaws << shift & own, jaws >> shift & own
    if not low or not high:
        return 0
    low_enemy, high_enemy = theirs << shift & own, theirs >> shift & own
    to_low, to_low_enemy = _along(low, own, shift), _along(low_enemy, own, shift)
    back, back_enemy = _against(high, own, shift), _against(high_enemy, own, shift)
    return to_low & back_enemy | to_low_enemy & back


def _along(seeds: int, own: int, shift: int) -> int:
    """The seeds and all own pieces that follow them without a gap, up to seven."""
    seeds |= own & seeds << shift
    own &= own << shift
    seeds |= own & seeds << 2 * shift
    own &= own << 2 * shift
    return seeds | own & seeds << 4 * shift


def _against(seeds: int, own: int, shift: int) -> int:
    """As `_along`, towards the low end."""
    seeds |= own & seeds >> shift
    own &= own >> shift
    seeds |= own & seeds >> 2 * shift
    own &= own >> 2 * shift
    return seeds | own & seeds >> 4 * shift


def _removals(whose: Role, own: int, theirs: int, wall: int) -> Iterator[Remove]:
    """One for each captured run, rows first."""
    axes: tuple[tuple[Literal["row", "column"], int], ...] = (("row", RIGHT), ("column", UP))
    for axis, shift in axes:
        taken = _taken(own, theirs, wall, shift)
        for start in squares(taken & ~(taken << shift)):
            end = start
            while taken >> (end + shift) & 1:
                end += shift
            run = tuple(NAMES[square] for square in range(start, end + 1, shift))
            low, high = (
                "wall" if wall >> jaw & 1 else NAMES[jaw] for jaw in (start - shift, end + shift)
            )
            yield Remove(whose, run, (low, high), axis)
