"""Pincer: one or two single steps a go, and captures between an enemy and an enemy or the wall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

from games.captures import captured, captured_from, removals
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
from games.effects import Effect, Slide
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
        white, black = _moved(s, move.origin, move.target)
        return self._judged(s, white, black, move.target, captured(white, black, self.grid.wall))

    def _judged(self, s: State, white: int, black: int, target: int, dead: int) -> State:
        """The state after a move to target has led to this board, and these pieces are captured."""
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
        slide = Slide(mover, NAMES[move.origin], NAMES[move.target])
        if not captured(white, black, self.grid.wall):
            return (slide,)
        return (slide, *removals(white, black, self.grid.wall))

    def prompt(self, s: State, role: Role) -> Prompt | None:
        if role != s.to_move or self._is_over(s):
            return None
        own = s.white if role == "white" else s.black
        if s.stepped is None and own & own - 1:
            actions = ("move", 0, 1), ("move", 2, 3)
            return PathPrompt(_FIRST + _SECOND, actions, self._two_moves(s))
        tree = _short(self._one_move(s, self._rests(s)))
        steps = _FIRST if s.stepped is None else _SECOND
        return PathPrompt(steps, (("move", 0, 1),), tree)

    def plan(self, s: State, role: Role) -> Prompt | None:
        if role == s.to_move or self._is_over(s):
            return None
        return self.prompt(replace(s, to_move=role, stepped=None), role)

    def _two_moves(self, s: State) -> Tree:
        """The tree of a whole go: origins, under each its targets, under each the second move."""
        tree: dict[str, Tree] = {}
        for origin, targets, takes in self._steps(s, self._rests(s)):
            nodes: dict[str, Tree] = {}
            tree[NAMES[origin]] = nodes
            for target in squares(targets):
                white, black = _moved(s, origin, target)
                dead = takes.get(target, 0)
                after = self._judged(s, white, black, target, dead)
                second = self._one_move(after) if after.goes == s.goes else {}
                nodes[NAMES[target]] = {**second, "x": names(dead)} if dead else _short(second)
        return tree

    def _rests(self, s: State) -> bool:
        """Is nothing captured as it stands? So it is after every move; a board that was set up may
        be another."""
        return not captured(s.white, s.black, self.grid.wall)

    def _one_move(self, s: State, rests: bool = True) -> dict[str, Tree]:
        """The tree of a go's last move: origins, under each its targets."""
        tree: dict[str, Tree] = {}
        for origin, targets, takes in self._steps(s, rests):
            if takes:
                tree[NAMES[origin]] = {
                    NAMES[target]: {"x": names(takes[target])} if target in takes else ""
                    for target in squares(targets)
                }
            else:
                tree[NAMES[origin]] = _star(origin, targets)
        return tree

    def _steps(self, s: State, rests: bool) -> Iterator[tuple[int, int, Mapping[int, int]]]:
        """Each piece that can move, its targets, and what the steps capture that capture anything.

        On a board that rests, a step captures in its own row and column only, and only beside an
        enemy, or beside an own piece if one of those is beside an enemy.
        """
        grid, wall = self.grid, self.grid.wall
        own, theirs = (s.white, s.black) if s.to_move == "white" else (s.black, s.white)
        empty, near = ~(own | theirs), grid.step(theirs)
        for origin in squares(_free(s)):
            targets = grid.steps[origin] & empty
            if not targets:
                continue
            stay, risky = own ^ 1 << origin, targets
            if rests:
                risky &= near | grid.step(stay) if stay & near else near
            takes: dict[int, int] = {}
            for target in squares(risky):
                own_then = stay | 1 << target
                if rests:
                    dead = captured_from(own_then, theirs, target, wall)
                else:
                    dead = captured(own_then, theirs, wall)
                if dead:
                    takes[target] = dead
            yield origin, targets, takes

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


@cache
def _star(origin: int, targets: int) -> str:
    """The node of a step that ends the go: a star, of which four digits are enough."""
    return ":" + "".join(str(targets >> origin + step & 1) for step in (-RIGHT, RIGHT, -UP, UP))


def _short(tree: dict[str, Tree]) -> Tree:
    """A tree of stars as one string; another as it is."""
    items = [square + node for square, node in tree.items() if isinstance(node, str)]
    return " ".join(items) if len(items) == len(tree) else tree


def _moved(s: State, origin: int, target: int) -> tuple[int, int]:
    """White and black after a move, before captures."""
    step = 1 << origin | 1 << target
    return (s.white ^ step, s.black) if s.to_move == "white" else (s.white, s.black ^ step)
