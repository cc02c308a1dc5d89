"""The count of own squares: reachable squares in positions and in random games."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.amazons import Amazons, State
from games.catalogue import AMAZONS, RULES
from games.core import OTHER, assemble_joint
from games.counting import as_json, count_territory, limit_reason, may_be_counted
from games.grid import grid, names, squares

SMALL = Amazons("small", "Small", grid(4, 4), split=False, white="a1", black="d4")


def position(rules: Amazons, *rows: str) -> State:
    return rules.read(f"{'/'.join(rows)} white - 0")


def owned(rules: Amazons, state: State, role: str | None) -> str:
    """The squares of a role, in the order of names."""
    bits = sum(each.squares for each in count_territory(rules, state).regions if each.role == role)
    return names(bits)


def random_game(seed: int, turns: int) -> list[State]:
    """Positions of a game of random turns that shoots wherever it can."""
    random, state, seen = Random(seed), SMALL.start(), []
    while SMALL.control(state) and state.turns < turns:
        seen.append(state)
        plays = list(SMALL.choices(state, state.to_move))
        shots = [play for play in plays if play.arrow != play.origin] or plays
        action = random.choice(shots if random.random() < 0.8 else plays)
        state = SMALL.play(state, assemble_joint(SMALL, state, {state.to_move: action}))
    return [*seen, state]


def reachable(rules: Amazons, state: State, role: str) -> int:
    """The squares on which an amazon of a role can stand if only this role moves, by search.

    Amazons of the other role are taken off the board, which cannot make fewer squares reachable.
    """
    own = state.white if role == "white" else state.black
    blocked = state.burnt | rules.grid.wall
    seen, todo = own, list(squares(own))
    while todo:
        for square in squares(rules.grid.reach(todo.pop(), blocked) & ~seen):
            seen |= 1 << square
            todo.append(square)
    return seen


def test_only_the_free_arrow_is_counted() -> None:
    assert [key for key, rules in RULES.items() if may_be_counted(rules)] == ["amazons"]


def test_a_wall_of_arrows_parts_the_sides() -> None:
    state = position(SMALL, "..xB", "..x.", "W.x.", "..x.")
    counted = count_territory(SMALL, state)
    assert (counted.white, counted.black, counted.is_parted) == (7, 3, True)
    assert counted.winner == "white"
    assert owned(SMALL, state, "black") == "d1 d2 d3"


def test_a_gap_between_corners_leads_through() -> None:
    open_, closed = ("..xB", "...x", "Wxx.", "x..."), ("..xB", "..xx", "Wxx.", "x...")
    assert not count_territory(SMALL, position(SMALL, *open_)).is_parted
    assert count_territory(SMALL, position(SMALL, *closed)).is_parted


def test_an_amazon_is_no_wall() -> None:
    # Only white's amazon keeps black from the two squares behind it, and it can step aside.
    state = position(SMALL, "..xx", "xWxx", "x..x", "xxB.")
    counted = count_territory(SMALL, state)
    assert (counted.white, counted.black, counted.is_parted) == (0, 0, False)


def test_amazons_that_touch_where_nothing_is_empty_have_nothing_to_share() -> None:
    state = position(SMALL, "WBxx", "xxxx", "xxxx", "xxxx")
    counted = count_territory(SMALL, state)
    assert (counted.white, counted.black, counted.is_parted, counted.winner) == (0, 0, True, None)


def test_squares_without_an_amazon_are_nobodys() -> None:
    state = position(SMALL, "..xB", "xxxx", "Wx..", "xx..")
    counted = count_territory(SMALL, state)
    assert (counted.white, counted.black, counted.is_parted) == (0, 0, True)
    assert owned(SMALL, state, None) == "c1 d1 c2 d2 a4 b4"


def test_the_start_is_shared_whole() -> None:
    counted = count_territory(AMAZONS, AMAZONS.start())
    assert (counted.white, counted.black, counted.is_parted) == (0, 0, False)


def test_the_proof_names_every_empty_square_once() -> None:
    state = position(SMALL, "..xB", "..x.", "W.x.", "..x.")
    assert as_json(count_territory(SMALL, state)) == {
        "white": 7,
        "black": 3,
        "regions": [
            {"role": "white", "squares": "a1 b1 b2 a3 b3 a4 b4"},
            {"role": "black", "squares": "d1 d2 d3"},
        ],
    }


@pytest.mark.parametrize(
    ("quiet", "turns", "reason"),
    [
        (9, 399, None),
        (10, 20, "counted_quiet"),
        (0, 400, "counted_long"),
        (10, 400, "counted_quiet"),
    ],
)
def test_a_game_is_counted_after_ten_quiet_turns_or_four_hundred(quiet, turns, reason) -> None:
    assert limit_reason(quiet, turns) == reason


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**9))
def test_own_squares_are_those_that_the_other_role_can_never_reach(seed: int) -> None:
    for state in random_game(seed, 12):
        counted = count_territory(SMALL, state)
        empty = SMALL.grid.board & ~(state.white | state.black | state.burnt)
        white, black = reachable(SMALL, state, "white"), reachable(SMALL, state, "black")
        assert sum(each.squares for each in counted.regions) == empty
        assert counted.white == (white & ~black & empty).bit_count()
        assert counted.black == (black & ~white & empty).bit_count()
        assert counted.is_parted == (white & black & empty == 0)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**9))
def test_a_turn_after_the_parting_takes_nothing_from_the_other_role(seed: int) -> None:
    positions = random_game(seed, 16)
    for before, after in pairwise(positions):
        old, new = count_territory(SMALL, before), count_territory(SMALL, after)
        other = OTHER[before.to_move]
        assert new.is_parted or not old.is_parted  # parted once, parted for ever
        assert getattr(new, other) >= getattr(old, other)
        if old.is_parted:
            assert getattr(new, other) == getattr(old, other)
            lost = getattr(old, before.to_move) - getattr(new, before.to_move)
            assert lost >= (after.burnt ^ before.burnt).bit_count()


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**9))
def test_the_count_does_not_depend_on_colours_and_directions(seed: int) -> None:
    state = random_game(seed, 10)[-1]
    swapped = State(state.black, state.white, state.burnt, state.to_move, None, state.turns)
    counted, other = count_territory(SMALL, state), count_territory(SMALL, swapped)
    assert (counted.white, counted.black, counted.is_parted) == (
        other.black,
        other.white,
        other.is_parted,
    )
    board, *rest = SMALL.write(state).split(" ")
    mirrored = "/".join(row[::-1] for row in board.split("/"))
    mirror = count_territory(SMALL, SMALL.read(" ".join([mirrored, *rest])))
    assert (mirror.white, mirror.black, mirror.is_parted) == (
        counted.white,
        counted.black,
        counted.is_parted,
    )
