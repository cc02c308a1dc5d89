"""Play one game between two players from an opening to the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Protocol, runtime_checkable

from games.core import NOOP, OTHER, Action, Joint, Role, Rules, advance, assemble_joint
from games.counting import count_territory, limit_reason, may_be_counted
from games.lab.openings import Opening
from games.moves import Play
from games.players.core import Allowance, Player, Thought
from games.players.manners import PLAYS_ON, Manners
from games.players.time_management import FIRST_SHARE

MIN_SHARE: Final = 0.1  # of a turn's time, for any action
Now = Callable[[], float]  # seconds of processor time


@runtime_checkable
class Follower(Protocol):
    """Player that must be told every action of the game, including its own."""

    def follow(self, action: Action) -> None:
        """Apply the action of the role in control."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Search budget of a side."""

    nodes: int  # for one action
    seconds: float | None = None  # of processor time for one turn; None: only the nodes count


@dataclass(frozen=True, slots=True)
class Effort:
    """Nodes, time and turns that a side has spent."""

    nodes: int = 0
    seconds: float = 0.0  # of processor time
    turns: int = 0

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            self.nodes + other.nodes, self.seconds + other.seconds, self.turns + other.turns
        )


NOTHING: Final = Effort()


@dataclass(frozen=True, slots=True)
class Side:
    """Player of a role and its budget."""

    player: Player
    budget: Budget
    manners: Manners = PLAYS_ON  # resigns as on the site; by default never
    is_trusted: bool = False  # wins as soon as it has proved a win


@dataclass(frozen=True, slots=True)
class Played:
    """Finished game."""

    winner: Role | None
    turns: int  # opening included
    efforts: Mapping[Role, Effort]


def seed_of(*parts: object) -> int:
    """Return a pseudo-random number of 62 bits that depends only on the parts."""
    return Random(" ".join(map(str, parts))).getrandbits(62)


def play_game(
    rules: Rules[Any], opening: Opening, sides: Mapping[Role, Side], seed: int, now: Now
) -> Played:
    """Play to the end, or to a count of own squares as on the site; every action is checked.

    With an optional arrow either side counts as soon as the sides are parted.

    Raises games.core.IllegalAction if a player errs.
    """
    state = rules.start()
    for joint in opening:
        state = advance(rules, state, joint)
        _tell(sides, joint)
    efforts: dict[Role, Effort] = dict.fromkeys(rules.roles, NOTHING)
    used: dict[Role, float] = {}  # seconds of the current turn, by role
    values: dict[Role, float] = {}  # of each role's latest turn
    quiet = 0
    while acting := rules.control(state):
        if may_be_counted(rules):
            counted = count_territory(rules, state)
            if counted.is_parted or limit_reason(quiet, rules.turns(state)):
                return Played(counted.winner, rules.turns(state), efforts)
        thoughts: dict[Role, Thought] = {}
        for role in [role for role in rules.roles if role in acting]:
            clock = _allowance(rules.key, sides[role].budget, used.get(role), now)
            begun = now()
            thoughts[role] = sides[role].player.choose(
                rules.view(state, role),
                role,
                rules.choices(state, role),
                clock,
                seed_of(seed, role, rules.write(state)),
            )
            spent = now() - begun
            used[role] = used.get(role, 0.0) + spent
            efforts[role] += Effort(thoughts[role].nodes, spent)
        for role, thought in thoughts.items():
            if sides[role].manners.resigns(thought.value, values.get(role)):
                return Played(OTHER[role], rules.turns(state), efforts)
            if sides[role].is_trusted and thought.value >= 1.0:
                return Played(role, rules.turns(state), efforts)
        sealed = {role: thought.action for role, thought in thoughts.items()}
        joint = assemble_joint(rules, state, sealed)
        before, state = state, advance(rules, state, joint)
        _tell(sides, joint)
        quiet = quiet + 1 if any(map(_is_quiet, sealed.values())) else 0
        if rules.turns(state) > rules.turns(before):
            for role in used:
                efforts[role] += Effort(turns=1)
            values |= {role: thought.value for role, thought in thoughts.items()}
            used.clear()
    outcome = rules.outcome(state)
    return Played(outcome.winner if outcome else None, rules.turns(state), efforts)


def _is_quiet(action: Action) -> bool:
    """Return whether the action shoots no arrow; an arrow at the origin is none."""
    return isinstance(action, Play) and action.arrow == action.origin


def _tell(sides: Mapping[Role, Side], joint: Joint) -> None:
    for side in sides.values():
        if isinstance(side.player, Follower):
            for action in joint.values():
                if action != NOOP:
                    side.player.follow(action)


def _allowance(key: str, budget: Budget, used: float | None, now: Now) -> Allowance:
    """Return the allowance of one action.

    `used` is the time taken in this turn in seconds, None at its start.
    """
    if budget.seconds is None:
        return Allowance(budget.nodes)
    share = FIRST_SHARE.get(key, 1.0) if used is None else 1.0 - used / budget.seconds
    end = now() + budget.seconds * max(share, MIN_SHARE)
    return Allowance(budget.nodes, lambda: now() >= end)
