"""A game as its ledger tells it, worked out entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.audit.ends import QUIET_LIMIT, Result
from games.audit.lines import Broken, Line
from games.audit.times import Times
from games.core import ROLES, Role, Rules

# What was played in a turn, for entries that are too old to say so: by its number, and the rev of
# the entry, because takebacks use numbers again. None: nobody knows.
Known = Callable[[int, int], Mapping[str, str] | None]


@dataclass(frozen=True, slots=True)
class Seal:
    """An action that waits for the other role's."""

    commitment: str | None  # None: it is too old to have one
    spent: int  # ms
    at: int


@dataclass(frozen=True, slots=True)
class Turned:
    """A resolved turn, with the state before it."""

    number: int
    joint: Mapping[Role, str]
    at: int
    spent: Mapping[Role, int]  # ms
    seals: Mapping[Role, Mapping[str, str]]  # salt and commitment
    before: Any
    go: int  # goes completed before it
    placed: bool  # something was placed in it


@dataclass(slots=True)
class Book:
    """Everything that follows from the entries read so far."""

    game: str
    rules: Rules[Any]
    times: Times
    known: Known
    state: Any
    turns: list[Turned] = field(default_factory=list)  # that stand
    undone: list[tuple[int, Turned]] = field(default_factory=list)  # by the rev of the takeback
    waiting: dict[Role, Seal] = field(default_factory=dict)
    offers: dict[str, dict[str, Any]] = field(default_factory=dict)  # by, rev, at
    takebacks: int = 0
    result: Result | None = None
    ended: int | None = None  # ms
    ids: set[tuple[str | None, str]] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def complain(self, line: Line, what: str) -> None:
        """Notes something that is wrong with an entry."""
        self.faults.append(f"rev {line.rev}: {what}")

    def role_of(self, line: Line) -> Role:
        """The role that has done this. Raises Broken if there is none, or it has no id."""
        role = next((role for role in ROLES if role == line.role), None)
        if role is None or line.id is None:
            raise Broken(f"{line.kind} by {line.role or 'nobody'}")
        if (role, line.id) in self.ids:
            raise Broken(f"the id {line.id!r} of {role} is used twice")
        self.ids.add((role, line.id))
        return role

    def begun(self, role: Role) -> int | None:
        """The number of the turn with which the latest go of a role began."""
        own = [turn for turn in self.turns if role in turn.joint]
        return next((turn.number for turn in own if turn.go == own[-1].go), None)

    @property
    def quiet(self) -> int:
        """Goes in a row in which nothing was placed."""
        placed = {turn.go for turn in self.turns if turn.placed}
        goes = self.rules.goes(self.state)
        return goes - 1 - max((go for go in placed if go < goes), default=-1)

    @property
    def may_claim(self) -> bool:
        """Whether enough arrows have been left out."""
        return self.rules.key == "amazons" and self.quiet >= QUIET_LIMIT

    @property
    def may_abort(self) -> bool:
        """Whether not both roles have completed a go."""
        goes = self.rules.goes(self.state)
        return len({role for turn in self.turns if turn.go < goes for role in turn.joint}) < 2


def take_back(book: Book, number: int, rev: int) -> None:
    """Undoes the turns from a number on."""
    gone: Sequence[Turned] = book.turns[number:]
    book.undone.extend((rev, turn) for turn in gone)
    book.state = gone[0].before
    del book.turns[number:]
    book.takebacks += 1
    book.offers = {}
