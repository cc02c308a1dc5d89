"""Variables of the personal parts of the leaderboards' pages: the reader's own places."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.rating.pools import POOLS, Pool, Speed
from games.rating.standing import UNIT
from play.domain.clocks import now
from play.time_controls import PRESETS
from ratings.leaderboards.leaderboard_texts import (
    leaderboard_texts,
    own_combined_table_row,
    own_note,
    own_row,
)
from ratings.leaderboards.own_place import own_combined_row, own_place, own_rows
from ratings.leaderboards.ranking import MIN_NAMES
from ratings.models import LeaderboardPass


def _has_account(reader: Any) -> bool:
    return bool(getattr(reader, "is_account", False))  # a stranger has no such attribute


def overview(
    reader: Any, shown: LeaderboardPass | None, tops: Mapping[Pool, Sequence[object]]
) -> dict[str, Any]:
    """Return the reader's places on the leaderboards that are shown, in the order of the page."""
    if not _has_account(reader) or shown is None:
        return {"own_places": []}
    places = {Pool(row.rules, Speed(row.speed)): row for row in own_rows(reader.pk, shown)}
    return {
        "own_places": [
            {
                "leaderboard": leaderboard_texts(pool),
                "place": row.place,
                "rating": round(row.rating / UNIT),
                "margin": round(2 * row.deviation / UNIT),
            }
            for pool in sorted(POOLS, key=_order)
            if (row := places.get(pool)) and len(tops[pool]) >= MIN_NAMES
        ]
    }


def _order(pool: Pool) -> tuple[int, bool]:
    return list(PRESETS).index(pool.rules), pool.speed != Speed.LIVE


def leaderboard(
    reader: Any, pool: Pool, shown: LeaderboardPass | None, names: int
) -> dict[str, Any]:
    """Return the reader's row, or a sentence on why there is none; neither without an account."""
    if not _has_account(reader):
        return {"own": [], "own_note": ""}
    own, is_board = own_place(reader.pk, pool, shown, now()), names >= MIN_NAMES
    row = own_row(own, reader.username) if is_board else None
    return {"own": [row] if row else [], "own_note": own_note(own, is_board)}


def combined(reader: Any, shown: LeaderboardPass | None) -> dict[str, Any]:
    """Return the reader's row in the combined table; none without an account."""
    row = own_combined_row(reader.pk, shown) if _has_account(reader) and shown else None
    return {"own": [own_combined_table_row(row, reader.username)] if row else []}
