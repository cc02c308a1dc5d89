"""Models of the workers: leases, thoughts, heartbeats, exhibitions.

Times are milliseconds since the epoch. Thoughts are secret until their game is over; only
`thought_log.thoughts` shows them.
"""

from typing import Self

from django.db import models

from play.models import ROLES, Game

LEASE_MS = 3_000  # after which a lease that was not renewed may be taken over
ALIVE_MS = 5_000  # after its last heartbeat a worker counts as alive for so long


class Lease(models.Model):
    """A computer player's seat in a running game that a worker thinks for."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="leases")
    role = models.CharField(max_length=5, choices=ROLES)
    worker = models.CharField(max_length=64)  # its name
    until = models.BigIntegerField()  # any worker may take it after that
    left = models.IntegerField(default=0)  # how many workers in a row died or hung with it

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "role"], name="one_lease_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.game_id}, thought for by {self.worker}"


class Thinking(models.Model):
    """The evaluation behind an action that a computer player was about to play.

    It is written before the action is sent; whether the action was played is in the step.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="thinkings")
    number = models.IntegerField()  # of the step
    takebacks = models.IntegerField()  # of the game then; a takeback makes numbers occur again
    role = models.CharField(max_length=5, choices=ROLES)
    level = models.PositiveSmallIntegerField()
    action = models.TextField()  # canonical
    value = models.FloatField()  # expected result for the role, -1 (lost) to 1 (won)
    line = models.JSONField()  # canonical actions expected from there on, its own first
    nodes = models.BigIntegerField()
    depth = models.IntegerField()
    seed = models.BigIntegerField()  # below 2**53: JavaScript has it exactly
    why = models.CharField(max_length=32, blank=True)
    ms = models.IntegerField()  # of the processor

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number", "takebacks", "role"], name="one_thinking_a_step"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} in step {self.number} of {self.game_id}"  # never the thought itself


class WorkerQuerySet(models.QuerySet["Worker", "Worker"]):
    """Queries of workers."""

    def alive(self, at: int) -> Self:
        """Return the workers whose last heartbeat was recent at `at` (epoch ms)."""
        return self.filter(at__gt=at - ALIVE_MS)


class Worker(models.Model):
    """A process that thinks for computer players, and its heartbeat."""

    name = models.CharField(max_length=64, unique=True)
    at = models.BigIntegerField()  # of the last heartbeat
    is_warm = models.BooleanField(
        default=False
    )  # its engines are compiled, or it has already replied
    has_numba = models.BooleanField(default=True)  # it plays the levels that need compiled code

    objects = WorkerQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class Exhibition(models.Model):
    """A game between two computer players, for people to watch."""

    game = models.OneToOneField(Game, models.CASCADE, related_name="exhibition")

    def __str__(self) -> str:
        return f"exhibition {self.game_id}"
