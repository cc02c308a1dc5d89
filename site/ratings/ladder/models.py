"""Tables of the ladder: games of accounts against the levels, and the rungs earned."""

from typing import Self

from django.conf import settings
from django.db import models

from play.models import ROLES, Game


class Rung(models.Model):
    """A level of a board game that a person has beaten; never lost again."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    rules = models.CharField(max_length=32)
    level = models.PositiveSmallIntegerField()
    at = models.BigIntegerField()  # end of the last of its games, epoch ms

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "rules", "level"], name="one_rung_a_level")
        ]

    def __str__(self) -> str:
        return f"rung {self.level} of {self.rules}"


class LadderGameQuerySet(models.QuerySet["LadderGame"]):
    """Named queries of games against levels."""

    def of(self, user: int, rules: str, level: int) -> Self:
        """Return a person's games against a level that count, oldest first."""
        games = self.filter(user=user, rules=rules, level=level, is_void=False)
        return games.order_by("ended", "pk")

    def listed(self) -> Self:
        """Return games that pages may list: those that count, of active users.

        An unlisted one may be listed if it made a rung.
        """
        is_known = models.Q(game__is_public=True) | models.Q(rung__isnull=False)
        return self.filter(is_known, is_void=False, user__is_active=True)


class LadderGame(models.Model):
    """An ended game of an account against a level; written once.

    It repeats what the ladder and the hall of records need.
    """

    game = models.OneToOneField(Game, models.CASCADE, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    rules = models.CharField(max_length=32)
    level = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=5, choices=ROLES)
    is_won = models.BooleanField()
    is_void = models.BooleanField()  # a turn was taken back, or the first turns were given
    turns = models.PositiveIntegerField()  # of both sides
    spent_ms = models.BigIntegerField(null=True)  # by the person; null: entered before it was kept
    ended = models.BigIntegerField()  # epoch ms
    rung = models.ForeignKey(Rung, models.SET_NULL, null=True, related_name="games")

    objects = LadderGameQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["user", "rules", "level", "ended"], name="ladder_games_of_user"),
            models.Index(
                fields=["rules", "level", "is_won", "turns"],
                name="ladder_records",
                condition=models.Q(is_void=False),
            ),
            models.Index(
                fields=["rules", "level", "ended"],
                name="ladder_wins",
                condition=models.Q(is_void=False, is_won=True),
            ),
        ]

    def __str__(self) -> str:
        return f"game {self.game_id} against level {self.level}"
