"""Searches for the opening book of Amazons, stored in a file so that a run can be resumed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


class BadSearches(ValueError):
    """A file of searches cannot be used; `str` is an English sentence."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Parameters that determine the result of a search."""

    key: str
    simulations: int
    seed: int
    weights: str  # digest


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that a search visited often."""

    turn: str  # canonical, see `games.symmetry.canonical_turn`
    visits: int
    value: float  # for the side to move, -1 to 1


@dataclass(frozen=True, slots=True)
class Found:
    """Result of a search of a position."""

    value: float  # for the side to move, -1 to 1
    candidates: tuple[Candidate, ...]  # most visited first


class SearchFile:
    """Finished searches by position: a line of JSON each, after one with their effort."""

    def __init__(self, path: Path, effort: Effort) -> None:
        """Open a file or begin one. Raises BadSearches, also for a file of another effort."""
        self._path = path
        self.found = self._read(effort) if path.exists() else {}
        try:
            # Rewrite the file: its last line may have been cut off.
            with path.open("w", encoding="utf-8") as file:
                file.write(f"{json.dumps(asdict(effort))}\n")
                file.writelines(_line(text, each) for text, each in self.found.items())
        except OSError as error:
            raise BadSearches(f"{path}: {error.strerror or error}.") from None

    def append(self, text: str, found: Found) -> None:
        """Add a search. Raises BadSearches."""
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(_line(text, found))
        except OSError as error:
            raise BadSearches(f"{self._path}: {error.strerror or error}.") from None

    def _read(self, effort: Effort) -> dict[str, Found]:
        """Return the searches of the file, without a last line that was cut off."""
        try:
            lines = self._path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeError) as error:
            raise BadSearches(f"{self._path} cannot be read: {error}.") from None
        lines.pop()  # the rest after the last newline
        try:
            first, *rest = [json.loads(line) for line in lines]
            found = dict(map(_entry, rest))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise BadSearches(f"{self._path} is not a file of searches.") from None
        if first != asdict(effort):
            raise BadSearches(f"{self._path} has searches of another effort: {clipped(first)}.")
        return found


def clipped(value: Any, most: int = 200) -> str:
    """Return JSON, cut off after so many characters."""
    return json.dumps(value)[:most]


def _line(text: str, found: Found) -> str:
    candidates = [[each.turn, each.visits, each.value] for each in found.candidates]
    return json.dumps({"position": text, "value": found.value, "candidates": candidates}) + "\n"


def _entry(line: dict[str, Any]) -> tuple[str, Found]:
    candidates = tuple(Candidate(*each) for each in line["candidates"])
    return str(line["position"]), Found(float(line["value"]), candidates)
