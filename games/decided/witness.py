"""Witness that a game is decided: a claim about the position, in the ledger's format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

MAX_CLAIMS: Final = 3  # of a role in a game that may be refused
MAX_LINE_ACTIONS: Final = 200  # more than any board has turns, each a move and a shot
MAX_REGIONS: Final = 100  # more than any board has squares of one region each


class BadWitness(ValueError):
    """JSON that is not a witness; `str` is an English sentence."""


@dataclass(frozen=True, slots=True)
class Witness:
    """Why the claimant wins: its lower bound `least` is above the opponent's upper bound `most`.

    | rules | `least` | `most` |
    |---|---|---|
    | Amazons, the arrow is a must | turns of `line` | empty squares in `open` |
    | free arrow, squares are counted | empty squares in `own` | empty squares in `open` |
    | free arrow, squares are not counted | turns of `line` | empty squares in `open`: must be 0 |
    | Blotto | points ahead | points that the rounds left can turn |

    Each region is the names of its empty squares with blanks between, in the order of `grid.names`;
    regions are in the order of their lowest squares. Blotto has none.
    """

    own: tuple[str, ...]  # regions in which only amazons of the claimant stand
    open: tuple[str, ...]  # regions with amazons of the opponent, shared ones included
    line: tuple[str, ...]  # canonical actions of the claimant in `own`, with none in between
    least: int
    most: int


def as_json(witness: Witness) -> dict[str, Any]:
    """Return a witness in the JSON format of the ledger."""
    return {
        "own": list(witness.own),
        "open": list(witness.open),
        "line": list(witness.line),
        "least": witness.least,
        "most": witness.most,
    }


def parse(value: object) -> Witness:
    """Parse the JSON of a witness without checking its claim. Raises BadWitness."""
    if not isinstance(value, dict) or value.keys() != {"own", "open", "line", "least", "most"}:
        raise BadWitness("A witness has own and open regions, a line, and two bounds.")
    own, open_, line = (
        _texts(value[name], limit)
        for name, limit in (
            ("own", MAX_REGIONS),
            ("open", MAX_REGIONS),
            ("line", MAX_LINE_ACTIONS),
        )
    )
    least, most = value["least"], value["most"]
    if type(least) is not int or type(most) is not int:
        raise BadWitness("The bounds of a witness are whole numbers.")
    return Witness(own, open_, line, least, most)


def _texts(value: object, limit: int) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > limit:
        raise BadWitness(f"A part of a witness is a list of at most {limit} texts.")
    if any(type(text) is not str for text in value):
        raise BadWitness("Regions and actions of a witness are texts.")
    return tuple(value)
