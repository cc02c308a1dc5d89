"""Compare the turns of a finished game with an engine: same turns, and lost value.

A figure for people who look into a report, never a verdict: good players agree with engines too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.core import Role, Rules, assemble_joint
from games.players.core import Thought

Think = Callable[[Any, Role], Thought]  # of a state and the role in control


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn as it was played: the state before it, and the canonical actions."""

    state: Any
    role: Role
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnCheck:
    """A turn beside the engine's opinion.

    `loss` is how much the value for the role (−1 to 1) fell by the turn, at least 0; None if the
    game was given up after it.
    """

    role: Role
    is_same: bool
    loss: float | None


def split_turns(rules: Rules[Any], actions: Sequence[str]) -> tuple[list[PlayedTurn], Any]:
    """Return the turns of a game, and its last state; `actions` are canonical, one a step.

    The rules must not be simultaneous, and the actions legal.
    """
    turns: list[PlayedTurn] = []
    state = rules.start()
    before, role, played = state, _role(rules, state), list[str]()
    for text in actions:
        played.append(text)
        state = rules.play(state, assemble_joint(rules, state, {role: rules.parse(text)}))
        if rules.turns(state) != rules.turns(before) or rules.outcome(state) is not None:
            turns.append(PlayedTurn(before, role, tuple(played)))
            if rules.outcome(state) is not None:
                break
            before, role, played = state, _role(rules, state), []
    return turns, state


def compare_turns(rules: Rules[Any], actions: Sequence[str], think: Think) -> Iterator[TurnCheck]:
    """Yield each complete turn of a game beside what an engine thinks of it, in order.

    `think` is called once for each turn, with the state before it. A turn is the same if the
    engine's expected line begins with it, as far as that line goes.
    """
    turns, last = split_turns(rules, actions)
    if not turns:
        return
    thought = think(turns[0].state, turns[0].role)
    for turn, following in zip(turns, [*turns[1:], None], strict=True):
        line = tuple(thought.line[: len(turn.actions)]) or (str(thought.action),)
        is_same = turn.actions[: len(line)] == line
        if following is not None:
            reply = think(following.state, following.role)
            left = reply.value if following.role == turn.role else -reply.value
            yield TurnCheck(turn.role, is_same, max(0.0, thought.value - left))
            thought = reply
        elif (outcome := rules.outcome(last)) is not None:
            left = outcome.goals[turn.role] / 50 - 1
            yield TurnCheck(turn.role, is_same, max(0.0, thought.value - left))
        else:
            yield TurnCheck(turn.role, is_same, None)


@dataclass(frozen=True, slots=True)
class Agreement:
    """The figures of one role."""

    turns: int
    same: int  # turns that the engine would have played
    mean_loss: float | None  # of the turns whose loss is known; None without one


def sum_up(checks: Sequence[TurnCheck], role: Role) -> Agreement:
    """Return the figures of a role over checked turns."""
    own = [check for check in checks if check.role == role]
    losses = [check.loss for check in own if check.loss is not None]
    mean = sum(losses) / len(losses) if losses else None
    return Agreement(len(own), sum(check.is_same for check in own), mean)


def _role(rules: Rules[Any], state: Any) -> Role:
    (role,) = rules.control(state)
    return role
