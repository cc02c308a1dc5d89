"""Pincer: one or two single moves a turn, with captures between enemies or the wall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

from games.captures import captured_pieces, captures_near, removals
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
from games.effects import Effect, Slide
from games.grid import NAMES, RIGHT, UP, Grid, names, picture, squares
from games.moves import Move
from games.prompts import PathPrompt, Prompt, Step, Tree
from games.text import MAX_ACTION_CHARS, clip, count

NO_SQUARE: Final = 0  # in `State.stepped`: the piece was captured by its own move


@dataclass(frozen=True, slots=True)
class State:
    """Position; sets of squares are ints as in `games.grid`."""

    white: int
    black: int
    to_move: Role  # after the end: the role whose turn it was
    stepped: int | None  # square of the piece that moved in this turn, NO_SQUARE, or None
    moves: int  # single moves made by both
    turns: int  # completed by both


_FIRST: Final = (Step("from"), Step("to"))
_SECOND: Final = (Step("from2"), Step("to2"))


@dataclass(frozen=True, slots=True)
class Pincer:
    """Board, start and move limit. Captures are computed for up to 8 rows and columns."""

    key: str
    name: str
    grid: Grid
    white: str  # squares at the start, "a7 a5"
    black: str
    limit: int  # single moves by both; then the pieces are counted
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
        return State(white, black, "white", None, 0, 0)

    def turns(self, s: State) -> int:
        return s.turns

    def control(self, s: State) -> frozenset[Role]:
        return NOBODY if self._is_over(s) else ALONE[s.to_move]

    def _can_move(self, pieces: int, occupied: int) -> bool:
        return self.grid.step(pieces) & self.grid.board & ~occupied != 0

    def _is_decided(self, white: int, black: int, moves: int) -> bool:
        """Return whether the game is over whichever role is to move."""
        if moves >= self.limit or not white or not black:
            return True
        return not (white & white - 1 or black & black - 1)  # one piece each

    def _is_over(self, s: State) -> bool:
        if self._is_decided(s.white, s.black, s.moves):
            return True
        # A role that cannot move has already passed, so neither role can move.
        return not self._can_move(_movable_pieces(s), s.white | s.black)

    def outcome(self, s: State) -> Outcome | None:
        if not self._is_over(s):
            return None
        white, black = s.white.bit_count(), s.black.bit_count()
        winner: Role | None = None if white == black else "white" if white > black else "black"
        if not white or not black:
            return board_outcome(winner, "captured_all" if winner else "no_pieces")
        if white == black == 1:
            return board_outcome(None, "one_each")
        return board_outcome(winner, "fifty_moves" if s.moves >= self.limit else "stuck")

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
        for origin in squares(_movable_pieces(s)):
            yield (origin,), self.grid.steps[origin] & empty

    def parse(self, text: str) -> Action:
        if text == "noop":
            return NOOP
        parts = text.split(" ") if len(text) <= MAX_ACTION_CHARS else [""]
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
        """Return the error in the action, or None."""
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
        white, black = _move_piece(s, move.origin, move.target)
        return self._finish_move(
            s, white, black, move.target, captured_pieces(white, black, self.grid.wall)
        )

    def _finish_move(self, s: State, white: int, black: int, target: int, dead: int) -> State:
        """Return the state after a move to target led to this board and captured `dead`."""
        white &= ~dead
        black &= ~dead
        role, moves = s.to_move, s.moves + 1
        if self._is_decided(white, black, moves):
            return State(white, black, role, None, moves, s.turns + 1)
        own, had = (white, s.white) if role == "white" else (black, s.black)
        # A turn that began with two pieces has two moves, even if one of them died since.
        if s.stepped is None and had & had - 1:
            step = 1 << target
            if self._can_move(own & ~step, white | black):
                stepped = target if own & step else NO_SQUARE
                return State(white, black, role, stepped, moves, s.turns)
        return self._begin(white, black, OTHER[role], moves, s.turns + 1)

    def _begin(self, white: int, black: int, role: Role, moves: int, turns: int) -> State:
        """Return the start of this role's turn, or of the other's if this role cannot move."""
        own, theirs = (white, black) if role == "white" else (black, white)
        occupied = white | black
        if not self._can_move(own, occupied) and self._can_move(theirs, occupied):
            role = OTHER[role]
        return State(white, black, role, None, moves, turns)

    # Presentation

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
            "turns": s.turns,
        }

    def effects(self, before: State, joint: Joint, role: Role | None) -> tuple[Effect, ...]:
        mover = before.to_move
        move = joint[mover]
        assert isinstance(move, Move)
        white, black = _move_piece(before, move.origin, move.target)
        slide = Slide(mover, NAMES[move.origin], NAMES[move.target])
        if not captured_pieces(white, black, self.grid.wall):
            return (slide,)
        return (slide, *removals(white, black, self.grid.wall))

    def prompt(self, s: State, role: Role) -> Prompt | None:
        if role != s.to_move or self._is_over(s):
            return None
        own = s.white if role == "white" else s.black
        if s.stepped is None and own & own - 1:
            actions = ("move", 0, 1), ("move", 2, 3)
            return PathPrompt(_FIRST + _SECOND, actions, self._two_moves(s))
        tree = _shorten(self._one_move(s, self._is_settled(s)))
        steps = _FIRST if s.stepped is None else _SECOND
        return PathPrompt(steps, (("move", 0, 1),), tree)

    def with_turn_of(self, s: State, role: Role) -> State | None:
        if role == s.to_move or self._is_over(s):
            return None
        return replace(s, to_move=role, stepped=None)

    def plan(self, s: State, role: Role) -> Prompt | None:
        planned = self.with_turn_of(s, role)
        return None if planned is None else self.prompt(planned, role)

    def _two_moves(self, s: State) -> Tree:
        """Return the tree of a whole turn: origin, then target, then the second move."""
        tree: dict[str, Tree] = {}
        for origin, targets, takes in self._steps(s, self._is_settled(s)):
            nodes: dict[str, Tree] = {}
            tree[NAMES[origin]] = nodes
            for target in squares(targets):
                white, black = _move_piece(s, origin, target)
                dead = takes.get(target, 0)
                after = self._finish_move(s, white, black, target, dead)
                second = self._one_move(after) if after.turns == s.turns else {}
                nodes[NAMES[target]] = {**second, "x": names(dead)} if dead else _shorten(second)
        return tree

    def _is_settled(self, s: State) -> bool:
        """Return whether nothing on the board is captured.

        True after every move; a position that was set up by hand may differ.
        """
        return not captured_pieces(s.white, s.black, self.grid.wall)

    def _one_move(self, s: State, is_settled: bool = True) -> dict[str, Tree]:
        """Return the tree of a turn's last move: origin, then target."""
        tree: dict[str, Tree] = {}
        for origin, targets, takes in self._steps(s, is_settled):
            if takes:
                tree[NAMES[origin]] = {
                    NAMES[target]: {"x": names(takes[target])} if target in takes else ""
                    for target in squares(targets)
                }
            else:
                tree[NAMES[origin]] = _star(origin, targets)
        return tree

    def _steps(self, s: State, is_settled: bool) -> Iterator[tuple[int, int, Mapping[int, int]]]:
        """Yield each movable piece, its targets, and the captures by target, if any.

        On a settled board, a step captures in its own row and column only, and only beside an
        enemy, or beside an own piece if one of those is beside an enemy.
        """
        grid, wall = self.grid, self.grid.wall
        own, theirs = (s.white, s.black) if s.to_move == "white" else (s.black, s.white)
        empty, near = ~(own | theirs), grid.step(theirs)
        for origin in squares(_movable_pieces(s)):
            targets = grid.steps[origin] & empty
            if not targets:
                continue
            stay, risky = own ^ 1 << origin, targets
            if is_settled:
                risky &= near | grid.step(stay) if stay & near else near
            takes: dict[int, int] = {}
            for target in squares(risky):
                own_then = stay | 1 << target
                if is_settled:
                    dead = captures_near(own_then, theirs, target, wall)
                else:
                    dead = captured_pieces(own_then, theirs, wall)
                if dead:
                    takes[target] = dead
            yield origin, targets, takes

    # Text form

    def write(self, s: State) -> str:
        """Return the state as one line.

        Board, role to move, the piece that has stepped in this turn ("d4", "x" if it died, "-" if
        none has), single moves, turns.
        """
        stepped = "-" if s.stepped is None else NAMES[s.stepped] if s.stepped else "x"
        board = picture(self.grid, ("W", s.white), ("B", s.black))
        return f"{board} {s.to_move} {stepped} {s.moves} {s.turns}"

    def read(self, text: str) -> State:
        """Parse one line; a role that cannot move passes at once."""
        parts = text.split(" ")
        if len(parts) != 5:
            raise ValueError("a position of Pincer is: board, role, stepped piece, moves, turns")
        white, black = self.grid.read_rows(parts[0], "WB")
        to_move = next((role for role in ROLES if role == parts[1]), None)
        if to_move is None:
            raise ValueError("the role to move is white or black")
        moves, turns = count(parts[3], "moves", self.limit), count(parts[4], "turns")
        if parts[2] == "-":
            if self._is_decided(white, black, moves):
                return State(white, black, to_move, None, moves, turns)
            return self._begin(white, black, to_move, moves, turns)
        stepped = NO_SQUARE if parts[2] == "x" else self.grid.by_name.get(parts[2])
        own = white if to_move == "white" else black
        if stepped is None or (stepped and not own >> stepped & 1):
            raise ValueError("the piece that has stepped is not on its square")
        state = State(white, black, to_move, stepped, moves, turns)
        if not moves or self._is_over(state):
            raise ValueError("no second move is to come on this board")
        return state


def _movable_pieces(s: State) -> int:
    """Return the pieces that the role to move may still move in this turn."""
    own = s.white if s.to_move == "white" else s.black
    return own & ~(1 << s.stepped) if s.stepped else own


@cache
def _star(origin: int, targets: int) -> str:
    """Return the node of a step that ends the turn: a star of four digits."""
    return ":" + "".join(str(targets >> origin + step & 1) for step in (-RIGHT, RIGHT, -UP, UP))


def _shorten(tree: dict[str, Tree]) -> Tree:
    """Join a tree of stars into one string; return any other tree unchanged."""
    items = [square + node for square, node in tree.items() if isinstance(node, str)]
    return " ".join(items) if len(items) == len(tree) else tree


def _move_piece(s: State, origin: int, target: int) -> tuple[int, int]:
    """Return white and black after a move, before captures."""
    step = 1 << origin | 1 << target
    return (s.white ^ step, s.black) if s.to_move == "white" else (s.white, s.black ^ step)
