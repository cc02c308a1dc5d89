"""Views to export a user's own data and to delete the account.

Both require the password again, or a code if a second factor is set up; a guest has only the
session.
"""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.account_service import AccountInUse, delete_user, export_profile
from accounts.models import User
from accounts.two_factor.forms import CodeForm, confirmation_form
from analysis.reviews.reviews import export_reviews
from analysis.studies.study_export import export_studies
from bots.preference_cookie import COOKIE
from chat.personal_data import export_chat
from lobby.models import Lobby
from lobby.offers.models import StandingOffer
from notices.inbox.notice_data import export_notices
from play.models import Game
from play.storage.game_export import export_games
from play.storage.holiday_rows import export_holidays
from puzzles.puzzle_data import export_puzzles
from ratings.fair_play.rulings import export_rulings
from ratings.fair_play.sightings import export_sightings
from ratings.ladder.ladder_queries import export_ladder
from ratings.rating_data import export_placements, export_ratings

log = logging.getLogger("quiver.security")
FORMAT_VERSION = 1  # format of the export
View = Callable[[HttpRequest], HttpResponse]


def with_confirmation(template: str) -> Callable[[View], View]:
    """Decorates a view so that it runs only on a POST confirmed by password or code.

    The code is required if a second factor is set up. Other requests show `template`; strangers are
    redirected to the settings.
    """

    def guard(view: View) -> View:
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def guarded(request: HttpRequest) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect("settings")
            posted = request.POST if request.method == "POST" else None
            form = confirmation_form(request.user, posted) if request.user.is_account else None
            if posted is not None and (form is None or form.is_valid()):
                if isinstance(form, CodeForm):
                    form.save()  # marks the code as used
                return view(request)
            status = 400 if form is not None and form.is_bound else 200
            context = {"form": form, "running": Game.objects.played_by(request.user).count()}
            return render(request, template, context, status=status)

        return guarded

    return guard


@with_confirmation("pages/export.html")
def export(request: HttpRequest) -> HttpResponse:
    """Returns all that the site stores about the user, as a JSON file."""
    user: User = request.user  # type: ignore[assignment]
    body = {
        "quiver": FORMAT_VERSION,
        "made": timezone.now().isoformat(),
        "profile": export_profile(user),
        "settings": {"computer": request.COOKIES.get(COOKIE, "")},
        "lobbies": [_lobby(lobby) for lobby in Lobby.objects.hosted_by(user).order_by("pk")],
        "open_games": [_offer(offer) for offer in StandingOffer.objects.of(user).order_by("pk")],
        "holidays": export_holidays(user.pk),
        "games": list(export_games(user.pk)),
        "ratings": export_ratings(user.pk),
        "placements": export_placements(user.pk),
        "rungs": export_ladder(user.pk),
        "puzzles": export_puzzles(user.pk),
        "reviews": export_reviews(user.pk),
        "rulings": export_rulings(user.pk),
        "sightings": export_sightings(user.pk),
        "studies": export_studies(user.pk),
        "talk": export_chat(user.pk),
        "notifications": export_notices(user.pk),
    }
    log.info("account data exported", extra={"event": "export", "user": user.pk})
    name = f"quiver-{user.get_username()}-{timezone.now().date()}.json"
    headers = {"Content-Disposition": content_disposition_header(True, name)}
    return JsonResponse(body, headers=headers)


@with_confirmation("pages/delete.html")
def delete(request: HttpRequest) -> HttpResponse:
    """Deletes the user's account; the page explains the consequences."""
    try:
        name = delete_user(request.user.pk)  # type: ignore[arg-type]
    except AccountInUse:
        return render(request, "pages/not_deleted.html", status=409)
    logout(request)
    response = render(request, "pages/deleted.html", {"left": name})
    response.delete_cookie(COOKIE)
    return response


def _lobby(lobby: Lobby) -> dict[str, Any]:
    return {
        "id": lobby.code,
        "game": lobby.rules,
        "clock": [lobby.clock_kind, lobby.clock_initial, lobby.clock_increment],
        "public": lobby.is_public,
        "spectators": lobby.watch,
        "rated": lobby.is_rated,
        "counted": lobby.is_counted,
        "made": lobby.created,
        "status": lobby.status,
    }


def _offer(offer: StandingOffer) -> dict[str, Any]:
    return {
        "game": offer.rules,
        "days": offer.days,
        "hours": offer.hours,
        "side": offer.side,
        "rated": offer.is_rated,
        "count": offer.count,
        "made": offer.created,
        "visited": offer.visited,
    }
