"""One game between two players, from an opening to the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Protocol, runtime_checkable

from games.core import NOOP, OTHER, Action, Joint, Role, Rules, advance, assemble
from games.match.openings import Opening
from games.moves import Play
from games.players.core import Allowance, Player, Thought
from games.players.manners import gives_up

MOST_GOES: Final = 400  # as on the site: then it is a draw
QUIET_GOES: Final = 50  # goes in a row without an arrow: on the site a side may claim a draw
# What the first action of a go may take of the time for the go; the second has what is left.
FIRST_SHARE: Final[Mapping[str, float]] = {
    "amazons-10x10": 0.7,
    "amazons-8x8": 0.7,
    "pincer": 0.5,
}
LEAST_SHARE: Final = 0.1  # of the time for the go: what an action has at the least
Now = Callable[[], float]  # seconds of processor time


@runtime_checkable
class Follower(Protocol):
    """A player who has to be told every action of the game, his own too, from the start on."""

    def follow(self, action: Action) -> None:
        """The role in control did this."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a side may spend."""

    nodes: int  # for one action
    seconds: float | None = None  # of processor time for one go; None: only the nodes count


@dataclass(frozen=True, slots=True)
class Effort:
    """What a side has spent."""

    nodes: int = 0
    seconds: float = 0.0  # of processor time
    goes: int = 0

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            self.nodes + other.nodes, self.seconds + other.seconds, self.goes + other.goes
        )


NOTHING: Final = Effort()


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays a role of a game, and with what."""

    player: Player
    budget: Budget
    resigns: bool = False  # gives up what is hopeless, as on the site
    is_trusted: bool = False  # the game is its own as soon as it has proved that it wins


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game."""

    winner: Role | None
    goes: int  # with those of the opening
    efforts: Mapping[Role, Effort]


def seed_of(*parts: object) -> int:
    """A number that looks random, the same for the same parts; 62 bits."""
    return Random(" ".join(map(str, parts))).getrandbits(62)


def play_game(
    rules: Rules[Any], opening: Opening, sides: Mapping[Role, Side], seed: int, now: Now
) -> Played:
    """Plays to the end, or to a draw by length; every action is checked.

    Raises games.core.IllegalAction if a player errs.
    """
    state = rules.start()
    for joint in opening:
        state = advance(rules, state, joint)
        _tell(sides, joint)
    efforts: dict[Role, Effort] = dict.fromkeys(rules.roles, NOTHING)
    used: dict[Role, float] = {}  # seconds of the go that runs, by the roles that have begun one
    values: dict[Role, float] = {}  # of each role's latest go
    quiet = 0
    while (acting := rules.control(state)) and not _is_drawn(rules.goes(state), quiet):
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
            if sides[role].resigns and gives_up(thought.value, values.get(role)):
                return Played(OTHER[role], rules.goes(state), efforts)
            if sides[role].is_trusted and thought.value >= 1.0:
                return Played(role, rules.goes(state), efforts)
        sealed = {role: thought.action for role, thought in thoughts.items()}
        joint = assemble(rules, state, sealed)
        before, state = state, advance(rules, state, joint)
        _tell(sides, joint)
        quiet = quiet + 1 if any(map(_is_quiet, sealed.values())) else 0
        if rules.goes(state) > rules.goes(before):
            for role in used:
                efforts[role] += Effort(goes=1)
            values |= {role: thought.value for role, thought in thoughts.items()}
            used.clear()
    outcome = rules.outcome(state)
    return Played(outcome.winner if outcome else None, rules.goes(state), efforts)


def _is_drawn(goes: int, quiet: int) -> bool:
    return goes >= MOST_GOES or quiet >= QUIET_GOES


def _is_quiet(action: Action) -> bool:
    """An arrow at the origin is none."""
    return isinstance(action, Play) and action.arrow == action.origin


def _tell(sides: Mapping[Role, Side], joint: Joint) -> None:
    for side in sides.values():
        if isinstance(side.player, Follower):
            for action in joint.values():
                if action != NOOP:
                    side.player.follow(action)


def _allowance(key: str, budget: Budget, used: float | None, now: Now) -> Allowance:
    """For one action; `used` are the seconds that the go has taken, None when it begins."""
    if budget.seconds is None:
        return Allowance(budget.nodes)
    share = FIRST_SHARE.get(key, 1.0) if used is None else 1.0 - used / budget.seconds
    end = now() + budget.seconds * max(share, LEAST_SHARE)
    return Allowance(budget.nodes, lambda: now() >= end)
