"""State of an audited game, computed entry by entry from its ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.audit.clock_times import Times
from games.audit.entries import Broken, ParsedEntry
from games.audit.results import MAX_QUIET_TURNS, Result
from games.core import NOBODY, ROLES, Role, Rules


@dataclass(frozen=True, slots=True)
class Seal:
    """Sealed action that waits for the other role's."""

    commitment: str
    spent: int  # ms
    at: int


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """Resolved step with the state before it."""

    number: int
    joint: Mapping[Role, str]
    at: int
    spent: Mapping[Role, int]  # ms
    seals: Mapping[Role, Mapping[str, str]]  # salt and commitment
    before: Any
    turn: int  # turns completed before it
    placed: bool  # something was placed in it
    is_ahead: bool = False  # a conditional reply, played by the server
    earned: int = 0  # ms, the increment of a turn that this step completed (sequential games)
    # The clocks (ms) after the entry before; of the first step of a turn, at its beginning.
    left: Mapping[str, int | None] = field(default_factory=dict)


@dataclass(slots=True)
class GameRecord:
    """State that follows from the entries read so far."""

    game: str
    rules: Rules[Any]
    times: Times
    state: Any
    steps: list[PlayedStep] = field(default_factory=list)  # without the steps taken back
    # The steps taken back, each with the rev of its takeback.
    undone: list[tuple[int, PlayedStep]] = field(default_factory=list)
    waiting: dict[Role, Seal] = field(default_factory=dict)
    offers: dict[str, dict[str, Any]] = field(default_factory=dict)  # by, rev, at
    takebacks: int = 0
    result: Result | None = None
    ended: int | None = None  # ms
    absent: frozenset[Role] = NOBODY  # roles whose missing first turn aborted the game
    is_rated: bool = False  # it was opened to count for ratings
    is_counted: bool = False  # it was opened to end by a count of own squares
    claims: dict[Role, int] | None = None  # refused so far; None: nobody may claim
    left: Mapping[str, int | None] = field(default_factory=dict)  # ms, when the open step began
    ids: set[tuple[str | None, str]] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def complain(self, entry: ParsedEntry, what: str) -> None:
        """Record a fault of an entry."""
        self.faults.append(f"rev {entry.rev}: {what}")

    def role_of(self, entry: ParsedEntry) -> Role:
        """Return the role that made the entry.

        Raises Broken if there is none, or if its id is missing or used twice.
        """
        role = next((role for role in ROLES if role == entry.role), None)
        if role is None or entry.id is None:
            raise Broken(f"{entry.kind} by {entry.role or 'nobody'}")
        if (role, entry.id) in self.ids:
            raise Broken(f"the id {entry.id!r} of {role} is used twice")
        self.ids.add((role, entry.id))
        return role

    def turn_start(self, role: Role) -> int | None:
        """Return the number of the step with which the latest turn of a role began."""
        own = [step for step in self.steps if role in step.joint]
        return next((step.number for step in own if step.turn == own[-1].turn), None)

    @property
    def quiet(self) -> int:
        """Number of consecutive turns in which nothing was placed."""
        placed = {step.turn for step in self.steps if step.placed}
        turns = self.rules.turns(self.state)
        return turns - 1 - max((turn for turn in placed if turn < turns), default=-1)

    @property
    def may_claim(self) -> bool:
        """Whether enough turns without an arrow have passed to claim a draw."""
        has_claims = self.rules.key == "amazons" and not self.is_counted
        return has_claims and self.quiet >= MAX_QUIET_TURNS

    @property
    def may_abort(self) -> bool:
        """Whether fewer than two roles have completed a turn."""
        turns = self.rules.turns(self.state)
        return len({role for step in self.steps if step.turn < turns for role in step.joint}) < 2


def take_back(record: GameRecord, number: int, rev: int) -> None:
    """Undo the steps from a number on."""
    gone: Sequence[PlayedStep] = record.steps[number:]
    record.undone.extend((rev, step) for step in gone)
    record.state = gone[0].before
    del record.steps[number:]
    record.takebacks += 1
    record.offers = {}
