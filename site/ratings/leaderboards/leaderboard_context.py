"""Variables of the shared parts of the leaderboards' pages; nothing here knows the reader."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.players.blotto.equilibrium_score import EVEN_POINTS
from games.rating.pools import Pool, Speed
from play.game_texts import short_name
from play.time_controls import PRESETS
from ratings.leaderboards.equilibrium_rounds import RULES as BLOTTO
from ratings.leaderboards.leaderboard_reads import ROWS_A_PAGE, CombinedLine, LeaderboardLine
from ratings.leaderboards.leaderboard_texts import (
    MIN_ROUNDS,
    advantage_text,
    change_text,
    combined_row,
    leaderboard_texts,
    missing_short_text,
    missing_text,
    profile_url,
    row_of,
    speed_name,
)
from ratings.leaderboards.ranking import MIN_NAMES


class Overview(NamedTuple):
    """The rows that the overview shows."""

    tops: Mapping[Pool, Sequence[LeaderboardLine]]
    movers: Sequence[tuple[Pool, LeaderboardLine]]
    combined: Sequence[CombinedLine]


def overview(found: Overview) -> dict[str, Any]:
    """Return the variables of the overview: games in their order, live before slow."""
    return {
        "games": [
            (short_name(rules), [_top(pool, found.tops[pool]) for pool in _pools_of(rules)])
            for rules in PRESETS
        ],
        "movers": [
            {
                "name": line.name,
                "url": profile_url(line.name),
                "leaderboard": leaderboard_texts(pool),
                "change": change_text(line.week_change),
            }
            for pool, line in found.movers
        ],
        "combined": [combined_row(line) for line in found.combined],
    }


def _pools_of(rules: str) -> list[Pool]:
    return [Pool(rules, Speed.LIVE), Pool(rules, Speed.DAYS)]


def _top(pool: Pool, lines: Sequence[LeaderboardLine]) -> dict[str, Any]:
    missing = missing_short_text(len(lines))
    return {
        "leaderboard": leaderboard_texts(pool),
        "rows": [] if missing else [row_of(line) for line in lines],
        "missing": missing,
    }


def leaderboard(
    pool: Pool, after: int, lines: Sequence[LeaderboardLine], names: int, advantage: int
) -> dict[str, Any]:
    """Return the variables of a page of a leaderboard; `advantage` is white's, in thousandths.

    `lines` are the rows after a position, with one of the next page if there is one; `names` is the
    number of people on the leaderboard, which need not be counted beyond `MIN_NAMES`.
    """
    is_board = names >= MIN_NAMES
    return {
        "leaderboard": leaderboard_texts(pool),
        "rules": pool.rules,
        "by_game": [
            (leaderboard_texts(Pool(rules, pool.speed)).url, short_name(rules), rules == pool.rules)
            for rules in PRESETS
        ],
        "by_speed": [
            (leaderboard_texts(each).url, speed_name(each.speed), each == pool)
            for each in _pools_of(pool.rules)
        ],
        "is_board": is_board,
        "missing": missing_text(names),
        "advantage": advantage_text(pool.rules, advantage),
        "has_rounds": pool.rules == BLOTTO,
        "even_points": f"{EVEN_POINTS:.2f}",
        "min_rounds": MIN_ROUNDS,
        "rows": [row_of(line) for line in lines[:ROWS_A_PAGE]] if is_board else [],
        **_paging(after, lines),
    }


def combined(after: int, lines: Sequence[CombinedLine]) -> dict[str, Any]:
    """Return the variables of a page of the combined table, from rows as in `leaderboard`."""
    rows = [combined_row(line) for line in lines[:ROWS_A_PAGE]]
    return {"rows": rows, **_paging(after, lines)}


def _paging(after: int, lines: Sequence[LeaderboardLine | CombinedLine]) -> dict[str, int | None]:
    """Return where this page begins, and the position after which the next one does."""
    has_next = len(lines) > ROWS_A_PAGE
    return {"after": after, "next": lines[ROWS_A_PAGE - 1].position if has_next else None}
