"""A puzzle: a position, the turns that solve it, and the proof that no other turn does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Final

from games.catalogue import rules_of
from games.core import ROLES, Role
from games.puzzles.turns import Turn, play_turn

SLUG_BYTES: Final = 5
SLUG_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"  # 32 that are not mistaken for another


class Kind(StrEnum):
    """Tasks. The values are stable: they are stored."""

    FILLING = "filling"  # Amazons, sides parted: waste no turn of your own regions
    CUTTING = "cutting"  # Amazons: the turns that win the race by most
    CAPTURE = "capture"  # Pincer: most pieces ahead after the best reply
    WINNING = "winning"  # Pincer with few pieces: the turns that win
    SAVING = "saving"  # Pincer with few pieces: the turns that do not lose
    REPLY = "reply"  # Blotto: the best split against what the opponent has placed


KINDS: Final[Mapping[str, frozenset[Kind]]] = {
    "amazons-8x8": frozenset({Kind.FILLING, Kind.CUTTING}),
    "amazons-10x10": frozenset({Kind.FILLING, Kind.CUTTING}),
    "pincer": frozenset({Kind.CAPTURE, Kind.WINNING, Kind.SAVING}),
    "blotto": frozenset({Kind.REPLY}),
}


class BadPuzzle(ValueError):
    """JSON that is no puzzle; `str` is an English sentence."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A task for the role to move (Blotto: for one of the two roles).

    `solution` has every turn that solves it, in the order in which the rules list them. `proof`
    says what was searched:

    | key | meaning |
    |---|---|
    | `best` | value of each turn of the solution |
    | `second` | value of the best of all other turns |
    | `turns` | number of all turns |
    | `nodes` | positions that the search examined |
    | `other` | filling: turns that the opponent has |

    Values are own turns (filling), turns ahead, 0 if it loses (cutting), pieces ahead (capture),
    points of all rounds (reply), or 1, 0, -1 for a won, drawn and lost game.
    """

    rules: str
    position: str
    role: Role
    kind: Kind
    solution: tuple[Turn, ...]
    proof: Mapping[str, int] = field(hash=False)

    @property
    def slug(self) -> str:
        """A name that follows from the task alone, so that no task is stored twice."""
        text = json.dumps([self.rules, self.position, self.role, self.kind])
        number = int.from_bytes(blake2b(text.encode(), digest_size=SLUG_BYTES).digest(), "big")
        letters = []
        for _ in range(8 * SLUG_BYTES // 5):
            number, index = divmod(number, len(SLUG_LETTERS))
            letters.append(SLUG_LETTERS[index])
        return "".join(letters)

    @property
    def choice(self) -> float:
        """The share of all turns that solves it."""
        return len(self.solution) / self.proof["turns"]


def as_json(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as files have it."""
    return {
        "rules": puzzle.rules,
        "position": puzzle.position,
        "role": puzzle.role,
        "kind": str(puzzle.kind),
        "solution": [list(turn) for turn in puzzle.solution],
        "proof": dict(puzzle.proof),
    }


def parse(value: object) -> Puzzle:
    """Parse the JSON of a puzzle. Its turns are played; its proof is `check`'s business.

    Raises BadPuzzle.
    """
    try:
        if not isinstance(value, dict):
            raise TypeError("not an object")
        puzzle = Puzzle(
            str(value["rules"]),
            str(value["position"]),
            next(role for role in ROLES if role == value["role"]),
            Kind(value["kind"]),
            tuple(tuple(map(str, turn)) for turn in value["solution"]),
            {str(key): int(number) for key, number in value["proof"].items()},
        )
        rules = rules_of(puzzle.rules)
        state = rules.read(puzzle.position)
        if puzzle.kind not in KINDS[puzzle.rules] or not puzzle.solution:
            raise BadPuzzle("The kind does not fit the rules, or the puzzle has no solution.")
        if rules.write(state) != puzzle.position:
            raise BadPuzzle("The position is not written as the rules write it.")
        for turn in puzzle.solution:
            if rules.is_simultaneous:
                rules.check(state, puzzle.role, rules.parse(*turn))
            else:
                play_turn(rules, state, turn)
    except BadPuzzle:
        raise
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
        StopIteration,
    ) as error:
        raise BadPuzzle(f"That is no puzzle: {type(error).__name__} {error}") from None
    return puzzle
