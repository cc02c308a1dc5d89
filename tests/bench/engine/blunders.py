"""Measure how often a search with ten times the nodes confirms a blunder of a review.

    python -m tests.bench.engine.blunders [--games 8] [--most 6] [--levels 3 5]

Plays games between two levels, reviews them as the page does, and draws from each game up to
`--most` of the turns that it marks as blunders (15 % of winning chance and more). Level 8's core
judges the positions before and after each with 100,000 nodes: it agrees if the turn loses 10 % or
more. Prints for each rule set how many it agrees with, and the CPU seconds of a review.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from games.catalogue import rules_of
from games.core import Role, Rules, assemble_joint
from games.players.agreement import split_turns
from games.players.analysis import best_lines
from games.players.analysis.review import judge
from games.players.core import Allowance
from games.players.levels import level_of, player_of
from games.reviews import RUNGS, SEED, Verdict

KEYS: Final = ("amazons-10x10", "amazons-8x8", "pincer")
DEEP_NODES: Final = 10 * RUNGS[-1]
BLUNDER_LOSS: Final = 0.15  # as in static/js/analysis/marks.js
AGREED_LOSS: Final = 0.10
GOAL: Final = 0.9


@dataclass(frozen=True, slots=True)
class Turn:
    """A played turn with the states around it."""

    role: Role
    actions: tuple[str, ...]
    before: Any
    after: Any


def play(rules: Rules[Any], levels: tuple[int, int], seed: int) -> list[str]:
    """Return the canonical actions of a game between two levels, the first as white."""
    players = {
        role: (player_of(rules.key, number), level_of(rules.key, number))
        for role, number in zip(("white", "black"), levels, strict=True)
    }
    state, actions = rules.start(), list[str]()
    while control := rules.control(state):
        (role,) = control
        player, level = players[role]
        allowance = Allowance(level.nodes)
        choices = rules.choices(state, role)
        thought = player.choose(
            rules.view(state, role), role, choices, allowance, seed * 1_000 + len(actions)
        )
        actions.append(str(thought.action))
        state = rules.play(state, assemble_joint(rules, state, {role: thought.action}))
    return actions


def turns_of(rules: Rules[Any], actions: list[str]) -> list[Turn]:
    """Return the whole turns of a game."""
    turns, last = split_turns(rules, actions)
    states = [*(turn.state for turn in turns), last]
    return [
        Turn(turn.role, turn.actions, turn.state, after)
        for turn, after in zip(turns, states[1:], strict=True)
    ]


def chance_of(rules: Rules[Any], state: Any, role: Role, value: float | None) -> float:
    """Return the winning chance of a role by the value for the role to move; None: by the end."""
    outcome = rules.outcome(state)
    if outcome is not None:
        return outcome.goals[role] / 100
    assert value is not None
    return (1 + (value if role in rules.control(state) else -value)) / 2


def blunders(rules: Rules[Any], turns: list[Turn]) -> Iterator[Turn]:
    """Yield the turns that a review on its last rung marks as blunders."""
    verdicts: list[Verdict | None] = [
        None if rules.outcome(state) else judge(rules, state, RUNGS[-1])
        for state in [turns[0].before, *(turn.after for turn in turns)]
    ]
    for turn, before, after in zip(turns, verdicts[:-1], verdicts[1:], strict=True):
        assert before is not None
        chances = (
            chance_of(rules, turn.before, turn.role, before.value),
            chance_of(rules, turn.after, turn.role, after and after.value),
        )
        if before.best != turn.actions and chances[0] - chances[1] >= BLUNDER_LOSS:
            yield turn


def deep_chance(rules: Rules[Any], state: Any, role: Role) -> float:
    """Return the winning chance of a role as the deep search has it."""
    if rules.outcome(state) is not None:
        return chance_of(rules, state, role, None)
    (to_move,) = rules.control(state)
    (line,) = best_lines(rules, state, to_move, 1, DEEP_NODES, SEED)
    return chance_of(rules, state, role, line.value)


def main() -> int:
    """Measure, and return 1 if a rule set misses the goal, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=8, help="of each rule set")
    parser.add_argument("--most", type=int, default=6, help="blunders of a game")
    parser.add_argument("--levels", type=int, nargs=2, default=(3, 5))
    parser.add_argument("--keys", nargs="+", choices=KEYS, default=KEYS)
    arguments = parser.parse_args()
    is_missed = False
    for key in arguments.keys:
        rules = rules_of(key)
        judge(rules, rules.start(), RUNGS[0])  # compiled or loaded
        agreed = asked = marked = positions = 0
        review_s = 0.0
        for seed in range(arguments.games):
            white, black = arguments.levels[:: -1 if seed % 2 else 1]
            turns = turns_of(rules, play(rules, (white, black), seed))
            begun = time.process_time()
            found = list(blunders(rules, turns))
            review_s += time.process_time() - begun
            positions += len(turns)
            marked += len(found)
            for turn in Random(seed).sample(found, min(len(found), arguments.most)):
                before, after = (
                    deep_chance(rules, state, turn.role) for state in (turn.before, turn.after)
                )
                asked += 1
                agreed += before - after >= AGREED_LOSS
            print(f"{key}: {seed + 1} games, {agreed} of {asked} agreed", flush=True)
        is_missed |= agreed < GOAL * asked
        print(
            f"{key}: {arguments.games} games, {positions} turns, {marked} blunders;"
            f" of {asked} drawn the deep search agrees with {agreed}"
            f" ({agreed / max(asked, 1):.0%});"
            f" a review takes {review_s / arguments.games:.1f} s CPU",
            flush=True,
        )
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
