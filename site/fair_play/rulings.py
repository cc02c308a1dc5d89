"""Rulings of staff: games are annulled or restored together, by a task of the workers.

A fold of all entries takes seconds, so it is no work for a request. A ruling that was carried out
twice, because a worker died before it had noted that, finds nothing left to do.
"""

import logging
from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import Q

from accounts.models import User
from fair_play.models import Ruling
from play.domain.clocks import now
from play.models import Game
from ratings.entry_log import annulled_among
from ratings.generations import CannotRefold, correct
from ratings.models import Person, RatingEntry

INTERVAL_S = 3.0  # between two looks for a ruling
RETRY_DELAY_S = 15.0  # while another process folds, for instance
MAX_FAILURE_CHARS = 200
GAME = RatingEntry.Kind.GAME
log = logging.getLogger("quiver.fair_play")


def counted_games(user: int, since: int = 0) -> list[str]:
    """Return the slugs of a user's rated games that count and ended at `since` (epoch ms) or later,
    in the order of their entries."""
    return [slug for slug, is_annulled in _games(user, since) if not is_annulled]


def annulled_games_of(user: int, since: int = 0) -> list[str]:
    """Return the slugs of a user's games that are annulled, as `counted_games`."""
    return [slug for slug, is_annulled in _games(user, since) if is_annulled]


def _games(user: int, since: int) -> list[tuple[str, bool]]:
    number = Person.objects.filter(user=user).values_list("number", flat=True).first()
    if number is None:
        return []
    own = RatingEntry.objects.filter(
        Q(white=number) | Q(black=number), kind=GAME, not_rated="", at__gte=since
    )
    rows = list(own.order_by("seq").values_list("game", "game__slug"))
    annulled = annulled_among([game for game, _ in rows])
    return [(slug, game in annulled) for game, slug in rows]


def changeable(slugs: Collection[str], is_annulment: bool) -> list[str]:
    """Return those of some games that have an entry and are not yet in the state of a ruling."""
    entries = RatingEntry.objects.filter(kind=GAME, game__slug__in=slugs).order_by("seq")
    rows = list(entries.values_list("game", "game__slug"))
    annulled = annulled_among([game for game, _ in rows])
    return [slug for game, slug in rows if (game in annulled) != is_annulment]


def make_ruling(
    games: Sequence[str],
    is_annulment: bool,
    reason: str,
    by: User | None,
    person: User | None = None,
) -> Ruling:
    """Store a ruling, for a worker to carry out."""
    return Ruling.objects.create(
        games=list(games),
        is_annulment=is_annulment,
        reason=reason,
        by=by,
        person=person,
        made=now(),
    )


def apply_next(process: str) -> bool:
    """Carry out the oldest ruling that waits; return whether one was.

    Raise CannotRefold if no generation can be made now; the ruling waits on.
    """
    ruling = Ruling.objects.filter(applied=None).order_by("pk").first()
    if ruling is None:
        return False
    if games := changeable(ruling.games, ruling.is_annulment):
        try:
            correct(games, ruling.is_annulment, ruling.reason, process)
        except CannotRefold as error:
            failure = str(error)[:MAX_FAILURE_CHARS]
            Ruling.objects.filter(pk=ruling.pk, applied=None).update(failure=failure)
            raise
    Ruling.objects.filter(pk=ruling.pk).update(applied=now(), failure="")
    return True


def export_rulings(user: int) -> list[dict[str, Any]]:
    """Return the rulings on all of a user's games as plain JSON."""
    rows = Ruling.objects.filter(person=user).order_by("pk")
    columns = ("made", "is_annulment", "reason", "games", "applied")
    return [dict(row) for row in rows.values(*columns)]


def games_in(ruling: Ruling) -> list[Game]:
    """Return the games of a ruling, oldest first."""
    return list(Game.objects.filter(slug__in=ruling.games).order_by("pk"))


class RulingTask:
    """The rulings as a task of workers; the fold's own lease lets one of them work."""

    name = "rulings"

    def run(self, process: str, at: int) -> float:
        """Carry out a ruling if one waits; return the seconds until the next call."""
        try:
            return 0.0 if apply_next(process) else INTERVAL_S
        except CannotRefold as error:
            log.warning(
                "a ruling on rated games waits: %s It is tried again.",
                error,
                extra={"event": "ruling_waits"},
            )
            return RETRY_DELAY_S

    def give_back(self, process: str) -> None:
        """Hold nothing between two calls."""


TASK = RulingTask()
