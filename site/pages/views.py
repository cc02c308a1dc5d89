"""Front page and watching."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from lobby.lists import first_sight
from lobby.options import PRESETS
from lobby.quick import usual
from lobby.words import short_name
from pages.cards import CARDS, pictures
from pages.finished import finished

GAMES_ON_HOME = 4


@require_safe
@never_cache
@gzip_page
def home(request: HttpRequest) -> HttpResponse:
    """The five games, what is under way for this user, and what is open and played now."""
    context = {
        "cards": [(card, usual(card.key)) for card in CARDS],
        "pictures": pictures(),
        "lists": msgspec.to_builtins(first_sight()),
        "most_games": GAMES_ON_HOME,
    }
    return render(request, "pages/home.html", context)


@require_safe
@never_cache
@gzip_page
def watch(request: HttpRequest) -> HttpResponse:
    """All public games being played and those that ended last; `?game=` leaves one rule set."""
    asked = request.GET.get("game", "")
    key = asked if asked in PRESETS else ""
    context = {
        "key": key,
        "choices": [(each, short_name(each)) for each in PRESETS],
        "lists": msgspec.to_builtins(first_sight(key)),
        "finished": msgspec.to_builtins(finished(key)),
    }
    return render(request, "pages/watch.html", context)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Keeps crawlers out of lobbies, whose addresses are keys."""
    return render(request, "robots.txt", content_type="text/plain; charset=utf-8")


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """Where browsers look for it on pages that name none, such as the admin's."""
    return redirect(static("img/favicon.svg"))
