"""The page of a person's rating in one pool."""

from datetime import UTC, datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.public_profile.person_pages import page_of_person
from accounts.restorable import restorable
from games.rating.pools import Pool, Speed
from games.rating.standing import UNIT
from play.domain.clocks import now
from play.time_controls import PRESETS
from ratings.history.changes import curve, history_page
from ratings.history.curve import HEIGHT, LEFT, WIDTH, draw_curve
from ratings.history.history_rows import show_row
from ratings.models import Person, Standing
from ratings.profile_ratings import rating_row
from ratings.statistics.views import statistics_url

ROWS_A_PAGE = 30
MAX_DIGITS = 15


@require_safe
@restorable
@gzip_page
@page_of_person
def rating_history(request: HttpRequest, user: User, rules: str, speed: str) -> HttpResponse:
    """Show the history of a person's rating; `?before=` (a seq) leads to older games.

    There is no such page for suspended and deleted people, nor before the first rated game.
    """
    before = request.GET.get("before", "")
    is_number = before.isascii() and before.isdigit() and len(before) <= MAX_DIGITS
    if not user.is_active or rules not in PRESETS or (before and not is_number):
        raise Http404
    person = get_object_or_404(Person, user=user)
    pool = Pool(rules, Speed(speed))
    listed = Standing.objects.listed()
    own = listed.filter(person=person, rules=rules, speed=speed)
    standing = get_object_or_404(own, games__gt=0)  # a placement has no history
    rows, older = history_page(
        person, pool, before=int(before) if before else None, limit=ROWS_A_PAGE
    )
    context = {
        "person": user,
        "is_own": user.pk == request.user.pk,
        "rating": rating_row(standing, now()),
        "peak": None if standing.peak is None else round(standing.peak / UNIT),
        "statistics": statistics_url(user, pool),
        "since": datetime.fromtimestamp(standing.at / 1000, UTC),
        "curve": draw_curve(curve(person, pool)),
        "size": {"width": WIDTH, "height": HEIGHT, "left": LEFT},
        "rows": [show_row(row) for row in rows],
        "older": older,
        "is_first": not before,
    }
    return render(request, "ratings/history.html", context)
