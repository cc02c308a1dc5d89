"""Tables of pairing: searches, and pairs that were refused.

Times are milliseconds since the epoch. Every change of a search is a compare-and-swap on `rev`.
"""

from typing import Self

from django.conf import settings
from django.db import models

from play.domain.clocks import now
from play.models import Game


class SearchQuerySet(models.QuerySet["Search"]):
    """Named queries for searches."""

    def active(self) -> Self:
        """Return searches that look for an opponent or wait for answers."""
        return self.filter(state__in=(Search.State.LOOKING, Search.State.ASKED))

    def looking(self) -> Self:
        """Return searches that may be paired: looking, with a page that follows them."""
        return self.filter(state=Search.State.LOOKING, seen__isnull=False)

    def listed(self) -> Self:
        """Return active searches that pages follow: those that are counted."""
        return self.active().filter(seen__isnull=False)


class Search(models.Model):
    """The newest search of a user; it stays for a while when it has ended, for its pages."""

    class State(models.TextChoices):
        """State of a search."""

        LOOKING = "looking"
        ASKED = "asked"  # paired with `partner`; the page has to answer until `deadline`
        PAIRED = "paired"  # `game` is open
        ENDED = "ended"  # `why` says why

    class Rated(models.TextChoices):
        """Whether the games that a search may lead to are rated."""

        NO = "no"
        YES = "yes"
        EITHER = "either"  # a rated search that takes casual games too

    class Why(models.TextChoices):
        """Reason for which a search has ended."""

        STOPPED = "stopped"  # its user has stopped it
        LEFT = "left"  # no page follows it any more; a page that comes back takes it up again
        NO_ANSWER = "no_answer"  # its page did not answer in time
        DECLINED = "declined"  # its user would rather not play now
        PLAYING = "playing"  # its user plays a game with a running clock

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="search")
    # Pairs of rules key and clock (form value), preferred ones first.
    choices = models.JSONField(default=list)
    rated = models.CharField(max_length=6, choices=Rated, default=Rated.NO, db_default=Rated.NO)
    state = models.CharField(max_length=8, choices=State, default=State.LOOKING)
    why = models.CharField(max_length=9, choices=Why, blank=True)
    created = models.BigIntegerField(default=now)
    # Time at which a page was last known to follow it; null before the first one does.
    seen = models.BigIntegerField(null=True)
    changed = models.BigIntegerField(default=now)  # when the state was last written
    is_busy = models.BooleanField(default=False)  # its user plays the computer: a person answers
    partner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    rules = models.CharField(max_length=32, blank=True)  # of the game of a pair
    clock = models.CharField(max_length=20, blank=True)  # form value
    is_rated = models.BooleanField(default=False, db_default=False)  # the pair's game
    deadline = models.BigIntegerField(null=True)  # of the answers
    is_answered = models.BooleanField(default=False)
    tab = models.CharField(max_length=64, blank=True)  # the page that answered first
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+")
    rev = models.IntegerField(default=0)

    objects = SearchQuerySet.as_manager()

    class Meta:
        # A partial index: few searches are active.
        indexes = [
            models.Index(
                fields=["created"],
                name="search_active",
                condition=models.Q(state__in=("looking", "asked")),
            )
        ]

    def __str__(self) -> str:
        return f"search of {self.user_id}, {self.state}"

    @property
    def is_active(self) -> bool:
        """Whether it looks for an opponent or waits for answers."""
        return self.state in (Search.State.LOOKING, Search.State.ASKED)


class RefusedPair(models.Model):
    """Two users whose pairing came to nothing: not paired again until `until`."""

    one = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    two = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    until = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return f"{self.one_id} and {self.two_id}"
