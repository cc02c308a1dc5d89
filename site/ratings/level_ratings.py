"""The fixed ratings of the levels as pages show them."""

import logging
from functools import cache

from games.rating.anchors import BadAnchors, LevelAnchors, anchors_of
from games.rating.standing import UNIT

log = logging.getLogger("quiver.ratings")


def level_rating(rules: str, level: int) -> str:
    """Return the rating of a level (1 to 8) with its margin, `2151 ± 247`; empty without one.

    The level that fixes the scale has no margin. Blotto's levels have no ratings.
    """
    anchors = _anchors_of(rules)
    if anchors is None:
        return ""
    points, margin = round(anchors.ratings[level - 1] / UNIT), anchors.margins[level - 1]
    return f"{points} ± {margin}" if margin else str(points)


def measured_games(rules: str) -> int:
    """Return how many games between levels their ratings rest on; 0 without ratings."""
    anchors = _anchors_of(rules)
    return anchors.games if anchors else 0


@cache
def _anchors_of(rules: str) -> LevelAnchors | None:
    try:
        return anchors_of(rules)
    except BadAnchors as error:
        log.error("%s", error, extra={"event": "anchors_refused"})
        return None
