"""Colonel Blotto over several rounds; both roles act simultaneously.

The first form of the game is in É. Borel, "La théorie du jeu et les équations intégrales à noyau
symétrique", Comptes rendus 173, 1921.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from games.choices import Choices, Listed, Splits
from games.core import (
    BOTH,
    NOBODY,
    ROLES,
    Action,
    BadAction,
    Code,
    IllegalAction,
    Joint,
    Noop,
    Outcome,
    Role,
    View,
)
from games.effects import Count, Effect
from games.prompts import Prompt, SplitPrompt
from games.text import MAX_ACTION_CHARS, clip

Split = tuple[int, ...]  # troops on each field
Pair = tuple[Split, Split]  # of white and of black


@dataclass(frozen=True, slots=True)
class Troops(Action):
    """Troops on each field."""

    split: Split

    def __str__(self) -> str:
        return f"troops {' '.join(map(str, self.split))}"


@dataclass(frozen=True, slots=True)
class State:
    """Rounds played so far; sealed actions are kept elsewhere, so a state has no secrets."""

    rounds: tuple[Pair, ...]


def points(own: int, theirs: int) -> int:
    """Return the points of a field for the role with `own` troops there."""
    return 2 if own > theirs else 1 if own == theirs else 0


@cache
def score(pair: Pair) -> tuple[int, int]:
    """Return the points of a round for white and for black, cached (4,356 kinds)."""
    white, black = pair
    won = sum(map(points, white, black))
    return won, 2 * len(white) - won


@dataclass(frozen=True, slots=True)
class Blotto:
    """Number of fields, troops to split over them in each round, and number of rounds."""

    key: str
    name: str
    fields: int
    total: int
    rounds: int
    roles: tuple[Role, ...] = ROLES
    kind: Literal["split"] = "split"
    is_simultaneous: bool = True
    counts_points: bool = True
    width: int = 0
    height: int = 0

    def start(self) -> State:
        return State(())

    def control(self, s: State) -> frozenset[Role]:
        return BOTH if len(s.rounds) < self.rounds else NOBODY

    def turns(self, s: State) -> int:
        return len(s.rounds)

    def totals(self, s: State) -> dict[Role, int]:
        """Return the points of each role so far."""
        scores = [score(pair) for pair in s.rounds]
        return {"white": sum(w for w, _ in scores), "black": sum(b for _, b in scores)}

    def outcome(self, s: State) -> Outcome | None:
        return None if len(s.rounds) < self.rounds else Outcome(self.totals(s), "rounds")

    def choices(self, s: State, role: Role) -> Choices[Action]:
        if len(s.rounds) == self.rounds:
            return Listed()

        def allows(action: object) -> bool:
            return isinstance(action, Action) and self._fault(s, action) is None

        return Splits(self.total, self.fields, Troops, allows)

    def parse(self, text: str) -> Action:
        parts = text.split(" ") if len(text) <= MAX_ACTION_CHARS else [""]
        if parts[0] != "troops" or len(parts) != self.fields + 1:
            raise BadAction(f"“{clip(text)}” is not an action of {self.name}.")
        try:
            return Troops(tuple([_NUMBERS[part] for part in parts[1:]]))
        except KeyError:
            raise BadAction(f"“{clip(text)}” needs whole numbers from 0 to {self.total}.") from None

    def check(self, s: State, role: Role, action: Action) -> None:
        fault = self._fault(s, action)
        if fault is not None:
            raise fault

    def _fault(self, s: State, action: Action) -> IllegalAction | BadAction | None:
        """Return the error in the action, or None; it is the same for both roles."""
        if len(s.rounds) == self.rounds:
            return IllegalAction(Code.GAME_OVER)
        if isinstance(action, Noop):
            return IllegalAction(Code.MUST_ACT)
        if not isinstance(action, Troops) or len(action.split) != self.fields:
            return BadAction(f"“{action}” is not an action of {self.name}.")
        if sum(action.split) != self.total or min(action.split) < 0:
            return IllegalAction(Code.SUM_NOT_10)
        return None

    def play(self, s: State, joint: Joint) -> State:
        return State((*s.rounds, _pair(joint)))

    def view(self, s: State, role: Role | None) -> View:
        scores = [score(pair) for pair in s.rounds]
        return {
            "round": min(len(s.rounds) + 1, self.rounds),
            "rounds": self.rounds,
            "total": self.total,
            "fields": self.fields,
            "scores": {"white": [w for w, _ in scores], "black": [b for _, b in scores]},
            "totals": self.totals(s),
            "splits": [{"white": list(w), "black": list(b)} for w, b in s.rounds],
            "turns": len(s.rounds),
        }

    def effects(self, before: State, joint: Joint, role: Role | None) -> tuple[Effect, ...]:
        white, black = _pair(joint)
        return tuple(
            Count(field, {"white": w, "black": b}, {"white": points(w, b), "black": points(b, w)})
            for field, (w, b) in enumerate(zip(white, black, strict=True))
        )

    def prompt(self, s: State, role: Role) -> Prompt | None:
        return SplitPrompt(self.total, self.fields) if len(s.rounds) < self.rounds else None

    def with_turn_of(self, s: State, role: Role) -> State | None:
        return None

    def plan(self, s: State, role: Role) -> Prompt | None:
        return None

    def write(self, s: State) -> str:
        """Return the rounds joined by "/", each "6,4,0:4,1,5" (white:black); "-" if none."""
        return (
            "/".join(":".join(",".join(map(str, split)) for split in pair) for pair in s.rounds)
            or "-"
        )

    def read(self, text: str) -> State:
        rounds = [] if text == "-" else text.split("/")
        if len(rounds) > self.rounds:
            raise ValueError(f"a game has {self.rounds} rounds")
        pairs: list[Pair] = []
        for each in rounds:
            sides = [self._read_split(side) for side in each.split(":")]
            if len(sides) != 2:
                raise ValueError("a round is two splits, white:black")
            pairs.append((sides[0], sides[1]))
        return State(tuple(pairs))

    def _read_split(self, text: str) -> Split:
        try:
            split = tuple([_NUMBERS[part] for part in text.split(",")])
        except KeyError:
            raise ValueError("a number of troops is a whole number from 0") from None
        if len(split) != self.fields or sum(split) != self.total:
            raise ValueError(f"a split is {self.fields} numbers that add up to {self.total}")
        return split


_NUMBERS: Final = {str(number): number for number in range(11)}


def _pair(joint: Joint) -> Pair:
    white, black = joint["white"], joint["black"]
    assert isinstance(white, Troops) and isinstance(black, Troops)
    return white.split, black.split
