"""Turns of a game beside an engine's opinion: same turns, lost value, turns of several actions."""

from random import Random

import pytest

from games.catalogue import rules_of
from games.core import assemble_joint
from games.players.agreement import Agreement, TurnCheck, compare_turns, split_turns, sum_up
from games.players.core import Thought


def playout(key: str, seed: int, most: int = 400) -> tuple[list[str], object]:
    """Canonical actions of a random game, and its last state."""
    rules, rng = rules_of(key), Random(seed)
    state, actions = rules.start(), []
    while rules.outcome(state) is None and len(actions) < most:
        (role,) = rules.control(state)
        action = rules.choices(state, role).sample(rng)
        actions.append(str(action))
        state = rules.play(state, assemble_joint(rules, state, {role: action}))
    return actions, state


@pytest.mark.parametrize("key", ["pincer", "amazons", "amazons-8x8"])
def test_turns_of_a_game_are_those_that_the_rules_count(key) -> None:
    actions, end = playout(key, 1)
    rules = rules_of(key)
    turns, last = split_turns(rules, actions)
    assert last == end
    assert [text for turn in turns for text in turn.actions] == actions
    assert abs(len(turns) - rules.turns(end)) <= 1
    assert all(rules.control(turn.state) == {turn.role} for turn in turns)


def test_a_turn_that_is_not_complete_is_left_out() -> None:
    actions, _ = playout("amazons-8x8", 1)
    turns, _ = split_turns(rules_of("amazons-8x8"), actions[:3])
    assert [turn.actions for turn in turns] == [tuple(actions[:2])]


def test_same_turns_and_lost_value(monkeypatch) -> None:
    actions, _ = playout("amazons-8x8", 1)
    actions = actions[:8]  # four turns of two actions, then somebody resigned
    turns, last = split_turns(rules_of("amazons-8x8"), actions)
    monkeypatch.setattr("games.players.agreement.split_turns", lambda *args: (turns, last))
    # Values for the role to move: white 0.2, black 0.1, white 0.0, black −0.4.
    lines = {id(turn.state): turn.actions for turn in turns}
    values = iter((0.2, 0.1, 0.0, -0.4))

    def think(state, role) -> Thought:
        return Thought(None, next(values), lines[id(state)], 1, 1, 0)

    checks = list(compare_turns(rules_of("amazons-8x8"), actions, think))
    assert [check.is_same for check in checks] == [True] * 4
    losses = [check.loss for check in checks]
    assert losses[:3] == [pytest.approx(0.3), pytest.approx(0.1), pytest.approx(0.0)]
    assert losses[3] is None
    assert sum_up(checks, "white") == Agreement(2, 2, pytest.approx(0.15))
    assert sum_up(checks, "black") == Agreement(2, 2, pytest.approx(0.1))


def test_another_line_is_another_turn_and_a_short_line_is_compared_as_far_as_it_goes() -> None:
    actions, _ = playout("amazons-8x8", 1)
    actions = actions[:4]

    def think_of(line):
        return lambda state, role: Thought(None, 0.0, line, 1, 1, 0)

    rules = rules_of("amazons-8x8")
    same = [
        next(compare_turns(rules, actions, think_of(line))).is_same
        for line in (
            (actions[0],),
            tuple(actions[:2]),
            (actions[0], "other"),
            ("other",),
        )
    ]
    assert same == [True, True, False, False]


def test_the_end_by_the_rules_is_worth_its_result() -> None:
    for seed in range(40):
        actions, end = playout("pincer", seed)
        rules = rules_of("pincer")
        if (outcome := rules.outcome(end)) is None:
            continue
        checks = list(
            compare_turns(rules, actions, lambda state, role: Thought(None, 1.0, ("x",), 1, 1, 0))
        )
        goal = outcome.goals[checks[-1].role] / 50 - 1
        assert checks[-1].loss == pytest.approx(1.0 - goal)


def test_a_game_without_a_turn_has_no_figures() -> None:
    assert list(compare_turns(rules_of("pincer"), [], lambda *args: 1 / 0)) == []
    assert sum_up([TurnCheck("white", True, None)], "white") == Agreement(1, 1, None)
    assert sum_up([], "black") == Agreement(0, 0, None)
