"""Tables of placements: the searches for a newcomer's level, and their games."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.rating.placement import PlacementGame as FoldedGame
from games.rating.pools import Pool, Speed
from play.models import ROLES, Game


class PlacementQuerySet(models.QuerySet["Placement"]):
    """Named queries of placements."""

    def open_of(self, user: int, pool: Pool) -> Self:
        """Return a user's placement in a pool that goes on, if there is one."""
        return self.filter(
            user=user, rules=pool.rules, speed=pool.speed.value, state=Placement.State.OPEN
        )


class Placement(models.Model):
    """A search for a newcomer's level in a pool; at most one of a person goes on in each."""

    class State(models.TextChoices):
        """An open one ends with its entry in the log, or without one."""

        OPEN = "open"
        DONE = "done"
        VOID = "void"

    class WhyVoid(models.TextChoices):
        """Why a placement ended without an entry."""

        ANCHORS = "anchors"  # the ratings of the levels changed meanwhile
        EMPTY = "empty"  # it ended before a game counted
        PLAYED = "played"  # a rated game has its entry already
        LEFT = "left"  # the account is gone

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    rules = models.CharField(max_length=32)
    speed = models.CharField(max_length=8, choices=[(each.value, each.value) for each in Speed])
    anchors = models.ForeignKey(
        "ratings.FurtherEntry", models.PROTECT, related_name="+", db_index=False
    )
    state = models.CharField(max_length=4, choices=State, default=State.OPEN)
    why_void = models.CharField(max_length=8, choices=WhyVoid, blank=True)
    is_finishing = models.BooleanField(default=False)  # the person has asked to end it
    entry = models.OneToOneField(
        "ratings.FurtherEntry", models.PROTECT, null=True, related_name="placement"
    )
    started = models.BigIntegerField()  # epoch ms

    objects = PlacementQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "rules", "speed"],
                condition=Q(state="open"),
                name="one_open_placement_a_pool",
            )
        ]
        indexes = [models.Index(fields=["id"], condition=Q(state="open"), name="open_placements")]

    def __str__(self) -> str:
        return f"placement of {self.user_id} in {self.pool}"

    @property
    def pool(self) -> Pool:
        """The pool of the rating to be found."""
        return Pool(self.rules, Speed(self.speed))


class PlacementGame(models.Model):
    """A game of a placement, written with the game itself: no page can make one of it later."""

    class Result(models.TextChoices):
        """For the person; a void game counts for nothing, and its level is offered again."""

        PENDING = "", "pending"
        WON = "won"
        DRAWN = "drawn"
        LOST = "lost"
        VOID = "void"

    placement = models.ForeignKey(Placement, models.CASCADE, related_name="games")
    game = models.OneToOneField(Game, models.CASCADE, related_name="+")
    level = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=5, choices=ROLES)  # of the person
    result = models.CharField(max_length=5, choices=Result, blank=True, default=Result.PENDING)
    ended = models.BigIntegerField(null=True)  # epoch ms; with the result

    class Meta:
        indexes = [
            models.Index(fields=["game"], condition=Q(result=""), name="pending_placement_games")
        ]

    def __str__(self) -> str:
        return f"placement game {self.game_id}"

    @property
    def folded(self) -> FoldedGame:
        """The game as a value of the fold, if it counts."""
        return FoldedGame(self.level, self.result)  # type: ignore[arg-type]


COUNTED = (
    PlacementGame.Result.WON.value,
    PlacementGame.Result.DRAWN.value,
    PlacementGame.Result.LOST.value,
)
