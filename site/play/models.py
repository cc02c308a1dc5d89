"""The five tables of a game, and the pulse that tells how long the server was down.

The turns are the truth; `Game.position` is a cache that replay rebuilds. Times are integers:
milliseconds since the epoch.
"""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from play.clocks import Clock

ROLES = [("white", "white"), ("black", "black")]
VOID = ("aborted", "idle")  # reasons of an end without a result


class GameQuerySet(models.QuerySet["Game", "Game"]):
    """Questions about games, in words."""

    def live(self) -> Self:
        """Games still being played."""
        return self.filter(ended=None)

    def over(self) -> Self:
        """Games with a result."""
        return self.exclude(ended=None)

    def counted(self) -> Self:
        """Games whose result counts for somebody: not those that were broken off."""
        return self.over().exclude(reason__in=VOID)

    def with_computers(self) -> Self:
        """Live games in which a computer player holds a seat."""
        return self.live().filter(has_bot=True)

    def public(self) -> Self:
        """Games that anyone may find and watch; one without spectators only when it is over."""
        return self.filter(is_public=True).filter(Q(watch=True) | ~Q(ended=None))

    def of(self, user: models.Model) -> Self:
        """Games in which a user holds a seat."""
        return self.filter(seats__user=user)

    def overdue(self, at: int) -> Self:
        """Live games whose deadline lies before `at` (epoch ms)."""
        return self.live().filter(deadline__lt=at)

    def idle(self, since: int) -> Self:
        """Live games without a clock in which nothing has happened since `since` (epoch ms)."""
        return self.live().filter(clock_kind="none", changed__lte=since)


class Game(models.Model):
    """One played game. `rev` grows by one with every change, and every change swaps on it.

    `turn` falls back with a takeback; `takebacks` tells then that numbers are used again.
    """

    slug = models.CharField(max_length=32, unique=True)
    rules = models.CharField(max_length=32)
    clock_kind = models.CharField(max_length=8)
    clock_initial = models.BigIntegerField(default=0)
    clock_increment = models.BigIntegerField(default=0)
    is_public = models.BooleanField(default=True)
    watch = models.BooleanField(default=True)  # whether spectators may look on while it runs
    has_bot = models.BooleanField(default=False)  # a computer player holds a seat
    lobby = models.CharField(max_length=32, blank=True)  # code of the lobby it started in
    position = models.TextField()  # Rules.write of the state
    turn = models.IntegerField(default=0)  # turns resolved: the number that the next action names
    rev = models.IntegerField(default=0)
    head = models.CharField(max_length=64, default="")  # hash of the newest entry
    times = models.TextField()  # clocks.Times as JSON
    deadline = models.BigIntegerField(null=True)
    offers = models.TextField(default="{}")  # JSON object, what is offered to live.Offer
    takebacks = models.IntegerField(default=0)  # how many have been accepted
    winner = models.CharField(max_length=5, blank=True)  # role; blank while live and when drawn
    reason = models.CharField(max_length=16, blank=True)
    goals = models.CharField(max_length=32, blank=True)  # JSON object, role to integer
    created = models.BigIntegerField()
    changed = models.BigIntegerField()
    ended = models.BigIntegerField(null=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["deadline"], name="game_deadline"),
            models.Index(
                fields=["changed"], name="game_idle", condition=Q(ended=None, clock_kind="none")
            ),
            models.Index(fields=["is_public", "ended", "-changed"], name="game_listed"),
            models.Index(
                fields=["changed"], name="game_computers", condition=Q(ended=None, has_bot=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rules} {self.slug}"

    def get_absolute_url(self) -> str:
        """The lasting address of the game's page."""
        return reverse("game", args=[self.slug])

    @property
    def clock(self) -> Clock:
        """The options of its clock."""
        return Clock(self.clock_kind, self.clock_initial, self.clock_increment)  # type: ignore[arg-type]


class Seat(models.Model):
    """A role in a game, held by a user."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    role = models.CharField(max_length=5, choices=ROLES)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="seats")
    seen = models.BigIntegerField(default=0)  # when a page of it was last open; 0: never

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "role"], name="one_seat_a_role")]

    def __str__(self) -> str:
        return f"{self.role} of {self.game_id}"


class Turn(models.Model):
    """A resolved turn. `joint` leaves out the noop of a role not in control.

    It is never deleted: a takeback marks it as undone, and its number is free for another.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="turns")
    number = models.IntegerField()
    joint = models.TextField()  # JSON object, role to canonical action
    at = models.BigIntegerField()
    spent = models.TextField()  # JSON object, role to ms that its clock paid
    seals = models.TextField(default="{}")  # JSON object, role to salt and commitment
    undone = models.IntegerField(null=True)  # rev of the takeback; null while it stands

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"], name="one_turn_a_number", condition=Q(undone=None)
            )
        ]

    def __str__(self) -> str:
        return f"turn {self.number} of {self.game_id}"


class Sealed(models.Model):
    """An action that waits for the other role's; it moves to the turn when that resolves."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="sealed")
    number = models.IntegerField()
    role = models.CharField(max_length=5, choices=ROLES)
    action = models.TextField()
    salt = models.CharField(max_length=32, default="")  # of the commitment; as secret as the action
    spent = models.BigIntegerField()  # ms
    at = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number", "role"], name="one_seal_a_role")
        ]

    def __str__(self) -> str:
        return f"seal of {self.role} in turn {self.number} of {self.game_id}"


class Entry(models.Model):
    """One change of a game: the ledger, and the answer to a repeated action id.

    `role` and `action_id` are null for changes that nobody sent. The body holds no names, and of a
    sealed action the commitment alone: until the reveal, the action stands in `Sealed` and nowhere
    else. `hash` chains each entry to the one before (see `games.ledger`).
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="entries")
    rev = models.IntegerField()
    kind = models.CharField(max_length=20)
    role = models.CharField(max_length=5, null=True)
    action_id = models.CharField(max_length=64, null=True)
    received_at = models.BigIntegerField()
    lag = models.IntegerField(default=0)  # ms credited for the way of the message
    clock = models.TextField(default="{}")  # JSON object, role to ms left; empty: not known
    body = models.TextField()  # JSON object
    hash = models.CharField(max_length=64, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "rev"], name="one_entry_a_rev"),
            models.UniqueConstraint(fields=["game", "role", "action_id"], name="one_effect_an_id"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at rev {self.rev} of {self.game_id}"


class Pulse(models.Model):
    """The last moment at which some server process was alive; one row."""

    at = models.BigIntegerField()

    def __str__(self) -> str:
        return f"alive at {self.at}"
