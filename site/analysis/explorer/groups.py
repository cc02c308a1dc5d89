"""Groups of games by their players: people by rating, or a person against a level. Pure.

A game is in one group, and in that of all games. Each turn has a row for both, so that no query has
to add up groups.
"""

from collections.abc import Sequence
from typing import Final

EVERYONE: Final = "everyone"  # all games
UNRATED: Final = "unrated"  # between people, at most one of them rated
BAND_STARTS: Final = (0, 1200, 1400, 1600, 1800, 2000)  # mean rating in points, lowest first
LEVELS: Final = tuple(range(1, 9))
NOT_COUNTED: Final = ""  # of a game that has been examined and does not count


def group_of(level: int | None, ratings: Sequence[int | None]) -> str:
    """Return the group of a game by its computer's level, or by both players' ratings (points)."""
    if level is not None:
        return f"level-{level}"
    known = [rating for rating in ratings if rating is not None]
    if len(known) < 2:
        return UNRATED
    mean = sum(known) / len(known)
    return f"rated-{max(start for start in BAND_STARTS if start <= max(mean, 0))}"


BANDS: Final = tuple(f"rated-{start}" for start in BAND_STARTS)
COMPUTERS: Final = tuple(f"level-{level}" for level in LEVELS)
GROUPS: Final = (EVERYONE, *BANDS, UNRATED, *COMPUTERS)  # that can be asked for
