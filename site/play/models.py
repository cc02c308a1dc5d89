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
COUNTED = ("won", "drawn", "lost")  # results of a seat, of games that count


class GameQuerySet(models.QuerySet["Game", "Game"]):
    """Questions about games, in words."""

    def live(self) -> Self:
        """Games still being played."""
        return self.filter(ended=None)

    def over(self) -> Self:
        """Games that have ended."""
        return self.filter(ended__isnull=False)

    def counted(self) -> Self:
        """Games whose result counts for somebody: not those that were broken off."""
        return self.over().exclude(reason__in=VOID)

    def with_computers(self) -> Self:
        """Live games in which a computer player holds a seat."""
        return self.live().filter(has_bot=True)

    def public(self) -> Self:
        """Games that anyone may find and watch; one without spectators only when it is over."""
        return self.filter(is_public=True).filter(Q(watch=True) | Q(ended__isnull=False))

    def of(self, user: models.Model) -> Self:
        """Games in which a user holds a seat."""
        return self.filter(seats__user=user)

    def played_by(self, user: models.Model | int) -> Self:
        """Live games in which a user holds a seat."""
        return self.filter(seats__user=user, seats__result=None)

    def overdue(self, at: int) -> Self:
        """Live games whose deadline lies before `at` (epoch ms)."""
        return self.timed().filter(deadline__lt=at)

    def timed(self) -> Self:
        """Live games in which a clock runs."""
        return self.live().filter(deadline__isnull=False)

    def idle(self, since: int) -> Self:
        """Live games without a clock in which nothing has happened since `since` (epoch ms)."""
        return self.live().filter(clock_kind="none", created__lte=since, changed__lte=since)


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
        # A game changes with every action: none of these but the first is written then. What is
        # listed of games that are over is many times what is played.
        indexes = [
            models.Index(
                fields=["deadline"], name="game_timed", condition=Q(deadline__isnull=False)
            ),
            models.Index(
                fields=["created"], name="game_slow", condition=Q(ended=None, clock_kind="none")
            ),
            models.Index(
                fields=["created"], name="game_bots", condition=Q(ended=None, has_bot=True)
            ),
            models.Index(
                fields=["created"], name="game_watched", condition=Q(ended=None, is_public=True)
            ),
            models.Index(
                fields=["ended"],
                name="game_over",
                condition=Q(ended__isnull=False, is_public=True),
            ),
            models.Index(
                fields=["rules", "ended"],
                name="game_over_by_rules",
                condition=Q(ended__isnull=False, is_public=True),
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


def result_for(role: str, winner: str, reason: str) -> str:
    """How a game has ended for a role: won, drawn, lost, or void if it counts for nobody."""
    if reason in VOID:
        return "void"
    if not winner:
        return "drawn"
    return "won" if winner == role else "lost"


class SeatQuerySet(models.QuerySet["Seat", "Seat"]):
    """Questions about somebody's games, in words."""

    def running(self) -> Self:
        """Seats in games that are played."""
        return self.filter(result=None)

    def counted(self) -> Self:
        """Seats in games whose result counts for somebody."""
        return self.filter(result__in=COUNTED)

    def shown(self) -> Self:
        """Seats in games that anyone may find, as `GameQuerySet.public`."""
        return self.filter(is_shown=True)


class Seat(models.Model):
    """A role in a game, held by a user.

    What lists of somebody's games go by stands here as well, however many games there are: who is
    opposite, the rules, and how it ended. It is written when the game begins and when it ends.
    """

    # The constraint and `seat_games` serve as their indexes.
    game = models.ForeignKey(Game, models.CASCADE, related_name="seats", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="seats", db_index=False
    )
    role = models.CharField(max_length=5, choices=ROLES)
    seen = models.BigIntegerField(default=0)  # when a page of it was last open; 0: never
    # Who holds the other seat, which keeps the user from being deleted.
    against = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    rules = models.CharField(max_length=32)
    result = models.CharField(max_length=5, null=True)  # `result_for`; null while it is played
    is_shown = models.BooleanField()  # anyone may find the game

    objects = SeatQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "role"], name="one_seat_a_role")]
        indexes = [
            # Read from its end, newest first, and nothing else is: each filter is a column of it.
            models.Index(
                fields=["user", "id", "is_shown", "result", "rules", "against"], name="seat_games"
            ),
            # Counted opponent by opponent.
            models.Index(
                fields=["user", "against", "result", "is_shown", "rules"], name="seat_scores"
            ),
            models.Index(fields=["user", "game"], name="seat_running", condition=Q(result=None)),
        ]

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

    game = models.ForeignKey(Game, models.CASCADE, related_name="sealed", db_index=False)
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

    game = models.ForeignKey(Game, models.CASCADE, related_name="entries", db_index=False)
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
