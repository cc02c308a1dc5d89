"""A person's own data: taking a copy along, and deleting oneself. Both take the password once more,
or a code where a second factor is set up; a guest has only the session."""

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

from accounts.departure import Staying, depart
from accounts.keepsake import profile_of
from accounts.models import User
from accounts.two_factor.forms import CodeForm, confirmation_form
from bots.habits import COOKIE
from lobby.models import Lobby
from play.keepsake import games_of
from play.models import Game
from talk.keepsake import talk_of

log = logging.getLogger("quiver.security")
VERSION = 1  # of the copy's form
Deed = Callable[[HttpRequest], HttpResponse]


def with_confirmation(template: str) -> Callable[[Deed], Deed]:
    """Has something done by a POST with the user's password, or with a code of the second factor if
    there is one; else its page is shown.

    Strangers have nothing here and go to the settings.
    """

    def guard(deed: Deed) -> Deed:
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(deed)
        def guarded(request: HttpRequest) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect("settings")
            posted = request.POST if request.method == "POST" else None
            form = confirmation_form(request.user, posted) if request.user.is_account else None
            if posted is not None and (form is None or form.is_valid()):
                if isinstance(form, CodeForm):
                    form.save()  # notes that the code was used
                return deed(request)
            status = 400 if form is not None and form.is_bound else 200
            context = {"form": form, "running": Game.objects.played_by(request.user).count()}
            return render(request, template, context, status=status)

        return guarded

    return guard


@with_confirmation("pages/export.html")
def export(request: HttpRequest) -> HttpResponse:
    """All that the site knows of the user, as a file."""
    user: User = request.user  # type: ignore[assignment]
    body = {
        "quiver": VERSION,
        "made": timezone.now().isoformat(),
        "profile": profile_of(user),
        "settings": {"computer": request.COOKIES.get(COOKIE, "")},
        "lobbies": [_lobby(lobby) for lobby in Lobby.objects.hosted_by(user).order_by("pk")],
        "games": list(games_of(user.pk)),
        "talk": talk_of(user.pk),
    }
    log.info("account copied", extra={"event": "export", "user": user.pk})
    name = f"quiver-{user.get_username()}-{timezone.now().date()}.json"
    headers = {"Content-Disposition": content_disposition_header(True, name)}
    return JsonResponse(body, headers=headers)


@with_confirmation("pages/delete.html")
def delete(request: HttpRequest) -> HttpResponse:
    """Deletes the user; what that means stands on the page."""
    try:
        name = depart(request.user.pk)  # type: ignore[arg-type]
    except Staying:
        return render(request, "pages/stays.html", status=409)
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
        "made": lobby.created,
        "status": lobby.status,
    }
