"""Game of the Amazons in three forms: split or not, any size, any start.

Walter Zamkauskas, 1988 (first published in El Acertijo 4, 1992). Optional arrows, in the form of
one action a step, are this site's own rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
    board_outcome,
)
from games.effects import Effect, Place, Slide
from games.grid import NAMES, Grid, picture, squares
from games.moves import Fire, Move, Play
from games.prompts import RAY, PathPrompt, Prompt, Step, Tree
from games.text import MAX_ACTION_CHARS, clip, count


@dataclass(frozen=True, slots=True)
class State:
    """Position; sets of squares are ints as in `games.grid`."""

    white: int
    black: int
    burnt: int
    to_move: Role  # after the end: the role that cannot move
    moved: Move | None  # a move that still needs its shot (split form only)
    turns: int  # completed by both


_WORDS: Final[Mapping[str, tuple[int, bool, Callable[..., Action]]]] = {
    "move": (2, True, Move),  # number of squares, is split form, constructor
    "fire": (1, True, Fire),
    "play": (3, False, Play),
}
MOVE_AND_SHOT: Final = 2 * RAY
_MOVE_STEPS: Final = (Step("from"), Step("to"), Step("arrow"))
_PLAY_STEPS: Final = (Step("from"), Step("to"), Step("arrow", keep=0))


@dataclass(frozen=True, slots=True)
class Amazons:
    """One form of Amazons."""

    key: str
    name: str
    grid: Grid
    split: bool  # move and fire are two steps, and the arrow is not optional
    white: str  # squares at the start, "a4 d1"
    black: str
    roles: tuple[Role, ...] = ROLES
    kind: Literal["path"] = "path"
    is_simultaneous: bool = False
    counts_points: bool = False

    @property
    def width(self) -> int:
        return self.grid.width

    @property
    def height(self) -> int:
        return self.grid.height

    def start(self) -> State:
        white, black = self.grid.set_of(self.white), self.grid.set_of(self.black)
        return State(white, black, 0, "white", None, 0)

    def control(self, s: State) -> frozenset[Role]:
        return ALONE[s.to_move] if self._can_act(s) else NOBODY

    def _can_act(self, s: State) -> bool:
        # True before a shot as well: the square just left is empty.
        """Return whether the role to move has an empty square next to one of its amazons."""
        own = s.white if s.to_move == "white" else s.black
        empty = self.grid.board & ~(s.white | s.black | s.burnt)
        return self.grid.around(own) & empty != 0

    def outcome(self, s: State) -> Outcome | None:
        return None if self._can_act(s) else board_outcome(OTHER[s.to_move], "no_moves")

    def turns(self, s: State) -> int:
        return s.turns

    def _blocked(self, s: State) -> int:
        return s.white | s.black | s.burnt | self.grid.wall

    # Legal actions

    def choices(self, s: State, role: Role) -> Choices[Action]:
        if not self._can_act(s):
            return Listed()
        if role != s.to_move:
            return Listed(NOOP)

        def allows(action: object) -> bool:
            return isinstance(action, Action) and self._fault(s, role, action) is None

        if s.moved is not None:
            return Paths(lambda: self._shots(s), Fire, allows)
        if self.split:
            return Paths(lambda: self._moves(s), Move, allows)
        return Paths(lambda: self._plays(s), Play, allows)

    def _moves(self, s: State) -> Iterator[Fan]:
        blocked = self._blocked(s)
        for origin in squares(s.white if s.to_move == "white" else s.black):
            yield (origin,), self.grid.reach(origin, blocked)

    def _plays(self, s: State) -> Iterator[Fan]:
        blocked = self._blocked(s)
        reach = self.grid.reach
        for (origin,), targets in self._moves(s):
            left = blocked ^ 1 << origin
            for target in squares(targets):
                yield (origin, target), reach(target, left)

    def _shots(self, s: State) -> Iterator[Fan]:
        if s.moved is not None:
            yield (), self.grid.reach(s.moved.target, self._blocked(s))

    def parse(self, text: str) -> Action:
        if text == "noop":
            return NOOP
        parts = text.split(" ") if len(text) <= MAX_ACTION_CHARS else [""]
        length, split, make = _WORDS.get(parts[0], (0, not self.split, Play))
        if len(parts) != 2 * length + 1 or split is not self.split:
            raise BadAction(f"“{clip(text)}” is not an action of {self.name}.")
        try:
            return make(*self.grid.path(parts))
        except KeyError:
            raise BadAction(f"“{clip(text)}” names a square that is not on this board.") from None

    def check(self, s: State, role: Role, action: Action) -> None:
        fault = self._fault(s, role, action)
        if fault is not None:
            raise fault

    def _fault(self, s: State, role: Role, action: Action) -> IllegalAction | BadAction | None:
        """Return the error in the action, or None."""
        if not self._can_act(s):
            return IllegalAction(Code.GAME_OVER)
        if role != s.to_move:
            return None if action == NOOP else IllegalAction(Code.NOT_IN_CONTROL)
        if isinstance(action, Noop):
            return IllegalAction(Code.MUST_ACT)
        if isinstance(action, Play) and not self.split:
            # An arrow at the origin (no arrow) is always legal: that square is empty now.
            left = self._blocked(s) ^ 1 << action.origin
            return self._move_fault(s, action.origin, action.target) or self._way_fault(
                action.target, action.arrow, left
            )
        if isinstance(action, Move) and self.split:
            if s.moved is not None:
                return IllegalAction(Code.WRONG_STEP, NAMES[s.moved.target])
            return self._move_fault(s, action.origin, action.target)
        if isinstance(action, Fire) and self.split:
            if s.moved is None:
                return IllegalAction(Code.WRONG_STEP)
            return self._way_fault(s.moved.target, action.arrow, self._blocked(s))
        return BadAction(f"“{action}” is not an action of {self.name}.")

    def _move_fault(self, s: State, origin: int, target: int) -> IllegalAction | None:
        own = s.white if s.to_move == "white" else s.black
        if not own >> origin & 1:
            return IllegalAction(Code.NOT_YOURS, NAMES[origin])
        return self._way_fault(origin, target, self._blocked(s))

    def _way_fault(self, origin: int, target: int, blocked: int) -> IllegalAction | None:
        """Return the error that keeps a queen from going from origin to target, or None."""
        way = self.grid.lines[origin].get(target)
        if way is None:
            if origin == target:
                return IllegalAction(Code.SAME_SQUARE, NAMES[origin])
            return IllegalAction(Code.NOT_A_LINE, NAMES[origin], NAMES[target])
        if not way & blocked:
            return None
        blocker = self.grid.first(origin, target, blocked)
        code = Code.OCCUPIED if blocker == target else Code.PATH_BLOCKED
        return IllegalAction(code, NAMES[blocker])

    # Playing

    def play(self, s: State, joint: Joint) -> State:
        role = s.to_move
        action = joint[role]
        if isinstance(action, Fire):
            burnt = s.burnt | 1 << action.arrow
            return State(s.white, s.black, burnt, OTHER[role], None, s.turns + 1)
        assert isinstance(action, Move | Play)
        step = 1 << action.origin | 1 << action.target
        white, black = (s.white ^ step, s.black) if role == "white" else (s.white, s.black ^ step)
        if isinstance(action, Move):
            return State(white, black, s.burnt, role, action, s.turns)
        burnt = s.burnt if action.arrow == action.origin else s.burnt | 1 << action.arrow
        return State(white, black, burnt, OTHER[role], None, s.turns + 1)

    # Presentation

    def view(self, s: State, role: Role | None) -> View:
        moved = s.moved
        return {
            "board": self._picture(s),
            "width": self.grid.width,
            "height": self.grid.height,
            "to_move": s.to_move,
            "step": "play" if not self.split else "move" if moved is None else "fire",
            "moved": None if moved is None else [NAMES[moved.origin], NAMES[moved.target]],
            "turns": s.turns,
        }

    def effects(self, before: State, joint: Joint, role: Role | None) -> tuple[Effect, ...]:
        mover = before.to_move
        action = joint[mover]
        if isinstance(action, Fire):
            assert before.moved is not None
            return (Place(mover, NAMES[before.moved.target], NAMES[action.arrow]),)
        assert isinstance(action, Move | Play)
        slide = Slide(mover, NAMES[action.origin], NAMES[action.target])
        if isinstance(action, Move) or action.arrow == action.origin:
            return (slide,)
        return (slide, Place(mover, NAMES[action.target], NAMES[action.arrow]))

    def prompt(self, s: State, role: Role) -> Prompt | None:
        if role != s.to_move or not self._can_act(s):
            return None
        if s.moved is not None:
            arrows = self.grid.reach_names(s.moved.target, self._blocked(s))
            return PathPrompt((Step("arrow"),), (("fire", 0),), arrows)
        own = s.white if s.to_move == "white" else s.black
        empty = self.grid.board & ~(s.white | s.black | s.burnt)
        # Both forms share one tree: the arrow may go to the origin, as a shot or as no shot.
        tree: dict[str, Tree] = {
            NAMES[origin]: MOVE_AND_SHOT
            for origin in squares(own)
            if self.grid.around(1 << origin) & empty
        }
        if self.split:
            return PathPrompt(_MOVE_STEPS, (("move", 0, 1), ("fire", 2)), tree)
        return PathPrompt(_PLAY_STEPS, (("play", 0, 1, 2),), tree)

    def with_turn_of(self, s: State, role: Role) -> State | None:
        if role == s.to_move or not self._can_act(s):
            return None
        return replace(s, to_move=role, moved=None)

    def plan(self, s: State, role: Role) -> Prompt | None:
        planned = self.with_turn_of(s, role)
        return None if planned is None else self.prompt(planned, role)

    # Text form

    def _picture(self, s: State) -> str:
        return picture(self.grid, ("x", s.burnt), ("W", s.white), ("B", s.black))

    def write(self, s: State) -> str:
        """Return board, role to move, the unfinished move ("d1-d7") or "-", and turns."""
        moved = "-" if s.moved is None else s.moved.way
        return f"{self._picture(s)} {s.to_move} {moved} {s.turns}"

    def read(self, text: str) -> State:
        parts = text.split(" ")
        if len(parts) != 4:
            raise ValueError("a position of Amazons is: board, role, move, number of turns")
        white, black, burnt = self.grid.read_rows(parts[0], "WBx")
        to_move = next((role for role in ROLES if role == parts[1]), None)
        if to_move is None:
            raise ValueError("the role to move is white or black")
        state = State(white, black, burnt, to_move, None, count(parts[3], "turns"))
        if parts[2] == "-":
            return state
        moved = self._read_moved(state, parts[2])
        return State(white, black, burnt, to_move, moved, state.turns)

    def _read_moved(self, s: State, text: str) -> Move:
        """Parse the move that still needs its shot; undoing it must leave a board where it is
        legal."""
        origin, _, target = text.partition("-")
        by_name = self.grid.by_name
        if not self.split or origin not in by_name or target not in by_name:
            raise ValueError("the move made is two squares of this board, and only where one fires")
        move = Move(by_name[origin], by_name[target])
        own = s.white if s.to_move == "white" else s.black
        way = self.grid.lines[move.target].get(move.origin)
        if not own >> move.target & 1 or way is None or way & self._blocked(s):
            raise ValueError("the move made cannot have led to this board")
        return move
