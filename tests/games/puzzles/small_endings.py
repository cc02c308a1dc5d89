"""Small positions of Amazons and Pincer, and values of them by the rules alone."""

from functools import cache
from typing import Any

from hypothesis import strategies as st

from games.amazons import Amazons, State
from games.catalogue import PINCER
from games.core import ROLES
from games.grid import Grid, grid
from games.pincer import State as PincerState
from games.puzzles.turns import all_turns

SMALL = Amazons("small", "Small", grid(4, 3), split=True, white="a1", black="d3")
MAX_EMPTY = 6


@st.composite
def endings(draw: st.DrawFn, rules: Amazons = SMALL, most_empty: int = MAX_EMPTY) -> State:
    """Positions at the beginning of a turn, with few empty squares."""
    board = [s for s in range(256) if rules.grid.board >> s & 1]
    order = draw(st.permutations(board))
    amazons = draw(st.integers(2, 4))
    whites = draw(st.integers(1, amazons - 1))
    empty = draw(st.integers(1, most_empty))
    white, black = _set(order[:whites]), _set(order[whites:amazons])
    burnt = _set(order[amazons + empty :])
    return State(white, black, burnt, draw(st.sampled_from(ROLES)), None, 10)


@st.composite
def late_pincer(draw: st.DrawFn, left: int = 2) -> PincerState:
    """Positions of Pincer at the beginning of a turn with few moves left."""
    board = [s for s in range(256) if PINCER.grid.board >> s & 1]
    order = draw(st.permutations(board))
    whites, blacks = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    white, black = _set(order[:whites]), _set(order[whites : whites + blacks])
    moves = PINCER.limit - left
    return PincerState(white, black, draw(st.sampled_from(ROLES)), None, moves, moves // 2)


def wins(rules: Amazons, state: State) -> bool:
    """Whether the role to move wins, by nothing but the rules: no region, no sum."""

    @cache
    def search(at: State) -> bool:
        return any(not search(_timeless(after)) for _, after in all_turns(rules, at))

    return search(_timeless(state))


def with_spare(rules_grid: Grid, state: State, spare: int) -> tuple[Amazons, State]:
    """The same position beside a row apart, in which the role to move has some turns more.

    The row holds one amazon of that role in its corner and `spare` empty squares.
    """
    wide = grid(rules_grid.width, rules_grid.height + 2)
    rules = Amazons("wide", "Wide", wide, split=True, white="a1", black="b1")
    top = rules_grid.height + 2
    row = [16 * top + x for x in range(1, rules_grid.width + 1)]
    wall = [16 * (top - 1) + x for x in range(1, rules_grid.width + 1)]
    burnt = state.burnt | _set(wall) | _set(row[1 + spare :])
    corner = 1 << row[0]
    white = state.white | (corner if state.to_move == "white" else 0)
    black = state.black | (corner if state.to_move == "black" else 0)
    return rules, State(white, black, burnt, state.to_move, None, 0)


def _timeless(state: State) -> State:
    return State(state.white, state.black, state.burnt, state.to_move, state.moved, 0)


def _set(squares: Any) -> int:
    return sum(1 << square for square in squares)
