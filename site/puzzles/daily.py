"""The position of each day: which puzzle it is, who solved it, and streaks."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Max

from games.catalogue import RULES
from games.puzzles.puzzle import KINDS
from puzzles.models import DailyPosition, Puzzle, PuzzleAttempt

DAYS_AHEAD: Final = 2  # chosen before they begin, so that a day is the same for all
ONE_DAY: Final = timedelta(days=1)


def day_of(at: int) -> date:
    """Return the day of a time (epoch ms), in UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).date()


def choose_days(today: date) -> list[DailyPosition]:
    """Choose the puzzles of today and of the days ahead that have none; return the new rows.

    The choice follows from the day and the puzzles that no day has had. Where all have been used,
    a day has none.
    """
    days = [today + number * ONE_DAY for number in range(DAYS_AHEAD + 1)]
    there = set(DailyPosition.objects.filter(day__in=days).values_list("day", flat=True))
    made = []
    for day in days:
        if day in there or (puzzle := _choose(day)) is None:
            continue
        try:
            with transaction.atomic():
                made.append(DailyPosition.objects.create(day=day, puzzle=puzzle))
        except IntegrityError:
            continue  # another process has chosen it
    return made


def _choose(day: date) -> Puzzle | None:
    """Return the puzzle of a day: the games take turns, and untried puzzles come first."""
    free = Puzzle.objects.filter(daily=None, rules__in=[key for key in KINDS if key in RULES])
    rows = list(free.values_list("pk", "slug", "rules", "plays"))
    if not rows:
        return None
    games = sorted({rules for _, _, rules, _ in rows})
    game = games[day.toordinal() % len(games)]
    ranked = [(plays > 0, _hash(day, slug), pk) for pk, slug, rules, plays in rows if rules == game]
    return Puzzle.objects.get(pk=min(ranked)[2])


def _hash(day: date, slug: str) -> str:
    return blake2b(f"{day} {slug}".encode(), digest_size=8).hexdigest()


def streak_of(user: int, today: date) -> int:
    """Return the number of days in a row, up to today or yesterday, with the position solved."""
    solved = PuzzleAttempt.objects.filter(user=user, day__isnull=False, is_solved=True)
    days = solved.order_by("-day").values_list("day", flat=True)
    return count_streak([day for day in days if day is not None], today)


def count_streak(solved: Sequence[date], today: date) -> int:
    """Return the length of the run of days that ends today or yesterday; newest first."""
    expected = today if today in solved[:1] else today - ONE_DAY
    length = 0
    for day in solved:
        if day != expected:
            break
        length += 1
        expected -= ONE_DAY
    return length


def rules_of_day(day: date) -> str:
    """Return the key of the rules of a day's position; empty without one. One query."""
    rows = DailyPosition.objects.filter(day=day, puzzle__rules__in=list(RULES))
    return rows.values_list("puzzle__rules", flat=True).first() or ""


def last_day() -> date | None:
    """Return the last day that has a puzzle."""
    found: date | None = DailyPosition.objects.aggregate(last=Max("day"))["last"]
    return found
