"""The page of a person: games, filters, and the score against each opponent."""

from datetime import UTC, datetime
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.names import NAME
from bots.words import sentence
from lobby.options import PRESETS
from lobby.words import short_name
from pages.profile_games import Filters, Score, narrowed, page_of, scores, seen_by

FIRST_OPPONENTS = 12
RESULTS = (
    ("", pgettext_lazy("any result", "All")),
    ("won", _("Won")),
    ("drawn", _("Drawn")),
    ("lost", _("Lost")),
    ("running", _("Being played")),
)


@require_safe
@never_cache
@gzip_page
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """The profile of an account or a computer player, always under its exact name.

    A constant number of queries, however many games there are.
    """
    if not NAME.fullmatch(name):
        raise Http404
    user = get_object_or_404(User, username__iexact=name, is_guest=False)
    if user.username != name:
        query = request.GET.urlencode()
        return redirect(user.get_absolute_url() + (f"?{query}" if query else ""))
    filters = Filters.of(request.GET)
    games = seen_by(request.user, user)
    chosen = narrowed(games, filters)
    rows, older = page_of(chosen, filters)
    total, opponents = scores(narrowed(games, Filters(game=filters.game)))
    context = {
        "person": user,
        "plays": _plays(user),
        "is_own": user.pk == request.user.pk,
        "filters": filters,
        "rows": [
            {"game": row, "at": datetime.fromtimestamp(row.created / 1000, UTC)} for row in rows
        ],
        "pictures": [row.picture for row in rows],
        "older": f"{filters.query()}&{urlencode({'before': older})}" if older else "",
        "total": total,
        "face": next((s for name, s in opponents if _is(name, filters.against)), None),
        "first": [_line(filters, *each) for each in opponents[:FIRST_OPPONENTS]],
        "more": [_line(filters, *each) for each in opponents[FIRST_OPPONENTS:]],
        "by_game": [("", _("All games"), filters.query(game=""))]
        + [(key, short_name(key), filters.query(game=key)) for key in PRESETS],
        "by_result": [(key, say, filters.query(result=key)) for key, say in RESULTS],
        "everybody": filters.query(against=""),
    }
    return render(request, "pages/profile.html", context)


def _plays(user: User) -> list[tuple[str, str]]:
    """For a computer player, how it plays each game; games that it plays alike stand together."""
    if user.level is None:
        return []
    names: dict[str, list[str]] = {}
    for key in PRESETS:
        names.setdefault(sentence(key, user.level), []).append(short_name(key))
    return [(", ".join(alike), say) for say, alike in names.items()]


def _is(name: str, chosen: str) -> bool:
    return bool(chosen) and name.lower() == chosen.lower()


def _line(filters: Filters, name: str, score: Score) -> tuple[str, Score, str, bool]:
    """A row of the scores: the opponent, how often who has won, the filter, whether it is set."""
    return name, score, filters.query(against=name), _is(name, filters.against)
