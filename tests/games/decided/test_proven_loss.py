"""Proofs that the role to move has lost a game of Amazons, against a search of all games."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.amazons import Amazons, State
from games.catalogue import rules_of
from games.core import OTHER, assemble_joint
from games.decided import check, find
from games.grid import grid

SMALL = Amazons("small", "Small", grid(3, 4), True, "a1", "c4")


def is_lost(rules: Amazons, state: State) -> bool:
    """Whether a proof is found that the other role wins, who is not to move."""
    winner = OTHER[state.to_move]
    witness = find(rules, state, winner, is_counted=False)
    if witness is not None:
        check(rules, state, winner, witness, is_counted=False)
    return witness is not None


@cache
def loses(state: State) -> bool:
    """Whether the role to move loses against the best play: all games are tried."""
    (role,) = SMALL.control(state) or ("",)
    if not role:
        return True
    for action in SMALL.choices(state, role):
        after = SMALL.play(state, assemble_joint(SMALL, state, {role: action}))
        is_win = loses(after) if after.to_move != role else not loses(after)
        if is_win:
            return False
    return True


def position(drawing: str, to_move: str = "white", rules: Amazons = SMALL) -> State:
    """A position of rows from the top, `/` between them."""
    return rules.read(f"{drawing} {to_move} - 0")


@settings(max_examples=150)
@given(st.integers(0, 2**32), st.integers(0, 9))
def test_a_proven_loss_is_lost_in_every_game(seed: int, steps: int) -> None:
    rng, state = Random(seed), SMALL.start()
    for _ in range(steps):
        if not SMALL.control(state):
            break
        (role,) = SMALL.control(state)
        action = rng.choice(list(SMALL.choices(state, role)))
        state = SMALL.play(state, assemble_joint(SMALL, state, {role: action}))
    if is_lost(SMALL, state):
        assert loses(state)


@pytest.mark.parametrize(
    ("drawing", "to_move", "is_proven"),
    [
        ("W.x/xxx/x../x.B", "white", True),  # one turn against three
        ("W.x/xxx/xxx/x.B", "white", True),  # one against one: the role to move runs out first
        ("W../xxx/xxx/x.B", "white", False),
        ("W../xxx/xxx/x.B", "black", True),
        ("W../x.x/xxx/x.B", "white", False),
        ("W.x/Bxx/.xx/.xx", "white", False),  # each may step out of the other's way
        ("W../.../.../..B", "white", False),
    ],
)
def test_drawings(drawing: str, to_move: str, is_proven: bool) -> None:
    state = position(drawing, to_move)
    assert is_lost(SMALL, state) is is_proven
    if is_proven:
        assert loses(state)


def test_an_optional_arrow_proves_nothing() -> None:
    rules = rules_of("amazons")
    assert not is_lost(rules, rules.start())
