"""Rulings of staff: games are annulled or restored together, by a task of the workers.

A fold of all entries takes seconds, so it is no work for a request, and rulings that wait together
make one generation. A ruling that was carried out twice, because a worker died before it had noted
that, finds nothing left to do. `ruling_holds` finds the rulings that annul a game.
"""

import logging
from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import Q

from accounts.models import User
from play.domain.clocks import now
from play.models import Game
from ratings.fair_play.models import Ruling
from ratings.fair_play.ruling_holds import annulled_slugs, read_holds
from ratings.models import Person, RatingEntry
from ratings.rules.entry_log import annulled_among
from ratings.rules.generations import CannotRefold, Correction, correct_all

INTERVAL_S = 3.0  # between two looks for a ruling
RETRY_DELAY_S = 15.0  # while another process folds, for instance
MAX_FAILURE_CHARS = 200
MAX_TOGETHER = 100  # rulings in one generation
GAME = RatingEntry.Kind.GAME
log = logging.getLogger("quiver.fair_play")


def counted_games(user: int, since: int = 0) -> list[str]:
    """Return the slugs of a user's rated games that count and ended at `since` (epoch ms) or later,
    in the order of their entries."""
    return [slug for slug, is_annulled in _games(user, since) if not is_annulled]


def rated_games(user: int, since: int = 0) -> list[str]:
    """Return the slugs of a user's games that count or are annulled, as `counted_games`.

    A ruling about a person names the annulled ones too: it stays when the other ruling is reversed.
    """
    return [slug for slug, _ in _games(user, since)]


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


def with_entry(slugs: Collection[str]) -> list[str]:
    """Return the games that have an entry, in the order of the entries."""
    entries = RatingEntry.objects.filter(kind=GAME, game__slug__in=slugs)
    return list(entries.order_by("seq").values_list("game__slug", flat=True))


def make_ruling(
    games: Sequence[str],
    is_annulment: bool,
    reason: str,
    by: User | None,
    person: User | None = None,
    reverses: Ruling | None = None,
) -> Ruling:
    """Store a ruling, for a worker to carry out. `reverses` is the ruling that it reverses."""
    return Ruling.objects.create(
        games=list(games),
        is_annulment=is_annulment,
        reason=reason,
        by=by,
        person=person,
        reverses=reverses,
        made=now(),
    )


def apply_waiting(process: str) -> bool:
    """Carry out the rulings that wait, by one generation; return whether there were any.

    At most `MAX_TOGETHER`, oldest first. Raise CannotRefold if no generation can be made now; they
    wait on.
    """
    waiting = list(Ruling.objects.filter(applied=None).order_by("pk")[:MAX_TOGETHER])
    if not waiting:
        return False
    here = Ruling.objects.filter(pk__in=[ruling.pk for ruling in waiting], applied=None)
    if corrections := _corrections(waiting):
        try:
            correct_all(corrections, process)
        except CannotRefold as error:
            here.update(failure=str(error)[:MAX_FAILURE_CHARS])
            raise
    here.update(applied=now(), failure="")
    return True


def _corrections(waiting: Sequence[Ruling]) -> list[Correction]:
    """Return the corrections that rulings together ask for, in the order of the games' entries.

    A game is annulled if a ruling in force annuls it, and changed in no direction for which none
    of these rulings gives a reason.
    """
    holds = read_holds(waiting[-1].pk)
    reasons = {(slug, each.is_annulment): each.reason for each in waiting for slug in each.games}
    slugs = with_entry({slug for slug, _ in reasons})
    annulled = annulled_slugs(slugs)
    wanted = [(slug, holds.is_held(slug)) for slug in slugs]
    return [
        Correction(slug, is_held, reasons[slug, is_held])
        for slug, is_held in wanted
        if is_held != (slug in annulled) and (slug, is_held) in reasons
    ]


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
        """Carry out the rulings that wait; return the seconds until the next call."""
        try:
            return 0.0 if apply_waiting(process) else INTERVAL_S
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
