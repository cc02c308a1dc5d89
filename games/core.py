"""Roles, actions, errors and outcomes shared by all games, and the checked step.

A match is a sequence of steps; in every step each role does one action (a joint action), and a
role with nothing to decide does `NOOP`. The model is that of general game playing: M. Genesereth,
N. Love, B. Pell, "General Game Playing", AI Magazine 26(2), 2005.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Literal, Protocol, TypeVar

from games.choices import Choices
from games.effects import Effect
from games.prompts import Prompt

Role = Literal["white", "black"]
ROLES: Final[tuple[Role, Role]] = ("white", "black")
OTHER: Final[Mapping[Role, Role]] = {"white": "black", "black": "white"}
ALONE: Final[Mapping[Role, frozenset[Role]]] = {role: frozenset((role,)) for role in ROLES}
BOTH: Final[frozenset[Role]] = frozenset(ROLES)
NOBODY: Final[frozenset[Role]] = frozenset()
View = dict[str, Any]  # JSON-ready


class Action:
    """Action of one role in one step; `str` returns its canonical string."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Noop(Action):
    """The only action of a role that has nothing to decide."""

    def __str__(self) -> str:
        return "noop"


NOOP: Final = Noop()
Joint = Mapping[Role, Action]


class BadAction(ValueError):
    """Text that is not an action of this game; `str` is an English sentence."""


class Code(StrEnum):
    """Reasons why an action is illegal. The values are stable and part of the wire protocol."""

    PATH_BLOCKED = "path_blocked"  # squares: the first square in the way
    OCCUPIED = "occupied"  # the target
    NOT_YOURS = "not_yours"  # the origin
    NOT_A_LINE = "not_a_line"  # origin, target
    SAME_SQUARE = "same_square"  # that square
    NOT_ONE_STEP = "not_one_step"  # origin, target
    SAME_PIECE_TWICE = "same_piece_twice"  # where the piece stands
    NO_WAY_OUT = "no_way_out"  # where the piece stands, then what surrounds it; see `explain`
    WRONG_STEP = "wrong_step"  # the amazon that has to shoot; () if none has moved
    SUM_NOT_10 = "sum_not_10"  # ()
    NOT_IN_CONTROL = "not_in_control"  # ()
    MUST_ACT = "must_act"  # ()
    GAME_OVER = "game_over"  # ()


SENTENCES: Final[Mapping[Code, str]] = {
    Code.PATH_BLOCKED: "{0} is in the way.",
    Code.OCCUPIED: "{0} is not empty.",
    Code.NOT_YOURS: "No piece of yours stands on {0}.",
    Code.NOT_A_LINE: "No straight line leads from {0} to {1}.",
    Code.SAME_SQUARE: "The way has to lead to another square than {0}.",
    Code.NOT_ONE_STEP: "{1} is not one step up, down, left or right from {0}.",
    Code.SAME_PIECE_TWICE: "The piece on {0} has already moved in this turn.",
    Code.NO_WAY_OUT: "The piece on {0} cannot move: every way from it is blocked.",
    Code.WRONG_STEP: "An amazon moves first and shoots then.",
    Code.SUM_NOT_10: "The troops have to add up to 10.",
    Code.NOT_IN_CONTROL: "There is nothing for you to decide in this turn.",
    Code.MUST_ACT: "You have to act in this turn.",
    Code.GAME_OVER: "The game is over.",
}


class IllegalAction(ValueError):
    """Action of this game that is illegal here; `str` says why in English."""

    def __init__(self, code: Code, *squares: str) -> None:
        super().__init__(SENTENCES[code].format(*squares))
        self.code = code
        self.squares = squares  # names ("e5") of the squares concerned; see `Code`


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a finished game."""

    goals: Mapping[Role, int] = field(hash=False)  # 100, 50 or 0; in Blotto the points
    reason: str  # no_moves, captured_all, one_each, fifty_moves, no_pieces, stuck, rounds

    @property
    def winner(self) -> Role | None:
        """The role with the higher goal; None for a draw."""
        white, black = self.goals["white"], self.goals["black"]
        return None if white == black else "white" if white > black else "black"


def board_outcome(winner: Role | None, reason: str) -> Outcome:
    """Return the outcome of a board game: 100 to 0, or 50 each if there is no winner."""
    if winner is None:
        return Outcome({"white": 50, "black": 50}, reason)
    return Outcome({role: 100 if role == winner else 0 for role in ROLES}, reason)


S = TypeVar("S")


class Rules(Protocol[S]):
    """One rule set: immutable facts. A state `S` is frozen, hashable and without secrets."""

    @property
    def key(self) -> str:
        """Key in the catalogue, such as "amazons-10x10"."""

    @property
    def name(self) -> str:
        """Display name."""

    @property
    def roles(self) -> tuple[Role, ...]:
        """All roles, beginning with the one that acts first."""

    @property
    def kind(self) -> Literal["path", "split"]:
        """Form of an action: squares on a board, or troops over fields."""

    @property
    def is_simultaneous(self) -> bool:
        """Whether both roles decide in every step without knowing the other's action.

        If so, a sealed action stays secret until the step resolves.
        """

    @property
    def counts_points(self) -> bool:
        """Whether the roles collect points that count however the game ends.

        If so, `view` has them under `totals`, by role.
        """

    @property
    def width(self) -> int:
        """Squares in a row; 0 if there is no board."""

    @property
    def height(self) -> int:
        """Squares in a column; 0 if there is no board."""

    def start(self) -> S:
        """Return the state before the first step."""

    def control(self, s: S) -> frozenset[Role]:
        """Return the roles that have something to decide; empty exactly when the game is over."""

    def choices(self, s: S, role: Role) -> Choices[Action]:
        """Return the legal actions, lazily: `NOOP` alone out of control, none after the end."""

    def parse(self, text: str) -> Action:
        """Parse a canonical string. Raises BadAction and nothing else."""

    def check(self, s: S, role: Role, action: Action) -> None:
        """Raise IllegalAction if the action is illegal, without listing any.

        Raises BadAction for an action of another game.
        """

    def play(self, s: S, joint: Joint) -> S:
        """Return the next state. Trusts its input, for search; `advance` checks it first."""

    def outcome(self, s: S) -> Outcome | None:
        """Return the outcome, or None while the game is running."""

    def turns(self, s: S) -> int:
        """Return the number of completed turns (Blotto: rounds)."""

    def view(self, s: S, role: Role | None) -> View:
        """Return all that this role (None: a spectator) may know, ready for JSON."""

    def effects(self, before: S, joint: Joint, role: Role | None) -> tuple[Effect, ...]:
        """Return the effects visible to this role (None: a spectator). Trusts its input."""

    def prompt(self, s: S, role: Role) -> Prompt | None:
        """Return the rest of the turn that a person may compose; None without control."""

    def with_turn_of(self, s: S, role: Role) -> S | None:
        """Return the position as if a turn of this role began in it.

        None for a role in control, after the end, in simultaneous games, and where no position
        is like that.
        """

    def plan(self, s: S, role: Role) -> Prompt | None:
        """Return the premove prompt of a role: its turn if it began in this position.

        None for a role in control, after the end, and in simultaneous games.
        """

    def write(self, s: S) -> str:
        """Return the state as one line of text."""

    def read(self, text: str) -> S:
        """Parse a line of `write`. Raises ValueError if it is malformed."""


def missing_roles(rules: Rules[S], state: S, sealed: Joint) -> frozenset[Role]:
    """Return the roles in control that have not sealed an action."""
    return rules.control(state) - sealed.keys()


def assemble_joint(rules: Rules[S], state: S, sealed: Joint) -> dict[Role, Action]:
    """Return the joint action: the sealed actions, and `NOOP` for roles not in control.

    Raises ValueError if an action is missing; checks nothing else.
    """
    absent = missing_roles(rules, state, sealed)
    if absent:
        raise ValueError(f"no action yet of {', '.join(sorted(absent))}")
    return fill_noop(rules, sealed)


def fill_noop(rules: Rules[S], sealed: Joint) -> dict[Role, Action]:
    """Return the sealed actions, and `NOOP` for every other role."""
    return {role: sealed.get(role, NOOP) for role in rules.roles}


def advance(rules: Rules[S], state: S, joint: Joint) -> S:
    """Check every role's action, then return the next state.

    Raises IllegalAction, BadAction for an action of another game, ValueError if the joint
    action has not exactly one action for each role.
    """
    if len(joint) != len(rules.roles) or not all(role in joint for role in rules.roles):
        raise ValueError(f"a joint action needs one action of each of {', '.join(rules.roles)}")
    for role in rules.roles:
        rules.check(state, role, joint[role])
    return rules.play(state, joint)


def replay(rules: Rules[S], joints: Iterable[Joint]) -> Iterator[S]:
    """Yield the start, then the state after each step, each checked by `advance`."""
    state = rules.start()
    yield state
    for joint in joints:
        state = advance(rules, state, joint)
        yield state
