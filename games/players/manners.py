"""Table of resignation and draws by level, for the site and the matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

LOST: Final = -1.0  # value of a position that is proved lost
HOPELESS: Final = -0.97  # an estimate, not a proof


@dataclass(frozen=True, slots=True)
class DrawTerms:
    """Condition for a draw; the range of values includes both ends."""

    min_turns: int  # made so far, by both sides
    min_value: float  # expected result, -1 (lost) to 1 (won)
    max_value: float


@dataclass(frozen=True, slots=True)
class Manners:
    """Rules by which a level resigns or offers a draw."""

    resign_value: float | None = None  # at or below it in two turns in a row; None: never resigns
    draw: DrawTerms | None = None  # None: accepts no draw

    def resigns(self, value: float, before: float | None) -> bool:
        """Return whether the level resigns.

        `value` is its expected result now, `before` at its previous turn, None if there was none.
        """
        if self.resign_value is None or before is None:
            return False
        return max(value, before) <= self.resign_value

    def accepts_draw(self, value: float | None, turns: int, is_parted: bool) -> bool:
        """Return whether the level accepts a draw.

        `value` is its latest expected result, None before its first turn; `turns` is the number of
        turns made in the game; `is_parted` says that the sides of an Amazons game can no longer
        meet, so that counting decides it.
        """
        if self.draw is None or value is None or is_parted or turns < self.draw.min_turns:
            return False
        return self.draw.min_value <= value <= self.draw.max_value


PLAYS_ON: Final = Manners()

# With optional arrows a draw is fair while nobody is ahead and much has been played.
_LEVEL_DRAW: Final = DrawTerms(30, -0.1, 0.1)
_ANY_DRAW: Final = DrawTerms(10, LOST, 0.0)  # 0 also stands for a certain draw

# Where every turn burns a square, a level resigns only a proved loss, and no game is drawn.
_BURNING: Final = (*[PLAYS_ON] * 3, *[Manners(LOST)] * 5)

# By key, then by level from 1 to 8.
MANNERS: Final[Mapping[str, tuple[Manners, ...]]] = MappingProxyType(
    {
        "amazons": (
            *[Manners(None, _LEVEL_DRAW)] * 3,
            *[Manners(HOPELESS, _LEVEL_DRAW)] * 5,
        ),
        "amazons-10x10": _BURNING,
        "amazons-8x8": _BURNING,
        "blotto": (PLAYS_ON,) * 8,
        "pincer": (*[Manners(None, _ANY_DRAW)] * 3, *[Manners(HOPELESS, _ANY_DRAW)] * 5),
    }
)


def manners_of(key: str, number: int) -> Manners:
    """Return the manners of a level, 1 to 8, of a game of the catalogue."""
    return MANNERS[key][number - 1]
