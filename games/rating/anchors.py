"""Fixed ratings of the levels of each board game, from files that `python -m games ladder` writes.

Level 3 has 1500 in each game. A file holds for a year; its `version` is that year, or greater for a
second one in the same year. Blotto has none: its levels are coin tosses to each other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from games.rating.placement import LEVELS
from games.rating.standing import MAX_RATING, MIN_RATING, UNIT

FORMAT: Final = "quiver-anchors"
ANCHOR_LEVEL: Final = 3
ANCHOR_RATING: Final = 1500 * UNIT
MIN_ANCHOR: Final = MIN_RATING
MAX_VERSION: Final = 999_999
FOLDER: Final = files("games.rating") / "anchor_files"


class BadAnchors(ValueError):
    """A file of anchors cannot be used; `str` is an English sentence."""


@dataclass(frozen=True, slots=True)
class LevelAnchors:
    """Ratings of the eight levels of a game, in thousandths of a point.

    `margins` are two standard deviations of each rating's distance to level 3, in points; `games`
    were played for all of them together.
    """

    rules: str
    version: int
    ratings: tuple[int, ...]
    margins: tuple[int, ...]
    games: int
    command: str


@cache
def anchors_of(rules: str) -> LevelAnchors | None:
    """Return the anchors of a game; None if it has none. Raises BadAnchors."""
    file = FOLDER / f"{rules}.json"
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError) as error:
        raise BadAnchors(f"The anchors of {rules} cannot be read: {error}.") from None
    return parse_anchors(text, rules)


def parse_anchors(text: str, rules: str) -> LevelAnchors:
    """Return the anchors that a file states for a game. Raises BadAnchors."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadAnchors(f"The anchors of {rules} are not JSON: {error}.") from None
    if not isinstance(value, dict) or value.get("format") != FORMAT or value.get("rules") != rules:
        raise BadAnchors(f"The file is not “{FORMAT}” of {rules}.")
    ratings = _integers(value, "ratings", MIN_ANCHOR, MAX_RATING)
    if ratings[ANCHOR_LEVEL - 1] != ANCHOR_RATING:
        raise BadAnchors(f"Level {ANCHOR_LEVEL} of {rules} is not {ANCHOR_RATING // UNIT}.")
    if list(ratings) != sorted(ratings):
        raise BadAnchors(f"A level of {rules} is rated below a lower one.")
    margins = _integers(value, "margins", 0, MAX_RATING)
    version, command = value.get("version"), value.get("command")
    if type(version) is not int or not 0 < version <= MAX_VERSION:
        raise BadAnchors(f"The anchors of {rules} have no version from 1 to {MAX_VERSION}.")
    if not isinstance(command, str) or not command:
        raise BadAnchors(f"The anchors of {rules} do not say by which command they were made.")
    return LevelAnchors(rules, version, ratings, margins, _games(value, rules), command)


def _integers(value: dict[str, Any], name: str, low: int, high: int) -> tuple[int, ...]:
    found = value.get(name)
    if not (
        isinstance(found, list)
        and len(found) == LEVELS
        and all(type(each) is int and low <= each <= high for each in found)
    ):
        raise BadAnchors(f"“{name}” are not {LEVELS} whole numbers from {low} to {high}.")
    return tuple(found)


def _games(value: dict[str, Any], rules: str) -> int:
    steps = value.get("steps")
    if not isinstance(steps, list) or len(steps) != LEVELS - 1:
        raise BadAnchors(f"The anchors of {rules} do not state {LEVELS - 1} matches.")
    counts = [step.get("games") if isinstance(step, dict) else None for step in steps]
    if not all(type(count) is int and count > 0 for count in counts):
        raise BadAnchors(f"A match for the anchors of {rules} has no number of games.")
    return sum(count for count in counts if count)
