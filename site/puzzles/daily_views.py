"""Pages of the position of the day: today's, an earlier day's, and all of them."""

from datetime import date
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.catalogue import RULES
from play.domain.clocks import now
from play.game_texts import short_name
from puzzles import daily
from puzzles.attempts import attempt_of
from puzzles.models import MAX_TRIES, DailyPosition, PuzzleAttempt
from puzzles.puzzle_page import Shown
from puzzles.puzzle_texts import title_of
from puzzles.views import render_puzzle

PAGE_DAYS: Final = 30


@require_safe
@never_cache
@gzip_page
def today(request: HttpRequest) -> HttpResponse:
    """Show the position of today; before the first day there is a sentence instead."""
    day = daily.day_of(now())
    row = _row_of(day)
    if row is None:
        return render(request, "puzzles/no_daily.html", {"last": daily.last_day()})
    return _render(request, row, day)


@require_safe
@never_cache
@gzip_page
def of_day(request: HttpRequest, day: date) -> HttpResponse:
    """Show the position of an earlier day. Days to come are not found."""
    current = daily.day_of(now())
    if day == current:
        return redirect("daily")
    row = _row_of(day) if day < current else None
    if row is None:
        raise Http404
    return _render(request, row, current)


@require_safe
@never_cache
@gzip_page
def archive(request: HttpRequest) -> HttpResponse:
    """List the days up to today, newest first, with the reader's results and streak.

    `?before=` is the key of the page, a day.
    """
    current = daily.day_of(now())
    rows = DailyPosition.objects.filter(day__lte=current, puzzle__rules__in=list(RULES))
    if before := _parse_day(request.GET.get("before", "")):
        rows = rows.filter(day__lt=before)
    page = list(rows.select_related("puzzle").order_by("-day")[: PAGE_DAYS + 1])
    user = request.user if request.user.is_authenticated else None
    tried = {}
    if user is not None:
        found = PuzzleAttempt.objects.filter(user=user, puzzle__in=[row.puzzle_id for row in page])
        tried = {attempt.puzzle_id: attempt for attempt in found}
    context = {
        "rows": [
            (row.day, short_name(row.puzzle.rules), title_of(row.puzzle), tried.get(row.puzzle_id))
            for row in page[:PAGE_DAYS]
        ],
        "older": page[PAGE_DAYS - 1].day if len(page) > PAGE_DAYS else None,
        "streak": daily.streak_of(user.pk, current) if user else 0,
        "most": MAX_TRIES,
    }
    return render(request, "puzzles/daily_archive.html", context)


def _render(request: HttpRequest, row: DailyPosition, current: date) -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    shown = Shown(row.puzzle, attempt_of(user, row.puzzle), row.day)
    streak = daily.streak_of(user.pk, current) if user else 0
    return render_puzzle(request, shown, day=row.day, is_today=row.day == current, streak=streak)


def _row_of(day: date) -> DailyPosition | None:
    """Return a day's position; None too if the rules of its puzzle were withdrawn."""
    rows = DailyPosition.objects.select_related("puzzle__game")
    return rows.filter(day=day, puzzle__rules__in=list(RULES)).first()


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
