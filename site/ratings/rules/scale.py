"""Constants of the fold in the log: ratings of the levels, and the first-move advantage.

Both are entries that a worker appends under the lock of the log: anchors when the program brings a
new version of them, the advantage of each board game once a month from its 300th rated game on.
"""

import json
import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import QuerySet

from games.catalogue import RULES
from games.rating.advantage import MIN_GAMES, Meeting, first_move_advantage, meeting
from games.rating.anchors import BadAnchors, LevelAnchors, anchors_of
from games.rating.entries import SCORES
from play.domain.clocks import SECOND_MS
from play.storage import leases
from ratings.models import FittedAdvantage, FurtherEntry, Generation, RatedGame
from ratings.rules import entry_log
from ratings.rules.drift import report_drift
from ratings.rules.entry_log import newest_anchors
from ratings.rules.generations import lock_current
from ratings.rules.rated_rows import AdvantageRow, insert_advantages

LEASE = "ratings-scale"
LEASE_MS = 600 * SECOND_MS  # a fit of many games must end within it
INTERVAL_S = 600.0
STANDBY_INTERVAL_S = 60.0
FETCH_ROWS = 2_000
MAX_FITS = 3  # outside of the lock; then games wait for one
KINDS = FurtherEntry.Kind
BOARD_GAMES = tuple(key for key, rules in RULES.items() if not rules.is_simultaneous)
log = logging.getLogger("quiver.ratings")


def append_anchors(at: int) -> list[str]:
    """Append the anchors of each game whose file has a newer version; return these games.

    A file that cannot be used is logged as an error; the last anchors stay in force.
    """
    return [rules for rules in BOARD_GAMES if _append_anchors_of(rules, at)]


def _append_anchors_of(rules: str, at: int) -> bool:
    try:
        anchors = anchors_of(rules)
    except BadAnchors as error:
        log.error(
            "the ratings of the levels of %s were not taken over: %s The earlier ones hold on; "
            "reinstall the program.",
            rules,
            error,
            extra={"event": "anchors_refused"},
        )
        return False
    current = Generation.objects.filter(is_current=True).first()
    if anchors is None or (current and not _is_newer(anchors, current)):
        return False
    with transaction.atomic():
        generation = lock_current()
        if not _is_newer(anchors, generation):
            return False  # another process was faster
        content = {"version": anchors.version, "ratings": anchors.ratings}
        entry_log.append_further(
            generation, kind=KINDS.ANCHORS, at=at, rules=rules, content=json.dumps(content)
        )
        generation.save(update_fields=["last_seq"])
    return True


def _is_newer(anchors: LevelAnchors, generation: Generation) -> bool:
    last = newest_anchors(generation.last_seq).get(anchors.rules)
    return last is None or json.loads(last.content)["version"] < anchors.version


def fit_advantages(at: int) -> list[str]:
    """Append the fit of each board game that is due at a time (epoch ms); return these games."""
    return [rules for rules in BOARD_GAMES if _fit_advantage_of(rules, at)]


def current_advantage(rules: str) -> int:
    """Return the advantage of white that rated games are counted with now, in thousandths."""
    return fitted_of(rules).values_list("advantage", flat=True).first() or 0


def fitted_of(rules: str) -> QuerySet[FittedAdvantage]:
    """Return the fitted advantages of a game in the current generation, the newest first."""
    fitted = FittedAdvantage.objects.filter(generation__is_current=True, rules=rules)
    return fitted.order_by("-entry")


def _fit_advantage_of(rules: str, at: int) -> bool:
    generation = Generation.objects.filter(is_current=True).first()
    if generation is None or not _is_fit_due(rules, at):
        return False
    if _rated_games(generation, rules, generation.last_seq).count() < MIN_GAMES:
        return False
    for _ in range(MAX_FITS):
        last_seq = generation.last_seq
        advantage = first_move_advantage(_meetings(generation, rules, last_seq))
        with transaction.atomic():
            locked = lock_current()
            if not _is_fit_due(rules, at):
                return False  # another process was faster
            if locked.pk == generation.pk and not _rated_games(
                locked, rules, locked.last_seq, after=last_seq
            ):
                _append_fit(locked, rules, advantage, at)
                return True
            generation = locked
    with transaction.atomic():  # games are rated faster than a fit takes
        locked = lock_current()
        if not _is_fit_due(rules, at):
            return False
        advantage = first_move_advantage(_meetings(locked, rules, locked.last_seq))
        _append_fit(locked, rules, advantage, at)
    return True


def _is_fit_due(rules: str, at: int) -> bool:
    """Return whether the newest fit of a game is of an earlier month (UTC), or there is none.

    A clock that has been set back makes none due.
    """
    fits = FurtherEntry.objects.filter(kind=KINDS.ADVANTAGE, rules=rules)
    last = fits.order_by("-seq").values_list("at", flat=True).first()
    return last is None or month_of(last) < month_of(at)


def month_of(at: int) -> int:
    """Return the month (UTC) of a time (epoch ms) as a number such as 202611."""
    day = datetime.fromtimestamp(at / 1000, UTC)
    return day.year * 100 + day.month


def _rated_games(
    generation: Generation, rules: str, last_seq: int, after: int = 0
) -> QuerySet[RatedGame]:
    rated = RatedGame.objects.filter(generation=generation, entry__rules=rules)
    return rated.filter(entry__gt=after, entry__lte=last_seq).order_by("entry")


def _meetings(generation: Generation, rules: str, last_seq: int) -> Sequence[Meeting]:
    """Return the rated games of a game as the fit sees them, in the order of the log."""
    rows = _rated_games(generation, rules, last_seq).select_related("entry")
    return [
        meeting(row.before.white, row.before.black, SCORES[row.entry.winner])
        for row in rows.iterator(chunk_size=FETCH_ROWS)
    ]


def _append_fit(generation: Generation, rules: str, advantage: int, at: int) -> None:
    entry = entry_log.append_further(generation, kind=KINDS.ADVANTAGE, at=at, rules=rules)
    insert_advantages([AdvantageRow(generation.pk, entry.seq, rules, advantage)])
    generation.save(update_fields=["last_seq"])


class ScaleTask:
    """The work on anchors, advantages and the report about drift, as a task of workers."""

    name = "scale"

    def run(self, process: str, at: int) -> float:
        """Append the entries due at `at` (epoch ms); return the seconds until the next call."""
        if not leases.take(LEASE, process, at, LEASE_MS):
            return STANDBY_INTERVAL_S
        append_anchors(at)
        fit_advantages(at)
        report_drift(month_of(at), at)
        return INTERVAL_S

    def give_back(self, process: str) -> None:
        """Give the lease back, so that another process need not wait for its end."""
        leases.give_back(LEASE, process)


TASK = ScaleTask()
