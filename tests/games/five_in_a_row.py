"""Five in a row on 5×5: the tiny sixth game by which the recipe of CONTRIBUTING.md is tested.

White and black take turns; one puts a stone on an empty square. The first to fill a row, a column
or a diagonal wins; a full board without such a line is a draw. The site does not offer this game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from games import catalogue, notation
from games.choices import Choices, Fan, Listed, Paths
from games.core import (
    ALONE,
    NOBODY,
    NOOP,
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
from games.effects import Effect, Place
from games.grid import COORDINATES, NAMES, Grid, grid, names, picture
from games.prompts import PathPrompt, Prompt, Step
from games.text import MAX_ACTION_CHARS, clip

KEY: Final = "five-in-a-row"
SIZE: Final = 5


class Put(NamedTuple("Put", [("at", int)]), Action):
    """A stone on an empty square."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"put {COORDINATES[self.at]}"


@dataclass(frozen=True, slots=True)
class State:
    """A position. Sets of squares are ints, see `games.grid`."""

    white: int
    black: int

    @property
    def turns(self) -> int:
        """Stones on the board: every turn puts one."""
        return (self.white | self.black).bit_count()

    @property
    def to_move(self) -> Role:
        """After the end: the role whose turn it would be."""
        return ROLES[self.turns % 2]


@dataclass(frozen=True)
class FiveInARow:
    """A square board; a line as long as its side wins."""

    key: str = KEY
    name: str = "Five in a row"
    grid: Grid = field(default_factory=lambda: grid(SIZE, SIZE))
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

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The sets of squares that win: rows, columns and the two diagonals."""
        span = range(1, SIZE + 1)
        ways = [[(x, y) for x in span] for y in span] + [[(x, y) for y in span] for x in span]
        ways += [[(x, x) for x in span], [(x, SIZE + 1 - x) for x in span]]
        return tuple(sum(1 << (16 * y + x) for x, y in way) for way in ways)

    def start(self) -> State:
        return State(0, 0)

    def turns(self, s: State) -> int:
        return s.turns

    def control(self, s: State) -> frozenset[Role]:
        return NOBODY if self.outcome(s) else ALONE[s.to_move]

    def outcome(self, s: State) -> Outcome | None:
        stones_of: dict[Role, int] = {"white": s.white, "black": s.black}
        for role, stones in stones_of.items():
            if any(stones & line == line for line in self.lines):
                return board_outcome(role, "five_in_a_row")
        return board_outcome(None, "full_board") if not self._empty(s) else None

    def _empty(self, s: State) -> int:
        return self.grid.board & ~(s.white | s.black)

    def choices(self, s: State, role: Role) -> Choices[Action]:
        if self.outcome(s):
            return Listed()
        if role != s.to_move:
            return Listed(NOOP)

        def fans() -> Iterator[Fan]:
            yield (), self._empty(s)

        def allows(action: object) -> bool:
            return isinstance(action, Put) and self._fault(s, role, action) is None

        return Paths(fans, Put, allows)

    def parse(self, text: str) -> Action:
        if text == "noop":
            return NOOP
        parts = text.split(" ") if len(text) <= MAX_ACTION_CHARS else []
        if len(parts) != 3 or parts[0] != "put":
            raise BadAction(f"“{clip(text)}” is not an action of {self.name}.")
        try:
            return Put(*self.grid.path(parts))
        except KeyError:
            raise BadAction(f"“{clip(text)}” names a square that is not on this board.") from None

    def check(self, s: State, role: Role, action: Action) -> None:
        fault = self._fault(s, role, action)
        if fault is not None:
            raise fault

    def _fault(self, s: State, role: Role, action: Action) -> IllegalAction | BadAction | None:
        if self.outcome(s):
            return IllegalAction(Code.GAME_OVER)
        if role != s.to_move:
            return None if action == NOOP else IllegalAction(Code.NOT_IN_CONTROL)
        if isinstance(action, Noop):
            return IllegalAction(Code.MUST_ACT)
        if not isinstance(action, Put):
            return BadAction(f"“{action}” is not an action of {self.name}.")
        if not self._empty(s) >> action.at & 1:
            return IllegalAction(Code.OCCUPIED, NAMES[action.at])
        return None

    def play(self, s: State, joint: Joint) -> State:
        action = joint[s.to_move]
        assert isinstance(action, Put)
        stone = 1 << action.at
        if s.to_move == "white":
            return replace(s, white=s.white | stone)
        return replace(s, black=s.black | stone)

    def view(self, s: State, role: Role | None) -> View:
        return {
            "board": picture(self.grid, ("W", s.white), ("B", s.black)),
            "width": self.width,
            "height": self.height,
            "to_move": s.to_move,
            "turns": s.turns,
        }

    def effects(self, before: State, joint: Joint, role: Role | None) -> tuple[Effect, ...]:
        action = joint[before.to_move]
        assert isinstance(action, Put)
        return (Place(before.to_move, NAMES[action.at], NAMES[action.at]),)

    def prompt(self, s: State, role: Role) -> Prompt | None:
        return self._squares(s) if role in self.control(s) else None

    def with_turn_of(self, s: State, role: Role) -> State | None:
        return None  # the stones on the board say whose turn it is

    def plan(self, s: State, role: Role) -> Prompt | None:
        return self._squares(s) if self.control(s) - {role} else None

    def _squares(self, s: State) -> Prompt:
        return PathPrompt((Step("to"),), (("put", 0),), names(self._empty(s)))

    def write(self, s: State) -> str:
        """The board and the role to move."""
        return f"{picture(self.grid, ('W', s.white), ('B', s.black))} {s.to_move}"

    def read(self, text: str) -> State:
        board, _, role = text.partition(" ")
        state = State(*self.grid.read_rows(board, "WB"))
        if state.white.bit_count() - state.black.bit_count() not in (0, 1):
            raise ValueError("white has as many stones as black, or one more")
        if role != state.to_move:
            raise ValueError("the role to move is white after as many stones of both, else black")
        return state


FIVE_IN_A_ROW: Final = FiveInARow()


def plug_in(monkeypatch: Any) -> None:
    """Add the game for one test: to the catalogue, and its action to the notation."""
    monkeypatch.setattr(
        catalogue, "RULES", MappingProxyType({**catalogue.RULES, KEY: FIVE_IN_A_ROW})
    )
    writers: dict[Any, Any] = {**notation._WRITERS, Put: lambda action: NAMES[action.at]}
    readers: dict[Any, Any] = {
        **notation._READERS,
        FiveInARow: lambda rules, state, text: (_typed(text),),
    }
    monkeypatch.setattr(notation, "_WRITERS", writers)
    monkeypatch.setattr(notation, "_READERS", readers)


def _typed(text: str) -> Put:
    square = FIVE_IN_A_ROW.grid.by_name.get(text)
    if square is None:
        raise BadAction(f"“{clip(text)}” is not a square of this board.")
    return Put(square)
