"""Texts and figures of leaderboards in the reader's language."""

from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.catalogue import RULES
from games.rating.pools import Pool, Speed
from games.rating.standing import UNIT
from play.game_texts import short_name
from play.time_controls import PRESETS
from ratings.leaderboards.leaderboard_reads import CombinedLine, LeaderboardLine
from ratings.leaderboards.own_place import OwnPlace
from ratings.leaderboards.ranking import FULL_SCALE, MIN_GAMES, MIN_NAMES, MIN_OPPONENTS
from ratings.models import CombinedRow

MIN_ROUNDS = 20  # of Blotto: with fewer, mean points are not shown
PERCENT_SCALE = FULL_SCALE // 100  # the unit of a combined score


@dataclass(frozen=True, slots=True)
class LeaderboardTexts:
    """The names and the address of a leaderboard."""

    game: str
    speed: str
    heading: str
    url: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a leaderboard, in points; `margin` is two deviations."""

    place: int
    name: str
    url: str  # of the profile
    rating: int
    margin: int
    games: int
    change: str  # in the last 7 days, with its sign; empty if the rating was provisional before
    is_own: bool = False
    rounds: int = 0  # of Blotto; 0 if there are too few
    round_points: str = ""  # per round against the equilibrium, such as 2.87


@dataclass(frozen=True, slots=True)
class CombinedTableRow:
    """A row of the combined table; the score is a percentile."""

    place: int
    name: str
    url: str
    score: float
    leaderboards: str  # on how many of all games' leaderboards
    is_own: bool = False


def speed_name(speed: Speed) -> str:
    """Return the name of a speed."""
    return _("Live") if speed is Speed.LIVE else pgettext("speed of a game", "Days")


def leaderboard_texts(pool: Pool) -> LeaderboardTexts:
    """Return the names and the address of the leaderboard of a pool."""
    game = short_name(pool.rules)
    is_live = pool.speed is Speed.LIVE
    heading = _("%(game)s: live games") if is_live else _("%(game)s: games by days")
    url = reverse("leaderboard", args=[pool.rules, pool.speed.value])
    return LeaderboardTexts(game, speed_name(pool.speed), heading % {"game": game}, url)


def profile_url(name: str) -> str:
    """Return the address of the profile of an account."""
    return reverse("profile", args=[name])


def row_of(line: LeaderboardLine) -> Row:
    """Return a row of a leaderboard as pages show it."""
    return Row(
        line.place,
        line.name,
        profile_url(line.name),
        round(line.rating / UNIT),
        round(2 * line.deviation / UNIT),
        line.games,
        change_text(line.week_change),
        **_rounds_of(line),
    )


def _rounds_of(line: LeaderboardLine) -> dict[str, Any]:
    """Return the rounds of a row with their mean points; nothing with fewer than `MIN_ROUNDS`."""
    if line.rounds < MIN_ROUNDS or line.round_points is None:
        return {}
    return {"rounds": line.rounds, "round_points": f"{line.round_points / UNIT:.2f}"}


def advantage_text(rules: str, advantage: int) -> str:
    """Return the sentence on the first-move advantage (thousandths) used by the ratings."""
    points = round(abs(advantage) / UNIT)
    first = _("Moving first is worth %(points)s points here; ratings take that into account.")
    second = _("Moving second is worth %(points)s points here; ratings take that into account.")
    if RULES[rules].is_simultaneous:
        return ""
    if not points:
        return _("Moving first counts as no advantage until there are enough rated games.")
    return (first if advantage > 0 else second) % {"points": points}


def own_row(own: OwnPlace, name: str) -> Row | None:
    """Return the row of the reader with this name; None without a place."""
    if own.place is None:
        return None
    line = LeaderboardLine(
        0, own.place, name, own.rating, own.deviation, own.games, own.week_change
    )
    line = line._replace(rounds=own.rounds, round_points=own.round_points)
    return replace(row_of(line), is_own=True)


def combined_row(line: CombinedLine) -> CombinedTableRow:
    """Return a row of the combined table as pages show it."""
    leaderboards = _("%(count)s of %(most)s") % {"count": line.leaderboards, "most": len(PRESETS)}
    url, score = profile_url(line.name), line.score / PERCENT_SCALE
    return CombinedTableRow(line.place, line.name, url, score, leaderboards)


def own_combined_table_row(row: CombinedRow, name: str) -> CombinedTableRow:
    """Return the row of the reader with this name."""
    line = CombinedLine(row.position, row.place, name, row.score, row.leaderboards)
    return replace(combined_row(line), is_own=True)


def change_text(change: int | None) -> str:
    """Return a change in thousandths of a point as points with their sign; empty for None."""
    if change is None:
        return ""
    points = round(change / UNIT)
    return f"{points:+d}".replace("-", "−") if points else "0"


def missing_text(names: int) -> str:
    """Return how many more players a leaderboard with so many names needs; empty if none."""
    match MIN_NAMES - names:
        case 3:
            return _(
                "Three players are needed for this leaderboard: "
                "five rated games against three people within 90 days."
            )
        case 2:
            return _(
                "Two more players are needed for this leaderboard: "
                "five rated games against three people within 90 days."
            )
        case 1:
            return _(
                "One more player is needed for this leaderboard: "
                "five rated games against three people within 90 days."
            )
    return ""


def missing_short_text(names: int) -> str:
    """Return the same in a few words, for the overview."""
    match MIN_NAMES - names:
        case 3:
            return _("Three players needed.")
        case 2:
            return _("Two more players needed.")
        case 1:
            return _("One more player needed.")
    return ""


def own_note(own: OwnPlace, is_board: bool) -> str:
    """Return a sentence for a reader without a row on the leaderboard; empty for one who has it."""
    if not own.is_eligible:
        have = _(
            "You’re not on this leaderboard yet. In the last 90 days: %(games)s of %(most)s rated "
            "games, %(people)s of %(least)s opponents."
        ) % {
            "games": min(own.games, MIN_GAMES),
            "most": MIN_GAMES,
            "people": min(own.opponents, MIN_OPPONENTS),
            "least": MIN_OPPONENTS,
        }
        rule = _("Opponents count once they’ve played someone else too.")
        return f"{have} {rule}"
    if not is_board or own.place is None:
        return _("You have played enough for this leaderboard.")
    return ""
