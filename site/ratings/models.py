"""Tables of ratings: the log of entries, its generations, standings and leaderboards.

`RatingEntry` is the truth and is only appended to. `RatedGame`, `FittedAdvantage` and `Standing`
follow from it by `games.rating`; `manage.py ratings --check` proves that. Leaderboards follow from
all of these and the time. Ratings and deviations are integers in thousandths of a point,
volatilities in units of 10⁻⁹, times in milliseconds since the epoch.
"""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.rating.entries import NotRated, SideNumbers
from games.rating.pools import Pool, Speed
from games.rating.standing import Numbers
from games.rating.standing import Standing as FoldedStanding
from play.domain.clocks import now
from play.models import Game

# Django looks for the tables of the rooms here.
from ratings.fair_play.models import EngineAgreement, Ruling, Sighting  # noqa: F401
from ratings.ladder.models import LadderGame, Rung  # noqa: F401
from ratings.placing.models import Placement, PlacementGame  # noqa: F401


class Person(models.Model):
    """The number of a user in the public file of ratings; it outlives the account.

    A deleted user keeps the row, and with it the number; no number is given twice.
    """

    number = models.BigAutoField(primary_key=True)
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"person {self.number}"


class RatingEntry(models.Model):
    """An entry of the log: a game that was to be rated, or a correction of one. Never changed.

    `seq` numbers all entries without a gap, in the order in which they count, those of
    `FurtherEntry` included.
    """

    class Kind(models.TextChoices):
        """Kind of entry, as in the public file."""

        GAME = "game"
        ANNULMENT = "annulment"  # the game does not count, from the beginning
        RESTORATION = "restoration"  # it counts after all

    seq = models.BigIntegerField(primary_key=True)
    kind = models.CharField(max_length=12, choices=Kind)
    at = models.BigIntegerField()  # of a game its end, of a correction when it was made
    game = models.ForeignKey(Game, models.PROTECT, related_name="+")
    # The rest is of games; a correction has `reason` alone.
    rules = models.CharField(max_length=32, blank=True)
    speed = models.CharField(
        max_length=8, blank=True, choices=[(each.value, each.value) for each in Speed]
    )
    white = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+", db_index=False)
    black = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+", db_index=False)
    winner = models.CharField(max_length=5, blank=True)  # role; blank: a draw, or no result
    # Why the game did not count when it ended; blank if it did. Corrections do not change it.
    not_rated = models.CharField(
        max_length=16, blank=True, choices=[(each.value, each.value) for each in NotRated]
    )
    reason = models.CharField(max_length=200, blank=True)  # of a correction, public

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game"], condition=Q(kind="game"), name="one_rating_entry_a_game"
            )
        ]
        indexes = [
            models.Index(fields=["seq"], condition=~Q(kind="game"), name="rating_corrections"),
            models.Index(fields=["white", "seq"], name="rating_entry_of_white"),
            models.Index(fields=["black", "seq"], name="rating_entry_of_black"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.seq}"


class FurtherEntry(models.Model):
    """An entry of the log without a rated game: data about levels and newcomers for the fold.

    It shares the numbers of `RatingEntry`, and like one it is never changed.
    """

    class Kind(models.TextChoices):
        """Kind of entry, as in the public file."""

        ANCHORS = "anchors"  # ratings of the levels of a game from here on
        PLACEMENT = "placement"  # the first rating of a person by games against levels
        ADVANTAGE = "advantage"  # the first-move advantage is fitted to all games before

    seq = models.BigIntegerField(primary_key=True)
    kind = models.CharField(max_length=12, choices=Kind)
    at = models.BigIntegerField()  # of a placement the end of its last game, else when it was made
    rules = models.CharField(max_length=32)
    # Of a placement.
    speed = models.CharField(
        max_length=8, blank=True, choices=[(each.value, each.value) for each in Speed]
    )
    person = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    content = models.TextField(blank=True)  # JSON, see `entry_log`

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "rules", "speed"],
                condition=Q(kind="placement"),
                name="one_placement_entry_a_pool",
            )
        ]
        indexes = [models.Index(fields=["kind", "rules", "seq"], name="further_entries_of_kind")]

    def __str__(self) -> str:
        return f"{self.kind} {self.seq}"


class Generation(models.Model):
    """One fold of the log. Games are appended to the current one; earlier ones stay as they were.

    Each correction and each rebuild makes a new generation.
    """

    number = models.BigAutoField(primary_key=True)  # never given twice
    last_seq = models.BigIntegerField(default=0)  # all entries up to this one are folded
    is_current = models.BooleanField(default=False)
    made = models.BigIntegerField(null=True)  # when it became current; null while it is built

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["is_current"],
                condition=Q(is_current=True),
                name="one_current_rating_generation",
            )
        ]

    def __str__(self) -> str:
        return f"generation {self.number}"


class RatedGame(models.Model):
    """A game that counted: both sides' numbers before and after it, in one generation."""

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="+", db_index=False)
    entry = models.ForeignKey(RatingEntry, models.PROTECT, related_name="+", db_index=False)
    white_rating_before = models.IntegerField()
    white_deviation_before = models.IntegerField()
    white_volatility_before = models.IntegerField()
    black_rating_before = models.IntegerField()
    black_deviation_before = models.IntegerField()
    black_volatility_before = models.IntegerField()
    white_rating_after = models.IntegerField()
    white_deviation_after = models.IntegerField()
    white_volatility_after = models.IntegerField()
    black_rating_after = models.IntegerField()
    black_deviation_after = models.IntegerField()
    black_volatility_after = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["generation", "entry"], name="one_rated_game_a_generation"
            )
        ]

    def __str__(self) -> str:
        return f"rated game {self.entry_id} of generation {self.generation_id}"

    @property
    def before(self) -> SideNumbers:
        """Both sides' numbers before the game."""
        return SideNumbers(
            Numbers(
                self.white_rating_before, self.white_deviation_before, self.white_volatility_before
            ),
            Numbers(
                self.black_rating_before, self.black_deviation_before, self.black_volatility_before
            ),
        )

    @property
    def after(self) -> SideNumbers:
        """Both sides' numbers after the game."""
        return SideNumbers(
            Numbers(
                self.white_rating_after, self.white_deviation_after, self.white_volatility_after
            ),
            Numbers(
                self.black_rating_after, self.black_deviation_after, self.black_volatility_after
            ),
        )


class FittedAdvantage(models.Model):
    """The first-move advantage of a game from an entry on, in one generation."""

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="+", db_index=False)
    entry = models.ForeignKey(FurtherEntry, models.PROTECT, related_name="+", db_index=False)
    rules = models.CharField(max_length=32)
    advantage = models.IntegerField()  # of white

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["generation", "entry"], name="one_advantage_an_entry")
        ]

    def __str__(self) -> str:
        return f"advantage of entry {self.entry_id} of generation {self.generation_id}"


class StandingQuerySet(models.QuerySet["Standing"]):
    """Named queries of standings."""

    def current(self) -> Self:
        """Return the standings of the current generation."""
        # A subquery: by a join, SQLite reads all standings to find those of a person.
        current = Generation.objects.filter(is_current=True).values("pk")[:1]
        return self.filter(generation=current)

    def listed(self) -> Self:
        """Return standings that pages may list: without deleted and suspended users."""
        return self.current().filter(person__user__is_active=True, person__user__is_guest=False)


class Standing(models.Model):
    """A person's rating in a pool after the last game of a generation; a cache of its fold."""

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="+", db_index=False)
    person = models.ForeignKey(Person, models.PROTECT, related_name="+", db_index=False)
    rules = models.CharField(max_length=32)
    speed = models.CharField(max_length=8, choices=[(each.value, each.value) for each in Speed])
    rating = models.IntegerField()
    deviation = models.IntegerField()  # at `at`; it grows since, see `FoldedStanding.numbers_at`
    volatility = models.IntegerField()
    at = models.BigIntegerField()  # end of the last game
    games = models.IntegerField()  # rated ones
    peak = models.IntegerField(null=True)  # highest rating while it was established

    objects = StandingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["generation", "person", "rules", "speed"], name="one_standing_a_pool"
            )
        ]

    def __str__(self) -> str:
        return f"standing of person {self.person_id} in {self.pool}"

    @property
    def pool(self) -> Pool:
        """The pool of the rating."""
        return Pool(self.rules, Speed(self.speed))

    @property
    def folded(self) -> FoldedStanding:
        """The standing as a value of the fold."""
        numbers = Numbers(self.rating, self.deviation, self.volatility)
        return FoldedStanding(numbers, self.at, self.games)


class LeaderboardPass(models.Model):
    """One computation of all boards. At most one is the current one, and pages read that one alone.

    A pass is built beside the current one and replaces it whole, so that pages never see the rows
    of two passes together.
    """

    class State(models.TextChoices):
        """A pass is building, then current, then old; an old one is deleted."""

        BUILDING = "building"
        CURRENT = "current"
        OLD = "old"

    number = models.BigAutoField(primary_key=True)
    state = models.CharField(max_length=8, choices=State, default=State.BUILDING)
    generation = models.ForeignKey(Generation, models.PROTECT, related_name="+", db_index=False)
    last_seq = models.BigIntegerField()  # of the generation, when it was read
    # No game before this entry ended within the 90 days before `at`.
    first_seq = models.BigIntegerField()
    at = models.BigIntegerField()  # deviations have grown up to here
    took_ms = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["state"], condition=Q(state="current"), name="one_current_leaderboard_pass"
            )
        ]

    def __str__(self) -> str:
        return f"leaderboard pass {self.number}"


class LeaderboardRow(models.Model):
    """A person on the leaderboard of a pool, in one pass."""

    leaderboard_pass = models.ForeignKey(
        LeaderboardPass, models.CASCADE, related_name="+", db_index=False
    )
    person = models.ForeignKey(Person, models.PROTECT, related_name="+", db_index=False)
    rules = models.CharField(max_length=32)
    speed = models.CharField(max_length=8, choices=[(each.value, each.value) for each in Speed])
    position = models.IntegerField()  # 1, 2, 3 … from the top, without ties
    place = models.IntegerField()  # 1, 2, 2, 4 …: people with equal score and games share it
    score = models.IntegerField()  # rating − 2 deviations
    rating = models.IntegerField()
    deviation = models.IntegerField()
    games = models.IntegerField()  # rated ones in the last 90 days
    opponents = models.IntegerField()  # people played in them
    # Rating now − rating a week ago; null if it was provisional then.
    week_change = models.IntegerField(null=True)
    # Of Blotto: revealed rounds, and their mean points against the equilibrium, in thousandths.
    rounds = models.IntegerField(default=0, db_default=0)
    round_points = models.IntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["leaderboard_pass", "rules", "speed", "position"], name="one_row_a_position"
            ),
            models.UniqueConstraint(
                fields=["leaderboard_pass", "person", "rules", "speed"], name="one_row_a_person"
            ),
        ]
        indexes = [
            models.Index(
                fields=["leaderboard_pass", "rules", "speed", "score"], name="leaderboard_by_score"
            ),
            models.Index(
                fields=["leaderboard_pass", "week_change"], name="leaderboard_by_week_change"
            ),
        ]

    def __str__(self) -> str:
        return f"place {self.place} of {self.rules}/{self.speed}"


class CombinedRow(models.Model):
    """A person in the combined table of all games, in one pass."""

    leaderboard_pass = models.ForeignKey(
        LeaderboardPass, models.CASCADE, related_name="+", db_index=False
    )
    person = models.ForeignKey(Person, models.PROTECT, related_name="+", db_index=False)
    position = models.IntegerField()  # 1, 2, 3 … from the top, without ties
    place = models.IntegerField()  # people with equal score and games share it
    score = models.IntegerField()  # mean percentile, in thousandths of a percent
    leaderboards = models.IntegerField()  # games on whose leaderboards the person is
    games = models.IntegerField()  # on these, in the last 90 days

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["leaderboard_pass", "position"], name="one_combined_row_a_position"
            ),
            models.UniqueConstraint(
                fields=["leaderboard_pass", "person"], name="one_combined_row_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"place {self.place} of all games"


class DriftReport(models.Model):
    """Distance between a game's live pool and its levels in a month; see `ratings.rules.drift`."""

    month = models.IntegerField()  # such as 202611
    rules = models.CharField(max_length=32)
    people = models.IntegerField()
    games = models.IntegerField()  # of these people against levels
    points = models.IntegerField(null=True)  # null: too little data

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["month", "rules"], name="one_drift_report_a_month")
        ]

    def __str__(self) -> str:
        return f"drift of {self.rules} in {self.month}"


def make_first_generation() -> None:
    """Make the first generation, unless there is one; several processes may try at once."""
    if not Generation.objects.exists():
        first = Generation(is_current=True, made=now())
        Generation.objects.bulk_create([first], ignore_conflicts=True)
