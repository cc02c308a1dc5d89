"""Prompts: the legal ways to complete a turn, as JSON-ready values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Tree = str | dict[str, "Tree"]
"""The squares to choose from, and what follows each.

An object maps each square to the node that follows it; an empty one ends the turn. Its
optional key "x" lists the squares that captures empty when the node's own square is chosen
("a4 b4"). A string is a shorter form:
- squares that each end the turn ("a3 c4 d5"), or that it ends here ("");
- `RAY`: the squares on the eight rays from the node's own square, each ray up to where the board
  that goes with the prompt shows anything, end the turn; what has been chosen before is empty by
  then. Twice, "**": each of these squares is followed by the rays from itself;
- after a colon the star of the node's own square: how many squares to its left, right, down, up,
  down left, up right, down right and up left end the turn, as hexadecimal digits (":0103").
  Missing digits at the end are 0;
- squares, each with its star ("b7:0103 d4:1111").
"""
RAY: Final = "*"


@dataclass(frozen=True, slots=True)
class Step:
    """One square still to be chosen."""

    word: str  # "from", "to", "arrow", "from2", "to2"
    keep: int | None = None  # choosing path[keep] again means no arrow


@dataclass(frozen=True, slots=True)
class PathPrompt:
    """Squares to choose one after another, as a tree of the legal ones."""

    steps: tuple[Step, ...]
    actions: tuple[tuple[str | int, ...], ...]  # word, then indices into the chosen squares;
    # an action whose indices are missing (a shorter turn) is left out
    tree: Tree
    kind: Literal["path"] = "path"


@dataclass(frozen=True, slots=True)
class SplitPrompt:
    """A total to be split over fields, in whole numbers from 0."""

    total: int
    fields: int
    word: str = "troops"
    kind: Literal["split"] = "split"


Prompt = PathPrompt | SplitPrompt
