"""The tables of games, holidays, leases, and the heartbeat that measures down-time.

The steps are the truth; `Game.position` is a cache that replay rebuilds. Times are epoch ms.
"""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q, Subquery
from django.urls import reverse

import play.process_models  # noqa: F401 - Django looks for tables here
from accounts.models import Session
from play.domain.clocks import DAY_KINDS, Clock
from play.domain.game_state import NO_SHOW

ROLES = [("white", "white"), ("black", "black")]
VOID = ("aborted", "idle", NO_SHOW)  # reasons of an end without a result
ABSENT = "absent"  # result of a seat whose missing first turn aborted the game
COUNTED = ("won", "drawn", "lost")  # results of games that count
FRESH_MS = 15_000  # a seat seen within this time is connected; written every 10 s
MOVED_WITHIN_MS = 2 * 60 * 1000  # a game that changed within this time is being played


class GameQuerySet(models.QuerySet["Game", "Game"]):
    """Named queries of games."""

    def live(self) -> Self:
        """Return games that are still being played."""
        return self.filter(ended=None)

    def over(self) -> Self:
        """Return games that have ended."""
        return self.filter(ended__isnull=False)

    def counted(self) -> Self:
        """Return ended games with a result: not those that were aborted or left idle."""
        return self.over().exclude(reason__in=VOID)

    def with_computers(self) -> Self:
        """Return live games in which a computer player holds a seat."""
        return self.live().filter(has_bot=True)

    def public(self) -> Self:
        """Return games that anyone may find and watch; those without spectators once over."""
        return self.filter(is_public=True).filter(Q(watch=True) | Q(ended__isnull=False))

    def being_played(self, at: int) -> Self:
        """Return live games with a connected seat at `at` (epoch ms), or with a recent change."""
        connected = Seat.objects.filter(game=OuterRef("pk"), seen__gt=at - FRESH_MS)
        return self.live().filter(Q(changed__gt=at - MOVED_WITHIN_MS) | Exists(connected))

    def with_people(self) -> Self:
        """Return games in which a person holds a seat."""
        return self.filter(Exists(Seat.objects.filter(game=OuterRef("pk"), user__is_bot=False)))

    def with_actor(self) -> Self:
        """Return the games with `actor`: the role whose command made the rev, or None."""
        newest = Entry.objects.filter(game=OuterRef("pk"), rev=OuterRef("rev"))
        return self.annotate(actor=Subquery(newest.values("role")))

    def without_deleted_users(self) -> Self:
        """Return games whose players may all be named on a page about others."""
        inactive = Seat.objects.filter(game=OuterRef("pk"), user__is_active=False)
        return self.exclude(Exists(inactive))

    def of(self, user: models.Model) -> Self:
        """Return games in which a user holds a seat."""
        return self.filter(seats__user=user)

    def played_by(self, user: models.Model | int) -> Self:
        """Return live games in which a user holds a seat."""
        return self.filter(seats__user=user, seats__result=None)

    def overdue(self, at: int) -> Self:
        """Return live games whose deadline lies before `at` (epoch ms)."""
        return self.timed().filter(deadline__lt=at)

    def timed(self) -> Self:
        """Return live games in which a clock runs."""
        return self.live().filter(deadline__isnull=False)

    def idle(self, since: int) -> Self:
        """Return live games without a clock or a change since `since` (epoch ms)."""
        return self.live().filter(clock_kind="none", created__lte=since, changed__lte=since)

    def slow(self) -> tuple[Self, Self]:
        """Return the live games by days, and those without a clock: each has an index."""
        return self.timed().filter(clock_kind__in=DAY_KINDS), self.live().filter(clock_kind="none")

    def rated_and_over(self, since: int = 0) -> Self:
        """Return games that are to be rated and ended at `since` (epoch ms) or later."""
        return self.filter(is_rated=True, ended__isnull=False, ended__gte=since)

    def forsaken(self, since: int, at: datetime) -> Self:
        """Return games to which no person can return, unchanged since `since` (ms).

        A suspended or deleted user cannot, nor can a guest whose sessions have all ended at `at`.
        """
        people = Seat.objects.filter(game=OuterRef("pk"), user__is_bot=False)
        sessions = Session.objects.filter(user=OuterRef("user"), expire_date__gt=at)
        back = people.filter(Q(user__is_guest=False) | Exists(sessions), user__is_active=True)
        still = self.filter(changed__lte=since)
        return still.filter(Exists(people), ~Exists(back))


class Game(models.Model):
    """One played game. `rev` grows by one with every change, and every change swaps on it.

    `step` decreases with a takeback; `takebacks` then shows that step numbers are used again.
    """

    slug = models.CharField(max_length=32, unique=True)
    rules = models.CharField(max_length=32)
    clock_kind = models.CharField(max_length=8)
    clock_initial = models.BigIntegerField(default=0)
    clock_increment = models.BigIntegerField(default=0)
    is_public = models.BooleanField(default=True)
    watch = models.BooleanField(default=True)  # whether spectators may look on while it runs
    has_bot = models.BooleanField(default=False)  # a computer player holds a seat
    # To count for ratings (`ratings` decides whether it does); the opening entry says so too.
    is_rated = models.BooleanField(default=False, db_default=False)
    is_counted = models.BooleanField(default=False, db_default=False)  # see `domain.counts`
    # Refused claims by role, a JSON object (see `domain.claims`); None: opened without claims.
    claims = models.CharField(max_length=32, null=True)
    lobby = models.CharField(max_length=32, blank=True)  # code of the lobby it started in
    position = models.TextField()  # Rules.write of the state
    step = models.IntegerField(default=0)  # resolved steps: the number of the open step
    rev = models.IntegerField(default=0)
    head = models.CharField(max_length=64, default="")  # hash of the newest entry
    times = models.TextField()  # clocks.Times as JSON
    deadline = models.BigIntegerField(null=True)
    offers = models.TextField(default="{}")  # JSON object, kind of offer to game_state.Offer
    takebacks = models.IntegerField(default=0)  # how many have been accepted
    winner = models.CharField(max_length=5, blank=True)  # role; blank while live and when drawn
    reason = models.CharField(max_length=16, blank=True)
    goals = models.CharField(max_length=32, blank=True)  # JSON object, role to integer
    created = models.BigIntegerField()
    changed = models.BigIntegerField()
    ended = models.BigIntegerField(null=True)
    actor: str | None  # see `GameQuerySet.with_actor`

    objects = GameQuerySet.as_manager()

    class Meta:
        # An action updates only the first of these. Ended games are many times more than live ones.
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
            models.Index(
                fields=["ended"],
                name="game_rated",
                condition=Q(ended__isnull=False, is_rated=True),
            ),
            models.Index(
                fields=["ended"],
                name="game_over_with_computer",
                condition=Q(ended__isnull=False, has_bot=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rules} {self.slug}"

    def get_absolute_url(self) -> str:
        """Return the permanent address of the game's page."""
        return reverse("game", args=[self.slug])

    @property
    def clock(self) -> Clock:
        """The time control of the game."""
        return Clock(self.clock_kind, self.clock_initial, self.clock_increment)  # type: ignore[arg-type]


def result_for(role: str, winner: str, reason: str) -> str:
    """Return the result of a game for a role: won, drawn, lost, or void if it does not count."""
    if reason in VOID:
        return "void"
    if not winner:
        return "drawn"
    return "won" if winner == role else "lost"


def seat_result(role: str, winner: str, reason: str, is_absent: bool) -> str:
    """Return the result stored at a seat: as `result_for`, or absent for a missing first turn."""
    return ABSENT if is_absent else result_for(role, winner, reason)


class SeatQuerySet(models.QuerySet["Seat", "Seat"]):
    """Named queries of seats."""

    def running(self) -> Self:
        """Return seats in live games."""
        return self.filter(result=None)

    def counted(self) -> Self:
        """Return seats in games with a result."""
        return self.filter(result__in=COUNTED)

    def in_view(self, at: int) -> Self:
        """Return seats of which a page was visible in the last 15 s before `at` (epoch ms)."""
        return self.filter(visible__gt=at - FRESH_MS)

    def shown(self) -> Self:
        """Return seats in games that anyone may find, as `GameQuerySet.public`."""
        return self.filter(is_shown=True)


class Seat(models.Model):
    """A role in a game, held by a user.

    It repeats what lists of a user's games need, however many games there are: the opponent, the
    rules and the result. These columns are written when the game begins and when it ends.
    """

    # The constraint and `seat_games` serve as their indexes.
    game = models.ForeignKey(Game, models.CASCADE, related_name="seats", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="seats", db_index=False
    )
    role = models.CharField(max_length=5, choices=ROLES)
    seen = models.BigIntegerField(default=0)  # when a page of it was last open; 0: never
    # Time at which such a page was last visible; `FRESH_MS` earlier once it was hidden; 0: never.
    visible = models.BigIntegerField(default=0)
    # The holder of the other seat, whose PROTECT keeps that user from being deleted.
    against = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    rules = models.CharField(max_length=32)
    result = models.CharField(max_length=6, null=True)  # `seat_result`; null while it is played
    is_shown = models.BooleanField()  # anyone may find the game
    # Whether the user had an account when the game began: a guest may sign up during the game.
    has_account = models.BooleanField(default=False, db_default=False)

    objects = SeatQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "role"], name="one_seat_a_role")]
        indexes = [
            # A covering index, read newest first: each filter is one of its columns.
            models.Index(
                fields=["user", "id", "is_shown", "result", "rules", "against"], name="seat_games"
            ),
            # For counts per opponent.
            models.Index(
                fields=["user", "against", "result", "is_shown", "rules"], name="seat_scores"
            ),
            models.Index(fields=["user", "game"], name="seat_running", condition=Q(result=None)),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.game_id}"


class Step(models.Model):
    """A resolved step. `joint` leaves out the noop of a role not in control.

    It is never deleted by play: a takeback marks it as undone, and its number is free for another.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="steps")
    number = models.IntegerField()
    joint = models.TextField()  # JSON object, role to canonical action
    at = models.BigIntegerField()
    spent = models.TextField()  # JSON object, role to ms that its clock paid
    seals = models.TextField(default="{}")  # JSON object, role to salt and commitment
    undone = models.IntegerField(null=True)  # rev of the takeback; null while it stands
    is_ahead = models.BooleanField(default=False, db_default=False)  # a conditional reply
    earned = models.BigIntegerField(null=True)  # ms, by completing a turn; null: an older process

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"], name="one_step_a_number", condition=Q(undone=None)
            )
        ]

    def __str__(self) -> str:
        return f"step {self.number} of {self.game_id}"


class Sealed(models.Model):
    """A sealed action that waits for the other role; it moves to the step when that resolves."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="sealed", db_index=False)
    number = models.IntegerField()
    role = models.CharField(max_length=5, choices=ROLES)
    action = models.TextField()
    salt = models.CharField(max_length=32, default="")  # of the commitment; secret like the action
    spent = models.BigIntegerField()  # ms
    at = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number", "role"], name="one_seal_a_role")
        ]

    def __str__(self) -> str:
        return f"seal of {self.role} in step {self.number} of {self.game_id}"


class EndedGame(models.Model):
    """A game that has ended, until all follow-ups are done, see `play.storage.ended_games`."""

    game = models.OneToOneField(Game, models.CASCADE, related_name="+", primary_key=True)
    ended = models.BigIntegerField(db_index=True)  # epoch ms; the order of the follow-ups
    tries = models.PositiveSmallIntegerField(default=0, db_default=0)
    retry_at = models.BigIntegerField(default=0, db_default=0)  # epoch ms

    def __str__(self) -> str:
        return f"follow-ups to the end of game {self.game_id}"


class Entry(models.Model):
    """One change of a game: an entry of the ledger, and the receipt of a repeated action id.

    `role` and `action_id` are null for changes by the server. The body holds no names, and of a
    sealed action the commitment alone: until the reveal, the action is stored in `Sealed` only.
    `hash` chains each entry to the one before (see `games.ledger`).
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="entries", db_index=False)
    rev = models.IntegerField()
    kind = models.CharField(max_length=20)
    role = models.CharField(max_length=5, null=True)
    action_id = models.CharField(max_length=64, null=True)
    received_at = models.BigIntegerField()
    lag = models.IntegerField(default=0)  # ms credited for the transfer of the message
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


class Holiday(models.Model):
    """Period in which a user's clocks are stopped in games by days; taken when one would fall."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    start = models.BigIntegerField()
    until = models.BigIntegerField()  # a whole day after `start`

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "start"], name="one_holiday_a_day")]

    def __str__(self) -> str:
        return f"holiday of {self.user_id} at {self.start}"


class ReplyPlan(models.Model):
    """The conditional replies of a role, secret like a seal: tried when the opponent has acted."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="reply_plans", db_index=False)
    role = models.CharField(max_length=5, choices=ROLES)
    step = models.IntegerField()  # the open step for which the plan was made
    takebacks = models.IntegerField(default=0)  # accepted ones at that time
    lines = models.TextField()  # JSON list of lines; a line is a list of turns, theirs first
    at = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "role"], name="one_plan_a_role")]

    def __str__(self) -> str:
        return f"replies of {self.role} in {self.game_id}"
