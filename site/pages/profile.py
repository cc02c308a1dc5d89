"""Profile page of a user: games, filters, the score against each opponent, public studies."""

from datetime import UTC, datetime
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.people.blocks import hidden_from, names_of
from accounts.people.name_claims import find_person
from accounts.people.names import NAME
from accounts.public_profile.details import visible_details
from accounts.restorable import restorable
from analysis.studies.study_lists import newest_rows, public_of_person
from bots.level_texts import level_sentence
from pages.people.views import relation_to
from pages.profile_games import Filters, Score, apply_filters, page_of, scores, visible_seats
from play.domain.clocks import now
from play.game_texts import short_name
from play.time_controls import PRESETS
from ratings.ladder.models import Rung
from ratings.profile_ratings import rating_rows
from ratings.statistics.views import has_statistics

MAX_FIRST_OPPONENTS = 12
MAX_STUDIES = 5
RESULTS = (
    ("", pgettext_lazy("any result", "All")),
    ("won", _("Won")),
    ("drawn", _("Drawn")),
    ("lost", _("Lost")),
    ("running", _("Being played")),
)


@require_safe
@restorable
@gzip_page
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Shows the profile of an account or a computer player, under its exact name.

    The number of queries does not depend on the number of games.
    """
    user = _person(request, name)
    if user.username != name:
        query = request.GET.urlencode()
        return redirect(user.get_absolute_url() + (f"?{query}" if query else ""))
    filters = Filters.of(request.GET)
    games = visible_seats(request.user, user)
    chosen = apply_filters(games, filters)
    rows, older = page_of(chosen, filters)
    relation = relation_to(request.user, user)
    studies = newest_rows(public_of_person(user), MAX_STUDIES + 1)
    total, opponents = scores(apply_filters(games, Filters(game=filters.game)))
    hidden = names_of(hidden_from(request.user))
    named = [(name, score) for name, score in opponents if name not in hidden]
    context = {
        "person": user,
        "plays": _level_sentences(user),
        "ratings": rating_rows(user, now()),
        "rungs": _rung_levels(user),
        "studies": studies[:MAX_STUDIES],
        "has_more_studies": len(studies) > MAX_STUDIES,
        "is_own": user.pk == request.user.pk,
        "has_statistics": has_statistics(user),
        "details": visible_details(user, is_blocked=relation["has_blocked"]),
        "relation": relation,
        "filters": filters,
        "rows": [
            {"game": row, "at": datetime.fromtimestamp(row.created / 1000, UTC)} for row in rows
        ],
        "pictures": [row.picture for row in rows],
        "older": f"{filters.query()}&{urlencode({'before': older})}" if older else "",
        "total": total,
        "face": next((s for name, s in opponents if _is_same_name(name, filters.against)), None),
        "first": [_score_row(filters, *each) for each in named[:MAX_FIRST_OPPONENTS]],
        "more": [_score_row(filters, *each) for each in named[MAX_FIRST_OPPONENTS:]],
        "by_game": [("", _("All games"), filters.query(game=""))]
        + [(key, short_name(key), filters.query(game=key)) for key in PRESETS],
        "by_result": [(key, say, filters.query(result=key)) for key, say in RESULTS],
        "everybody": filters.query(against=""),
    }
    return render(request, "pages/profile.html", context)


def _person(request: HttpRequest, name: str) -> User:
    """Returns the user of a profile; the reader's own is read already. Raises Http404."""
    reader = request.user
    if isinstance(reader, User) and not reader.is_guest and reader.username == name:
        return reader
    if not NAME.fullmatch(name):
        raise Http404
    person = find_person(name)
    if person is None:
        raise Http404
    return person


def _level_sentences(user: User) -> list[tuple[str, str]]:
    """Returns how a computer player plays each game, with games of equal level text joined."""
    if user.level is None:
        return []
    names: dict[str, list[str]] = {}
    for key in PRESETS:
        names.setdefault(level_sentence(key, user.level), []).append(short_name(key))
    return [(", ".join(alike), say) for say, alike in names.items()]


def _rung_levels(user: User) -> list[tuple[str, list[int]]]:
    """Returns the levels that a user has beaten on the ladder, by game."""
    if not user.is_active:
        return []
    levels: dict[str, list[int]] = {}
    found = Rung.objects.filter(user=user).order_by("level").values_list("rules", "level")
    for rules, level in found:
        levels.setdefault(rules, []).append(level)
    return [(short_name(key), levels[key]) for key in PRESETS if key in levels]


def _is_same_name(name: str, chosen: str) -> bool:
    return bool(chosen) and name.lower() == chosen.lower()


def _score_row(filters: Filters, name: str, score: Score) -> tuple[str, Score, str, bool]:
    """Returns a row of the scores: opponent, score, filter, and whether the filter is set."""
    return name, score, filters.query(against=name), _is_same_name(name, filters.against)
