"""Witness that a role wins a position: the one certificate of a forced win, and its JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

MAX_CLAIMS: Final = 3  # of a role in a game that may be refused
MAX_LINE_ACTIONS: Final = 200  # more than any board has turns, each a move and a shot
MAX_SQUARES_CHARS: Final = 400  # more than the names of all squares of a board have


class BadWitness(ValueError):
    """JSON that is not a witness; `str` is an English sentence."""


@dataclass(frozen=True, slots=True)
class Witness:
    """Why a role wins: its lower bound `least` is above the opponent's upper bound `most`.

    | rules | `least` | `most` |
    |---|---|---|
    | Amazons, the arrow is a must | turns of `line` | empty squares in `open` |
    | free arrow, squares are counted | empty squares in `own` | empty squares in `open` |
    | free arrow, squares are not counted | turns of `line` | empty squares in `open`: must be 0 |
    | Blotto | points ahead | points that the rounds left can turn |

    Where the arrow is a must and the opponent is to move, as many turns are enough. Sets of squares
    are names with blanks between, in the order of `grid.names`; Blotto has none.
    """

    own: str  # squares that only amazons of the role can ever reach, those on which they stand too
    open: str  # squares that amazons of the opponent can ever reach, theirs too
    line: tuple[str, ...]  # canonical actions of the role in `own`, with none in between
    least: int
    most: int


def as_json(witness: Witness) -> dict[str, Any]:
    """Return a witness in the JSON format of the ledger."""
    return {
        "own": witness.own,
        "open": witness.open,
        "line": list(witness.line),
        "least": witness.least,
        "most": witness.most,
    }


def parse(value: object) -> Witness:
    """Parse the JSON of a witness without checking its claim. Raises BadWitness."""
    if not isinstance(value, dict) or value.keys() != {"own", "open", "line", "least", "most"}:
        raise BadWitness("A witness has own and open squares, a line, and two bounds.")
    own, open_, line = value["own"], value["open"], value["line"]
    least, most = value["least"], value["most"]
    if any(type(text) is not str or len(text) > MAX_SQUARES_CHARS for text in (own, open_)):
        raise BadWitness(f"Squares of a witness are a text of at most {MAX_SQUARES_CHARS} letters.")
    if type(line) is not list or len(line) > MAX_LINE_ACTIONS:
        raise BadWitness(f"The line of a witness is a list of at most {MAX_LINE_ACTIONS} actions.")
    if any(type(text) is not str for text in line):
        raise BadWitness("Actions of a witness are texts.")
    if type(least) is not int or type(most) is not int:
        raise BadWitness("The bounds of a witness are whole numbers.")
    return Witness(own, open_, tuple(line), least, most)
