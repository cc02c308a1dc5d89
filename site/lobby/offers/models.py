"""Model of a standing offer."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Count, F, Q
from django.utils import timezone

from accounts.models import Session
from lobby.lobby_options import Options, Side
from play.domain.abandonment import OFFER_LIFE_MS
from play.domain.clocks import DAY_MS, HOUR_MS, Clock, now
from play.time_controls import bank_clock, days_clock

MAX_OPEN_GAMES = 20  # of one user, over all standing offers
IS_OPEN = Q(lobbies__status="open", lobbies__game=None)
IS_RUNNING = Q(lobbies__game__isnull=False, lobbies__game__ended=None)


class StandingOfferQuerySet(models.QuerySet["StandingOffer"]):
    """Named queries for standing offers."""

    def of(self, user: models.Model) -> Self:
        """Standing offers of a user."""
        return self.filter(user=user)

    def with_counts(self) -> Self:
        """Annotates the numbers of open and of running games, `opened` and `running`."""
        return self.annotate(
            opened=Count("lobbies", filter=IS_OPEN), running=Count("lobbies", filter=IS_RUNNING)
        )

    def unbalanced(self) -> Self:
        """Standing offers with too few open games, or with too many."""
        alive = F("opened") + F("running")
        few, many = Q(count__gt=alive), Q(count__lt=alive, opened__gt=0)
        return self.with_counts().filter(few | many)

    def expired(self, at: int, offered: list[str]) -> Self:
        """Standing offers whose owners have not visited the site for long, or cannot come back.

        Also those for rules that are not among `offered`. `at` is in ms since the epoch. A guest
        without a session cannot come back.
        """
        sessions = Session.objects.filter(user=models.OuterRef("user"))
        alive = models.Exists(sessions.filter(expire_date__gt=timezone.now()))
        return self.filter(
            Q(visited__lt=at - OFFER_LIFE_MS)
            | Q(user__is_active=False)
            | (Q(user__is_guest=True) & ~alive)
            | ~Q(rules__in=offered)
        )


class StandingOffer(models.Model):
    """A user's request to have `count` games of one kind open or running at any time.

    Its lobbies are public; joining one starts a game by days, even while the owner is away.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="standing_offers"
    )
    rules = models.CharField(max_length=32)
    days = models.PositiveSmallIntegerField()  # for each turn, or of a bank
    hours = models.PositiveSmallIntegerField(default=0)  # that a bank earns; 0: it is none
    side = models.CharField(max_length=5)  # of the owner; "lot": random
    is_rated = models.BooleanField(default=False, db_default=False)  # whether its games are
    count = models.PositiveSmallIntegerField()
    created = models.BigIntegerField(default=now)
    visited = models.BigIntegerField(default=now)  # ms; the owner's last visit

    opened: int  # games that wait, and games in play; see `with_counts`
    running: int

    objects = StandingOfferQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "rules", "days", "hours", "side", "is_rated"],
                name="one_offer_a_kind",
            ),
            models.CheckConstraint(
                condition=Q(count__gte=1, count__lte=MAX_OPEN_GAMES), name="one_to_twenty"
            ),
        ]
        indexes = [models.Index(fields=["visited"], name="offer_visited")]

    def __str__(self) -> str:
        return f"{self.count} × {self.rules}, {self.days} d + {self.hours} h"

    @property
    def clock(self) -> Clock:
        """The clock of its games."""
        return bank_clock(self.days, self.hours) if self.hours else days_clock(self.days)

    @property
    def options(self) -> Options:
        """The options of its lobbies."""
        return options_of(self.rules, self.clock, self.side, self.is_rated)  # type: ignore[arg-type]


def options_of(rules: str, clock: Clock, side: Side, is_rated: bool) -> Options:
    """Returns the options of a lobby that a standing offer opens."""
    return Options(rules, clock, side, public=True, rated=is_rated)


def columns_of_clock(clock: Clock) -> dict[str, int]:
    """Returns the columns that keep a clock. Raises ValueError for a clock that is not by days."""
    if not clock.is_by_days:
        raise ValueError(f"a standing offer needs days, not {clock.kind}")
    return {"days": clock.initial // DAY_MS, "hours": clock.increment // HOUR_MS}
