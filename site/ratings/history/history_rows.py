"""A row of the list of changes of a rating, as readers see it."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.rating.standing import UNIT, Numbers
from ratings.history.changes import HistoryRow
from ratings.reason_texts import sentence_of

RESULTS = {
    1.0: gettext_lazy("Won"),
    0.5: gettext_lazy("Drawn"),
    0.0: gettext_lazy("Lost"),
}
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A game in the list."""

    seq: int
    at: datetime
    url: str
    opponent: User
    opponent_rating: str  # such as 1712 ± 90; empty if the game did not count
    result: str
    before: int | None  # points; None if the game did not count
    after: int | None
    change: str  # such as +8 or −14; empty if the game did not count
    why: str  # the arithmetic, or why the game did not count


def show_row(row: HistoryRow) -> ShownRow:
    """Return a row as all readers see it: also the log of an unlisted rated game is public."""
    entry = row.entry
    white, black = entry.white, entry.black
    assert white is not None
    assert black is not None
    numbers = row.opponent.before if row.opponent else None
    before = after = None
    if row.own:
        before, after = points(row.own.before.rating), points(row.own.after.rating)
    return ShownRow(
        seq=entry.seq,
        at=datetime.fromtimestamp(entry.at / 1000, UTC),
        url=entry.game.get_absolute_url(),
        opponent=black.user if row.role == "white" else white.user,
        opponent_rating=with_margin(numbers) if numbers else "",
        result=str(RESULTS[row.score]),
        before=before,
        after=after,
        change="" if before is None or after is None else signed(after - before),
        why=why(row),
    )


def why(row: HistoryRow) -> str:
    """Return the arithmetic of a change as a sentence, or why the game did not count."""
    if row.not_rated is not None:
        return sentence_of(row.not_rated)
    assert row.explanation is not None
    assert row.own is not None
    found = row.explanation
    return _(
        "Expected score {expected}, actual score {score}. "
        "A whole point more or less is worth {worth} here: {worth} × ({score} − {expected}) = "
        "{change}."
    ).format(
        expected=f"{found.expected:.2f}",
        score=f"{found.score:g}",
        worth=f"{found.points_a_score:.1f}",
        change=signed_tenths(row.own.change / UNIT),
    )


def points(rating: int) -> int:
    """Return a rating in thousandths as whole points."""
    return round(rating / UNIT)


def with_margin(numbers: Numbers) -> str:
    """Return a rating with two deviations, such as 1712 ± 90."""
    return f"{points(numbers.rating)} ± {round(2 * numbers.deviation / UNIT)}"


def signed(change: int) -> str:
    """Return a change in points with its sign, such as +8, −14 or ±0."""
    return f"+{change}" if change > 0 else f"{MINUS}{-change}" if change else "±0"


def signed_tenths(change: float) -> str:
    """Return a change with one digit and its sign, such as +8.3."""
    return f"+{change:.1f}" if change > 0 else f"{MINUS}{-change:.1f}"
