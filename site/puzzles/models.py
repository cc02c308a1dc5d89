"""Tables of puzzles, attempts, daily positions, and searched games."""

from datetime import date
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef
from django.urls import reverse

from games.catalogue import RULES
from games.puzzles.puzzle import KINDS, Kind
from games.puzzles.puzzle import Puzzle as Task
from games.rating.standing import START, Numbers
from play.models import ROLES, Game

MAX_TRIES = 3


class PuzzleQuerySet(models.QuerySet["Puzzle"]):
    """Named queries of puzzles."""

    def shown(self, today: date) -> Self:
        """Return puzzles that pages may show, without those of later days.

        Puzzles of withdrawn rules are left out.
        """
        later = DailyPosition.objects.filter(puzzle=OuterRef("pk"), day__gt=today)
        return self.filter(~Exists(later), rules__in=[key for key in KINDS if key in RULES])

    def listed(self, today: date, rules: str = "") -> Self:
        """Return puzzles that lists have, of one rule set or of all: without today's."""
        is_today = DailyPosition.objects.filter(puzzle=OuterRef("pk"), day=today)
        found = self.shown(today).filter(~Exists(is_today))
        return found.filter(rules=rules) if rules else found


class Puzzle(models.Model):
    """A puzzle proved and checked by `games.puzzles`; only its rating changes."""

    slug = models.CharField(max_length=16, unique=True)
    rules = models.CharField(max_length=32)
    position = models.TextField()
    role = models.CharField(max_length=5, choices=ROLES)
    kind = models.CharField(max_length=16)
    solution = models.JSONField()  # list of turns, each a list of canonical actions
    proof = models.JSONField()  # see `games.puzzles.puzzle.Puzzle`
    # The game in which it was found; null: shipped with the site, or the game was deleted.
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="+")
    digest = models.CharField(max_length=16)  # of the code that found it
    rating = models.IntegerField(default=START.rating)  # thousandths of a point
    deviation = models.IntegerField(default=START.deviation)
    volatility = models.IntegerField(default=START.volatility)  # units of 10⁻⁹
    plays = models.PositiveIntegerField(default=0)  # people who tried it
    solved = models.PositiveIntegerField(default=0)  # of them, at the first try
    made = models.BigIntegerField()  # epoch ms

    objects = PuzzleQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["rating"], name="puzzle_by_rating"),
            models.Index(fields=["rules", "rating"], name="puzzle_by_rules"),
        ]

    def __str__(self) -> str:
        return f"puzzle {self.slug} of {self.rules}"

    def get_absolute_url(self) -> str:
        """Return the permanent address of the puzzle's page."""
        return reverse("puzzle", args=[self.slug])

    @property
    def task(self) -> Task:
        """The puzzle as a task of `games.puzzles`."""
        return Task(
            self.rules,
            self.position,
            self.role,  # type: ignore[arg-type]
            Kind(self.kind),
            tuple(tuple(turn) for turn in self.solution),
            self.proof,
        )

    @property
    def numbers(self) -> Numbers:
        """The rating with its deviation and volatility."""
        return Numbers(self.rating, self.deviation, self.volatility)


class PuzzleAttempt(models.Model):
    """The tries of a person on a puzzle. `tries` grows with each try, and each swaps on it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    puzzle = models.ForeignKey(Puzzle, models.CASCADE, related_name="attempts")
    day = models.DateField(null=True)  # UTC: the first try was made while it was that day's
    tries = models.PositiveSmallIntegerField()
    turns = models.JSONField()  # the turns tried, in order
    is_solved = models.BooleanField(default=False)
    began = models.BigIntegerField()  # the first try, epoch ms
    ended = models.BigIntegerField(null=True)  # solved, or the last try; epoch ms
    rating_before = models.IntegerField(null=True)  # of an account, thousandths of a point
    rating_after = models.IntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "puzzle"], name="one_attempt_a_puzzle"),
            models.UniqueConstraint(fields=["user", "day"], name="one_attempt_a_day"),
        ]

    def __str__(self) -> str:
        return f"attempt of {self.user_id} at {self.puzzle_id}"


class PuzzleRating(models.Model):
    """The rating of an account in puzzles."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", primary_key=True
    )
    rating = models.IntegerField(default=START.rating)
    deviation = models.IntegerField(default=START.deviation)
    volatility = models.IntegerField(default=START.volatility)
    at = models.BigIntegerField(default=0)  # the last rated try, epoch ms
    puzzles = models.PositiveIntegerField(default=0)  # rated ones

    def __str__(self) -> str:
        return f"puzzle rating of {self.user_id}"


class DailyPosition(models.Model):
    """The puzzle of a day (UTC), chosen before the day begins."""

    day = models.DateField(primary_key=True)
    puzzle = models.OneToOneField(Puzzle, models.CASCADE, related_name="daily")

    def __str__(self) -> str:
        return f"position of {self.day}"


class MinedGame(models.Model):
    """A game that was, is or will be searched for puzzles."""

    game = models.OneToOneField(Game, models.CASCADE, related_name="+", primary_key=True)
    tries = models.PositiveSmallIntegerField(default=0)  # a process that died counts
    is_done = models.BooleanField(default=False)
    found = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"search of game {self.game_id}"
