"""Tables of studying: published reviews of ended games. Times are milliseconds since the epoch."""

from typing import Self

from django.conf import settings
from django.db import models

from play.models import Game


class ReviewQuerySet(models.QuerySet["Review"]):
    """Named queries of reviews."""

    def unchecked(self) -> Self:
        """Return reviews of which no position was recomputed."""
        return self.filter(checked="")

    def leased_to(self, worker: str) -> Self:
        """Return the unchecked reviews that a worker holds."""
        return self.unchecked().filter(worker=worker)


class Review(models.Model):
    """A review that a reader's engine computed and the reader published.

    One for each game and build of the engine; only more nodes replace it. A worker recomputes some
    positions that it draws after the submission, and deletes the review if one differs.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="+", db_index=False)
    digest = models.CharField(max_length=16)  # of the engine's build, as in its manifest
    nodes = models.PositiveIntegerField()  # for each position, one of the rungs
    seed = models.PositiveIntegerField()
    # For the start and after each turn, while the game is not over by its rules: value for the
    # role to move, actions of the best turn, whether the value is proved.
    values = models.JSONField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.BigIntegerField()
    checked = models.CharField(max_length=32, blank=True)  # indices that equal; empty: none yet
    worker = models.CharField(max_length=64, blank=True)  # with the lease; empty: none
    until = models.BigIntegerField(default=0)  # end of the lease
    tries = models.PositiveSmallIntegerField(default=0)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "digest"], name="one_review_a_build"),
        ]
        indexes = [
            models.Index(
                fields=["created"], name="review_unchecked", condition=models.Q(checked="")
            ),
        ]

    @property
    def checked_positions(self) -> list[int]:
        """The indices of the values that a worker has recomputed and found equal."""
        return [int(index) for index in self.checked.split()]

    def __str__(self) -> str:
        return f"review of {self.game_id} with {self.nodes} nodes"
